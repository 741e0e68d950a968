// SPDX-License-Identifier: GPL-2.0
#include "late.h"

/*
 * If a timer has slack, the kernel may run its function before the recorded time. System calls use
 * at most 100 ms of slack, unless a program asks for more. If a function seems to run even earlier,
 * its timer was set on another clock, such as CLOCK_TAI or, after a suspend, CLOCK_BOOTTIME.
 */
#define LATE_EARLY_MAX_NS 100000000

static uint64_t late_distance(int64_t ns)
{
	return ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
}

/**
 * late_by() - find out how late the function of an hrtimer begins
 * @event: timer_hr_run_entry
 * @late_ns: result
 *
 * The record contains the time for which the timer was set, but not the clock. This assumes the
 * monotonic clock or the wall clock, whichever is nearer to that time.
 *
 * Return: false if it is unknown how late the function begins.
 */
bool late_by(const struct lkst_event *event, int64_t *late_ns)
{
	int64_t expires = (int64_t)event->arg[2], late = 0, wall_late;
	bool known = event->monotonic_ns != INT64_MIN &&
		     !__builtin_sub_overflow(event->monotonic_ns, expires, &late);

	if (!__builtin_sub_overflow(event->time_ns, expires, &wall_late) &&
	    (!known || late_distance(wall_late) < late_distance(late))) {
		/*
		 * If the monotonic time of the event is unknown, assume that the timer uses the wall
		 * clock only if the event is at most an hour away from the expiry by that clock.
		 */
		if (!known && late_distance(wall_late) > 3600ull * 1000000000)
			return false;
		late = wall_late;
		known = true;
	}
	if (!known || late < -LATE_EARLY_MAX_NS)
		return false;
	*late_ns = late > 0 ? late : 0;
	return true;
}
