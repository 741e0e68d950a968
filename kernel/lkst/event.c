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

static __always_inline void lkst_record(int etype, u16 flags, u64 a1, u64 a2, u64 a3, u64 a4)
{
	struct lkst_ring *ring = raw_cpu_read(lkst_ring_current);

	if (unlikely(!ring)) {
		raw_cpu_inc(lkst_buffer_lost);
		return;
	}
	/*
	 * Each lap holds a time pair: whoever has nothing but the buffer can date it. The
	 * first record of a lap is followed by it, and it is never the first itself:
	 * a buffer has more slots than contexts can nest.
	 */
	if (lkst_ring_write(ring, etype, flags, a1, a2, a3, a4))
		lkst_time_record(ring->clock);
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
	unsigned int count = preempt_count(), handler;

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
 * Context: any, NMI included.
 */
notrace void lkst_evhandlerprim_entry_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
					  lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					  lkst_arg_t log_arg4)
{
	unsigned int count = preempt_count();

	preempt_disable_notrace();
	lkst_record(event_type, lkst_context_flags(count, 1), log_arg1, log_arg2, log_arg3,
		    log_arg4);
	preempt_enable_notrace();
}
