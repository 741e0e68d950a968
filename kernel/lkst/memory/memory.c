// SPDX-License-Identifier: GPL-2.0
/*
 * Limit the total size of LKST's memory, and allocate the regions that buffers
 * consist of.
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

#include "../base/compat.h"
#include "../image/image.h"
#include "memory.h"
#include "reserved.h"

static atomic64_t lkst_memory_bytes;
static u64 lkst_memory_bound __ro_after_init;

/**
 * lkst_memory_init() - set the limit
 * @max: maximum size of LKST's memory, in bytes
 */
void __init lkst_memory_init(u64 max)
{
	lkst_memory_bound = max;
}

/**
 * lkst_memory_charge() - account for memory before allocating it
 * @bytes: size of the memory
 *
 * Context: any.
 *
 * Return: true if the memory is within the limit and has been charged.
 */
bool lkst_memory_charge(size_t bytes)
{
	u64 taken = atomic64_add_return(bytes, &lkst_memory_bytes);

	if (taken <= lkst_memory_bound)
		return true;
	atomic64_sub(bytes, &lkst_memory_bytes);
	return false;
}

/**
 * lkst_memory_uncharge() - account for memory that has been freed
 * @bytes: size of the memory, as charged
 *
 * Context: any.
 */
void lkst_memory_uncharge(size_t bytes)
{
	atomic64_sub(bytes, &lkst_memory_bytes);
}

/* Return the size of the memory in use, in bytes. */
u64 lkst_memory_used(void)
{
	return atomic64_read(&lkst_memory_bytes);
}

/* Return the limit on the memory, in bytes. */
u64 lkst_memory_max(void)
{
	return lkst_memory_bound;
}

/*
 * The header pages of an extent take two kernel pages. A kernel page may be
 * larger than LKST_IMAGE_PAGE. In that case, the first header page is at the
 * end of the kernel page before the data. The second header page follows the
 * data.
 */

#define LKST_HEADER_PAGES	2

/*
 * Smallest order of an extent: two header pages and a page of data need order
 * 2.
 */
#define LKST_EXTENT_ORDER_MIN	2

static unsigned long lkst_data_pages(size_t length)
{
	return DIV_ROUND_UP(length, PAGE_SIZE);
}

/*
 * Allocate exactly @num pages: allocate a power of two, and free the rest.
 * Returns NULL if the allocation fails.
 */
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

/*
 * Return the bytes that an extent in reserved memory takes, including its
 * header pages. @length is the length of its data in bytes.
 */
static size_t lkst_reserved_bytes(size_t length)
{
	return ALIGN(length, LKST_IMAGE_PAGE) + LKST_HEADER_PAGES * LKST_IMAGE_PAGE;
}

