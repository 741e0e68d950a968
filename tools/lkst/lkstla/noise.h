/* SPDX-License-Identifier: GPL-2.0 */
/* What lkstla noise collects about a cause (noise.c) and prints (noise_report.c). */
#ifndef _LKSTLA_NOISE_H
#define _LKSTLA_NOISE_H

#include "contexts.h"

/* Kind of rows in addition to enum lkst_context_kind. The number is the index of the thread. */
#define NOISE_THREAD LKST_CONTEXT_NUM

/**
 * struct noise_row - a cause
 * @row: what it is: an interrupt, a softirq or NOISE_THREAD
 * @thread: NOISE_THREAD: the thread that preempted
 * @taken: for how long it took the CPU away each time. NOISE_THREAD: a time is a run of the thread,
 *	without interrupts
 */
struct noise_row {
	struct context_row row;
	const struct lkst_thread *thread;
	struct dist taken;
};

int noise_add_table(const struct run *run, const struct hash *causes, struct tables *to,
		    struct lkst_error *err);

#endif
