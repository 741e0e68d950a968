// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trace": the events in the buffers.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/time64.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_private.h>

#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "../clock/clock.h"
#include "../device/permission.h"
#include "file.h"

#define LKST_TREE_LINES		10000	/* maximum for each CPU in the file "trace" */

/* Print an event that a program has recorded, without decoding its payload. */
static void lkst_tree_show_record(struct seq_file *m, const struct lkst_cursor *cursor, int cpu,
				  const struct lkst_event_record *record)
{
	s64 ns = lkst_time_to_wall(cursor->session.clock, record->clock);
	struct timespec64 time = ns_to_timespec64(ns);

	seq_printf(m, "%d [%03d] %lld.%06lu: USER_EVENT_%03x: %*ph\n", record->thread, cpu,
		   (long long)time.tv_sec, time.tv_nsec / NSEC_PER_USEC, record->event_type,
		   (int)sizeof(record->arg), record->arg);
}

/* Print the events of a buffer, up to a record that has been overwritten. */
static void lkst_tree_show_buffer(struct seq_file *m, struct lkst_buffer *buffer,
				  unsigned int *lines)
{
	struct lkst_event_record record;
	struct lkst_cursor cursor;

	lkst_cursor_init(&cursor, buffer);
	for (; cursor.position < cursor.end && *lines; lkst_cursor_advance(&cursor, 1)) {
		enum lkst_ring_read ret = lkst_cursor_read(&cursor, &record);

		if (ret == LKST_RING_LAPPED)
			return;
		if (ret != LKST_RING_READ || !lkst_etype_of_program(record.event_type))
			continue;
		lkst_tree_show_record(m, &cursor, buffer->cpu, &record);
		(*lines)--;
	}
}

static int lkst_tree_trace_show(struct seq_file *m, void *unused)
{
	int cpu, id, ret;

	seq_puts(m, "# tracer: lkst\n");
	ret = mutex_lock_killable(&lkst_buffer_mutex);
	if (ret)
		return ret;
	for_each_possible_cpu(cpu) {
		struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
		unsigned int lines = LKST_TREE_LINES;

		if (!c)
			continue;
		for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1)
			lkst_tree_show_buffer(m, c->buffers[id], &lines);
	}
	mutex_unlock(&lkst_buffer_mutex);
	return 0;
}

LKST_TREE_FILE(trace);
