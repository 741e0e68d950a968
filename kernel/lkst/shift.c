// SPDX-License-Identifier: GPL-2.0
/*
 * From one buffer to another: shift and jump (specification 4.7.1.3.3, 4.7.1.3.4, 4.7.2.4.3,
 * 4.7.2.4.4).
 *
 * A CPU leaves a buffer in this order, with interrupts off:
 *
 * 1. The new buffer is taken (state) and its ring opened, in a new lap.
 * 2. lkst_ring_current leads to it. Whoever interrupts this now, and that can be NMIs
 *    only, records there.
 * 3. The old ring is closed. Nobody adds to its index any more: those that were
 *    interrupted come back to a closed ring, and find the new one (lkst_event()).
 * 4. Now it is known where the old buffer ends, and the recids of the new one go on from
 *    there.
 * 5. The old buffer goes to the end of the read queue.
 *
 * So each record is in one buffer, recids have no gap, and their order is the one in which
 * records were begun. A reader of another CPU that looks at the new buffer between 1
 * and 4 waits for session_seq.
 */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>

#include "buffer.h"
#include "cpucall.h"
#include "event.h"
#include "image.h"
#include "maskset.h"
#include "reader.h"
#include "shift.h"

/* Instead of an id: where the current buffer leads. */
#define LKST_SHIFT_NEXT		(-1)

/* The first slots of a buffer are for what is recorded while it is full and about to be left. */
#define LKST_RESERVED_SHARE	8
#define LKST_RESERVED_MAX	64UL

/*
 * Of the buffer that it leads to; in the one that was left, overwritten records, and dropped ones.
 */
#define LKST_SHIFT_LOSSES	3

/**
 * struct lkst_shift - what there is to tell of a shift
 * @from: buffer that was left, or LKST_BUFFER_ID_VOID
 * @to: buffer that is written now
 * @ring: of @to
 * @first_recid: of the next record
 * @lost: records that nobody can read any more because of it
 * @lost_num: entries of @lost
 */
struct lkst_shift {
	lkst_buffer_id from;
	lkst_buffer_id to;
	struct lkst_ring *ring;
	u64 first_recid;
	struct lkst_loss lost[LKST_SHIFT_LOSSES];
	unsigned int lost_num;
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
	return buffer->stretch.first_recid + (position - buffer->stretch.first);
}

static u64 lkst_buffer_end(const struct lkst_buffer *buffer)
{
	return lkst_ring_position(&buffer->ring, lkst_ring_next(&buffer->ring));
}

/*
 * Remove an unread buffer from the queue. If a process is bound to the queue, all events of the
 * buffer count as lost. Otherwise the events that a file has already read in blocks do not.
 */
static void lkst_shift_unread(struct lkst_cpu *c, const struct lkst_buffer *buffer,
			      struct lkst_shift *shift)
{
	u64 first = lkst_buffer_recid(buffer, buffer->read);

	atomic_dec(&c->queued);
	if (!READ_ONCE(c->reader))
		/* A file may read more of them meanwhile: these are counted as lost as well. */
		first = max_t(u64, first, atomic64_read(&c->handed_out));
	lkst_shift_lost(shift, buffer->id, first,
			lkst_buffer_recid(buffer, lkst_buffer_end(buffer)));
}

/*
 * Make @to this CPU's, unless a reader or a delete has it, or it is in the way of a writer that
 * this interrupted and that has a slot there.
 */
static int lkst_shift_take(struct lkst_cpu *c, struct lkst_buffer *to, struct lkst_shift *shift)
{
	long state = atomic_long_read(&to->state);
	enum lkst_buffer_state was = state & LKST_STATE_MASK;

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

	to->stretch.clock = lkst_clock_current();
	first = lkst_ring_open(ring, reserved, to->stretch.clock);
	to->stretch.first = lkst_ring_position(ring, first);
	to->stretch.dropped = READ_ONCE(ring->dropped);
	lkst_time_read(&to->stretch.start);
}

/*
 * For who has nothing but an image of memory. Before the first record can get there: the recid is
 * right unless an NMI records to the old buffer until that is left.
 */
static void lkst_shift_write_header(struct lkst_buffer *to, u64 first_recid)
{
	to->stretch.first_recid = first_recid;
	lkst_image_session(&to->area, &to->stretch,
			   lkst_ring_lap(&to->ring, lkst_ring_next(&to->ring)));
}

