// SPDX-License-Identifier: GPL-2.0
/* lkstla thread: the time of each thread adds up to the window; causes, system calls, wake-ups. */
#include "analysis_case.h"
#include "tap.h"

#define TIME	"thread,state,cause,times,total_ns,share,max_ns,at_ns\n"
#define CALLS	"thread,call,calls,errors,total_ns,run_ns,wait_ns,blocked_ns,max_ns,at_ns\n"
#define WAKERS	"thread,woken_by,times\n"
#define WOKEN	"thread,wakes,times\n"
#define NO_TIME TIME "p-1,unknown,,,1000000,1,,\n"

#define WINDOW_NS 1000000 /* the length of the window that analysis_case.c sets */

static struct lkst_thread p, q, kworker, child;

static void setup(void)
{
	p = (struct lkst_thread){ .index = 0, .tid = 1, .name = "p" };
	q = (struct lkst_thread){ .index = 1, .tid = 2, .name = "q" };
	kworker = (struct lkst_thread){ .index = 2, .tid = 3, .name = "kw", .kernel = true };
	child = (struct lkst_thread){ .index = 70, .tid = 4, .name = "c", .created = true };
	analysis_setup(&analysis_thread, NULL);
	analysis_selected = &p;
}

TESTS(.setup = setup, .teardown = analysis_teardown);

static void span(struct lkst_thread *thread, enum lkst_state state, int64_t begin_ns,
		 int64_t end_ns)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = thread, .state = state, .begin_ns = begin_ns, .end_ns = end_ns,
		.syscall = LKST_SYSCALL_NONE });
}

static void block(struct lkst_thread *thread, char letter, int32_t syscall, int64_t begin_ns,
		  int64_t end_ns)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = thread, .state = LKST_STATE_BLOCKED, .begin_ns = begin_ns,
		.end_ns = end_ns, .begin_known = true, .end = LKST_END_STATE, .letter = letter,
		.syscall = syscall });
}

static void call(struct lkst_thread *thread, int32_t number, int64_t begin_ns, int64_t end_ns,
		 bool begin_known, int64_t result)
{
	analysis_thread.ops.syscall(analysis_ctx(), &(struct lkst_syscall_span){
		.thread = thread, .number = number, .begin_ns = begin_ns, .end_ns = end_ns,
		.begin_known = begin_known, .end_known = true, .result = result,
		.state_ns = { [LKST_STATE_RUNNING] = end_ns - begin_ns } });
}

static void wake(const struct lkst_thread *thread, const struct lkst_wake *by)
{
	analysis_thread.ops.wake(analysis_ctx(), thread, by);
}

TEST(nothing)
{
	analysis_check(TIME CALLS WAKERS WOKEN);
}

/* The time of each span counts, but the number of spans includes only those begun in the window. */
TEST(each_state)
{
	analysis_span(&(struct lkst_thread_span){
		.thread = &p, .state = LKST_STATE_RUNNING, .begin_ns = 0, .end_ns = 100000,
		.mode_ns = { [LKST_MODE_USER] = 10000, [LKST_MODE_KERNEL] = 20000,
			     [LKST_MODE_THREAD] = 5000, [LKST_MODE_SOFTIRQ] = 30000,
			     [LKST_MODE_HARDIRQ] = 35000 },
		.end = LKST_END_PREEMPTED, .syscall = LKST_SYSCALL_NONE });
	analysis_span(&(struct lkst_thread_span){
		.thread = &p, .state = LKST_STATE_RUNNABLE, .begin_ns = 100000, .end_ns = 150000,
		.begin_known = true, .preempted = true, .syscall = LKST_SYSCALL_NONE });
	analysis_span(&(struct lkst_thread_span){
		.thread = &p, .state = LKST_STATE_RUNNING, .begin_ns = 150000, .end_ns = 250000,
		.mode_ns = { [LKST_MODE_USER] = 100000 }, .begin_known = true,
		.syscall = LKST_SYSCALL_NONE });
	block(&p, 'S', 0, 250000, 500000);
	analysis_span(&(struct lkst_thread_span){
		.thread = &p, .state = LKST_STATE_RUNNABLE, .begin_ns = 500000, .end_ns = 600000,
		.begin_known = true, .wake = { .known = true, .context = -1 },
		.syscall = LKST_SYSCALL_NONE });
	span(&p, LKST_STATE_RUNNABLE, 600000, 700000);
	span(&p, LKST_STATE_UNKNOWN, 700000, WINDOW_NS);
	analysis_check(TIME "p-1,running,user mode,,110000,0.11,,\n"
			    "p-1,running,in the kernel,,20000,0.02,,\n"
			    "p-1,running,user mode or kernel,,5000,0.005,,\n"
			    "p-1,interrupted,hard interrupt,,35000,0.035,,\n"
			    "p-1,interrupted,softirq,,30000,0.03,,\n"
			    "p-1,runnable,,0,100000,0.1,100000,700000\n"
			    "p-1,runnable,after a wake-up,1,100000,0.1,100000,600000\n"
			    "p-1,runnable,after preemption,1,50000,0.05,50000,150000\n"
			    "p-1,blocked S,in call_0,1,250000,0.25,250000,500000\n"
			    "p-1,unknown,,,300000,0.3,,\n" CALLS WAKERS WOKEN);
}

