// SPDX-License-Identifier: GPL-2.0
/* lkstla irq: what is counted, own times, names, interrupts that the window cuts, and options. */
#include "irq_case.h"
#include "tap.h"

static void setup(void)
{
	irq_setup(&analysis_irq, NULL, -1);
}

TESTS(.setup = setup, .teardown = irq_teardown);

#define IRQ	 "number,name,count,total_ns,p50_ns,p99_ns,max_ns,at_ns,hit\n"
#define SOFTIRQ	 "name,count,total_ns,p50_ns,p99_ns,max_ns,at_ns,hit\n"
#define DELAY	 "name,count,p50_ns,p99_ns,max_ns,at_ns\n"
#define WORK	 "name,count,total_ns,p50_ns,p99_ns,max_ns,at_ns,thread\n"
#define FUNCTION "kind,name,count,total_ns,p50_ns,p99_ns,max_ns,at_ns,hit\n"

/* Two interrupts of a device: the second one is longer, and interrupts another thread. */
TEST(test_device)
{
	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	E(100, 0, 8, H, INT_HARDWARE_ENTRY, 24, text8("vio"));
	E(110, 0, 8, H, INT_HARDWARE_EXIT, 24, 1);
	irq_switch(200, 0, 8, 'S', 9);
	E(300, 0, 9, H, INT_HARDWARE_ENTRY, 24, text8("vio"));
	E(330, 0, 9, H, INT_HARDWARE_EXIT, 24, 1);
	irq_end(1000);
	analysis_check(IRQ "24,vio,2,40,10,30,30,1000000000300,t9-9\n" SOFTIRQ DELAY WORK FUNCTION);
}

/* The handlers of a shared interrupt have a row each. Of equal maxima, the first is shown. */
TEST(test_shared)
{
	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	for (int i = 1; i <= 2; i++) {
		E(i * 100, 0, 8, H, INT_HARDWARE_ENTRY, 9, text8("acpi"));
		E(i * 100 + 20, 0, 8, H, INT_HARDWARE_EXIT, 9, 1);
		E(i * 100 + 20, 0, 8, H, INT_HARDWARE_ENTRY, 9, text8("usb"));
		E(i * 100 + 21, 0, 8, H, INT_HARDWARE_EXIT, 9, 1);
	}
	irq_end(1000);
	analysis_check(IRQ "9,acpi,2,40,20,20,20,1000000000100,t8-8\n"
			   "9,usb,2,2,1,1,1,1000000000120,t8-8\n" SOFTIRQ DELAY WORK FUNCTION);
}

/*
 * The own time of a softirq does not include a hard interrupt that interrupts it. The time of a
 * timer's function is part of the time of its caller.
 */
TEST(test_nested)
{
	irq_values("softirq enum 1 TIMER\nvec enum 236 LOCAL_TIMER\n");
	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	E(50, 0, 8, H, INT_SOFTIRQ_RAISE, 1);
	E(60, 0, 8, 0, INT_SOFTIRQ_RAISE, 1);
	E(100, 0, 8, S, INT_SOFTIRQ_ENTRY, 1);
	E(120, 0, 8, S, TIMER_RUN_ENTRY, 0x10, IRQ_FUNCTION);
	E(140, 0, 8, S | H, INT_TIMER_ENTRY, 236, 0);
	E(150, 0, 8, S | H, TIMER_HR_RUN_ENTRY, 0x20, IRQ_FUNCTION + 0x100, 145);
	E(170, 0, 8, S | H, TIMER_HR_RUN_EXIT, 0x20, IRQ_FUNCTION + 0x100);
	E(175, 0, 8, S | H, INT_TIMER_EXIT, 236);
	E(180, 0, 8, S, TIMER_RUN_EXIT, 0x10, IRQ_FUNCTION);
	E(200, 0, 8, S, INT_SOFTIRQ_EXIT, 1);
	irq_end(1000);
	analysis_check(IRQ "vec 236,LOCAL_TIMER,1,35,35,35,35,1000000000140,t8-8\n"
		       SOFTIRQ "TIMER,1,65,65,65,65,1000000000100,t8-8\n"
		       DELAY "TIMER,1,50,50,50,1000000000050\n" WORK
		       FUNCTION "timer,0:0xffffffff81001000,1,25,25,25,25,1000000000120,t8-8\n"
				"hrtimer,0:0xffffffff81001100,1,20,20,20,20,1000000000150,t8-8\n");
}

