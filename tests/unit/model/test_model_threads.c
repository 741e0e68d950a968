// SPDX-License-Identifier: GPL-2.0
/* Context switches, and the states of threads and CPUs that follow from them. */
#include "model_case.h"

static const struct model_case cases[] = {
	{ "a_thread_runs_waits_and_blocks",
	  "0:10 switch idle>a R; 0:20 switch a>b R+; 0:30 switch b>a S; 0:45 switch a>idle D; "
	  "cut 50",
	  SHOW_THREADS | SHOW_CPUS,
	  "a run 10-20 cpu0 thread 10 preempted\n"
	  "cpu0 thread a 10-20\n"
	  "b run 20-30 cpu0 thread 10\n"
	  "a wait 20-30 cpu0 again behind b\n"
	  "cpu0 thread b 20-30\n"
	  "a run 30-45 cpu0 thread 15\n"
	  "cpu0 thread a 30-45\n"
	  "cpu0 idle 45-50\n"
	  "a block 45-50 D cut\n"
	  "b block 30-50 S cut\n" },
	{ "yielding_is_like_being_preempted",
	  "0:10 switch idle>a R; 0:20 switch a>b R; 0:30 switch b>a S; cut 30",
	  SHOW_THREADS,
	  "a run 10-20 cpu0 thread 10 preempted\n"
	  "b run 20-30 cpu0 thread 10\n"
	  "a wait 20-30 cpu0 again behind b\n" },
	{ "dead_threads_end",
	  "0:10 switch idle>a R; 0:15 exit a; 0:20 switch a>b Z; 0:30 switch b>idle X; cut 40",
	  SHOW_THREADS | SHOW_CPUS,
	  "a run 10-20 cpu0 thread 10 exit\n"
	  "cpu0 thread a 10-20\n"
	  "b run 20-30 cpu0 thread 10 exit\n"
	  "cpu0 thread b 20-30\n"
	  "cpu0 idle 30-40\n" },
	{ "an_exiting_thread_runs_until_it_is_switched_out",
	  "0:10 switch idle>a R; 0:20 exit a; 0:30 switch a>b R+; 0:40 switch b>a S; "
	  "0:50 switch a>b X; cut 60",
	  SHOW_THREADS,
	  "a run 10-30 cpu0 thread 20 preempted\n"
	  "b run 30-40 cpu0 thread 10\n"
	  "a wait 30-40 cpu0 again behind b\n"
	  "a run 40-50 cpu0 thread 10 exit\n"
	  "b block 40-50 S\n"
	  "b run 50-60 cpu0 thread 10 cut\n" },
	{ "without_switches_a_thread_ends_when_another_one_runs",
	  "0/a:10 mark; 0:20 exit a; 0/b:30 mark; cut 40",
	  SHOW_THREADS,
	  "a run ~10-30 cpu0 thread 20 exit\n"
	  "b run ~30-40 cpu0 thread 10 cut\n" },
	{ "events_show_the_present_thread",
	  "0/a:10 mark; 0:20 mark; 0/b:30 mark; 0/idle:40 mark; cut 50",
	  SHOW_THREADS | SHOW_CPUS | SHOW_COUNTS,
	  "a run ~10-30 cpu0 thread 20 cut\n"
	  "cpu0 thread a 10-30\n"
	  "b run ~30-40 cpu0 thread 10 cut\n"
	  "cpu0 thread b 30-40\n"
	  "cpu0 idle 40-50\n"
	  "a unknown 30-50 cut\n"
	  "b unknown 40-50 cut\n"
	  "events 4\n" },
	{ "a_switch_from_an_unexpected_thread",
	  "0:10 switch idle>a R; 0:20 switch c>d S; cut 30",
	  SHOW_THREADS | SHOW_COUNTS,
	  "a run 10-20 cpu0 thread 10 cut\n"
	  "c run ~20-20 cpu0\n"
	  "a unknown 20-30 cut\n"
	  "c block 20-30 S cut\n"
	  "d run 20-30 cpu0 thread 10 cut\n"
	  "events 2 reordered 1\n" },
	{ "an_event_of_an_unexpected_thread",
	  "0:10 switch idle>a R; 0/c:20 mark; cut 30",
	  SHOW_THREADS | SHOW_COUNTS,
	  "a run 10-20 cpu0 thread 10 cut\n"
	  "a unknown 20-30 cut\n"
	  "c run ~20-30 cpu0 thread 10 cut\n"
	  "events 2 reordered 1\n" },
	{ "events_of_the_old_thread_during_a_switch",
	  "0:10 switch a>b S; 0/a:11 mark; 0/a:12 mark; 0/b:13 mark; 0/a:20 mark; cut 30",
	  SHOW_THREADS | SHOW_COUNTS,
	  "a run ~10-10 cpu0\n"
	  "b run 10-20 cpu0 thread 10 cut\n"
	  "a block 10-20 S\n"
	  "a run ~20-30 cpu0 thread 10 cut\n"
	  "b unknown 20-30 cut\n"
	  "events 5 reordered 1\n" },
	{ "an_event_without_a_thread",
	  "0:10 switch idle>a R; 0/?:20 mark; 0/a:25 mark; cut 30",
	  SHOW_THREADS | SHOW_COUNTS,
	  "a run 10-30 cpu0 thread 20 cut\n"
	  "events 3\n" },
	{ "a_thread_that_runs_on_two_cpus",
	  "0:10 switch idle>a R; 1:20 switch idle>a R; cut 30",
	  SHOW_THREADS | SHOW_CPUS | SHOW_COUNTS,
	  "a run 10-20 cpu0 thread 10 cut\n"
	  "cpu0 thread a 10-20\n"
	  "cpu0 unknown 20-30\n"
	  "cpu1 thread a 20-30\n"
	  "a run 20-30 cpu1 thread 10 cut\n"
	  "events 2 reordered 1\n" },
	{ "a_damaged_state",
	  "0:10 switch idle>a R; 0:20 switch a>b \001; cut 30",
	  SHOW_THREADS,
	  "a run 10-20 cpu0 thread 10 cut\n"
	  "a unknown 20-30 cut\n"
	  "b run 20-30 cpu0 thread 10 cut\n" },
	{ "a_switch_to_itself",
	  "0:10 switch idle>a R; 0:20 switch a>a S; 0:30 switch a>a X; cut 40",
	  SHOW_THREADS,
	  "a run 10-20 cpu0 thread 10\n"
	  "a block 20-20 S\n"
	  "a run 20-30 cpu0 thread 10 exit\n" },
	{ "idle_modes",
	  "0:10 switch a>idle S; 0:12 idle 1; 0:20 idlex; 0:22 switch idle>a R; cut 30",
	  SHOW_CPUS,
	  "cpu0 idle 10-22\n"
	  "cpu0 thread a 22-30\n" },
	{ "idle_without_switches",
	  "0/?:10 idle 1; 0/?:20 idlex; 0/a:30 mark; cut 40",
	  SHOW_CPUS,
	  "cpu0 idle 10-30\n"
	  "cpu0 thread a 30-40\n" },
	{ "an_offline_cpu_is_not_idle",
	  "0:10 switch a>idle S; 0/b:20 offline 0; 0:25 switch b>idle S; 0/idle:70 mark; "
	  "0:80 switch idle>c R; 0:85 online 0; 0:90 switch c>idle S; cut 100",
	  SHOW_CPUS,
	  "cpu0 idle 10-20\n"
	  "cpu0 thread b 20-25\n"
	  "cpu0 unknown 25-80\n"
	  "cpu0 thread c 80-90\n"
	  "cpu0 idle 90-100\n" },
	{ "fork_and_the_first_run",
	  "0/a:10 mark; 0:20 fork b; 0:25 wakenew b 1 1; 1:40 switch idle>b R; "
	  "1:60 switch b>idle S; cut 60",
	  SHOW_THREADS,
	  "b block 20-25\n"
	  "b wait 25-40 cpu1 by a\n"
	  "b run 40-60 cpu1 thread 20\n"
	  "a run ~10-60 cpu0 thread 50 cut\n" },
	{ "a_tid_is_used_again",
	  "0/a:10 fork b; 0:20 switch a>b S; 0:30 switch b>a Z; 0:40 fork b; 0:50 switch a>b S; "
	  "cut 60",
	  SHOW_THREADS,
	  "a run ~10-20 cpu0 thread 10\n"
	  "b block 10-20\n"
	  "b run 20-30 cpu0 thread 10 exit\n"
	  "a block 20-30 S\n"
	  "a run 30-50 cpu0 thread 20\n"
	  "b block 40-50\n"
	  "a block 50-60 S cut\n"
	  "b run 50-60 cpu0 thread 10 cut\n" },
	{ "a_tid_is_used_again_and_the_end_was_not_recorded",
	  "0/a:10 fork b; 0:20 fork b; cut 30",
	  SHOW_THREADS,
	  "b block 10-20 exit\n"
	  "a run ~10-30 cpu0 thread 20 cut\n"
	  "b block 20-30 cut\n" },
	{ "exec_by_another_thread_than_the_first",
	  "0:5 switch idle>b R; 0:10 sys 59; 0/a:15 mark; 0/a:20 exec a b; 0:30 ret 59 0; cut 40",
	  SHOW_THREADS | SHOW_CALLS,
	  "b run 5-15 cpu0 kernel 5 thread 5 in 59 cut\n"
	  "b call 59 10-15~ run 5\n"
	  "b unknown 15-20 exit\n"
	  "a call 59 ~15-30 = 0 run 15\n"
	  "a run ~15-40 cpu0 user 10 thread 15 cut\n" },
	{ "the_state_dump",
	  "0/a:10 state b 1 S; 0:11 state c 1 R; 0:12 state d 1 Z; 0:13 state a 1 R; "
	  "0:20 wakeup b 0; cut 30",
	  SHOW_THREADS,
	  "b block ~10-20 S\n"
	  "a run ~10-30 cpu0 thread 20 cut\n"
	  "b wait 20-30 cpu0 by a behind a cut\n"
	  "c unknown 11-30 cut\n" },
	{ "the_state_dump_does_not_change_what_is_known",
	  "0:5 switch b>a S; 0:6 wakeup b 0; 0:10 state b 1 S; 0:11 state a 1 S; cut 30",
	  SHOW_THREADS,
	  "b run ~5-5 cpu0\n"
	  "b block 5-6 S\n"
	  "b wait 6-30 cpu0 by a behind a cut\n"
	  "a run 5-30 cpu0 thread 25 cut\n" },
	{ "kernel_threads_from_the_dump",
	  "0/a:10 sys 1; 0:11 ret 1; 0:20 state b 2 S; 0:30 switch a>b S; 0:35 state 2 0 S; "
	  "0:40 switch b>2 S; cut 50",
	  SHOW_CPUS,
	  "cpu0 kernel a 10-11\n"
	  "cpu0 user a 11-30\n"
	  "cpu0 kernel b 30-40\n"
	  "cpu0 kernel 2 40-50\n" },
	{ "kernel_threads_from_fork",
	  "0/a:10 sys 1; 0:11 ret 1; 0:12 switch a>2 S; 0:15 fork b; 0:20 switch 2>b S; "
	  "0:25 fork c; 0:30 switch b>c S; 0:40 exec c c; 0:45 ret 59; cut 50",
	  SHOW_CPUS,
	  "cpu0 kernel a 10-11\n"
	  "cpu0 user a 11-12\n"
	  "cpu0 kernel 2 12-20\n"
	  "cpu0 kernel b 20-30\n"
	  "cpu0 kernel c 30-45\n"
	  "cpu0 user c 45-50\n" },
	{ "kernel_threads_from_work",
	  "0/a:10 sys 1; 0:11 ret 1; 0:20 switch a>b S; 0:30 work 7; 0:40 workx 7; cut 50",
	  SHOW_CPUS,
	  "cpu0 kernel a 10-11\n"
	  "cpu0 user a 11-20\n"
	  "cpu0 thread b 20-30\n"
	  "cpu0 kernel b 30-50\n" },
	{ "times_that_go_back",
	  "0:10 switch idle>a R; 0:30 switch a>b S; 1:20 switch idle>a R; 1:40 switch a>idle S; "
	  "cut 50",
	  SHOW_THREADS | SHOW_CPUS | SHOW_COUNTS,
	  "a run 10-30 cpu0 thread 20\n"
	  "cpu0 thread a 10-30\n"
	  "a block 30-30 S\n"
	  "a run 30-40 cpu1 thread 10\n"
	  "cpu1 thread a 30-40\n"
	  "cpu0 thread b 30-50\n"
	  "cpu1 idle 40-50\n"
	  "a block 40-50 S cut\n"
	  "b run 30-50 cpu0 thread 20 cut\n"
	  "events 4 reordered 1\n" },
	{ "two_sources",
	  "0.0:10 switch idle>a R; 1.0:15 switch idle>a R; 0.0:20 switch a>idle S; "
	  "1.0:30 switch a>idle R; cut 40",
	  SHOW_THREADS | SHOW_CPUS,
	  "a run 10-20 cpu0 thread 10\n"
	  "cpu0 thread a 10-20\n"
	  "a run 15-30 cpu0 thread 15 preempted\n"
	  "cpu0 thread a 15-30\n"
	  "cpu0 idle 20-40\n"
	  "cpu0 idle 30-40\n"
	  "a block 20-40 S cut\n"
	  "a wait 30-40 cpu0 again cut\n" },
	{ "numbers_that_are_no_thread_IDs_name_no_threads",
	  "0/4194303:10 mark; 0/4194304:20 mark; 0:20 waking 4194304; 0:20 wakeup 4294967294 0; "
	  "0:20 migrate 4194304 0>1; 0:20 fork 4194304; 0:20 exit 4194304; 0:20 state 4194304 1 S; "
	  "0/4194303:30 switch 4194303>4194304 S; cut 40",
	  SHOW_THREADS | SHOW_CPUS | SHOW_WAKES,
	  "4194303 run ~10-30 cpu0 thread 20\n"
	  "cpu0 thread 4194303 10-30\n"
	  "cpu0 unknown 30-40\n"
	  "4194303 block 30-40 S cut\n" },
	{ "suspend",
	  "0:10 switch idle>a R; 0:20 suspend machine_suspend 1; "
	  "0:90 suspend machine_suspend 0; 0:95 suspend syscore_resume 1; cut 100",
	  SHOW_THREADS | SHOW_CPUS,
	  "a run 10-20 cpu0 thread 10 cut\n"
	  "cpu0 thread a 10-20\n"
	  "a unknown 20-90\n"
	  "cpu0 unknown 20-90\n"
	  "cpu0 thread a 90-100\n"
	  "a run ~90-100 cpu0 thread 10 cut\n" },
};

TESTS(.teardown = model_done);

TEST_ROWS(test_model_threads, cases)
{
	model_check(&cases[_i]);
}
