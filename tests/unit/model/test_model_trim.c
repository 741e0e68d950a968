// SPDX-License-Identifier: GPL-2.0
/* Threads that have ended are forgotten, unless the current state refers to them. */
#include "lib/model/trim.h"
#include "model_case.h"

/* @left: threads that remain after the last "trim", in the order of their indexes */
static const struct {
	struct model_case report;
	const char *left;
} cases[] = {
	{ { "a_thread_that_has_ended",
	    "0:10 switch idle>a R; 0:20 switch a>b X; trim; 0:30 switch b>a S; cut 40; trim",
	    SHOW_THREADS,
	    "a run 10-20 cpu0 thread 10 exit\n"
	    "b run 20-30 cpu0 thread 10\n"
	    "b block 30-40 S cut\n"
	    "a run 30-40 cpu0 thread 10 cut\n" },
	  "b a" },
	{ { "behind_a_thread_that_has_ended",
	    "0:10 switch idle>a R; 0:20 switch a>b R; 0:30 switch b>c X; trim; "
	    "0:40 switch c>a S; cut 50",
	    SHOW_THREADS,
	    "a run 10-20 cpu0 thread 10 preempted\n"
	    "b run 20-30 cpu0 thread 10 exit\n"
	    "c run 30-40 cpu0 thread 10\n"
	    "a wait 20-40 cpu0 again behind b\n"
	    "a run 40-50 cpu0 thread 10 cut\n"
	    "c block 40-50 S cut\n" },
	  "a b c" },
	{ { "woken_by_a_thread_that_has_ended",
	    "0:5 switch idle>a R; 0:10 switch a>b S; 0:20 waking a 0; 0:30 switch b>c X; trim; "
	    "trim; 0:40 switch c>a X; cut 50; trim",
	    SHOW_THREADS,
	    "a run 5-10 cpu0 thread 5\n"
	    "a block 10-20 S\n"
	    "b run 10-30 cpu0 thread 20 exit\n"
	    "c run 30-40 cpu0 thread 10 exit\n"
	    "a wait 20-40 cpu0 by b behind b\n"
	    "a run 40-50 cpu0 thread 10 cut\n" },
	  "a" },
	{ { "a_thread_ID_that_is_used_again",
	    "0:10 switch idle>a R; 0:15 fork b; 0:20 switch a>b S; 0:30 switch b>a X; 0:40 fork b; "
	    "trim; 0:50 switch a>b X; trim; 0:60 switch b>idle X; trim; 0:70 switch idle>b R; "
	    "cut 80; trim",
	    SHOW_THREADS,
	    "a run 10-20 cpu0 thread 10\n"
	    "b block 15-20\n"
	    "b run 20-30 cpu0 thread 10 exit\n"
	    "a block 20-30 S\n"
	    "a run 30-50 cpu0 thread 20 exit\n"
	    "b block 40-50\n"
	    "b run 50-60 cpu0 thread 10 exit\n"
	    "b run 70-80 cpu0 thread 10 cut\n" },
	  "b" },
	{ { "an_open_context_and_call",
	    "0:10 switch idle>a R; 0:11 sys 1; 0h:12 irq 9; trim; 0h:20 irqx 9; 0:30 ret 1; trim; "
	    "cut 40; trim",
	    SHOW_CONTEXTS | SHOW_CALLS,
	    "cpu0 irq 9 12-20 own 8 of a\n"
	    "a call 1 11-30 = 0 run 19\n" },
	  "a" },
	/*
	 * The end of thread a is lost. The state of b is known: b sleeps. The state of c is
	 * unknown.
	 */
	{ { "a_thread_that_was_not_seen_for_five_minutes",
	    "0:10 switch idle>b R; 0:20 switch b>a S; 0/c:40 mark; 0:50 switch c>idle S; "
	    "0/idle:300000000040 mark; trim; cut 300000000040",
	    SHOW_LOSSES, "" },
	  "b a c" },
	{ { "a_thread_that_was_not_seen_for_longer",
	    "0:10 switch idle>b R; 0:20 switch b>a S; 0/c:40 mark; 0:50 switch c>idle S; "
	    "0/idle:300000000041 mark; trim; cut 300000000041",
	    SHOW_LOSSES, "" },
	  "b c" },
	{ { "behind_a_thread_that_was_not_seen_for_long",
	    "0:10 switch idle>b R; 0:20 switch b>a R; 0/c:40 mark; "
	    "0/c:300000000041 mark; trim; 0:300000000050 switch c>b S; cut 300000000060",
	    SHOW_LOSSES, "" },
	  "b a c" },
	{ { "a_forgotten_thread_comes_back",
	    "0:10 switch idle>a R; 0/c:40 mark; 0/c:300000000041 mark; trim; "
	    "0:300000000050 switch c>a S; cut 300000000060; trim",
	    SHOW_THREADS,
	    "a run 10-40 cpu0 thread 30 cut\n"
	    "c run ~40-300000000050 cpu0 thread 300000000010\n"
	    "c block 300000000050-300000000060 S cut\n"
	    "a run 300000000050-300000000060 cpu0 thread 10 cut\n" },
	  "c a" },
	{ { "nothing", "trim; cut 10; trim", SHOW_THREADS, "" }, "" },
};

TESTS(.teardown = model_done);

TEST_EACH(test_cases, cases)
{
	char left[64] = "";

	model_check(&cases[_i].report);
	for (size_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);

		ck_assert_uint_eq(thread->index, i);
		ck_assert_ptr_eq(lkst_model_find(model, 0, thread->tid), thread);
		/* Older threads with this thread ID are no longer found. */
		ck_assert_ptr_null(lkst_model_find_at(model, 0, thread->tid, thread->first_ns - 1));
		snprintf(left + strlen(left), sizeof(left) - strlen(left), "%s%c", i ? " " : "",
			 (int)('a' + thread->tid - 101));
	}
	ck_assert_str_eq(left, cases[_i].left);
}
END_TEST

/* The number of threads stays the same, although the model does not see that they end. */
TEST(test_many_lost_ends)
{
	struct lkst_event event = { .type = LKST_ETYPE_USER_MARK };
	size_t most = 0;

	model = lkst_model_new(false, &err);
	assert_made(model);
	for (uint32_t i = 0; i < 100000; i++) {
		event.time_ns += 1000000000;
		event.recid += 2;
		event.tid = 100 + i;
		assert_ok(lkst_model_event(model, &event, &err));
		if (i % 10 == 0)
			lkst_model_trim(model);
		if (lkst_model_threads(model) > most)
			most = lkst_model_threads(model);
	}
	ck_assert_uint_gt(most, 300);
	ck_assert_uint_lt(most, 320);
}
END_TEST

/* The number of threads stays the same, however many start and end. */
TEST(test_many_threads)
{
	struct lkst_event event = { .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH };

	model = lkst_model_new(false, &err);
	assert_made(model);
	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t prev = 100 + i % 30000, next = 100 + (i + 1) % 30000;

		event.time_ns += 10;
		event.recid = i;
		event.tid = prev;
		event.arg[0] = (uint64_t)prev << 32 | 'X';
		event.arg[1] = (uint64_t)next << 32;
		assert_ok(lkst_model_event(model, &event, &err));
		if (i % 100 == 0)
			lkst_model_trim(model);
	}
	lkst_model_trim(model);
	ck_assert_uint_eq(lkst_model_threads(model), 1);
}
END_TEST
