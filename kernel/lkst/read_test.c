// SPDX-License-Identifier: GPL-2.0
/*
 * Records that are copied out of a closed ring, many at a time.
 */
#include <kunit/test.h>
#include <linux/slab.h>

#include "context.h"
#include "read.h"
#include "record.h"

#define SLOTS		8
#define RECORDS		(SLOTS + 3)	/* the ring has gone round */
#define OLDEST		(RECORDS - SLOTS)
#define FIRST_RECID	0x12345fff0	/* its low bits come to an end among them */

struct read_test {
	struct lkst_ring ring;
	struct lkst_cursor cursor;
	struct lkst_event_record records[SLOTS];
	struct lkst_event_record copy[SLOTS];
};

/* As if in a softirq. */
static void write_record(struct read_test *t, u64 arg)
{
	preempt_disable();
	preempt_count_add(SOFTIRQ_OFFSET);
	lkst_ring_write(&t->ring, 0x123, 1, arg, arg + 1, arg + 2, arg + 3);
	preempt_count_sub(SOFTIRQ_OFFSET);
	preempt_enable();
}

/* A closed ring, and a cursor at its oldest record. */
static struct read_test *closed_ring(struct kunit *test)
{
	struct read_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	u64 i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, t);
	lkst_ring_init(&t->ring, t->records, SLOTS, LKST_CLOCK_NS);
	t->cursor.ring = &t->ring;
	t->cursor.stretch.first = lkst_ring_position(&t->ring, lkst_ring_next(&t->ring));
	for (i = 0; i < RECORDS; i++)
		write_record(t, i);
	lkst_ring_close(&t->ring);
	t->cursor.stretch.first_recid = FIRST_RECID;
	t->cursor.end = lkst_ring_position(&t->ring, lkst_ring_next(&t->ring));
	lkst_cursor_seek(&t->cursor, t->cursor.end - SLOTS);
	return t;
}

static unsigned int copy(struct read_test *t, unsigned int max)
{
	return lkst_cursor_copy(&t->cursor, t->copy, max);
}

/* The copy begins with those that were written as so many-th ones. */
static void expect_copied(struct kunit *test, const struct read_test *t, unsigned int from,
			  unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		const struct lkst_event_record *record = &t->copy[i];
		u16 recid = (u16)(FIRST_RECID + from + i) << LKST_RECORD_LAP_SHIFT;

		KUNIT_EXPECT_EQ(test, record->event_type, 0x123);
		KUNIT_EXPECT_EQ(test, record->flags, (u16)(LKST_RECORD_SOFTIRQ | recid));
		KUNIT_EXPECT_EQ(test, record->arg[0], from + i);
		KUNIT_EXPECT_EQ(test, record->arg[3], from + i + 3);
	}
}

static void records_come_as_they_are(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	KUNIT_EXPECT_EQ(test, copy(t, 2), 2);
	expect_copied(test, t, OLDEST, 2);
	/* As far as the last slot, and then from the first. */
	KUNIT_EXPECT_EQ(test, copy(t, SLOTS), SLOTS - OLDEST - 2);
	expect_copied(test, t, OLDEST + 2, SLOTS - OLDEST - 2);
	KUNIT_EXPECT_EQ(test, copy(t, SLOTS), OLDEST);
	expect_copied(test, t, SLOTS, OLDEST);
	KUNIT_EXPECT_EQ(test, t->cursor.position, t->cursor.end);
}

static void the_end_is_not_passed(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	lkst_cursor_seek(&t->cursor, t->cursor.end - 1);
	KUNIT_EXPECT_EQ(test, copy(t, SLOTS), 1);
	expect_copied(test, t, RECORDS - 1, 1);
}

/* Then the cursor stays where it is. */
static void expect_one_by_one(struct kunit *test, struct read_test *t)
{
	u64 position = t->cursor.position;

	KUNIT_EXPECT_EQ(test, copy(t, SLOTS), 0);
	KUNIT_EXPECT_EQ(test, t->cursor.position, position);
}

static void nothing_is_copied_beside_a_writer(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	t->ring.index |= LKST_INDEX_BUSY;
	expect_one_by_one(test, t);
	lkst_ring_leave(&t->ring);
	KUNIT_EXPECT_GT(test, copy(t, SLOTS), 0);
}

static void what_is_not_whole_is_not_copied(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	*lkst_commit_word(&t->records[OLDEST + 1]) = 0;
	expect_one_by_one(test, t);
	KUNIT_EXPECT_EQ(test, copy(t, 1), 1);
	expect_one_by_one(test, t);
}

static void another_lap_is_not_copied(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	t->records[OLDEST + 1].flags ^= 1 << LKST_RECORD_LAP_SHIFT;
	expect_one_by_one(test, t);
	KUNIT_EXPECT_EQ(test, copy(t, 1), 1);
	expect_one_by_one(test, t);
}

/* In its slot is a record that looks like it. */
static void what_was_dropped_is_not_copied(struct kunit *test)
{
	struct read_test *t = closed_ring(test);

	t->ring.drop_from = t->cursor.stretch.first + OLDEST + 1;
	t->ring.dropped = 1;
	expect_one_by_one(test, t);
	KUNIT_EXPECT_EQ(test, copy(t, 1), 1);
	expect_one_by_one(test, t);
	lkst_cursor_advance(&t->cursor, 1);
	KUNIT_EXPECT_EQ(test, copy(t, SLOTS), SLOTS - OLDEST - 2);
	expect_copied(test, t, OLDEST + 2, SLOTS - OLDEST - 2);
}

static struct kunit_case read_test_cases[] = {
	KUNIT_CASE(records_come_as_they_are),
	KUNIT_CASE(the_end_is_not_passed),
	KUNIT_CASE(nothing_is_copied_beside_a_writer),
	KUNIT_CASE(what_is_not_whole_is_not_copied),
	KUNIT_CASE(another_lap_is_not_copied),
	KUNIT_CASE(what_was_dropped_is_not_copied),
	{}
};

static struct kunit_suite read_test_suite = {
	.name = "lkst-read",
	.test_cases = read_test_cases,
};

kunit_test_suites(&read_test_suite);
