/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event occurs: the way from the probe to the handler.
 */
#ifndef _LKST_EVENT_H
#define _LKST_EVENT_H

#include <linux/preempt.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst.h>
#include <linux/lkst_hook.h>
#include "compat.h"
#include "text.h"

struct lkst_ring;

/*
 * For callers that are not a tracepoint's probe and so have preemption as the code that
 * causes the event has it. Where lkst_hook() is in the kernel, and this is not, it is no way.
 */
#if LKST_HOOKS_APART
void lkst_event_preemptible(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);
#else
static inline void lkst_event_preemptible(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_hook(etype, a1, a2, a3, a4);
}
#endif

/* For callers that have disabled preemption once, to record. */
#if defined(CONFIG_PREEMPT_COUNT) || LKST_HOOKS_APART
void lkst_event_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);
#else
/* How deep preemption is disabled is all that there is between the two. */
static inline void lkst_event_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_event_preemptible(etype, a1, a2, a3, a4);
}
#endif

/* For a tracepoint's probe. */
static inline void lkst_event(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
#if LKST_TRACEPOINT_PREEMPTIBLE
	lkst_event_preemptible(etype, a1, a2, a3, a4);
#else
	lkst_event_nopreempt(etype, a1, a2, a3, a4);
#endif
}

void lkst_event_as(int as, int etype, u64 a1, u64 a2, u64 a3, u64 a4);
unsigned int lkst_event_depth(unsigned int count);
void lkst_event_time(void);
void lkst_emit_time_in(struct lkst_ring *ring);
void lkst_emit_in(struct lkst_ring *ring, int etype, u64 a1, u64 a2, u64 a3, u64 a4);

#endif
