// SPDX-License-Identifier: GPL-2.0
/*
 * Check what a history returns for known events. In test_model_random.c, history_check.c compares
 * what a history returns with the spans that the model reports.
 */
#include "history_check.h"
#include "sample.h"
#include "tap.h"

static struct lkst_model *model;
static struct lkst_history *history;
static uint64_t recid[2];

static int feed(int32_t cpu, int64_t time_ns, uint32_t tid, uint32_t type, uint64_t arg0,
		uint64_t arg1)
{
	const struct lkst_event event = {
		.time_ns = time_ns, .recid = recid[cpu]++, .type = type, .tid = tid, .cpu = cpu,
		.arg = { arg0, arg1, 7 }, .machine = LKST_MACHINE_X86_64,
	};

	return lkst_model_event(model, &event, &err);
}

static void switch_to(int32_t cpu, int64_t time_ns, uint32_t prev, char state, uint32_t next)
{
	assert_ok(feed(cpu, time_ns, prev, LKST_ETYPE_PROCESS_CONTEXTSWITCH,
		       pack(prev, (uint32_t)state), pack(next, 120)));
}

static void open_history(uint64_t bytes)
{
	model = lkst_model_new(false, &err);
	assert_made(model);
	history = lkst_history_new(model, bytes, &err);
	assert_made(history);
}

static void setup(void)
{
	recid[0] = recid[1] = 0;
	open_history(0);
}

static void teardown(void)
{
	lkst_model_free(model);
	lkst_history_free(history);
}

static const struct lkst_thread *thread_of(uint32_t tid)
{
	const struct lkst_thread *thread = lkst_model_find(model, 0, tid);

	ck_assert_ptr_nonnull(thread);
	return thread;
}

TESTS(.setup = setup, .teardown = teardown);

/*
 * On CPU 0, thread 100 reads from 20 to 70, and sleeps in this call from 30. Meanwhile thread 101
 * runs. At 50, thread 102 wakes 100 up on CPU 1, in interrupt 9.
 */
static void scene(void)
{
	switch_to(0, 10, 0, 'R', 100);
	switch_to(1, 11, 0, 'R', 102);
	assert_ok(feed(0, 20, 100, LKST_ETYPE_SYSCALL_ENTRY, pack(0, 0), 3));
	switch_to(0, 30, 100, 'S', 101);
	assert_ok(feed(1, 45, 102, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, text8("disk")));
	assert_ok(feed(1, 50, 102, LKST_ETYPE_PROCESS_WAKING, pack(100, 120), 0));
	assert_ok(feed(1, 55, 102, LKST_ETYPE_INT_HARDWARE_EXIT, 9, 1));
	switch_to(0, 60, 101, 'R', 100);
	assert_ok(feed(0, 70, 100, LKST_ETYPE_SYSCALL_EXIT, pack(0, 0), 5));
	switch_to(0, 80, 100, 'X', 0);
	assert_ok(lkst_model_cut(model, 100, &err));
}

/* What the history knows about thread 100 at a time */
static const struct {
	int64_t time_ns;
	int state;
	int64_t begin_ns, end_ns;
	bool in_call;
} at[] = {
	{ INT64_MIN, -1, 0, 0, false },
	{ 9, -1, 0, 0, false },
	{ 10, LKST_STATE_RUNNING, 10, 30, false },
	{ 20, LKST_STATE_RUNNING, 10, 30, true },
	{ 29, LKST_STATE_RUNNING, 10, 30, true },
	{ 30, LKST_STATE_BLOCKED, 30, 50, true },
	{ 50, LKST_STATE_RUNNABLE, 50, 60, true },
	{ 60, LKST_STATE_RUNNING, 60, 80, true },
	{ 70, LKST_STATE_RUNNING, 60, 80, false },
	{ 80, -1, 0, 0, false },
	{ INT64_MAX, -1, 0, 0, false },
};

TEST_EACH(test_thread_at, at)
{
	const struct lkst_thread *thread;
	struct lkst_syscall_span call;
	struct lkst_thread_span span;

	scene();
	thread = thread_of(100);
	ck_assert_int_eq(lkst_history_thread_at(history, thread, at[_i].time_ns, &span),
			 at[_i].state >= 0);
	ck_assert_int_eq(lkst_history_syscall_at(history, thread, at[_i].time_ns, &call),
			 at[_i].in_call);
	if (at[_i].state < 0)
		return;
	ck_assert_int_eq(span.state, at[_i].state);
	ck_assert_int_eq(span.begin_ns, at[_i].begin_ns);
	ck_assert_int_eq(span.end_ns, at[_i].end_ns);
	ck_assert(span.begin_known && span.thread == thread);
}
END_TEST

