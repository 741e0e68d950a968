// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla timer: how late timers are by their clock, what the CPU did meanwhile, and which threads
 * they wake up.
 */
#include "irq_case.h"
#include "tap.h"

static void setup(void)
{
	irq_setup(&analysis_timer, NULL, -1);
	irq_values("vec enum 236 LOCAL_TIMER\n");
	irq_open(0);
}

TESTS(.setup = setup, .teardown = irq_teardown);

#define LATE  "name,count,unknown,late_p50_ns,late_p99_ns,late_max_ns,at_ns,cause\n"
#define WORST "name,cpu,context,late_ns,idle_ns,irq_ns,softirq_ns,thread_ns,unknown_ns,thread\n"
#define WAIT  "thread,name,count,wait_p50_ns,wait_p99_ns,wait_max_ns,at_ns,behind\n"
#define UNTIL "thread,name,count,late_p50_ns,late_p99_ns,late_max_ns,at_ns,timer_ns,rest_ns\n"
#define F     "0:0xffffffff81001000"

/* A timer interrupt of 100 ns at @at. After 10 ns, it runs the function of a timer for @expires. */
static void timer(int64_t at, int32_t cpu, uint32_t tid, int64_t expires)
{
	E(at, cpu, tid, H, INT_TIMER_ENTRY, 236, 0);
	E(at + 10, cpu, tid, H, TIMER_HR_RUN_ENTRY, 0x10, IRQ_FUNCTION, (uint64_t)expires);
	E(at + 50, cpu, tid, H, TIMER_HR_RUN_EXIT, 0x10, IRQ_FUNCTION);
	E(at + 100, cpu, tid, H, INT_TIMER_EXIT, 236);
}

/*
 * The lateness is the sum of parts, one for each thing that the CPU did. The first table names the
 * largest part.
 */
TEST(test_idle)
{
	irq_switch(0, 0, 1, 'S', 0);
	timer(1000, 0, 0, 400);
	timer(2000, 0, 0, 2005);
	irq_end(100000);
	analysis_check(LATE F ",2,0,5,610,610,1000000000400,idle\n"
		       WORST F ",0,irq,610,600,10,0,0,0,\n" WAIT UNTIL);
}

TEST(test_thread)
{
	irq_switch(0, 0, 1, 'S', 8);
	irq_switch(500, 0, 8, 'S', 9);
	timer(1000, 0, 9, 400);
	irq_end(100000);
	analysis_check(LATE F ",1,0,610,610,610,1000000000400,t9-9\n"
		       WORST F ",0,irq,610,0,10,0,600,0,t9-9\n" WAIT UNTIL);
}

TEST(test_interrupt)
{
	irq_switch(0, 0, 1, 'S', 8);
	E(500, 0, 8, H, INT_HARDWARE_ENTRY, 24, text8("vio"));
	E(990, 0, 8, H, INT_HARDWARE_EXIT, 24, 1);
	timer(1000, 0, 8, 400);
	irq_end(100000);
	analysis_check(LATE F ",1,0,610,610,610,1000000000400,hard interrupt\n"
		       WORST F ",0,irq,610,0,500,0,110,0,t8-8\n" WAIT UNTIL);
}

/* The function of an hrtimer runs in a softirq. Another softirq, and then a thread, delay it. */
TEST(test_softirq)
{
	irq_switch(0, 0, 1, 'S', 8);
	E(500, 0, 8, S, INT_SOFTIRQ_ENTRY, 3);
	E(900, 0, 8, S, INT_SOFTIRQ_EXIT, 3);
	E(1000, 0, 8, S, INT_SOFTIRQ_ENTRY, 8);
	E(1010, 0, 8, S, TIMER_HR_RUN_ENTRY, 0x10, IRQ_FUNCTION, 400);
	E(1020, 0, 8, S, TIMER_HR_RUN_EXIT, 0x10, IRQ_FUNCTION);
	E(1030, 0, 8, S, INT_SOFTIRQ_EXIT, 8);
	irq_end(100000);
	analysis_check(LATE F ",1,0,610,610,610,1000000000400,softirq\n"
		       WORST F ",0,softirq,610,0,0,410,200,0,t8-8\n" WAIT UNTIL);
}

