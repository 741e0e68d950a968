// SPDX-License-Identifier: LGPL-2.1
/*
 * Resolves overlaps of regions. If two regions claim the same memory, the older region no longer
 * owns this memory: the older region was freed, or is from an earlier boot. If the regions belong
 * to different boots, the one whose boot comes first in struct image.boot counts as newer. If they
 * belong to one boot, the one with the greater number counts as newer. The newest region keeps all
 * of its memory, and the others keep what remains. A region inside a slot of reserved memory does
 * not count as overlapping the slot.
 */
#include <linux/lkst_image.h>
#include <stdlib.h>

#include "image.h"
#include "lib/base/error.h"
#include "scan.h"
#include "source.h"

/**
 * struct claim - memory that an extent claims, including its header pages
 * @first: offset of the first byte
 * @end: offset after the last byte
 * @region: index of the region
 * @extent: index of the extent
 * @rank: the claim with the lowest rank wins
 */
struct claim {
	uint64_t first;
	uint64_t end;
	uint32_t region;
	uint32_t extent;
	uint32_t rank;
};

/**
 * struct share - memory that an extent gets
 * @claim: claim of the extent
 * @first: offset of the first byte
 * @end: offset after the last byte
 */
struct share {
	const struct claim *claim;
	uint64_t first;
	uint64_t end;
};

/**
 * struct shares - all claims and shares
 * @claim: claims, sorted by offset
 * @num: number of claims
 * @heap: claims that include the current offset, as a heap ordered by rank
 * @heap_num: number of claims in @heap
 * @share: result: the shares, sorted by offset
 * @shares: number of shares; at most twice @num, because a share begins where a claim begins or
 *	ends
 */
struct shares {
	struct claim *claim;
	size_t num;
	const struct claim **heap;
	size_t heap_num;
	struct share *share;
	size_t shares;
};

static int image_overlap_by_first(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static void image_overlap_sink(struct shares *s)
{
	size_t i = 0;

	for (;;) {
		size_t least = i;
		const struct claim *claim = s->heap[i];

		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < s->heap_num; k++)
			if (s->heap[k]->rank < s->heap[least]->rank)
				least = k;
		if (least == i)
			return;
		s->heap[i] = s->heap[least];
		s->heap[least] = claim;
		i = least;
	}
}

static void image_overlap_push(struct shares *s, const struct claim *claim)
{
	size_t i = s->heap_num++;

	for (; i && s->heap[(i - 1) / 2]->rank > claim->rank; i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = claim;
}

static void image_overlap_pop(struct shares *s)
{
	s->heap[0] = s->heap[--s->heap_num];
	if (s->heap_num)
		image_overlap_sink(s);
}

static void image_overlap_assign(struct shares *s, const struct claim *claim, uint64_t first,
				 uint64_t end)
{
	struct share *last = s->shares ? &s->share[s->shares - 1] : NULL;

	if (last && last->claim == claim && last->end == first)
		last->end = end;
	else
		s->share[s->shares++] = (struct share){ claim, first, end };
}

/* Divide the memory, from front to back: at each offset, the claim with the lowest rank wins. */
static void image_overlap_divide(struct shares *s)
{
	uint64_t at = 0;
	size_t next = 0;

	while (next < s->num || s->heap_num) {
		uint64_t end;

		if (!s->heap_num)
			at = s->claim[next].first;
		while (next < s->num && s->claim[next].first <= at)
			image_overlap_push(s, &s->claim[next++]);
		while (s->heap_num && s->heap[0]->end <= at)
			image_overlap_pop(s);
		if (!s->heap_num)
			continue;
		end = s->heap[0]->end;
		if (next < s->num && s->claim[next].first < end)
			end = s->claim[next].first;
		image_overlap_assign(s, s->heap[0], at, end);
		at = end;
	}
}

/* Sort key of a region, across all boots. */
struct order {
	uint32_t boot;
	uint32_t region;
	uint64_t number;
};

static int image_overlap_by_age(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->boot != y->boot)
		return x->boot < y->boot ? -1 : 1;
	if (x->number != y->number)
		return x->number > y->number ? -1 : 1;
	return x->region < y->region ? -1 : 1;
}

/* Rank the regions: newer boots first, and within a boot, greater numbers first. */
static uint32_t *overlap_ranks_of(const struct image *image)
{
	uint32_t *rank = calloc(image->regions, sizeof(*rank));
	struct order *order = calloc(image->regions, sizeof(*order));

	for (uint32_t i = 0; rank && order && i < image->regions; i++)
		order[i] = (struct order){ image->region[i].boot, i, image->region[i].number };
	if (rank && order) {
		qsort(order, image->regions, sizeof(*order), image_overlap_by_age);
		for (uint32_t i = 0; i < image->regions; i++)
			rank[order[i].region] = i;
	} else {
		free(rank);
		rank = NULL;
	}
	free(order);
	return rank;
}

