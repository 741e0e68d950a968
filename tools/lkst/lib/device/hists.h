/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads histograms of rules. */
#ifndef _LKST_LIB_DEVICE_HISTS_H
#define _LKST_LIB_DEVICE_HISTS_H

#include "lib/lkst.h"

/**
 * struct lkst_hist - a histogram
 * @param: its description: see struct lkst_hist_param
 * @text: definition as it was written
 * @data: sorted entries
 */
struct lkst_hist {
	struct lkst_hist_param param;
	char *text;
	unsigned char *data;
};

/**
 * struct lkst_hist_search - which histogram to read: the first one that matches
 * @maskset: id of the maskset
 * @etype: number of the first event type whose histograms match
 * @last: number of the last event type whose histograms match
 * @index: which of the histograms of @etype, from 0. If @etype does not have this histogram, the
 *	first histogram of a later event type matches
 * @reset: whether to delete the entries that are read
 */
struct lkst_hist_search {
	lkst_maskset_id maskset;
	unsigned int etype;
	unsigned int last;
	unsigned int index;
	bool reset;
};

int lkst_hist_read(struct lkst_device *dev, const struct lkst_hist_search *search,
		   struct lkst_hist **hist, struct lkst_error *err);
void lkst_hist_free(struct lkst_hist *hist);

/* Return an entry of a histogram. */
static inline const unsigned char *lkst_hist_entry(const struct lkst_hist *hist, size_t index)
{
	return hist->data + index * hist->param.entry_size;
}

#endif
