// SPDX-License-Identifier: GPL-2.0
/*
 * Move a CPU from one buffer to another. A shift moves the CPU to the buffer
 * that follows the current one. A jump moves it to a given buffer
 * (specification 4.7.1.3.3, 4.7.1.3.4, 4.7.2.4.3, 4.7.2.4.4).
 *
 * A CPU leaves a buffer in this order, with interrupts off:
 *
 * 1. Claim the new buffer (state) and open its ring, in a new lap.
 * 2. Point lkst_ring_current to the new ring. From now on, NMIs that interrupt
 *    the shift record there.
 * 3. Close the old ring. Its end is final: writers that were interrupted find
 *    the ring closed when they resume, and record in the new one instead
 *    (lkst_emit_retry()).
 * 4. Now the end of the old buffer is known, and the recids of the new one
 *    continue from there.
 * 5. Append the old buffer to the read queue.
 *
 * So each record is in one buffer, recids have no gap, and their order is the
 * order in which the records were started. If a reader on another CPU looks at
 * the new buffer between steps 1 and 4, session_seq makes it wait.
 *
 * "From ring to ring" in Documentation/lkst/record-path.rst explains why this
 * is correct.
 */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_etypes.h>

#include "buffer.h"
#include "cpucall.h"
#include "emit.h"
#include "../memory/hibernate.h"
#include "image_session.h"
#include "long_ring.h"
#include "queue.h"
#include "shift.h"

/*
 * Passed instead of a buffer id to select the buffer after the current one.
 */
#define LKST_SHIFT_NEXT		(-1)

/*
 * A session does not start in the first slot of its buffer, but leaves some
 * slots free before it: 1 / LKST_RESERVED_SHARE of all slots, at most
 * LKST_RESERVED_MAX. When the buffer is full, these slots take the records that
 * are written before the CPU has left it.
 */
#define LKST_RESERVED_SHARE	8
#define LKST_RESERVED_MAX	64UL

/*
 * Maximum number of losses that one shift has to report: the unread records of
 * the new buffer, the overwritten records of the old buffer, and the dropped
 * records of the old buffer.
 */
#define LKST_SHIFT_LOSSES	3

/**
 * struct lkst_shift - the outcome of a shift, to be recorded in the new buffer
 * @from: id of the old buffer, or LKST_BUFFER_ID_VOID
 * @to: id of the new buffer
 * @ring: ring of the new buffer; NULL if the CPU did not move
 * @first_recid: recid of the first record in the new buffer
 * @lost: runs of records that can no longer be read
 * @lost_num: number of entries in @lost
 * @keep: in: whether no shift may take the old buffer before it has been read
 */
struct lkst_shift {
	lkst_buffer_id from;
	lkst_buffer_id to;
	struct lkst_ring *ring;
	u64 first_recid;
	struct lkst_loss lost[LKST_SHIFT_LOSSES];
	unsigned int lost_num;
	bool keep;
};

static void lkst_shift_lost(struct lkst_shift *shift, lkst_buffer_id buffer, u64 first, u64 end)
{
	if (first < end)
		shift->lost[shift->lost_num++] = (struct lkst_loss) {
			.first = first,
			.end = end,
			.buffer = buffer,
		};
}

static u64 lkst_buffer_recid(const struct lkst_buffer *buffer, u64 position)
{
	return buffer->session.first_recid + (position - buffer->session.first);
}

static u64 lkst_buffer_end(const struct lkst_buffer *buffer)
{
	return lkst_ring_position(&buffer->ring, lkst_ring_next(&buffer->ring));
}

/*
 * Account for a buffer that was taken out of the queue before it was read: add
 * the loss of its unread events to @shift. If a process is bound to the queue,
 * the events that it has not read are lost. Otherwise, events that were read in
 * blocks do not count as lost.
 */
static void lkst_shift_unread(struct lkst_cpu *c, const struct lkst_buffer *buffer,
			      struct lkst_shift *shift)
{
	u64 first = lkst_buffer_recid(buffer, buffer->read);

	atomic_dec(&c->queued);
	if (!READ_ONCE(c->reader))
		/*
		 * A reader in block mode may still read some of the remaining
		 * events. Even so, they count as lost.
		 */
		first = max_t(u64, first, atomic64_read(&c->read_in_blocks));
	lkst_shift_lost(shift, buffer->id, first,
			lkst_buffer_recid(buffer, lkst_buffer_end(buffer)));
}

