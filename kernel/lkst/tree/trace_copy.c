// SPDX-License-Identifier: GPL-2.0
/*
 * Copy the records of the buffers for the files that show them, in the order of
 * their times.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>

#include "../base/compat.h"
#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "../clock/clock.h"
#include "trace_copy.h"

#define LKST_TREE_LINES		400000	/* maximum number of records in the file */

/*
 * While a chain is written, only interrupts record events on its CPU. If a part
 * is not among this number of records of the CPU, it is missing.
 */
#define LKST_TREE_CHAIN_SEARCH	1024

/* The files omit events before this time, which is in ns since the epoch. */
static s64 lkst_tree_cleared;

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

/* Whether the tree has events of this type, or parts of chains of events. */
static bool lkst_tree_prints(int etype)
{
	return etype < LKST_ETYPE_USER_MIN || lkst_etype_of_program(etype) ||
	       etype == LKST_ETYPE_LKST_MORE;
}

/*
 * Move the cursor to the first record that has not been copied yet. @copied is
 * the recid after the last one that has been copied. A position would not do:
 * positions start again when a buffer is deleted and created again.
 */
static void lkst_tree_copy_continue(struct lkst_cursor *cursor, u64 copied)
{
	u64 oldest = lkst_cursor_recid(cursor);

	if (copied > oldest && copied <= lkst_cursor_end_recid(cursor))
		lkst_cursor_seek(cursor, cursor->position + (copied - oldest));
}

/*
 * Whether the record at the cursor, which was not committed, can be read later.
 * If no writer is active, it has been committed since, or was dropped.
 */
static bool lkst_tree_is_unfinished(const struct lkst_cursor *cursor)
{
	struct lkst_event_record record;

	return !lkst_ring_was_dropped(cursor->ring, cursor->position) &&
	       (!lkst_ring_idle(cursor->ring) ||
		lkst_cursor_read(cursor, &record) != LKST_RING_PENDING);
}

/*
 * Copy the records of a buffer. Stop at a record that has been overwritten. If
 * later copies continue where this one ends, also stop at a record that is
 * being written, so that it is not lost.
 */
static int lkst_tree_copy_buffer(struct lkst_tree_trace *trace, struct lkst_buffer *buffer,
				 size_t limit)
{
	struct lkst_tree_event_line line = { .cpu = buffer->cpu };
	u64 *copied = trace->copied ? &trace->copied[buffer->cpu][buffer->id] : NULL;
	struct lkst_cursor cursor;
	int ret = 0;

	lkst_cursor_init(&cursor, buffer);
	if (copied)
		lkst_tree_copy_continue(&cursor, *copied);
	for (; cursor.position < cursor.end && trace->num < limit;
	     lkst_cursor_advance(&cursor, 1)) {
		enum lkst_ring_read read = lkst_cursor_read(&cursor, &line.record);

		cond_resched();
		if (read == LKST_RING_LAPPED ||
		    (copied && read == LKST_RING_PENDING && lkst_tree_is_unfinished(&cursor)))
			break;
		if (read != LKST_RING_READ || !lkst_tree_prints(line.record.event_type))
			continue;
		line.ns = lkst_time_to_wall(cursor.session.clock, line.record.clock);
		if (line.ns < READ_ONCE(lkst_tree_cleared))
			continue;
		ret = lkst_tree_trace_grow(trace);
		if (ret)
			break;
		line.order = trace->num;
		trace->line[trace->num++] = line;
	}
	if (copied)
		*copied = lkst_cursor_recid(&cursor);
	return ret;
}

