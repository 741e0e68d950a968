/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cursors: read the records of a buffer.
 */
#ifndef _LKST_CURSOR_H
#define _LKST_CURSOR_H

#include <linux/lkst_buffer.h>

#include "buffer.h"

/**
 * struct lkst_cursor - a reader's position in a buffer
 * @ring: ring of the buffer
 * @session: session of the buffer at the time of lkst_cursor_init()
 * @position: position of the next record
 * @end: position at which to stop
 * @seq: session_seq of the buffer at the time of lkst_cursor_init()
 * @index: index of the next record, in normal form
 */
struct lkst_cursor {
	struct lkst_ring *ring;
	struct lkst_session session;
	u64 position;
	u64 end;
	unsigned int seq;
	unsigned long index;
};

/*
 * How long a reader waits for a record that is being written, in ns. The writer
 * does not sleep, and takes less than a microsecond unless it is interrupted.
 */
#define LKST_READ_WAIT_NS	50000

/* Number of RAW records that fit into a page. */
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

#endif
