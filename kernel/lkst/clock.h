/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock that records are stamped with, and how it relates to the kernel's time.
 */
#ifndef _LKST_CLOCK_H
#define _LKST_CLOCK_H

#include <linux/types.h>

#include "timeline.h"

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
