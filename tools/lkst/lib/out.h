/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Buffered output for millions of lines. A caller takes room for a line once; what it puts
 * there checks nothing.
 */
#ifndef _LKST_LIB_TEXT_OUT_H
#define _LKST_LIB_TEXT_OUT_H

#include "liblkst.h"
#include "put.h"

#define OUT_SIZE (256 * 1024)
#define OUT_ROOM (32 * 1024) /* what out_room() promises: the longest line */

/* Where the next line goes. */
static inline char *out_room(struct lkst_out *out)
{
	if (out->len > OUT_SIZE - OUT_ROOM)
		lkst_out_flush(out);
	return out->buf + out->len;
}

/* It ends before @p. */
static inline void out_end(struct lkst_out *out, const char *p)
{
	out->len = (size_t)(p - out->buf);
}

#endif
