// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla cpu: events go through the model to the analysis. The window is 0 to 1 ms, and two CPUs
 * record.
 */
#include "analysis_case.h"
#include "sample.h"
#include "tap.h"

enum {
	A = 100, /* threads; 0 is the idle thread */
	B = 101,
	C = 102,
};

static uint64_t recid[4];

static void setup(void)
{
	struct lkst_model *model = lkst_model_new(false, &err);

	assert_made(model);
	memset(recid, 0, sizeof(recid));
	analysis_setup(&analysis_cpu, NULL);
	analysis_run.model = model;
	assert_ok(lkst_model_add(model, &analysis_cpu.ops, analysis_ctx(), &err));
	lkst_model_open_window(model, 0);
}

static void teardown(void)
{
	analysis_teardown();
	lkst_model_free(analysis_run.model);
}

TESTS(.setup = setup, .teardown = teardown);

static void feed_at(int32_t cpu, int64_t ns, uint32_t tid, uint32_t type, uint64_t arg0,
		    uint64_t arg1)
{
	const struct lkst_event event = {
		.time_ns = ns,
		.recid = recid[cpu]++,
		.arg = { arg0, arg1, text8("name"), text8("name") },
		.type = type,
		.tid = tid,
		.tgid = tid,
		.cpu = cpu,
		.machine = LKST_MACHINE_X86_64,
	};

	assert_ok(lkst_model_event(analysis_run.model, &event, &err));
}

static void feed(int32_t cpu, int64_t us, uint32_t tid, uint32_t type, uint64_t arg0, uint64_t arg1)
{
	feed_at(cpu, us * 1000, tid, type, arg0, arg1);
}

static void switch_to(int32_t cpu, int64_t us, uint32_t prev, char state, uint32_t next)
{
	feed(cpu, us, prev, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(prev, (uint32_t)state),
	     pack(next, 120));
}

/* @waker, which runs on @cpu, wakes @thread up on the CPU @target. */
static void wake(int32_t cpu, int64_t us, uint32_t waker, uint32_t thread, uint32_t target)
{
	feed(cpu, us, waker, LKST_ETYPE_PROCESS_WAKEUP, pack(thread, 120), pack(target, 0));
}

static void end(void)
{
	assert_ok(lkst_model_cut(analysis_run.model, 1000000, &err));
	ck_assert(!analysis_out_of_memory());
}

#define HEAD                                                                           \
	"cpu,user,kernel,thread,irq,softirq,idle,unknown,switches,migrations,wakeups," \
	"idle_while_queued_ns\n"

/* CPU 0 runs A, which wakes B up on its own CPU, while CPU 1 is idle. */
static void queue_behind_a(void)
{
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	wake(0, 200, A, B, 0);
	switch_to(0, 500, A, 'S', B);
}

TEST(test_idle_while_queued)
{
	queue_behind_a();
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,2,0,1,0\n1,0,0,0,0,0,1,0,1,0,0,300000\n");
}
END_TEST

/* A thread in the CPU's own queue does not count: the CPU is about to run it. */
TEST(test_own_queue)
{
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	wake(0, 200, A, C, 1);
	switch_to(1, 500, 0, 'R', C);
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,1,0,1,0\n1,0,0,0.5,0,0,0.5,0,2,0,0,0\n");
}
END_TEST

/* Threads wait in both queues: from 200 us on in that of CPU 0, from 400 us on in that of CPU 1. */
TEST(test_both_queues)
{
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	wake(0, 200, A, B, 0);
	wake(0, 400, A, C, 1);
	switch_to(1, 500, 0, 'R', C);
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,1,0,2,0\n1,0,0,0.5,0,0,0.5,0,2,0,0,300000\n");
}
END_TEST

TEST(test_preempted)
{
	switch_to(0, 0, B, 'R', A);
	switch_to(1, 100, C, 'S', 0);
	switch_to(0, 600, A, 'S', B);
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,2,0,0,0\n1,0,0,0,0,0,0.9,0.1,1,0,0,500000\n");
}
END_TEST

