// SPDX-License-Identifier: GPL-2.0
/*
 * LKST_IOC_BUFFER_READ of a long ring copies its records in the format that
 * they have in memory. LKST_IOC_LONG_STATUS describes a long ring.
 */
#include <linux/gfp.h>
#include <linux/math64.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uio.h>

#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "../buffer/long_ring.h"
#include "log.h"

/*
 * Copy at most a page of records at the cursor to @page, and advance the
 * cursor. A record that cannot be read becomes a hole, whose clock is 0.
 * Returns the number of records and holes.
 */
static unsigned int lkst_long_copy(struct lkst_cursor *cursor, struct lkst_event_record *page,
				   struct lkst_log_buffer *param)
{
	unsigned int num;

	for (num = 0; num < LKST_PAGE_RECORDS && cursor->position < cursor->end; num++) {
		switch (lkst_cursor_read(cursor, &page[num])) {
		case LKST_RING_READ:
			break;
		case LKST_RING_LAPPED:
			param->overwritten++;
			page[num] = (struct lkst_event_record) {};
			break;
		case LKST_RING_PENDING:
			if (lkst_ring_was_dropped(cursor->ring, cursor->position))
				param->dropped++;
			else
				param->unfinished++;
			page[num] = (struct lkst_event_record) {};
			break;
		}
		lkst_cursor_advance(cursor, 1);
	}
	return num;
}

static int lkst_long_read_ring(struct lkst_buffer *buffer, struct lkst_event_record *page, u64 max,
			       struct lkst_log_buffer *param, struct iov_iter *to)
{
	struct lkst_timebase timebase;
	struct lkst_cursor cursor;
	u64 done = 0;

	lkst_cursor_init(&cursor, buffer);
	if (cursor.end - cursor.position > max)
		lkst_cursor_advance(&cursor, cursor.end - cursor.position - max);
	param->dropped = lkst_cursor_dropped(&cursor);
	param->overwritten = cursor.position - cursor.session.first - param->dropped;
	param->unfinished = 0;
	while (cursor.position < cursor.end && !fatal_signal_pending(current)) {
		size_t bytes = lkst_long_copy(&cursor, page, param) * sizeof(*page);

		if (copy_to_iter(page, bytes, to) != bytes)
			return -EINVAL;
		done += bytes;
		cond_resched();
	}
	lkst_log_timebase(&timebase, cursor.session.clock, &cursor.session.start);
	lkst_log_describe(param, &timebase);
	param->first_recid = cursor.session.first_recid;
	param->recorded = cursor.position - cursor.session.first;
	param->result_read_size = done;
	return 0;
}

/**
 * lkst_long_read() - read a long ring
 * @param: the CPU, and the number of bytes for which @to has room; receives the
 *	counts
 * @to: destination
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if the CPU has no long ring, or if @to has no room for a
 * record or cannot be written; -ENOMEM if no page could be allocated.
 */
int lkst_long_read(struct lkst_log_buffer *param, struct iov_iter *to)
{
	u64 max = div_u64(param->read_size, sizeof(struct lkst_event_record));
	struct lkst_event_record *page;
	struct lkst_buffer *buffer;
	int ret = -ENOMEM;

	if (!max)
		return -EINVAL;
	buffer = lkst_long_get(param->cpu);
	if (!buffer)
		return -EINVAL;
	page = (void *)__get_free_page(GFP_KERNEL);
	if (page)
		ret = lkst_long_read_ring(buffer, page, max, param, to);
	free_page((unsigned long)page);
	lkst_buffer_put(buffer);
	return ret;
}

/*
 * Return the time of the oldest record that can be read, as CLOCK_REALTIME in
 * ns. If the ring has no record, return the start of its session.
 */
static s64 lkst_long_since(struct lkst_cursor *cursor)
{
	u64 clock = lkst_time_clock(&cursor->session.start, cursor->session.clock);
	struct lkst_event_record record;

	for (; cursor->position < cursor->end; lkst_cursor_advance(cursor, 1)) {
		if (lkst_cursor_read(cursor, &record) == LKST_RING_READ) {
			clock = record.clock;
			break;
		}
	}
	return lkst_time_to_wall(cursor->session.clock, clock);
}

/**
 * lkst_long_status() - describe the long ring of a CPU
 * @status: the CPU; receives the description
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if @status->cpu is not a possible CPU.
 */
int lkst_long_status(struct lkst_long_status *status)
{
	struct lkst_buffer *buffer;
	struct lkst_cursor cursor;

	if (!lkst_cpu_valid(status->cpu))
		return -EINVAL;
	*status = (struct lkst_long_status) { .cpu = status->cpu };
	buffer = lkst_long_get(status->cpu);
	if (!buffer)
		return 0;
	lkst_time_refresh();
	lkst_cursor_init(&cursor, buffer);
	status->size = buffer->region.size;
	status->records = cursor.end - cursor.position;
	status->left_out = lkst_long_left_out(status->cpu);
	status->since = lkst_long_since(&cursor);
	lkst_buffer_put(buffer);
	return 0;
}