/*
 * The interrupt that runs the function of an hrtimer is not recorded. The function does not
 * belong to the softirq that was interrupted.
 */
TEST(test_hidden_interrupt)
{
	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	E(100, 0, 8, S, INT_SOFTIRQ_ENTRY, 1);
	E(150, 0, 8, S | H, TIMER_HR_RUN_ENTRY, 0x20, IRQ_FUNCTION, 145);
	E(170, 0, 8, S | H, TIMER_HR_RUN_EXIT, 0x20, IRQ_FUNCTION);
	E(200, 0, 8, S, INT_SOFTIRQ_EXIT, 1);
	irq_end(1000);
	analysis_check(IRQ SOFTIRQ "TIMER,1,80,80,80,80,1000000000100,t8-8\n" DELAY WORK FUNCTION
		       "hrtimer,0:0xffffffff81001000,1,20,20,20,20,1000000000150,t8-8\n");
}

/* A work item takes no time while its thread waits. On an idle CPU, no thread is interrupted. */
TEST(test_work_and_idle)
{
	irq_open(0);
	irq_switch(10, 0, 7, 'S', 30);
	E(100, 0, 30, 0, WORK_ENTRY, 0x30, IRQ_FUNCTION);
	irq_switch(150, 0, 30, 'R', 8);
	irq_switch(400, 0, 8, 'S', 30);
	E(410, 0, 30, 0, WORK_EXIT, 0x30, IRQ_FUNCTION);
	irq_switch(500, 0, 30, 'S', 0);
	E(600, 0, 0, H, INT_IPI_ENTRY, 253);
	E(604, 0, 0, H, INT_IPI_EXIT, 253);
	irq_end(1000);
	analysis_check(IRQ "vec 253,vector 253,1,4,4,4,4,1000000000600,\n" SOFTIRQ DELAY
		       WORK "0:0xffffffff81001000,1,60,60,60,60,1000000000100,t30-30\n" FUNCTION);
}

/*
 * An interrupt that the window cuts is counted if it begins in the window. A cut time only adds to
 * the total.
 */
TEST(test_cut)
{
	irq_switch(10, 0, 7, 'S', 8);
	E(90, 0, 8, S, INT_SOFTIRQ_ENTRY, 3);
	irq_open(100);
	E(130, 0, 8, S, INT_SOFTIRQ_EXIT, 3);
	E(200, 0, 8, S, INT_SOFTIRQ_ENTRY, 3);
	E(205, 0, 8, S, INT_SOFTIRQ_EXIT, 3);
	E(900, 0, 8, S, INT_SOFTIRQ_ENTRY, 3);
	E(950, 0, 8, S, INT_SOFTIRQ_RAISE, 3);
	irq_end(1000);
	analysis_check(IRQ SOFTIRQ "NET_RX,2,135,5,5,5,1000000000200,t8-8\n" DELAY WORK FUNCTION);
}

/* An end without a begin does not count. A begin without an end counts, with unknown duration. */
TEST(test_unmatched)
{
	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	E(100, 0, 8, H, INT_HARDWARE_EXIT, 24, 1);
	E(200, 0, 8, H, INT_HARDWARE_ENTRY, 25, text8("vio"));
	E(210, 0, 8, 0, USER_MARK, 1);
	irq_end(1000);
	analysis_check(IRQ "25,vio,1,10,,,,,\n" SOFTIRQ DELAY WORK FUNCTION);
}

/*
 * A softirq without a name in the trace has its usual name. An unknown softirq has its number
 * instead.
 */
