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
 */
struct lkst_tree_trace {
	size_t num;
	size_t room;
	struct lkst_tree_event_line *line;
	struct lkst_tree_layouts layouts;
	u64 (*copied)[LKST_BUFFER_ID_MAX + 1];
};

int lkst_tree_copy(struct lkst_tree_trace *trace);
void lkst_tree_clear(void);
void lkst_tree_trace_free(struct lkst_tree_trace *trace);

#endif