TEST(test_details)
{
	struct lkst_thread_span span;
	struct lkst_syscall_span call;

	scene();
	ck_assert(lkst_history_thread_at(history, thread_of(100), 15, &span));
	ck_assert_int_eq(span.cpu, 0);
	ck_assert_int_eq(span.mode_ns[LKST_MODE_THREAD], 10);
	ck_assert_int_eq(span.mode_ns[LKST_MODE_KERNEL], 10);
	ck_assert(lkst_history_thread_at(history, thread_of(100), 55, &span));
	ck_assert(span.wake.known && span.wake.thread == thread_of(102));
	ck_assert_int_eq(span.wake.context, LKST_CONTEXT_IRQ);
	ck_assert_uint_eq(span.wake.number, 9);
	ck_assert_str_eq(span.wake.name, "disk");
	ck_assert_int_eq(span.wake.time_ns, 50);
	ck_assert_int_eq(span.wake.cpu, 1);
	ck_assert_ptr_eq(span.behind, thread_of(101));
	ck_assert(lkst_history_syscall_at(history, thread_of(100), 40, &call));
	ck_assert(call.begin_ns == 20 && call.end_ns == 70 && call.result == 5);
	ck_assert_uint_eq(call.arg[0], 3);
	ck_assert_int_eq(call.state_ns[LKST_STATE_RUNNING], 20);
	ck_assert_int_eq(call.state_ns[LKST_STATE_BLOCKED], 20);
	ck_assert_int_eq(call.state_ns[LKST_STATE_RUNNABLE], 10);
}
END_TEST

TEST(test_cpu_at)
{
	struct lkst_cpu_span span;

	scene();
	ck_assert(lkst_history_cpu_at(history, 0, 1, 50, &span));
	ck_assert_int_eq(span.mode, LKST_MODE_HARDIRQ);
	ck_assert(span.begin_ns == 45 && span.end_ns == 55 && span.thread == thread_of(102));
	ck_assert(lkst_history_cpu_at(history, 0, 0, 99, &span));
	ck_assert_int_eq(span.mode, LKST_MODE_IDLE);
	ck_assert_int_eq(span.end_ns, 100);
	ck_assert(!lkst_history_cpu_at(history, 0, 0, 100, &span));
	ck_assert(!lkst_history_cpu_at(history, 0, 2, 50, &span));
	ck_assert(!lkst_history_cpu_at(history, 0, -1, 50, &span));
	ck_assert(!lkst_history_cpu_at(history, 1, 0, 50, &span));
	ck_assert_uint_eq(lkst_history_cpu_index(history, 7, 0, 50), 0);
}
END_TEST

TEST(test_walk)
{
	static const int states[] = { LKST_STATE_RUNNING, LKST_STATE_BLOCKED, LKST_STATE_RUNNABLE,
				      LKST_STATE_RUNNING };
	struct lkst_thread_span span;
	size_t i;

	scene();
	for (i = 0; lkst_history_thread_span(history, thread_of(100), i, &span); i++)
		ck_assert_int_eq(span.state, states[i]);
	ck_assert_uint_eq(i, 4);
	ck_assert_int_eq(span.end, LKST_END_EXIT);
	ck_assert_uint_eq(lkst_history_thread_index(history, thread_of(100), INT64_MAX), 4);
}
END_TEST

TEST(test_wakes)
{
	struct lkst_thread_span span;

	scene();
	ck_assert(!lkst_history_wake_span(history, thread_of(102), 0, &span));
	assert_ok(lkst_history_sort_wakes(history, &err));
	ck_assert_uint_eq(lkst_history_wake_index(history, thread_of(102), 50), 0);
	ck_assert_uint_eq(lkst_history_wake_index(history, thread_of(102), 51), 1);
	ck_assert(lkst_history_wake_span(history, thread_of(102), 0, &span));
	ck_assert(span.thread == thread_of(100) && span.begin_ns == 50 && span.end_ns == 60);
	ck_assert(!lkst_history_wake_span(history, thread_of(102), 1, &span));
	ck_assert(!lkst_history_wake_span(history, thread_of(100), 0, &span));
}
END_TEST

/* ---- memory ---- */

/* Two threads take turns on a CPU, and wake each other up. */
static int take_turns(int64_t from_ns, int num)
{
	for (int i = 0; i < num; i++) {
		uint32_t prev = 100 + (uint32_t)i % 2, next = 201 - prev;
		int64_t time_ns = from_ns + i * 100;

		if (feed(0, time_ns, prev, LKST_ETYPE_PROCESS_WAKING, pack(next, 120), 0) ||
		    feed(0, time_ns + 50, prev, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(prev, 'S'),
			 pack(next, 120)))
			return -1;
	}
	return 0;
}

