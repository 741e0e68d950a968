// SPDX-License-Identifier: GPL-2.0
/* lkstla wake: which RUNNABLE spans are wake-ups, the times until threads ran, and the graph. */
#include "analysis_case.h"
#include "tap.h"

#define HEAD	"waker,woken,wakes,p50_ns,p99_ns,max_ns,at_ns\n"

/* As in wake.c. */
struct wake_arguments {
	bool dot;
};

static const struct wake_arguments no_dot, dot = { .dot = true };

static struct lkst_thread p = { .index = 0, .tid = 1, .name = "p" };
static struct lkst_thread q = { .index = 1, .tid = 2, .name = "q" };
static struct lkst_thread reused = { .index = 50, .tid = 1, .name = "p" };
static struct lkst_thread quoted = { .index = 51, .tid = 3, .name = "\"\\\n" };

#define BY(c, ...)	((struct lkst_wake){ .known = true, .context = (c), __VA_ARGS__ })
#define BY_Q		BY(-1, .thread = &q)

static void setup(void)
{
	analysis_setup(&analysis_wake, &no_dot);
}

static void setup_dot(void)
{
	analysis_setup(&analysis_wake, &dot);
}

/* A thread was woken up at @begin_ns, and ran at @end_ns. */
static void wake(struct lkst_thread *thread, struct lkst_wake by, int64_t begin_ns, int64_t end_ns)
{
	by.time_ns = begin_ns;
	analysis_span(&(struct lkst_thread_span){
		.thread = thread, .state = LKST_STATE_RUNNABLE, .begin_ns = begin_ns,
		.end_ns = end_ns, .begin_known = true, .end = LKST_END_STATE, .wake = by });
}

TESTS(.setup = setup, .teardown = analysis_teardown);

TEST(nothing)
{
	analysis_check(HEAD);
}

TEST(other_spans)
{
	struct lkst_thread_span span = {
		.thread = &p, .begin_ns = 10, .end_ns = 20, .begin_known = true,
		.end = LKST_END_STATE, .wake = BY_Q,
	};

	span.wake.time_ns = 10;
	for (int state = 0; state < LKST_STATE_NUM; state++) {
		span.state = state;
		if (state != LKST_STATE_RUNNABLE)
			analysis_span(&span);
	}
	span.state = LKST_STATE_RUNNABLE;
	span.preempted = true;
	analysis_span(&span);
	/* Woken up before the window. */
	span.preempted = false;
	span.begin_known = false;
	span.wake.time_ns = 9;
	analysis_span(&span);
	/* No wake-up was recorded. */
	span.wake = (struct lkst_wake){ 0 };
	analysis_span(&span);
	analysis_check(HEAD);
}

/* A wake-up counts even if the thread then did not run, and its state before was unknown. */
TEST(never_ran)
{
	struct lkst_thread_span span = {
		.thread = &p, .state = LKST_STATE_RUNNABLE, .begin_ns = 10, .end_ns = 1000000,
		.end = LKST_END_CUT, .wake = BY_Q,
	};

	span.wake.time_ns = 10;
	analysis_span(&span);
	analysis_check(HEAD "q-2,p-1,1,,,,\n");
}

/* Frequent wakers come first. Of two waits that are equally long, the first one is reported. */
TEST(wakers)
{
	wake(&p, BY_Q, 10, 20);
	wake(&p, BY(LKST_CONTEXT_SOFTIRQ, .thread = &q, .number = 3), 100, 130);
	wake(&p, BY(LKST_CONTEXT_SOFTIRQ, .thread = &q, .number = 3), 200, 230);
	wake(&p, BY(LKST_CONTEXT_SOFTIRQ, .thread = &q, .number = 3), 300, 305);
	wake(&q, BY(LKST_CONTEXT_WORK, .thread = &p, .number = 0x10), 10, 20);
	wake(&q, BY(-1, .thread = &p), 30, 45);
	analysis_check(HEAD "softirq NET_RX,p-1,3,30,30,30,130\n"
			    "p-1,q-2,2,10,15,15,45\n"
			    "q-2,p-1,1,10,10,10,20\n");
}