/*
 * Whether all records of a queued buffer have been read in blocks, and no
 * process is bound to the queue.
 */
static bool lkst_shift_read_in_blocks(struct lkst_cpu *c, const struct lkst_buffer *buffer)
{
	return !READ_ONCE(c->reader) &&
	       lkst_buffer_recid(buffer, lkst_buffer_end(buffer)) <=
		       atomic64_read(&c->read_in_blocks);
}

/* Whether a snapshot keeps a queued buffer, so that no shift may take it. */
static bool lkst_shift_is_kept(struct lkst_cpu *c, const struct lkst_buffer *buffer)
{
	return READ_ONCE(buffer->kept) && !lkst_shift_read_in_blocks(c, buffer);
}

/*
 * Claim @to for recording. Fails with -EAGAIN if a reader, a deletion or a
 * snapshot holds the buffer, or if the shift has interrupted a writer that has
 * reserved a slot in it.
 */
static int lkst_shift_take(struct lkst_cpu *c, struct lkst_buffer *to, struct lkst_shift *shift)
{
	long state = atomic_long_read(&to->state);
	enum lkst_buffer_state was = state & LKST_STATE_MASK;

	if (was == LKST_BUFFER_QUEUED && lkst_shift_is_kept(c, to))
		return -EAGAIN;
	if (was == LKST_BUFFER_BEING_READ || READ_ONCE(to->ring.index) & LKST_INDEX_BUSY ||
	    atomic_long_cmpxchg(&to->state, state, LKST_BUFFER_WRITTEN) != state)
		return -EAGAIN;
	if (was == LKST_BUFFER_QUEUED)
		lkst_shift_unread(c, to, shift);
	return 0;
}

static void lkst_shift_open(struct lkst_buffer *to)
{
	struct lkst_ring *ring = &to->ring;
	unsigned long reserved = min(ring->slots / LKST_RESERVED_SHARE, LKST_RESERVED_MAX), first;

	to->session.clock = lkst_clock_current();
	first = lkst_ring_open(ring, reserved, to->session.clock);
	to->session.first = lkst_ring_position(ring, first);
	to->session.dropped = READ_ONCE(ring->dropped);
	lkst_time_read(&to->session.start);
}

/*
 * Store the new session in the header pages, for readers of memory images. Must
 * come before the buffer's first record. The recid is right unless an NMI
 * records to the old buffer before the CPU leaves it; in that case this
 * function is called again.
 */
static void lkst_shift_write_header(struct lkst_buffer *to, u64 first_recid)
{
	to->session.first_recid = first_recid;
	lkst_image_set_session(&to->region, &to->session,
			       lkst_ring_lap(&to->ring, lkst_ring_next(&to->ring)));
}

/*
 * Close @from, and queue it unless it is empty. Returns the recid after its
 * last record.
 */
static u64 lkst_shift_leave(struct lkst_cpu *c, struct lkst_buffer *from,
			    struct lkst_shift *shift)
{
	struct lkst_ring *ring = &from->ring;
	u64 first = from->session.first, end, oldest, drop_from, drop_to;
	long state = LKST_BUFFER_FREE;

	end = lkst_ring_position(ring, lkst_ring_close(ring));
	oldest = max(first, end - min_t(u64, end, ring->slots));
	lkst_shift_lost(shift, from->id, lkst_buffer_recid(from, first),
			lkst_buffer_recid(from, oldest));

	lkst_ring_closed_drops(ring, &drop_from, &drop_to);
	drop_from = max(drop_from, oldest);
	if (drop_to > drop_from)
		lkst_shift_lost(shift, from->id, lkst_buffer_recid(from, drop_from),
				lkst_buffer_recid(from, drop_to));

	from->read = oldest;
	WRITE_ONCE(from->kept, shift->keep);
	if (end > first) {
		WRITE_ONCE(c->order, c->order + 1);
		state = (long)(c->order << LKST_STATE_BITS) | LKST_BUFFER_QUEUED;
		atomic_inc(&c->queued);
	}
	/*
	 * A CPU that claims the buffer must observe both that the ring is
	 * closed and the final ->read.
	 */
	atomic_long_set_release(&from->state, state);
	return lkst_buffer_recid(from, end);
}

static struct lkst_buffer *lkst_shift_find(const struct lkst_cpu *c, int id)
{
	return lkst_buffer_id_valid(id) ? READ_ONCE(c->buffers[id]) : NULL;
}

