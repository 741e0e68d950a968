// SPDX-License-Identifier: LGPL-2.1
/*
 * Builds regions from headers. A header may occur in an image several times: memory may contain
 * copies of files, including earlier dumps of the same machine, and freed memory keeps its
 * contents. If the image's offsets are physical addresses, the right copy is the one at the address
 * that it states. Otherwise, the right copy is the one whose difference between address and offset
 * is shared by the most headers of the boot. In raw memory there are few such differences, one for
 * each piece between the holes that were left out.
 */
#include <linux/lkst_image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "image.h"
#include "lib/base/error.h"
#include "ring.h"
#include "scan.h"
#include "source.h"

#define COMPARE(x, y)                              \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

static uint64_t place_delta_of(const struct image_found *found)
{
	return found->physical - found->at;
}

/* Return the offset of the data of the header's extent. */
static uint64_t place_data_of(const struct image_found *found)
{
	return found->copy ? found->at - image_pages(found->length) : found->at + IMAGE_PAGE;
}

/* ---- choosing headers ---- */

/*
 * If a boot has headers at the addresses that they state, ignore its other headers: they are
 * copies.
 */
static void place_drop_copies(struct image_scan *scan)
{
	struct image *image = scan->image;
	size_t num = 0;

	for (size_t i = 0; i < scan->num; i++)
		if (!place_delta_of(&scan->found[i]))
			image->boot[scan->found[i].boot].placed = true;
	for (size_t i = 0; i < scan->num; i++) {
		if (place_delta_of(&scan->found[i]) && image->boot[scan->found[i].boot].placed)
			image->copies++;
		else
			scan->found[num++] = scan->found[i];
	}
	scan->num = num;
}

static int place_by_delta(const void *a, const void *b)
{
	const struct image_found *x = a, *y = b;

	COMPARE(x->boot, y->boot);
	COMPARE(place_delta_of(x), place_delta_of(y));
	return 0;
}

static void place_count_votes(struct image_scan *scan)
{
	size_t first = 0;

	qsort(scan->found, scan->num, sizeof(*scan->found), place_by_delta);
	for (size_t i = 0; i < scan->num; i++) {
		if (i + 1 < scan->num && !place_by_delta(&scan->found[first], &scan->found[i + 1]))
			continue;
		for (size_t k = first; k <= i; k++)
			scan->found[k].votes = (uint32_t)(i + 1 - first);
		first = i + 1;
	}
}

/* ---- extents ---- */

static int place_by_region(const void *a, const void *b)
{
	const struct image_found *x = a, *y = b;

	COMPARE(x->boot, y->boot);
	COMPARE(x->kind, y->kind);
	COMPARE(x->cpu, y->cpu);
	COMPARE(x->region, y->region);
	/* Headers that differ in one of these members cannot be of the same region. */
	COMPARE(x->id, y->id);
	COMPARE(x->region_length, y->region_length);
	COMPARE(x->extent_num, y->extent_num);
	return 0;
}

static int image_place_by_extent(const void *a, const void *b)
{
	const struct image_found *x = a, *y = b;
	int order = place_by_region(a, b);

	if (order)
		return order;
	COMPARE(x->offset, y->offset);
	COMPARE(x->extent, y->extent);
	COMPARE(x->length, y->length);
	COMPARE(place_data_of(x), place_data_of(y));
	return 0;
}

static unsigned int image_place_copies(const struct image_found *extent)
{
	return (extent->copy & 1) + (extent->copy >> 1);
}

static bool image_place_better(const struct image_found *a, const struct image_found *b)
{
	if (a->votes != b->votes)
		return a->votes > b->votes;
	return image_place_copies(a) > image_place_copies(b);
}

/*
 * Convert headers to extents: the two copies of a header become one entry, and of several
 * candidates for the same place in a region, the best is kept. In the resulting entries of
 * @scan->found, @at is the offset of the data, and @physical is the address of the data.
 */
static void place_make_extents(struct image_scan *scan)
{
	struct image_found *found = scan->found;
	size_t num = 0;

	qsort(found, scan->num, sizeof(*found), image_place_by_extent);
	for (size_t i = 0, next; i < scan->num; i = next) {
		struct image_found extent = found[i];
		uint64_t delta = place_delta_of(&extent);

		extent.at = place_data_of(&extent);
		extent.physical = extent.at + delta;
		extent.copy = 0;
		for (next = i; next < scan->num && !image_place_by_extent(&found[i], &found[next]);
		     next++)
			extent.copy |= 1u << found[next].copy;
		if (num && !place_by_region(&found[num - 1], &extent) &&
		    extent.offset < found[num - 1].offset + found[num - 1].length) {
			const struct image_found other = found[num - 1];

			found[num - 1] = image_place_better(&extent, &other) ? extent : other;
			scan->image->copies += image_place_copies(
				image_place_better(&extent, &other) ? &other : &extent);
		} else {
			found[num++] = extent;
		}
	}
	scan->num = num;
}

/* ---- regions ---- */

