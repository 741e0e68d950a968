// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of selecting masksets, and of starting and stopping LKST. They
 * change the state of the running kernel's LKST.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/lkst_private.h>

#include "maskset_test.h"

/*
 * Wait up to 10 seconds for a worker to turn the source on, or off if @on is
 * false. Return whether it has done so.
 */
static bool source_becomes(bool on)
{
	unsigned long end = jiffies + 10 * HZ;

	while (source_is_on() != on && time_before(jiffies, end))
		msleep(20);
	return source_is_on() == on;
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
	static const lkst_maskset_id ids[] = { A, -1, LKST_MASKSET_ID_VOID, 256, INT_MAX, INT_MIN };

	for (int i = 0; i < ARRAY_SIZE(ids); i++) {
		KUNIT_EXPECT_EQ(test, lkst_maskset_set(ids[i]), -EINVAL);
		KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(ids[i]), -EINVAL);
	}
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RDEFAULT);
}

static void selecting_nothing_is_not_a_stop(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RNOTHING), 0);
	KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RNOTHING);
}

/* A masked event costs nothing, because its tracepoint has no probe. */
static void masked_event_is_off_at_the_source(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, source_becomes(true));
	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RNOTHING), 0);
	KUNIT_EXPECT_FALSE(test, source_is_on());
	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_EXPECT_TRUE(test, source_is_on());
	KUNIT_EXPECT_EQ(test, lkst_trc_stop_wait(), 0);
	KUNIT_EXPECT_FALSE(test, source_is_on());
	KUNIT_EXPECT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_EXPECT_TRUE(test, source_is_on());
}

/*
 * Selecting the current maskset again must not keep its sources on when another
 * maskset is selected later.
 */
static void current_maskset_is_selected_again(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RNOTHING), 0);
	KUNIT_EXPECT_TRUE(test, source_becomes(false));
}

static int set_nothing(void)
{
	return lkst_maskset_set(LKST_MASKSET_ID_RNOTHING);
}

static int set_default(void)
{
	return lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT);
}

static void sources_follow_an_atomic_switch(struct kunit *test)
{
	static int (*const changes[])(void) = {
		set_nothing, set_default, lkst_trc_stop, lkst_trc_start,
	};
	unsigned long flags;

	KUNIT_ASSERT_TRUE(test, source_becomes(true));
	for (int i = 0; i < ARRAY_SIZE(changes); i++) {
		local_irq_save(flags);
		changes[i]();
		local_irq_restore(flags);
		/* Every second change turns the source on. */
		KUNIT_EXPECT_TRUE_MSG(test, source_becomes(i % 2), "change %d", i);
	}
}

/*
 * If the saved maskset was deleted, LKST starts with the default maskset, even
 * if another maskset has since been written with the same id.
 */
static void start_after_saved_maskset_was_deleted(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, PUT(A, "a"), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set(A), 0);
	KUNIT_EXPECT_EQ(test, lkst_trc_stop(), 0);
	KUNIT_EXPECT_EQ(test, status().saved_maskset_id, A);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(A), 0);
	KUNIT_EXPECT_EQ(test, status().saved_maskset_id, LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_EQ(test, status().state, LKST_TRC_STOPPED);
	KUNIT_ASSERT_EQ(test, PUT(A, "another"), A);
	KUNIT_EXPECT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_EXPECT_TRUE(test, source_is_on());
}

/* A start uses the new contents of the saved maskset. */
static void start_after_saved_maskset_was_overwritten(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, PUT(A, "a"), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set(A), 0);
	KUNIT_EXPECT_EQ(test, lkst_trc_stop(), 0);
	KUNIT_ASSERT_EQ(test, PUT(A, "", { LKST_ETYPE_USER_MARK, LOG }), A);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
}

/* A pause after a stop turns the sources on, and a rule can end it. */
static void pause_after_a_stop(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_trc_stop_wait(), 0);
	KUNIT_EXPECT_FALSE(test, source_is_on());
	lkst_select_resume();
	KUNIT_EXPECT_EQ(test, status().state, LKST_TRC_STOPPED);
	KUNIT_EXPECT_EQ(test, lkst_trc_pause_wait(), 0);
	KUNIT_EXPECT_TRUE(test, source_is_on());
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	lkst_select_resume();
	KUNIT_EXPECT_EQ(test, status().state, LKST_TRC_RUNNING);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_EXPECT_EQ(test, lkst_trc_pause_wait(), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
}

