/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out what CPUs did in a part of a delay. */
#ifndef _LKSTLA_WHY_OF_CPU_H
#define _LKSTLA_WHY_OF_CPU_H

#include "why.h"

/**
 * struct why_cpu_walk - a position in the time of a CPU
 * @why: state of the analysis
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @at_ns: time
 * @end_ns: end of the time that is visited
 * @begun: @index is valid
 * @index: index of the span at @at_ns in the history
 */
struct why_cpu_walk {
	const struct why *why;
	uint32_t source;
	int32_t cpu;
	int64_t at_ns;
	int64_t end_ns;
	bool begun;
	size_t index;
};

/**
 * struct why_cpu_piece - an interval in which a CPU ran the same thread, or was idle
 * @begin_ns: start
 * @end_ns: end
 * @known: false if nothing is known about this time
 * @thread: thread; NULL if the CPU was idle, or if the thread is unknown
 * @mode_ns: time by mode
 */
struct why_cpu_piece {
	int64_t begin_ns;
	int64_t end_ns;
	bool known;
	const struct lkst_thread *thread;
	int64_t mode_ns[LKST_MODES_MAX];
};

bool why_cpu_next(struct why_cpu_walk *walk, struct why_cpu_piece *piece);
void why_say_modes(struct why_segment *segment, const int64_t mode_ns[LKST_MODES_MAX]);
int64_t why_cpu_quiet(const struct why *why, const struct why_segment *segment);
void why_say_queue(struct why *why, struct why_segment *segment);

#endif
