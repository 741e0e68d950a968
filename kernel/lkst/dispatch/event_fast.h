/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path of an event. It applies if the event has the default handler
 * and the ring's fast path can write the record. Otherwise, lkst_event_slow()
 * handles the event. Probes of very frequent events inline the fast path.
 */
#ifndef _LKST_EVENT_FAST_H
#define _LKST_EVENT_FAST_H

#include <linux/preempt.h>

#include "../buffer/buffer.h"
#include "maskset.h"

/*
 * How many times preemption is disabled in order to handle an event: once by
 * the tracepoint or lkst_hook(), and once by lkst_event_inline().
 */
#define LKST_EVENT_DEPTH	2

/*
 * Disable preemption while an event is handled.
 *
 * A kernel that does not count preemption never preempts code in the kernel.
 * There, preempt_disable() would only be a compiler barrier, which would
 * prevent a tail call to lkst_event_slow().
 */
static __always_inline void lkst_event_disable(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
		preempt_disable_notrace();
}

static __always_inline void lkst_event_enable(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
		preempt_enable_notrace();
}

static __always_inline bool lkst_event_fast(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	return likely(lkst_maskset_records(etype)) &&
	       lkst_ring_write_fast(this_cpu_read(lkst_ring_current), etype, LKST_EVENT_DEPTH,
				    a1, a2, a3, a4);
}

void lkst_event_slow(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);

/**
 * lkst_event_inline() - handle an event, with the fast path inlined
 * @etype: event type
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Does the same as lkst_event_nopreempt().
 *
 * Context: as for lkst_event_nopreempt().
 */
static __always_inline void lkst_event_inline(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	/*
	 * Needed because kernels from 6.13 on call the probes of system calls
	 * with preemption enabled.
	 */
	lkst_event_disable();
	if (unlikely(!lkst_event_fast(etype, a1, a2, a3, a4)))
		lkst_event_slow(etype, a1, a2, a3, a4);
	lkst_event_enable();
}

#endif
