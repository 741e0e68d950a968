// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the long ring of this CPU. They use the running kernel's LKST,
 * and overwrite the records in the ring.
 */
#include <linux/irqflags.h>

#include "../base/suite_test.h"
#include "../read/log.h"
#include "buffer.h"
#include "cursor.h"
#include "long_ring.h"

/* These tests run in User Mode Linux, which has one CPU. */
#define CPU		0
#define SLOTS		(LKST_LONG_SIZE / sizeof(struct lkst_event_record))
#define BURST		(SLOTS / 16)
#define HOUR_MS		(60 * 60 * 1000)

static int long_ring_test_init(struct kunit *test)
{
	KUNIT_ASSERT_NOT_NULL(test, lkst_long_peek(CPU));
	KUNIT_ASSERT_EQ(test, lkst_long_peek(CPU)->ring.slots, SLOTS);
	return 0;
}

/* Give the next test a full budget. */
static void long_ring_test_exit(struct kunit *test)
{
	preempt_disable();
	lkst_long_refill(HOUR_MS, 0);
	preempt_enable();
}

/*
 * Generate @num events whose first argument counts up from 0. Return how many
 * of them were left out of the long ring.
 */
static unsigned long left_out_of(int etype, unsigned int num)
{
	unsigned long before = lkst_long_left_out(CPU);

	for (unsigned int i = 0; i < num; i++)
		lkst_long_record(etype, 0, i, 0, 0, 0);
	return lkst_long_left_out(CPU) - before;
}

static const struct {
	u64 ms;
	unsigned int times;
	unsigned int records;
	unsigned int budget;
} refills[] = {
	{ 0, 1, 0, 0 },
	/* An hour fills 15/16 of the ring: one record every 234.4 ms. */
	{ 234, 1, 0, 0 },
	{ 235, 1, 0, 1 },
	{ 1000, 1, 0, 4 },
	/* The next refill adds the fraction of a record that is left. */
	{ 234, 2, 0, 1 },
	{ 1000, 30, 0, 128 },
	/* Records that the caller adds use up the budget. */
	{ 1000, 1, 2, 2 },
	{ 1000, 1, 4, 0 },
	{ 1000, 1, 100, 0 },
	{ HOUR_MS / 15, 1, 0, BURST },
	{ HOUR_MS / 15, 1, 100, BURST - 100 },
	/* The budget never exceeds a burst. */
	{ HOUR_MS, 1, 0, BURST },
	{ U64_MAX, 1, 0, BURST },
};

static void budget_is_refilled(struct kunit *test)
{
	unsigned long flags, left_out;
	unsigned int reported;

	for (int i = 0; i < ARRAY_SIZE(refills); i++) {
		local_irq_save(flags);
		lkst_long_refill(HOUR_MS, 0);
		left_out_of(LKST_ETYPE_USER_MARK, BURST);	/* use up the budget */
		lkst_long_report(lkst_long_unreported());
		for (unsigned int time = 0; time < refills[i].times; time++)
			lkst_long_refill(refills[i].ms, refills[i].records);
		left_out = left_out_of(LKST_ETYPE_USER_MARK, refills[i].budget + 3);
		reported = lkst_long_unreported();
		local_irq_restore(flags);
		KUNIT_EXPECT_EQ_MSG(test, left_out, 3UL, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, reported, 3U, "row %d", i);
	}
}

/* Events that come in bursts leave a quarter of the budget to other events. */
static void bursts_leave_budget(struct kunit *test)
{
	unsigned long flags, forks, marks;

	local_irq_save(flags);
	lkst_long_refill(HOUR_MS, 0);
	forks = left_out_of(LKST_ETYPE_PROCESS_FORK, BURST);
	marks = left_out_of(LKST_ETYPE_USER_MARK, BURST);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, forks, BURST / 4);
	KUNIT_EXPECT_EQ(test, marks, BURST / 4 * 3);
}