/* The time of a process that was created and ended in the window, and of an older one. */
TEST(lifetime)
{
	analysis_selected = NULL;
	span(&p, LKST_STATE_RUNNING, 300000, 400000);
	span(&child, LKST_STATE_RUNNABLE, 300000, 500000);
	analysis_span(&(struct lkst_thread_span){
		.thread = &child, .state = LKST_STATE_RUNNING, .begin_ns = 500000,
		.end_ns = 750000, .mode_ns = { [LKST_MODE_KERNEL] = 250000 },
		.end = LKST_END_EXIT, .syscall = LKST_SYSCALL_NONE });
	analysis_check(TIME "p-1,running,user mode or kernel,,100000,0.1,,\n"
			    "p-1,unknown,,,900000,0.9,,\n"
			    "c-4,running,in the kernel,,250000,0.25,,\n"
			    "c-4,runnable,,0,200000,0.2,200000,500000\n"
			    "c-4,not started,,,300000,0.3,,\n"
			    "c-4,ended,,,250000,0.25,,\n" CALLS WAKERS WOKEN);
}

/* Causes with longer times come first. The less common state letters share one row. */
TEST(letters)
{
	static const struct { char letter; int64_t ns; } rows[] = {
		{ 'S', 10 }, { 'D', 20 }, { 'T', 30 }, { 'I', 40 }, { 't', 50 }, { 'X', 60 },
		{ 0, 70 }, { 'S', 5 }, { -1, 1 },
	};
	int64_t at = 0;

	for (int i = 0; i < NUM(rows); i++, at += 100)
		block(&p, rows[i].letter, 7, at, at + rows[i].ns);
	analysis_check(TIME "p-1,blocked,in call_7,4,181,0.000181,70,670\n"
			    "p-1,blocked I,in call_7,1,40,4e-05,40,340\n"
			    "p-1,blocked T,in call_7,1,30,3e-05,30,230\n"
			    "p-1,blocked D,in call_7,1,20,2e-05,20,120\n"
			    "p-1,blocked S,in call_7,2,15,1.5e-05,10,10\n"
			    "p-1,unknown,,,999714,0.999714,,\n" CALLS WAKERS WOKEN);
}

/* Check the cause of a blocked span from 1000 to 2000 ns. */
static void check_cause(const char *cause)
{
	char *text = analysis_csv(), want[128];

	snprintf(want, sizeof(want), "\np-1,blocked S,%s,1,1000,0.001,1000,2000\n", cause);
	assert_contains(text, want);
	free(text);
}

/*
 * The cause is the call in which the thread was blocked. Before the thread's first system call
 * event, the cause is unknown.
 */
TEST(cause_unknown)
{
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	call(&q, 3, 0, 5000, true, 0);
	check_cause("");
}

TEST(cause_shown_by_the_exit)
{
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	call(&p, 202, 0, 3000, false, 0);
	check_cause("in call_202");
}

TEST(cause_shown_by_an_entry)
{
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	call(&p, 202, 2500, 3000, true, 0);
	check_cause("outside of a call");
}

TEST(cause_shown_by_the_next_span)
{
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	block(&p, 'S', 1, 3000, 3500);
	check_cause("outside of a call");
}

/* All spans whose cause is still unknown get the same cause, not only the latest one. */
TEST(cause_of_several_spans)
{
	char *text;

	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	block(&p, 'S', LKST_SYSCALL_NONE, 2500, 2700);
	block(&p, 'D', LKST_SYSCALL_NONE, 2800, 2900);
	call(&p, 202, 0, 3000, false, 0);
	text = analysis_csv();
	assert_contains(text, "\np-1,blocked S,in call_202,2,1200,0.0012,1000,2000\n");
	assert_contains(text, "\np-1,blocked D,in call_202,1,100,0.0001,100,2900\n");
	free(text);
}

TEST(cause_outside)
{
	call(&p, 202, 500, 600, true, 0);
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	check_cause("outside of a call");
}

/* After the state was unknown, it is unknown again whether the thread is in a call. */
TEST(cause_lost)
{
	call(&p, 202, 500, 600, true, 0);
	span(&p, LKST_STATE_UNKNOWN, 700, 1000);
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	check_cause("");
}

