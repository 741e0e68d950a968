// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trace_pipe": the events in the buffers, and then each new one. A
 * read at the end waits for events. Reading does not remove events.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../base/compat.h"
#include "../device/permission.h"
#include "file.h"
#include "line.h"
#include "trace_copy.h"

#define LKST_TREE_PIPE_WAIT	(HZ / 10)	/* how often a read looks for events */

/**
 * struct lkst_tree_pipe - an open file
 * @trace: the events that were copied last
 * @first: position in the file of the first one, in events
 */
struct lkst_tree_pipe {
	struct lkst_tree_trace *trace;
	loff_t first;
};

/*
 * Copy the events that have not been shown yet, and wait until there are some.
 * Returns 0 or a negative errno.
 */
static int lkst_tree_pipe_fill(struct seq_file *m, struct lkst_tree_trace *trace)
{
	int ret;

	while (!(ret = lkst_tree_copy(trace)) && !trace->num) {
		if (m->file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		schedule_timeout_interruptible(LKST_TREE_PIPE_WAIT);
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	return ret;
}

static void *lkst_tree_pipe_at(const struct lkst_tree_pipe *pipe, loff_t position)
{
	const struct lkst_tree_trace *trace = pipe->trace;

	position -= pipe->first;
	return position < trace->num ? &trace->line[position] : NULL;
}

static void *lkst_tree_pipe_start(struct seq_file *m, loff_t *position)
{
	struct lkst_tree_pipe *pipe = m->private;
	void *at = lkst_tree_pipe_at(pipe, *position);
	int ret;

	if (at)
		return at;
	pipe->first = *position;
	ret = lkst_tree_pipe_fill(m, pipe->trace);
	return ret ? ERR_PTR(ret) : lkst_tree_pipe_at(pipe, *position);
}

/* At the end of a copy, NULL lets read() return before the next copy. */
static void *lkst_tree_pipe_next(struct seq_file *m, void *at, loff_t *position)
{
	++*position;
	return lkst_tree_pipe_at(m->private, *position);
}

static void lkst_tree_pipe_stop(struct seq_file *m, void *at)
{
}

static int lkst_tree_pipe_show(struct seq_file *m, void *at)
{
	struct lkst_tree_pipe *pipe = m->private;

	lkst_tree_show_line(m, &pipe->trace->layouts, at);
	return 0;
}

static const struct seq_operations lkst_tree_pipe_ops = {
	.start = lkst_tree_pipe_start,
	.next = lkst_tree_pipe_next,
	.stop = lkst_tree_pipe_stop,
	.show = lkst_tree_pipe_show,
};

static int lkst_tree_pipe_release(struct inode *inode, struct file *file)
{
	struct lkst_tree_pipe *pipe = ((struct seq_file *)file->private_data)->private;

	if (pipe->trace)
		lkst_tree_trace_free(pipe->trace);
	return seq_release_private(inode, file);
}

static int lkst_tree_pipe_open(struct inode *inode, struct file *file)
{
	struct lkst_tree_trace *trace;
	struct lkst_tree_pipe *pipe;
	int ret = lkst_permission();

	if (ret)
		return ret;
	pipe = __seq_open_private(file, &lkst_tree_pipe_ops, sizeof(*pipe));
	if (!pipe)
		return -ENOMEM;
	trace = kzalloc_obj(*trace, GFP_KERNEL);
	if (trace)
		trace->copied = kvcalloc(nr_cpu_ids, sizeof(*trace->copied), GFP_KERNEL);
	pipe->trace = trace;
	if (trace && trace->copied)
		return nonseekable_open(inode, file);
	lkst_tree_pipe_release(inode, file);
	return -ENOMEM;
}

const struct file_operations lkst_tree_pipe_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_pipe_open,
	.read = seq_read,
	.release = lkst_tree_pipe_release,
};