static size_t overlap_count_extents(const struct image *image)
{
	size_t num = 0;

	for (size_t i = 0; i < image->regions; i++)
		if (image->region[i].kind != LKST_IMAGE_BOOT_SLOT)
			num += image->region[i].extents;
	return num;
}

static int overlap_make_claims(struct shares *s, const struct image *image)
{
	uint32_t *rank = overlap_ranks_of(image);

	s->claim = calloc(overlap_count_extents(image) + 1, sizeof(*s->claim));
	for (uint32_t i = 0; rank && s->claim && i < image->regions; i++) {
		const struct image_region *region = &image->region[i];

		for (uint32_t k = 0; region->kind != LKST_IMAGE_BOOT_SLOT && k < region->extents;
		     k++) {
			const struct image_extent *extent = &region->extent[k];

			s->claim[s->num++] = (struct claim){
				.first = extent->at - (extent->found & 1 ? IMAGE_PAGE : 0),
				.end = extent->at + image_pages(extent->length) +
				       (extent->found & 2 ? IMAGE_PAGE : 0),
				.region = i,
				.extent = k,
				.rank = rank[i],
			};
		}
	}
	free(rank);
	return rank && s->claim ? 0 : -1;
}

static bool any_overlap(const struct shares *s)
{
	for (size_t i = 1; i < s->num; i++)
		if (s->claim[i].first < s->claim[i - 1].end)
			return true;
	return false;
}

static int image_overlap_by_extent(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->claim->region != y->claim->region)
		return x->claim->region < y->claim->region ? -1 : 1;
	if (x->claim->extent != y->claim->extent)
		return x->claim->extent < y->claim->extent ? -1 : 1;
	return x->first < y->first ? -1 : 1;
}

/* Return the part of the extent that is in the share; its length is 0 if there is no such part. */
static struct image_extent overlap_share_extent(const struct image_extent *extent,
						const struct share *share)
{
	uint64_t first = share->first > extent->at ? share->first : extent->at;
	uint64_t end = extent->at + extent->length;

	if (share->end < end)
		end = share->end;
	return (struct image_extent){
		.at = first,
		.offset = extent->offset + (first - extent->at),
		.length = first < end ? end - first : 0,
		.number = extent->number,
		.found = extent->found,
		.cut = extent->cut,
	};
}

/*
 * Replace the extents of a region with its shares. Returns the number of bytes that the region
 * lost; -1 if an allocation fails.
 */
static int64_t overlap_take_shares(struct image_region *region, const struct share *share,
				   size_t num)
{
	struct image_extent *extent = calloc(num + 1, sizeof(*extent));
	uint64_t before = 0, after = 0;
	size_t n = 0;

	if (!extent)
		return -1;
	for (size_t i = 0; i < region->extents; i++)
		before += region->extent[i].length;
	for (size_t i = 0; i < num; i++) {
		extent[n] =
			overlap_share_extent(&region->extent[share[i].claim->extent], &share[i]);
		after += extent[n].length;
		n += extent[n].length != 0;
	}
	free(region->extent);
	region->extent = extent;
	region->extents = n;
	return (int64_t)(before - after);
}

static int64_t overlap_take_all(struct shares *s, struct image *image)
{
	int64_t lost, sum = 0;
	size_t next = 0;

	qsort(s->share, s->shares, sizeof(*s->share), image_overlap_by_extent);
	for (uint32_t i = 0; i < image->regions; i++) {
		size_t first = next;

		if (image->region[i].kind == LKST_IMAGE_BOOT_SLOT)
			continue;
		while (next < s->shares && s->share[next].claim->region == i)
			next++;
		lost = overlap_take_shares(&image->region[i], s->share + first, next - first);
		if (lost < 0)
			return -1;
		sum += lost;
	}
	return sum;
}

int64_t image_share_overlaps(struct image *image, struct lkst_error *err)
{
	struct shares s = { 0 };
	int64_t lost = overlap_make_claims(&s, image);

	if (!lost && s.num) {
		qsort(s.claim, s.num, sizeof(*s.claim), image_overlap_by_first);
		if (any_overlap(&s)) {
			s.heap = calloc(s.num, sizeof(*s.heap));
			s.share = calloc(2 * s.num, sizeof(*s.share));
			lost = -1;
			if (s.heap && s.share) {
				image_overlap_divide(&s);
				lost = overlap_take_all(&s, image);
			}
		}
	}
	if (lost < 0)
		lkst_error_memory(err, "an image");
	free(s.claim);
	free(s.heap);
	free(s.share);
	return lost;
}
