// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the record path, which call the same functions as the rest of
 * LKST. The unit test test_record in tests/unit interrupts the record path
 * between any two instructions.
 */

#include "../base/suite_test.h"
#include "context.h"
#include "record.h"

#define SLOTS	5	/* not a power of two */

static struct lkst_ring *record_test_ring(struct kunit *test)
{
	struct lkst_ring *ring = test_alloc(test, sizeof(*ring));

	lkst_ring_init(ring, test_alloc(test, SLOTS * sizeof(*ring->records)), SLOTS,
		       LKST_CLOCK_NS);
	return ring;
}

/* Write a record as if in a softirq. */
static enum lkst_ring_write record_test_write(struct lkst_ring *ring, u64 arg)
{
	enum lkst_ring_write result;

	preempt_disable();
	preempt_count_add(SOFTIRQ_OFFSET);
	result = lkst_ring_write(ring, 0x123, 1, arg, arg + 1, arg + 2, arg + 3);
	preempt_count_sub(SOFTIRQ_OFFSET);
	preempt_enable();
	return result;
}

/* Put the ring in the state where an outermost writer has reserved its slot. */
static void record_test_begin(struct lkst_ring *ring)
{
	ring->floor = lkst_ring_next(ring);
	ring->index = (ring->floor + 1) | LKST_INDEX_BUSY;
}

/* Return the position of the next record. */
static u64 record_test_next(const struct lkst_ring *ring)
{
	return lkst_ring_position(ring, lkst_ring_next(ring));
}

static void record_is_what_was_written(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	struct lkst_event_record record;
	u64 before = ktime_get_mono_fast_ns();

	KUNIT_EXPECT_EQ(test, record_test_write(ring, 42), LKST_RING_LAP);
	KUNIT_ASSERT_EQ(test, lkst_ring_read(ring, 0, &record), LKST_RING_READ);
	KUNIT_EXPECT_EQ(test, record.event_type, 0x123);
	KUNIT_EXPECT_EQ(test, record.flags, LKST_RECORD_SOFTIRQ);
	KUNIT_EXPECT_EQ(test, record.thread, current->pid);
	KUNIT_EXPECT_EQ(test, record.pid, current->tgid);
	KUNIT_EXPECT_EQ(test, record.pgrp, task_pgrp_nr(current));
	KUNIT_EXPECT_EQ(test, record.uid, current_euid().val);
	KUNIT_EXPECT_EQ(test, record.gid, current_egid().val);
	KUNIT_EXPECT_EQ(test, record.arg[0], 42);
	KUNIT_EXPECT_EQ(test, record.arg[3], 45);
	KUNIT_EXPECT_GE(test, record.clock, before);
	KUNIT_EXPECT_LE(test, record.clock, ktime_get_mono_fast_ns());
}

static void empty_slot_is_pending(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	struct lkst_event_record record;

	KUNIT_EXPECT_EQ(test, lkst_ring_read(ring, 0, &record), LKST_RING_PENDING);
	KUNIT_EXPECT_EQ(test, record_test_next(ring), 0);
}

/*
 * Return the expected result of writing the record at @position. It depends on
 * whether the record is the first of a lap or of the second half.
 */
static enum lkst_ring_write record_test_expected(u64 position)
{
	switch (position % SLOTS) {
	case 0:
		return LKST_RING_LAP;
	case SLOTS - SLOTS / 2:
		return LKST_RING_HALF;
	default:
		return LKST_RING_WRITTEN;
	}
}

static void ring_wraps(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	struct lkst_event_record record;
	unsigned long index, next;
	u64 recid;

	for (recid = 0; recid < 3 * SLOTS + 2; recid++)
		KUNIT_EXPECT_EQ(test, record_test_write(ring, recid),
				record_test_expected(recid));

	next = lkst_ring_next(ring);
	KUNIT_EXPECT_EQ(test, lkst_ring_position(ring, next), recid);
	for (index = 0, recid = 0; index != next; recid++) {
		enum lkst_ring_read result = lkst_ring_read(ring, index, &record);

		KUNIT_EXPECT_EQ(test, lkst_ring_position(ring, index), recid);
		if (recid < 2 * SLOTS + 2) {
			KUNIT_EXPECT_EQ(test, result, LKST_RING_LAPPED);
		} else {
			KUNIT_EXPECT_EQ(test, result, LKST_RING_READ);
			KUNIT_EXPECT_EQ(test, record.arg[0], recid);
		}
		index = lkst_index_normal(index + 1, SLOTS);
	}
}

static void recid_outgrows_the_index(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	u64 lap = (u64)LKST_LAP_MASK + 1;

	/* After one more record, the lap overflows its bits in the index. */
	ring->index = LKST_LAP_MASK << LKST_SLOT_BITS | (SLOTS - 1);
	ring->lap_long = LKST_LAP_MASK;
	KUNIT_EXPECT_EQ(test, record_test_next(ring), lap * SLOTS - 1);
	record_test_write(ring, 1);
	record_test_write(ring, 2);
	KUNIT_EXPECT_EQ(test, record_test_next(ring), lap * SLOTS + 1);
}

/*
 * No other writer gets the slot of an interrupted writer: records that would
 * need that slot are dropped.
 */
