// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit test of the members of a record that describe its context. Everything
 * else in the record path is tested in user space by tests/unit/record, where
 * the record path can be interrupted between any two instructions.
 */

#include "../base/suite_test.h"
#include "context.h"
#include "record.h"

#define SLOTS	5

static void record_is_what_was_written(struct kunit *test)
{
	struct lkst_ring *ring = test_alloc(test, sizeof(*ring));
	struct lkst_event_record record;
	enum lkst_ring_write result;
	u64 before = ktime_get_mono_fast_ns();

	lkst_ring_init(ring, test_alloc(test, SLOTS * sizeof(*ring->records)), SLOTS,
		       LKST_CLOCK_NS);
	/* Write a record as if in a softirq. */
	preempt_disable();
	preempt_count_add(SOFTIRQ_OFFSET);
	result = lkst_ring_write(ring, 0x123, 1, 42, 43, 44, 45);
	preempt_count_sub(SOFTIRQ_OFFSET);
	preempt_enable();

	KUNIT_EXPECT_EQ(test, result, LKST_RING_LAP);
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

static struct kunit_case record_test_cases[] = {
	KUNIT_CASE(record_is_what_was_written),
	{}
};

LKST_TEST_SUITE("lkst-record", record_test_cases);
