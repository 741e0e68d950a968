// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of cursors, which read records from a closed ring one by one.
 */
#include <linux/slab.h>

#include "../base/suite_test.h"
#include "../ring/context.h"
#include "cursor.h"
#include "../ring/record.h"

#define SLOTS		8
#define RECORDS		(SLOTS + 3)	/* the ring has wrapped */
#define OLDEST		(RECORDS - SLOTS)
#define FIRST_RECID	0x12345fff0	/* needs more than 32 bits */

struct read_test {
	struct lkst_ring ring;
	struct lkst_cursor cursor;
	struct lkst_event_record records[SLOTS];
};

/* Write a record as if in a softirq. */
static void write_record(struct read_test *t, u64 arg)
{
	preempt_disable();
	preempt_count_add(SOFTIRQ_OFFSET);
	lkst_ring_write(&t->ring, 0x123, 1, arg, arg + 1, arg + 2, arg + 3);
	preempt_count_sub(SOFTIRQ_OFFSET);
	preempt_enable();
}

/* Return a closed ring with a cursor at its oldest record. */
static struct read_test *closed_ring(struct kunit *test)
{
	struct read_test *t = test_alloc(test, sizeof(*t));

	lkst_ring_init(&t->ring, t->records, SLOTS, LKST_CLOCK_NS);
	t->cursor.ring = &t->ring;
	t->cursor.session.first = lkst_ring_position(&t->ring, lkst_ring_next(&t->ring));
	for (u64 i = 0; i < RECORDS; i++)
		write_record(t, i);
	lkst_ring_close(&t->ring);
	t->cursor.session.first_recid = FIRST_RECID;
	t->cursor.end = lkst_ring_position(&t->ring, lkst_ring_next(&t->ring));
	lkst_cursor_seek(&t->cursor, t->cursor.end - SLOTS);
	return t;
}

static enum lkst_ring_read read_next(struct read_test *t, struct lkst_event_record *record)
{
	enum lkst_ring_read result = lkst_cursor_read(&t->cursor, record);

	lkst_cursor_advance(&t->cursor, 1);
	return result;
}

/*
 * Read the next record. Expect the one that was written as number @nth, counted
 * from 0.
 */
static void expect_record(struct kunit *test, struct read_test *t, unsigned int nth)
{
	struct lkst_event_record record;

	KUNIT_EXPECT_EQ(test, lkst_cursor_recid(&t->cursor), FIRST_RECID + nth);
	KUNIT_EXPECT_EQ(test, read_next(t, &record), LKST_RING_READ);
	KUNIT_EXPECT_EQ(test, record.event_type, 0x123);
	KUNIT_EXPECT_EQ(test, record.flags & LKST_RECORD_FLAGS, LKST_RECORD_SOFTIRQ);
	KUNIT_EXPECT_EQ(test, record.arg[0], nth);
	KUNIT_EXPECT_EQ(test, record.arg[3], nth + 3);
}

/*
 * Expect that all records can be read except the second oldest one, for which
 * the read returns @second.
 */
static void expect_all_but_second(struct kunit *test, struct read_test *t,
				  enum lkst_ring_read second)
{
	struct lkst_event_record record;

	expect_record(test, t, OLDEST);
	KUNIT_EXPECT_EQ(test, read_next(t, &record), second);
	for (unsigned int nth = OLDEST + 2; nth < RECORDS; nth++)
		expect_record(test, t, nth);
}

static void records_are_copied_unchanged(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	/* Read up to the last slot, and then continue at the first slot. */
	for (unsigned int nth = OLDEST; nth < RECORDS; nth++)
		expect_record(test, t, nth);
	KUNIT_EXPECT_EQ(test, t->cursor.position, t->cursor.end);
}

static void cursor_stops_at_the_end(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	lkst_cursor_seek(&t->cursor, t->cursor.end - 1);
	lkst_cursor_advance(&t->cursor, SLOTS);
	KUNIT_EXPECT_EQ(test, t->cursor.position, t->cursor.end);
}

static void uncommitted_record_is_pending(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	*lkst_commit_word(&t->records[OLDEST + 1]) = 0;
	expect_all_but_second(test, t, LKST_RING_PENDING);
}

static void record_of_another_lap_is_pending(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	t->records[OLDEST + 1].flags ^= 1 << LKST_RECORD_LAP_SHIFT;
	expect_all_but_second(test, t, LKST_RING_PENDING);
}

static void overwritten_record_is_lapped(struct kunit *test)
{
	struct read_test *t = closed_ring(test);
	struct lkst_event_record record;

	lkst_cursor_seek(&t->cursor, t->cursor.end - SLOTS - 1);
	KUNIT_EXPECT_EQ(test, read_next(t, &record), LKST_RING_LAPPED);
	expect_record(test, t, OLDEST);
}

/* The slot of a dropped record may hold another record that looks valid. */
static void dropped_record_is_pending(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	t->ring.drop_from = t->cursor.session.first + OLDEST + 1;
	t->ring.dropped = 1;
	expect_all_but_second(test, t, LKST_RING_PENDING);
}

/*
 * lkst_index_back() returns the same index as a seek to the position @num
 * records earlier, both within a lap and across its start.
 */
static void back_matches_the_position(struct kunit *test)
{
	struct read_test *t = closed_ring(test);
	unsigned long index;

	for (u64 position = SLOTS; position < 3 * SLOTS; position++) {
		lkst_cursor_seek(&t->cursor, position);
		index = t->cursor.index;
		for (unsigned long num = 0; num <= SLOTS; num++) {
			lkst_cursor_seek(&t->cursor, position - num);
			KUNIT_EXPECT_EQ(test, lkst_index_back(index, num, SLOTS), t->cursor.index);
		}
	}
}

static struct kunit_case read_test_cases[] = {
	KUNIT_CASE(records_are_copied_unchanged),
	KUNIT_CASE(cursor_stops_at_the_end),
	KUNIT_CASE(uncommitted_record_is_pending),
	KUNIT_CASE(record_of_another_lap_is_pending),
	KUNIT_CASE(overwritten_record_is_lapped),
	KUNIT_CASE(dropped_record_is_pending),
	KUNIT_CASE(back_matches_the_position),
	{}
};

LKST_TEST_SUITE("lkst-cursor", read_test_cases);