/* Nothing is known about the time before the first event of the CPU. */
TEST(test_unknown_before)
{
	irq_switch(900, 0, 1, 'S', 8);
	timer(1000, 0, 8, 400);
	irq_end(100000);
	analysis_check(LATE F ",1,0,610,610,610,1000000000400,unknown\n"
		       WORST F ",0,irq,610,0,10,0,100,500,t8-8\n" WAIT UNTIL);
}

/*
 * There are more context switches than the analysis remembers, so the time before them is unknown.
 */
TEST(test_unknown_long_ago)
{
	irq_switch(0, 0, 1, 'S', 8);
	for (int i = 1; i <= 400; i++)
		irq_switch(i * 10, 0, i % 2 ? 8 : 9, 'S', i % 2 ? 9 : 8);
	timer(4010, 0, 8, 20);
	irq_end(100000);
	analysis_check(LATE F ",1,0,4000,4000,4000,1000000000020,unknown\n"
		       WORST F ",0,irq,4000,0,10,0,1280,2710,t8-8\n" WAIT UNTIL);
}

/*
 * The analysis remembers the older interrupts of a thread only as a sum. This sum includes
 * interrupts before 4000, when the timer was due. Because all of the first 128 interrupts may have
 * been before 4000, their 1280 ns are unknown.
 */
TEST(test_many_interrupts)
{
	irq_switch(0, 0, 1, 'S', 8);
	for (int i = 1; i <= 200; i++) {
		E(i * 100, 0, 8, H, INT_HARDWARE_ENTRY, 24, text8("vio"));
		E(i * 100 + 10, 0, 8, H, INT_HARDWARE_EXIT, 24, 1);
	}
	timer(20090, 0, 8, 4000);
	irq_end(100000);
	analysis_check(LATE F ",1,0,16100,16100,16100,1000000004000,t8-8\n"
		       WORST F ",0,irq,16100,0,730,0,14090,1280,t8-8\n" WAIT UNTIL);
}

/* Timers that use different clocks: for some expiry times, the lateness is unknown. */
static const struct {
	const char *name;
	int64_t expires;
	const char *row;
} clocks[] = {
	{ "monotonic", 400, F ",1,0,610,610,610,1000000000400,thread\n" },
	{ "wall", IRQ_WALL_NS + 500, F ",1,0,510,510,510,1000000000500,thread\n" },
	{ "slack", 1010 + 50000, F ",1,0,0,0,0,1000000001010,\n" },
	{ "slack, wall", IRQ_WALL_NS + 100000, F ",1,0,0,0,0,1000000001010,\n" },
	{ "TAI", IRQ_WALL_NS + 37000000000, F ",1,1,,,,,\n" },
	{ "boot time", 3600000000000, F ",1,1,,,,,\n" },
	{ "the largest", INT64_MAX, F ",1,1,,,,,\n" },
	{ "the smallest", INT64_MIN, F ",1,1,,,,,\n" },
};

TEST_ROWS(test_clock, clocks)
{
	char *csv;
	const char *row;
	char expected[128];

	irq_switch(0, 0, 1, 'S', 8);
	timer(1000, 0, 8, clocks[_i].expires);
	irq_end(100000);
	csv = analysis_csv();
	assert_begins(csv, LATE);
	row = csv + strlen(LATE);
	/* Replace "thread" in the expected row by the name of thread 8. */
	snprintf(expected, sizeof(expected), "%s", clocks[_i].row);
	if (strstr(expected, "thread"))
		strcpy(strstr(expected, "thread"), "t8-8\n");
	assert_begins(row, expected);
	free(csv);
}

/* Two CPUs run the same function: the longer delay is the worst one. -c selects a CPU. */
static void record_two_cpus(void)
{
	irq_switch(0, 0, 1, 'S', 8);
	irq_switch(0, 1, 2, 'S', 0);
	timer(1000, 0, 8, 500);
	timer(2000, 1, 0, 1000);
	irq_end(100000);
}

TEST(test_cpus)
{
	record_two_cpus();
	analysis_check(LATE F ",2,0,511,1010,1010,1000000001000,idle\n"
		       WORST F ",1,irq,1010,1000,10,0,0,0,\n" WAIT UNTIL);
}

