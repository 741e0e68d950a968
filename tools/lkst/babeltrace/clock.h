/* SPDX-License-Identifier: LGPL-2.1 */
/* The clock of a trace of Babeltrace. */
#ifndef _BABELTRACE_CLOCK_H
#define _BABELTRACE_CLOCK_H

#include "lib/lkst.h"

/**
 * struct clock - the clock of a trace, which counts nanoseconds
 * @known: @delta_ns and @newest_ns are known
 * @delta_ns: wall clock minus monotonic clock, at the newest event
 * @newest_ns: monotonic time of that event
 * @offset_ns: wall clock time at which the clock shows 0
 */
struct clock {
	bool known;
	int64_t delta_ns;
	int64_t newest_ns;
	int64_t offset_ns;
};

void clock_see_newest(struct clock *clock, const struct lkst_event *event);
void clock_see_oldest(struct clock *clock, const struct lkst_event *event);
uint64_t clock_value(const struct clock *clock, const struct lkst_event *event);

#endif
