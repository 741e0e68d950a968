/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers for the files of the tree, and the operations of the files that are
 * in the directory lkst/ itself.
 */
#ifndef _LKST_TREE_FILE_H
#define _LKST_TREE_FILE_H

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "../device/permission.h"

/* Define the operations of a file that can only be read. */
#define LKST_TREE_FILE(name)								\
static int lkst_tree_##name##_open(struct inode *inode, struct file *file)		\
{											\
	return lkst_permission() ?:							\
	       single_open(file, lkst_tree_##name##_show, inode->i_private);		\
}											\
											\
const struct file_operations lkst_tree_##name##_fops = {					\
	.owner = THIS_MODULE,								\
	.open = lkst_tree_##name##_open,						\
	.read = seq_read,								\
	.llseek = seq_lseek,								\
	.release = single_release,							\
}

extern const struct file_operations lkst_tree_available_fops;
extern const struct file_operations lkst_tree_dynamic_fops;
extern const struct file_operations lkst_tree_fork_fops;
extern const struct file_operations lkst_tree_kprobes_fops;
extern const struct file_operations lkst_tree_pids_fops;
extern const struct file_operations lkst_tree_pipe_fops;
extern const struct file_operations lkst_tree_profile_fops;
extern const struct file_operations lkst_tree_readme_fops;
extern const struct file_operations lkst_tree_set_fops;
extern const struct file_operations lkst_tree_status_fops;
extern const struct file_operations lkst_tree_synthetic_fops;
extern const struct file_operations lkst_tree_trace_fops;

extern const struct file_operations lkst_tree_error_log_fops;
extern const struct file_operations lkst_tree_marker_fops;
extern const struct file_operations lkst_tree_on_fops;
extern const struct file_operations lkst_tree_stacktrace_fops;
extern const struct file_operations lkst_tree_tracer_fops;
extern const struct file_operations lkst_tree_tracers_fops;

int lkst_tree_set_word(char *word);
void lkst_tree_show_string(struct seq_file *m, const char *text);
ssize_t lkst_tree_execute(const char __user *from, size_t count, const char *separators,
			  int (*execute)(char *part));
int lkst_tree_read_switch(const char __user *from, size_t count);

#endif