/* Read struct image_region.state from the header pages of extent 0. */
static int place_get_state(const struct image *image, struct image_region *region,
			   const struct image_found *extent, struct lkst_error *err)
{
	struct image_source *source = image->source;
	uint64_t at[2] = { extent->at - IMAGE_PAGE, extent->at + image_pages(extent->length) };

	if (extent->extent)
		return 0;
	for (unsigned int copy = 0; copy < 2; copy++) {
		ssize_t n;

		if (!(extent->copy >> copy & 1))
			continue;
		n = source->read(source->ctx, region->state[copy], IMAGE_STATE_LEN,
				 at[copy] + LKST_IMAGE_STATE, err);
		if (n < 0)
			return -1;
		if (n == IMAGE_STATE_LEN)
			region->has_state |= 1u << copy;
	}
	return 0;
}

/* Clip an extent to the image. Its length becomes 0 if the image ends before the extent begins. */
static struct image_extent image_place_clip(const struct image *image,
					    const struct image_found *extent)
{
	uint64_t size = image->source->size;
	uint64_t room = extent->at < size ? size - extent->at : 0;
	/*
	 * One copy of the header precedes the data, and the other follows it. If the second copy
	 * was found, all of the data is in the image, even if the size of the image is unknown.
	 */
	bool cut = !(extent->copy & 2) && extent->length > room;

	return (struct image_extent){
		.at = extent->at,
		.offset = extent->offset,
		.length = cut ? room : extent->length,
		.number = extent->extent,
		.found = extent->copy,
		.cut = cut,
	};
}

static int image_place_fill_region(struct image *image, struct image_region *region,
				   const struct image_found *extent, size_t num,
				   struct lkst_error *err)
{
	*region = (struct image_region){
		.boot = extent->boot,
		.number = extent->region,
		.kind = extent->kind,
		.cpu = extent->cpu,
		.id = extent->id,
		.length = extent->region_length,
		.extent_num = extent->extent_num,
		.extent = calloc(num, sizeof(*region->extent)),
	};
	if (!region->extent) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	for (size_t i = 0; i < num; i++) {
		region->extent[region->extents] = image_place_clip(image, &extent[i]);
		region->extents += region->extent[region->extents].length != 0;
		if (place_get_state(image, region, &extent[i], err))
			return -1;
	}
	return 0;
}

static size_t place_count_regions(const struct image_scan *scan)
{
	size_t num = 0;

	for (size_t i = 0; i < scan->num; i++)
		num += !i || place_by_region(&scan->found[i - 1], &scan->found[i]);
	return num;
}

/*
 * Return whether a region is at most @left bytes long; if so, subtract its length from @left.
 * Headers may claim many long regions of which hardly anything is in the image, and this limit
 * bounds the work. A region that claims too much is skipped, and the next ones are still tried.
 * Slots of reserved memory are exempt.
 */
static bool image_place_within_bounds(const struct image_found *extent, uint64_t *left)
{
	if (extent->kind == LKST_IMAGE_BOOT_SLOT)
		return true;
	if (extent->region_length > *left)
		return false;
	*left -= extent->region_length;
	return true;
}

static int place_make_regions(struct image_scan *scan, struct lkst_error *err)
{
	struct image *image = scan->image;
	size_t num = place_count_regions(scan), end;
	uint64_t left = IMAGE_CLAIMS_MAX + scan->bytes * 4;

	if (num > IMAGE_REGIONS_MAX)
		num = IMAGE_REGIONS_MAX;
	image->region = calloc(num + 1, sizeof(*image->region));
	if (!image->region) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	for (size_t i = 0; i < scan->num; i = end) {
		for (end = i + 1; end < scan->num; end++)
			if (place_by_region(&scan->found[i], &scan->found[end]))
				break;
		if (image->regions == num || !image_place_within_bounds(&scan->found[i], &left))
			scan->too_many += end - i;
		else if (image_place_fill_region(image, &image->region[image->regions++],
						 &scan->found[i], end - i, err))
			return -1;
	}
	return 0;
}

/* ---- boots, newest first ---- */

static void place_keep_session(struct image_boot *boot, const struct lkst_image_session *session)
{
	if (boot->has_session[session->clock] &&
	    (boot->session[session->clock].khz || !session->khz))
		return;
	boot->has_session[session->clock] = true;
	boot->session[session->clock] = *session;
}

/* Derive a session of the monotonic clock from a session of any clock. */
static void place_keep_monotonic(struct image_boot *boot, const struct lkst_image_session *session)
{
	if (boot->has_monotonic)
		return;
	boot->has_monotonic = true;
	boot->monotonic = *session;
	boot->monotonic.clock = LKST_CLOCK_NS;
	boot->monotonic.clock_start = (uint64_t)session->monotonic;
	boot->monotonic.khz = 1000000;
}

/*
 * Collect the sessions once for all regions: a region may need the session of another region. The
 * clock of a long ring says nothing about the clocks of the buffers.
 */
