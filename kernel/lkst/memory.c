// SPDX-License-Identifier: GPL-2.0
/*
 * The memory that LKST takes: a bound on all of it, and what a buffer is made of.
 */
#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "image.h"
#include "memory.h"
#include "reserved.h"

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

/*
 * Memory of its own pages. Kernel pages are whole: where they are larger than LKST_IMAGE_PAGE, a
 * header page is the end of the one before the data, or the beginning of the one behind it.
 */

#define LKST_HEADER_PAGES	2

/* A page of data between the two. */
#define LKST_EXTENT_ORDER_MIN	2

static unsigned long lkst_data_pages(size_t length)
{
	return DIV_ROUND_UP(length, PAGE_SIZE);
}

/* So many pages, and no more: the rest of the power of two goes back. */
static struct page *lkst_pages_alloc(unsigned long num, int node)
{
	unsigned int order = order_base_2(num);
	unsigned long i;
	struct page *pages;

	pages = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY,
				 order);
	if (!pages)
		return NULL;
	split_page(pages, order);
	for (i = num; i < 1UL << order; i++)
		__free_page(pages + i);
	return pages;
}

static void lkst_pages_free(struct page *pages, unsigned long num)
{
	while (num--)
		__free_page(pages + num);
}

/* What an extent takes of memory set aside, header pages included. */
static size_t lkst_reserved_bytes(size_t length)
{
	return ALIGN(length, LKST_IMAGE_PAGE) + LKST_HEADER_PAGES * LKST_IMAGE_PAGE;
}

static int lkst_region_charge(struct lkst_region *area, unsigned long pages)
{
	if (!lkst_memory_charge(pages * PAGE_SIZE))
		return -ENOMEM;
	area->charged += pages * PAGE_SIZE;
	return 0;
}

static void lkst_extent_free(const struct lkst_extent *extent, bool reserved)
{
	if (reserved)
		lkst_reserved_free(extent->data - LKST_IMAGE_PAGE,
				   lkst_reserved_bytes(extent->length));
	else
		lkst_pages_free(virt_to_page(extent->data) - 1,
				lkst_data_pages(extent->length) + LKST_HEADER_PAGES);
}

static void lkst_extents_free(struct lkst_region *area)
{
	while (area->extent_num--)
		lkst_extent_free(&area->extents[area->extent_num], area->reserved);
	kvfree(area->extents);
	lkst_memory_uncharge(area->charged);
}

