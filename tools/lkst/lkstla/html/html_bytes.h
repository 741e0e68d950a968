/* SPDX-License-Identifier: GPL-2.0 */
/* Growing arrays of bytes, for the numbers and texts of the page's data. */
#ifndef _LKSTLA_HTML_BYTES_H
#define _LKSTLA_HTML_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest number that html_put_number() writes */
#define HTML_NUMBER_MAX 10

/**
 * struct html_bytes - bytes that have been written
 * @data: the bytes
 * @len: number of bytes
 * @room: allocated bytes at @data
 * @failed: whether an allocation failed, so that bytes are missing. The caller checks this once, at
 *	the end
 */
struct html_bytes {
	uint8_t *data;
	size_t len;
	size_t room;
	bool failed;
};

bool html_bytes_grow(struct html_bytes *to, size_t len);
void html_put_bytes(struct html_bytes *to, const void *data, size_t len);
void html_put_text(struct html_bytes *to, const char *text);
void html_put_all(struct html_bytes *to, const struct html_bytes *from);
void html_bytes_free(struct html_bytes *bytes);

/* Make room for @len more bytes. Returns false if an allocation fails. */
static inline bool html_bytes_reserve(struct html_bytes *to, size_t len)
{
	return to->room - to->len >= len || html_bytes_grow(to, len);
}

/*
 * Write a number in base 128, its lowest 7 bits first. Bit 7 of a byte means that more bytes
 * follow.
 */
static inline void html_put_number(struct html_bytes *to, uint64_t value)
{
	if (!html_bytes_reserve(to, HTML_NUMBER_MAX))
		return;
	for (; value >= 0x80; value >>= 7)
		to->data[to->len++] = (uint8_t)(value | 0x80);
	to->data[to->len++] = (uint8_t)value;
}

/*
 * Map signed numbers to unsigned numbers: 0, -1, 1, -2 to 0, 1, 2, 3. Numbers near 0 remain small.
 */
static inline uint64_t html_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

#endif
