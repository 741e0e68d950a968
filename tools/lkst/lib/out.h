/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Buffered output for millions of lines. A caller makes room once for what it puts
 * next; the puts themselves check nothing.
 */
#ifndef _LKST_OUT_H
#define _LKST_OUT_H

#include <string.h>

#include "liblkst.h"

#define OUT_SIZE	(256 * 1024)
#define OUT_ROOM	(32 * 1024)	/* what out_room() promises: the longest line */

static inline void out_room(struct lkst_out *out)
{
	if (out->len > OUT_SIZE - OUT_ROOM)
		lkst_out_flush(out);
}

static inline void out_char(struct lkst_out *out, char c)
{
	out->buf[out->len++] = c;
}

static inline void out_bytes(struct lkst_out *out, const char *text, size_t len)
{
	memcpy(out->buf + out->len, text, len);
	out->len += len;
}

static inline void out_text(struct lkst_out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

/* Blanks up to a column that is counted from a position in the buffer. */
static inline void out_pad(struct lkst_out *out, size_t from, size_t column)
{
	while (out->len - from < column)
		out_char(out, ' ');
}

void out_udec(struct lkst_out *out, uint64_t value);
void out_dec(struct lkst_out *out, int64_t value);
void out_digits(struct lkst_out *out, uint64_t value, unsigned int digits);
void out_octal(struct lkst_out *out, uint64_t value);
void out_hex(struct lkst_out *out, uint64_t value, unsigned int digits);
void out_quoted(struct lkst_out *out, const char *text);
void out_csv(struct lkst_out *out, const char *text);

#endif