static int lkst_tree_compare(const void *a, const void *b)
{
	const struct lkst_tree_event_line *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/**
 * lkst_tree_copy() - copy the records of all CPUs
 * @trace: receives the records, up to LKST_TREE_LINES, which is shared out
 *	equally among the CPUs
 *
 * Context: may sleep.
 *
 * If @trace->copied is set and there is not enough memory for all events, this
 * copies as many as possible. The next copy continues there.
 *
 * Return: 0; -ENOMEM, if @trace->copied is set only if nothing was copied; or
 * -EINTR after a fatal signal.
 */
int lkst_tree_copy(struct lkst_tree_trace *trace)
{
	int cpu, id, ret = mutex_lock_killable(&lkst_buffer_mutex);

	if (ret)
		return ret;
	trace->num = 0;
	for_each_possible_cpu(cpu) {
		struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
		size_t limit = trace->num + LKST_TREE_LINES / num_possible_cpus();

		if (!c)
			continue;
		for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1)
			ret = ret ?: lkst_tree_copy_buffer(trace, c->buffers[id], limit);
	}
	mutex_unlock(&lkst_buffer_mutex);
	sort(trace->line, trace->num, sizeof(*trace->line), lkst_tree_compare, NULL);
	/* The next copy would not contain these events again. */
	return trace->copied && trace->num ? 0 : ret;
}

/* Append the bytes of a part of a chain to the payload. */
static void lkst_tree_chain_add(char *to, struct lkst_tree_payload *payload,
				const struct lkst_event_record *part)
{
	u32 bytes = min3((u32)LKST_CHAIN_PART_BYTES(part->arg[0]), (u32)LKST_CHAIN_BYTES,
			 (u32)LKST_CHAIN_BYTES_MAX - payload->bytes);

	memcpy(to + payload->bytes, &part->arg[1], bytes);
	payload->bytes += bytes;
}

/**
 * lkst_tree_chain() - put the payload of a chain together
 * @trace: the copy that contains the chain
 * @head: the first record of the chain, one of @trace->line
 *
 * Context: may sleep.
 *
 * Return: the payload. It is in @head, or in memory that the next call uses
 * again. Without memory, it is only what is in @head.
 */
struct lkst_tree_payload lkst_tree_chain(struct lkst_tree_trace *trace,
					 const struct lkst_tree_event_line *head)
{
	u64 first = head->record.arg[0];
	struct lkst_tree_payload payload = {
		.at = (const char *)&head->record.arg[1],
		.bytes = min_t(u32, LKST_CHAIN_HEAD_BYTES(first), LKST_CHAIN_BYTES),
	};
	const struct lkst_tree_event_line *line = head + 1, *end = trace->line + trace->num;
	unsigned int part = 1, searched = 0;

	if (!LKST_CHAIN_HEAD_PARTS(first))
		return payload;
	if (!trace->payload)
		trace->payload = kmalloc(LKST_CHAIN_BYTES_MAX, GFP_KERNEL);
	if (!trace->payload)
		return payload;
	memcpy(trace->payload, payload.at, payload.bytes);
	payload.at = trace->payload;
	for (; line < end && part <= LKST_CHAIN_HEAD_PARTS(first) &&
	     searched < LKST_TREE_CHAIN_SEARCH; line++) {
		u64 arg = line->record.arg[0];

		searched += line->cpu == head->cpu;
		if (line->cpu != head->cpu || line->record.event_type != LKST_ETYPE_LKST_MORE ||
		    LKST_CHAIN_SERIAL(arg) != LKST_CHAIN_SERIAL(first))
			continue;
		if (LKST_CHAIN_PART_NUMBER(arg) != part++)
			break;
		lkst_tree_chain_add(trace->payload, &payload, &line->record);
		searched = 0;
	}
	return payload;
}

/* Remove the events up to now from the files. They stay in the buffers. */
void lkst_tree_clear(void)
{
	WRITE_ONCE(lkst_tree_cleared, ktime_get_real_ns());
}

void lkst_tree_trace_free(struct lkst_tree_trace *trace)
{
	lkst_tree_layouts_free(&trace->layouts);
	kvfree(trace->copied);
	kvfree(trace->line);
	kfree(trace->payload);
	kfree(trace);
}
