/* SPDX-License-Identifier: GPL-2.0 */
/* Provides the figures of lkstla cpu to another analysis. */
#ifndef _LKSTLA_CPU_H
#define _LKSTLA_CPU_H

#include "lib/model.h"

/**
 * struct cpu_figures - what a CPU did
 * @mode_ns: time by mode, which adds up to the length of the window
 * @idle_queued_ns: time in which it was idle while threads waited in the queues of other CPUs
 */
struct cpu_figures {
	double mode_ns[LKST_MODE_NUM];
	uint64_t idle_queued_ns;
};

bool cpu_get(void *cpus, int32_t cpu, struct cpu_figures *figures);

#endif
