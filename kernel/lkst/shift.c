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
 * and 4 waits for stretch_seq.
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

/**
 * struct lkst_shift - what there is to tell of a shift
 * @from: buffer that was left, or LKST_BUFFER_ID_VOID
 * @to: buffer that is written now
 * @ring: of @to
 * @first_recid: of the next record
 * @lost: what was lost by it, and what a reader has missed before and not been told
 * @told: number of the latest of these
 */
struct lkst_shift {
	lkst_buffer_id from;
	lkst_buffer_id to;
	struct lkst_ring *ring;
	u64 first_recid;
	struct lkst_losses lost;
	unsigned long told;
};

static void lkst_shift_lost(struct lkst_shift *shift, lkst_buffer_id buffer, u64 first, u64 end)
{
	if (first < end)
		shift->lost.loss[shift->lost.num++] = (struct lkst_loss) {
			.first = first,
			.end = end,
			.buffer = buffer,
		};
}

/*
 * Those that touch become one, as do the last two if there is no room for another one. When
 * they are told is up to the later one.
 */
static void lkst_losses_join(struct lkst_losses *losses)
{
	struct lkst_loss *loss = losses->loss;
	unsigned int i = 0;

	while (i + 1 < losses->num) {
		bool full = losses->num == LKST_LOSSES && i + 2 == losses->num;

		if (loss[i].end < loss[i + 1].first && !full) {
			i++;
			continue;
		}
		if (loss[i].end < loss[i + 1].end) {
			loss[i].end = loss[i + 1].end;
			loss[i].buffer = loss[i + 1].buffer;
		}
		loss[i].number = max(loss[i].number, loss[i + 1].number);
		losses->num--;
		memmove(&loss[i + 1], &loss[i + 2], (losses->num - i - 1) * sizeof(*loss));
	}
}

static void lkst_losses_insert(struct lkst_losses *losses, const struct lkst_loss *loss)
{
	unsigned int i = losses->num++;

	while (i && losses->loss[i - 1].first > loss->first) {
		losses->loss[i] = losses->loss[i - 1];
		i--;
	}
	losses->loss[i] = *loss;
}

/* Forget what the reader has been told, or everything, if there is none. */
static void lkst_losses_prune(struct lkst_cpu *c)
{
	unsigned long told = READ_ONCE(c->reader) ? READ_ONCE(c->told) : ULONG_MAX;
	unsigned int i, num = 0;

	for (i = 0; i < c->losses.num; i++)
		if (c->losses.loss[i].number > told)
			c->losses.loss[num++] = c->losses.loss[i];
	c->losses.num = num;
}

/*
 * The records that tell of a loss can be lost themselves, so each buffer tells of all that the
 * reader has not been told, in as few records as possible: whichever it gets next, it can
 * account for the gap before it. A buffer that wraps in place overwrites what it has told, and
 * tells it again, lkst_losses_repeat().
 */
