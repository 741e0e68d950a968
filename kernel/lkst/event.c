// SPDX-License-Identifier: GPL-2.0
/*
 * An event occurs: look up its handler in the current maskset, and let it handle the
 * event. The record path of LKST runs through here.
 */
#include <linux/export.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>
#include <linux/lkst_private.h>

#include "block.h"
#include "buffer.h"
#include "event.h"
#include "event_quick.h"
#include "evhandler.h"
#include "image.h"
#include "maskset.h"
#include "reader.h"
#include "shift.h"
#include "switch.h"

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

/* Those in which a handler of LKST_BUFF_OVFLOW is running, likewise. */
static DEFINE_PER_CPU(unsigned int, lkst_overflow_contexts);

/*
 * How often a record may find that the buffer it was going to has just been left, or that others
 * came before it LKST_RING_TRIES times. Each time something interrupted it: more often than not
 * at all is rare.
 */
#define LKST_RECORD_TRIES	4

static noinline notrace void lkst_record_again(enum lkst_ring_write result, struct lkst_ring *ring,
					       int etype, unsigned int outer, u64 a1, u64 a2,
					       u64 a3, u64 a4);

/* Into the buffer of this CPU. Nearly all events get there by lkst_event_fast(), not by this. */
static noinline notrace void lkst_record(int etype, unsigned int outer, u64 a1, u64 a2, u64 a3,
					 u64 a4)
{
	struct lkst_ring *ring = this_cpu_read(lkst_ring_current);
	enum lkst_ring_write result = lkst_ring_write(ring, etype, outer, a1, a2, a3, a4);

	if (unlikely(result != LKST_RING_WRITTEN))
		lkst_record_again(result, ring, etype, outer, a1, a2, a3, a4);
}

/*
 * A reading of all clocks, into @ring, so that whoever has nothing but the buffer can date
 * it. Where the CPU has left the buffer meanwhile, that needs none any more.
 */
static noinline notrace enum lkst_ring_write lkst_record_time(struct lkst_ring *ring,
							      unsigned int outer)
{
	u64 args[4];

	if (!lkst_time_known() ||
	    lkst_maskset_handler(LKST_ETYPE_LKST_SYNC_TIME) != LKST_EVHANDLER_ID_ENTRY_LOG)
		return LKST_RING_WRITTEN;
	lkst_time_args(args, ring->clock);
	return lkst_ring_write_slow(ring, LKST_ETYPE_LKST_SYNC_TIME, outer, args[0], args[1],
				    args[2], args[3]);
}

/* @outer: as lkst_record() takes it. */
static noinline notrace void lkst_call_handler(unsigned int *contexts, unsigned int id, int etype,
					       unsigned int outer, u64 a1, u64 a2, u64 a3, u64 a4)
{
	const struct lkst_evhandler *handler = READ_ONCE(lkst_evhandlers[id]);
	unsigned int bit = lkst_context_bit(lkst_context_count());

	/* None: it has just been unregistered. */
	if (!handler || *contexts & bit) {
		lkst_record(etype, outer, a1, a2, a3, a4);
		return;
	}
	*contexts |= bit;
	barrier();
	handler->func(NULL, etype, a1, a2, a3, a4);
	barrier();
	*contexts &= ~bit;
}

/*
 * Events are counted down: an event that still may come goes to the handler that the maskset says.
 * With the last one LKST stops.
 */
static noinline notrace void lkst_event_counted(int as, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	unsigned int handler = lkst_maskset_handler(as);
	int left;

	if (handler == LKST_EVHANDLER_ID_NONE)
		return;
	left = lkst_select_count(etype);
	if (left <= 0)
		return;
	if (handler == LKST_EVHANDLER_ID_ENTRY_LOG)
		lkst_record(etype, LKST_EVENT_DEPTH, a1, a2, a3, a4);
	else
		lkst_call_handler(raw_cpu_ptr(&lkst_handler_contexts), handler, etype,
				  LKST_EVENT_DEPTH, a1, a2, a3, a4);
	if (left == 1)
		lkst_select_counted();
}

/*
 * A buffer is full: LKST_BUFF_OVFLOW occurs. Its handler runs also when a handler has filled the
 * buffer; it is to make room.
 */
