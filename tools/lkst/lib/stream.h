/* SPDX-License-Identifier: LGPL-2.1 */
/* Where a stream of records comes from: a CPU's read queue, or a test. */
#ifndef _LKST_STREAM_H
#define _LKST_STREAM_H

#include <sys/types.h>

#include "liblkst.h"

/**
 * struct lkst_stream_ops - the calls of a stream
 * @read: as read() of a device that does not wait, in RAW mode: bytes, 0 when there is nothing, -1
 *	with the error
 * @list: the CPU's buffers, to be freed with lkst_buffer_list_free()
 * @date: binds the process, or asks again: the clock of the buffer that is being read, or else read
 *	next
 * @close: may be NULL
 */
struct lkst_stream_ops {
	ssize_t (*read)(void *ctx, void *to, size_t size, struct lkst_error *err);
	int (*list)(void *ctx, struct lkst_buffer_list *list, struct lkst_error *err);
	int (*date)(void *ctx, struct lkst_buffer_srmodparam *param, struct lkst_error *err);
	void (*close)(void *ctx);
};

struct lkst_stream *lkst_stream_new(const struct lkst_stream_ops *ops, void *ctx, int32_t cpu,
				    size_t room, struct lkst_error *err);

#endif