static int lkst_extents_grow(struct lkst_region *area)
{
	struct lkst_extent *more;

	/* At powers of two the table is full. */
	if (area->extent_num && !is_power_of_2(area->extent_num))
		return 0;
	more = kvmalloc_array(max(2 * area->extent_num, 1U), sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	if (area->extent_num)
		memcpy(more, area->extents, area->extent_num * sizeof(*more));
	kvfree(area->extents);
	area->extents = more;
	return 0;
}

/* Another extent, with @num pages of data or, if memory has no such piece, fewer. */
static int lkst_extents_add(struct lkst_region *area, size_t left, unsigned int *order, int node)
{
	unsigned long num;
	struct page *pages;
	void *data;

	if (lkst_extents_grow(area) || lkst_region_charge(area, LKST_HEADER_PAGES))
		return -ENOMEM;
	for (;;) {
		num = min(lkst_data_pages(left), (1UL << *order) - LKST_HEADER_PAGES);
		pages = lkst_pages_alloc(num + LKST_HEADER_PAGES, node);
		if (pages)
			break;
		*order = order_base_2(num + LKST_HEADER_PAGES);
		if ((*order)-- == LKST_EXTENT_ORDER_MIN)
			return -ENOMEM;
	}
	data = page_address(pages + 1);
	area->extents[area->extent_num++] = (struct lkst_extent) {
		.data = data,
		.physical = page_to_phys(pages + 1),
		.length = min_t(size_t, left, num * PAGE_SIZE),
	};
	return 0;
}

/*
 * One extent, in memory set aside. It does not count as taken: nobody else can have it. Returns
 * whether there is room for it.
 */
static bool lkst_extents_alloc_reserved(struct lkst_region *area)
{
	size_t bytes = lkst_reserved_bytes(area->size);
	phys_addr_t physical;
	void *head;

	head = lkst_reserved_alloc(bytes, &physical);
	if (!head)
		return false;
	if (lkst_extents_grow(area)) {
		lkst_reserved_free(head, bytes);
		return false;
	}
	area->reserved = true;
	area->extents[area->extent_num++] = (struct lkst_extent) {
		.data = head + LKST_IMAGE_PAGE,
		.physical = physical + LKST_IMAGE_PAGE,
		.length = area->size,
	};
	return true;
}

/* Take the memory in pieces as large as can be had, the largest first. */
static int lkst_extents_alloc(struct lkst_region *area, int node)
{
	unsigned int order = LKST_PAGE_ORDER_MAX;
	size_t left = area->size;

	if (lkst_region_charge(area, lkst_data_pages(area->size)))
		return -ENOMEM;
	while (left) {
		if (lkst_extents_add(area, left, &order, node)) {
			lkst_extents_free(area);
			return -ENOMEM;
		}
		left -= area->extents[area->extent_num - 1].length;
		cond_resched();
	}
	return 0;
}

static void *lkst_extents_map(const struct lkst_region *area)
{
	struct page **pages;
	unsigned long n = 0, j;
	unsigned int i;
	void *map;

	if (area->extent_num == 1)
		return area->extents[0].data;

	pages = kvmalloc_array(lkst_data_pages(area->size), sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return NULL;
	for (i = 0; i < area->extent_num; i++)
		for (j = 0; j < lkst_data_pages(area->extents[i].length); j++)
			pages[n++] = virt_to_page(area->extents[i].data) + j;
	map = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return map;
}

/**
 * lkst_region_alloc() - get zeroed memory: set aside, if there is such, else within the bound
 * @area: is set up
 * @size: bytes
 * @node: where, if possible
 * @reserved_only: take no ordinary memory
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int lkst_region_alloc(struct lkst_region *area, size_t size, int node, bool reserved_only)
{
	*area = (struct lkst_region) { .size = size };
	if (!lkst_extents_alloc_reserved(area) &&
	    (reserved_only || lkst_extents_alloc(area, node)))
		return -ENOMEM;
	area->address = lkst_extents_map(area);
	if (area->address)
		return 0;
	lkst_extents_free(area);
	return -ENOMEM;
}

/**
 * lkst_region_sign() - let it be found in an image of memory
 * @area: from lkst_region_alloc()
 * @kind: what is in it
 * @cpu: as in struct lkst_image_header
 * @id: likewise
 *
 * Context: any. Once.
 */
void lkst_region_sign(const struct lkst_region *area, enum lkst_image_kind kind, int cpu, int id)
{
	struct lkst_image_place place = {
		.kind = kind,
		.cpu = cpu,
		.id = id,
		.area = lkst_image_new_area(),
		.area_length = area->size,
		.extent_num = area->extent_num,
	};

	for (place.extent = 0; place.extent < area->extent_num; place.extent++) {
		const struct lkst_extent *extent = &area->extents[place.extent];
		ssize_t head = lkst_extent_header(extent, 0), tail = lkst_extent_header(extent, 1);

		place.length = extent->length;
		lkst_image_sign(extent->data + head, extent->physical + head,
				extent->data + tail, extent->physical + tail, &place);
		place.offset += extent->length;
	}
}

/**
 * lkst_region_free() - give it back
 * @area: from lkst_region_alloc()
 *
 * Context: may sleep.
 */
void lkst_region_free(struct lkst_region *area)
{
	unsigned int i;

	for (i = 0; i < area->extent_num; i++) {
		const struct lkst_extent *extent = &area->extents[i];

		lkst_image_wipe(extent->data + lkst_extent_header(extent, 0),
				extent->data + lkst_extent_header(extent, 1));
	}
	if (area->extent_num > 1)
		vunmap(area->address);
	lkst_extents_free(area);
}
