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
};

static void image_header_swap(struct lkst_image_header *head)
{
	head->checksum = bswap_32(head->checksum);
	head->version = bswap_32(head->version);
	head->kind = bswap_32(head->kind);
	head->physical = bswap_64(head->physical);
	head->region = bswap_64(head->region);
	head->region_length = bswap_64(head->region_length);
	head->offset = bswap_64(head->offset);
	head->length = bswap_64(head->length);
	head->extent = bswap_32(head->extent);
	head->extent_num = bswap_32(head->extent_num);
	head->copy = bswap_32(head->copy);
	head->cpu = (int32_t)bswap_32((uint32_t)head->cpu);
	head->id = (int32_t)bswap_32((uint32_t)head->id);
	head->long_size = bswap_32(head->long_size);
}

/* Return whether the values of a header are plausible, no matter where its page was found. */
static bool image_header_plausible(const struct lkst_image_header *head)
{
	bool last = head->offset + head->length == head->region_length;

	return head->version && head->kind >= LKST_IMAGE_BUFFER &&
	       head->kind <= LKST_IMAGE_BOOT_SLOT && head->region_length <= longest[head->kind] &&
	       head->physical % IMAGE_PAGE == 0 && head->physical < ADDRESSES && head->length &&
	       head->length < ADDRESSES && head->offset % IMAGE_PAGE == 0 &&
	       head->offset < head->region_length &&
	       head->length <= head->region_length - head->offset &&
	       (last || head->length % IMAGE_PAGE == 0) && head->extent < head->extent_num &&
	       (head->extent == 0) == (head->offset == 0) && head->copy <= 1 &&
	       (head->long_size == 4 || head->long_size == 8);
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
 * @head: result, in the byte order of this machine
 * @swapped: set if the header has the opposite byte order
 *
 * Return: whether the page is a valid header.
 */
bool image_header_get(const uint8_t *page, struct lkst_image_header *head, bool *swapped)
{
	const size_t from = offsetof(struct lkst_image_header, version);
	uint32_t sum;

	if (!image_is_header(page))
		return false;
	memcpy(head, page, sizeof(*head));
	*swapped = head->byte_order == SWAPPED_ORDER;
	if (!*swapped && head->byte_order != LKST_IMAGE_BYTE_ORDER)
		return false;
	sum = lkst_crc32c(page + from, sizeof(*head) - from);
	if (*swapped)
		image_header_swap(head);
	return head->checksum == sum && image_header_plausible(head);
}
