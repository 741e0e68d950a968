/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A timeline: readings of the clocks, which are used to convert timestamps.
 */
#ifndef _LKST_TIMELINE_H
#define _LKST_TIMELINE_H

#include <linux/types.h>

/**
 * struct lkst_time - a reading of all clocks
 * @counter: the architecture's counter, the clock of LKST_CLOCK_TSC; equal to
 *	@monotonic on a machine without a counter
 * @monotonic: CLOCK_MONOTONIC in ns, the clock of LKST_CLOCK_NS
 * @wall: CLOCK_REALTIME in ns
 * @boot: CLOCK_BOOTTIME in ns, which also runs during a suspend
 * @new_rate: whether the rate of the kernel's clock, relative to the counter,
 *	may have changed at this reading
 */
struct lkst_time {
	u64 counter;
	s64 monotonic;
	s64 wall;
	s64 boot;
	bool new_rate;
};

/*
 * With a reading per minute, at least the last 17 hours are kept in full. Each
 * time the table fills up, the resolution of the older half is halved.
 */
#define LKST_TIMELINE_READINGS	2048

/**
 * struct lkst_timeline - readings of the clocks, oldest first
 * @num: number of readings
 * @counter_num: number of readings, starting with the first, whose @counter is
 *	reliable
 * @counter_ended: whether the counter has become unreliable
 * @readings: the readings. @monotonic never goes back, and neither does @counter
 *	in the first @counter_num of them
 */
struct lkst_timeline {
	unsigned int num;
	unsigned int counter_num;
	bool counter_ended;
	struct lkst_time readings[LKST_TIMELINE_READINGS];
};

/**
 * struct lkst_span - the readings with which a timestamp is converted
 * @reading: the reading to start from: the latest one at or before the
 *	timestamp, or the first reading if the timestamp is earlier
 * @other: a reading that defines the rate of the counter together with @reading
 * @monotonic_max: value in ns at which CLOCK_MONOTONIC stopped during a suspend
 *	after @reading, or S64_MAX
 * @known: whether @reading is valid
 * @has_rate: whether @other is valid; otherwise the nominal rate applies
 */
struct lkst_span {
	struct lkst_time reading;
	struct lkst_time other;
	s64 monotonic_max;
	bool known;
	bool has_rate;
};

bool lkst_timeline_add(struct lkst_timeline *line, const struct lkst_time *time, s64 interval);
void lkst_timeline_clear(struct lkst_timeline *line);
void lkst_timeline_end_counter(struct lkst_timeline *line);
void lkst_timeline_get_span(const struct lkst_timeline *line, unsigned int clock, u64 value,
			    struct lkst_span *span);
s64 lkst_span_wall(const struct lkst_span *span, unsigned int clock, u64 value, u64 khz);
s64 lkst_ticks_ns(s64 ticks, u64 khz);
u64 lkst_time_clock(const struct lkst_time *time, unsigned int clock);

#endif
