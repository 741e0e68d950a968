// SPDX-License-Identifier: GPL-2.0
/*
 * Write a record into a buffer: the slow path, and LKST's own events. The fast
 * path is lkst_event_fast() in dispatch/event_fast.h.
 */
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/lkst_etypes.h>

#include "buffer.h"
#include "emit.h"
#include "image_session.h"
#include "queue.h"

/*
 * How many times a writer tries again after LKST_RING_CLOSED, which means that
 * its ring has just been closed or that all LKST_RING_TRIES attempts in it have
 * failed. In both cases the writer has been interrupted, so even one retry is
 * rare.
 */
#define LKST_EMIT_TRIES	4

/*
 * Record a reading of all clocks in @ring, so that its records can be dated
 * even if only the buffer survives. If the CPU has left the buffer in the
 * meantime, the reading is not recorded anywhere. Returns enum lkst_ring_write.
 */
static noinline notrace enum lkst_ring_write lkst_emit_write_time(struct lkst_ring *ring,
								  unsigned int depth)
{
	u64 args[4];

	if (!lkst_time_known() || !lkst_emit_client.records(LKST_ETYPE_LKST_SYNC_TIME))
		return LKST_RING_WRITTEN;
	lkst_time_args(args, ring->clock);
	return lkst_ring_write_slow(ring, LKST_ETYPE_LKST_SYNC_TIME, depth, args[0], args[1],
				    args[2], args[3]);
}

/* Report LKST_BUFF_OVFLOW for a buffer that is full. */
static void lkst_emit_overflow(struct lkst_ring *ring, unsigned int depth)
{
	const struct lkst_buffer *buffer = container_of(ring, struct lkst_buffer, ring);
	unsigned int seq = raw_read_seqcount(&buffer->session_seq);
	u64 first = buffer->session.first, recid = buffer->session.first_recid;
	u64 next = lkst_ring_position(ring, lkst_ring_next(ring));
	u64 overwritten = next - first > ring->slots ? next - first - ring->slots : 0;

	/*
	 * Report nothing if this context has interrupted a shift to the buffer,
	 * or if the CPU has begun another session of the buffer in the
	 * meantime.
	 */
	if (seq & 1 || read_seqcount_retry(&buffer->session_seq, seq))
		return;
	lkst_emit_client.overflow(depth, buffer->id, overwritten, recid);
}

/*
 * Store the lap in the header pages, for readers of a memory image. The CPU may
 * have left @ring.
 */
static void lkst_emit_store_lap(struct lkst_ring *ring)
{
	lkst_image_set_lap(&lkst_ring_buffer(ring)->region,
			   lkst_ring_lap(ring, lkst_ring_next(ring)));
}

/*
 * Report that the buffer is full, after the first record of a lap has been
 * written.
 */
static void lkst_emit_lap(struct lkst_ring *ring, unsigned int depth)
{
	/* A nested context may have made the CPU leave the buffer. */
	if (ring != this_cpu_read(lkst_ring_current))
		return;
	lkst_emit_overflow(ring, depth);
}

/*
 * Wake the readers in block mode if @result says that the record was the first
 * of a half of the buffer.
 */
static void lkst_emit_wake(enum lkst_ring_write result)
{
	if (result != LKST_RING_WRITTEN)
		lkst_queue_wake_half();
}

/*
 * Finish a write whose @result was not LKST_RING_WRITTEN. If @ring was closed,
 * write the record into the current buffer of the CPU, or count it as lost. If
 * the record was the first of a lap, store the lap in the header pages, record
 * the time, and report that the buffer is full. If the record was the first of
 * a lap or of the second half, wake the readers in block mode. If the CPU has
 * left the buffer after the first record of a lap, only store the lap.
 */
static noinline notrace void lkst_emit_retry(enum lkst_ring_write result, struct lkst_ring *ring,
					     int etype, unsigned int depth, u64 a1, u64 a2,
					     u64 a3, u64 a4)
{
	unsigned int tries;

	for (tries = 0; result == LKST_RING_CLOSED; tries++) {
		ring = this_cpu_read(lkst_ring_current);
		if (ring == &lkst_ring_void || tries == LKST_EMIT_TRIES) {
			raw_cpu_inc(lkst_buffer_lost);
			return;
		}
		result = lkst_ring_write_slow(ring, etype, depth, a1, a2, a3, a4);
	}
	if (result == LKST_RING_LAP) {
		lkst_emit_store_lap(ring);
		if (ring != this_cpu_read(lkst_ring_current))
			return;
		lkst_emit_write_time(ring, depth);
		lkst_emit_lap(ring, depth);
	}
	lkst_emit_wake(result);
}