/* The change that nested_handler() makes. */
static int (*nested_change)(void);
static unsigned int nested_calls;

static void nested_handler(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			   lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	nested_calls++;
	nested_change();
}

static int set_b(void)
{
	return lkst_maskset_set(B);
}

static int set_c(void)
{
	return lkst_maskset_set(C);
}

/*
 * The handler of the event that reports a change makes another change. At that
 * time, lkst_selected has changed, but lkst_maskset_current has not.
 */
static void later_change_wins(struct kunit *test)
{
	static const struct {
		const char *desc;
		int (*outer)(void);
		int (*nested)(void);
		lkst_maskset_id current_id;
		lkst_maskset_id saved;
	} rows[] = {
		{ "set during set", set_b, set_c, C, LKST_MASKSET_ID_VOID },
		{ "stop during set", set_b, lkst_trc_stop, LKST_MASKSET_ID_RNOTHING, B },
		{ "start during set", set_b, lkst_trc_start, B, LKST_MASKSET_ID_VOID },
		{ "the same set during set", set_b, set_b, B, LKST_MASKSET_ID_VOID },
		{ "start during stop", lkst_trc_stop, lkst_trc_start, A, LKST_MASKSET_ID_VOID },
		{ "set during stop", lkst_trc_stop, set_b, LKST_MASKSET_ID_RNOTHING, A },
		{ "stop during stop", lkst_trc_stop, lkst_trc_stop, LKST_MASKSET_ID_RNOTHING, A },
	};
	int i, handler = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "nested", nested_handler,
						 NULL);

	KUNIT_ASSERT_GT(test, handler, 0);
	KUNIT_ASSERT_EQ(test, PUT(A, "a", { LKST_ETYPE_LKST_MASKSET_SET, handler },
				  { LKST_ETYPE_LKST_TRC_STOP, handler }), A);
	KUNIT_ASSERT_EQ(test, PUT(B, "b"), B);
	KUNIT_ASSERT_EQ(test, PUT(C, "c"), C);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		/*
		 * The handler is also called when A is selected or left. Let it
		 * call lkst_trc_start() then, which has no effect.
		 */
		nested_change = lkst_trc_start;
		KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RNOTHING), 0);
		KUNIT_EXPECT_EQ(test, lkst_maskset_set(A), 0);
		nested_calls = 0;
		nested_change = rows[i].nested;
		KUNIT_EXPECT_EQ_MSG(test, rows[i].outer(), 0, "%s", rows[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, nested_calls, 1, "%s", rows[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, status().current_maskset_id, rows[i].current_id, "%s",
				    rows[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, status().saved_maskset_id, rows[i].saved, "%s",
				    rows[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_current->id, rows[i].current_id, "%s",
				    rows[i].desc);
		nested_change = lkst_trc_start;
		KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	}
}

static int frozen_id;

static int freeze_and_check(void)
{
	lkst_trc_freeze();
	frozen_id = lkst_maskset_current->id;
	return 0;
}

/*
 * Simulate a machine that dies in the middle of a stop. lkst_trc_freeze() must
 * complete the stop, because the interrupted code never resumes.
 */
static void freezing_finishes_a_stop(struct kunit *test)
{
	int handler = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "nested", nested_handler,
					      NULL);

	KUNIT_ASSERT_GT(test, handler, 0);
	KUNIT_ASSERT_EQ(test, PUT(A, "a", { LKST_ETYPE_LKST_TRC_STOP, handler }), A);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(A), 0);
	frozen_id = -1;
	nested_change = freeze_and_check;
	KUNIT_EXPECT_EQ(test, lkst_trc_stop(), 0);
	KUNIT_EXPECT_EQ(test, frozen_id, LKST_MASKSET_ID_RNOTHING);
	KUNIT_EXPECT_EQ(test, status().saved_maskset_id, A);
	KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
}

