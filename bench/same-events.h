/* SPDX-License-Identifier: GPL-2.0 */
/* Makes LKST and ftrace record the same events in the VM, one tracer at a time. */
#ifndef SAME_EVENTS_H
#define SAME_EVENTS_H

#include "buffers.h"

/**
 * same_events_open() - read the table of events, and prepare both tracers
 * @table: path of bench/same-events.txt
 *
 * Afterwards, both tracers are off, and have buffers of the same size that keep the newest events.
 */
void same_events_open(const char *table);

/**
 * same_events_maskset() - write a maskset for a comparison
 * @id: id of the new maskset
 * @from: maskset whose event types are all in the new one
 * @to: maskset whose event types are in the new one if ftrace has them
 *
 * Afterwards, ftrace_on() enables the events that @to has and @from does not have.
 */
void same_events_maskset(int id, int from, int to);

void ftrace_on(void);
void ftrace_off(void);

/* Return the number of events that the tracer has recorded on all CPUs since boot. */
uint64_t lkst_recorded(void);
uint64_t ftrace_recorded(void);

#endif
