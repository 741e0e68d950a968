// SPDX-License-Identifier: GPL-2.0
/*
 * What the clocks showed at moments in the past, and from that what they showed between.
 *
 * The kernel knows its counter's rate to a kHz, steers its clock against it, lets the
 * clock stand still while the machine is suspended, and lets people set it. So a value of
 * the counter is converted along the line between the two notes around it, and where
 * there is no such line, along the line before.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/lkst.h>

#include "timeline.h"

/* What @clock showed at @time. */
u64 lkst_time_clock(const struct lkst_time *time, unsigned int clock)
{
	return clock == LKST_CLOCK_NS ? time->monotonic : time->counter;
}

/* Whether the wall clock was set between the two, by more than the error of reading it. */
static bool lkst_time_was_set(const struct lkst_time *from, const struct lkst_time *to)
{
	s64 moved = (to->wall - to->monotonic) - (from->wall - from->monotonic);

	return abs(moved) > 10 * NSEC_PER_USEC;
}

/* Whether the machine was suspended between the two: that takes milliseconds. */
static bool lkst_time_slept(const struct lkst_time *from, const struct lkst_time *to)
{
	s64 slept = (to->boot - to->monotonic) - (from->boot - from->monotonic);

	return slept > NSEC_PER_MSEC;
}

/* Every second note of the older half goes, unless something changed with it. */
static void lkst_timeline_thin(struct lkst_timeline *line)
{
	unsigned int half = line->num / 2, kept = 1, counters = 1, i;

	for (i = 1; i < line->num; i++) {
		const struct lkst_time *before = &line->notes[kept - 1], *note = &line->notes[i];

		if (i < half && i % 2 && !note->new_rate && !lkst_time_was_set(before, note) &&
		    !lkst_time_slept(before, note))
			continue;
		counters += i < line->counter_num;
		line->notes[kept++] = *note;
	}
	if (kept == line->num) {
		/* Nothing but changes: the oldest of them goes. */
		memmove(line->notes, line->notes + 1, --kept * sizeof(*line->notes));
		counters -= !!counters;
	}
	line->num = kept;
	line->counter_num = line->counter_ended ? min(counters, line->counter_num) : kept;
}

/**
 * lkst_timeline_add() - note the time
 * @line: where
 * @time: what the clocks show
 * @interval: in ns: unless something changed, a note younger than that will do
 *
 * Return: false if the counter has gone back. Then nothing is noted of it: the caller
 * ends the counter and comes again.
 */
bool lkst_timeline_add(struct lkst_timeline *line, const struct lkst_time *time, s64 interval)
{
	const struct lkst_time *last = line->num ? &line->notes[line->num - 1] : NULL;

	if (last) {
		if (!line->counter_ended && (s64)(time->counter - last->counter) < 0)
			return false;
		if (time->monotonic - last->monotonic < interval && !time->new_rate &&
		    !lkst_time_was_set(last, time) && !lkst_time_slept(last, time))
			return true;
	}
	if (line->num == LKST_TIMELINE_READINGS)
		lkst_timeline_thin(line);
	line->notes[line->num++] = *time;
	if (!line->counter_ended)
		line->counter_num = line->num;
	return true;
}

/* Forget all notes. */
void lkst_timeline_clear(struct lkst_timeline *line)
{
	line->num = 0;
	line->counter_num = 0;
}

/* The counter cannot be relied on from here on. What it showed so far can be. */
void lkst_timeline_end_counter(struct lkst_timeline *line)
{
	WRITE_ONCE(line->counter_ended, true);
}

