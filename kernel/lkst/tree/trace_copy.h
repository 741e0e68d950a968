/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of the records of the buffers.
 */
#ifndef _LKST_TREE_TRACE_COPY_H
#define _LKST_TREE_TRACE_COPY_H

#include <linux/types.h>
#include <linux/lkst_buffer.h>

#include "line.h"

/**
 * struct lkst_tree_trace - an open file that shows records
 * @num: number of events
 * @room: number of events for which there is memory
 * @line: the events, in the order of their times
 * @layouts: how to print them
 * @copied: for each CPU and each id of a buffer, the recid after the last
 *	record that has been copied. NULL: each copy begins with the oldest
 *	records
 * @payload: memory of LKST_CHAIN_BYTES_MAX bytes for the payload of a chain, or
 *	NULL if no chain has been printed yet
 */
struct lkst_tree_trace {
	size_t num;
	size_t room;
	struct lkst_tree_event_line *line;
	struct lkst_tree_layouts layouts;
	u64 (*copied)[LKST_BUFFER_ID_MAX + 1];
	char *payload;
};

/**
 * struct lkst_tree_payload - the payload of an event
 * @at: the payload
 * @bytes: its size. The payload of a chain ends before the first part that is
 *	missing
 */
struct lkst_tree_payload {
	const char *at;
	u32 bytes;
};

int lkst_tree_copy(struct lkst_tree_trace *trace);
struct lkst_tree_payload lkst_tree_chain(struct lkst_tree_trace *trace,
					 const struct lkst_tree_event_line *head);
void lkst_tree_clear(void);
void lkst_tree_trace_free(struct lkst_tree_trace *trace);

#endif
