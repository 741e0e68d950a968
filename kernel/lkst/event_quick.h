/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way of nearly all events: the default handler, and nothing unusual about the buffer. It is
 * short because all that is not so has another. Who causes very many events has it inlined.
 */
#ifndef _LKST_EVENT_FAST_H
#define _LKST_EVENT_FAST_H

#include <linux/preempt.h>

#include "buffer.h"
#include "maskset.h"

/* Preemption is off on behalf of LKST: by the tracepoint that an event came from, and here. */
#define LKST_EVENT_DEPTH	2

/*
 * Where the kernel does not count it, preemption is never other than off, and a barrier would
 * keep the compiler from ending a function with a jump to lkst_event_slow().
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

void lkst_event_slow(int etype, u64 a1, u64 a2, u64 a3, u64 a4);

/**
 * lkst_event_inline() - lkst_event_nopreempt(), without a call
 * @etype: event type
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Context: as lkst_event_nopreempt().
 */
static __always_inline void lkst_event_inline(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	/* Newer kernels call some probes with preemption enabled. */
	lkst_event_disable();
	if (unlikely(!lkst_event_fast(etype, a1, a2, a3, a4)))
		lkst_event_slow(etype, a1, a2, a3, a4);
	lkst_event_enable();
}

#endif
