/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads records in blocks. */
#ifndef _LKST_LIB_LIVE_STREAM_H
#define _LKST_LIB_LIVE_STREAM_H

#include "lib/lkst.h"

struct lkst_run;
struct lkst_stream;

struct lkst_stream *lkst_stream_open(int32_t cpu, size_t room, struct lkst_error *err);
int lkst_stream_seek(struct lkst_stream *stream, int32_t cpu, uint64_t recid,
		     struct lkst_error *err);
int lkst_stream_timeout(struct lkst_stream *stream, unsigned int ms, struct lkst_error *err);
int lkst_stream_flush(struct lkst_stream *stream, struct lkst_error *err);
int lkst_stream_ahead(struct lkst_stream *stream, struct lkst_error *err);
bool lkst_stream_has_block(const struct lkst_stream *stream);
int lkst_stream_next(struct lkst_stream *stream, struct lkst_run *run, struct lkst_error *err);
int lkst_stream_fd(const struct lkst_stream *stream);
void lkst_stream_close(struct lkst_stream *stream);

struct lkst_stream *lkst_stream_new(struct lkst_device *dev, int32_t cpu, size_t room,
				    struct lkst_error *err);

#endif