TEST(test_softirq_names)
{
	static const uint64_t numbers[] = { 0, 9, 31, 1000 };

	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	for (int i = 0; i < NUM(numbers); i++) {
		E(100 + i * 10, 0, 8, S, INT_SOFTIRQ_ENTRY, numbers[i]);
		E(109 + i * 10 - i, 0, 8, S, INT_SOFTIRQ_EXIT, numbers[i]);
	}
	irq_end(1000);
	analysis_check(IRQ SOFTIRQ "HI,1,9,9,9,9,1000000000100,t8-8\n"
				   "RCU,1,8,8,8,8,1000000000110,t8-8\n"
				   "softirq 31,1,7,7,7,7,1000000000120,t8-8\n"
				   "softirq 1000,1,6,6,6,6,1000000000130,t8-8\n" DELAY WORK FUNCTION);
}

/* Record the same interrupt in threads 8 (5 ns) and 9 (50 ns) on CPU 0, and in 10 (70 ns) on CPU 1. */
static void record_three(void)
{
	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	irq_switch(10, 1, 6, 'S', 10);
	E(100, 0, 8, H, INT_HARDWARE_ENTRY, 24, text8("vio"));
	E(105, 0, 8, H, INT_HARDWARE_EXIT, 24, 1);
	irq_switch(200, 0, 8, 'S', 9);
	analysis_selected = analysis_selected ? irq_thread(9) : NULL;
	E(300, 0, 9, H, INT_HARDWARE_ENTRY, 24, text8("vio"));
	E(350, 0, 9, H, INT_HARDWARE_EXIT, 24, 1);
	E(400, 1, 10, H, INT_HARDWARE_ENTRY, 24, text8("vio"));
	E(470, 1, 10, H, INT_HARDWARE_EXIT, 24, 1);
	irq_end(1000);
}

TEST(test_all)
{
	record_three();
	analysis_check(IRQ "24,vio,3,125,50,70,70,1000000000400,t10-10\n" SOFTIRQ DELAY WORK
				   FUNCTION);
}

TEST(test_cpu)
{
	analysis_args.cpu = 1;
	record_three();
	analysis_check(IRQ "24,vio,1,70,70,70,70,1000000000400,t10-10\n" SOFTIRQ DELAY WORK
				   FUNCTION);
}

TEST(test_process)
{
	static const struct lkst_thread other;

	analysis_selected = &other;
	record_three();
	analysis_check(IRQ "24,vio,1,50,50,50,50,1000000000300,t9-9\n" SOFTIRQ DELAY WORK FUNCTION);
}

TEST(test_over)
{
	analysis_args.over_ns = 50;
	record_three();
	analysis_check(IRQ "24,vio,2,120,50,70,70,1000000000400,t10-10\n" SOFTIRQ DELAY WORK
				   FUNCTION);
}

/* A damaged trace may have any number of functions: the rows are limited, but all are counted. */
TEST(test_many)
{
	const unsigned int num = (1u << 14) + 10;
	unsigned int rows = 0;
	uint64_t count = 0;
	char *csv;

	irq_open(0);
	irq_switch(10, 0, 7, 'S', 8);
	for (unsigned int i = 0; i < num; i++) {
		E(100 + i, 0, 8, 0, WORK_ENTRY, 0x30, i + 1);
		E(100 + i, 0, 8, 0, WORK_EXIT, 0x30, i + 1);
	}
	irq_end(1000000);
	csv = analysis_csv();
	assert_contains(csv, "\n-,(others),10,0,");
	for (const char *p = strstr(csv, WORK); p && (p = strchr(p, '\n')); p++, rows++)
		if (sscanf(p, "\n0:0x%*x,%u", &(unsigned int){ 0 }) == 1)
			count++;
	ck_assert_uint_eq(count, 1u << 14);
	ck_assert_uint_gt(rows, count);
	free(csv);
}

/* Sums saturate. */
TEST(test_huge)
{
	const struct lkst_context_span span = {
		.kind = LKST_CONTEXT_TIMER_IRQ,
		.number = UINT64_MAX,
		.end_ns = INT64_MAX,
		.own_ns = INT64_MAX,
		.begin_known = true,
	};

	for (int i = 0; i < 4; i++)
		analysis_irq.ops.context(analysis_ctx(), &span);
	analysis_check(IRQ "vec 18446744073709551615,vector 18446744073709551615,4,"
			   "9223372036854775807,,,,,\n" SOFTIRQ DELAY WORK FUNCTION);
}
