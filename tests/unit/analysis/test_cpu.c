// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla cpu: scripts of events go through the model to the analysis. The window is from 0 to 1 ms,
 * and there are two CPUs.
 */
#include "analysis_case.h"
#include "model_case.h"

static void setup(void)
{
	model = lkst_model_new(false, &err);
	assert_made(model);
	analysis_setup(&analysis_cpu, NULL);
	analysis_run.model = model;
	assert_ok(lkst_model_add(model, &analysis_cpu.ops, analysis_ctx(), &err));
}

static void teardown(void)
{
	analysis_teardown();
	model_done();
}

TESTS(.setup = setup, .teardown = teardown);

#define HEAD                                                                           \
	"cpu,user,kernel,thread,irq,softirq,idle,unknown,switches,migrations,wakeups," \
	"idle_while_queued_ns\n"

/* Thread a runs on CPU 0, and CPU 1 is idle. */
#define BEGIN "0:0 switch b>a S; 1:0 switch c>idle S; "

/*
 * @begin_ns: start of the window. @cpu: argument of -c, or -1 for all CPUs. @expected: rows without
 * the heading
 */
static const struct {
	const char *name;
	int64_t begin_ns;
	int cpu;
	const char *script, *expected;
} cases[] = {
	/* a wakes up b. b then waits for the CPU on which a is running. */
	{ "idle_while_queued", 0, -1,
	  BEGIN "0:200000 wakeup b 0; 0:500000 switch a>b S",
	  "0,0,0,1,0,0,0,0,2,0,1,0\n1,0,0,0,0,0,1,0,1,0,0,300000\n" },
	/*
	 * c waits in the queue of CPU 1, which is about to run it. So CPU 1 does not count as idle
	 * while a thread is queued.
	 */
	{ "own_queue", 0, -1,
	  BEGIN "0:200000 wakeup c 1; 1:500000 switch idle>c R",
	  "0,0,0,1,0,0,0,0,1,0,1,0\n1,0,0,0.5,0,0,0.5,0,2,0,0,0\n" },
	/*
	 * A thread waits in the queue of CPU 0 from 200 us on, and in that of CPU 1 from 400 us on.
	 */
	{ "both_queues", 0, -1,
	  BEGIN "0:200000 wakeup b 0; 0:400000 wakeup c 1; 1:500000 switch idle>c R",
	  "0,0,0,1,0,0,0,0,1,0,2,0\n1,0,0,0.5,0,0,0.5,0,2,0,0,300000\n" },
	{ "preempted", 0, -1,
	  "0:0 switch b>a R; 1:100000 switch c>idle S; 0:600000 switch a>b S",
	  "0,0,0,1,0,0,0,0,2,0,0,0\n1,0,0,0,0,0,0.9,0.1,1,0,0,500000\n" },
	/* What CPU 1 did before its first record is unknown. Shares are fractions of the window. */
	{ "late_cpu", 0, -1,
	  "0:0 switch b>a S; 1:750000 switch c>idle S",
	  "0,0,0,1,0,0,0,0,1,0,0,0\n1,0,0,0,0,0,0.25,0.75,1,0,0,0\n" },
	/* b moves from the queue of CPU 0 to that of CPU 1, which is then about to run it. */
	{ "migrated", 0, -1,
	  BEGIN "0:200000 wakeup b 0; 1:300000 migrate b 0>1; 1:500000 switch idle>b R",
	  "0,0,0,1,0,0,0,0,1,0,1,0\n1,0,0,0.5,0,0,0.5,0,2,1,0,100000\n" },
	/* b has waited since before the window. */
	{ "queued_before", 400000, -1,
	  BEGIN "0:200000 wakeup b 0; 0:500000 switch a>b S",
	  "0,0,0,1,0,0,0,0,1,0,0,0\n1,0,0,0,0,0,1,0,0,0,0,100000\n" },
	/* The first event in the window is a wake-up of b, about which nothing is known yet. */
	{ "woken_first", 400000, -1,
	  "0:0 switch c>a S; 1:0 switch c>idle S; 0:700000 wakeup b 0",
	  "0,0,0,1,0,0,0,0,0,0,1,0\n1,0,0,0,0,0,1,0,0,0,0,300000\n" },
	{ "interrupts_and_cpu", 0, 0,
	  BEGIN "0:100000 irq 9 irq; 0:350000 irqx 9",
	  "0,0,0,0.75,0.25,0,0,0,1,0,0,0\n" },
	/* Records of CPU 0 are lost while b waits there: from then on, b may be anywhere. */
	{ "lost", 0, -1,
	  BEGIN "0:200000 wakeup b 0; 0:300000 irq 9 irq; lose 0 10; 0:700000 irqx 9",
	  "0,0,0,0.6,0,0,0,0.4,1,0,1,0\n1,0,0,0,0,0,1,0,1,0,0,100000\n" },
	/*
	 * Records of CPU 1 are lost from 100 us to 900 us. Before that, CPU 1 is idle, but no
	 * thread waits. b waits from 200 us on, so only the time from 900 us on counts.
	 */
	{ "lost_while_idle", 0, -1,
	  BEGIN "1:100000 raise 1; 0:200000 wakeup b 0; 0:800000 irq 9 irq; 0:800000 irqx 9; "
	  "lose 1 10; 1:900000 irq 9 irq; 1:900000 irqx 9",
	  "0,0,0,1,0,0,0,0,1,0,1,0\n1,0,0,0,0,0,0.2,0.8,1,0,0,100000\n" },
};