/*
 * A system call that was entered after the unknown state is not the cause of a sleep before that
 * state.
 */
TEST(cause_before_a_loss)
{
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	span(&p, LKST_STATE_UNKNOWN, 2000, 3000);
	call(&p, 202, 2500, 4000, false, 0);
	check_cause("");
}

TEST(cause_new_thread)
{
	p.created = true;
	call(&q, 3, 0, 500, true, 0);
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	check_cause("outside of a call");
}

/* Without any system call event, nothing is known about calls. Kernel threads make none. */
TEST(cause_no_calls)
{
	p.created = true;
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	check_cause("");
}

TEST(cause_kernel)
{
	p.kernel = true;
	block(&p, 'S', LKST_SYSCALL_NONE, 1000, 2000);
	check_cause("outside of a call");
}

/* If a thread becomes selected, for example because exec renames it, all of its time counts. */
TEST(selected_late)
{
	analysis_selected = &q;
	block(&p, 'S', 9, 0, 400000);
	call(&p, 9, 0, 400000, true, 0);
	analysis_selected = &p;
	block(&p, 'S', 9, 400000, 600000);
	analysis_selected = &q;
	block(&p, 'S', 9, 600000, WINDOW_NS);
	analysis_check(TIME "p-1,blocked S,in call_9,3,1000000,1,400000,400000\n" CALLS
			    "p-1,call_9,1,0,400000,400000,0,0,400000,400000\n" WAKERS WOKEN);
}

/* The same number with another ABI is another call. Errors are results from -4095 to -1. */
TEST(calls)
{
	static const int64_t results[] = { 0, -1, -4095, -4096, INT64_MIN, INT64_MAX };

	span(&p, LKST_STATE_RUNNABLE, 0, WINDOW_NS);
	for (int i = 0; i < NUM(results); i++)
		call(&p, 0, i * 10, i * 10 + 1 + i % 3, true, results[i]);
	analysis_thread.ops.syscall(analysis_ctx(), &(struct lkst_syscall_span){
		.thread = &p, .number = 0, .abi = 1, .begin_ns = 100, .end_ns = WINDOW_NS,
		.begin_known = true, .result = -1,
		.state_ns = { 0, [LKST_STATE_RUNNING] = 100, [LKST_STATE_RUNNABLE] = 200,
			      [LKST_STATE_BLOCKED] = 300 } });
	call(&p, -5, 0, 0, true, 0);
	call(&q, 1, 0, 1, true, 0);
	analysis_check(TIME "p-1,runnable,,0,1000000,1,1000000,1000000\n" CALLS
			    "p-1,call_0/1,1,0,999900,100,200,300,999900,1000000\n"
			    "p-1,call_0,6,2,12,12,0,0,3,23\n"
			    "p-1,call_-5,1,0,0,0,0,0,0,\n" WAKERS WOKEN);
}

TEST(over)
{
	analysis_args.over_ns = 1000;
	block(&p, 'S', 1, 0, 999);
	block(&p, 'S', 2, 1000, 2000);
	call(&p, 1, 0, 999, true, 0);
	call(&p, 2, 1000, 2000, true, 0);
	analysis_check(TIME "p-1,blocked S,in call_2,1,1000,0.001,1000,2000\n"
			    "p-1,unknown,,,998001,0.998001,,\n" CALLS
			    "p-1,call_2,1,0,1000,1000,0,0,1000,2000\n" WAKERS WOKEN);
}

TEST(wakes)
{
	const struct lkst_wake by_q = { .known = true, .thread = &q, .context = -1 };
	const struct lkst_wake by_p = { .known = true, .thread = &p, .context = -1 };
	const struct lkst_wake in_p = { .known = true, .thread = &p,
					.context = LKST_CONTEXT_SOFTIRQ, .number = 3 };
	const struct lkst_wake by_work = { .known = true, .thread = &kworker,
					   .context = LKST_CONTEXT_WORK, .number = 0x100 };
	const struct lkst_wake by_idle = { .known = true, .context = -1 };
	const struct lkst_wake by_timer = { .known = true, .context = LKST_CONTEXT_HRTIMER,
					    .number = 0x200 };
	const struct lkst_wake by_irq = { .known = true, .context = LKST_CONTEXT_IRQ, .number = 9 };
	const struct lkst_wake by_number = { .known = true, .context = LKST_CONTEXT_SOFTIRQ,
					     .number = UINT64_MAX };
	const struct lkst_wake by_nothing = { .known = true, .context = 12345 };
	const struct lkst_wake unknown = { .thread = &q, .context = -1 };

	span(&p, LKST_STATE_UNKNOWN, 0, 0);
	for (int i = 0; i < 3; i++)
		wake(&p, &by_q);
	wake(&p, &in_p);
	wake(&p, &in_p);
	wake(&p, &by_work);
	wake(&p, &by_idle);
	wake(&p, &by_timer);
	wake(&p, &by_irq);
	wake(&p, &by_number);
	wake(&p, &by_nothing);
	wake(&p, &unknown);
	wake(&q, &by_p);
	wake(&kworker, &by_p);
	wake(&kworker, &by_p);
	wake(&q, &in_p);
	wake(&q, &unknown);
	analysis_check(NO_TIME CALLS WAKERS "p-1,q-2,3\np-1,softirq NET_RX,2\np-1,,1\n"
		       "p-1,kw-3,1\np-1,idle,1\np-1,irq 9,1\n"
		       "p-1,softirq 18446744073709551615,1\np-1,hrtimer 0:0x200,1\np-1,,1\n" WOKEN
		       "p-1,kw-3,2\np-1,q-2,1\n");
}

