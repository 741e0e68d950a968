/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the clocks showed at moments in the past, and from that what they showed between.
 */
#ifndef _LKST_TIMELINE_H
#define _LKST_TIMELINE_H

#include <linux/types.h>

/**
 * struct lkst_time - readings taken at the same moment
 * @counter: the architecture's counter, the clock of LKST_CLOCK_TSC; without one,
 *	@monotonic
 * @monotonic: CLOCK_MONOTONIC in ns, the clock of LKST_CLOCK_NS
 * @wall: CLOCK_REALTIME in ns
 * @boot: CLOCK_BOOTTIME in ns: before and after a suspend it differs from @monotonic by
 *	another amount
 * @new_rate: the counter and the kernel's clock may run at another ratio after it than
 *	before it
 */
struct lkst_time {
	u64 counter;
	s64 monotonic;
	s64 wall;
	s64 boot;
	bool new_rate;
};

/*
 * Taken once a minute, the last seventeen hours at least are there in full; what is older
 * at half that resolution, and again half, each time the table fills up.
 */
#define LKST_TIMELINE_READINGS	2048

/**
 * struct lkst_timeline - notes of the time, oldest first
 * @num: how many
 * @counter_num: how many of them, from the first, have a counter to be relied on
 * @counter_ended: no more do
 * @notes: their @monotonic never goes back, nor does @counter in the first @counter_num
 */
struct lkst_timeline {
	unsigned int num;
	unsigned int counter_num;
	bool counter_ended;
	struct lkst_time notes[LKST_TIMELINE_READINGS];
};

/**
 * struct lkst_span - what of a timeline converts a reading of a clock
 * @note: the note that it is reckoned from, mostly the last one before it
 * @other: a note that gives the counter's rate together with @note
 * @monotonic_max: CLOCK_MONOTONIC stood still there
 * @known: there is a @note
 * @sloped: there is an @other; else the nominal rate counts
 */
struct lkst_span {
	struct lkst_time note;
	struct lkst_time other;
	s64 monotonic_max;
	bool known;
	bool sloped;
};

bool lkst_timeline_add(struct lkst_timeline *line, const struct lkst_time *time, s64 interval);
void lkst_timeline_clear(struct lkst_timeline *line);
void lkst_timeline_end_counter(struct lkst_timeline *line);
void lkst_timeline_around(const struct lkst_timeline *line, unsigned int clock, u64 value,
			  struct lkst_span *span);
s64 lkst_span_wall(const struct lkst_span *span, unsigned int clock, u64 value, u64 khz);
s64 lkst_ticks_ns(s64 ticks, u64 khz);
u64 lkst_time_clock(const struct lkst_time *time, unsigned int clock);

#endif