static void lkst_shift_remember(struct lkst_cpu *c, struct lkst_shift *shift)
{
	struct lkst_losses *losses = &c->losses;
	unsigned int i;

	lkst_losses_prune(c);
	if (!READ_ONCE(c->reader))
		return;
	for (i = 0; i < shift->lost.num; i++) {
		shift->lost.loss[i].number = ++c->loss_number;
		lkst_losses_insert(losses, &shift->lost.loss[i]);
		lkst_losses_join(losses);
	}
	shift->lost = *losses;
	shift->told = c->loss_number;
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
	if (was == LKST_BUFFER_QUEUED) {
		atomic_dec(&c->queued);
		lkst_shift_lost(shift, to->id, lkst_buffer_recid(to, to->read),
				lkst_buffer_recid(to, lkst_buffer_end(to)));
	}
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
static void lkst_shift_note(struct lkst_buffer *to, u64 first_recid)
{
	to->stretch.first_recid = first_recid;
	lkst_image_stretch(&to->area, &to->stretch,
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
		state = (long)(++c->order << LKST_STATE_BITS) | LKST_BUFFER_QUEUED;
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
	to->told = 0;
	raw_write_seqcount_begin(&to->stretch_seq);
	lkst_shift_open(to);
	lkst_shift_note(to, from ? lkst_buffer_recid(from, lkst_buffer_end(from)) : c->recid);
	/* Pairs with the address dependency of whoever records: the ring is set up first. */
	smp_store_release(current_ring, &to->ring);
	if (from)
		c->recid = lkst_shift_leave(c, from, shift);
	if (to->stretch.first_recid != c->recid)
		lkst_shift_note(to, c->recid);
	raw_write_seqcount_end(&to->stretch_seq);

	shift->from = from ? from->id : LKST_BUFFER_ID_VOID;
	shift->to = to->id;
	shift->ring = &to->ring;
	shift->first_recid = c->recid;
	lkst_shift_remember(c, shift);
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
static void lkst_losses_record(struct lkst_ring *ring, const struct lkst_losses *losses)
{
	unsigned int i;

	for (i = 0; i < losses->num; i++) {
		const struct lkst_loss *loss = &losses->loss[i];

		lkst_event_record_in(ring, LKST_ETYPE_LKST_BUFF_OVFLOW, loss->buffer,
				     loss->end - loss->first, loss->first, 0);
	}
}

/**
 * struct lkst_telling - a list of losses on its way into a buffer
 * @ring: of the buffer
 * @number: of the latest loss in the list
 * @first_recid: of the buffer's stretch
 * @position: in the ring, from where on the list is recorded
 * @dropped: of the ring, before the list
 */
struct lkst_telling {
	struct lkst_ring *ring;
	unsigned long number;
	u64 first_recid;
	u64 position;
	unsigned long dropped;
};

/*
 * The list has been recorded. It is in the buffer, unless something has interrupted this that has
 * left the buffer, or a record was dropped: then not all of it may be. Nor if such events are
 * masked.
 */
static void lkst_losses_told(int cpu, const struct lkst_telling *telling)
{
	struct lkst_buffer *to = lkst_ring_buffer(telling->ring);
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	unsigned long flags;

	raw_local_irq_save(flags);
	if (lkst_shift_hold(c)) {
		if (per_cpu(lkst_ring_current, cpu) == telling->ring &&
		    to->stretch.first_recid == telling->first_recid &&
		    READ_ONCE(to->ring.dropped) == telling->dropped &&
		    lkst_maskset_handler(LKST_ETYPE_LKST_BUFF_OVFLOW) != LKST_EVHANDLER_ID_NONE) {
			to->told = telling->number;
			to->told_from = telling->position;
		}
		lkst_shift_release(c);
	}
	raw_local_irq_restore(flags);
}

static void lkst_shift_record(int cpu, const struct lkst_shift *shift)
{
	if (cpu == raw_smp_processor_id())
		lkst_event_direct(LKST_ETYPE_LKST_BUFF_SHIFT, shift->from, shift->to,
				  shift->first_recid, 0);
	else
		lkst_event_record_in(shift->ring, LKST_ETYPE_LKST_BUFF_SHIFT, shift->from,
				     shift->to, shift->first_recid, 0);
}

/*
 * What the shift did, into the new buffer: what lets its records be dated, where they come
 * from, unless it is from nowhere, and what was lost. Preemption is off.
 */
static void lkst_shift_tell(int cpu, const struct lkst_shift *shift)
{
	const struct lkst_buffer *to = lkst_ring_buffer(shift->ring);

	lkst_event_time_in(shift->ring);
	if (shift->from != LKST_BUFFER_ID_VOID)
		lkst_shift_record(cpu, shift);
	lkst_losses_record(shift->ring, &shift->lost);
	lkst_losses_told(cpu, &(struct lkst_telling){
		.ring = shift->ring,
		.number = shift->told,
		.first_recid = shift->first_recid,
		.position = to->stretch.first,
		.dropped = to->stretch.dropped,
	});
}

/* What there is to tell of losses in a buffer that this CPU is about to go on with, if anything. */
static bool lkst_losses_pending(struct lkst_ring *ring, struct lkst_telling *telling,
				struct lkst_losses *lost)
{
	struct lkst_buffer *buffer = lkst_ring_buffer(ring);
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);
	unsigned long flags;

	lost->num = 0;
	raw_local_irq_save(flags);
	if (lkst_shift_hold(c)) {
		if (ring == this_cpu_read(lkst_ring_current)) {
			lkst_losses_prune(c);
			*lost = c->losses;
			*telling = (struct lkst_telling){
				.ring = ring,
				.number = c->loss_number,
				.first_recid = buffer->stretch.first_recid,
				.position = lkst_buffer_end(buffer),
				.dropped = READ_ONCE(ring->dropped),
			};
		}
		lkst_shift_release(c);
	}
	raw_local_irq_restore(flags);
	return lost->num;
}

/* Telling does not make the buffer wrap again. */
static_assert(LKST_LOSSES < LKST_BUFFER_SIZE_MIN / sizeof(struct lkst_event_record));

/**
 * lkst_losses_repeat() - tell again of what a reader has missed
 * @ring: of this CPU; has just begun another lap in place, in which it overwrites what it has told
 *
 * So that a reader that is always a buffer behind is told, too: each buffer that it gets then has
 * begun another lap.
 *
 * Context: any, NMI included, with preemption off on behalf of LKST.
 */
void lkst_losses_repeat(struct lkst_ring *ring)
{
	struct lkst_telling telling;
	struct lkst_losses lost;

	if (!lkst_losses_pending(ring, &telling, &lost))
		return;
	lkst_losses_record(ring, &lost);
	lkst_losses_told(raw_smp_processor_id(), &telling);
}

/**
 * lkst_shift_note_again() - note again what this CPU's records are, in the buffer's header pages
 *
 * The rate of the clock is known better now.
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_shift_note_again(void)
{
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);
	struct lkst_buffer *buffer;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (c && lkst_shift_hold(c)) {
		buffer = lkst_ring_buffer(this_cpu_read(lkst_ring_current));
		if (buffer)
			lkst_shift_note(buffer, buffer->stretch.first_recid);
		lkst_shift_release(c);
	}
	raw_local_irq_restore(flags);
}

/**
 * lkst_shift_date() - the kernel keeps time now: say when this CPU's buffer began
 *
 * Context: the boot CPU, before there is another buffer.
 */
void lkst_shift_date(void)
{
	struct lkst_buffer *buffer = lkst_ring_buffer(raw_cpu_read(lkst_ring_current));
	unsigned long flags;

	/* Not raw_local_irq_save(): this takes locks, and lockdep is to know in which state. */
	local_irq_save(flags);
	raw_write_seqcount_begin(&buffer->stretch_seq);
	lkst_time_complete(&buffer->stretch.start, buffer->stretch.clock);
	raw_write_seqcount_end(&buffer->stretch_seq);
	lkst_shift_note_again();
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
		lkst_shift_tell(cpu, &shift);
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
	lkst_shift_remember(c, &shift);
	barrier();
	WRITE_ONCE(c->shifting, false);
	return 0;
}

/* A buffer that is to be deleted is nobody's any more; a shift finds it busy. */
static int lkst_shift_seize(struct lkst_cpu *c, struct lkst_buffer *buffer,
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
	if (was == LKST_BUFFER_QUEUED) {
		atomic_dec(&c->queued);
		lkst_shift_lost(shift, buffer->id, lkst_buffer_recid(buffer, buffer->read),
				lkst_buffer_recid(buffer, lkst_buffer_end(buffer)));
	}
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
	ret = lkst_shift_seize(c, buffer, &shift);
	if (!ret)
		lkst_shift_remember(c, &shift);
	barrier();
	WRITE_ONCE(c->shifting, false);
	if (!ret && shift.ring != &lkst_ring_nowhere)
		lkst_losses_record(shift.ring, &shift.lost);
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
		lkst_reader_wake();
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
		lkst_reader_wake();
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
		lkst_reader_wake_cpu(cpu);
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
