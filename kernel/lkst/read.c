// SPDX-License-Identifier: GPL-2.0
/*
 * Records on their way out of the buffers: BUFFER_READ (specification 4.7.1.3.1, 4.7.2.4.1).
 */
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <linux/utsname.h>

#include "buffer.h"
#include "compat.h"
#include "read.h"
#include "static_buffer.h"

/*
 * How often a read starts again because the record it was at has been overwritten, each
 * time further away from those that are next: the writer may be the faster one.
 */
#define LKST_READ_RESTARTS	16

/**
 * lkst_cursor_seek() - go to a place in the ring
 * @cursor: that has a ring
 * @position: where to
 */
void lkst_cursor_seek(struct lkst_cursor *cursor, u64 position)
{
	u64 lap, slot;

	lap = div64_u64_rem(position, cursor->ring->slots, &slot);
	cursor->position = position;
	cursor->index = (unsigned long)lap << LKST_SLOT_BITS | (unsigned long)slot;
}

/**
 * lkst_cursor_init() - begin with the oldest record of a buffer
 * @cursor: is set up, and ends with the newest
 * @buffer: stays the caller's
 *
 * Context: any but NMI.
 */
void lkst_cursor_init(struct lkst_cursor *cursor, struct lkst_buffer *buffer)
{
	struct lkst_ring *ring = &buffer->ring;
	unsigned long next, back;

	cursor->ring = ring;
	do {
		cursor->seq = raw_read_seqcount_begin(&buffer->session_seq);
		/* A copy that the CPU was writing to is taken again. */
		cursor->stretch = data_race(buffer->stretch);
		next = lkst_ring_next(ring);
		cursor->end = lkst_ring_position(ring, next);
	} while (read_seqcount_retry(&buffer->session_seq, cursor->seq));
	back = min_t(u64, cursor->end - cursor->stretch.first, ring->slots);
	cursor->position = cursor->end - back;
	cursor->index = lkst_index_back(next, back, ring->slots);
}

/**
 * lkst_cursor_advance() - pass over records
 * @cursor: stops at its end
 * @num: how many, a lap at most
 */
void lkst_cursor_advance(struct lkst_cursor *cursor, unsigned long num)
{
	num = min_t(u64, num, cursor->end - cursor->position);
	cursor->position += num;
	cursor->index = lkst_index_normal(cursor->index + num, cursor->ring->slots);
}

/**
 * lkst_cursor_intact() - whether what was copied from the cursor on can be used
 * @cursor: where the copy began
 *
 * The CPU has neither come back to the buffer since lkst_cursor_init(), nor begun to overwrite the
 * record that the cursor is at: then it has not overwritten later ones either.
 *
 * Context: any. The caller keeps the buffer from being freed.
 */
bool lkst_cursor_intact(const struct lkst_cursor *cursor)
{
	const struct lkst_buffer *buffer = container_of(cursor->ring, struct lkst_buffer, ring);

	/*
	 * Copy first, then look. Whoever stored any of what was copied had moved the index before,
	 * lkst_ring_fill(), or begun another stretch.
	 */
	smp_rmb();
	return lkst_ring_position(cursor->ring, lkst_ring_next(cursor->ring)) - cursor->position <=
		       cursor->ring->slots &&
	       !read_seqcount_retry(&buffer->session_seq, cursor->seq);
}

/* The recid of the record that the cursor is at. */
u64 lkst_cursor_recid(const struct lkst_cursor *cursor)
{
	return cursor->stretch.first_recid + (cursor->position - cursor->stretch.first);
}

/* The recid after the last one. */
u64 lkst_cursor_end_recid(const struct lkst_cursor *cursor)
{
	return cursor->stretch.first_recid + (cursor->end - cursor->stretch.first);
}

/*
 * A stretch does not use all slots, so in one that is just being written there may be a
 * record of thousands of stretches ago, with the same bits of the lap. It shows by its clock,
 * which is before this stretch. A clock that was turned back looks the same.
 */
static bool lkst_cursor_doubts(const struct lkst_cursor *cursor,
			       const struct lkst_event_record *record)
{
	return record->clock < lkst_time_clock(&cursor->stretch.start, cursor->stretch.clock);
}

/**
 * lkst_cursor_read() - copy the record out that the cursor is at
 * @cursor: before its end
 * @record: gets it
 *
 * As lkst_ring_read(), but a record that is being written gets the time it needs. Without a
 * writer under way it is one that was dropped.
 *
 * Return: as lkst_ring_read().
 */
enum lkst_ring_read lkst_cursor_read(const struct lkst_cursor *cursor,
				     struct lkst_event_record *record)
{
	enum lkst_ring_read result;
	bool idle;
	u64 until;

