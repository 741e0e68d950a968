/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Joins the compressed history of a CPU in an image and the records of the CPU's buffers in a
 * trace.
 */
#ifndef _IMAGE_JOIN_H
#define _IMAGE_JOIN_H

#include "history.h"
#include "lib/lkst.h"

struct lkst_addresses;
struct lkst_trace_writer;

/**
 * struct image_join - the history of a CPU and a trace to which it is written
 * @history: the history, opened
 * @writer: trace
 * @addresses: to collect the code addresses in the records
 * @at: index of the next chunk to write, in @history.parts
 * @next: recid after the last record in the trace that is from this CPU
 * @any: the trace has records of this CPU; @next is valid
 * @repeated: records of the current buffer that were left out, because the history contains them
 */
struct image_join {
	struct image_history history;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
	size_t at;
	uint64_t next;
	bool any;
	uint64_t repeated;
};

int image_join_begin(struct image_join *join, uint32_t boot, int32_t cpu, struct lkst_error *err);
int image_join_run(struct image_join *join, const struct lkst_run *run, struct lkst_error *err);
int image_join_end(struct image_join *join, struct lkst_error *err);

#endif
