// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trace": the events in the buffers, in the order of their times.
 * open() copies the records, so that read() needs no lock.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>

#include "../base/compat.h"
#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "../clock/clock.h"
#include "../device/permission.h"
#include "file.h"
#include "line.h"

#define LKST_TREE_LINES		400000	/* maximum number of events in the file */

/* The file omits events before this time, which is in ns since the epoch. */
static s64 lkst_tree_cleared;

/**
 * struct lkst_tree_trace - an open file
 * @num: number of events
 * @room: number of events for which there is memory
 * @line: the events
 * @layouts: how to print them
 */
struct lkst_tree_trace {
	size_t num;
	size_t room;
	struct lkst_tree_event_line *line;
	struct lkst_tree_layouts layouts;
};

/* Make room for one more event. Return 0 or -ENOMEM. */
static int lkst_tree_trace_grow(struct lkst_tree_trace *trace)
{
	size_t room = trace->room * 2 ?: 1024;
	struct lkst_tree_event_line *line;

	if (trace->num < trace->room)
		return 0;
	line = kvmalloc_array(room, sizeof(*line), GFP_KERNEL);
	if (!line)
		return -ENOMEM;
	if (trace->num)
		memcpy(line, trace->line, trace->num * sizeof(*line));
	kvfree(trace->line);
	trace->line = line;
	trace->room = room;
	return 0;
}

/* Whether the tree has events of this type. */
static bool lkst_tree_prints(int etype)
{
	return etype < LKST_ETYPE_USER_MIN || lkst_etype_of_program(etype);
}

/* Copy the records of a buffer. Stop at a record that has been overwritten. */
static int lkst_tree_copy_buffer(struct lkst_tree_trace *trace, struct lkst_buffer *buffer,
				 size_t limit)
{
	struct lkst_tree_event_line line = { .cpu = buffer->cpu };
	struct lkst_cursor cursor;
	int ret;

	lkst_cursor_init(&cursor, buffer);
	for (; cursor.position < cursor.end && trace->num < limit;
	     lkst_cursor_advance(&cursor, 1)) {
		enum lkst_ring_read read = lkst_cursor_read(&cursor, &line.record);

		if (read == LKST_RING_LAPPED)
			return 0;
		if (read != LKST_RING_READ || !lkst_tree_prints(line.record.event_type))
			continue;
		line.ns = lkst_time_to_wall(cursor.session.clock, line.record.clock);
		if (line.ns < READ_ONCE(lkst_tree_cleared))
			continue;
		ret = lkst_tree_trace_grow(trace);
		if (ret)
			return ret;
		trace->line[trace->num++] = line;
	}
	return 0;
}

/*
 * Copy the records of all CPUs. LKST_TREE_LINES is shared out equally among the
 * CPUs.
 */
static int lkst_tree_copy(struct lkst_tree_trace *trace)
{
	int cpu, id, ret = mutex_lock_killable(&lkst_buffer_mutex);

	if (ret)
		return ret;
	for_each_possible_cpu(cpu) {
		struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
		size_t limit = trace->num + LKST_TREE_LINES / num_possible_cpus();

		if (!c)
			continue;
		for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1)
			ret = ret ?: lkst_tree_copy_buffer(trace, c->buffers[id], limit);
	}
	mutex_unlock(&lkst_buffer_mutex);
	return ret;
}

static int lkst_tree_compare(const void *a, const void *b)
{
	const struct lkst_tree_event_line *x = a, *y = b;

	return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static void lkst_tree_trace_free(struct lkst_tree_trace *trace)
{
	lkst_tree_layouts_free(&trace->layouts);
	kvfree(trace->line);
	kfree(trace);
}

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

	if (at == SEQ_START_TOKEN)
		seq_puts(m, "# tracer: nop\n#\n"
			 "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n");
	else
		lkst_tree_show_line(m, &trace->layouts, at);
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
		WRITE_ONCE(lkst_tree_cleared, ktime_get_real_ns());
	trace = kzalloc_obj(*trace, GFP_KERNEL);
	if (!trace)
		return -ENOMEM;
	if (file->f_mode & FMODE_READ)
		ret = lkst_tree_copy(trace);
	if (!ret) {
		sort(trace->line, trace->num, sizeof(*trace->line), lkst_tree_compare, NULL);
		ret = seq_open(file, &lkst_tree_trace_ops);
	}
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
