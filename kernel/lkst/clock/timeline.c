// SPDX-License-Identifier: GPL-2.0
/*
 * A timeline: readings of the clocks, which are used to convert timestamps.
 *
 * The kernel knows the rate of its counter only to the nearest kHz. It makes
 * its clock run slightly faster or slower than that rate (NTP), stops
 * CLOCK_MONOTONIC during a suspend, and lets users set the wall clock. So a
 * counter value is converted by linear interpolation between the readings
 * before and after it. If there is no later reading, the line through earlier
 * readings is extended.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/lkst.h>

#include "timeline.h"

/* Return the value of @clock in the reading @time. */
u64 lkst_time_clock(const struct lkst_time *time, unsigned int clock)
{
	return clock == LKST_CLOCK_NS ? time->monotonic : time->counter;
}

/*
 * Whether the wall clock was set between the readings. A change of up to 10 us
 * may be an error of the readings.
 */
static bool lkst_time_was_set(const struct lkst_time *from, const struct lkst_time *to)
{
	s64 moved = (to->wall - to->monotonic) - (from->wall - from->monotonic);

	return abs(moved) > 10 * NSEC_PER_USEC;
}

/*
 * Whether the machine was suspended between the readings. A suspend takes at
 * least milliseconds, so a smaller difference is an error of the readings.
 */
static bool lkst_time_was_suspended(const struct lkst_time *from, const struct lkst_time *to)
{
	s64 slept = (to->boot - to->monotonic) - (from->boot - from->monotonic);

	return slept > NSEC_PER_MSEC;
}

/*
 * Remove every second reading of the older half, except those at which
 * something changed.
 */
static void lkst_timeline_reduce(struct lkst_timeline *line)
{
	unsigned int half = line->num / 2, kept = 1, counters = 1, i;

	for (i = 1; i < line->num; i++) {
		const struct lkst_time *before = &line->readings[kept - 1];
		const struct lkst_time *reading = &line->readings[i];

		if (i < half && i % 2 && !reading->new_rate &&
		    !lkst_time_was_set(before, reading) &&
		    !lkst_time_was_suspended(before, reading))
			continue;
		counters += i < line->counter_num;
		line->readings[kept++] = *reading;
	}
	if (kept == line->num) {
		/*
		 * No reading was removed, because something changed at each of
		 * the candidates. Remove the oldest reading instead.
		 */
		memmove(line->readings, line->readings + 1, --kept * sizeof(*line->readings));
		counters -= !!counters;
	}
	line->num = kept;
	line->counter_num = line->counter_ended ? min(counters, line->counter_num) : kept;
}

/**
 * lkst_timeline_add() - add a reading of the clocks
 * @line: timeline
 * @time: reading
 * @interval: if the newest reading in @line is less than this many ns older
 *	than @time, and nothing has changed since, @time is not added
 *
 * Return: false if the counter has gone back. In that case nothing has been
 * added: the caller must call lkst_timeline_end_counter() and try again.
 */
bool lkst_timeline_add(struct lkst_timeline *line, const struct lkst_time *time, s64 interval)
{
	const struct lkst_time *last = line->num ? &line->readings[line->num - 1] : NULL;

	if (last) {
		if (!line->counter_ended && (s64)(time->counter - last->counter) < 0)
			return false;
		if (time->monotonic - last->monotonic < interval && !time->new_rate &&
		    !lkst_time_was_set(last, time) && !lkst_time_was_suspended(last, time))
			return true;
	}
	if (line->num == LKST_TIMELINE_READINGS)
		lkst_timeline_reduce(line);
	line->readings[line->num++] = *time;
	if (!line->counter_ended)
		line->counter_num = line->num;
	return true;
}

/* Remove all readings. */
void lkst_timeline_clear(struct lkst_timeline *line)
{
	line->num = 0;
	line->counter_num = 0;
}

/*
 * Mark the counter as unreliable from now on. Earlier readings of it remain
 * valid.
 */
void lkst_timeline_end_counter(struct lkst_timeline *line)
{
	WRITE_ONCE(line->counter_ended, true);
}

/*
 * Return the index of the latest reading at or before @value, or 0 if @value is
 * earlier than all readings.
 */
