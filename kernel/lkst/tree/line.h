/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing events as ftrace does.
 */
#ifndef _LKST_TREE_LINE_H
#define _LKST_TREE_LINE_H

#include <linux/types.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>

struct lkst_tree_layout;
struct lkst_tree_trace;
struct seq_file;

/**
 * struct lkst_tree_event_line - an event to print
 * @ns: time, in ns since the epoch
 * @cpu: the CPU
 * @order: its place among the events that were copied together. Events of a CPU
 *	that have the same time keep their order
 * @record: the record
 */
struct lkst_tree_event_line {
	s64 ns;
	int cpu;
	u32 order;
	struct lkst_event_record record;
};

/**
 * struct lkst_tree_layouts - the fields of the events that have been printed
 * @layout: by event type; NULL: not known yet
 */
struct lkst_tree_layouts {
	struct lkst_tree_layout *layout[LKST_ETYPE_USER_MIN];
};

int lkst_tree_show_line(struct seq_file *m, struct lkst_tree_trace *trace,
			const struct lkst_tree_event_line *line);
bool lkst_tree_show_added_event(struct seq_file *m, struct lkst_tree_trace *trace,
				const struct lkst_tree_event_line *line);
void lkst_tree_layouts_free(struct lkst_tree_layouts *layouts);

#endif
