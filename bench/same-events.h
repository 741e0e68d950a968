/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two tracers with the same events: LKST and ftrace, turned on and off in turn inside the VM.
 */
#ifndef SAME_EVENTS_H
#define SAME_EVENTS_H

#include "buffers.h"

/**
 * same_events_open() - learn which events there are
 * @table: the file bench/same-events.txt
 *
 * Both tracers are off then, with buffers of the same size, which keep the newest events.
 */
void same_events_open(const char *table);

/**
 * same_events_maskset() - a maskset for comparing
 * @id: gets it
 * @from: a maskset that is on before, with all of its event types
 * @to: another one, with those of its event types that ftrace has, too
 *
 * ftrace_on() turns on what @to has and @from has not.
 */
void same_events_maskset(int id, int from, int to);

void ftrace_on(void);
void ftrace_off(void);

/* How many events each of them has recorded since boot, of all CPUs. */
uint64_t lkst_recorded(void);
uint64_t ftrace_recorded(void);

#endif