/* Check what the analysis prints, without the heading. */
static void check_rows(const char *expected)
{
	char text[400];

	ck_assert(!analysis_out_of_memory());
	snprintf(text, sizeof(text), HEAD "%s", expected);
	analysis_check(text);
}

TEST_ROWS(test_cpu, cases)
{
	analysis_args.cpu = cases[_i].cpu;
	analysis_run.begin_ns = cases[_i].begin_ns;
	lkst_model_open_window(model, cases[_i].begin_ns);
	model_script(cases[_i].script);
	assert_ok(lkst_model_cut(model, 1000000, &err));
	check_rows(cases[_i].expected);
}
END_TEST

/*
 * The frequency of CPU 1 is 1 GHz for 300 us and 3 GHz for 500 us, and unknown before that. Any CPU
 * can record the frequency of CPU 1. A frequency of a CPU with an impossible number is ignored.
 */
TEST(test_frequency)
{
	lkst_model_open_window(model, 0);
	model_script(BEGIN "0:200000 freq 1000000 1; 1:500000 freq 3000000 1; "
			   "1:600000 freq 3000000 99999");
	assert_ok(lkst_model_cut(model, 1000000, &err));
	analysis_check("cpu,user,kernel,thread,irq,softirq,idle,unknown,switches,migrations,"
		       "wakeups,idle_while_queued_ns,mhz\n"
		       "0,0,0,1,0,0,0,0,1,0,0,0,\n1,0,0,0,0,0,1,0,1,0,0,0,2250\n");
}
END_TEST

/* An event before the window shows the frequency at the start of the window. */
TEST(test_frequency_before)
{
	const struct lkst_event before = {
		.type = LKST_ETYPE_CPU_FREQUENCY,
		.time_ns = 100000,
		.arg = { 800000, 1 },
	};

	analysis_run.begin_ns = 400000;
	analysis_cpu.early(analysis_ctx(), &before);
	lkst_model_open_window(model, 400000);
	model_script(BEGIN "0:700000 freq 1200000 1");
	assert_ok(lkst_model_cut(model, 1000000, &err));
	analysis_check("cpu,user,kernel,thread,irq,softirq,idle,unknown,switches,migrations,"
		       "wakeups,idle_while_queued_ns,mhz\n"
		       "0,0,0,1,0,0,0,0,0,0,0,0,\n1,0,0,0,0,0,1,0,0,0,0,0,1000\n");
}
END_TEST

/* The earliest and the latest possible time, as in a damaged trace, cause no overflow. */
TEST(test_extreme_times)
{
	lkst_model_open_window(model, INT64_MIN);
	analysis_run.begin_ns = INT64_MIN;
	model_script("0:-9223372036854775808 switch b>a R; 0:9223372036854775807 switch a>b R");
	check_rows("0,0,0,1,0,0,0,0,2,0,0,0\n");
}
END_TEST
