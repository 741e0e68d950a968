// SPDX-License-Identifier: GPL-2.0
/* lkstla noise: which thread loses which time, and that no time is counted twice. */
#include "irq_case.h"
#include "tap.h"

static void setup(void)
{
	irq_setup(&analysis_noise, NULL, 0);
	irq_open(0);
	irq_switch(0, 0, 1, 'S', 8);
}

#define NOISE "cause,name,count,total_ns,max_ns,at_ns,share\n"

TESTS(.setup = setup, .teardown = irq_teardown);

/* End the window, and check the rows, without the heading. */
static void check_rows(const char *expected)
{
	char *csv;

	irq_end(1000000);
	csv = analysis_csv();
	assert_begins(csv, NOISE);
	ck_assert_str_eq(csv + strlen(NOISE), expected);
	free(csv);
}

/* The time of a softirq does not include the interrupt that interrupts it. */
TEST(test_interrupt)
{
	irq_values("vec enum 236 LOCAL_TIMER\n");
	E(1000, 0, 8, H, INT_TIMER_ENTRY, 236);
	E(3000, 0, 8, H, INT_TIMER_EXIT, 236);
	E(3000, 0, 8, S, INT_SOFTIRQ_ENTRY, 1);
	E(4000, 0, 8, S | H, INT_HARDWARE_ENTRY, 24, text8("vio"));
	E(4500, 0, 8, S | H, INT_HARDWARE_EXIT, 24, 1);
	E(6000, 0, 8, S, INT_SOFTIRQ_EXIT, 1);
	check_rows("softirq,TIMER,1,2500,2500,1000000003000,0.0025\n"
		   "irq,LOCAL_TIMER,1,2000,2000,1000000001000,0.002\n"
		   "irq,vio,1,500,500,1000000004000,0.0005\n");
}

/*
 * An interrupt on an idle CPU takes no time away from any thread. With -c, interrupts on other CPUs
 * do not count.
 */
TEST(test_idle)
{
	irq_switch(100, 0, 8, 'S', 0);
	E(1000, 0, 0, H, INT_TIMER_ENTRY, 236);
	E(3000, 0, 0, H, INT_TIMER_EXIT, 236);
	irq_switch(0, 1, 1, 'S', 9);
	E(5000, 1, 9, H, INT_TIMER_ENTRY, 236);
	E(6000, 1, 9, H, INT_TIMER_EXIT, 236);
	check_rows("");
}

/*
 * Thread 9 preempts thread 8, and is interrupted. The interrupt takes the CPU away from both, but is
 * counted once. A thread that runs after thread 8 went to sleep takes nothing away.
 */
TEST(test_preempted)
{
	irq_switch(1000, 0, 8, 'R', 9);
	E(2000, 0, 9, H, INT_IPI_ENTRY, 253);
	E(2100, 0, 9, H, INT_IPI_EXIT, 253);
	irq_switch(5000, 0, 9, 'S', 8);
	irq_switch(6000, 0, 8, 'S', 9);
	irq_switch(9000, 0, 9, 'S', 8);
	check_rows("thread,t9-9,1,3900,3900,1000000001000,0.0039\n"
		   "irq,vector 253,1,100,100,1000000002000,0.0001\n");
}

/* Thread 9 preempted thread 8 before the window: only the time in the window counts. */
TEST(test_preempted_before)
{
	irq_teardown();
	irq_setup(&analysis_noise, NULL, 0);
	irq_open(2000);
	irq_switch(0, 0, 1, 'S', 8);
	irq_switch(1000, 0, 8, 'R', 9);
	E(3000, 0, 9, H, INT_IPI_ENTRY, 253);
	E(3100, 0, 9, H, INT_IPI_EXIT, 253);
	irq_switch(5000, 0, 9, 'S', 8);
	check_rows("thread,t9-9,1,2900,2900,1000000002000,0.00290581162324649\n"
		   "irq,vector 253,1,100,100,1000000003000,0.000100200400801603\n");
}

/* Two threads one after the other take the CPU away from thread 8, and one of them twice. */
TEST(test_runs)
{
	irq_switch(1000, 0, 8, 'R', 9);
	irq_switch(2000, 0, 9, 'S', 10);
	irq_switch(2500, 0, 10, 'S', 9);
	irq_switch(4500, 0, 9, 'S', 8);
	irq_switch(5000, 0, 8, 'R', 9);
	irq_switch(5100, 0, 9, 'S', 8);
	check_rows("thread,t9-9,3,3100,2000,1000000002500,0.0031\n"
		   "thread,t10-10,1,500,500,1000000002000,0.0005\n");
}

