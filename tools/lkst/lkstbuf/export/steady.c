// SPDX-License-Identifier: GPL-2.0
#include "steady.h"

/* The clocks of the CPUs differ by less than this. A larger step means that the clock was set. */
#define STEADY_STEP_NS 10000000

static int64_t steady_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t steady_distance(int64_t a, int64_t b)
{
	int64_t ns;

	if (__builtin_sub_overflow(a, b, &ns) || ns == INT64_MIN)
		return INT64_MAX;
	return ns < 0 ? -ns : ns;
}

/*
 * Return the steady time of an event, computed from the kernel's monotonic clock or, if that is
 * unknown, from the wall clock.
 */
static int64_t steady_monotonic(const struct steady *clock, const struct lkst_event *event)
{
	if (clock->monotonic && event->monotonic_ns != INT64_MIN)
		return steady_minus(event->monotonic_ns, clock->monotonic_ns);
	return steady_minus(event->time_ns, clock->offset_ns);
}

static void steady_begin(struct steady *clock, const struct lkst_event *event, int64_t begin_ns)
{
	clock->set = true;
	clock->monotonic = event->monotonic_ns != INT64_MIN;
	if (clock->monotonic)
		clock->monotonic_ns = steady_minus(event->monotonic_ns, begin_ns);
	clock->offset_ns = steady_minus(event->time_ns, begin_ns);
}

/**
 * steady_step() - get the steady time of the next event
 * @clock: clock
 * @event: event
 * @begin_ns: steady time of the first event; not negative
 * @time: result
 *
 * Return: true if a new relation between the clocks begins with this event, because it is the first
 * event or the wall clock has been set.
 */
bool steady_step(struct steady *clock, const struct lkst_event *event, int64_t begin_ns,
		 uint64_t *time)
{
	bool stepped = !clock->set;
	int64_t steady, ns;

	if (stepped)
		steady_begin(clock, event, begin_ns);
	steady = steady_monotonic(clock, event);
	/* Damaged records can have any time, but the result must not be negative. */
	if (steady < 0)
		steady = (int64_t)clock->latest;
	ns = steady_minus(event->time_ns, clock->offset_ns);
	if (ns < 0 || steady_distance(ns, steady) > STEADY_STEP_NS) {
		clock->offset_ns = steady_minus(event->time_ns, steady);
		stepped = true;
		ns = steady;
	}
	if ((uint64_t)ns > clock->latest)
		clock->latest = (uint64_t)ns;
	*time = (uint64_t)ns;
	return stepped;
}
