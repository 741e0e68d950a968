// SPDX-License-Identifier: GPL-2.0
/* Wake-ups, their causes, and migrations. */
#include "model_case.h"

static const struct model_case cases[] = {
	{ "by_a_thread",
	  "0:5 switch a>b S; 0:10 wakeup a 0; 0:20 switch b>a S; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run ~5-5 cpu0\n"
	  "a block 5-10 S\n"
	  "wake a by b cpu0 10 #1\n"
	  "b run 5-20 cpu0 thread 15\n"
	  "a wait 10-20 cpu0 by b behind b\n" },
	{ "waking_names_the_waker",
	  "0:1 switch idle>b R; 1:5 switch a>idle S; 0:10 waking a 1; 1h:12 ipi 253; "
	  "1h:13 wakeup a 1; 1h:14 ipix 253; 1:20 switch idle>a R; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run ~5-5 cpu1\n"
	  "a block 5-10 S\n"
	  "wake a by b cpu0 10 #1\n"
	  "a wait 10-20 cpu1 by b\n"
	  "b run 1-20 cpu0 thread 19 cut\n" },
	{ "without_waking_an_ipi_hides_the_waker",
	  "0:1 switch idle>b R; 1:5 switch a>idle S; 1h:12 ipi 253; 1h:13 wakeup a 1; "
	  "1h:14 ipix 253; 1:20 switch idle>a R; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run ~5-5 cpu1\n"
	  "a block 5-13 S\n"
	  "wake a by ? cpu1 13 #1\n"
	  "a wait 13-20 cpu1 by ?\n"
	  "b run 1-20 cpu0 thread 19 cut\n" },
	{ "without_waking_the_idle_thread_is_not_the_waker",
	  "1:5 switch a>idle S; 1:13 wakeup a 1; 1:20 switch idle>a R; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run ~5-5 cpu1\n"
	  "a block 5-13 S\n"
	  "wake a by ? cpu1 13 #1\n"
	  "a wait 13-20 cpu1 by ?\n" },
	{ "waking_by_the_idle_thread",
	  "1:5 switch a>idle S; 1:13 waking a 1; 1:20 switch idle>a R; cut 20",
	  SHOW_WAKES,
	  "wake a by - cpu1 13 #1\n" },
	{ "by_a_timer_while_idle",
	  "1:5 switch a>idle S; 1h:10 tick 236; 1h:11 hr 77; 1h:12 wakeup a 1; 1h:13 hrx 77; "
	  "1h:14 tickx 236; 1:20 switch idle>a R; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run ~5-5 cpu1\n"
	  "a block 5-12 S\n"
	  "wake a by -/hrtimer 77 cpu1 12 #1\n"
	  "a wait 12-20 cpu1 by -/hrtimer 77\n" },
	{ "by_an_interrupt_of_a_thread",
	  "0:1 switch a>b S; 0h:10 irq 9 disk; 0h:11 waking a 0; 0h:12 irqx 9; cut 20",
	  SHOW_WAKES,
	  "wake a by b/irq 9 disk cpu0 11 #1\n" },
	{ "by_a_softirq",
	  "0:1 switch a>b S; 0s:10 soft 4; 0s:11 waking a 0; 0s:12 softx 4; cut 20",
	  SHOW_WAKES,
	  "wake a by b/softirq 4 cpu0 11 #1\n" },
	{ "by_a_work_item",
	  "0:1 switch a>b S; 0:10 work 7; 0:11 waking a 0; 0:12 workx 7; cut 20",
	  SHOW_WAKES,
	  "wake a by b/work 7 cpu0 11 #1\n" },
	{ "in_an_interrupt_that_was_not_recorded",
	  "0:1 switch a>b S; 0h:11 waking a 0; 0:20 switch b>a S; 0:30 switch a>b S; "
	  "0s:35 soft 4; 0hs:36 waking a 0; cut 40",
	  SHOW_WAKES,
	  "wake a by ? cpu0 11 #1\n"
	  "wake a by ? cpu0 36 #2\n" },
	{ "in_an_nmi",
	  "0:1 switch a>b S; 0n:11 waking a 0; cut 20",
	  SHOW_WAKES,
	  "wake a by ? cpu0 11 #1\n" },
	{ "on_a_cpu_whose_thread_is_unknown",
	  "0:1 switch a>b S; 1/?:10 waking a 0; cut 20",
	  SHOW_WAKES,
	  "wake a by ? cpu1 10 #1\n" },
	{ "a_running_thread_is_not_woken_up",
	  "0:1 switch idle>a R; 0:5 waking a 0; 0:6 wakeup a 0; 0:10 switch a>b S; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run 1-10 cpu0 thread 9\n"
	  "a block 10-20 S cut\n"
	  "b run 10-20 cpu0 thread 10 cut\n" },
	{ "a_runnable_thread_is_not_woken_up_again",
	  "0:1 switch idle>b R; 1:5 switch a>idle S; 0:10 waking a 1; 0:11 wakeup a 1; "
	  "0:15 waking a 1; 0:16 wakeup a 1; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run ~5-5 cpu1\n"
	  "a block 5-10 S\n"
	  "wake a by b cpu0 10 #1\n"
	  "b run 1-20 cpu0 thread 19 cut\n"
	  "a wait 10-20 cpu1 by b cut\n" },
	{ "a_later_event_names_the_waker",
	  "0:1 switch idle>b R; 1:5 switch a>idle S; 1:10 wakeup a 1; 0:15 waking a 1; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run ~5-5 cpu1\n"
	  "a block 5-10 S\n"
	  "wake a by ? cpu1 10 #1\n"
	  "b run 1-20 cpu0 thread 19 cut\n"
	  "a wait 10-20 cpu1 by b cut\n" },
	{ "a_preempted_thread_has_no_waker",
	  "0:1 switch idle>a R; 0:5 switch a>b R+; 0:10 waking a 0; 0:11 wakeup a 0; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run 1-5 cpu0 thread 4 preempted\n"
	  "a wait 5-20 cpu0 again behind b cut\n"
	  "b run 5-20 cpu0 thread 15 cut\n" },
	{ "waking_before_the_thread_is_switched_out",
	  "0:1 switch idle>a R; 1:1 switch idle>b R; 1:5 waking a 0; 0:6 switch a>c S; "
	  "0h:10 ipi 251; 0h:12 wakeup a 0; 0h:14 ipix 251; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "a run 1-6 cpu0 thread 5\n"
	  "a block 6-12 S\n"
	  "wake a by b cpu1 12 #1\n"
	  "a wait 12-20 cpu0 by b behind c cut\n"
	  "b run 1-20 cpu1 thread 19 cut\n"
	  "c run 6-20 cpu0 thread 10 hardirq 4 cut\n" },
	{ "waking_in_an_earlier_run",
	  "0:1 switch idle>a R; 1:1 switch idle>b R; 1:5 waking a 0; 0:6 switch a>c R+; "
	  "0:7 switch c>a S; 0:8 switch a>c S; 0h:10 ipi 251; 0h:12 wakeup a 0; 0h:14 ipix 251; "
	  "0:15 switch c>a S; 0:16 switch a>c S; 0:17 waking a 0; cut 20",
	  SHOW_WAKES,
	  "wake a by ? cpu0 12 #1\n"
	  "wake a by c cpu0 17 #2\n" },
	{ "an_unknown_thread_is_woken_up",
	  "0/b:10 waking a 0; 0:12 wakeup a 1; cut 20",
	  SHOW_THREADS,
	  "b run ~10-20 cpu0 thread 10 cut\n"
	  "a wait ~10-20 cpu1 by b cut\n" },
	{ "the_idle_thread_is_never_woken_up",
	  "0/b:10 wakeup idle 0; 0:11 wakeup ? 0; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "b run ~10-20 cpu0 thread 10 cut\n" },
	{ "a_cpu_that_cannot_exist",
	  "0/b:10 wakeup a 99999; 0:11 migrate a 0>99999; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "wake a by b cpu0 10 #1\n"
	  "b run ~10-20 cpu0 thread 10 cut\n"
	  "a wait ~10-20 cpu-1 by b cut\n" },
	{ "behind_the_thread_on_the_cpu",
	  "0/a:1 mark; 1/c:2 mark; 0:10 waking b 0; 0:11 wakeup b 1; 1:20 switch c>b S; cut 20",
	  SHOW_THREADS,
	  "c run ~2-20 cpu1 thread 18\n"
	  "b wait ~10-20 cpu1 by a behind c\n"
	  "a run ~1-20 cpu0 thread 19 cut\n" },
	{ "migration",
	  "0/a:1 mark; 1/c:2 mark; 0:10 waking b 0; 0:11 wakeup b 0; 1:15 migrate b 0>1; "
	  "1:20 switch c>b S; cut 20",
	  SHOW_THREADS | SHOW_WAKES,
	  "wake b by a cpu0 10 #1\n"
	  "move b 0>1 15\n"
	  "c run ~2-20 cpu1 thread 18\n"
	  "b wait ~10-20 cpu1 by a behind c\n"
	  "a run ~1-20 cpu0 thread 19 cut\n" },
	{ "a_thread_that_runs_elsewhere_than_it_waited",
	  "0/a:1 mark; 0:11 wakeup b 0; 1/idle:12 mark; 1:20 switch idle>b R; cut 20",
	  SHOW_THREADS,
	  "b wait ~11-20 cpu1 by a\n"
	  "a run ~1-20 cpu0 thread 19 cut\n" },
	{ "a_blocked_thread_runs_without_a_wake_up",
	  "0:5 switch a>b S; 0:20 switch b>a S; cut 30",
	  SHOW_THREADS | SHOW_COUNTS,
	  "a run ~5-5 cpu0\n"
	  "b run 5-20 cpu0 thread 15\n"
	  "a block 5-20 S\n"
	  "a run 20-30 cpu0 thread 10 cut\n"
	  "b block 20-30 S cut\n"
	  "events 2\n" },
};

TESTS(.teardown = model_done);

TEST_ROWS(test_model_wakes, cases)
{
	model_check(&cases[_i]);
}
