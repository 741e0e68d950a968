/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files in the directory of an event.
 */
#ifndef _LKST_TREE_EVENT_H
#define _LKST_TREE_EVENT_H

struct file_operations;
struct lkst_user_event;
struct seq_file;

extern const struct file_operations lkst_tree_enable_fops;
extern const struct file_operations lkst_tree_format_fops;
extern const struct file_operations lkst_tree_id_fops;

int lkst_tree_show(struct seq_file *m,
		   void (*show)(struct seq_file *m, const struct lkst_user_event *event));

#endif
