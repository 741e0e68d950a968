// SPDX-License-Identifier: GPL-2.0
/*
 * An event occurs: look up its handler in the current maskset, and let it handle the
 * event. The record path of LKST runs through here.
 */
#include <linux/percpu.h>

#include "buffer.h"
#include "event.h"
#include "evhandler.h"
#include "maskset.h"

/*
 * Contexts in which a handler is running on this CPU, a bit each. A handler may cause
 * events itself; those it causes go to the default handler, and are not lost, but do not
 * come back to it. Changed only by the CPU itself, in nesting contexts that leave it as
 * they found it.
 */
static DEFINE_PER_CPU(unsigned int, lkst_handler_contexts);

/* Task, softirq, hardirq, NMI. */
static unsigned int lkst_context_bit(unsigned int count)
{
	if (count & NMI_MASK)
		return 8;
	if (count & HARDIRQ_MASK)
		return 4;
	return count & SOFTIRQ_OFFSET ? 2 : 1;
}

/*
 * A reading of all clocks, into @ring. Others may be switching this CPU to a ring with
 * another clock: it goes where it belongs.
 */
static noinline notrace void lkst_record_time(struct lkst_ring *ring, u16 flags)
{
	u64 args[4];

	if (!lkst_time_known() ||
	    lkst_maskset_handler(LKST_ETYPE_LKST_SYNC_TIME) != LKST_EVHANDLER_ID_ENTRY_LOG)
		return;
	lkst_time_args(args, ring->clock);
	lkst_ring_write(ring, LKST_ETYPE_LKST_SYNC_TIME, flags, args[0], args[1], args[2],
			args[3]);
}

/*
 * Each lap holds a reading of all clocks, so that whoever has nothing but the buffer can
 * date it: the first record of a lap is followed by one.
 */
static __always_inline void lkst_record(int etype, u16 flags, u64 a1, u64 a2, u64 a3, u64 a4)
{
	struct lkst_ring *ring = this_cpu_read(lkst_ring_current);

	if (unlikely(!ring)) {
		raw_cpu_inc(lkst_buffer_lost);
		return;
	}
	if (lkst_ring_write(ring, etype, flags, a1, a2, a3, a4))
		lkst_record_time(ring, flags);
}

static noinline notrace void lkst_event_handle(unsigned int handler, int etype, unsigned int count,
					       u64 a1, u64 a2, u64 a3, u64 a4)
{
	unsigned int bit = lkst_context_bit(count);

	if (raw_cpu_read(lkst_handler_contexts) & bit) {
		lkst_record(etype, lkst_context_flags(count, 1), a1, a2, a3, a4);
		return;
	}
	raw_cpu_or(lkst_handler_contexts, bit);
	lkst_evhandlers[handler].func(NULL, etype, a1, a2, a3, a4);
	raw_cpu_and(lkst_handler_contexts, ~bit);
}

/**
 * lkst_event() - an event occurred
 * @etype: event type
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Context: any, NMI included, also where RCU does not watch. Called from a tracepoint's
 * probe, which has disabled preemption once; see lkst_event_direct() for others.
 */
notrace void lkst_event(int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	unsigned int count = lkst_context_count(), handler;

	/* Newer kernels call some probes with preemption enabled. */
	preempt_disable_notrace();
	handler = lkst_maskset_handler(etype);
	if (likely(handler == LKST_EVHANDLER_ID_ENTRY_LOG))
		lkst_record(etype, lkst_context_flags(count, 1), a1, a2, a3, a4);
	else if (handler)
		lkst_event_handle(handler, etype, count, a1, a2, a3, a4);
	preempt_enable_notrace();
}

/**
 * lkst_evhandlerprim_entry_log() - record an event in the buffer of this CPU
 * @phookrec: not used
 * @event_type: event type
 * @log_arg1: argument
 * @log_arg2: argument
 * @log_arg3: argument
 * @log_arg4: argument
 *
 * The default event handler, as a function: dispatch has it inlined.
 *
 * Context: any, NMI included; called from an event handler.
 */
notrace void lkst_evhandlerprim_entry_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
					  lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					  lkst_arg_t log_arg4)
{
	/* Twice on behalf of LKST: by the tracepoint, and by lkst_event(). */
	u16 flags = lkst_context_flags(lkst_context_count(), 2);

	lkst_record(event_type, flags, log_arg1, log_arg2, log_arg3, log_arg4);
}

/**
 * lkst_event_time() - record LKST_SYNC_TIME in the buffer of this CPU
 *
 * Context: any, NMI included.
 */
void lkst_event_time(void)
{
	struct lkst_ring *ring;
	u16 flags = lkst_context_flags(lkst_context_count(), 0);

	preempt_disable_notrace();
	ring = this_cpu_read(lkst_ring_current);
	if (ring)
		lkst_record_time(ring, flags);
	preempt_enable_notrace();
}
