/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files in the directory of an event, and in that of a system.
 */
#ifndef _LKST_TREE_EVENT_H
#define _LKST_TREE_EVENT_H

#include <linux/fs.h>

struct lkst_tree_name;
struct seq_file;

/* The files of an event. inode->i_private is the event type. */
extern const struct file_operations lkst_tree_enable_fops;
extern const struct file_operations lkst_tree_filter_fops;
extern const struct file_operations lkst_tree_format_fops;
extern const struct file_operations lkst_tree_hist_fops;
extern const struct file_operations lkst_tree_id_fops;
extern const struct file_operations lkst_tree_trigger_fops;

/* The files of a system. i_private is its name; NULL: all systems. */
extern const struct file_operations lkst_tree_enable_all_fops;
extern const struct file_operations lkst_tree_filter_all_fops;

int lkst_tree_show(struct seq_file *m,
		   void (*show)(struct seq_file *m, const struct lkst_tree_name *event));

#endif
