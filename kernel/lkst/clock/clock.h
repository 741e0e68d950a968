/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of the records, and its relation to the kernel's time.
 */
#ifndef _LKST_CLOCK_H
#define _LKST_CLOCK_H

#include <linux/types.h>

#include "timeline.h"

/**
 * struct lkst_clock_client - functions of the buffer code that the clock calls
 * @record_time: record the time in the buffer of this CPU. Context: any, NMI
 *	included, with preemption off
 * @renew: make sure that every CPU has a buffer with the current clock. Called
 *	each time LKST has checked whether its clock is still reliable. @from is
 *	the clock that was current before the check. Returns whether every CPU
 *	has such a buffer. Context: may sleep
 *
 * There is one client, buffer/buffer.c.
 */
struct lkst_clock_client {
	void (*record_time)(void);
	bool (*renew)(unsigned int from);
};

extern const struct lkst_clock_client lkst_clock_client;

unsigned int lkst_clock_current(void);
u64 lkst_clock_khz(unsigned int clock);

void lkst_time_read(struct lkst_time *time);
bool lkst_time_known(void);
void lkst_time_complete(struct lkst_time *time, unsigned int clock);
void lkst_time_args(u64 *args, unsigned int clock);
s64 lkst_time_to_wall(unsigned int clock, u64 value);
void lkst_time_refresh(void);

void lkst_clock_init(void);
void lkst_clock_first_reading(void);
void lkst_clock_discard_early(void);
int lkst_clock_start(void);
void lkst_clock_stop(void);

#endif