static void lkst_overflow(struct lkst_ring *ring, unsigned int outer)
{
	const struct lkst_buffer *buffer = container_of(ring, struct lkst_buffer, ring);
	unsigned int id = lkst_maskset_handler(LKST_ETYPE_LKST_BUFF_OVFLOW);
	unsigned int seq = raw_read_seqcount(&buffer->session_seq);
	u64 first = buffer->stretch.first, recid = buffer->stretch.first_recid;
	u64 next = lkst_ring_position(ring, lkst_ring_next(ring));
	u64 overwritten = next - first > ring->slots ? next - first - ring->slots : 0;

	/* This has interrupted a shift to the buffer, or been interrupted by one away and back. */
	if (seq & 1 || read_seqcount_retry(&buffer->session_seq, seq))
		return;
	if (id == LKST_EVHANDLER_ID_ENTRY_LOG)
		lkst_record(LKST_ETYPE_LKST_BUFF_OVFLOW, outer, buffer->id, overwritten, recid, 0);
	else if (id)
		lkst_call_handler(raw_cpu_ptr(&lkst_overflow_contexts), id,
				  LKST_ETYPE_LKST_BUFF_OVFLOW, outer, buffer->id, overwritten,
				  recid, 0);
}

/* For who has nothing but an image of memory; also of a buffer that was just left. */
static void lkst_record_note(struct lkst_ring *ring)
{
	lkst_image_lap(&lkst_ring_buffer(ring)->area, lkst_ring_lap(ring, lkst_ring_next(ring)));
}

/* The record before this was the first of a lap: the buffer is full. */
static void lkst_record_lap(struct lkst_ring *ring, unsigned int outer)
{
	/* Unless something has interrupted this that has left the buffer. */
	if (ring != this_cpu_read(lkst_ring_current))
		return;
	lkst_overflow(ring, outer);
}

/*
 * A half of the buffer begins: wake the files that read in blocks. They have until the other half
 * begins to read the older one before it is overwritten.
 */
static void lkst_record_wake(enum lkst_ring_write result)
{
	if (result != LKST_RING_WRITTEN && lkst_block_reading())
		lkst_queue_wake();
}

/*
 * What is left to do after a record that was not just written: find the buffer that the CPU
 * records to now; or say that the buffer is full.
 */
static noinline notrace void lkst_record_again(enum lkst_ring_write result, struct lkst_ring *ring,
					       int etype, unsigned int outer, u64 a1, u64 a2,
					       u64 a3, u64 a4)
{
	unsigned int tries;

	for (tries = 0; result == LKST_RING_CLOSED; tries++) {
		ring = this_cpu_read(lkst_ring_current);
		if (ring == &lkst_ring_nowhere || tries == LKST_RECORD_TRIES) {
			raw_cpu_inc(lkst_buffer_lost);
			return;
		}
		result = lkst_ring_write_slow(ring, etype, outer, a1, a2, a3, a4);
	}
	if (result == LKST_RING_LAP) {
		lkst_record_note(ring);
		if (ring != this_cpu_read(lkst_ring_current))
			return;
		lkst_record_time(ring, outer);
		lkst_record_lap(ring, outer);
	}
	lkst_record_wake(result);
}

/* Call the handler that masksets have for @as. Preemption is off as in event_quick.h. */
static __always_inline void lkst_event_dispatch(int as, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	unsigned int handler = lkst_maskset_dispatched(as);

	if (handler == LKST_EVHANDLER_ID_ENTRY_LOG)
		lkst_record(etype, LKST_EVENT_DEPTH, a1, a2, a3, a4);
	else if (handler == LKST_EVHANDLER_COUNTED)
		lkst_event_counted(as, etype, a1, a2, a3, a4);
	else if (handler)
		lkst_call_handler(raw_cpu_ptr(&lkst_handler_contexts), handler, etype,
				  LKST_EVENT_DEPTH, a1, a2, a3, a4);
}

/* An event that lkst_event_fast() could not record. */
noinline notrace __cold void lkst_event_slow(int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_event_dispatch(etype, etype, a1, a2, a3, a4);
}

/**
 * lkst_event_as() - an event occurred whose type masksets have no entry for
 * @as: event type whose handler it goes to
 * @etype: its own
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Context: any, NMI included.
 */
