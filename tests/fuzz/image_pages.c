// SPDX-License-Identifier: GPL-2.0
/* How images are changed: by the page, and with checksums that are right again. */
#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "image_pages.h"
#include "lib/crc32c.h"

#define PAGE ((size_t)LKST_IMAGE_PAGE)

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

bool is_header(const uint8_t *page)
{
	return !memcmp(page, LKST_IMAGE_MAGIC, sizeof(LKST_IMAGE_MAGIC));
}

/* CRC of what is from @from to @to, put @at. */
static void sign(uint8_t *data, size_t at, size_t from, size_t to, bool swapped)
{
	uint32_t sum = lkst_crc32c(data + from, to - from);

	if (swapped)
		sum = bswap_32(sum);
	memcpy(data + at, &sum, sizeof(sum));
}

static void sign_texts(uint8_t *data, size_t size, bool swapped)
{
	struct lkst_image_text text;
	size_t at = 0;

	while (size - at >= sizeof(text)) {
		uint64_t length;

		memcpy(&text, data + at, sizeof(text));
		length = swapped ? bswap_64(text.length) : text.length;
		if (!text.kind || length > size - at - sizeof(text))
			break;
		sign(data + at, offsetof(struct lkst_image_text, checksum), sizeof(text),
		     sizeof(text) + (size_t)length, swapped);
		at += sizeof(text) + (size_t)((length + 7) / 8 * 8);
		if (at > size)
			break;
	}
}

/* Some keep the checksums they have: those of this reserved byte. */
static void sign_page(uint8_t *page, size_t left)
{
	struct lkst_image_header head;
	bool swapped;
	uint32_t kind;

	memcpy(&head, page, sizeof(head));
	if (*(uint8_t *)head.reserved == 1)
		return;
	swapped = head.byte_order != LKST_IMAGE_BYTE_ORDER;
	kind = swapped ? bswap_32(head.kind) : head.kind;
	sign(page, offsetof(struct lkst_image_header, checksum),
	     offsetof(struct lkst_image_header, version), sizeof(head), swapped);
	if (kind == LKST_IMAGE_BUFFER)
		sign(page + LKST_IMAGE_STATE, 0, offsetof(struct lkst_image_session, sequence),
		     offsetof(struct lkst_image_session, lap), swapped);
	if (kind == LKST_IMAGE_PART)
		sign(page + LKST_IMAGE_STATE, 0, offsetof(struct lkst_image_part, sequence),
		     sizeof(struct lkst_image_part), swapped);
	if (kind == LKST_IMAGE_TEXTS && !head.copy)
		sign_texts(page + PAGE, left - PAGE, swapped);
}

/**
 * sign_image() - make the checksums right
 * @data: image
 * @size: of it
 */
void sign_image(uint8_t *data, size_t size)
{
	for (size_t at = 0; at + PAGE <= size; at += PAGE)
		if (is_header(data + at))
			sign_page(data + at, size - at);
}

/* A value of a header: a bit, or one that something may go wrong at. */
static void mutate_header(uint8_t *page)
{
	static const uint64_t odd[] = { 0,	    1,		4095,	    4096,
					4097,	    8192,	65536,	    1u << 30,
					UINT32_MAX, 1ull << 60, UINT64_MAX, UINT64_MAX - 4095 };
	const size_t first = offsetof(struct lkst_image_header, version);
	const size_t end = offsetof(struct lkst_image_header, reserved);
	size_t at = first + (size_t)rand() % ((end - first) / 4) * 4;

	switch (rand() % 3) {
	case 0:
		page[at + (size_t)rand() % 4] ^= (uint8_t)(1 << rand() % 8);
		break;
	case 1:
		memcpy(page + at, &odd[(size_t)rand() % (sizeof(odd) / sizeof(*odd))],
		       rand() % 2 ? 4 : 8);
		break;
	default:
		LLVMFuzzerMutate(page + at, 8, 8);
	}
}

/* What an eighth of a kB at an aligned place has. */
static void mutate_bytes(uint8_t *data, size_t size)
{
	size_t at = (size_t)rand() % (size / 8) * 8;
	size_t n = size - at < 128 ? size - at : 128;

	LLVMFuzzerMutate(data + at, n, n);
}

static void move_page(uint8_t *data, size_t pages)
{
	uint8_t page[LKST_IMAGE_PAGE];
	uint8_t *a = data + (size_t)rand() % pages * PAGE;
	uint8_t *b = data + (size_t)rand() % pages * PAGE;

	memcpy(page, a, PAGE);
	switch (rand() % 3) {
	case 0: /* change places */
		memcpy(a, b, PAGE);
		memcpy(b, page, PAGE);
		break;
	case 1: /* a copy */
		memcpy(b, page, PAGE);
		break;
	default:
		memcpy(a, MISSING_MAGIC, sizeof(MISSING_MAGIC));
	}
}

/* A digit of a number among the facts. */
static void mutate_number(char *facts)
{
	size_t len = strnlen(facts, LKST_IMAGE_METADATA_LEN), at, digits;
	char *number;

	if (!len)
		return;
	at = (size_t)rand() % len;
	number = memmem(facts + at, len - at, "=0x", 3);
	if (!number)
		return;
	number += 3;
	digits = strspn(number, "0123456789abcdef");
	if (digits)
		number[(size_t)rand() % digits] = "0123456789abcdef"[rand() % 16];
}

/* The facts, and the notes behind them. */
static void mutate_rest(uint8_t *page)
{
	uint8_t *facts = page + offsetof(struct lkst_image_header, facts);

	switch (rand() % 4) {
	case 0:
		mutate_bytes(facts, LKST_IMAGE_METADATA_LEN);
		break;
	case 1:
		mutate_number((char *)facts);
		break;
	default:
		LLVMFuzzerMutate(page + LKST_IMAGE_STATE, 96, 96);
	}
}

/**
 * mutate_image() - change an image
 * @data: image
 * @size: of it
 * @max: room at @data
 * @seed: of what is random in it
 *
 * Return: its size then.
 */
size_t mutate_image(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	size_t pages = size / PAGE, header = 0, tries = 8;

	srand(seed);
	if (!pages || !(rand() % 16)) {
		size = LLVMFuzzerMutate(data, size, max);
		sign_image(data, size);
		return size;
	}
	do
		header = (size_t)rand() % pages;
	while (!is_header(data + header * PAGE) && --tries);
	switch (rand() % 6) {
	case 0:
		move_page(data, pages);
		break;
	case 1:
		mutate_bytes(data, size);
		break;
	case 2:
		mutate_rest(data + header * PAGE);
		break;
	default:
		mutate_header(data + header * PAGE);
	}
	sign_image(data, size);
	return size;
}
