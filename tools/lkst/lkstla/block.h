/* SPDX-License-Identifier: GPL-2.0 */
/* Passes the requests that lkstla block finds to another analysis. */
#ifndef _LKSTLA_BLOCK_H
#define _LKSTLA_BLOCK_H

#include "lib/lkst.h"
#include "lib/model.h"

/**
 * struct block_done - a request
 * @device: device, as in block_issue
 * @operation: operation, as in block_issue
 * @sector: first sector; 0 if not @begin_known
 * @bytes: size. If not @begin_known, the size of the part that completed last
 * @begin_ns: time of the issue
 * @begin_known: the issue was recorded in the window
 * @queue_ns: time that it waited in the kernel before the issue; 0: unknown
 * @end_ns: time of the completion; end of the window if not @end_known
 * @end_known: the request completed in the window
 * @error: 0, or negative errno
 * @cpu: CPU that issued it; -1: unknown
 * @thread: thread that issued it; NULL: idle or unknown
 */
struct block_done {
	uint64_t device;
	uint64_t operation;
	uint64_t sector;
	uint64_t bytes;
	int64_t begin_ns;
	bool begin_known;
	int64_t queue_ns;
	int64_t end_ns;
	bool end_known;
	int64_t error;
	int32_t cpu;
	const struct lkst_thread *thread;
};

typedef void block_observer(void *ctx, const struct block_done *done);

void block_observe(void *blocks, block_observer *observer, void *ctx);
void block_finish(void *blocks);

#endif
