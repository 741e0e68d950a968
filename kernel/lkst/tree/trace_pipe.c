// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trace_pipe": the events in the buffers, and then each new one. A
 * read at the end waits for events. Reading does not remove events.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
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
 * @mutex: serializes reads. A read that waits for events does not hold it
 * @trace: the events that were copied last
 * @first: position in the file of the first one, in events
 */
struct lkst_tree_pipe {
	struct mutex mutex;	/* see above */
	struct lkst_tree_trace *trace;
	loff_t first;
};

static void *lkst_tree_pipe_at(const struct lkst_tree_pipe *pipe, loff_t position)
{
	const struct lkst_tree_trace *trace = pipe->trace;

	position -= pipe->first;
	return position < trace->num ? &trace->line[position] : NULL;
}

/*
 * At the end of a copy, NULL lets seq_read() return what it has. This must not
 * wait for events: seq_read() calls it even if the program's memory is full.
 */
static void *lkst_tree_pipe_start(struct seq_file *m, loff_t *position)
{
	return lkst_tree_pipe_at(m->private, *position);
}

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

	return lkst_tree_show_line(m, pipe->trace, at);
}

static const struct seq_operations lkst_tree_pipe_ops = {
	.start = lkst_tree_pipe_start,
	.next = lkst_tree_pipe_next,
	.stop = lkst_tree_pipe_stop,
	.show = lkst_tree_pipe_show,
};

/*
 * If all copied events have been read, copy the events that the file has not
 * shown yet. Returns 0 or a negative errno.
 */
static int lkst_tree_pipe_fill(struct seq_file *m)
{
	struct lkst_tree_pipe *pipe = m->private;
	int ret;

	lockdep_assert_held(&pipe->mutex);
	if (m->count || lkst_tree_pipe_at(pipe, m->index))
		return 0;
	ret = lkst_tree_copy(pipe->trace);
	if (!ret)
		pipe->first = m->index;
	return ret;
}

/* Read without waiting for events. Returns 0 if all have been read. */
static ssize_t lkst_tree_pipe_try(struct file *file, char __user *to, size_t size)
{
	struct seq_file *m = file->private_data;
	struct lkst_tree_pipe *pipe = m->private;
	loff_t position;
	ssize_t ret;

	if (mutex_lock_interruptible(&pipe->mutex))
		return -ERESTARTSYS;
	ret = lkst_tree_pipe_fill(m);
	position = m->read_pos;
	if (!ret)
		ret = seq_read(file, to, size, &position);
	mutex_unlock(&pipe->mutex);
	return ret;
}

/* A stream has no position, so use that of the seq_file. */
static ssize_t lkst_tree_pipe_read(struct file *file, char __user *to, size_t size,
				   loff_t *unused)
{
	ssize_t ret;

	while (!(ret = lkst_tree_pipe_try(file, to, size)) && size) {
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		schedule_timeout_interruptible(LKST_TREE_PIPE_WAIT);
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	return ret;
}

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
	mutex_init(&pipe->mutex);
	pipe->trace = trace;
	/* Seeks and other reads do not wait for a read that waits for events. */
	if (trace && trace->copied)
		return stream_open(inode, file);
	lkst_tree_pipe_release(inode, file);
	return -ENOMEM;
}

const struct file_operations lkst_tree_pipe_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_pipe_open,
	.read = lkst_tree_pipe_read,
	.release = lkst_tree_pipe_release,
};
