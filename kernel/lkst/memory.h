/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory that LKST takes: a bound on all of it, and what a buffer is made of.
 */
#ifndef _LKST_MEMORY_H
#define _LKST_MEMORY_H

#include <linux/types.h>

struct page;

void lkst_memory_init(u64 max);
bool lkst_memory_charge(size_t bytes);
void lkst_memory_uncharge(size_t bytes);
u64 lkst_memory_used(void);
u64 lkst_memory_max(void);

/* A physically contiguous piece of a buffer, so that it can be found in a memory image. */
struct lkst_extent {
	struct page *pages;
	unsigned int order;
};

/**
 * struct lkst_area - memory for records
 * @address: where it is mapped as one
 * @size: bytes, as asked for
 * @extents: what it is made of; one is used as it is mapped anyway
 * @extent_num: entries of @extents
 */
struct lkst_area {
	void *address;
	size_t size;
	struct lkst_extent *extents;
	unsigned int extent_num;
};

int lkst_area_alloc(struct lkst_area *area, size_t size, int node);
void lkst_area_free(struct lkst_area *area);

#endif