TEST(names)
{
	static const struct { struct lkst_wake by; const char *name; } rows[] = {
		{ { .known = false, .context = -1 }, "" },
		{ { .known = true, .context = -1 }, "idle" },
		{ { .known = true, .context = LKST_CONTEXT_IRQ, .number = 9 }, "irq 9" },
		{ { .known = true, .context = LKST_CONTEXT_IRQ, .number = 9, .name = "eth0" }, "irq eth0" },
		{ { .known = true, .context = LKST_CONTEXT_IRQ, .number = 9, .name = "disk" }, "irq disk" },
		{ { .known = true, .context = LKST_CONTEXT_TIMER_IRQ, .number = 9 }, "local timer interrupt" },
		{ { .known = true, .context = LKST_CONTEXT_IPI, .number = 253 }, "IPI 253" },
		{ { .known = true, .context = LKST_CONTEXT_SOFTIRQ, .number = 1 }, "softirq TIMER" },
		{ { .known = true, .context = LKST_CONTEXT_SOFTIRQ, .number = 99 }, "softirq 99" },
		{ { .known = true, .context = LKST_CONTEXT_TASKLET, .number = 16 }, "tasklet 0:0x10" },
		{ { .known = true, .context = LKST_CONTEXT_TIMER, .number = 16 }, "timer 0:0x10" },
		{ { .known = true, .context = LKST_CONTEXT_HRTIMER, .number = 16 }, "hrtimer 0:0x10" },
		{ { .known = true, .context = LKST_CONTEXT_EXCEPTION, .number = 14 }, "idle" },
		{ { .known = true, .context = INT32_MAX, .number = 16 }, "" },
	};

	for (int i = 0; i < NUM(rows); i++) {
		char want[128];

		analysis_teardown();
		setup();
		wake(&p, rows[i].by, 10, 20);
		snprintf(want, sizeof(want), HEAD "%s,p-1,1,10,10,10,20\n", rows[i].name);
		analysis_check(want);
	}
}

/* The handlers of a shared interrupt are different wakers, and so are threads with equal names. */
TEST(apart)
{
	wake(&q, BY(LKST_CONTEXT_IRQ, .number = 9, .name = "eth0"), 10, 20);
	wake(&q, BY(LKST_CONTEXT_IRQ, .number = 9, .name = "eth0"), 30, 40);
	wake(&q, BY(LKST_CONTEXT_IRQ, .number = 9, .name = "disk"), 50, 60);
	wake(&reused, BY_Q, 70, 81);
	wake(&p, BY_Q, 70, 80);
	analysis_check(HEAD "irq eth0,q-2,2,10,10,10,20\n"
			    "q-2,p-1,1,10,10,10,80\n"
			    "irq disk,q-2,1,10,10,10,60\n"
			    "q-2,p-1,1,11,11,11,81\n");
}

TEST(selection)
{
	analysis_selected = &p;
	wake(&p, BY(-1, .cpu = 0), 10, 20);
	wake(&q, BY(-1, .thread = &p), 10, 20);
	wake(&q, BY(-1, .cpu = 0), 10, 20);
	wake(&q, BY(LKST_CONTEXT_IRQ, .thread = &p), 10, 20);
	analysis_args.cpu = 3;
	wake(&p, BY(-1, .cpu = 2), 10, 20);
	wake(&p, BY(-1, .cpu = 3), 10, 20);
	analysis_args.over_ns = 10;
	wake(&p, BY(-1, .cpu = 3, .thread = &q), 10, 19);
	analysis_check(HEAD "idle,p-1,2,10,10,10,20\np-1,q-2,1,10,10,10,20\n");
}

TEST(overflow)
{
	wake(&p, BY_Q, INT64_MIN, INT64_MAX);
	wake(&p, BY_Q, 1, INT64_MIN);
	analysis_check(HEAD "q-2,p-1,2,0,9223372036854775807,9223372036854775807,"
			    "9223372036854775807\n");
}

TESTS(.name = "dot", .setup = setup_dot, .teardown = analysis_teardown);

TEST(graph)
{
	char *text;

	wake(&p, BY_Q, 10, 20);
	wake(&p, BY_Q, 30, 40);
	wake(&quoted, (struct lkst_wake){ .context = -1 }, 10, 20);
	text = analysis_printed();
	ck_assert_str_eq(text, "digraph wake {\n"
			       "\t\"q-2\" -> \"p-1\" [label=2]\n"
			       "\t\"unknown\" -> \"\\\"\\\\\\\\012-3\" [label=1]\n"
			       "}\n");
	free(text);
}

TEST(graph_top)
{
	char *text;

	analysis_args.top = 1;
	wake(&p, BY_Q, 10, 20);
	wake(&p, BY_Q, 30, 40);
	wake(&q, BY_Q, 10, 20);
	text = analysis_printed();
	ck_assert_str_eq(text, "digraph wake {\n\t\"q-2\" -> \"p-1\" [label=2]\n}\n");
	free(text);
}