static int lkst_shift_switch(int cpu, struct lkst_cpu *c, int id, struct lkst_shift *shift)
{
	struct lkst_ring **current_ring = per_cpu_ptr(&lkst_ring_current, cpu);
	struct lkst_buffer *from = lkst_ring_buffer(*current_ring), *to;
	int ret;

	if (id == LKST_SHIFT_NEXT && !from)
		return -EBUSY;
	to = lkst_shift_find(c, id == LKST_SHIFT_NEXT ? READ_ONCE(from->next) : id);
	if (!to)
		return -EINVAL;
	/*
	 * A shift that interrupted this one before lkst_shift_hold() may have
	 * switched to the same buffer.
	 */
	if (to == from)
		return 0;
	ret = lkst_shift_take(c, to, shift);
	if (ret)
		return ret;
	raw_write_seqcount_begin(&to->session_seq);
	lkst_shift_open(to);
	lkst_shift_write_header(to, from ? lkst_buffer_recid(from, lkst_buffer_end(from)) :
				    c->recid);
	/*
	 * A writer that loads this pointer must observe the initialized ring.
	 * Pairs with the writer's address dependency.
	 */
	smp_store_release(current_ring, &to->ring);
	if (from)
		c->recid = lkst_shift_leave(c, from, shift);
	if (to->session.first_recid != c->recid)
		lkst_shift_write_header(to, c->recid);
	raw_write_seqcount_end(&to->session_seq);

	shift->from = from ? from->id : LKST_BUFFER_ID_VOID;
	shift->to = to->id;
	shift->ring = &to->ring;
	shift->first_recid = c->recid;
	return 0;
}

/*
 * Begin a shift of a CPU. Returns false if a shift is in progress: the caller
 * is then an NMI that has interrupted that shift, and must not shift. Context:
 * interrupts off, on @c's CPU, or on another CPU while @c's CPU is offline or
 * not recording yet.
 */
static bool lkst_shift_hold(struct lkst_cpu *c)
{
	if (READ_ONCE(c->shifting))
		return false;
	WRITE_ONCE(c->shifting, true);
	barrier();
	return true;
}

static void lkst_shift_release(struct lkst_cpu *c)
{
	barrier();
	WRITE_ONCE(c->shifting, false);
}

static int lkst_shift_one(int cpu, int id, struct lkst_shift *shift)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	int ret;

	if (!c)
		return id == LKST_SHIFT_NEXT ? -EBUSY : -EINVAL;
	if (!lkst_shift_hold(c))
		return -EAGAIN;
	ret = lkst_shift_switch(cpu, c, id, shift);
	lkst_shift_release(c);
	return ret;
}

/*
 * Record the losses in the new buffer. They are written directly to the ring,
 * without calling the event handler, which may itself shift. Preemption is off.
 */
static void lkst_losses_record(const struct lkst_shift *shift)
{
	unsigned int i;

	for (i = 0; i < shift->lost_num; i++) {
		const struct lkst_loss *loss = &shift->lost[i];

		lkst_emit_in(shift->ring, LKST_ETYPE_LKST_BUFF_OVFLOW, loss->buffer,
			     loss->end - loss->first, loss->first, 0);
	}
}

static void lkst_shift_record(int cpu, const struct lkst_shift *shift)
{
	if (cpu == raw_smp_processor_id())
		lkst_emit_own(LKST_ETYPE_LKST_BUFF_SHIFT, shift->from, shift->to,
			      shift->first_recid, 0);
	else
		lkst_emit_in(shift->ring, LKST_ETYPE_LKST_BUFF_SHIFT, shift->from, shift->to,
			     shift->first_recid, 0);
}

/*
 * Record the shift in the new buffer: the clocks, for converting timestamps;
 * the shift itself, if the CPU was recording before; and the losses. Preemption
 * is off.
 */
static void lkst_shift_report(int cpu, const struct lkst_shift *shift)
{
	lkst_emit_time_in(shift->ring);
	if (shift->from != LKST_BUFFER_ID_VOID)
		lkst_shift_record(cpu, shift);
	lkst_losses_record(shift);
}

