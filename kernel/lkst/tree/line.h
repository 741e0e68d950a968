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
struct seq_file;

/**
 * struct lkst_tree_event_line - an event to print
 * @ns: time, in ns since the epoch
 * @cpu: the CPU
 * @record: the record
 */
struct lkst_tree_event_line {
	s64 ns;
	int cpu;
	struct lkst_event_record record;
};

/**
 * struct lkst_tree_layouts - the fields of the events that have been printed
 * @layout: by event type; NULL: not known yet
 */
struct lkst_tree_layouts {
	struct lkst_tree_layout *layout[LKST_ETYPE_USER_MIN];
};

void lkst_tree_show_line(struct seq_file *m, struct lkst_tree_layouts *layouts,
			 const struct lkst_tree_event_line *line);
bool lkst_tree_show_added_event(struct seq_file *m, const struct lkst_event_record *record);
void lkst_tree_layouts_free(struct lkst_tree_layouts *layouts);

#endif