TEST(test_bytes_per_span)
{
	const int turns = 100000;
	struct history_check *check = history_check_new(model, history);
	uint64_t before = lkst_history_bytes(history);

	assert_ok(take_turns(0, turns));
	assert_ok(lkst_model_cut(model, turns * 100, &err));
	/*
	 * Each turn has three spans of threads (40 bytes each) and one span of a CPU (16 bytes).
	 * The arrays may be half as large again as needed.
	 */
	ck_assert_uint_ge(history_check_spans(check), (size_t)turns * 3);
	ck_assert_uint_le(lkst_history_bytes(history) - before,
			  (uint64_t)turns * (3 * 40 + 16) * 3 / 2 + 1000);
	ck_assert_int_eq(lkst_history_begin(history), INT64_MIN);
	history_check_free(check);
}
END_TEST

TEST(test_limit_drops_the_oldest_spans)
{
	const int turns = 20000;
	const uint64_t limit = 256 << 10;
	struct history_check *check;
	struct lkst_thread_span span;

	teardown();
	open_history(limit);
	check = history_check_new(model, history);
	for (int i = 0; i < turns; i += 100) {
		assert_ok(take_turns(i * 100, 100));
		ck_assert_uint_le(lkst_history_bytes(history), limit);
	}
	assert_ok(lkst_model_cut(model, turns * 100, &err));
	history_check_all(check, 1);
	ck_assert_uint_le(lkst_history_bytes(history), limit);
	/* The history has dropped old spans, but has kept at least a quarter of those that fit. */
	ck_assert_int_gt(lkst_history_begin(history), 0);
	ck_assert_int_lt(lkst_history_begin(history), turns * 100 - 100 * 250);
	ck_assert(lkst_history_thread_at(history, thread_of(100), turns * 100 - 1, &span));
	ck_assert(!lkst_history_thread_at(history, thread_of(100), 1000, &span));
	history_check_free(check);
}
END_TEST

/* Contexts that no span uses are freed, so their number is limited, too. */
TEST(test_limit_with_many_contexts)
{
	const uint64_t limit = 128 << 10;
	struct history_check *check;

	teardown();
	open_history(limit);
	check = history_check_new(model, history);
	switch_to(0, 0, 0, 'R', 100);
	switch_to(1, 0, 0, 'R', 101);
	for (int i = 1; i < 20000; i++) {
		uint64_t number = 1000 + (uint64_t)i;

		assert_ok(feed(0, i * 100, 100, LKST_ETYPE_INT_HARDWARE_ENTRY, number, number));
		assert_ok(feed(0, i * 100, 100, LKST_ETYPE_PROCESS_WAKING, pack(102, 120), 0));
		assert_ok(feed(0, i * 100, 100, LKST_ETYPE_INT_HARDWARE_EXIT, number, 1));
		switch_to(1, i * 100 + 10, 101, 'R', 102);
		switch_to(1, i * 100 + 20, 102, 'S', 101);
		ck_assert_uint_le(lkst_history_bytes(history), limit);
	}
	assert_ok(lkst_model_cut(model, 20000 * 100, &err));
	history_check_all(check, 1);
	history_check_free(check);
}
END_TEST

TEST(test_limit_that_is_too_low)
{
	int ret = 0;

	teardown();
	open_history(4096);
	for (uint32_t tid = 1000; !ret && tid < 1200; tid++)
		ret = feed(0, tid, 100, LKST_ETYPE_PROCESS_FORK, pack(tid, tid), 0) ||
		      feed(0, tid, 100, LKST_ETYPE_PROCESS_WAKING, pack(tid, 120), 0);
	ck_assert_int_ne(ret, 0);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	assert_contains(err.text, "does not fit in 4096 bytes");
}
END_TEST

/* The time between two windows is unknown. */
TEST(test_two_windows)
{
	struct history_check *check = history_check_new(model, history);
	struct lkst_thread_span span;
	struct lkst_cpu_span cpu;

	scene();
	lkst_model_open_window(model, 200);
	switch_to(0, 210, 0, 'R', 101);
	assert_ok(lkst_model_cut(model, 220, &err));
	history_check_all(check, 1);
	ck_assert(lkst_history_thread_at(history, thread_of(101), 150, &span));
	ck_assert(span.state == LKST_STATE_UNKNOWN && span.begin_ns == 100 && span.end_ns == 200);
	ck_assert(lkst_history_cpu_at(history, 0, 0, 150, &cpu));
	ck_assert(cpu.mode == LKST_MODE_UNKNOWN && cpu.begin_ns == 100 && cpu.end_ns == 200);
	history_check_free(check);
}
END_TEST