static void place_learn_sessions(struct image *image)
{
	struct lkst_image_session session;

	for (size_t i = 0; i < image->regions; i++) {
		const struct image_region *region = &image->region[i];
		struct image_boot *boot = &image->boot[region->boot];

		if ((region->kind != LKST_IMAGE_BUFFER && region->kind != LKST_IMAGE_LONG) ||
		    !image_session_read(image, region, &session))
			continue;
		if (region->kind == LKST_IMAGE_BUFFER)
			place_keep_session(boot, &session);
		place_keep_monotonic(boot, &session);
		if (session.wall > boot->newest_ns)
			boot->newest_ns = session.wall;
	}
}

static int image_place_by_age(const void *a, const void *b)
{
	const struct image_boot *x = *(struct image_boot *const *)a;
	const struct image_boot *y = *(struct image_boot *const *)b;

	COMPARE(y->placed, x->placed);
	COMPARE(y->newest_ns, x->newest_ns);
	return memcmp(x->id, y->id, sizeof(x->id));
}

static int by_place_in_list(const void *a, const void *b)
{
	const struct image_region *x = a, *y = b;

	COMPARE(x->boot, y->boot);
	COMPARE(x->kind, y->kind);
	COMPARE(x->cpu, y->cpu);
	COMPARE(x->number, y->number);
	return 0;
}

static int place_sort_boots(struct image *image, struct lkst_error *err)
{
	struct image_boot *order[IMAGE_BOOTS_MAX], *sorted;
	uint32_t place[IMAGE_BOOTS_MAX];

	sorted = calloc(IMAGE_BOOTS_MAX, sizeof(*sorted));
	if (!sorted) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	for (size_t i = 0; i < image->boots; i++)
		order[i] = &image->boot[i];
	qsort(order, image->boots, sizeof(*order), image_place_by_age);
	for (size_t i = 0; i < image->boots; i++) {
		sorted[i] = *order[i];
		place[order[i] - image->boot] = (uint32_t)i;
	}
	free(image->boot);
	image->boot = sorted;
	for (size_t i = 0; i < image->regions; i++)
		image->region[i].boot = place[image->region[i].boot];
	qsort(image->region, image->regions, sizeof(*image->region), by_place_in_list);
	return 0;
}

/* ---- physical addresses in raw memory ---- */

static int place_by_at(const void *a, const void *b)
{
	const struct image_found *x = a, *y = b;

	COMPARE(x->at, y->at);
	return 0;
}

static uint32_t place_largest_boot(const struct image_scan *scan)
{
	size_t num[IMAGE_BOOTS_MAX] = { 0 };
	uint32_t largest = 0;

	for (size_t i = 0; i < scan->num; i++)
		if (++num[scan->found[i].boot] > num[largest])
			largest = scan->found[i].boot;
	return largest;
}

/*
 * Find the pieces of raw memory. Use only the extents of the boot with the most extents, which is
 * probably a boot of the machine itself and not of a virtual machine on it. Headers that are where
 * LKST wrote them share the same difference between offset in the image and physical address. A
 * header whose difference no other header shares is probably in a copy of LKST's memory, such as a
 * file in the page cache. Use such headers only if no two headers share a difference.
 */
static int place_make_deltas(struct image_scan *scan, struct lkst_error *err)
{
	struct image *image = scan->image;
	uint32_t boot = place_largest_boot(scan), votes = 0;
	struct image_delta *delta = NULL;

	qsort(scan->found, scan->num, sizeof(*scan->found), place_by_at);
	image->delta = calloc(scan->num + 1, sizeof(*image->delta));
	if (!image->delta) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	for (size_t i = 0; i < scan->num; i++)
		if (scan->found[i].boot == boot && scan->found[i].votes > votes)
			votes = scan->found[i].votes;
	for (size_t i = 0; i < scan->num; i++) {
		const struct image_found *extent = &scan->found[i];

		if (extent->boot != boot || (extent->votes == 1 && votes > 1))
			continue;
		if (!delta || delta->physical - delta->at != place_delta_of(extent)) {
			delta = &image->delta[image->deltas++];
			*delta = (struct image_delta){ .at = extent->at,
						       .physical = extent->physical };
		}
		delta->last = extent->at;
	}
	return 0;
}

/* Build boots, regions and extents from the headers in @scan. */
int image_place(struct image_scan *scan, struct lkst_error *err)
{
	struct image *image = scan->image;
	int64_t moved;

	if (image->source->physical)
		place_drop_copies(scan);
	if (!scan->num)
		return 0;
	place_count_votes(scan);
	place_make_extents(scan);
	if (place_make_regions(scan, err))
		return -1;
	place_learn_sessions(image);
	if (!image->source->physical && place_make_deltas(scan, err))
		return -1;
	if (place_sort_boots(image, err))
		return -1;
	moved = image_share_overlaps(image, err);
	if (moved > 0)
		image_report(image, scan->hooks,
			     "%lld bytes of freed memory are left out: newer buffers overlap them",
			     (long long)moved);
	return moved < 0 ? -1 : 0;
}
