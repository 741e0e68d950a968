// SPDX-License-Identifier: LGPL-2.1
/*
 * The offset of the clock is the wall clock time at which the monotonic clock was 0. So the values
 * of the clock are usually values of the monotonic clock, and the times of events are the times
 * that "lkstbuf print" prints. There are two exceptions, because the clock of a trace cannot go
 * back. If the wall clock was set back during the trace, the times of earlier events are changed as
 * if the wall clock had been set before the trace. And iterator.c does not let the times of a CPU
 * decrease.
 */
#include "clock.h"

/* The wall clock was set back if its lead over the monotonic clock fell by more than this. */
#define CLOCK_SET_NS 1000000
#define CLOCK_MAX    (INT64_MAX / 2) /* limits all times, so that sums cannot overflow */

static int64_t clock_limit(int64_t time_ns)
{
	return time_ns > CLOCK_MAX ? CLOCK_MAX : time_ns < -CLOCK_MAX ? -CLOCK_MAX : time_ns;
}

static bool clock_has_monotonic(const struct lkst_event *event)
{
	return event->monotonic_ns != INT64_MIN;
}

/* Return how much the wall clock is ahead of the monotonic clock; 0 if that is unknown. */
static int64_t clock_delta(const struct lkst_event *event)
{
	if (!clock_has_monotonic(event))
		return 0;
	return clock_limit(clock_limit(event->time_ns) - clock_limit(event->monotonic_ns));
}

/**
 * clock_see_newest() - take the last event of a CPU into account; call this for all CPUs
 * @clock: clock, all zero before the first call
 * @event: event
 */
void clock_see_newest(struct clock *clock, const struct lkst_event *event)
{
	if (!clock_has_monotonic(event) || (clock->known && event->monotonic_ns < clock->newest_ns))
		return;
	clock->known = true;
	clock->newest_ns = event->monotonic_ns;
	clock->offset_ns = clock->delta_ns = clock_delta(event);
}

/**
 * clock_see_oldest() - take the first event of a CPU into account; call this for all CPUs
 * @clock: clock; call clock_see_newest() for all CPUs first
 * @event: event
 */
void clock_see_oldest(struct clock *clock, const struct lkst_event *event)
{
	int64_t delta = clock_delta(event);

	if (delta < clock->offset_ns)
		clock->offset_ns = delta;
}

/**
 * clock_value() - get the value of the clock for an event
 * @clock: clock, after clock_see_newest() and clock_see_oldest()
 * @event: event
 */
uint64_t clock_value(const struct clock *clock, const struct lkst_event *event)
{
	int64_t time_ns = clock_limit(event->time_ns);

	if (clock->known && clock_has_monotonic(event) &&
	    clock_delta(event) > clock->delta_ns + CLOCK_SET_NS)
		time_ns = clock_limit(clock_limit(event->monotonic_ns) + clock->delta_ns);
	return time_ns > clock->offset_ns ? (uint64_t)(time_ns - clock->offset_ns) : 0;
}