/**
 * lkst_shift_rewrite_header() - store the session in the header pages again
 *
 * Called each time LKST records the time on this CPU, because the rate of the
 * clock may be known more precisely by then.
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_shift_rewrite_header(void)
{
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);
	struct lkst_buffer *buffer;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (c && lkst_shift_hold(c)) {
		buffer = lkst_ring_buffer(this_cpu_read(lkst_ring_current));
		if (buffer)
			lkst_shift_write_header(buffer, buffer->session.first_recid);
		lkst_shift_release(c);
	}
	raw_local_irq_restore(flags);
}

/**
 * lkst_shift_timestamp() - set the start time of this CPU's session
 * @unused: not used; lets on_each_cpu() call this function
 *
 * Called when the kernel's timekeeping has started. Until then the session has
 * no start time.
 *
 * Context: any but NMI, with preemption off.
 */
void lkst_shift_timestamp(void *unused)
{
	struct lkst_buffer *buffer = lkst_ring_buffer(raw_cpu_read(lkst_ring_current));
	unsigned long flags;

	if (!buffer)
		return;
	/*
	 * Not raw_local_irq_save(): lkst_time_complete() takes locks, so
	 * lockdep must know that interrupts are off.
	 */
	local_irq_save(flags);
	raw_write_seqcount_begin(&buffer->session_seq);
	lkst_time_complete(&buffer->session.start, buffer->session.clock);
	raw_write_seqcount_end(&buffer->session_seq);
	lkst_shift_rewrite_header();
	local_irq_restore(flags);
}

/**
 * lkst_shift_to() - switch a CPU to a buffer
 * @cpu: this CPU; or, with lkst_buffer_mutex held, one that is offline or is
 *	not recording yet
 * @id: id of the buffer, or LKST_SHIFT_NEXT
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: 0 on success or if the CPU is already recording to the buffer;
 * -EINVAL: no such buffer; -EAGAIN: the buffer is being read or deleted, a
 * snapshot keeps it, an interrupted writer is active in it, or the caller has
 * interrupted another shift; -EBUSY: @id is LKST_SHIFT_NEXT and the CPU is not
 * recording.
 */
int lkst_shift_to(int cpu, int id)
{
	struct lkst_shift shift = {};
	unsigned long flags;
	int ret;

	/*
	 * Not local_irq_save(): it would call tracers, but RCU may not be
	 * watching here.
	 */
	raw_local_irq_save(flags);
	ret = lkst_shift_one(cpu, id, &shift);
	raw_local_irq_restore(flags);
	if (shift.ring)
		lkst_shift_report(cpu, &shift);
	return ret;
}

/**
 * lkst_shift_next() - shift this CPU without waking readers
 *
 * Context: any, NMI included.
 *
 * Return: the same as lkst_buffer_shift().
 */
int lkst_shift_next(void)
{
	int ret;

	preempt_disable_notrace();
	ret = lkst_shift_to(raw_smp_processor_id(), LKST_SHIFT_NEXT);
	preempt_enable_notrace();
	return ret;
}

/*
 * Return the id of the buffer that a snapshot switches to: a buffer without
 * unread records. If the CPU has no such buffer, return the queued buffer with
 * the oldest records, except for buffers that a snapshot keeps. Return
 * LKST_BUFFER_ID_VOID if no buffer is suitable.
 */
static int lkst_shift_spare(struct lkst_cpu *c)
{
	int id, oldest = LKST_BUFFER_ID_VOID;
	unsigned long first = ULONG_MAX;

	for (id = 0; id <= LKST_BUFFER_ID_MAX; id++) {
		const struct lkst_buffer *buffer = READ_ONCE(c->buffers[id]);
		unsigned long state = buffer ? atomic_long_read(&buffer->state) : 0;
		bool queued = (state & LKST_STATE_MASK) == LKST_BUFFER_QUEUED;

		if (!buffer)
			continue;
		if ((state & LKST_STATE_MASK) == LKST_BUFFER_FREE ||
		    (queued && lkst_shift_read_in_blocks(c, buffer)))
			return id;
		/* The bits above the state are the order in which buffers were left. */
		if (queued && !READ_ONCE(buffer->kept) && state < first) {
			first = state;
			oldest = id;
		}
	}
	return oldest;
}

static int lkst_shift_keep_one(int cpu, struct lkst_shift *shift)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	int id, ret = -EBUSY;

	if (!c || raw_cpu_read(lkst_ring_current) == &lkst_ring_void)
		return -EINVAL;
	if (!lkst_shift_hold(c))
		return -EAGAIN;
	id = lkst_shift_spare(c);
	if (id != LKST_BUFFER_ID_VOID)
		ret = lkst_shift_switch(cpu, c, id, shift);
	lkst_shift_release(c);
	return ret;
}

