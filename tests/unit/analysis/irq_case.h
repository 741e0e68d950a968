/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the tests of lkstla irq, timer, noise and profile, in addition to analysis_case.h. They
 * pass events through the state model. Times are in ns of the monotonic clock; the wall clock is
 * 1000 s ahead, and so are the times in the tables.
 */
#ifndef _IRQ_CASE_H
#define _IRQ_CASE_H

#include "analysis_case.h"
#include "lib/base/etype_ids.h"
#include "sample.h"

#define IRQ_WALL_NS	1000000000000ll
#define IRQ_FUNCTION	0xffffffff81001000	/* address of the function "first", which has 0x100 bytes */

/* Flags of an event: in a hard interrupt, in a softirq */
#define H		LKST_LOG_HARDIRQ
#define S		LKST_LOG_SOFTIRQ

void irq_setup(const struct analysis *analysis, const void *own, int64_t cpu);
void irq_teardown(void);
void irq_values(const char *text);
void irq_open(int64_t time_ns);
void irq_event(int64_t time_ns, int32_t cpu, uint32_t tid, uint32_t flags, uint32_t type,
	       uint64_t a1, uint64_t a2, uint64_t a3);
void irq_switch(int64_t time_ns, int32_t cpu, uint32_t prev, char state, uint32_t next);
void irq_end(int64_t time_ns);
const struct lkst_thread *irq_thread(uint32_t tid);

/* Record an event. @type is the name of the type without LKST_ETYPE_. */
#define E(time, cpu, tid, flags, type, ...) \
	irq_event(time, cpu, tid, flags, LKST_ETYPE_##type, IRQ_ARGS(__VA_ARGS__, 0, 0, 0))
#define IRQ_ARGS(a1, a2, a3, ...) a1, a2, a3

#endif