/**
 * lkst_emit() - write a record into the buffer of this CPU
 * @etype: event type
 * @depth: how many times LKST itself has disabled preemption
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * This is the slow path. lkst_event_fast() writes nearly all records.
 *
 * Context: any, NMI included, with preemption off.
 */
noinline notrace void lkst_emit(int etype, unsigned int depth, u64 a1, u64 a2, u64 a3, u64 a4)
{
	struct lkst_ring *ring = this_cpu_read(lkst_ring_current);
	enum lkst_ring_write result = lkst_ring_write(ring, etype, depth, a1, a2, a3, a4);

	if (unlikely(result != LKST_RING_WRITTEN))
		lkst_emit_retry(result, ring, etype, depth, a1, a2, a3, a4);
}

/**
 * lkst_emit_in() - write a record into a given buffer, unless @etype is masked
 * @ring: ring of this CPU, or of a CPU that is offline or not recording yet. If
 *	the CPU has left the buffer, the record goes to the current buffer of
 *	the CPU that calls this
 * @etype: event type
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Calls no event handler.
 *
 * Context: any, NMI included. The caller has disabled preemption, exactly once.
 */
void lkst_emit_in(struct lkst_ring *ring, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	enum lkst_ring_write result;

	if (lkst_emit_client.masked(etype))
		return;
	result = lkst_ring_write_slow(ring, etype, 1, a1, a2, a3, a4);
	if (result != LKST_RING_WRITTEN)
		lkst_emit_retry(result, ring, etype, 1, a1, a2, a3, a4);
}

/**
 * lkst_emit_own() - handle an event of LKST itself on this CPU
 * @etype: event type
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Calls the event handler that the maskset selects, as for any other event.
 *
 * Context: any, NMI included.
 */
void lkst_emit_own(int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_emit_client.event(etype, a1, a2, a3, a4);
}

/**
 * lkst_emit_time() - write LKST_SYNC_TIME into the buffer of this CPU
 *
 * Context: any, NMI included.
 */
void lkst_emit_time(void)
{
	struct lkst_ring *ring;

	preempt_disable_notrace();
	ring = this_cpu_read(lkst_ring_current);
	if (ring != &lkst_ring_void)
		lkst_emit_time_in(ring);
	preempt_enable_notrace();
}

/**
 * lkst_emit_time_in() - write LKST_SYNC_TIME into a given buffer
 * @ring: ring of this CPU, or of a CPU that is offline or not recording yet
 *
 * Context: any, NMI included. The caller has disabled preemption, exactly once.
 */
void lkst_emit_time_in(struct lkst_ring *ring)
{
	enum lkst_ring_write result = lkst_emit_write_time(ring, 1);

	if (result == LKST_RING_LAP) {
		lkst_emit_store_lap(ring);
		lkst_emit_lap(ring, 1);
	}
	lkst_emit_wake(result);
}

/**
 * lkst_emit_long() - write a record into a long ring
 * @ring: long ring of this CPU
 * @etype: event type
 * @depth: how many times LKST itself has disabled preemption
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Calls no event handler, and reports no full buffer: the long ring is meant to
 * wrap.
 *
 * Context: any, NMI included, with preemption off.
 */
notrace void lkst_emit_long(struct lkst_ring *ring, int etype, unsigned int depth, u64 a1, u64 a2,
			    u64 a3, u64 a4)
{
	if (lkst_ring_write_slow(ring, etype, depth, a1, a2, a3, a4) != LKST_RING_LAP)
		return;
	lkst_emit_store_lap(ring);
	lkst_emit_write_time(ring, depth);
}

/**
 * lkst_emit_long_time() - write LKST_SYNC_TIME into a long ring
 * @ring: long ring of this CPU
 *
 * Context: any, NMI included. The caller has disabled preemption, exactly once.
 */
void lkst_emit_long_time(struct lkst_ring *ring)
{
	if (lkst_emit_write_time(ring, 1) == LKST_RING_LAP)
		lkst_emit_store_lap(ring);
}
