/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs scripts of events through the state model.
 *
 * A script consists of lines that are separated by ";". A line is "open TIME"
 * (lkst_model_open_window()), "cut TIME" (lkst_model_cut()), "after CPU:TIME" (lkst_model_after()),
 * "end TIME [CPU]" (the records after TIME may be missing, except on CPU), "lose CPU NUMBER" (the
 * next NUMBER records of CPU are lost), "rewind" (the recids of all CPUs restart at 0), "trim"
 * (lkst_model_trim()), or an event:
 *
 *	[SOURCE.]CPU[FLAGS][/THREAD]:TIME WORD ARGUMENTS
 *
 * A thread is a single letter ("a" has the thread ID 101), "idle", "?" (unknown) or a number.
 * Without THREAD, the event belongs to the thread that runs on the CPU according to the previous
 * events. FLAGS are "h", "s" and "n": in a hard interrupt, softirq or NMI; "v": in the static
 * buffer. model_case.c lists the words.
 *
 * The reports of the model are converted to text, with one line for each callback:
 *
 *	a run 10-20 cpu0 user 4 kernel 6	a thread ran; "~10": its start is not known. The
 *						last word may be "cut", "preempted" or "exit"
 *	a wait 10-20 cpu0 by b behind c		a thread was RUNNABLE
 *	a block 10-20 S				a thread was BLOCKED
 *	a block 10-20 D at exception 14		a thread was BLOCKED within one of its contexts
 *	cpu0 user a 10-20			a CPU was in a mode
 *	cpu0 irq 9 10-20 own 10 of a		a context; "20~": its end is not known
 *	a call 5 10-20 = 0 run 4 block 6	a system call
 *	cpu0 irq 9 of a begins 10		a context has begun
 *	a call 5 begins 10			a system call has begun
 *	wake a by b cpu1 10 #2			the second wake-up of a, by b on CPU 1
 *	move a 0>1 10				a was migrated from CPU 0 to CPU 1
 *	loss cpu0 5 10-20			5 records of CPU 0 are missing
 */
#ifndef _MODEL_CASE_H
#define _MODEL_CASE_H

#include "lib/model.h"
#include "tap.h"

/* The reports that a test looks at */
#define SHOW_THREADS	0x01
#define SHOW_CPUS	0x02
#define SHOW_CONTEXTS	0x04
#define SHOW_CALLS	0x08
#define SHOW_WAKES	0x10	/* and migrations */
#define SHOW_LOSSES	0x20
#define SHOW_COUNTS	0x40	/* a line at the end with the counts that are not 0 */
#define SHOW_BEGINS	0x80	/* of contexts and system calls */

struct model_case {
	const char *name;
	const char *script;
	unsigned int show;
	const char *expected;
};

extern struct lkst_model *model;

void model_script(const char *script);
void model_run(const char *script, unsigned int show, bool selected);
void model_check(const struct model_case *c);
void model_done(void);

#endif