/* Close @from and queue it. Returns the recid that comes after its last. */
static u64 lkst_shift_leave(struct lkst_cpu *c, struct lkst_buffer *from,
			    struct lkst_shift *shift)
{
	struct lkst_ring *ring = &from->ring;
	u64 first = from->stretch.first, end, oldest, drop_from, drop_to;
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
	if (end > first) {
		WRITE_ONCE(c->order, c->order + 1);
		state = (long)(c->order << LKST_STATE_BITS) | LKST_BUFFER_QUEUED;
		atomic_inc(&c->queued);
	}
	/* Who takes the buffer sees the ring closed, and where to begin. */
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
	/* What interrupted this may have been there. */
	if (to == from)
		return 0;
	ret = lkst_shift_take(c, to, shift);
	if (ret)
		return ret;
	raw_write_seqcount_begin(&to->session_seq);
	lkst_shift_open(to);
	lkst_shift_write_header(to, from ? lkst_buffer_recid(from, lkst_buffer_end(from)) : c->recid);
	/* Pairs with the address dependency of whoever records: the ring is set up first. */
	smp_store_release(current_ring, &to->ring);
	if (from)
		c->recid = lkst_shift_leave(c, from, shift);
	if (to->stretch.first_recid != c->recid)
		lkst_shift_write_header(to, c->recid);
	raw_write_seqcount_end(&to->session_seq);

	shift->from = from ? from->id : LKST_BUFFER_ID_VOID;
	shift->to = to->id;
	shift->ring = &to->ring;
	shift->first_recid = c->recid;
	return 0;
}

/*
 * One at a time on a CPU: an NMI that comes in between finds it taken. Interrupts are off, or
 * the CPU does not run.
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
 * A loss is recorded and not handled as an event: its handler may be one that shifts. Preemption
 * is off.
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
		lkst_event_preemptible(LKST_ETYPE_LKST_BUFF_SHIFT, shift->from, shift->to,
				  shift->first_recid, 0);
	else
		lkst_emit_in(shift->ring, LKST_ETYPE_LKST_BUFF_SHIFT, shift->from,
				     shift->to, shift->first_recid, 0);
}

/*
 * What the shift did, into the new buffer: what lets its records be dated, where they come
 * from, unless it is from nowhere, and what was lost. Preemption is off.
 */
static void lkst_shift_report(int cpu, const struct lkst_shift *shift)
{
	lkst_emit_time_in(shift->ring);
	if (shift->from != LKST_BUFFER_ID_VOID)
		lkst_shift_record(cpu, shift);
	lkst_losses_record(shift);
}

/**
 * lkst_shift_rewrite_header() - note again what this CPU's records are, in the buffer's header pages
 *
 * The rate of the clock is known better now.
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
			lkst_shift_write_header(buffer, buffer->stretch.first_recid);
		lkst_shift_release(c);
	}
	raw_local_irq_restore(flags);
}

/**
 * lkst_shift_timestamp() - the kernel keeps time now: say when this CPU's buffer began
 * @unused: for on_each_cpu()
 *
 * Context: any but NMI, with preemption off.
 */
void lkst_shift_timestamp(void *unused)
{
	struct lkst_buffer *buffer = lkst_ring_buffer(raw_cpu_read(lkst_ring_current));
	unsigned long flags;

	if (!buffer)
		return;
	/* Not raw_local_irq_save(): this takes locks, and lockdep is to know in which state. */
	local_irq_save(flags);
	raw_write_seqcount_begin(&buffer->session_seq);
	lkst_time_complete(&buffer->stretch.start, buffer->stretch.clock);
	raw_write_seqcount_end(&buffer->session_seq);
	lkst_shift_rewrite_header();
	local_irq_restore(flags);
}

/**
 * lkst_shift_to() - lead a CPU to a buffer
 * @cpu: this CPU, or one that does not run, with lkst_buffer_mutex
 * @id: of the buffer, or LKST_SHIFT_NEXT
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: 0, also if it is there already; -EINVAL: there is no such buffer; -EAGAIN: it is
 * being read or deleted, a writer that was interrupted is at work in it, or this has
 * interrupted another shift; -EBUSY: LKST_SHIFT_NEXT, and the CPU records nowhere.
 */
int lkst_shift_to(int cpu, int id)
{
	struct lkst_shift shift = {};
	unsigned long flags;
	int ret;

	/* Not local_irq_save(), which tells others, and RCU may not watch here. */
	raw_local_irq_save(flags);
	ret = lkst_shift_one(cpu, id, &shift);
	raw_local_irq_restore(flags);
	if (shift.ring)
		lkst_shift_report(cpu, &shift);
	return ret;
}

/**
 * lkst_shift_next() - shift this CPU, and wake nobody
 *
 * Context: any, NMI included.
 *
 * Return: as lkst_buffer_shift().
 */
int lkst_shift_next(void)
{
	int ret;

	preempt_disable_notrace();
	ret = lkst_shift_to(raw_smp_processor_id(), LKST_SHIFT_NEXT);
	preempt_enable_notrace();
	return ret;
}

/**
 * lkst_shift_nowhere() - let a CPU record no more
 * @cpu: this CPU, or one that does not run, with lkst_buffer_mutex
 * @unused: for lkst_cpucall()
 *
 * Context: interrupts off.
 *
 * Return: 0.
 */