void lkst_event_as(int as, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	/* LKST_EVENT_DEPTH times, as on the way through lkst_hook(). */
	lkst_event_disable();
	lkst_event_disable();
	lkst_event_dispatch(as, etype, a1, a2, a3, a4);
	lkst_event_enable();
	lkst_event_enable();
}

/**
 * lkst_event_nopreempt() - an event occurred
 * @etype: event type
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Context: any, NMI included, also where RCU does not watch. The caller has disabled preemption
 * once, to record; see lkst_event_preemptible() for others.
 */
#if defined(CONFIG_PREEMPT_COUNT) || LKST_HOOKS_APART
notrace void lkst_event_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_event_inline(etype, a1, a2, a3, a4);
}
#endif

/* There is one in the kernel already, for the trace points there, which calls lkst_event_nopreempt(). */
#if LKST_HOOKS_APART
#define lkst_hook	lkst_event_preemptible
#endif

/**
 * lkst_hook() - an event occurred at an LKST_HOOK (4.6)
 * @event_type: event type
 * @log_arg1: argument
 * @log_arg2: argument
 * @log_arg3: argument
 * @log_arg4: argument
 *
 * Context: any, NMI included, also where RCU does not watch.
 */
notrace void lkst_hook(unsigned long event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		       lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	/* As most tracepoints do. */
	lkst_event_disable();
	lkst_event_inline(event_type, log_arg1, log_arg2, log_arg3, log_arg4);
	lkst_event_enable();
}

#if LKST_HOOKS_APART
#undef lkst_hook
#else
EXPORT_SYMBOL_GPL(lkst_hook);
#endif

/*
 * How deep preemption is disabled on behalf of LKST: in an event handler by the tracepoint, or
 * lkst_hook(), and by lkst_event_inline(). What the caller has disabled itself comes on top.
 */
notrace unsigned int lkst_event_depth(unsigned int count)
{
	unsigned int contexts = raw_cpu_read(lkst_handler_contexts) |
				raw_cpu_read(lkst_overflow_contexts);

	return contexts & lkst_context_bit(count) ? 2 : 0;
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
 * The default event handler, as a function: dispatch has it inlined. Other code may call it for
 * an event that has no hook (4.6); no maskset is looked at then.
 *
 * Context: any, NMI included.
 */
notrace void lkst_evhandlerprim_entry_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
					  lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					  lkst_arg_t log_arg4)
{
	preempt_disable_notrace();
	lkst_record(event_type, lkst_event_depth(lkst_context_count()) + 1, log_arg1, log_arg2,
		    log_arg3, log_arg4);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(lkst_evhandlerprim_entry_log);

/**
 * lkst_event_time() - record LKST_SYNC_TIME in the buffer of this CPU
 *
 * Context: any, NMI included.
 */
void lkst_event_time(void)
{
	struct lkst_ring *ring;

	preempt_disable_notrace();
	ring = this_cpu_read(lkst_ring_current);
	if (ring != &lkst_ring_nowhere)
		lkst_emit_time_in(ring);
	preempt_enable_notrace();
}

/**
 * lkst_emit_time_in() - record LKST_SYNC_TIME in a buffer
 * @ring: of this CPU, or of one that does not run
 *
 * Context: any, NMI included, with preemption off on behalf of LKST.
 */
void lkst_emit_time_in(struct lkst_ring *ring)
{
	enum lkst_ring_write result = lkst_record_time(ring, 1);

	if (result == LKST_RING_LAP) {
		lkst_record_note(ring);
		lkst_record_lap(ring, 1);
	}
	lkst_record_wake(result);
}

/**
 * lkst_emit_in() - record an event in a buffer, unless it is masked
 * @ring: of this CPU, or of one that does not run. If it has been left, the record goes to the
 *	buffer of this CPU
 * @etype: event type
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Context: any, NMI included, with preemption off on behalf of LKST.
 */
void lkst_emit_in(struct lkst_ring *ring, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	enum lkst_ring_write result;

	if (lkst_maskset_handler(etype) == LKST_EVHANDLER_ID_NONE)
		return;
	result = lkst_ring_write_slow(ring, etype, 1, a1, a2, a3, a4);
	if (result != LKST_RING_WRITTEN)
		lkst_record_again(result, ring, etype, 1, a1, a2, a3, a4);
}
