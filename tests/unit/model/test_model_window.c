// SPDX-License-Identifier: GPL-2.0
/*
 * Windows, cuts (lkst_model_cut() reports all open spans), losses, and the start and stop of
 * recording.
 */
#include "model_case.h"

static const struct model_case cases[] = {
	{ "a_window_in_the_past",
	  "0:5 switch idle>a R; 0:10 sys 1; 0h:12 irq 9; open 15; 0h:20 irqx 9; 0:30 ret 1; "
	  "0:40 switch a>idle S; cut 50",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CONTEXTS | SHOW_CALLS | SHOW_COUNTS,
	  "cpu0 thread a 5-10\n"
	  "cpu0 kernel a 10-12\n"
	  "cpu0 irq 9 ~15-20 own 5 of a\n"
	  "cpu0 hardirq a 15-20\n"
	  "a call 1 ~15-30 = 0 run 15\n"
	  "cpu0 kernel a 20-30\n"
	  "a run ~15-40 cpu0 user 10 kernel 10 hardirq 5\n"
	  "cpu0 user a 30-40\n"
	  "cpu0 idle 40-50\n"
	  "a block 40-50 S cut\n"
	  "events 3\n" },
	{ "a_window_in_the_future",
	  "open 15; 0:5 switch idle>a R; 0:10 sys 1; 0h:12 irq 9; 0h:20 irqx 9; 0:30 ret 1; "
	  "0:40 switch a>idle S; cut 50",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CONTEXTS | SHOW_CALLS | SHOW_COUNTS,
	  "cpu0 irq 9 ~15-20 own 5 of a\n"
	  "cpu0 hardirq a 15-20\n"
	  "a call 1 ~15-30 = 0 run 15\n"
	  "cpu0 kernel a 20-30\n"
	  "a run ~15-40 cpu0 user 10 kernel 10 hardirq 5\n"
	  "cpu0 user a 30-40\n"
	  "cpu0 idle 40-50\n"
	  "a block 40-50 S cut\n"
	  "events 3\n" },
	/*
	 * Contexts and calls from before the window are reported as beginning with the window. At a
	 * cut, no beginning is reported.
	 */
	{ "begins",
	  "open 15; 0:5 switch idle>a R; 0:10 sys 1 7; 0:11 trap 14; 0h:12 irq 9 disk; 0h:20 irqx 9; "
	  "0:22 trapx 14; 0:30 ret 1; 0:31 sys 2 8; 0:32 trap 14; 0h:33 tick 236 4096; cut 35; "
	  "0h:36 tickx 236; 0h:37 irqx 10; cut 50",
	  SHOW_BEGINS,
	  "cpu0 irq 9 disk of a begins ~15\n"
	  "a call 1 begins ~15\n"
	  "cpu0 exception 14 of a begins ~15\n"
	  "a call 2(8) begins 31\n"
	  "cpu0 exception 14 of a begins 32\n"
	  "cpu0 tick 236 of a ip 4096 begins 33\n" },
	{ "a_window_after_the_last_event",
	  "open 15; 0:5 switch idle>a R; 0:10 sys 1; cut 20",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CALLS | SHOW_COUNTS,
	  "cpu0 kernel a 15-20\n"
	  "a call 1 ~15-20~ run 5\n"
	  "a run ~15-20 cpu0 kernel 5 in 1 cut\n"
	  "events 0\n" },
	{ "a_window_that_does_not_open",
	  "open 15; 0:5 switch idle>a R; 0:10 sys 1; cut 12",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CALLS,
	  "" },
	{ "a_cut_continues",
	  "0:5 switch idle>a R; 0:10 sys 1 7; 0h:12 irq 9; cut 15; 0h:20 irqx 9; 0:30 ret 1; "
	  "cut 40; cut 40",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CONTEXTS | SHOW_CALLS,
	  "cpu0 thread a 5-10\n"
	  "cpu0 kernel a 10-12\n"
	  "cpu0 irq 9 12-15~ own 3 of a\n"
	  "cpu0 hardirq a 12-15\n"
	  "a call 1(7) 10-15~ run 5\n"
	  "a run 5-15 cpu0 kernel 2 thread 5 hardirq 3 in 1 cut\n"
	  "cpu0 irq 9 ~15-20 own 5 of a\n"
	  "cpu0 hardirq a 15-20\n"
	  "a call 1 ~15-30 = 0 run 15\n"
	  "cpu0 kernel a 20-30\n"
	  "cpu0 user a 30-40\n"
	  "a run ~15-40 cpu0 user 10 kernel 10 hardirq 5 cut\n" },
	/* CPU 1 may have run thread "a" before its oldest record, which is record 7. */
	{ "the_first_event_of_a_cpu_after_others_were_overwritten",
	  "0/b:10 waking a; 0/b:11 wakeup a 1; lose 1 7; 1/c:30 mark; 1:40 switch c>d S; cut 50",
	  SHOW_THREADS,
	  "a wait ~10-30 cpu1 by b cut\n"
	  "c run ~30-40 cpu1 thread 10\n"
	  "b run ~10-50 cpu0 thread 40 cut\n"
	  "a unknown 30-50 cut\n"
	  "c block 40-50 S cut\n"
	  "d run 40-50 cpu1 thread 10 cut\n" },
	{ "the_first_event_that_a_cpu_has_recorded",
	  "0/b:10 waking a; 0/b:11 wakeup a 1; 1/c:30 mark; 1:40 switch c>d S; cut 50",
	  SHOW_THREADS,
	  "c run ~30-40 cpu1 thread 10\n"
	  "b run ~10-50 cpu0 thread 40 cut\n"
	  "a wait ~10-50 cpu1 by b cut\n"
	  "c block 40-50 S cut\n"
	  "d run 40-50 cpu1 thread 10 cut\n" },
	{ "a_cut_before_the_last_event",
	  "0:5 switch idle>a R; 0:10 mark; cut 7; cut 12",
	  SHOW_THREADS | SHOW_CPUS,
	  "cpu0 thread a 5-10\n"
	  "a run 5-10 cpu0 thread 5 cut\n"
	  "cpu0 thread a 10-12\n"
	  "a run ~10-12 cpu0 thread 2 cut\n" },
	{ "a_cut_of_waiting_and_blocked_threads",
	  "0:5 switch idle>a R; 0:6 switch a>b S; 0:7 wakeup c 0; 0:8 switch b>d R+; cut 10; "
	  "0:15 switch d>c S; cut 20",
	  SHOW_THREADS,
	  "a run 5-6 cpu0 thread 1\n"
	  "b run 6-8 cpu0 thread 2 preempted\n"
	  "a block 6-10 S cut\n"
	  "b wait 8-10 cpu0 again behind d cut\n"
	  "c wait ~7-10 cpu0 by b behind b cut\n"
	  "d run 8-10 cpu0 thread 2 cut\n"
	  "d run ~10-15 cpu0 thread 5\n"
	  "c wait ~10-15 cpu0 by b behind b\n"
	  "a block ~10-20 S cut\n"
	  "b wait ~10-20 cpu0 again behind d cut\n"
	  "c run 15-20 cpu0 thread 5 cut\n"
	  "d block 15-20 S cut\n" },
	{ "a_loss",
	  "0:5 switch idle>a R; 0:10 sys 1; 0h:12 irq 9; lose 0 3; 0h/b:20 irqx 9; cut 30",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CONTEXTS | SHOW_CALLS | SHOW_LOSSES | SHOW_COUNTS,
	  "cpu0 thread a 5-10\n"
	  "cpu0 kernel a 10-12\n"
	  "cpu0 irq 9 12-12~ own 0 of a\n"
	  "a run 5-12 cpu0 kernel 2 thread 5 in 1 cut\n"
	  "a call 1 10-12~ run 2\n"
	  "loss cpu0 3 12-20\n"
	  "cpu0 unknown 12-20\n"
	  "cpu0 irq 9 ~20-20 own 0 of b\n"
	  "cpu0 thread b 20-30\n"
	  "a unknown 12-30 cut\n"
	  "b run ~20-30 cpu0 thread 10 cut\n"
	  "events 4 lost 3 begins 2 ends 1\n" },
	{ "a_loss_makes_threads_of_that_cpu_unknown",
	  "0:1 switch idle>a R; 1:2 switch idle>b R; 0:5 switch a>c S; 1:6 switch b>idle S; "
	  "0:7 wakeup d 0; 1:8 mark; lose 0 3; 0/c:20 mark; cut 30",
	  SHOW_THREADS | SHOW_LOSSES,
	  "a run 1-5 cpu0 thread 4\n"
	  "b run 2-6 cpu1 thread 4\n"
	  "c run 5-7 cpu0 thread 2 cut\n"
	  "d wait ~7-7 cpu0 by c behind c cut\n"
	  "a block 5-7 S cut\n"
	  "loss cpu0 3 7-20\n"
	  "c unknown 7-20\n"
	  "a unknown 7-30 cut\n"
	  "b block 6-30 S cut\n"
	  "c run ~20-30 cpu0 thread 10 cut\n"
	  "d unknown 7-30 cut\n" },
	{ "a_loss_before_a_thread_is_seen_on_another_cpu",
	  "0:1 switch idle>a R; 0:5 wakeup d 0; 1:10 switch idle>a R; lose 0 3; 0/c:20 mark; "
	  "cut 30",
	  SHOW_THREADS | SHOW_LOSSES,
	  "a run 1-10 cpu0 thread 9 cut\n"
	  "d wait ~5-5 cpu0 by a behind a cut\n"
	  "loss cpu0 3 5-20\n"
	  "a run 10-30 cpu1 thread 20 cut\n"
	  "d unknown 5-30 cut\n"
	  "c run ~20-30 cpu0 thread 10 cut\n" },
	{ "a_loss_after_a_later_change",
	  "0:1 switch a>b S; 1:2 switch idle>c R; 1:10 waking a 0; lose 0 1; 0/b:20 mark; cut 30",
	  SHOW_THREADS | SHOW_LOSSES,
	  "a run ~1-1 cpu0\n"
	  "a block 1-10 S\n"
	  "b run 1-1 cpu0 cut\n"
	  "a wait 10-10 cpu0 by c behind b cut\n"
	  "loss cpu0 1 1-20\n"
	  "b unknown 1-20\n"
	  "a unknown 10-30 cut\n"
	  "b run ~20-30 cpu0 thread 10 cut\n"
	  "c run 2-30 cpu1 thread 28 cut\n" },
	{ "a_loss_at_the_begin_of_the_window",
	  "0:1 switch idle>a R; 0:2 sys 1; 0:5 wakeup d 0; 1:6 switch idle>b R; open 10; "
	  "1:12 mark; lose 0 3; 0/c:20 mark; cut 30",
	  SHOW_THREADS | SHOW_CALLS | SHOW_LOSSES,
	  "a run ~10-10 cpu0 in 1 cut\n"
	  "d wait ~10-10 cpu0 by a behind a cut\n"
	  "loss cpu0 3 5-20\n"
	  "a unknown 10-30 cut\n"
	  "d unknown 10-30 cut\n"
	  "b run ~10-30 cpu1 thread 20 cut\n"
	  "c run ~20-30 cpu0 thread 10 cut\n" },
	{ "a_loss_at_the_end_of_the_window",
	  "0:1 switch idle>a R; 1:2 switch idle>b R; 0:5 wakeup d 0; 1:20 mark; lose 0 3; "
	  "after 0:40; after 1:41; cut 30",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES | SHOW_COUNTS,
	  "a run 1-5 cpu0 thread 4 cut\n"
	  "cpu0 thread a 1-5\n"
	  "d wait ~5-5 cpu0 by a behind a cut\n"
	  "loss cpu0 3 5-40\n"
	  "cpu0 unknown 5-30\n"
	  "cpu1 thread b 2-30\n"
	  "a unknown 5-30 cut\n"
	  "b run 2-30 cpu1 thread 28 cut\n"
	  "d unknown 5-30 cut\n"
	  "events 4 lost 3\n" },
	{ "after_the_window_of_cpus_without_records",
	  "0:1 switch idle>a R; after 1:40; after 1.0:40; after 0v:41; cut 30",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES | SHOW_COUNTS,
	  "cpu0 thread a 1-30\n"
	  "a run 1-30 cpu0 thread 29 cut\n"
	  "events 1\n" },
	/*
	 * CPU 1 may have run a and b after its last record at 8. c was running until 10, so the
	 * state of c is unknown only after 10.
	 */
	{ "the_end_is_missing",
	  "0:1 switch idle>a R; 1:2 switch idle>b R; 0:5 sys 1; 0:6 switch a>c S; 1:8 switch b>d S; "
	  "0:10 switch c>e R+; 0h:12 irq 9; end 20; cut 20",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CONTEXTS | SHOW_CALLS | SHOW_LOSSES | SHOW_COUNTS,
	  "cpu0 thread a 1-5\n"
	  "a run 1-6 cpu0 kernel 1 thread 4 in 1\n"
	  "cpu0 kernel a 5-6\n"
	  "b run 2-8 cpu1 thread 6\n"
	  "cpu1 thread b 2-8\n"
	  "c run 6-10 cpu0 thread 4 preempted\n"
	  "cpu0 thread c 6-10\n"
	  "cpu0 thread e 10-12\n"
	  "a block 6-8 S in 1 cut\n"
	  "a call 1 5-8~ run 1 block 2\n"
	  "b block 8-8 S cut\n"
	  "c wait 10-10 cpu0 again behind e cut\n"
	  "cpu0 irq 9 12-12~ own 0 of e\n"
	  "e run 10-12 cpu0 thread 2 cut\n"
	  "loss cpu0 0 12-20\n"
	  "d run 8-8 cpu1 cut\n"
	  "loss cpu1 0 8-20\n"
	  "cpu0 unknown 12-20\n"
	  "cpu1 unknown 8-20\n"
	  "a unknown 8-20 cut\n"
	  "b unknown 8-20 cut\n"
	  "c unknown 10-20 cut\n"
	  "d unknown 8-20 cut\n"
	  "e unknown 12-20 cut\n"
	  "events 7 begins 2\n" },
	/*
	 * The records of CPU 1 are complete, but b may have run on CPU 0, whose last records are
	 * missing.
	 */
	{ "the_end_of_one_cpu_is_missing",
	  "0:1 switch idle>a R; 1:2 switch idle>b R; 0:5 switch a>c S; 1:6 switch b>d S; 0:9 mark; "
	  "end 20 1; cut 20",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES,
	  "a run 1-5 cpu0 thread 4\n"
	  "cpu0 thread a 1-5\n"
	  "b run 2-6 cpu1 thread 4\n"
	  "cpu1 thread b 2-6\n"
	  "a block 5-9 S cut\n"
	  "b block 6-9 S cut\n"
	  "c run 5-9 cpu0 thread 4 cut\n"
	  "cpu0 thread c 5-9\n"
	  "loss cpu0 0 9-20\n"
	  "cpu0 unknown 9-20\n"
	  "cpu1 thread d 6-20\n"
	  "a unknown 9-20 cut\n"
	  "b unknown 9-20 cut\n"
	  "c unknown 9-20 cut\n"
	  "d run 6-20 cpu1 thread 14 cut\n" },
	{ "the_last_record_is_at_the_end",
	  "0:1 switch idle>a R; 0:5 switch a>b S; 0:9 mark; end 9; cut 9",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES,
	  "a run 1-5 cpu0 thread 4\n"
	  "cpu0 thread a 1-5\n"
	  "a block 5-9 S cut\n"
	  "cpu0 thread b 5-9\n"
	  "b run 5-9 cpu0 thread 4 cut\n" },
	{ "all_records_of_a_cpu_are_missing",
	  "0:1 switch idle>a R; 0:3 wakeup b 1; 0:5 wakeup c 0; 0:9 mark; end 9; cut 9",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES,
	  "b wait ~3-3 cpu1 by a cut\n"
	  "c wait ~5-9 cpu0 by a behind a cut\n"
	  "cpu0 thread a 1-9\n"
	  "a run 1-9 cpu0 thread 8 cut\n"
	  "b unknown 3-9 cut\n" },
	/* If the first record of CPU 1 is after the window, b has not run. */
	{ "a_cpu_begins_after_the_window",
	  "0:1 switch idle>a R; 0:3 wakeup b 1; 0:9 mark; after 1:12; end 9; cut 9",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES,
	  "b wait ~3-9 cpu1 by a cut\n"
	  "cpu0 thread a 1-9\n"
	  "a run 1-9 cpu0 thread 8 cut\n" },
	{ "a_cpu_with_overwritten_records_begins_after_the_window",
	  "0:1 switch idle>a R; 0:3 wakeup b 1; 0:9 mark; lose 1 5; after 1:12; end 9; cut 9",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES,
	  "b wait ~3-3 cpu1 by a cut\n"
	  "cpu0 thread a 1-9\n"
	  "a run 1-9 cpu0 thread 8 cut\n"
	  "b unknown 3-9 cut\n" },
	{ "the_end_is_missing_before_the_window",
	  "open 15; 0:1 switch idle>a R; 1:2 switch idle>b R; 0:5 switch a>c S; 1:6 mark; end 20 1; "
	  "cut 20",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES | SHOW_COUNTS,
	  "a block ~15-15 S cut\n"
	  "c run ~15-15 cpu0 cut\n"
	  "loss cpu0 0 5-20\n"
	  "cpu0 unknown 15-20\n"
	  "cpu1 thread b 15-20\n"
	  "a unknown 15-20 cut\n"
	  "b run ~15-20 cpu1 thread 5 cut\n"
	  "c unknown 15-20 cut\n"
	  "events 0\n" },
	{ "the_end_of_another_source_is_missing",
	  "1.0:1 switch idle>a R; 1.0:5 switch a>b S; end 20; cut 20",
	  SHOW_THREADS | SHOW_CPUS | SHOW_LOSSES,
	  "a run 1-5 cpu0 thread 4\n"
	  "cpu0 thread a 1-5\n"
	  "cpu0 thread b 5-20\n"
	  "a block 5-20 S cut\n"
	  "b run 5-20 cpu0 thread 15 cut\n" },
	{ "no_loss_between_buffers",
	  "0:1 switch idle>a R; 0:5 overflow 1; 0:9 mark; cut 10",
	  SHOW_THREADS | SHOW_LOSSES | SHOW_COUNTS,
	  "a run 1-10 cpu0 thread 9 cut\n"
	  "events 3\n" },
	{ "the_static_buffer_has_no_order",
	  "0:1 switch idle>a R; 0v/b:5 mark; 0/a:9 mark; lose 0 5; 0v/b:10 mark; cut 10",
	  SHOW_THREADS | SHOW_LOSSES | SHOW_COUNTS,
	  "a run 1-10 cpu0 thread 9 cut\n"
	  "events 4\n" },
	{ "the_first_event_is_no_loss",
	  "lose 0 100; 0:1 switch idle>a R; cut 10",
	  SHOW_LOSSES | SHOW_COUNTS,
	  "events 1\n" },
	{ "recording_stops_and_starts",
	  "0:1 switch idle>a R; 1:1 switch idle>b R; 0:5 sys 1; 0:10 stop 0; 1:90 start 0; "
	  "0:95 mark; cut 100",
	  SHOW_THREADS | SHOW_CPUS | SHOW_CALLS | SHOW_COUNTS,
	  "cpu0 thread a 1-5\n"
	  "a run 1-10 cpu0 kernel 5 thread 4 in 1 cut\n"
	  "a call 1 5-10~ run 5\n"
	  "cpu0 kernel a 5-10\n"
	  "b run 1-10 cpu1 thread 9 cut\n"
	  "cpu1 thread b 1-10\n"
	  "b unknown 10-90\n"
	  "cpu1 unknown 10-90\n"
	  "a unknown 10-95\n"
	  "cpu0 unknown 10-95\n"
	  "cpu0 thread a 95-100\n"
	  "cpu1 thread b 90-100\n"
	  "a run ~95-100 cpu0 thread 5 cut\n"
	  "b run ~90-100 cpu1 thread 10 cut\n"
	  "events 6 begins 1\n" },
	{ "only_the_start_was_recorded",
	  "0:1 switch idle>a R; 1:2 switch idle>b R; 1:4 switch b>idle S; 0:90 start 0; cut 100",
	  SHOW_THREADS | SHOW_CPUS,
	  "b run 2-4 cpu1 thread 2\n"
	  "cpu1 thread b 2-4\n"
	  "a run 1-1 cpu0 cut\n"
	  "b block 4-4 S cut\n"
	  "a unknown 1-90\n"
	  "cpu0 unknown 1-90\n"
	  "cpu0 thread a 90-100\n"
	  "cpu1 unknown 4-100\n"
	  "a run ~90-100 cpu0 thread 10 cut\n"
	  "b unknown 4-100 cut\n" },
	{ "another_maskset",
	  "0:1 switch idle>a R; 1:2 switch idle>b R; 0:50 maskset 3; cut 100",
	  SHOW_THREADS | SHOW_CPUS,
	  "a run 1-50 cpu0 thread 49 cut\n"
	  "cpu0 thread a 1-50\n"
	  "b run 2-50 cpu1 thread 48 cut\n"
	  "cpu1 thread b 2-50\n"
	  "cpu0 thread a 50-100\n"
	  "cpu1 unknown 50-100\n"
	  "a run ~50-100 cpu0 thread 50 cut\n"
	  "b unknown 50-100 cut\n" },
	{ "a_boot_whose_recids_begin_anew",
	  "0:1 mark; 0:2 switch idle>a R; rewind; 0/idle:50 start 0; 0:51 init 3; "
	  "0:60 switch idle>a R; cut 70",
	  SHOW_THREADS | SHOW_CPUS | SHOW_COUNTS,
	  "cpu0 unknown 1-2\n"
	  "a run 2-2 cpu0 cut\n"
	  "cpu0 unknown 2-50\n"
	  "a unknown 2-51 cut\n"
	  "cpu0 unknown 50-51\n"
	  "cpu0 idle 51-60\n"
	  "cpu0 thread a 60-70\n"
	  "a run 60-70 cpu0 thread 10 cut\n"
	  "events 5\n" },
	{ "a_recid_that_repeats",
	  "0/a:1 mark; 0:2 mark; rewind; 0:50 mark; cut 60",
	  SHOW_THREADS | SHOW_LOSSES | SHOW_COUNTS,
	  "a run ~1-2 cpu0 thread 1 cut\n"
	  "a unknown 2-50\n"
	  "a run ~50-60 cpu0 thread 10 cut\n"
	  "events 3\n" },
	{ "the_first_boot",
	  "0:1 start 0; 0:2 switch idle>a R; 0:3 init 3; 0:4 mark; cut 10",
	  SHOW_THREADS,
	  "a run 2-10 cpu0 thread 8 cut\n" },
	{ "another_boot",
	  "0:1 init 3; 0:2 switch idle>a R; 0:3 switch a>b S; 0/idle:50 init 3; "
	  "0:60 switch idle>a R; cut 70",
	  SHOW_THREADS | SHOW_CPUS,
	  "cpu0 unknown 1-2\n"
	  "a run 2-3 cpu0 thread 1\n"
	  "cpu0 thread a 2-3\n"
	  "b run 3-3 cpu0 cut\n"
	  "a block 3-3 S cut\n"
	  "a unknown 3-50 cut\n"
	  "b unknown 3-50 cut\n"
	  "cpu0 unknown 3-50\n"
	  "cpu0 idle 50-60\n"
	  "cpu0 thread a 60-70\n"
	  "a run 60-70 cpu0 thread 10 cut\n" },
};

TESTS(.teardown = model_done);

TEST_ROWS(test_model_window, cases)
{
	model_check(&cases[_i]);
}