int lkst_shift_nowhere(int cpu, int unused)
{
	struct lkst_ring **current_ring = per_cpu_ptr(&lkst_ring_current, cpu);
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_shift shift = {};
	struct lkst_buffer *from;

	/* An NMI does not shift now. */
	WRITE_ONCE(c->shifting, true);
	barrier();
	from = lkst_ring_buffer(*current_ring);
	WRITE_ONCE(*current_ring, &lkst_ring_nowhere);
	if (from)
		c->recid = lkst_shift_leave(c, from, &shift);
	barrier();
	WRITE_ONCE(c->shifting, false);
	return 0;
}

/**
 * lkst_shift_suspend() - let this CPU record nowhere for a while, and keep its buffer as it is
 *
 * Events that occur meanwhile count as lost.
 *
 * Context: a thread, with interrupts off. No other CPU runs until lkst_shift_resume().
 *
 * Return: what lkst_shift_resume() takes.
 */
struct lkst_ring *lkst_shift_suspend(void)
{
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);
	struct lkst_ring *ring = raw_cpu_read(lkst_ring_current);

	/* An NMI must not shift: the buffer counts as written although the CPU is not there. */
	if (c)
		WRITE_ONCE(c->shifting, true);
	barrier();
	WRITE_ONCE(*raw_cpu_ptr(&lkst_ring_current), &lkst_ring_nowhere);
	return ring;
}

/**
 * lkst_shift_resume() - let this CPU record where it did before
 * @ring: from lkst_shift_suspend(), on the same CPU
 *
 * Context: as lkst_shift_suspend().
 */
void lkst_shift_resume(struct lkst_ring *ring)
{
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);

	WRITE_ONCE(*raw_cpu_ptr(&lkst_ring_current), ring);
	if (c)
		lkst_shift_release(c);
}

/* A buffer that is to be deleted is nobody's any more; a shift finds it busy. */
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
 * lkst_shift_discard() - take a buffer out of use, for good
 * @cpu: this CPU, or one that does not run, with lkst_buffer_mutex
 * @id: of the buffer
 *
 * What nobody has read of it is lost, and that is recorded.
 *
 * Context: interrupts off.
 *
 * Return: 0; -EINVAL: there is no such buffer; -EBUSY: it is being written or read.
 */
int lkst_shift_discard(int cpu, int id)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_buffer *buffer = c ? lkst_shift_find(c, id) : NULL;
	struct lkst_shift shift = {};
	int ret;

	if (!buffer)
		return -EINVAL;
	/* An NMI does not shift now. */
	WRITE_ONCE(c->shifting, true);
	barrier();
	shift.ring = per_cpu(lkst_ring_current, cpu);
	ret = lkst_shift_claim(c, buffer, &shift);
	barrier();
	WRITE_ONCE(c->shifting, false);
	if (!ret && shift.ring != &lkst_ring_nowhere)
		lkst_losses_record(&shift);
	return ret;
}

/**
 * lkst_buffer_shift() - let this CPU record to the next buffer (4.7.2.4.4)
 *
 * Context: any, NMI included.
 *
 * Return: 0; -EINVAL: the current buffer leads to none that is there; -EAGAIN: the next one is
 * being read, or a shift is under way; -EBUSY: this CPU records to none.
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
 * lkst_buffer_jump() - let this CPU record to another of its buffers (4.7.2.4.3)
 * @next: id of the buffer
 *
 * Context: any, NMI included.
 *
 * Return: 0, also if it records there already; -EINVAL: this CPU has no such buffer;
 * -EAGAIN: the buffer is being read, or a shift is under way.
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
 * lkst_buffer_shift_on() - let a CPU record to the next buffer (4.7.1.3.3)
 * @cpu: any number
 *
 * Context: may sleep.
 *
 * Return: as lkst_buffer_shift(), with -EBUSY for -EAGAIN; -EINVAL: there can be no such CPU;
 * -EINTR: the CPU is stuck, and a fatal signal ended the waiting; -ENOMEM.
 */
int lkst_buffer_shift_on(int cpu)
{
	return lkst_shift_call(cpu, lkst_shift_to, LKST_SHIFT_NEXT);
}

/**
 * lkst_buffer_jump_on() - let a CPU record to another of its buffers (4.7.1.3.4)
 * @cpu: any number
 * @dest: any number
 *
 * Context: may sleep.
 *
 * Return: as lkst_buffer_jump(), with -EBUSY for -EAGAIN, and otherwise as
 * lkst_buffer_shift_on().
 */
int lkst_buffer_jump_on(int cpu, lkst_buffer_id dest)
{
	if (!lkst_buffer_id_valid(dest))
		return -EINVAL;
	return lkst_shift_call(cpu, lkst_shift_to, dest);
}
