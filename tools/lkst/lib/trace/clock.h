/* SPDX-License-Identifier: LGPL-2.1 */
/* Converts readings of clocks to wall clock time. */
#ifndef _LKST_LIB_TRACE_CLOCK_H
#define _LKST_LIB_TRACE_CLOCK_H

#include "lib/lkst.h"

struct cursor;

#define TRACE_UNKNOWN_NS INT64_MIN

/*
 * Relates a buffer's clock to time: a value of this clock, and the time at the same moment on the
 * wall clock and the monotonic clock.
 */
struct pair {
	uint64_t clock;
	uint64_t freq_khz;
	int64_t wall_ns;
	int64_t monotonic_ns;	/* TRACE_UNKNOWN_NS: unknown */
};

/* A pair from an LKST_SYNC_TIME record. Syncs are sorted by boot, CPU and recid. */
struct sync {
	uint32_t boot;
	int32_t cpu;
	uint32_t kind;		/* enum lkst_clock */
	uint64_t recid;
	struct pair pair;
};

int trace_add_sync(struct lkst_trace *trace, const struct cursor *c,
		   const struct lkst_event *event);
void trace_sort_syncs(struct lkst_trace *trace);
void trace_set_offsets(struct lkst_trace *trace, const struct cursor *c);
void trace_date_raw(const struct lkst_trace *trace, struct cursor *c);
void trace_date_std(const struct lkst_trace *trace, struct cursor *c);

#endif