/* ---- the times add up ---- */

static uint64_t random_number(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Divide the time of a RUNNING span at random. */
static void random_modes(struct lkst_thread_span *to)
{
	int64_t left = to->end_ns - to->begin_ns;

	for (int mode = 0; mode < LKST_MODE_NUM; mode++) {
		to->mode_ns[mode] = left / (int64_t)(1 + random_number() % 4);
		left -= to->mode_ns[mode];
	}
	to->mode_ns[LKST_MODE_USER] += left;
}

/* Pass spans that tile a part of the window. */
static void random_tiles(struct lkst_thread *thread)
{
	int64_t at = random_number() % 2 ? 0 : (int64_t)(random_number() % 1000);

	for (unsigned int i = random_number() % 100; i > 0; i--) {
		struct lkst_thread_span tile = {
			.thread = thread, .state = random_number() % LKST_STATE_NUM,
			.begin_ns = at, .end_ns = at + (int64_t)(random_number() % 10000),
			.begin_known = random_number() % 2, .preempted = random_number() % 2,
			.letter = "SDTItZ"[random_number() % 7],
			.syscall = (int32_t)(random_number() % 4) - 1,
			.end = i == 1 ? LKST_END_EXIT : LKST_END_STATE };

		if (tile.state == LKST_STATE_RUNNING)
			random_modes(&tile);
		analysis_span(&tile);
		if (random_number() % 4 == 0)
			call(thread, (int32_t)(random_number() % 4), 0, at, random_number() % 2, 0);
		at = tile.end_ns;
	}
}

/*
 * Pass spans that the model would never report: in any order, of any length, with any times by
 * mode.
 */
static void random_damage(struct lkst_thread *thread)
{
	for (int i = 0; i < 100; i++) {
		struct lkst_thread_span damaged = {
			.thread = thread, .state = random_number() % LKST_STATE_NUM,
			.begin_ns = (int64_t)random_number() >> random_number() % 60,
			.end_ns = (int64_t)random_number() >> random_number() % 60,
			.letter = (char)random_number(), .syscall = (int32_t)random_number(),
			.end = random_number() % 3 };

		for (int mode = 0; mode < LKST_MODE_NUM; mode++)
			damaged.mode_ns[mode] = (int64_t)random_number() >> random_number() % 60;
		analysis_span(&damaged);
	}
}

/* Check that the times in the first table add up to the window, for each of @num threads. */
static void check_sums(uint64_t num)
{
	char *text = analysis_csv(), *end = strstr(text, CALLS), *line;
	int64_t sum = 0;

	ck_assert_ptr_nonnull(end);
	for (line = strchr(text, '\n') + 1; line < end; line = strchr(line, '\n') + 1) {
		char *cell = line;
		int64_t ns;

		for (int column = 0; column < 4; column++)
			cell = strchr(cell, ',') + 1;
		ns = strtoll(cell, NULL, 10);
		ck_assert_int_ge(ns, 0);
		sum += ns;
	}
	ck_assert_int_eq(sum, num * WINDOW_NS);
	free(text);
}

TEST(tiles_add_up)
{
	for (int i = 0; i < 300; i++) {
		analysis_teardown();
		setup();
		analysis_selected = NULL;
		child.created = random_number() % 2;
		span(&p, LKST_STATE_RUNNABLE, 0, 0);
		span(&child, LKST_STATE_RUNNABLE, 0, 0);
		random_tiles(&p);
		random_tiles(&child);
		check_sums(2);
	}
}

TEST(damage_adds_up)
{
	for (int i = 0; i < 300; i++) {
		analysis_teardown();
		setup();
		random_damage(&p);
		check_sums(1);
	}
}
