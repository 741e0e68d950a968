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
 * @cpu: CPU
 * @position: position of the next chunk in the history
 * @bytes: number of bytes read from the history of this CPU
 * @next: recid after the last record that was written; valid if @parts is not empty
 * @parts: the chunks that were written
 * @reader: checks the chunks
 * @area: chunks that were read
 */
struct live_history {
	struct lkst_device *dev;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
	int32_t cpu;
	uint64_t position;
	uint64_t bytes;
	uint64_t next;
	struct trace_history_parts parts;
	struct trace_history_reader reader;
	uint8_t *area;
};

int live_history_open(struct live_history *history, struct lkst_error *err);
void live_history_close(struct live_history *history);
void live_history_begin(struct live_history *history, int32_t cpu);
int live_history_next(struct live_history *history, struct lkst_error *err);

#endif
