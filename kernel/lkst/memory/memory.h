/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limit the total size of LKST's memory, and allocate the regions that buffers
 * consist of.
 */
#ifndef _LKST_MEMORY_H
#define _LKST_MEMORY_H

#include <linux/types.h>
#include <linux/lkst_image.h>

void lkst_memory_init(u64 max);
bool lkst_memory_charge(size_t bytes);
void lkst_memory_uncharge(size_t bytes);
u64 lkst_memory_used(void);
u64 lkst_memory_max(void);

/**
 * struct lkst_extent - a physically contiguous part of a region
 * @data: address of the data, between two header pages
 * @physical: physical address of @data
 * @length: length of the data in bytes
 */
struct lkst_extent {
	void *data;
	phys_addr_t physical;
	size_t length;
};

/**
 * struct lkst_region - memory that can be identified in a memory image
 * @address: start of the data, mapped at contiguous virtual addresses
 * @size: requested size of the data in bytes
 * @extents: extents of the region; if there is only one, @address points to its
 *	data
 * @extent_num: number of extents
 * @charged: bytes charged with lkst_memory_charge()
 * @reserved: whether the region is in reserved memory
 */
struct lkst_region {
	void *address;
	size_t size;
	struct lkst_extent *extents;
	unsigned int extent_num;
	size_t charged;
	bool reserved;
};

/*
 * Return the offset of header page @copy, 0 or 1, from the extent's data, in
 * bytes.
 */
static inline ssize_t lkst_extent_header(const struct lkst_extent *extent, unsigned int copy)
{
	size_t length = (extent->length + LKST_IMAGE_PAGE - 1) & ~(size_t)(LKST_IMAGE_PAGE - 1);

	return copy ? (ssize_t)length : -LKST_IMAGE_PAGE;
}

int lkst_region_alloc(struct lkst_region *region, size_t size, int node, bool reserved_only);
void lkst_region_sign(const struct lkst_region *region, enum lkst_image_kind kind, int cpu, int id);
void lkst_region_free(struct lkst_region *region);

#endif