static int lkst_region_charge(struct lkst_region *region, unsigned long pages)
{
	if (!lkst_memory_charge(pages * PAGE_SIZE))
		return -ENOMEM;
	region->charged += pages * PAGE_SIZE;
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

static void lkst_extents_free(struct lkst_region *region)
{
	while (region->extent_num--)
		lkst_extent_free(&region->extents[region->extent_num], region->reserved);
	kvfree(region->extents);
	lkst_memory_uncharge(region->charged);
}

static int lkst_extents_grow(struct lkst_region *region)
{
	struct lkst_extent *more;

	/*
	 * The capacity of the table is a power of two, so the table is full
	 * only if the number of entries is a power of two.
	 */
	if (region->extent_num && !is_power_of_2(region->extent_num))
		return 0;
	more = kvmalloc_array(max(2 * region->extent_num, 1U), sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	if (region->extent_num)
		memcpy(more, region->extents, region->extent_num * sizeof(*more));
	kvfree(region->extents);
	region->extents = more;
	return 0;
}

/*
 * Add an extent of at most 2^*@order pages for the @left bytes that are still
 * needed. If the kernel has no memory of this order, reduce *@order for this
 * extent and the next ones. Returns 0 or -ENOMEM.
 */
static int lkst_extents_add(struct lkst_region *region, size_t left, unsigned int *order, int node)
{
	unsigned long num;
	struct page *pages;
	void *data;

	if (lkst_extents_grow(region) || lkst_region_charge(region, LKST_HEADER_PAGES))
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
	region->extents[region->extent_num++] = (struct lkst_extent) {
		.data = data,
		.physical = page_to_phys(pages + 1),
		.length = min_t(size_t, left, num * PAGE_SIZE),
	};
	return 0;
}

/*
 * Allocate the region as one extent in reserved memory. It is not charged,
 * because nothing else can use that memory. Returns false if there is no room.
 */
static bool lkst_extents_alloc_reserved(struct lkst_region *region)
{
	size_t bytes = lkst_reserved_bytes(region->size);
	phys_addr_t physical;
	void *head;

	head = lkst_reserved_alloc(bytes, &physical);
	if (!head)
		return false;
	if (lkst_extents_grow(region)) {
		lkst_reserved_free(head, bytes);
		return false;
	}
	region->reserved = true;
	region->extents[region->extent_num++] = (struct lkst_extent) {
		.data = head + LKST_IMAGE_PAGE,
		.physical = physical + LKST_IMAGE_PAGE,
		.length = region->size,
	};
	return true;
}

/*
 * Allocate the region in ordinary memory, in extents that are as large as
 * possible. Returns 0 or -ENOMEM.
 */
static int lkst_extents_alloc(struct lkst_region *region, int node)
{
	unsigned int order = LKST_PAGE_ORDER_MAX;
	size_t left = region->size;

	if (lkst_region_charge(region, lkst_data_pages(region->size)))
		return -ENOMEM;
	while (left) {
		if (lkst_extents_add(region, left, &order, node)) {
			lkst_extents_free(region);
			return -ENOMEM;
		}
		left -= region->extents[region->extent_num - 1].length;
		cond_resched();
	}
	return 0;
}

static void *lkst_extents_map(const struct lkst_region *region)
{
	struct page **pages;
	unsigned long n = 0, j;
	unsigned int i;
	void *map;

	if (region->extent_num == 1)
		return region->extents[0].data;

	pages = kvmalloc_array(lkst_data_pages(region->size), sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return NULL;
	for (i = 0; i < region->extent_num; i++)
		for (j = 0; j < lkst_data_pages(region->extents[i].length); j++)
			pages[n++] = virt_to_page(region->extents[i].data) + j;
	map = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return map;
}

/**
 * lkst_region_alloc() - allocate zeroed memory with room for header pages
 * @region: set up here
 * @size: size in bytes
 * @node: preferred NUMA node
 * @reserved_only: do not fall back to ordinary memory
 *
 * Uses reserved memory if there is enough left. Ordinary memory counts towards
 * the limit.
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int lkst_region_alloc(struct lkst_region *region, size_t size, int node, bool reserved_only)
{
	*region = (struct lkst_region) { .size = size };
	if (!lkst_extents_alloc_reserved(region) &&
	    (reserved_only || lkst_extents_alloc(region, node)))
		return -ENOMEM;
	region->address = lkst_extents_map(region);
	if (region->address)
		return 0;
	lkst_extents_free(region);
	return -ENOMEM;
}

/**
 * lkst_region_sign() - write the headers that identify a region in an image
 * @region: from lkst_region_alloc()
 * @kind: contents of the region
 * @cpu: CPU that records to an LKST_IMAGE_BUFFER; else -1
 * @id: id of an LKST_IMAGE_BUFFER; else LKST_BUFFER_ID_VOID
 *
 * Context: any. Must be called once per region.
 */
void lkst_region_sign(const struct lkst_region *region, enum lkst_image_kind kind, int cpu, int id)
{
	struct lkst_image_place place = {
		.kind = kind,
		.cpu = cpu,
		.id = id,
		.region = lkst_image_new_region(),
		.region_length = region->size,
		.extent_num = region->extent_num,
	};

	for (place.extent = 0; place.extent < region->extent_num; place.extent++) {
		const struct lkst_extent *extent = &region->extents[place.extent];
		ssize_t head = lkst_extent_header(extent, 0), tail = lkst_extent_header(extent, 1);

		place.length = extent->length;
		lkst_image_sign(extent->data + head, extent->physical + head,
				extent->data + tail, extent->physical + tail, &place);
		place.offset += extent->length;
	}
}

/**
 * lkst_region_free() - free a region
 * @region: from lkst_region_alloc()
 *
 * Context: may sleep.
 */
void lkst_region_free(struct lkst_region *region)
{
	unsigned int i;

	for (i = 0; i < region->extent_num; i++) {
		const struct lkst_extent *extent = &region->extents[i];

		lkst_image_wipe(extent->data + lkst_extent_header(extent, 0),
				extent->data + lkst_extent_header(extent, 1));
	}
	if (region->extent_num > 1)
		vunmap(region->address);
	lkst_extents_free(region);
}
