/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * From an image's pages to areas: image_header.c tells a header, image_scan.c collects them,
 * image_place.c decides which of them count, image_overlap.c whose memory is whose.
 */
#ifndef _LKST_IMAGE_SCAN_H
#define _LKST_IMAGE_SCAN_H

#include "image_source.h"

/*
 * What is kept of an image, whatever it holds: some 200 MB where headers are forged by the million, a
 * few kB for each CPU otherwise.
 */
#define IMAGE_HEADERS_MAX (1u << 20)
#define IMAGE_BOOTS_MAX	  256
#define IMAGE_AREAS_MAX	  (1u << 17)

/* So many bytes all areas may claim together, besides four times what is in the image. */
#define IMAGE_CLAIMS_MAX (64ull << 30)

/**
 * struct image_found - a header in an image
 * @at: offset of its page
 * @physical: as it says; so are the others
 * @area: likewise
 * @area_length: likewise
 * @offset: likewise
 * @length: likewise
 * @boot: index in struct image.boot
 * @kind: as it says
 * @extent: likewise
 * @extent_num: likewise
 * @cpu: likewise
 * @id: likewise
 * @copy: likewise; later, of an extent: those that are there, 1 << copy
 * @votes: headers of the boot that are as far from their physical address as this one
 */
struct image_found {
	uint64_t at;
	uint64_t physical;
	uint64_t area;
	uint64_t area_length;
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
 * struct image_scan - what is known while an image is looked through
 * @image: result; areas are there in the end
 * @hooks: whom to tell
 * @found: headers
 * @num: how many
 * @room: for how many there is room
 * @bytes: that the image has: not its size, as anything can lie between them
 * @too_many: headers, boots or areas left out because of the limits
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
bool image_header_get(const uint8_t *page, struct lkst_image_header *head, bool *swapped);

void image_report(const struct image *image, const struct image_hooks *hooks, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));
int image_place(struct image_scan *scan, struct lkst_error *err);
/* Boots and areas are in order. Returns how many bytes went from one area to another; -1: error. */
int64_t image_part_overlaps(struct image *image, struct lkst_error *err);

#endif
