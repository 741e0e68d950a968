// SPDX-License-Identifier: GPL-2.0
/*
 * LKST_IOC_BUFFER_READ: copy the records of a buffer, in the form of POSIX
 * 1003.25 (specification 4.7.1.3.1, 4.7.2.4.1).
 */
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uio.h>

#include "../base/compat.h"
#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "log.h"

/*
 * How many times a read may start over because its next record has been
 * overwritten. Each time, the read skips more of the oldest records, because
 * the CPU may write faster than the reader reads.
 */
#define LKST_READ_RESTARTS	16

/**
 * lkst_log_expand() - convert a record to the form of POSIX 1003.25
 * @out: receives the result
 * @record: a committed record
 * @recid: its recid
 * @cpu: CPU that recorded it
 * @clock: enum lkst_clock, clock of its buffer
 *
 * Tables 4-1 and 4-2 of the specification show the form.
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
 * lkst_log_timebase() - get the data with which a reader converts timestamps
 * @timebase: receives the result
 * @clock: enum lkst_clock, clock of the buffer
 * @start: a reading of the clocks, taken at any time
 */
void lkst_log_timebase(struct lkst_timebase *timebase, unsigned int clock,
		       const struct lkst_time *start)
{
	u64 tsc = lkst_time_clock(start, clock);
	struct timespec64 time = ns_to_timespec64(lkst_time_to_wall(clock, tsc));

	*timebase = (struct lkst_timebase) {
		.xtime = { time.tv_sec, time.tv_nsec / NSEC_PER_USEC },
		.tsc = tsc,
		.cpu_freq = lkst_clock_khz(clock),
		.clock = clock,
	};
}

/**
 * struct lkst_batch - records to be copied out, up to a page at a time
 * @records: a page for the records
 * @num: number of records in the page
 * @done: number of records that were copied to @to
 * @to: destination
 */
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
			cursor->session.clock);
	if (batch->num < LKST_BATCH_RECORDS)
		return 0;
	cond_resched();
	return lkst_batch_flush(batch);
}

/*
 * Copy at most @max records of @buffer, starting with the oldest, and set the
 * counts in @param. If a record is overwritten before it has been copied, start
 * over, so that only dropped and unfinished records are missing from the
 * result. After LKST_READ_RESTARTS restarts, the result ends before the next
 * overwritten record. The counts include the records that were skipped, so they
 * add up even while the CPU is recording.
 */
static int lkst_log_copy(struct lkst_buffer *buffer, struct lkst_batch *batch, u64 max,
			 struct lkst_log_buffer *param)
{
	struct iov_iter start = *batch->to;
	struct lkst_timebase timebase;
	unsigned int restarts = 0;
	struct lkst_cursor cursor;
	int ret;

restart:
	lkst_cursor_init(&cursor, buffer);
	lkst_cursor_advance(&cursor, buffer->ring.slots / (LKST_READ_RESTARTS + 1) * restarts);
	param->dropped = lkst_cursor_dropped(&cursor);
	param->overwritten = cursor.position - cursor.session.first - param->dropped;
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
	lkst_log_timebase(&timebase, cursor.session.clock, &cursor.session.start);
	lkst_log_describe(param, &timebase);
	param->first_recid = cursor.session.first_recid;
	param->recorded = cursor.end - cursor.session.first;
	param->result_read_size = batch->done * sizeof(*batch->records);
	return 0;
}

/**
 * lkst_log_read() - read a buffer (4.7.1.3.1)
 * @param: as for lkst_buffer_read(), but @param->buffer is ignored
 * @to: destination with room for @param->read_size bytes
 *
 * Context: may sleep.
 *
 * Return: as for lkst_buffer_read().
 */
int lkst_log_read(struct lkst_log_buffer *param, struct iov_iter *to)
{
	u64 max = div_u64(param->read_size, sizeof(struct lkst_log_record));
	struct lkst_batch batch = { .to = to };
	struct lkst_buffer *buffer;
	int ret = -ENOMEM;

	/* The records of a long ring are returned in another format. */
	if (param->id == LKST_BUFFER_ID_LONG)
		return lkst_long_read(param, to);
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
 * @lbuffer: which buffer to read, and the destination in kernel memory;
 *	receives the counts
 *
 * Each call begins with the oldest record.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if there is no such buffer, or @lbuffer->buffer is NULL or
 * has no room for a record; -ENOMEM.
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
