/* SPDX-License-Identifier: GPL-2.0 */
/* The data of lkstla timer, which timer.c collects and timer_report.c prints. */
#ifndef _LKSTLA_TIMER_H
#define _LKSTLA_TIMER_H

#include "blame.h"
#include "contexts.h"

/**
 * struct timer_row - a function of hrtimers
 * @row: the function
 * @count: how often it ran
 * @late: how late it ran each time, if this is known
 * @cpu: CPU of the run that was delayed longest
 * @blame: what that CPU did during the longest delay
 * @soft: the run that was delayed longest was in a softirq
 */
struct timer_row {
	struct context_row row;
	uint64_t count;
	struct dist late;
	int32_t cpu;
	struct blame blame;
	bool soft;
};

/**
 * struct timer_woken - a thread that a function of hrtimers woke up
 * @row: the function. The name in the key is the index of the thread, as a text, so that each
 *	thread has separate rows
 * @thread: the thread
 * @wait: times from the wake-ups until the thread ran
 * @behind: thread that ran on the CPU when the longest @wait began; NULL: idle or unknown
 * @all: times from when the timers were set to expire until the thread ran, if these are known
 * @all_late_ns: how late the function ran in the longest of @all
 */
struct timer_woken {
	struct context_row row;
	const struct lkst_thread *thread;
	struct dist wait;
	const struct lkst_thread *behind;
	struct dist all;
	int64_t all_late_ns;
};

/**
 * struct timer_run - a run of a function
 * @running: false if the run has ended, or if there was none
 * @soft: the function runs in a softirq
 * @known: @late_ns is known
 * @woke: the function woke up a thread that -p selects
 * @blamed: @blame is set
 * @function: address of the function
 * @begin_ns: start of the run
 * @late_ns: how late the run began
 * @blame: what the CPU did during the delay
 */
struct timer_run {
	bool running;
	bool soft;
	bool known;
	bool woke;
	bool blamed;
	uint64_t function;
	int64_t begin_ns;
	int64_t late_ns;
	struct blame blame;
};

/**
 * struct timer_cpu - a CPU
 * @head: source and CPU
 * @run: function that runs in a softirq, and function that runs in a hard interrupt
 */
struct timer_cpu {
	struct hash_head head;
	struct timer_run run[2];
};

/**
 * struct timer_wake - the latest wake-up of a thread
 * @pending: a function of an hrtimer caused it, and the thread has not run since
 * @known: @late_ns is known
 * @late_ns: how late the function began
 * @begin_ns: when the function began
 * @wake_ns: time of the wake-up
 * @function: address of the function
 */
struct timer_wake {
	bool pending;
	bool known;
	int64_t late_ns;
	int64_t begin_ns;
	int64_t wake_ns;
	uint64_t function;
};

/**
 * struct timer_state - what lkstla timer collects
 * @run: run
 * @rows: table of struct timer_row by function
 * @woken: table of struct timer_woken by thread and function
 * @cpus: table of struct timer_cpu
 * @history: what the CPUs did recently
 * @wake: latest wake-ups, by the index of the thread
 * @threads: size of @wake
 */
struct timer_state {
	const struct run *run;
	struct hash rows;
	struct hash woken;
	struct hash cpus;
	struct blame_history history;
	struct timer_wake *wake;
	size_t threads;
};

int timer_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err);

#endif
