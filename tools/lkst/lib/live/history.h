/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads the compressed history of the CPUs from the kernel into a trace. */
#ifndef _LKST_LIB_LIVE_HISTORY_H
#define _LKST_LIB_LIVE_HISTORY_H

#include "lib/lkst.h"
#include "lib/trace/history.h"

struct lkst_addresses;
struct lkst_trace_writer;

/**
 * struct live_history - the history of a CPU that is being read. All zero: not opened
 * @dev: device
 * @writer: the chunks are written to this trace
 * @addresses: to collect the code addresses in the records; NULL: they are not needed
 * @fill: called before a chunk is written if the records from @next to @end - 1 are missing before
 *	it. Writes the records that the buffers still hold, and sets @next to the recid after them.
 *	Returns 0; 1 to end without an error; -1 on error
 * @ctx: passed to @fill
 * @cpu: CPU
 * @position: position of the next chunk in the history
 * @bytes: number of bytes read from the history of this CPU
 * @next: recid after the last record that was written; 0: no record was written
 * @parts: the chunks that were written and, between them, the records from the buffers
 * @damaged: number of damaged chunks, of all CPUs
 * @failed: the kernel refused to return the history of a CPU
 * @why: the reason for the first refusal
 * @reader: checks the chunks
 * @area: chunks that were read
 */
struct live_history {
	struct lkst_device *dev;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
	int (*fill)(void *ctx, uint64_t end, struct lkst_error *err);
	void *ctx;
	int32_t cpu;
	uint64_t position;
	uint64_t bytes;
	uint64_t next;
	struct trace_history_parts parts;
	uint64_t damaged;
	bool failed;
	struct lkst_error why;
	struct trace_history_reader reader;
	uint8_t *area;
};

int live_history_open(struct live_history *history, struct lkst_error *err);
void live_history_close(struct live_history *history);
void live_history_begin(struct live_history *history, int32_t cpu);
int live_history_next(struct live_history *history, struct lkst_error *err);

#endif