static unsigned int lkst_timeline_find(const struct lkst_timeline *line, unsigned int clock,
				       u64 value)
{
	unsigned int low = 0;
	unsigned int high = clock == LKST_CLOCK_NS ? line->num : line->counter_num;

	while (high - low > 1) {
		unsigned int middle = low + (high - low) / 2;

		if ((s64)(value - lkst_time_clock(&line->readings[middle], clock)) < 0)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/*
 * Find a second reading that, together with reading @at, defines a line on
 * which to convert values between @at and the next reading.
 *
 * Usually this is the next reading. If @at is the last one, or the machine was
 * suspended after it, this is an earlier reading, provided that the ratio of
 * the clocks has not changed since then. It must be at least a second before
 * @at, because the errors of closer readings would distort the slope too much.
 * Returns NULL if no reading fits.
 */
static const struct lkst_time *lkst_timeline_other(const struct lkst_timeline *line,
						   unsigned int at)
{
	const struct lkst_time *reading = &line->readings[at];
	unsigned int from = at;

	if (at + 1 < line->counter_num && !lkst_time_was_suspended(reading, reading + 1))
		return reading + 1;
	while (reading->monotonic - line->readings[from].monotonic < NSEC_PER_SEC) {
		if (!from || line->readings[from].new_rate ||
		    lkst_time_was_suspended(&line->readings[from - 1], reading))
			return NULL;
		from--;
	}
	return &line->readings[from];
}

/*
 * Limits for conversions: the largest number of ticks and the lowest rate.
 * Within these limits, the quotients below fit into 64 bits, even if a slope is
 * off by an eighth. (On x86, the division raises an exception if its quotient
 * does not fit.) All real counters are faster than the minimum rate.
 */
#define LKST_TICKS_MAX	((s64)BIT_ULL(56))
#define LKST_KHZ_MIN	5000

/*
 * Convert @ticks of the counter to ns, at the rate that two readings define. If
 * this rate is off by more than an eighth, or a reading is NULL, use the
 * nominal rate @khz. No clock is adjusted by as much as an eighth.
 */
static u64 lkst_ticks_to_ns(u64 ticks, const struct lkst_time *a, const struct lkst_time *b,
			    u64 khz)
{
	u64 line_ns = NSEC_PER_MSEC, line_ticks = khz;

	if (a && b) {
		s64 run = abs((s64)(b->counter - a->counter));
		s64 rise = abs(b->monotonic - a->monotonic), nominal;

		if (run > 0 && run < LKST_TICKS_MAX) {
			nominal = mul_u64_u64_div_u64(run, NSEC_PER_MSEC, khz);
			if (rise > 0 && abs(rise - nominal) <= nominal / 8) {
				line_ns = rise;
				line_ticks = run;
			}
		}
	}
	return mul_u64_u64_div_u64(ticks, line_ns, line_ticks);
}

/**
 * lkst_ticks_ns() - convert ticks of the counter at its nominal rate
 * @ticks: number of ticks, may be negative
 * @khz: nominal rate
 *
 * Context: any.
 *
 * Return: ns; 0 if there are too many ticks or the rate is too low.
 */
s64 lkst_ticks_ns(s64 ticks, u64 khz)
{
	s64 ns;

	if (khz < LKST_KHZ_MIN || ticks <= -LKST_TICKS_MAX || ticks >= LKST_TICKS_MAX)
		return 0;
	ns = lkst_ticks_to_ns(abs(ticks), NULL, NULL, khz);
	return ticks < 0 ? -ns : ns;
}

/* Convert the counter value @counter to CLOCK_MONOTONIC in ns. */
static s64 lkst_span_monotonic(const struct lkst_span *span, u64 counter, u64 khz)
{
	const struct lkst_time *reading = &span->reading;
	s64 delta = counter - reading->counter, monotonic;

	if (khz < LKST_KHZ_MIN || abs(delta) >= LKST_TICKS_MAX)
		return reading->monotonic;
	/* Before the first reading, only the nominal rate is known. */
	if (delta < 0)
		return reading->monotonic - (s64)lkst_ticks_to_ns(-delta, NULL, NULL, khz);

	monotonic =
		reading->monotonic +
		(s64)lkst_ticks_to_ns(delta, reading, span->has_rate ? &span->other : NULL, khz);
	return min(monotonic, span->monotonic_max);
}

/**
 * lkst_timeline_get_span() - find the readings with which to convert a
 * timestamp
 * @line: timeline
 * @clock: enum lkst_clock
 * @value: timestamp of that clock
 * @span: receives the readings
 *
 * Another CPU may change @line at the same time. In that case, the function
 * accesses nothing outside of @line, but @span is invalid, and the caller must
 * try again.
 */
void lkst_timeline_get_span(const struct lkst_timeline *line, unsigned int clock, u64 value,
			    struct lkst_span *span)
{
	unsigned int at = lkst_timeline_find(line, clock, value);
	const struct lkst_time *reading = &line->readings[at], *other = NULL;

	span->known = at < (clock == LKST_CLOCK_NS ? line->num : line->counter_num);
	span->monotonic_max = S64_MAX;
	if (!span->known)
		return;
	if (clock != LKST_CLOCK_NS) {
		other = lkst_timeline_other(line, at);
		/*
		 * CLOCK_MONOTONIC stopped at some time before the next reading.
		 */
		if (at + 1 < line->counter_num && lkst_time_was_suspended(reading, reading + 1))
			span->monotonic_max = reading[1].monotonic;
	}
	span->reading = *reading;
	span->has_rate = other;
	if (other)
		span->other = *other;
}

/**
 * lkst_span_wall() - convert a timestamp to wall-clock time
 * @span: readings around @value
 * @clock: enum lkst_clock
 * @value: timestamp of that clock
 * @khz: nominal rate of the counter
 *
 * Return: wall-clock time in ns, as the wall clock was set at the time of
 * @value; 0 if there is no reading.
 */
s64 lkst_span_wall(const struct lkst_span *span, unsigned int clock, u64 value, u64 khz)
{
	s64 monotonic = value;

	if (!span->known)
		return 0;
	if (clock != LKST_CLOCK_NS)
		monotonic = lkst_span_monotonic(span, value, khz);
	return monotonic + (span->reading.wall - span->reading.monotonic);
}
