// SPDX-License-Identifier: GPL-2.0
/* Interrupts, softirqs, timers, work items and exceptions. */
#include "model_case.h"

static const struct model_case cases[] = {
	{ "an_interrupt",
	  "0/a:5 mark; 0h:10 irq 9 disk; 0h:14 irqx 9; cut 20",
	  SHOW_CONTEXTS | SHOW_CPUS | SHOW_THREADS,
	  "cpu0 thread a 5-10\n"
	  "cpu0 irq 9 disk 10-14 own 4 of a\n"
	  "cpu0 hardirq a 10-14\n"
	  "cpu0 thread a 14-20\n"
	  "a run ~5-20 cpu0 thread 11 hardirq 4 cut\n" },
	/*
	 * The interrupt came while the mark at 30 was being written: after its slot had been
	 * reserved, and before its time was read.
	 */
	{ "an_interrupt_while_a_record_is_written",
	  "0/a:5 mark; 0/a:30 mark; 0h:10 irq 9; 0h:20 irqx 9; 0s:21 soft 1; 0s:22 softx 1; "
	  "0/a:40 mark; cut 50",
	  SHOW_CONTEXTS | SHOW_THREADS | SHOW_COUNTS,
	  "cpu0 irq 9 30-30 own 0 of a\n"
	  "cpu0 softirq 1 30-30 own 0 of a\n"
	  "a run ~5-50 cpu0 thread 45 cut\n"
	  "events 7 nested 4 by 20\n" },
	{ "an_interrupt_that_is_earlier_than_another_cpu",
	  "0/a:5 mark; 1/b:30 mark; 0h:10 irq 9; 0h:12 irqx 9; cut 50",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 irq 9 30-30 own 0 of a\n"
	  "events 4 reordered 2\n" },
	{ "an_interrupted_record_and_an_event_of_another_cpu",
	  "0/a:5 mark; 0/a:30 mark; 1/b:40 mark; 0h:10 irq 9; 0h:12 irqx 9; cut 50",
	  SHOW_COUNTS,
	  "events 5 reordered 2 nested 2 by 20\n" },
	{ "a_thread_goes_back_in_time",
	  "0/a:5 mark; 0/a:30 mark; 0/a:20 mark; 0/a:40 mark; cut 50",
	  SHOW_COUNTS,
	  "events 4 reordered 1\n" },
	{ "an_interrupt_goes_back_by_more_than_a_second",
	  "0/a:5 mark; 0/a:1000000015 mark; 0h:15 irq 9; 0h:14 irqx 9; cut 1000000020",
	  SHOW_COUNTS,
	  "events 4 reordered 1 nested 1 by 1000000000\n" },
	{ "nested_contexts",
	  "0/a:1 mark; 0s:10 soft 1; 0s:12 timer 7; 0hs:14 irq 9; 0hs:17 irqx 9; "
	  "0s:20 timerx 7; 0s:25 softx 1; cut 30",
	  SHOW_CONTEXTS | SHOW_CPUS | SHOW_THREADS,
	  "cpu0 thread a 1-10\n"
	  "cpu0 softirq a 10-14\n"
	  "cpu0 irq 9 14-17 own 3 of a\n"
	  "cpu0 hardirq a 14-17\n"
	  "cpu0 timer 7 12-20 own 5 of a\n"
	  "cpu0 softirq 1 10-25 own 12 of a\n"
	  "cpu0 softirq a 17-25\n"
	  "cpu0 thread a 25-30\n"
	  "a run ~1-30 cpu0 thread 14 softirq 12 hardirq 3 cut\n" },
	{ "all_kinds",
	  "0/a:1 mark; 0h:10 tick 236 4096; 0h:11 hr 5 99; 0h:12 hrx 5; 0h:13 tickx 236; "
	  "0h:14 ipi 253; 0h:15 ipix 253; 0s:20 soft 6; 0s:21 tasklet 8; 0s:22 taskletx 8; "
	  "0s:23 hi 9; 0s:24 hix 9; 0s:25 softx 6; cut 26",
	  SHOW_CONTEXTS | SHOW_CPUS,
	  "cpu0 thread a 1-10\n"
	  "cpu0 hrtimer 5 11-12 own 1 of a expires 99\n"
	  "cpu0 tick 236 10-13 own 3 of a ip 4096\n"
	  "cpu0 hardirq a 10-13\n"
	  "cpu0 thread a 13-14\n"
	  "cpu0 ipi 253 14-15 own 1 of a\n"
	  "cpu0 hardirq a 14-15\n"
	  "cpu0 thread a 15-20\n"
	  "cpu0 tasklet 8 21-22 own 1 of a\n"
	  "cpu0 tasklet 9 23-24 own 1 of a\n"
	  "cpu0 softirq 6 20-25 own 5 of a\n"
	  "cpu0 softirq a 20-25\n"
	  "cpu0 thread a 25-26\n" },
	{ "a_softirq_was_raised",
	  "0/a:1 mark; 0h:10 irq 9; 0h:11 raise 3; 0h:12 raise 3; 0h:13 irqx 9; 0s:14 soft 3; "
	  "0s:15 softx 3; 0s:16 soft 3; 0s:17 softx 3; 0:18 raise 77; cut 20",
	  SHOW_CONTEXTS,
	  "cpu0 irq 9 10-13 own 3 of a\n"
	  "cpu0 softirq 3 14-15 own 1 of a raised 11\n"
	  "cpu0 softirq 3 16-17 own 1 of a\n" },
	{ "while_idle",
	  "0/idle:1 mark; 0h:10 irq 9; 0h:15 irqx 9; cut 20",
	  SHOW_CONTEXTS | SHOW_CPUS,
	  "cpu0 idle 1-10\n"
	  "cpu0 irq 9 10-15 own 5\n"
	  "cpu0 hardirq 10-15\n"
	  "cpu0 idle 15-20\n" },
	{ "an_exit_without_an_entry",
	  "0h/a:10 irqx 9; 0:20 mark; cut 30",
	  SHOW_CONTEXTS | SHOW_CPUS | SHOW_COUNTS,
	  "cpu0 irq 9 ~10-10 own 0 of a\n"
	  "cpu0 thread a 10-30\n"
	  "events 2 ends 1\n" },
	{ "an_entry_without_an_exit",
	  "0/a:1 mark; 0h:10 irq 9; 0:20 mark; 0:25 mark; cut 30",
	  SHOW_CONTEXTS | SHOW_CPUS | SHOW_COUNTS,
	  "cpu0 thread a 1-10\n"
	  "cpu0 irq 9 10-20~ own 10 of a\n"
	  "cpu0 hardirq a 10-20\n"
	  "cpu0 thread a 20-30\n"
	  "events 4 begins 1\n" },
	{ "an_inner_exit_is_missing",
	  "0/a:1 mark; 0s:10 soft 1; 0hs:12 irq 9; 0s:20 softx 1; cut 30",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 irq 9 12-20~ own 8 of a\n"
	  "cpu0 softirq 1 10-20 own 2 of a\n"
	  "events 4 begins 1\n" },
	{ "an_inner_exit_is_missing_and_flags_do_not_show_it",
	  "0/a:1 mark; 0s:10 soft 1; 0s:12 timer 7; 0s:20 softx 1; cut 30",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 timer 7 12-20~ own 8 of a\n"
	  "cpu0 softirq 1 10-20 own 10 of a\n"
	  "events 4 begins 1\n" },
	{ "a_second_entry",
	  "0/a:1 mark; 0h:10 irq 9; 0h:20 irq 9; 0h:25 irqx 9; cut 30",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 irq 9 10-20~ own 10 of a\n"
	  "cpu0 irq 9 20-25 own 5 of a\n"
	  "events 4 begins 1\n" },
	{ "the_exit_of_another_interrupt",
	  "0/a:1 mark; 0h:10 irq 9; 0h:20 irqx 8; 0h:25 irqx 9; cut 30",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 irq 9 10-20~ own 10 of a\n"
	  "cpu0 irq 8 ~20-20 own 0 of a\n"
	  "cpu0 irq 9 ~25-25 own 0 of a\n"
	  "events 4 begins 1 ends 2\n" },
	{ "a_softirq_does_not_nest",
	  "0/a:1 mark; 0s:10 soft 1; 0s:20 soft 2; 0s:25 softx 2; cut 30",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 softirq 1 10-20~ own 10 of a\n"
	  "cpu0 softirq 2 20-25 own 5 of a\n"
	  "events 4 begins 1\n" },
	{ "a_switch_ends_contexts",
	  "0/a:1 mark; 0:10 soft 1; 0:20 switch a>b S; cut 30",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 softirq 1 10-20~ own 10 of a\n"
	  "events 3 begins 1\n" },
	{ "an_hrtimer_in_an_interrupt_of_an_hrtimer",
	  "0/a:1 mark; 0s:10 soft 8; 0s:11 hr 5; 0hs:12 tick 236; 0hs:13 hr 5; 0hs:14 hrx 5; "
	  "0hs:15 tickx 236; 0s:16 hrx 5; 0s:17 softx 8; cut 20",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 hrtimer 5 13-14 own 1 of a\n"
	  "cpu0 tick 236 12-15 own 3 of a\n"
	  "cpu0 hrtimer 5 11-16 own 2 of a\n"
	  "cpu0 softirq 8 10-17 own 4 of a\n"
	  "events 9\n" },
	{ "the_function_of_a_timer_is_missing",
	  "0/a:1 mark; 0s:10 timer 7; 0s:12 timerx 0; 0h:15 hr 8; 0h:16 hrx 0; cut 20",
	  SHOW_CONTEXTS | SHOW_CPUS | SHOW_COUNTS,
	  "cpu0 thread a 1-10\n"
	  "cpu0 timer 7 10-12 own 2 of a\n"
	  "cpu0 softirq a 10-12\n"
	  "cpu0 thread a 12-15\n"
	  "cpu0 hrtimer 8 15-16 own 1 of a\n"
	  "cpu0 hardirq a 15-16\n"
	  "cpu0 thread a 16-20\n"
	  "events 5\n" },
	{ "an_nmi_shows_nothing_about_contexts",
	  "0/a:1 mark; 0s:10 soft 1; 0n:12 mark; 0s:15 softx 1; cut 20",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 softirq 1 10-15 own 5 of a\n"
	  "events 4\n" },
	{ "flags_that_the_entry_does_not_have",
	  "0/a:1 mark; 0:10 soft 1; 0:12 mark; 0:15 softx 1; cut 20",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 softirq 1 10-15 own 5 of a\n"
	  "events 4\n" },
	{ "a_work_item_sleeps",
	  "0/a:1 mark; 0:10 work 7; 0:15 switch a>b S; 0h:16 irq 9; 0h:18 irqx 9; "
	  "1:30 switch idle>a R; 1h:32 irq 9; 1h:34 irqx 9; 1:40 workx 7; cut 50",
	  SHOW_CONTEXTS | SHOW_THREADS,
	  "a run ~1-15 cpu0 kernel 5 thread 9\n"
	  "cpu0 irq 9 16-18 own 2 of b\n"
	  "a block 15-30 S at work 7\n"
	  "cpu1 irq 9 32-34 own 2 of a\n"
	  "cpu0 work 7 10-40 own 13 of a\n"
	  "a run 30-50 cpu1 kernel 18 hardirq 2 cut\n"
	  "b run 15-50 cpu0 thread 33 hardirq 2 cut\n" },
	{ "work_items_do_not_nest",
	  "0/a:1 mark; 0:10 work 7; 0:20 work 8; 0:30 workx 8; cut 40",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 work 7 10-20~ own 10 of a\n"
	  "cpu0 work 8 20-30 own 10 of a\n"
	  "events 4 begins 1\n" },
	{ "an_exception_sleeps",
	  "0/a:1 sys 3; 0:2 ret 3; 0:10 trap 14 4096; 0:15 switch a>b D; 0:30 switch b>a S; "
	  "0:40 trapx 14 4096; cut 50",
	  SHOW_CONTEXTS | SHOW_THREADS,
	  "a run ~1-15 cpu0 user 8 kernel 6\n"
	  "b run 15-30 cpu0 thread 15\n"
	  "a block 15-30 D at exception 14\n"
	  "cpu0 exception 14 10-40 own 15 of a ip 4096\n"
	  "a run 30-50 cpu0 user 10 kernel 10 cut\n"
	  "b block 30-50 S cut\n" },
	{ "an_exception_in_an_interrupt",
	  "0/a:1 mark; 0h:10 irq 9; 0h:11 trap 14; 0h:13 trapx 14; 0h:15 irqx 9; cut 20",
	  SHOW_CONTEXTS | SHOW_CPUS,
	  "cpu0 thread a 1-10\n"
	  "cpu0 exception 14 11-13 own 2 of a\n"
	  "cpu0 irq 9 10-15 own 5 of a\n"
	  "cpu0 hardirq a 10-15\n"
	  "cpu0 thread a 15-20\n" },
	{ "nested_exceptions",
	  "0/a:1 mark; 0:10 trap 13; 0:12 trap 14 0xffffffff81000000; "
	  "0:14 trapx 14 0xffffffff81000000; 0:20 trapx 13; cut 20",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 exception 14 12-14 own 2 of a ip 18446744071578845184\n"
	  "cpu0 exception 13 10-20 own 10 of a\n"
	  "events 5\n" },
	{ "a_thread_dies_in_an_exception",
	  "0/a:1 mark; 0:10 trap 13 0xffffffff81000000; 0:20 switch a>b X; cut 30",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 exception 13 10-20~ own 10 of a ip 18446744071578845184\n"
	  "events 3 begins 1\n" },
	{ "many_exceptions",
	  "0/a:1 mark; 0:11 trap 1 0xffffffff81000000; 0:12 trap 2 0xffffffff81000000; "
	  "0:13 trap 3 0xffffffff81000000; 0:14 trap 4 0xffffffff81000000; "
	  "0:15 trap 5 0xffffffff81000000; cut 20",
	  SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 exception 4 14-15~ own 1 of a ip 18446744071578845184\n"
	  "cpu0 exception 3 13-15~ own 2 of a ip 18446744071578845184\n"
	  "cpu0 exception 2 12-15~ own 3 of a ip 18446744071578845184\n"
	  "cpu0 exception 1 11-15~ own 4 of a ip 18446744071578845184\n"
	  "cpu0 exception 5 15-20~ own 5 of a ip 18446744071578845184\n"
	  "events 6 begins 4\n" },
};

TESTS(.teardown = model_done);

TEST_ROWS(test_model_contexts, cases)
{
	model_check(&cases[_i]);
}
