// SPDX-License-Identifier: GPL-2.0
/* System calls, and user and kernel mode. */
#include "model_case.h"

static const struct model_case cases[] = {
	{ "a_call",
	  "0:5 switch idle>a R; 0:10 sys 1 77; 0:20 ret 1 -5; 0:25 switch a>idle S; cut 30",
	  SHOW_CALLS | SHOW_THREADS | SHOW_CPUS,
	  "cpu0 thread a 5-10\n"
	  "a call 1(77) 10-20 = -5 run 10\n"
	  "cpu0 kernel a 10-20\n"
	  "a run 5-25 cpu0 user 5 kernel 10 thread 5\n"
	  "cpu0 user a 20-25\n"
	  "cpu0 idle 25-30\n"
	  "a block 25-30 S cut\n" },
	{ "a_call_that_sleeps",
	  "0:5 switch idle>a R; 0:10 sys 1; 0:12 switch a>b S; 0:20 wakeup a 0; "
	  "0:25 switch b>a S; 0:30 ret 1; cut 30",
	  SHOW_CALLS | SHOW_THREADS,
	  "a run 5-12 cpu0 kernel 2 thread 5 in 1\n"
	  "a block 12-20 S in 1\n"
	  "b run 12-25 cpu0 thread 13\n"
	  "a wait 20-25 cpu0 by b behind b in 1\n"
	  "a call 1 10-30 = 0 run 7 wait 5 block 8\n"
	  "a run 25-30 cpu0 kernel 5 cut\n"
	  "b block 25-30 S cut\n" },
	{ "interrupts_in_a_call",
	  "0:5 switch idle>a R; 0:10 sys 1; 0h:12 irq 9; 0h:15 irqx 9; 0:20 ret 1; cut 30",
	  SHOW_THREADS | SHOW_CALLS,
	  "a call 1 10-20 = 0 run 10\n"
	  "a run 5-30 cpu0 user 10 kernel 7 thread 5 hardirq 3 cut\n" },
	{ "the_exit_comes_first",
	  "0:5 switch idle>a R; 0:7 switch a>b S; 0:9 switch b>a S; 0:10 ret 1 4; cut 20",
	  SHOW_CALLS | SHOW_THREADS | SHOW_COUNTS,
	  "a run 5-7 cpu0 thread 2\n"
	  "b run 7-9 cpu0 thread 2\n"
	  "a block 7-9 S\n"
	  "a call 1 ~5-10 = 4 run 3 block 2\n"
	  "a run 9-20 cpu0 user 10 thread 1 cut\n"
	  "b block 9-20 S cut\n"
	  "events 4 ends 1\n" },
	{ "a_second_entry",
	  "0/a:5 mark; 0:10 sys 1; 0:20 sys 2; 0:30 ret 2; cut 40",
	  SHOW_CALLS | SHOW_COUNTS,
	  "a call 1 10-20~ run 10\n"
	  "a call 2 20-30 = 0 run 10\n"
	  "events 4 begins 1\n" },
	{ "the_exit_of_another_call",
	  "0/a:5 mark; 0:10 sys 1; 0:20 ret 2; 0:25 ret 1; cut 40",
	  SHOW_CALLS | SHOW_COUNTS,
	  "a call 1 10-20~ run 10\n"
	  "a call 2 ~20-20 = 0\n"
	  "a call 1 ~25-25 = 0\n"
	  "events 4 begins 1 ends 2\n" },
	{ "sigreturn",
	  "0/a:5 mark; 0:10 sys 15; 0:20 ret -1; cut 40",
	  SHOW_CALLS | SHOW_COUNTS,
	  "a call 15 10-20 = 0 run 10\n"
	  "events 3\n" },
	{ "exec_changes_the_number",
	  "0/a:5 mark; 0:10 sys 59; 0:15 exec a a; 0:20 ret 11; cut 40",
	  SHOW_CALLS | SHOW_COUNTS,
	  "a call 59 10-20 = 0 run 10\n"
	  "events 4\n" },
	{ "a_new_thread_returns_from_fork",
	  "0/a:5 sys 56; 0:10 fork b; 0:12 wakenew b 0 1; 0:15 ret 56 102; 0:20 switch a>b S; "
	  "0:25 ret 56; 0:30 sys 3; 0:35 ret 3; cut 40",
	  SHOW_CALLS | SHOW_THREADS | SHOW_COUNTS,
	  "b block 10-12\n"
	  "a call 56 5-15 = 102 run 10\n"
	  "a run ~5-20 cpu0 user 5 kernel 10\n"
	  "b wait 12-20 cpu0 by a behind a\n"
	  "b call 3 30-35 = 0 run 5\n"
	  "a block 20-40 S cut\n"
	  "b run 20-40 cpu0 user 10 kernel 10 cut\n"
	  "events 8\n" },
	{ "a_thread_ends_in_a_call",
	  "0/a:5 mark; 0:10 sys 60; 0:15 exit a; 0:20 switch a>b Z; cut 40",
	  SHOW_CALLS | SHOW_COUNTS,
	  "a call 60 10-20~ run 10 exit\n"
	  "events 4\n" },
	{ "an_exception_from_user_mode",
	  "0/a:1 mark; 1/b:2 sys 3; 1:3 ret 3; 0:10 trap 14 4096; 0:15 trapx 14 4096; cut 20",
	  SHOW_CPUS,
	  "cpu1 kernel b 2-3\n"
	  "cpu0 thread a 1-10\n"
	  "cpu0 kernel a 10-15\n"
	  "cpu0 user a 15-20\n"
	  "cpu1 user b 3-20\n" },
	{ "an_exception_from_user_mode_ends_a_call",
	  "0/a:1 mark; 0:5 sys 1; 0:10 trap 14 4096; 0:15 trapx 14 4096; cut 20",
	  SHOW_CALLS | SHOW_CPUS | SHOW_COUNTS,
	  "cpu0 thread a 1-5\n"
	  "a call 1 5-10~ run 5\n"
	  "cpu0 kernel a 5-15\n"
	  "cpu0 user a 15-20\n"
	  "events 4 begins 1\n" },
	{ "an_exception_in_a_call",
	  "0/a:1 mark; 0:5 sys 1; 0:10 trap 14 0xffffffff81000000; "
	  "0:15 trapx 14 0xffffffff81000000; 0:20 ret 1; cut 30",
	  SHOW_CALLS | SHOW_CPUS | SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 thread a 1-5\n"
	  "cpu0 exception 14 10-15 own 5 of a ip 18446744071578845184\n"
	  "a call 1 5-20 = 0 run 15\n"
	  "cpu0 kernel a 5-20\n"
	  "cpu0 user a 20-30\n"
	  "events 5\n" },
	{ "a_timer_interrupt_in_user_mode",
	  "0/a:1 mark; 1/b:2 sys 3; 1:3 ret 3; 0h:10 tick 236 4096; 0h:15 tickx 236; cut 20",
	  SHOW_CPUS,
	  "cpu1 kernel b 2-3\n"
	  "cpu0 thread a 1-10\n"
	  "cpu0 hardirq a 10-15\n"
	  "cpu0 user a 15-20\n"
	  "cpu1 user b 3-20\n" },
	{ "a_timer_interrupt_in_kernel_mode",
	  "0/a:1 mark; 1/b:2 sys 3; 1:3 ret 3; 0h:10 tick 236 0xffffffff81000000; "
	  "0h:15 tickx 236; 0h:16 tick 236 0; 0h:17 tickx 236; cut 20",
	  SHOW_CPUS,
	  "cpu1 kernel b 2-3\n"
	  "cpu0 thread a 1-10\n"
	  "cpu0 hardirq a 10-15\n"
	  "cpu0 thread a 15-16\n"
	  "cpu0 hardirq a 16-17\n"
	  "cpu0 thread a 17-20\n"
	  "cpu1 user b 3-20\n" },
	{ "a_timer_interrupt_in_user_mode_ends_a_call",
	  "0/a:1 mark; 0:5 sys 1; 0:7 trap 14 0xffffffff81000000; 0h:10 tick 236 4096; "
	  "0h:15 tickx 236; cut 20",
	  SHOW_CALLS | SHOW_CPUS | SHOW_CONTEXTS | SHOW_COUNTS,
	  "cpu0 thread a 1-5\n"
	  "cpu0 exception 14 7-10~ own 3 of a ip 18446744071578845184\n"
	  "a call 1 5-10~ run 5\n"
	  "cpu0 kernel a 5-10\n"
	  "cpu0 tick 236 10-15 own 5 of a ip 4096\n"
	  "cpu0 hardirq a 10-15\n"
	  "cpu0 user a 15-20\n"
	  "events 5 begins 2\n" },
	{ "without_calls_the_mode_is_unknown",
	  "0:5 switch idle>a R; 0:10 trap 14 4096; 0:15 trapx 14 4096; cut 20",
	  SHOW_CPUS,
	  "cpu0 thread a 5-20\n" },
};

TESTS(.teardown = model_done);

TEST_ROWS(test_model_syscalls, cases)
{
	model_check(&cases[_i]);
}