	/*
	 * In its slot is an older record, which a writer that was interrupted for 2^11 laps
	 * makes look like it.
	 */
	if (lkst_ring_was_dropped(cursor->ring, cursor->position))
		return LKST_RING_PENDING;
	result = lkst_ring_read(cursor->ring, cursor->index, record);
	if (result == LKST_RING_LAPPED ||
	    (result == LKST_RING_READ && !lkst_cursor_doubts(cursor, record)))
		return result;

	until = ktime_get_ns() + LKST_READ_WAIT_NS;
	do {
		cpu_relax();
		/* What is in the slot then stays there. */
		idle = lkst_ring_idle(cursor->ring);
		result = lkst_ring_read(cursor->ring, cursor->index, record);
		if (result == LKST_RING_READ && !idle && lkst_cursor_doubts(cursor, record))
			result = LKST_RING_PENDING;
	} while (result == LKST_RING_PENDING && !idle && ktime_get_ns() < until);
	return result;
}

/*
 * Of the records before the cursor, how many were dropped. While others write, the numbers may
 * not belong together.
 */
u64 lkst_cursor_dropped(const struct lkst_cursor *cursor)
{
	u64 since = lkst_ring_dropped_since(cursor->ring, cursor->position) +
		    cursor->stretch.dropped;
	u64 dropped = READ_ONCE(cursor->ring->dropped);

	return since < dropped ? min(dropped - since, cursor->position - cursor->stretch.first) : 0;
}

/**
 * lkst_log_expand() - write a record in the form of POSIX 1003.25 (table 4-1, 4-2)
 * @out: gets it
 * @record: a whole record
 * @recid: its id
 * @cpu: where it was written
 * @clock: enum lkst_clock, of its buffer
 */
void lkst_log_expand(struct lkst_log_record *out, const struct lkst_event_record *record,
		     u64 recid, int cpu, unsigned int clock)
{
	struct timespec64 time = ns_to_timespec64(lkst_time_to_wall(clock, record->clock));
	u32 flags = (u32)(record->flags & LKST_RECORD_FLAGS) << LKST_LOG_RECORD_SHIFT;

	if (flags & (LKST_LOG_HARDIRQ | LKST_LOG_NMI))
		flags |= LKST_LOG_INTERRUPT;
	*out = (struct lkst_log_record) {
		.posix = {
			.log_magic = LKST_LOG_MAGIC,
			.log_recid = recid,
			.log_size = LKST_LOG_SIZE,
			.log_format = LKST_LOG_FORMAT,
			.log_event_type = record->event_type,
			.log_facility = LKST_LOG_FACILITY,
			.log_severity = LKST_LOG_SEVERITY,
			.log_uid = record->uid,
			.log_gid = record->gid,
			.log_pid = record->pid,
			.log_pgrp = record->pgrp,
			.log_flags = flags,
			.log_time = { time.tv_sec, time.tv_nsec },
			.log_thread = record->thread,
			.log_processor = cpu,
		},
		.log_arg1 = record->arg[0],
		.log_arg2 = record->arg[1],
		.log_arg3 = record->arg[2],
		.log_arg4 = record->arg[3],
	};
}

/**
 * lkst_log_date() - what a reader needs to know to date records
 * @dating: gets it
 * @clock: enum lkst_clock, of the buffer
 * @start: the clocks at any moment
 */
void lkst_log_date(struct lkst_dating *dating, unsigned int clock, const struct lkst_time *start)
{
	u64 tsc = lkst_time_clock(start, clock);
	struct timespec64 time = ns_to_timespec64(lkst_time_to_wall(clock, tsc));

	*dating = (struct lkst_dating) {
		.xtime = { time.tv_sec, time.tv_nsec / NSEC_PER_USEC },
		.tsc = tsc,
		.cpu_freq = lkst_clock_khz(clock),
		.clock = clock,
	};
}

/* What a reader needs to know of a buffer to make use of its records. */
void lkst_log_describe(struct lkst_log_buffer *param, unsigned int clock,
		       const struct lkst_time *start)
{
	struct lkst_dating dating;

	lkst_log_date(&dating, clock, start);
	param->xtime = dating.xtime;
	param->tsc = dating.tsc;
	param->cpu_freq = dating.cpu_freq;
	param->clock = dating.clock;
	param->endian_big = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);
	param->buf_ver = LKST_BUFFER_VERSION;
	param->pad = 0;
	strscpy_pad(param->arch, init_utsname()->machine, sizeof(param->arch));
}

/* Records on their way out, a page full at a time. */
struct lkst_batch {
	struct lkst_log_record *records;
	unsigned int num;
	u64 done;
	struct iov_iter *to;
};

#define LKST_BATCH_RECORDS	(PAGE_SIZE / sizeof(struct lkst_log_record))

static int lkst_batch_flush(struct lkst_batch *batch)
{
	size_t bytes = batch->num * sizeof(*batch->records);

	if (copy_to_iter(batch->records, bytes, batch->to) != bytes)
		return -EINVAL;
	batch->done += batch->num;
	batch->num = 0;
	return 0;
}