static void last_events_need_no_budget(struct kunit *test)
{
	static const int etypes[] = {
		LKST_ETYPE_LKST_DIGEST, LKST_ETYPE_LKST_DIGEST_SYSTEM, LKST_ETYPE_OOPS_DIE,
		LKST_ETYPE_OOPS_PANIC,
	};
	unsigned long flags, left_out;

	for (int i = 0; i < ARRAY_SIZE(etypes); i++) {
		local_irq_save(flags);
		left_out_of(LKST_ETYPE_USER_MARK, BURST);
		left_out = left_out_of(etypes[i], 10);
		local_irq_restore(flags);
		KUNIT_EXPECT_EQ_MSG(test, left_out, 0UL, "row %d", i);
	}
}

/* Types that the long rings do not take use no budget and are not counted. */
static void other_events_are_ignored(struct kunit *test)
{
	const struct lkst_ring *ring = &lkst_long_peek(CPU)->ring;
	unsigned long flags, before, after, left_out;

	local_irq_save(flags);
	lkst_long_refill(HOUR_MS, 0);
	before = lkst_ring_next(ring);
	left_out = left_out_of(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 10);
	after = lkst_ring_next(ring);
	left_out += left_out_of(LKST_ETYPE_USER_MARK, BURST);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, after, before);
	KUNIT_EXPECT_EQ(test, left_out, 0UL);
}

/*
 * A full ring still has its first session, and its recids continue.
 * The second record of each lap is LKST_SYNC_TIME.
 */
static void full_ring_has_one_session(struct kunit *test)
{
	struct lkst_buffer *buffer = lkst_long_peek(CPU);
	struct lkst_long_status status = { .cpu = CPU };
	unsigned int digests = 0, times = 0, others = 0;
	struct lkst_event_record record;
	struct lkst_cursor cursor;
	unsigned long flags;
	u64 begin, end, last;

	local_irq_save(flags);
	left_out_of(LKST_ETYPE_LKST_DIGEST, SLOTS + 100);
	lkst_cursor_init(&cursor, buffer);
	begin = lkst_cursor_recid(&cursor);
	end = lkst_cursor_end_recid(&cursor);
	for (last = 0; cursor.position < cursor.end; lkst_cursor_advance(&cursor, 1)) {
		if (lkst_cursor_read(&cursor, &record) != LKST_RING_READ)
			others++;
		else if (record.event_type == LKST_ETYPE_LKST_SYNC_TIME)
			times++;
		else if (record.event_type == LKST_ETYPE_LKST_DIGEST &&
			 (!digests || record.arg[0] == last + 1))
			digests++;
		else
			others++;
		last = record.event_type == LKST_ETYPE_LKST_DIGEST ? record.arg[0] : last;
	}
	local_irq_restore(flags);

	KUNIT_EXPECT_EQ(test, end - begin, SLOTS);
	KUNIT_EXPECT_EQ(test, last, SLOTS + 99);
	KUNIT_EXPECT_EQ(test, times, 1U);
	KUNIT_EXPECT_EQ(test, digests, SLOTS - 1);
	KUNIT_EXPECT_EQ(test, others, 0U);
	KUNIT_EXPECT_EQ(test, cursor.session.first_recid, 0ULL);
	KUNIT_EXPECT_EQ(test, cursor.session.clock, LKST_CLOCK_NS);
	KUNIT_EXPECT_EQ(test, buffer->id, LKST_BUFFER_ID_LONG);
	KUNIT_EXPECT_EQ(test, lkst_buffer_state(buffer), LKST_BUFFER_WRITTEN);

	KUNIT_ASSERT_EQ(test, lkst_long_status(&status), 0);
	KUNIT_EXPECT_EQ(test, status.size, LKST_LONG_SIZE);
	KUNIT_EXPECT_EQ(test, status.records, SLOTS);
	KUNIT_EXPECT_GT(test, status.since, 0);
	status.cpu = nr_cpu_ids;
	KUNIT_EXPECT_EQ(test, lkst_long_status(&status), -EINVAL);
}

static struct kunit_case long_ring_test_cases[] = {
	KUNIT_CASE(budget_is_refilled),
	KUNIT_CASE(bursts_leave_budget),
	KUNIT_CASE(last_events_need_no_budget),
	KUNIT_CASE(other_events_are_ignored),
	KUNIT_CASE(full_ring_has_one_session),
	{}
};

LKST_TEST_SUITE("lkst-long-ring", long_ring_test_cases, .init = long_ring_test_init,
		.exit = long_ring_test_exit);
