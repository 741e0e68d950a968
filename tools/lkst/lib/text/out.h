/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Buffered output for millions of lines. A caller reserves room for each line once, and then writes
 * the line without further checks.
 */
#ifndef _LKST_LIB_TEXT_OUT_H
#define _LKST_LIB_TEXT_OUT_H

#include "lib/lkst.h"

struct lkst_out {
	int fd;
	int error;		/* errno of the first failed write */
	size_t len;
	char *buf;
};

int lkst_out_open(struct lkst_out *out, int fd, struct lkst_error *err);
int lkst_out_flush(struct lkst_out *out);
void lkst_out_close(struct lkst_out *out);

#define OUT_SIZE (256 * 1024)
/*
 * Room that out_room() guarantees: the longest line. The payload of a chain takes at most 6 bytes
 * for each of LKST_CHAIN_BYTES_MAX bytes.
 */
#define OUT_ROOM (80 * 1024)

/* Reserve room for the next line. */
static inline char *out_room(struct lkst_out *out)
{
	if (out->len > OUT_SIZE - OUT_ROOM)
		lkst_out_flush(out);
	return out->buf + out->len;
}

/* End the line; @p points after it. */
static inline void out_end(struct lkst_out *out, const char *p)
{
	out->len = (size_t)(p - out->buf);
}

#endif
