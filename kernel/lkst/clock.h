/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock that records are stamped with, and how it relates to the kernel's time.
 */
#ifndef _LKST_CLOCK_H
#define _LKST_CLOCK_H

#include <linux/types.h>

/**
 * struct lkst_time - readings taken at the same moment
 * @counter: the architecture's counter, the clock of LKST_CLOCK_TSC; without one,
 *	@monotonic
 * @monotonic: CLOCK_MONOTONIC in ns, the clock of LKST_CLOCK_NS
 * @wall: CLOCK_REALTIME in ns
 * @new_rate: the clocks may run at another rate after it than before it
 */
struct lkst_time {
	u64 counter;
	s64 monotonic;
	s64 wall;
	bool new_rate;
};

unsigned int lkst_clock_current(void);
u64 lkst_clock_khz(unsigned int clock);
u64 lkst_time_clock(const struct lkst_time *time, unsigned int clock);

void lkst_time_read(struct lkst_time *time);
void lkst_time_record(unsigned int clock);
s64 lkst_time_to_wall(unsigned int clock, u64 value);
void lkst_time_refresh(void);

void lkst_clock_init(void);
int lkst_clock_start(void);

#endif
