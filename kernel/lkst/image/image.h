/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Header pages, which let a tool find LKST's memory in an image of the
 * machine's memory. linux/lkst_image.h declares their layout.
 */
#ifndef _LKST_IMAGE_H
#define _LKST_IMAGE_H

#include <linux/types.h>
#include <linux/lkst_image.h>

/**
 * struct lkst_image_place - the extent and the region that a pair of header
 *	pages describes
 * @kind: enum lkst_image_kind
 * @cpu: CPU that records to an LKST_IMAGE_BUFFER; else -1
 * @id: id of an LKST_IMAGE_BUFFER; else LKST_BUFFER_ID_VOID
 * @region: number of the region, from lkst_image_new_region()
 * @region_length: bytes of data in the region
 * @offset: position of this extent's data in the region, in bytes
 * @length: bytes of data in this extent
 * @extent: number of this extent, from 0
 * @extent_num: number of extents of the region
 */
struct lkst_image_place {
	u32 kind;
	s32 cpu;
	s32 id;
	u64 region;
	u64 region_length;
	u64 offset;
	u64 length;
	u32 extent;
	u32 extent_num;
};

/* Prepare the contents of all header pages. Call before any region exists. */
void lkst_image_init(void);
const u8 *lkst_image_boot(void);
u64 lkst_image_new_region(void);
/*
 * Write the two header pages of an extent, one before and one after its data.
 * The pages need not be zeroed. Context: any.
 */
void lkst_image_sign(void *head, phys_addr_t head_physical, void *tail, phys_addr_t tail_physical,
		     const struct lkst_image_place *place);
/*
 * Erase both pages, so that the memory between them is no longer taken for a
 * region.
 */
void lkst_image_wipe(void *head, void *tail);

#endif