/* What CPU 1 did before its first record is unknown. All shares are of the window. */
TEST(test_late_cpu)
{
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 750, C, 'S', 0);
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,1,0,0,0\n1,0,0,0,0,0,0.25,0.75,1,0,0,0\n");
}
END_TEST

/* B moves from the queue of CPU 0 to that of CPU 1, which is then about to run it. */
TEST(test_migrated)
{
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	wake(0, 200, A, B, 0);
	feed(1, 300, 0, LKST_ETYPE_PROCESS_MIGRATE, B, pack(0, 1));
	switch_to(1, 500, 0, 'R', B);
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,1,0,1,0\n1,0,0,0.5,0,0,0.5,0,2,1,0,100000\n");
}
END_TEST

/* B has waited since before the window. */
TEST(test_queued_before)
{
	lkst_model_open_window(analysis_run.model, 400000);
	analysis_run.begin_ns = 400000;
	queue_behind_a();
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,1,0,0,0\n1,0,0,0,0,0,1,0,0,0,0,100000\n");
}
END_TEST

/* The first event in the window is a wake-up of B, about which nothing is known yet. */
TEST(test_woken_first)
{
	lkst_model_open_window(analysis_run.model, 400000);
	analysis_run.begin_ns = 400000;
	switch_to(0, 0, C, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	wake(0, 700, A, B, 0);
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,0,0,1,0\n1,0,0,0,0,0,1,0,0,0,0,300000\n");
}
END_TEST

TEST(test_interrupts_and_cpu)
{
	analysis_args.cpu = 0;
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	feed(0, 100, A, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, text8("irq"));
	feed(0, 350, A, LKST_ETYPE_INT_HARDWARE_EXIT, 9, 1);
	end();
	analysis_check(HEAD "0,0,0,0.75,0.25,0,0,0,1,0,0,0\n");
}
END_TEST

/* Records of CPU 0 are lost while B waits there: from then on, B may be anywhere. */
TEST(test_lost)
{
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	wake(0, 200, A, B, 0);
	feed(0, 300, A, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, text8("irq"));
	recid[0] += 10;
	feed(0, 700, A, LKST_ETYPE_INT_HARDWARE_EXIT, 9, 1);
	end();
	ck_assert_uint_eq(lkst_model_counts(analysis_run.model)->lost, 10);
	analysis_check(HEAD "0,0,0,0.6,0,0,0,0.4,1,0,1,0\n1,0,0,0,0,0,1,0,1,0,0,100000\n");
}
END_TEST

/* CPU 1 is idle until its records are lost at 100 us. No thread waits until later. */
TEST(test_lost_while_idle)
{
	switch_to(0, 0, B, 'S', A);
	switch_to(1, 0, C, 'S', 0);
	feed(1, 100, 0, LKST_ETYPE_INT_SOFTIRQ_RAISE, 1, 0);
	wake(0, 200, A, B, 0);
	feed(0, 800, A, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, text8("irq"));
	feed(0, 800, A, LKST_ETYPE_INT_HARDWARE_EXIT, 9, 1);
	recid[1] += 10;
	feed(1, 900, 0, LKST_ETYPE_INT_HARDWARE_ENTRY, 9, text8("irq"));
	feed(1, 900, 0, LKST_ETYPE_INT_HARDWARE_EXIT, 9, 1);
	end();
	analysis_check(HEAD "0,0,0,1,0,0,0,0,1,0,1,0\n1,0,0,0,0,0,0.2,0.8,1,0,0,100000\n");
}
END_TEST

/* Damaged times do not overflow the clocks. */
TEST(test_extreme_times)
{
	lkst_model_open_window(analysis_run.model, INT64_MIN);
	analysis_run.begin_ns = INT64_MIN;
	feed_at(0, INT64_MIN, B, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(B, 'R'), pack(A, 120));
	feed_at(0, INT64_MAX, A, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(A, 'R'), pack(B, 120));
	analysis_check(HEAD "0,0,0,1,0,0,0,0,2,0,0,0\n");
}
END_TEST
