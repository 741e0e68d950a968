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
#include <linux/wait.h>

#include "../base/compat.h"
#include "../buffer/queue.h"
#include "../device/permission.h"
#include "file.h"
#include "line.h"
#include "trace_copy.h"

/*
 * How long a read rests before it asks all CPUs to wake it, in jiffies. So it
 * interrupts them at most ten times a second while events are recorded.
 */
#define LKST_TREE_PIPE_REST	(HZ / 10)

/**
 * struct lkst_tree_pipe - an open file
 * @mutex: serializes reads. A read that waits for events does not hold it
 * @trace: the events that were copied last
 * @first: position in the file of the first one, in events
 * @rested: time in jiffies before which a read rests
 */
struct lkst_tree_pipe {
	struct mutex mutex;	/* see above */
	struct lkst_tree_trace *trace;
	loff_t first;
	unsigned long rested;
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

	lkst_tree_show_line(m, &pipe->trace->layouts, at);
	return 0;
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

/*
 * Wait until an event is recorded, unless a read finds events first. Returns as
 * lkst_tree_pipe_try() does.
 */
static ssize_t lkst_tree_pipe_sleep(struct file *file, char __user *to, size_t size)
{
	struct lkst_tree_pipe *pipe = ((struct seq_file *)file->private_data)->private;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	long timeout = MAX_SCHEDULE_TIMEOUT;
	ssize_t ret;

	add_wait_queue(&lkst_queue_block_readers, &wait);
	lkst_queue_blocks_opened();
	if (lkst_queue_await())
		timeout = LKST_TREE_PIPE_REST;
	ret = lkst_tree_pipe_try(file, to, size);
	/* The end of a record that is being written does not wake this read. */
	if (READ_ONCE(pipe->trace->unfinished))
		timeout = 1;
	if (!ret && !signal_pending(current))
		wait_woken(&wait, TASK_INTERRUPTIBLE, timeout);
	lkst_queue_blocks_closed();
	remove_wait_queue(&lkst_queue_block_readers, &wait);
	return ret;
}

/*
 * Wait until there may be events. Returns as lkst_tree_pipe_try() does, or
 * -ERESTARTSYS after a signal.
 */
static ssize_t lkst_tree_pipe_wait(struct file *file, char __user *to, size_t size)
{
	struct lkst_tree_pipe *pipe = ((struct seq_file *)file->private_data)->private;
	long rest = READ_ONCE(pipe->rested) - jiffies;
	ssize_t ret = 0;

	if (rest > 0 && rest <= LKST_TREE_PIPE_REST) {
		schedule_timeout_interruptible(rest);
	} else {
		WRITE_ONCE(pipe->rested, jiffies + LKST_TREE_PIPE_REST);
		ret = lkst_tree_pipe_sleep(file, to, size);
	}
	return !ret && signal_pending(current) ? -ERESTARTSYS : ret;
}

/* A stream has no position, so use that of the seq_file. */
static ssize_t lkst_tree_pipe_read(struct file *file, char __user *to, size_t size,
				   loff_t *unused)
{
	ssize_t ret;

	do {
		ret = lkst_tree_pipe_try(file, to, size);
		if (ret || !size)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = lkst_tree_pipe_wait(file, to, size);
	} while (!ret);
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
