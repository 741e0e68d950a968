/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the fields of protocol buffers at @p. Each function returns the end of what it has
 * written. The caller ensures that there is room.
 */
#ifndef _LKSTBUF_EXPORT_WIRE_H
#define _LKSTBUF_EXPORT_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WIRE_VARINT_MAX 10 /* bytes of the longest number */

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
};

static inline uint8_t *wire_varint(uint8_t *p, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*p++ = (uint8_t)value | 0x80;
	*p++ = (uint8_t)value;
	return p;
}

static inline uint8_t *wire_tag(uint8_t *p, uint32_t field, enum wire_type type)
{
	return wire_varint(p, (uint64_t)field << 3 | type);
}

static inline uint8_t *wire_number(uint8_t *p, uint32_t field, uint64_t value)
{
	return wire_varint(wire_tag(p, field, WIRE_VARINT), value);
}

/* Write a number as 8 bytes. For a kernel address, this is shorter than a varint. */
static inline uint8_t *wire_fixed64(uint8_t *p, uint32_t field, uint64_t value)
{
	p = wire_tag(p, field, WIRE_FIXED64);
	for (int i = 0; i < 8; i++)
		*p++ = (uint8_t)(value >> 8 * i);
	return p;
}

/*
 * Begin a field whose length is not known yet. The content follows at the returned address, and
 * wire_close() completes the field.
 */
static inline uint8_t *wire_open(uint8_t *p, uint32_t field)
{
	return wire_tag(p, field, WIRE_BYTES) + 1;
}

/*
 * Complete a field. Its content begins at @content, which wire_open() returned, and ends at @p.
 * Returns the end of the field.
 */
static inline uint8_t *wire_close(uint8_t *content, uint8_t *p)
{
	size_t len = (size_t)(p - content);
	uint8_t length[WIRE_VARINT_MAX];
	size_t more;

	if (len < 0x80) {
		content[-1] = (uint8_t)len;
		return p;
	}
	more = (size_t)(wire_varint(length, len) - length) - 1;
	memmove(content + more, content, len);
	memcpy(content - 1, length, more + 1);
	return p + more;
}

#endif
