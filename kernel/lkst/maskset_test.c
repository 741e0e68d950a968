// SPDX-License-Identifier: GPL-2.0
/*
 * Masksets, starting and stopping, on the LKST that runs in this kernel.
 */
#include <kunit/test.h>
#include <linux/tracepoint.h>

#include "buffer.h"
#include "etype.h"
#include "event.h"
#include "evhandler.h"
#include "maskset.h"
#include "static_buffer.h"

/* How many records one USER_MARK makes. */
static u64 marks_recorded(void)
{
	struct lkst_ring *ring;
	u64 before, after;
	unsigned long flags;

	local_irq_save(flags);
	ring = this_cpu_read(lkst_ring_current);
	before = lkst_ring_position(ring, lkst_ring_next(ring));
	lkst_event_direct(LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	after = lkst_ring_position(ring, lkst_ring_next(ring));
	local_irq_restore(flags);
	return after - before;
}

static struct lkst_trc_status status(void)
{
	struct lkst_trc_status status = {};

	lkst_maskset_status(&status);
	return status;
}

static void special_masksets_are_there(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("nothing"), LKST_MASKSET_ID_RNOTHING);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("all"), LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("default"), LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("1"), LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("3"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("-1"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("alle"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, status().maskset_num, 3);
}

static void set_takes_effect(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RNOTHING), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, status().state, LKST_TRC_RUNNING);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RALL), 0);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_GE(test, marks_recorded(), 1);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_EXPECT_GE(test, marks_recorded(), 1);
}

static void unknown_maskset_changes_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(3), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(-1), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_VOID), -EINVAL);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RDEFAULT);
}

static void stop_and_start(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RALL), 0);
	KUNIT_EXPECT_EQ(test, lkst_trc_stop(), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, status().state, LKST_TRC_STOPPED);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RNOTHING);
	KUNIT_EXPECT_EQ(test, status().saved_maskset_id, LKST_MASKSET_ID_RALL);

	/* A second stop does not forget what the first one saved. */
	KUNIT_EXPECT_EQ(test, lkst_trc_stop(), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT), -EBUSY);

	KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	KUNIT_EXPECT_EQ(test, status().state, LKST_TRC_RUNNING);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, status().saved_maskset_id, LKST_MASKSET_ID_VOID);
	KUNIT_EXPECT_GE(test, marks_recorded(), 1);

	/* Starting what runs does nothing. */
	KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT), 0);
}

static void selecting_nothing_is_not_a_stop(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RNOTHING), 0);
	KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RNOTHING);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT), 0);
}

static void has_probe(struct tracepoint *tp, void *probed)
{
	if (!strcmp(tp->name, "sched_switch"))
		*(bool *)probed = !!rcu_access_pointer(tp->funcs);
}

/* A tracepoint without a probe costs what it costs without LKST. */
static void masked_event_is_off_at_the_source(struct kunit *test)
{
	bool probed = false;

	for_each_kernel_tracepoint(has_probe, &probed);
	KUNIT_EXPECT_TRUE(test, probed);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RNOTHING), 0);
	for_each_kernel_tracepoint(has_probe, &probed);
	KUNIT_EXPECT_FALSE(test, probed);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT), 0);
	for_each_kernel_tracepoint(has_probe, &probed);
	KUNIT_EXPECT_TRUE(test, probed);
	lkst_trc_stop();
	for_each_kernel_tracepoint(has_probe, &probed);
	KUNIT_EXPECT_FALSE(test, probed);
	lkst_trc_start();
}

static void static_buffer_counts(struct kunit *test)
{
	u64 next = lkst_static_buffer_next();

	/* LKST_INIT at least. */
	KUNIT_EXPECT_GE(test, next, 1);
	lkst_evhandlers[LKST_EVHANDLER_ID_STATIC_LOG].func(NULL, LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	KUNIT_EXPECT_EQ(test, lkst_static_buffer_next(), next + 1);
}

static struct kunit_case maskset_test_cases[] = {
	KUNIT_CASE(special_masksets_are_there),
	KUNIT_CASE(set_takes_effect),
	KUNIT_CASE(unknown_maskset_changes_nothing),
	KUNIT_CASE(stop_and_start),
	KUNIT_CASE(selecting_nothing_is_not_a_stop),
	KUNIT_CASE(masked_event_is_off_at_the_source),
	KUNIT_CASE(static_buffer_counts),
	{}
};

static struct kunit_suite maskset_test_suite = {
	.name = "lkst-maskset",
	.test_cases = maskset_test_cases,
};

kunit_test_suites(&maskset_test_suite);