/* Index of the last note at or before @value; 0 when there is none. */
static unsigned int lkst_timeline_find(const struct lkst_timeline *line, unsigned int clock,
				       u64 value)
{
	unsigned int low = 0;
	unsigned int high = clock == LKST_CLOCK_NS ? line->num : line->counter_num;

	while (high - low > 1) {
		unsigned int middle = low + (high - low) / 2;

		if ((s64)(value - lkst_time_clock(&line->notes[middle], clock)) < 0)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/*
 * A line for the values after note @at and before the next: through these two, unless there
 * is none or the machine slept in between. Then through @at and a note at least a second
 * before it, as closer ones would make the error of the readings their slope, if the
 * ratio of the clocks was the same since. NULL: neither.
 */
static const struct lkst_time *lkst_timeline_other(const struct lkst_timeline *line,
						   unsigned int at)
{
	const struct lkst_time *note = &line->notes[at];
	unsigned int from = at;

	if (at + 1 < line->counter_num && !lkst_time_slept(note, note + 1))
		return note + 1;
	while (note->monotonic - line->notes[from].monotonic < NSEC_PER_SEC) {
		if (!from || line->notes[from].new_rate ||
		    lkst_time_slept(&line->notes[from - 1], note))
			return NULL;
		from--;
	}
	return &line->notes[from];
}

/*
 * Nothing is converted over more ticks than that, nor below a rate that no counter has: so
 * the products and quotients below fit into 64 bits, with slopes that are off by an eighth.
 * (x86 traps when one does not.)
 */
#define LKST_TICKS_MAX	((s64)BIT_ULL(56))
#define LKST_KHZ_MIN	5000

/*
 * @ticks of the counter in ns, along the line between two notes. A line whose slope is off by
 * more than an eighth is none: that much no clock is steered.
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
 * lkst_ticks_ns() - ticks of the counter at its nominal rate
 * @ticks: how many, less than 0 backwards
 * @khz: rate
 *
 * Context: any.
 *
 * Return: ns; 0 where there are too many of them or the rate is none.
 */
s64 lkst_ticks_ns(s64 ticks, u64 khz)
{
	s64 ns;

	if (khz < LKST_KHZ_MIN || ticks <= -LKST_TICKS_MAX || ticks >= LKST_TICKS_MAX)
		return 0;
	ns = lkst_ticks_to_ns(abs(ticks), NULL, NULL, khz);
	return ticks < 0 ? -ns : ns;
}

/* @counter as CLOCK_MONOTONIC. */
static s64 lkst_span_monotonic(const struct lkst_span *span, u64 counter, u64 khz)
{
	const struct lkst_time *note = &span->note;
	s64 delta = counter - note->counter, monotonic;

	if (khz < LKST_KHZ_MIN || abs(delta) >= LKST_TICKS_MAX)
		return note->monotonic;
	/* Before the first note only the nominal rate is known. */
	if (delta < 0)
		return note->monotonic - (s64)lkst_ticks_to_ns(-delta, NULL, NULL, khz);

	monotonic = note->monotonic +
		    (s64)lkst_ticks_to_ns(delta, note, span->sloped ? &span->other : NULL, khz);
	return min(monotonic, span->monotonic_max);
}

/**
 * lkst_timeline_around() - the notes that convert a reading of a clock
 * @line: notes of the time
 * @clock: enum lkst_clock
 * @value: what that clock showed
 * @span: gets them
 *
 * Another CPU may change @line meanwhile: nothing outside of it is touched, whatever it reads. Then
 * @span is of no use, and the caller tries again.
 */
void lkst_timeline_around(const struct lkst_timeline *line, unsigned int clock, u64 value,
			  struct lkst_span *span)
{
	unsigned int at = lkst_timeline_find(line, clock, value);
	const struct lkst_time *note = &line->notes[at], *other = NULL;

	span->known = at < (clock == LKST_CLOCK_NS ? line->num : line->counter_num);
	span->monotonic_max = S64_MAX;
	if (!span->known)
		return;
	if (clock != LKST_CLOCK_NS) {
		other = lkst_timeline_other(line, at);
		/* The clock stood still from some point on. */
		if (at + 1 < line->counter_num && lkst_time_slept(note, note + 1))
			span->monotonic_max = note[1].monotonic;
	}
	span->note = *note;
	span->sloped = other;
	if (other)
		span->other = *other;
}

/**
 * lkst_span_wall() - what the wall clock showed
 * @span: the notes around @value
 * @clock: enum lkst_clock
 * @value: what that clock showed
 * @khz: the counter's nominal rate
 *
 * Return: wall-clock time in ns, as the wall clock was set at that time; 0 without any note.
 */
s64 lkst_span_wall(const struct lkst_span *span, unsigned int clock, u64 value, u64 khz)
{
	s64 monotonic = value;

	if (!span->known)
		return 0;
	if (clock != LKST_CLOCK_NS)
		monotonic = lkst_span_monotonic(span, value, khz);
	return monotonic + (span->note.wall - span->note.monotonic);
}
