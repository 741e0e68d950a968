/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The path of an event from its probe or hook to its event handler.
 *
 * Which function to call depends on whether preemption was disabled in order to
 * record the event, and by whom:
 *
 *	function			preemption
 *	lkst_event()			disabled by the probe's tracepoint
 *	lkst_event_inline()		the same; for the most frequent events
 *	lkst_event_nopreempt()		disabled by the caller, once
 *	lkst_event_preemptible()	not disabled
 *	lkst_hook()			not disabled; for an LKST_HOOK (4.6)
 *
 * lkst_event_rare(), lkst_event_rare_nopreempt() and
 * lkst_event_rare_preemptible() also add the event to the long ring.
 *
 * These functions take one of two paths:
 *
 *	lkst_event_fast()	inline: only for the default event handler, and
 *				if the ring's fast path can write the record
 *	lkst_event_slow()	everything else: looks up the event handler. The
 *				default handler is lkst_emit() in buffer/emit.c.
 *				If the event has a simple rule with a watch, a
 *				function such as lkst_event_begin_arg() records
 *				the event and begins or ends the span
 */
#ifndef _LKST_EVENT_H
#define _LKST_EVENT_H

#include <linux/preempt.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst.h>
#include <linux/lkst_hook.h>
#include "../base/compat.h"
#include "../base/text.h"

struct lkst_payload;
struct lkst_rule_fired;

/*
 * Handle an event. Disables preemption itself, so the caller need not do so. If
 * LKST_HOOKS_SEPARATE is true, LKST needs its own function for this:
 * lkst_hook() is then a function of the kernel, and does nothing while the
 * hooks are not connected to the module.
 */
#if LKST_HOOKS_SEPARATE
void lkst_event_preemptible(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);
#else
static inline void lkst_event_preemptible(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_hook(etype, a1, a2, a3, a4);
}
#endif

/*
 * Handle an event. The caller, or the tracepoint that called it, has disabled
 * preemption once for this purpose.
 */
#if defined(CONFIG_PREEMPT_COUNT) || LKST_HOOKS_SEPARATE
void lkst_event_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);
#else
/*
 * Without a preemption count, it does not matter who has disabled preemption.
 */
static inline void lkst_event_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_event_preemptible(etype, a1, a2, a3, a4);
}
#endif

/* Handle an event for the probe of a tracepoint. */
static inline void lkst_event(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
#if LKST_TRACEPOINT_PREEMPTIBLE
	lkst_event_preemptible(etype, a1, a2, a3, a4);
#else
	lkst_event_nopreempt(etype, a1, a2, a3, a4);
#endif
}

/*
 * Add a rare event to the long ring of this CPU, and handle it as
 * lkst_event_nopreempt() does.
 */
void lkst_event_rare_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);

/* The same for the probe of a tracepoint. */
static inline void lkst_event_rare(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_probe_begin();
	lkst_event_rare_nopreempt(etype, a1, a2, a3, a4);
	lkst_probe_end();
}

/* The same if preemption has not been disabled. */
static inline void lkst_event_rare_preemptible(unsigned long etype, u64 a1, u64 a2, u64 a3,
					       u64 a4)
{
	preempt_disable_notrace();
	lkst_event_rare_nopreempt(etype, a1, a2, a3, a4);
	preempt_enable_notrace();
}

unsigned int lkst_event_head(int etype, const struct lkst_payload *payload,
			     struct lkst_rule_fired *fired, u64 a1, u64 a2, u64 a3, u64 a4);
bool lkst_event_passes(int etype, const struct lkst_payload *payload, const u64 *arg);
void lkst_event_handled_as(int handled_as, int etype, u64 a1, u64 a2, u64 a3, u64 a4);
unsigned int lkst_event_depth(unsigned int count);

#endif