/**
 * lkst_shift_keep() - shift this CPU for a snapshot, and keep the old buffer
 * @from: receives the id of the old buffer
 *
 * No shift takes the old buffer before that buffer has been read, but it can be
 * deleted. If all other buffers have unread records, the CPU switches to the
 * buffer with the oldest of them, and those records are lost.
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: 0; -EBUSY: the CPU has no other buffer, or all other buffers are kept
 * by snapshots or being read; -EAGAIN: the caller has interrupted another shift
 * or a writer, or a reader or a deletion has claimed the buffer meanwhile;
 * -EINVAL: the CPU is not recording.
 */
int lkst_shift_keep(lkst_buffer_id *from)
{
	struct lkst_shift shift = { .from = LKST_BUFFER_ID_VOID, .keep = true };
	int cpu = raw_smp_processor_id(), ret;
	unsigned long flags;

	/* As in lkst_shift_to(). */
	raw_local_irq_save(flags);
	ret = lkst_shift_keep_one(cpu, &shift);
	raw_local_irq_restore(flags);
	if (shift.ring)
		lkst_shift_report(cpu, &shift);
	*from = shift.from;
	return ret;
}

/**
 * lkst_shift_to_void() - stop a CPU from recording
 * @cpu: this CPU; or, with lkst_buffer_mutex held, one that is offline or is
 *	not recording yet
 * @unused: not used; lets lkst_cpucall() call this function
 *
 * Context: interrupts off.
 *
 * Return: 0.
 */
int lkst_shift_to_void(int cpu, int unused)
{
	struct lkst_ring **current_ring = per_cpu_ptr(&lkst_ring_current, cpu);
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_shift shift = {};
	struct lkst_buffer *from;

	/* Keep NMIs from shifting. */
	WRITE_ONCE(c->shifting, true);
	barrier();
	from = lkst_ring_buffer(*current_ring);
	WRITE_ONCE(*current_ring, &lkst_ring_void);
	if (from)
		c->recid = lkst_shift_leave(c, from, &shift);
	barrier();
	WRITE_ONCE(c->shifting, false);
	return 0;
}

/**
 * lkst_shift_suspend() - stop recording on this CPU until lkst_shift_resume()
 *
 * The current buffer does not change. Events that occur in the meantime count
 * as lost.
 *
 * Context: a thread, with interrupts off. No other CPU may run until
 * lkst_shift_resume().
 *
 * Return: the current ring, for lkst_shift_resume().
 */
static struct lkst_ring *lkst_shift_suspend(void)
{
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);
	struct lkst_ring *ring = raw_cpu_read(lkst_ring_current);

	/*
	 * Keep NMIs from shifting: the buffer has the state WRITTEN although
	 * the CPU is not recording to it.
	 */
	if (c)
		WRITE_ONCE(c->shifting, true);
	barrier();
	WRITE_ONCE(*raw_cpu_ptr(&lkst_ring_current), &lkst_ring_void);
	lkst_long_pause(true);
	return ring;
}

/**
 * lkst_shift_resume() - switch this CPU back to its buffer
 * @ring: from lkst_shift_suspend() on the same CPU
 *
 * Context: as for lkst_shift_suspend().
 */
static void lkst_shift_resume(struct lkst_ring *ring)
{
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);

	lkst_long_pause(false);
	WRITE_ONCE(*raw_cpu_ptr(&lkst_ring_current), ring);
	if (c)
		lkst_shift_release(c);
}

const struct lkst_hibernate_client lkst_hibernate_client = {
	.suspend = lkst_shift_suspend,
	.resume = lkst_shift_resume,
};

/* Claim a buffer for deletion; a concurrent shift now gets -EAGAIN. */
static int lkst_shift_claim(struct lkst_cpu *c, struct lkst_buffer *buffer,
			    struct lkst_shift *shift)
{
	enum lkst_buffer_state was;
	long state;

	do {
		state = atomic_long_read(&buffer->state);
		was = state & LKST_STATE_MASK;
		if (was == LKST_BUFFER_WRITTEN || was == LKST_BUFFER_BEING_READ)
			return -EBUSY;
	} while (atomic_long_cmpxchg(&buffer->state, state, LKST_BUFFER_BEING_READ) != state);
	if (was == LKST_BUFFER_QUEUED)
		lkst_shift_unread(c, buffer, shift);
	return 0;
}