static void interrupted_writer_keeps_its_slot(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	u64 next, oldest;

	record_test_write(ring, 0);
	record_test_begin(ring);
	for (u64 i = 2; i < 2 + SLOTS + 3; i++)
		record_test_write(ring, i);
	KUNIT_EXPECT_FALSE(test, lkst_ring_idle(ring));
	lkst_ring_leave(ring);

	/*
	 * The records at positions 1 to 5 are the lap that begins at the floor.
	 * The records at 6 to 9 were dropped.
	 */
	next = record_test_next(ring);
	oldest = next - SLOTS;
	KUNIT_EXPECT_EQ(test, next, 10);
	KUNIT_EXPECT_EQ(test, ring->dropped, 4);
	KUNIT_EXPECT_EQ(test, lkst_ring_dropped_since(ring, oldest), 4);
	KUNIT_EXPECT_EQ(test, lkst_ring_dropped_since(ring, oldest + 2), 3);

	/* The next lap is written normally and replaces the dropped records. */
	for (u64 i = 0; i < SLOTS; i++)
		record_test_write(ring, i);
	KUNIT_EXPECT_EQ(test, ring->dropped, 4);
	KUNIT_EXPECT_EQ(test, lkst_ring_dropped_since(ring, next), 0);
}

/* A closed ring keeps its records and accepts no others. */
static void closed_ring_accepts_nothing(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	struct lkst_event_record record;
	unsigned long end;

	record_test_write(ring, 1);
	record_test_write(ring, 2);
	end = lkst_ring_close(ring);
	KUNIT_EXPECT_EQ(test, lkst_ring_position(ring, end), 2);
	KUNIT_EXPECT_EQ(test, record_test_write(ring, 3), LKST_RING_CLOSED);
	KUNIT_EXPECT_EQ(test, record_test_write(ring, 4), LKST_RING_CLOSED);
	KUNIT_EXPECT_EQ(test, lkst_ring_next(ring), end);
	KUNIT_EXPECT_TRUE(test, lkst_ring_idle(ring));
	KUNIT_EXPECT_EQ(test, lkst_ring_read(ring, 1, &record), LKST_RING_READ);
	KUNIT_EXPECT_EQ(test, record.arg[0], 2);
}

/* A full ring ends where the next lap would start. */
static void full_ring_is_closed(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);

	for (u64 i = 0; i < SLOTS; i++)
		record_test_write(ring, i);
	KUNIT_EXPECT_EQ(test, lkst_ring_close(ring), 1UL << LKST_SLOT_BITS);
	KUNIT_EXPECT_EQ(test, record_test_next(ring), SLOTS);
}

static void ring_is_opened_in_a_new_lap(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	struct lkst_event_record record;
	unsigned long first;

	/* A new ring starts in lap 0. */
	first = lkst_ring_open(ring, 2, LKST_CLOCK_TSC);
	KUNIT_EXPECT_EQ(test, lkst_ring_position(ring, first), 2);
	KUNIT_EXPECT_EQ(test, ring->clock, LKST_CLOCK_TSC);
	lkst_ring_close(ring);
	first = lkst_ring_open(ring, 1, LKST_CLOCK_NS);
	KUNIT_EXPECT_EQ(test, lkst_ring_position(ring, first), SLOTS + 1);
	KUNIT_EXPECT_EQ(test, ring->clock, LKST_CLOCK_NS);

	KUNIT_EXPECT_EQ(test, record_test_write(ring, 1), LKST_RING_WRITTEN);
	KUNIT_EXPECT_EQ(test, lkst_ring_read(ring, first, &record), LKST_RING_READ);
	KUNIT_EXPECT_EQ(test, record.arg[0], 1);
	/*
	 * Slot 0 was skipped. It is written last, as the first slot of the next
	 * lap.
	 */
	for (u64 i = 2; i <= SLOTS; i++)
		KUNIT_EXPECT_EQ(test, record_test_write(ring, i), record_test_expected(i));
	KUNIT_EXPECT_EQ(test, record_test_next(ring), 2 * SLOTS + 1);
	KUNIT_EXPECT_EQ(test, ring->dropped, 0);
}

/*
 * A writer that has reserved its slot is interrupted by a shift. It can still
 * finish its record.
 */
static void interrupted_writer_finishes_in_a_closed_ring(struct kunit *test)
{
	struct lkst_ring *ring = record_test_ring(test);
	u64 from, to;

	record_test_begin(ring);
	for (u64 i = 1; i < SLOTS; i++)
		record_test_write(ring, i);
	/*
	 * Simulate a nested writer that was interrupted before it could count
	 * its drop.
	 */
	ring->index++;
	lkst_ring_close(ring);
	KUNIT_EXPECT_FALSE(test, lkst_ring_idle(ring));
	lkst_ring_closed_drops(ring, &from, &to);
	KUNIT_EXPECT_EQ(test, from, SLOTS);
	KUNIT_EXPECT_EQ(test, to, SLOTS + 1);
}

static struct kunit_case record_test_cases[] = {
	KUNIT_CASE(record_is_what_was_written),
	KUNIT_CASE(empty_slot_is_pending),
	KUNIT_CASE(ring_wraps),
	KUNIT_CASE(recid_outgrows_the_index),
	KUNIT_CASE(interrupted_writer_keeps_its_slot),
	KUNIT_CASE(closed_ring_accepts_nothing),
	KUNIT_CASE(full_ring_is_closed),
	KUNIT_CASE(ring_is_opened_in_a_new_lap),
	KUNIT_CASE(interrupted_writer_finishes_in_a_closed_ring),
	{}
};

LKST_TEST_SUITE("lkst-record", record_test_cases);
