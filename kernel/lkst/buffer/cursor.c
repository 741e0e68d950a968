// SPDX-License-Identifier: GPL-2.0
/*
 * Cursors: read the records of a buffer one by one, while the CPU may overwrite
 * them.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "buffer.h"
#include "cursor.h"

/**
 * lkst_cursor_seek() - move to a position in the ring
 * @cursor: cursor whose ring is set
 * @position: new position
 */
void lkst_cursor_seek(struct lkst_cursor *cursor, u64 position)
{
	u64 lap, slot;

	lap = div64_u64_rem(position, cursor->ring->slots, &slot);
	cursor->position = position;
	cursor->index = (unsigned long)lap << LKST_SLOT_BITS | (unsigned long)slot;
}

/**
 * lkst_cursor_init() - set up a cursor at the oldest record of a buffer
 * @cursor: set up here; ends after the newest record
 * @buffer: must stay valid while the cursor is used
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
		/*
		 * If the CPU changes the session during this copy, the loop
		 * copies it again.
		 */
		cursor->session = data_race(buffer->session);
		next = lkst_ring_next(ring);
		cursor->end = lkst_ring_position(ring, next);
	} while (read_seqcount_retry(&buffer->session_seq, cursor->seq));
	back = min_t(u64, cursor->end - cursor->session.first, ring->slots);
	cursor->position = cursor->end - back;
	cursor->index = lkst_index_back(next, back, ring->slots);
}

/**
 * lkst_cursor_advance() - skip records
 * @cursor: stops at its end
 * @num: number of records, at most a lap
 */
void lkst_cursor_advance(struct lkst_cursor *cursor, unsigned long num)
{
	num = min_t(u64, num, cursor->end - cursor->position);
	cursor->position += num;
	cursor->index = lkst_index_normal(cursor->index + num, cursor->ring->slots);
}

/**
 * lkst_cursor_intact() - check whether copied records are valid
 * @cursor: where the copy began
 *
 * Records that were copied, starting at the cursor, are valid if the CPU has
 * not reused the buffer since lkst_cursor_init(), and has not begun to
 * overwrite the record at the cursor. Then it has not overwritten later records
 * either.
 *
 * Context: any. The caller must keep the buffer from being freed.
 *
 * Return: whether the records are valid.
 */
bool lkst_cursor_intact(const struct lkst_cursor *cursor)
{
	const struct lkst_buffer *buffer = container_of(cursor->ring, struct lkst_buffer, ring);

	/*
	 * Check after copying. Before a writer changes any of the copied
	 * records, it has advanced the index (see lkst_ring_fill()), or the CPU
	 * has begun another session.
	 */
	smp_rmb();
	return lkst_ring_position(cursor->ring, lkst_ring_next(cursor->ring)) - cursor->position <=
		       cursor->ring->slots &&
	       !read_seqcount_retry(&buffer->session_seq, cursor->seq);
}

/* Return the recid of the record at the cursor. */
u64 lkst_cursor_recid(const struct lkst_cursor *cursor)
{
	return cursor->session.first_recid + (cursor->position - cursor->session.first);
}

/* Return the recid after the cursor's last record. */
u64 lkst_cursor_end_recid(const struct lkst_cursor *cursor)
{
	return cursor->session.first_recid + (cursor->end - cursor->session.first);
}

/*
 * Whether a record may be from an old session. A session need not use all
 * slots, so an unused slot may contain a record from thousands of sessions ago
 * with the same lap bits. The timestamp of such a record is before the start of
 * this session. But a record of this session that was written after the clock
 * had gone back may have such a timestamp, too.
 */
static bool lkst_cursor_may_be_stale(const struct lkst_cursor *cursor,
				     const struct lkst_event_record *record)
{
	return record->clock < lkst_time_clock(&cursor->session.start, cursor->session.clock);
}

/**
 * lkst_cursor_read() - copy the record at the cursor
 * @cursor: must be before its end
 * @record: receives the copy
 *
 * Like lkst_ring_read(), but waits a short time for a record that is being
 * written. If no writer is active, a pending record was dropped.
 *
 * Context: process, any CPU.
 *
 * Return: as for lkst_ring_read().
 */
enum lkst_ring_read lkst_cursor_read(const struct lkst_cursor *cursor,
				     struct lkst_event_record *record)
{
	enum lkst_ring_read result;
	bool idle;
	u64 until;

	/*
	 * Do not read the slot of a dropped record. It contains an older
	 * record, whose lap bits match by chance if it is 2^11 laps old.
	 */
	if (lkst_ring_was_dropped(cursor->ring, cursor->position))
		return LKST_RING_PENDING;
	result = lkst_ring_read(cursor->ring, cursor->index, record);
	if (result == LKST_RING_LAPPED ||
	    (result == LKST_RING_READ && !lkst_cursor_may_be_stale(cursor, record)))
		return result;

	until = ktime_get_ns() + LKST_READ_WAIT_NS;
	do {
		cpu_relax();
		/*
		 * Check for writers before reading: once no writer is active,
		 * the slot does not change until it is overwritten.
		 */
		idle = lkst_ring_idle(cursor->ring);
		result = lkst_ring_read(cursor->ring, cursor->index, record);
		if (result == LKST_RING_READ && !idle && lkst_cursor_may_be_stale(cursor, record))
			result = LKST_RING_PENDING;
	} while (result == LKST_RING_PENDING && !idle && ktime_get_ns() < until);
	return result;
}

/*
 * Return how many of the session's records before the cursor were dropped.
 * While the CPU is recording, the result may be wrong, because the counters are
 * not read at the same time.
 */
u64 lkst_cursor_dropped(const struct lkst_cursor *cursor)
{
	u64 since = lkst_ring_dropped_since(cursor->ring, cursor->position) +
		    cursor->session.dropped;
	u64 dropped = READ_ONCE(cursor->ring->dropped);

	return since < dropped ? min(dropped - since, cursor->position - cursor->session.first) : 0;
}
