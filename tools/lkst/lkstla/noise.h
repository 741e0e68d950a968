/* SPDX-License-Identifier: GPL-2.0 */
/* The causes of noise, which noise.c collects and noise_report.c prints. */
#ifndef _LKSTLA_NOISE_H
#define _LKSTLA_NOISE_H

#include "contexts.h"

/*
 * A kind of row in addition to enum lkst_context_kind: a thread. @number in struct context_id is
 * its index.
 */
#define NOISE_THREAD LKST_CONTEXT_NUM

/**
 * struct noise_row - a cause
 * @row: what the cause is: an interrupt, a softirq or NOISE_THREAD
 * @thread: NOISE_THREAD: the thread that preempted a victim
 * @taken: for how long the cause took the CPU away each time. NOISE_THREAD: the run time of the
 *	thread each time, without interrupts
 */
struct noise_row {
	struct context_row row;
	const struct lkst_thread *thread;
	struct dist taken;
};

int noise_add_table(const struct run *run, const struct hash *causes, struct tables *to,
		    struct lkst_error *err);

#endif