/**
 * lkst_shift_discard() - take a buffer out of use before it is deleted
 * @cpu: this CPU; or, with lkst_buffer_mutex held, one that is offline or is
 *	not recording yet
 * @id: id of the buffer
 *
 * Records the loss of the buffer's unread events if the CPU is recording.
 *
 * Context: interrupts off.
 *
 * Return: 0; -EINVAL: no such buffer; -EBUSY: it is being written or read.
 */
int lkst_shift_discard(int cpu, int id)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_buffer *buffer = c ? lkst_shift_find(c, id) : NULL;
	struct lkst_shift shift = {};
	int ret;

	if (!buffer)
		return -EINVAL;
	/* Keep NMIs from shifting. */
	WRITE_ONCE(c->shifting, true);
	barrier();
	shift.ring = per_cpu(lkst_ring_current, cpu);
	ret = lkst_shift_claim(c, buffer, &shift);
	barrier();
	WRITE_ONCE(c->shifting, false);
	if (!ret && shift.ring != &lkst_ring_void)
		lkst_losses_record(&shift);
	return ret;
}

/**
 * lkst_buffer_shift() - switch this CPU to the next buffer (4.7.2.4.4)
 *
 * Context: any, NMI included.
 *
 * Return: 0; -EINVAL: the current buffer has no next buffer, or the next buffer
 * does not exist; -EAGAIN: the next buffer is in use, or the caller has
 * interrupted a shift; -EBUSY: this CPU is not recording.
 */
int lkst_buffer_shift(void)
{
	int ret;

	preempt_disable_notrace();
	ret = lkst_shift_next();
	if (!ret)
		lkst_queue_wake();
	preempt_enable_notrace();
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_buffer_shift);

/**
 * lkst_buffer_jump() - switch this CPU to a given buffer (4.7.2.4.3)
 * @next: id of the buffer
 *
 * Context: any, NMI included.
 *
 * Return: 0 on success or if the CPU is already recording to the buffer;
 * -EINVAL: this CPU has no such buffer; -EAGAIN: the buffer is in use, or the
 * caller has interrupted a shift.
 */
int lkst_buffer_jump(lkst_buffer_id next)
{
	int ret;

	preempt_disable_notrace();
	ret = lkst_buffer_id_valid(next) ? lkst_shift_to(raw_smp_processor_id(), next) : -EINVAL;
	if (!ret)
		lkst_queue_wake();
	preempt_enable_notrace();
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_buffer_jump);

static int lkst_shift_call(int cpu, lkst_cpucall_func func, int arg)
{
	int ret;

	if (!lkst_cpu_valid(cpu))
		return -EINVAL;
	cpus_read_lock();
	ret = lkst_cpucall(cpu, func, arg);
	cpus_read_unlock();
	if (!ret)
		lkst_queue_wake_cpu(cpu);
	return ret == -EAGAIN ? -EBUSY : ret;
}

/**
 * lkst_buffer_shift_on() - switch a CPU to its next buffer (4.7.1.3.3)
 * @cpu: CPU number, not validated by the caller
 *
 * Context: may sleep.
 *
 * Return: the same as lkst_buffer_shift(), but -EBUSY instead of -EAGAIN. Also
 * -EINVAL: not a possible CPU; -EINTR: the CPU does not respond, and a fatal
 * signal ended the wait; -ENOMEM.
 */
int lkst_buffer_shift_on(int cpu)
{
	return lkst_shift_call(cpu, lkst_shift_to, LKST_SHIFT_NEXT);
}

/**
 * lkst_buffer_jump_on() - switch a CPU to a given buffer (4.7.1.3.4)
 * @cpu: CPU number, not validated by the caller
 * @dest: buffer id, not validated by the caller
 *
 * Context: may sleep.
 *
 * Return: the same as lkst_buffer_jump(), but -EBUSY instead of -EAGAIN. Also
 * the additional errors of lkst_buffer_shift_on().
 */
int lkst_buffer_jump_on(int cpu, lkst_buffer_id dest)
{
	if (!lkst_buffer_id_valid(dest))
		return -EINVAL;
	return lkst_shift_call(cpu, lkst_shift_to, dest);
}
