// SPDX-License-Identifier: GPL-2.0
/*
 * The memory that LKST takes: a bound on all of it, and what a buffer is made of.
 */
#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "memory.h"

static atomic64_t lkst_memory_taken;
static u64 lkst_memory_bound __ro_after_init;

/**
 * lkst_memory_init() - set the bound
 * @max: bytes that LKST may take in all
 */
void __init lkst_memory_init(u64 max)
{
	lkst_memory_bound = max;
}

/**
 * lkst_memory_charge() - ask for memory before taking it
 * @bytes: how much
 *
 * Context: any.
 *
 * Return: whether LKST may take so much more; if so, it counts as taken.
 */
bool lkst_memory_charge(size_t bytes)
{
	u64 taken = atomic64_add_return(bytes, &lkst_memory_taken);

	if (taken <= lkst_memory_bound)
		return true;
	atomic64_sub(bytes, &lkst_memory_taken);
	return false;
}

/**
 * lkst_memory_uncharge() - memory that was charged has been given back
 * @bytes: how much
 *
 * Context: any.
 */
void lkst_memory_uncharge(size_t bytes)
{
	atomic64_sub(bytes, &lkst_memory_taken);
}

/* Bytes that LKST has taken. */
u64 lkst_memory_used(void)
{
	return atomic64_read(&lkst_memory_taken);
}

/* Bytes that it may take in all. */
u64 lkst_memory_max(void)
{
	return lkst_memory_bound;
}

static unsigned long lkst_area_pages(const struct lkst_area *area)
{
	return DIV_ROUND_UP(area->size, PAGE_SIZE);
}

static void lkst_extents_free(struct lkst_area *area)
{
	while (area->extent_num--)
		__free_pages(area->extents[area->extent_num].pages,
			     area->extents[area->extent_num].order);
	kvfree(area->extents);
}

static int lkst_extents_add(struct lkst_area *area, struct page *pages, unsigned int order)
{
	struct lkst_extent *more;

	/* At powers of two the table is full. */
	if (is_power_of_2(area->extent_num) || !area->extent_num) {
		more = kvmalloc_array(max(2 * area->extent_num, 1U), sizeof(*more), GFP_KERNEL);
		if (!more)
			return -ENOMEM;
		if (area->extent_num)
			memcpy(more, area->extents, area->extent_num * sizeof(*more));
		kvfree(area->extents);
		area->extents = more;
	}
	area->extents[area->extent_num++] = (struct lkst_extent) { pages, order };
	return 0;
}

/* Take the memory in pieces as large as can be had, the largest first. */
static int lkst_extents_alloc(struct lkst_area *area, int node)
{
	unsigned long left = lkst_area_pages(area);
	unsigned int order = MAX_ORDER - 1;

	area->extents = NULL;
	area->extent_num = 0;
	while (left) {
		struct page *pages;

		order = min_t(unsigned int, order, ilog2(left));
		pages = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
					 __GFP_NORETRY, order);
		if (!pages) {
			if (!order--)
				goto free;
			continue;
		}
		if (lkst_extents_add(area, pages, order)) {
			__free_pages(pages, order);
			goto free;
		}
		left -= 1UL << order;
		cond_resched();
	}
	return 0;
free:
	lkst_extents_free(area);
	return -ENOMEM;
}

static void *lkst_extents_map(const struct lkst_area *area)
{
	struct page **pages;
	unsigned long n = 0;
	unsigned int i, j;
	void *map;

	if (area->extent_num == 1)
		return page_address(area->extents[0].pages);

	pages = kvmalloc_array(lkst_area_pages(area), sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return NULL;
	for (i = 0; i < area->extent_num; i++)
		for (j = 0; j < 1U << area->extents[i].order; j++)
			pages[n++] = area->extents[i].pages + j;
	map = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return map;
}

/**
 * lkst_area_alloc() - get zeroed memory within the bound
 * @area: is set up
 * @size: bytes
 * @node: where, if possible
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int lkst_area_alloc(struct lkst_area *area, size_t size, int node)
{
	area->size = size;
	if (!lkst_memory_charge(lkst_area_pages(area) * PAGE_SIZE))
		return -ENOMEM;
	if (lkst_extents_alloc(area, node))
		goto uncharge;
	area->address = lkst_extents_map(area);
	if (area->address)
		return 0;
	lkst_extents_free(area);
uncharge:
	lkst_memory_uncharge(lkst_area_pages(area) * PAGE_SIZE);
	return -ENOMEM;
}

/**
 * lkst_area_free() - give it back
 * @area: from lkst_area_alloc()
 *
 * Context: may sleep.
 */
void lkst_area_free(struct lkst_area *area)
{
	if (area->extent_num > 1)
		vunmap(area->address);
	lkst_extents_free(area);
	lkst_memory_uncharge(lkst_area_pages(area) * PAGE_SIZE);
}
