/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory that LKST takes: a bound on all of it, and what a buffer is made of.
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
 * struct lkst_extent - a physically contiguous piece of an area
 * @data: where the kernel sees it; before it and behind it there is a header page each
 * @physical: address of @data
 * @length: bytes of data
 */
struct lkst_extent {
	void *data;
	phys_addr_t physical;
	size_t length;
};

/**
 * struct lkst_region - memory that can be found in an image of the machine's memory
 * @address: where its data is mapped as one
 * @size: bytes of data, as asked for
 * @extents: what it is made of; one is used as it is mapped anyway
 * @extent_num: entries of @extents
 * @charged: bytes that count as taken
 * @reserved: is in memory set aside
 */
struct lkst_region {
	void *address;
	size_t size;
	struct lkst_extent *extents;
	unsigned int extent_num;
	size_t charged;
	bool reserved;
};

/* From @data on: where the header pages are, copy 0 and copy 1. */
static inline ssize_t lkst_extent_header(const struct lkst_extent *extent, unsigned int copy)
{
	size_t length = (extent->length + LKST_IMAGE_PAGE - 1) & ~(size_t)(LKST_IMAGE_PAGE - 1);

	return copy ? (ssize_t)length : -LKST_IMAGE_PAGE;
}

int lkst_region_alloc(struct lkst_region *area, size_t size, int node, bool reserved_only);
void lkst_region_sign(const struct lkst_region *area, enum lkst_image_kind kind, int cpu, int id);
void lkst_region_free(struct lkst_region *area);

#endif
