// SPDX-License-Identifier: LGPL-2.1
/* Reads histograms of rules. */
#include <errno.h>
#include <stdlib.h>

#include "call.h"
#include "hists.h"
#include "lib/base/error.h"
#include "messages.h"

void lkst_hist_free(struct lkst_hist *hist)
{
	if (!hist)
		return;
	free(hist->text);
	free(hist->data);
	free(hist);
}

/*
 * Read a histogram, or only its description if @hist->param.data_size is 0. Returns 0 or the errno of
 * the call.
 */
static int hist_call(struct lkst_device *dev, struct lkst_hist *hist, struct lkst_error *err)
{
	int ret;

	hist->param.text = address(hist->text);
	hist->param.text_size = LKST_RULE_TEXT_MAX;
	ret = CALL(dev, LKST_IOC_HIST_READ, &hist->param, err);
	if (!ret)
		hist->text[hist->param.text_size] = 0;
	else if (ret == ENOMEM)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_HIST_MEMORY);
	return ret;
}

/*
 * Read the entries of the histogram whose description is in @hist. The call also replaces the
 * description. Returns 0; -1 if an allocation fails; otherwise the errno of the call. ENOSPC means
 * that the description is out of date: the histogram was deleted, or a larger one has replaced it.
 */
static int hist_read_data(struct lkst_device *dev, bool reset, struct lkst_hist *hist,
			  struct lkst_error *err)
{
	struct lkst_hist_param *param = &hist->param;
	uint64_t size = (uint64_t)param->entries_max * param->entry_size;
	int ret;

	/* The kernel fills in only the beginning, so most of the memory is never touched. */
	hist->data = malloc(size);
	if (!hist->data) {
		lkst_error_memory(err, "a histogram");
		return -1;
	}
	param->data = address(hist->data);
	param->data_size = size;
	param->flags = reset ? LKST_HIST_RESET : 0;
	ret = hist_call(dev, hist, err);
	/* ENOENT: the rule with the histogram was deleted after the description had been read. */
	return ret == ENOENT ? ENOSPC : ret;
}

static int hist_try(struct lkst_device *dev, const struct lkst_hist_search *search,
		    struct lkst_hist **to, struct lkst_error *err)
{
	struct lkst_hist *hist = calloc(1, sizeof(*hist));
	int ret;

	*to = hist;
	if (hist)
		hist->text = calloc(1, LKST_RULE_TEXT_MAX + 1);
	if (!hist || !hist->text) {
		lkst_error_memory(err, "a histogram");
		return -1;
	}
	hist->param.id = search->maskset;
	hist->param.event_type = (int32_t)search->etype;
	hist->param.index = search->index;
	ret = hist_call(dev, hist, err);
	if (!ret && (unsigned int)hist->param.event_type > search->last)
		ret = ENOENT;
	return ret ? ret : hist_read_data(dev, search->reset, hist, err);
}

/**
 * lkst_hist_read() - read a histogram
 * @dev: device
 * @search: which histogram
 * @hist: receives the histogram, to be freed; NULL: there is none
 * @err: set on failure
 */
int lkst_hist_read(struct lkst_device *dev, const struct lkst_hist_search *search,
		   struct lkst_hist **hist, struct lkst_error *err)
{
	int ret;

	do {
		ret = hist_try(dev, search, hist, err);
		if (!ret)
			return 0;
		lkst_hist_free(*hist);
		*hist = NULL;
	} while (ret == ENOSPC);
	return ret == ENOENT ? 0 : -1;
}