/*
 * Only USER_MARK is recorded, and interrupts are off, so the countdown counts
 * no other events.
 */
static void countdown_stops_after_the_exact_number(struct kunit *test)
{
	static const int rows[] = { 1, 5, 17 };
	unsigned long flags;
	u64 recorded;

	KUNIT_ASSERT_EQ(test, PUT(A, "a", { LKST_ETYPE_USER_MARK, LOG }), A);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ(test, lkst_maskset_set(A), 0);
		recorded = 0;
		local_irq_save(flags);
		lkst_select_countdown(rows[i]);
		for (unsigned int n = 0; n < 20; n++)
			recorded += marks_recorded();
		local_irq_restore(flags);
		KUNIT_EXPECT_EQ(test, recorded, rows[i]);
		KUNIT_EXPECT_EQ(test, status().state, LKST_TRC_STOPPED);
		KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	}
}

static unsigned int interrupts;

/* Make the next of four changes, in rotation. */
static void change_in_interrupt(struct irq_work *work)
{
	switch (interrupts++ % 4) {
	case 0:
		lkst_maskset_set(C);
		break;
	case 1:
		lkst_trc_stop();
		break;
	case 2:
		lkst_trc_start();
		break;
	case 3:
		lkst_maskset_set(A);
		break;
	}
}

/*
 * Whether lkst_maskset_current matches lkst_selected. If an interrupt changes
 * them during the comparison, compare again.
 */
static bool pointer_is_right(void)
{
	struct lkst_trc_status now;
	unsigned long flags;
	bool right;

	do {
		now = status();
		local_irq_save(flags);
		right = lkst_maskset_current->id == now.current_maskset_id;
		local_irq_restore(flags);
	} while (status().current_maskset_id != now.current_maskset_id);
	return right;
}

/*
 * A loop selects masksets. At arbitrary points in the loop, interrupts also
 * select masksets, and stop and start LKST.
 */
static void interrupted_changes_are_consistent(struct kunit *test)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(change_in_interrupt);
	unsigned long end = jiffies + HZ, last = end + 60 * HZ;
	unsigned int wrong = 0, changes = 0;

	KUNIT_ASSERT_EQ(test, PUT(A, "a"), A);
	KUNIT_ASSERT_EQ(test, PUT(B, "b"), B);
	KUNIT_ASSERT_EQ(test, PUT(C, "c"), C);
	interrupts = 0;
	/* If the machine pauses, a second may have few interrupts. */
	while (time_before(jiffies, end) ||
	       (READ_ONCE(interrupts) <= 10 && time_before(jiffies, last))) {
		irq_work_queue(&work);
		lkst_maskset_set(changes++ & 1 ? A : B);
		wrong += !pointer_is_right();
	}
	irq_work_sync(&work);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_GT(test, interrupts, 10);
	kunit_info(test, "%u changes, %u in interrupts", changes, interrupts);

	KUNIT_EXPECT_EQ(test, lkst_trc_start(), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_EXPECT_TRUE(test, source_is_on());
}

static struct kunit_case switch_test_cases[] = {
	KUNIT_CASE(set_takes_effect),
	KUNIT_CASE(unknown_maskset_changes_nothing),
	KUNIT_CASE(selecting_nothing_is_not_a_stop),
	KUNIT_CASE(masked_event_is_off_at_the_source),
	KUNIT_CASE(current_maskset_is_selected_again),
	KUNIT_CASE(sources_follow_an_atomic_switch),
	KUNIT_CASE(start_after_saved_maskset_was_deleted),
	KUNIT_CASE(start_after_saved_maskset_was_overwritten),
	KUNIT_CASE(pause_after_a_stop),
	KUNIT_CASE(later_change_wins),
	KUNIT_CASE(freezing_finishes_a_stop),
	KUNIT_CASE(countdown_stops_after_the_exact_number),
	KUNIT_CASE(interrupted_changes_are_consistent),
	{}
};

LKST_TEST_SUITE("lkst-maskset-select", switch_test_cases, .exit = forget_masksets);
