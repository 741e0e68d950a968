/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records on their way out of the buffers.
 */
#ifndef _LKST_CURSOR_H
#define _LKST_CURSOR_H

#include <linux/lkst_buffer.h>

#include "buffer.h"

struct iov_iter;

/**
 * struct lkst_cursor - a reader on its way through what a buffer holds
 * @ring: what it reads
 * @stretch: of the buffer, when it began
 * @position: of the next record
 * @end: where it stops
 * @seq: of the buffer's stretch
 * @index: the next record's place
 */
struct lkst_cursor {
	struct lkst_ring *ring;
	struct lkst_session stretch;
	u64 position;
	u64 end;
	unsigned int seq;
	unsigned long index;
};

/*
 * How long a reader waits for a record that is being written. Its writer does not sleep
 * and takes less than a microsecond, unless it was interrupted.
 */
#define LKST_READ_WAIT_NS	50000

/* RAW records that a page holds. */
#define LKST_PAGE_RECORDS	(PAGE_SIZE / sizeof(struct lkst_event_record))

void lkst_cursor_init(struct lkst_cursor *cursor, struct lkst_buffer *buffer);
void lkst_cursor_seek(struct lkst_cursor *cursor, u64 position);
void lkst_cursor_advance(struct lkst_cursor *cursor, unsigned long num);
enum lkst_ring_read lkst_cursor_read(const struct lkst_cursor *cursor,
				     struct lkst_event_record *record);
bool lkst_cursor_intact(const struct lkst_cursor *cursor);
u64 lkst_cursor_recid(const struct lkst_cursor *cursor);
u64 lkst_cursor_end_recid(const struct lkst_cursor *cursor);
u64 lkst_cursor_dropped(const struct lkst_cursor *cursor);

/* What a reader needs to know to date records. */
struct lkst_dating {
	struct lkst_timeval xtime;
	u64 tsc;
	u64 cpu_freq;
	u32 clock;
};

void lkst_log_date(struct lkst_dating *dating, unsigned int clock, const struct lkst_time *start);
void lkst_log_describe(struct lkst_log_buffer *param, unsigned int clock,
		       const struct lkst_time *start);
void lkst_log_expand(struct lkst_log_record *out, const struct lkst_event_record *record,
		     u64 recid, int cpu, unsigned int clock);
int lkst_log_read(struct lkst_log_buffer *param, struct iov_iter *to);

#endif
