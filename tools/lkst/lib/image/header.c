// SPDX-License-Identifier: LGPL-2.1
/* Recognizes and reads a header page in an image. */
#include <byteswap.h>
#include <linux/lkst_image.h>
#include <string.h>

#include "lib/base/crc32c.h"
#include "lib/device/device.h"
#include "scan.h"
#include "source.h"

#define SWAPPED_ORDER 0x04030201

/* All physical addresses are below this, on any machine. The sum of two of them cannot overflow. */
#define ADDRESSES (1ull << 60)

/* Maximum length of a region, by kind: limits how long reading a region can take. */
static const uint64_t longest[] = {
	[LKST_IMAGE_BUFFER] = LKST_BUFFER_SIZE_MOST,
	[LKST_IMAGE_STATIC] = LKST_BUFFER_SIZE_MOST * 2,
	[LKST_IMAGE_TEXTS] = 256ull << 20,
	[LKST_IMAGE_BOOT_SLOT] = ADDRESSES,
	[LKST_IMAGE_LONG] = LKST_BUFFER_SIZE_MOST,
	[LKST_IMAGE_HISTORY] = LKST_BUFFER_SIZE_MOST,
};

static void image_header_swap(struct lkst_image_header *header)
{
	header->checksum = bswap_32(header->checksum);
	header->version = bswap_32(header->version);
	header->kind = bswap_32(header->kind);
	header->physical = bswap_64(header->physical);
	header->region = bswap_64(header->region);
	header->region_length = bswap_64(header->region_length);
	header->offset = bswap_64(header->offset);
	header->length = bswap_64(header->length);
	header->extent = bswap_32(header->extent);
	header->extent_num = bswap_32(header->extent_num);
	header->copy = bswap_32(header->copy);
	header->cpu = (int32_t)bswap_32((uint32_t)header->cpu);
	header->id = (int32_t)bswap_32((uint32_t)header->id);
	header->long_size = bswap_32(header->long_size);
}

/* Return whether the values of a header are plausible, no matter where its page was found. */
static bool image_header_plausible(const struct lkst_image_header *header)
{
	bool last = header->offset + header->length == header->region_length;

	return header->version && header->kind >= LKST_IMAGE_BUFFER &&
	       header->kind <= LKST_IMAGE_HISTORY &&
	       (header->kind == LKST_IMAGE_LONG) == (header->id == LKST_BUFFER_ID_LONG) &&
	       (header->kind != LKST_IMAGE_HISTORY || header->id == LKST_BUFFER_ID_VOID) &&
	       header->region_length <= longest[header->kind] &&
	       header->physical % IMAGE_PAGE == 0 && header->physical < ADDRESSES &&
	       header->length && header->length < ADDRESSES && header->offset % IMAGE_PAGE == 0 &&
	       header->offset < header->region_length &&
	       header->length <= header->region_length - header->offset &&
	       (last || header->length % IMAGE_PAGE == 0) && header->extent < header->extent_num &&
	       (header->extent == 0) == (header->offset == 0) && header->copy <= 1 &&
	       (header->long_size == 4 || header->long_size == 8);
}

/**
 * image_is_header() - check whether a page looks like a header
 * @page: LKST_IMAGE_PAGE bytes
 */
bool image_is_header(const uint8_t *page)
{
	return !memcmp(page, LKST_IMAGE_MAGIC, sizeof(LKST_IMAGE_MAGIC));
}

/**
 * image_header_get() - read a header
 * @page: LKST_IMAGE_PAGE bytes
 * @header: result, in the byte order of this machine
 * @swapped: set if the header has the opposite byte order
 *
 * Return: whether the page is a valid header.
 */
bool image_header_get(const uint8_t *page, struct lkst_image_header *header, bool *swapped)
{
	const size_t from = offsetof(struct lkst_image_header, version);
	uint32_t sum;

	if (!image_is_header(page))
		return false;
	memcpy(header, page, sizeof(*header));
	*swapped = header->byte_order == SWAPPED_ORDER;
	if (!*swapped && header->byte_order != LKST_IMAGE_BYTE_ORDER)
		return false;
	sum = lkst_crc32c(page + from, sizeof(*header) - from);
	if (*swapped)
		image_header_swap(header);
	return header->checksum == sum && image_header_plausible(header);
}