TEST(test_cpu)
{
	analysis_args.cpu = 0;
	record_two_cpus();
	analysis_check(LATE F ",1,0,510,510,510,1000000000500,t8-8\n"
		       WORST F ",0,irq,510,0,10,0,500,0,t8-8\n" WAIT UNTIL);
}

TEST(test_over)
{
	analysis_args.over_ns = 600;
	record_two_cpus();
	analysis_check(LATE F ",1,0,1010,1010,1010,1000000001000,idle\n"
		       WORST F ",1,irq,1010,1000,10,0,0,0,\n" WAIT UNTIL);
}

/* A timer set for 400 wakes up thread 9 at 1030. Thread 9 runs at @run, after thread 8. */
static void wake_up(int64_t run)
{
	irq_switch(0, 0, 9, 'S', 8);
	E(1000, 0, 8, H, INT_TIMER_ENTRY, 236, 0);
	E(1010, 0, 8, H, TIMER_HR_RUN_ENTRY, 0x10, IRQ_FUNCTION, 400);
	E(1030, 0, 8, H, PROCESS_WAKING, pack(9, 120), 0, text8("t9"));
	E(1032, 0, 8, H, PROCESS_WAKEUP, pack(9, 120), 0, text8("t9"));
	E(1050, 0, 8, H, TIMER_HR_RUN_EXIT, 0x10, IRQ_FUNCTION);
	E(1100, 0, 8, H, INT_TIMER_EXIT, 236);
	if (run)
		irq_switch(run, 0, 8, 'R', 9);
}

#define LATE_610 LATE F ",1,0,610,610,610,1000000000400,t8-8\n" WORST F ",0,irq,610,0,10,0,600,0,t8-8\n"

TEST(test_wait)
{
	wake_up(5030);
	irq_end(100000);
	analysis_check(LATE_610 WAIT "t9-9," F ",1,4000,4000,4000,1000000001030,t8-8\n"
		       UNTIL "t9-9," F ",1,4630,4630,4630,1000000000400,610,4020\n");
}

/* The window ends before the thread runs, so the duration of the wait is unknown. */
TEST(test_wait_cut)
{
	wake_up(0);
	irq_end(100000);
	analysis_check(LATE_610 WAIT UNTIL);
}

/*
 * A wake-up that the timer did not cause does not count for the timer, even if the wake-up follows
 * soon.
 */
TEST(test_other_wake)
{
	irq_switch(0, 0, 9, 'S', 8);
	timer(1000, 0, 8, 400);
	E(1200, 0, 8, 0, PROCESS_WAKING, pack(9, 120), 0, text8("t9"));
	E(1210, 0, 8, 0, PROCESS_WAKEUP, pack(9, 120), 0, text8("t9"));
	irq_switch(2000, 0, 8, 'R', 9);
	irq_end(100000);
	analysis_check(LATE_610 WAIT UNTIL);
}

/* With -p, the timers that wake up other threads, or none, are left out. */
TEST(test_process)
{
	irq_switch(0, 0, 9, 'S', 8);
	analysis_args.processes = (struct option_words){ 1, { "t9" } };
	analysis_selected = irq_thread(9);
	timer(200, 0, 8, 100);
	wake_up(5030);
	irq_end(100000);
	analysis_check(LATE_610 WAIT "t9-9," F ",1,4000,4000,4000,1000000001030,t8-8\n"
		       UNTIL "t9-9," F ",1,4630,4630,4630,1000000000400,610,4020\n");
}

/* A function counts if it has begun, even if its end is missing or after the window. */
TEST(test_no_end)
{
	irq_switch(0, 0, 1, 'S', 8);
	E(1010, 0, 8, H, TIMER_HR_RUN_ENTRY, 0x10, IRQ_FUNCTION, 1000);
	E(1100, 0, 8, 0, USER_MARK, 1);
	E(2010, 0, 8, H, TIMER_HR_RUN_ENTRY, 0x10, IRQ_FUNCTION, 2000);
	irq_end(100000);
	analysis_check(LATE F ",2,0,10,10,10,1000000001000,t8-8\n"
		       WORST F ",0,irq,10,0,0,0,10,0,t8-8\n" WAIT UNTIL);
}
