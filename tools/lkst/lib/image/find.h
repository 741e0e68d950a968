/* SPDX-License-Identifier: LGPL-2.1 */
/* Counts the LKST data in an image. */
#ifndef _LKST_LIB_IMAGE_FIND_H
#define _LKST_LIB_IMAGE_FIND_H

#include <linux/lkst_image.h>

#include "lib/lkst.h"
#include "records.h"

struct image;
struct image_history;
struct image_region;

/**
 * struct image_contents - what a region contains
 * @present: number of bytes of the region that are in the image
 * @counts: counts of the slots; 0 unless the region is a buffer, the static buffer or a history. In
 *	a history, @records counts the records of intact chunks
 * @repeated: number of records of a buffer that the history of its CPU contains as well
 * @damaged: number of damaged chunks in a history
 * @timed: whether @first_ns and @last_ns are known
 * @first_ns: wall clock time of the oldest record in ns
 * @last_ns: wall clock time of the newest record in ns
 */
struct image_contents {
	uint64_t present;
	struct image_counts counts;
	uint64_t repeated;
	uint64_t damaged;
	bool timed;
	int64_t first_ns;
	int64_t last_ns;
};

int image_contents(const struct image *image, const struct image_region *region,
		   const struct lkst_etypes *types, struct image_history *history,
		   struct image_contents *contents, struct lkst_error *err);
bool image_boot_slot(const struct image *image, const struct image_region *region,
		     struct lkst_image_boot_slot *slot);

#endif