static int lkst_batch_add(struct lkst_batch *batch, const struct lkst_cursor *cursor, int cpu,
			  const struct lkst_event_record *record)
{
	lkst_log_expand(&batch->records[batch->num++], record, lkst_cursor_recid(cursor), cpu,
			cursor->stretch.clock);
	if (batch->num < LKST_BATCH_RECORDS)
		return 0;
	cond_resched();
	return lkst_batch_flush(batch);
}

/*
 * Copy out the records of @buffer from the oldest on, at most @max. What has been overwritten
 * before it was reached makes the copy begin again, so that the result has no gap but for dropped
 * and unfinished records; when that happens too often, it ends there. The counts are of what was
 * passed, so they add up whatever is written meanwhile.
 */
static int lkst_log_copy(struct lkst_buffer *buffer, struct lkst_batch *batch, u64 max,
			 struct lkst_log_buffer *param)
{
	struct iov_iter start = *batch->to;
	unsigned int restarts = 0;
	struct lkst_cursor cursor;
	int ret;

restart:
	lkst_cursor_init(&cursor, buffer);
	lkst_cursor_advance(&cursor, buffer->ring.slots / (LKST_READ_RESTARTS + 1) * restarts);
	param->dropped = lkst_cursor_dropped(&cursor);
	param->overwritten = cursor.position - cursor.stretch.first - param->dropped;
	param->unfinished = 0;
	*batch->to = start;
	batch->num = 0;
	batch->done = 0;

	for (; cursor.position < cursor.end && batch->done + batch->num < max;
	     lkst_cursor_advance(&cursor, 1)) {
		struct lkst_event_record record;

		switch (lkst_cursor_read(&cursor, &record)) {
		case LKST_RING_PENDING:
			if (lkst_ring_was_dropped(cursor.ring, cursor.position))
				param->dropped++;
			else
				param->unfinished++;
			continue;
		case LKST_RING_LAPPED:
			if (++restarts > LKST_READ_RESTARTS) {
				cursor.end = cursor.position;
				continue;
			}
			goto restart;
		case LKST_RING_READ:
			break;
		}
		ret = lkst_batch_add(batch, &cursor, buffer->cpu, &record);
		if (ret)
			return ret;
		if (fatal_signal_pending(current))
			break;
	}
	ret = lkst_batch_flush(batch);
	if (ret)
		return ret;
	lkst_log_describe(param, cursor.stretch.clock, &cursor.stretch.start);
	param->first_recid = cursor.stretch.first_recid;
	param->recorded = cursor.end - cursor.stretch.first;
	param->result_read_size = batch->done * sizeof(*batch->records);
	return 0;
}

/**
 * lkst_log_read() - read a buffer (4.7.1.3.1)
 * @param: as for lkst_buffer_read(), but @param->buffer is not looked at
 * @to: where the records go, with room for @param->read_size
 *
 * Context: may sleep.
 *
 * Return: as lkst_buffer_read().
 */
int lkst_log_read(struct lkst_log_buffer *param, struct iov_iter *to)
{
	u64 max = div_u64(param->read_size, sizeof(struct lkst_log_record));
	struct lkst_batch batch = { .to = to };
	struct lkst_buffer *buffer;
	int ret = -ENOMEM;

	if (!max)
		return -EINVAL;
	lkst_time_refresh();
	if (param->cpu == -1 && param->id == LKST_BUFFER_ID_VOID)
		return lkst_static_buffer_read(param, max, to);

	buffer = lkst_buffer_get(param->cpu, param->id);
	if (!buffer)
		return -EINVAL;
	batch.records = (void *)__get_free_page(GFP_KERNEL);
	if (batch.records)
		ret = lkst_log_copy(buffer, &batch, max, param);
	free_page((unsigned long)batch.records);
	lkst_buffer_put(buffer);
	return ret;
}

/**
 * lkst_buffer_read() - read a buffer into kernel memory (4.7.2.4.1)
 * @lbuffer: what to read and where to, in kernel memory, and what it gets back
 *
 * Each call begins with the oldest record.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: there is no such buffer, no @lbuffer->buffer, or no room for a record
 * there; -ENOMEM.
 */
int lkst_buffer_read(struct lkst_log_buffer *lbuffer)
{
	struct iov_iter to;
	struct kvec area;

	if (!lbuffer || !lbuffer->buffer || lbuffer->read_size > SSIZE_MAX)
		return -EINVAL;
	area.iov_base = (void *)(unsigned long)lbuffer->buffer;
	area.iov_len = lbuffer->read_size;
	iov_iter_kvec(&to, ITER_DEST, &area, 1, lbuffer->read_size);
	return lkst_log_read(lbuffer, &to);
}
EXPORT_SYMBOL_GPL(lkst_buffer_read);