/* A thread that preempts another one, and is then preempted itself, is both cause and victim. */
TEST(test_chain)
{
	irq_switch(1000, 0, 8, 'R', 9);
	irq_switch(2000, 0, 9, 'R', 10);
	irq_switch(3000, 0, 10, 'S', 9);
	irq_switch(4000, 0, 9, 'S', 8);
	check_rows("thread,t9-9,2,2000,1000,1000000001000,0.002\n"
		   "thread,t10-10,1,1000,1000,1000000002000,0.001\n");
}

/* Once a waiting thread has moved to CPU 1, nothing on CPU 0 takes time away from it. */
TEST(test_migrated)
{
	irq_switch(1000, 0, 8, 'R', 9);
	E(3000, 1, 20, 0, PROCESS_MIGRATE, 8, pack(0, 1));
	E(5000, 0, 9, H, INT_IPI_ENTRY, 253);
	E(5100, 0, 9, H, INT_IPI_EXIT, 253);
	irq_switch(6000, 0, 9, 'S', 0);
	check_rows("thread,t9-9,1,2000,2000,1000000001000,0.002\n"
		   "irq,vector 253,1,100,100,1000000005000,0.0001\n");
}

/* With -p, only the time that was taken away from the selected thread counts. */
TEST(test_process)
{
	E(100, 0, 8, H, INT_IPI_ENTRY, 253);
	E(200, 0, 8, H, INT_IPI_EXIT, 253);
	analysis_selected = irq_thread(8);
	irq_switch(1000, 0, 8, 'R', 9);
	irq_switch(1500, 0, 9, 'R', 10);
	E(1600, 0, 10, H, INT_IPI_ENTRY, 252);
	E(1610, 0, 10, H, INT_IPI_EXIT, 252);
	irq_switch(2000, 0, 10, 'S', 8);
	irq_switch(3000, 0, 8, 'S', 9);
	E(3100, 0, 9, H, INT_IPI_ENTRY, 251);
	E(3200, 0, 9, H, INT_IPI_EXIT, 251);
	irq_switch(4000, 0, 9, 'R', 10);
	irq_switch(5000, 0, 10, 'S', 9);
	check_rows("thread,t9-9,1,500,500,1000000001000,0.0005\n"
		   "thread,t10-10,1,490,490,1000000001500,0.00049\n"
		   "irq,vector 253,1,100,100,1000000000100,0.0001\n"
		   "irq,vector 252,1,10,10,1000000001600,1e-05\n");
}

/* ksoftirqd runs softirqs: they take the CPU away from a thread that waits, but not from ksoftirqd. */
TEST(test_ksoftirqd)
{
	irq_switch(1000, 0, 8, 'S', 15);
	E(1100, 0, 15, S, INT_SOFTIRQ_ENTRY, 3);
	E(1200, 0, 15, S, INT_SOFTIRQ_EXIT, 3);
	irq_switch(2000, 0, 15, 'S', 8);
	irq_switch(3000, 0, 8, 'R', 15);
	E(3100, 0, 15, S, INT_SOFTIRQ_ENTRY, 3);
	E(3400, 0, 15, S, INT_SOFTIRQ_EXIT, 3);
	irq_switch(4000, 0, 15, 'S', 8);
	check_rows("thread,ksoftirq-15,1,700,700,1000000003000,0.0007\n"
		   "softirq,NET_RX,1,300,300,1000000003100,0.0003\n");
}

/* The window ends while the thread waits. */
TEST(test_cut)
{
	irq_switch(999000, 0, 8, 'R', 9);
	check_rows("thread,t9-9,1,1000,1000,1000000999000,0.001\n");
}

/*
 * A thread that exits does not wait any longer, so the threads that run after it take nothing away.
 */
TEST(test_lost)
{
	irq_switch(1000, 0, 8, 'R', 9);
	irq_switch(2000, 0, 9, 'S', 8);
	irq_switch(3000, 0, 8, 'X', 9);
	irq_switch(4000, 0, 9, 'S', 10);
	irq_switch(5000, 0, 10, 'S', 9);
	check_rows("thread,t9-9,1,1000,1000,1000000001000,0.001\n");
}

TEST(test_over)
{
	analysis_args.over_ns = 1000;
	irq_switch(1000, 0, 8, 'R', 9);
	irq_switch(2000, 0, 9, 'S', 8);
	irq_switch(3000, 0, 8, 'R', 9);
	irq_switch(3999, 0, 9, 'S', 8);
	E(5000, 0, 8, H, INT_IPI_ENTRY, 253);
	E(7000, 0, 8, H, INT_IPI_EXIT, 253);
	check_rows("irq,vector 253,1,2000,2000,1000000005000,0.002\n"
		   "thread,t9-9,1,1000,1000,1000000001000,0.001\n");
}
