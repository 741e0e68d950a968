/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Builds regions from the pages of an image: header.c recognizes headers, scan.c collects them,
 * place.c chooses among them, and overlap.c resolves overlaps.
 */
#ifndef _LKST_IMAGE_SCAN_H
#define _LKST_IMAGE_SCAN_H

#include <linux/lkst_image.h>
#include <stdio.h>

#include "lib/lkst.h"
#include "source.h"

struct image;
struct image_hooks;

/*
 * Limits on the numbers of headers, boots and regions. With them, a scan uses at most about 200 MB
 * of memory, even if an image contains millions of forged headers. Without forged headers, it uses
 * a few kB for each CPU.
 */
#define IMAGE_HEADERS_MAX (1u << 20)
#define IMAGE_BOOTS_MAX	  256
#define IMAGE_REGIONS_MAX	  (1u << 17)

/* Bytes that all regions may claim together, in addition to four times the size of the image. */
#define IMAGE_CLAIMS_MAX (64ull << 30)

/**
 * struct image_found - a header in an image; later, an extent (place_make_extents())
 * @at: offset of the header page; for an extent, offset of its data
 * @physical: physical address that the header states; for an extent, physical address of its data
 * @region: number of the region
 * @region_length: length of the region in bytes
 * @offset: offset of the extent in the region, in bytes
 * @length: length of the extent in bytes
 * @boot: index in struct image.boot
 * @kind: enum lkst_image_kind
 * @extent: number of the extent
 * @extent_num: number of extents of the region
 * @cpu: CPU
 * @id: id of the buffer
 * @copy: which copy of the header it is; for an extent, a bitmap of the copies found: 1 << copy
 * @votes: number of headers of the boot with the same difference between offset and address
 */
struct image_found {
	uint64_t at;
	uint64_t physical;
	uint64_t region;
	uint64_t region_length;
	uint64_t offset;
	uint64_t length;
	uint32_t boot;
	uint32_t kind;
	uint32_t extent;
	uint32_t extent_num;
	int32_t cpu;
	int32_t id;
	uint32_t copy;
	uint32_t votes;
};

/**
 * struct image_scan - state of the scan
 * @image: result; its regions are filled in at the end
 * @hooks: functions that report damage and progress
 * @found: headers
 * @num: number of headers
 * @room: number of headers that @found has room for
 * @bytes: number of bytes that were read, which excludes holes
 * @too_many: number of headers and extents skipped because of the limits
 */
struct image_scan {
	struct image *image;
	const struct image_hooks *hooks;
	struct image_found *found;
	size_t num;
	size_t room;
	uint64_t bytes;
	uint64_t too_many;
};

static inline uint64_t image_pages(uint64_t length)
{
	return (length + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;
}

bool image_is_header(const uint8_t *page);
bool image_header_get(const uint8_t *page, struct lkst_image_header *header, bool *swapped);

void image_report(const struct image *image, const struct image_hooks *hooks, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));
int image_place(struct image_scan *scan, struct lkst_error *err);
/*
 * Resolve overlaps of regions. Boots and regions must be sorted. Returns the number of bytes that
 * regions lost to newer ones; -1 on error.
 */
int64_t image_share_overlaps(struct image *image, struct lkst_error *err);

#endif
