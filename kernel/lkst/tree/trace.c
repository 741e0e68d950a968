// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trace": the events in the buffers, in the order of their times.
 * open() copies the records, so that read() needs no lock.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../base/compat.h"
#include "../device/permission.h"
#include "file.h"
#include "line.h"
#include "trace_copy.h"

/* Position 0 is the heading; the events follow. */
static void *lkst_tree_trace_start(struct seq_file *m, loff_t *position)
{
	const struct lkst_tree_trace *trace = m->private;

	if (!*position)
		return SEQ_START_TOKEN;
	return *position <= trace->num ? &trace->line[*position - 1] : NULL;
}

static void *lkst_tree_trace_next(struct seq_file *m, void *at, loff_t *position)
{
	++*position;
	return lkst_tree_trace_start(m, position);
}

static void lkst_tree_trace_stop(struct seq_file *m, void *at)
{
}

static int lkst_tree_trace_show(struct seq_file *m, void *at)
{
	struct lkst_tree_trace *trace = m->private;

	if (at != SEQ_START_TOKEN)
		return lkst_tree_show_line(m, trace, at);
	seq_puts(m, "# tracer: nop\n#\n"
		 "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n");
	return 0;
}

static const struct seq_operations lkst_tree_trace_ops = {
	.start = lkst_tree_trace_start,
	.next = lkst_tree_trace_next,
	.stop = lkst_tree_trace_stop,
	.show = lkst_tree_trace_show,
};

/* As in tracefs, truncating the file removes the events from it. */
static int lkst_tree_trace_open(struct inode *inode, struct file *file)
{
	struct lkst_tree_trace *trace;
	int ret = lkst_permission();

	if (ret)
		return ret;
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		lkst_tree_clear();
	trace = kzalloc_obj(*trace, GFP_KERNEL);
	if (!trace)
		return -ENOMEM;
	if (file->f_mode & FMODE_READ)
		ret = lkst_tree_copy(trace);
	ret = ret ?: seq_open(file, &lkst_tree_trace_ops);
	if (ret) {
		lkst_tree_trace_free(trace);
		return ret;
	}
	((struct seq_file *)file->private_data)->private = trace;
	return 0;
}

static int lkst_tree_trace_release(struct inode *inode, struct file *file)
{
	lkst_tree_trace_free(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

static ssize_t lkst_tree_trace_write(struct file *file, const char __user *text, size_t count,
				     loff_t *position)
{
	return count;
}

const struct file_operations lkst_tree_trace_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_trace_open,
	.read = seq_read,
	.write = lkst_tree_trace_write,
	.llseek = seq_lseek,
	.release = lkst_tree_trace_release,
};
