/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST's record path: reserve a slot, fill it, commit it; and read it from elsewhere.
 *
 * A ring belongs to one CPU and only code running on that CPU writes to it, with
 * preemption off and interrupts on. So writers of a ring nest (task, softirq, hardirq,
 * NMI) and never run side by side. Readers run anywhere and never write.
 *
 * Documentation/lkst/record-path.rst has the argument as a whole and names the tests
 * that fail without each step. This file builds in user space too, where
 * tests/unit/test_record.c single-steps it: it uses nothing of the kernel but the
 * names below and the context that LKST_RECORD_CONTEXT() fills in.
 */
#ifndef _LKST_RECORD_H
#define _LKST_RECORD_H

#ifdef __KERNEL__
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>
#endif

#include <linux/lkst_buffer.h>

/*
 * The index packs how often the ring went round (lap) and the next slot, so that one
 * add hands out both, consistently. position = lap * slots + slot, and the buffer makes a
 * recid of it. The slot may be found at or beyond the number of slots, because an add does
 * not wrap it; (lap, slots + n) and (lap + 1, n) are the same position, and the next writer
 * to see the first makes it the second. A closed ring is one whose slot is beyond all
 * slots there can be. A slot number is at most a quarter of what its bits hold, so the
 * writers that are nested before one of them looks can neither close the ring nor carry
 * into the lap.
 */
#define LKST_SLOT_BITS		(BITS_PER_LONG == 64 ? 28 : 21)
#define LKST_SLOT_MASK		((1UL << LKST_SLOT_BITS) - 1)
#define LKST_SLOTS_MAX		(1UL << (LKST_SLOT_BITS - 2))
#define LKST_INDEX_CLOSED	(1UL << (LKST_SLOT_BITS - 1))
#define LKST_LAP_BITS		(BITS_PER_LONG - LKST_SLOT_BITS)
#define LKST_LAP_MASK		(~0UL >> LKST_SLOT_BITS)

#define LKST_RECORD_LAP_MASK	((1U << LKST_RECORD_LAP_BITS) - 1)

/**
 * struct lkst_ring - the part of a buffer that records are written through
 * @index: lap and slot of the next record, and LKST_INDEX_CLOSED. Written with local atomic
 *	operations, or while nobody else can
 * @floor: @index when the outermost writer that is under way began: no record before it is
 *	still being written
 * @records: the slots
 * @slots: how many
 * @clock: enum lkst_clock, constant while the ring is open
 * @depth: writers under way, one nested in the other
 * @lap_long: a recent lap, with the bits that @index has no room for
 * @dropped: records that found their slot in use
 * @drop_before: @dropped before those of @drop_from
 * @drop_from: position from which on records were dropped last
 * @end: of a closed ring, in normal form: what @index was
 *
 * Everything is written by the owning CPU alone. What a record needs is in the first
 * cache line.
 */
struct lkst_ring {
	unsigned long index;
	unsigned long floor;
	struct lkst_event_record *records;
	unsigned long slots;
	unsigned int clock;
	unsigned int depth;

	unsigned long lap_long ____cacheline_aligned;
	unsigned long dropped;
	unsigned long drop_before;
	u64 drop_from;
	unsigned long end;
} ____cacheline_aligned;

static inline void lkst_ring_init(struct lkst_ring *ring, struct lkst_event_record *records,
				  unsigned long slots, unsigned int clock)
{
	*ring = (struct lkst_ring) {
		.records = records,
		.slots = slots,
		.clock = clock,
	};
}

static __always_inline unsigned long lkst_index_slot(unsigned long index)
{
	return index & LKST_SLOT_MASK;
}

static __always_inline unsigned long lkst_index_lap(unsigned long index)
{
	return index >> LKST_SLOT_BITS;
}

/* The same position with the slot in range. */
static inline unsigned long lkst_index_normal(unsigned long index, unsigned long slots)
{
	while (lkst_index_slot(index) >= slots)
		index += (1UL << LKST_SLOT_BITS) - slots;
	return index;
}

/*
 * The word of the clock that commits a record: all of it or, on 32-bit, the low half, which
 * is written after the high one and, like the whole, is never 0 in a committed record.
 */
static __always_inline unsigned int lkst_commit_half(void)
{
	return BITS_PER_LONG == 32 && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static __always_inline unsigned long *lkst_commit_word(const struct lkst_event_record *rec)
{
	return (unsigned long *)&rec->clock + lkst_commit_half();
}

/* Records from @from to @to, which is not before it and is in normal form. */
static inline u64 lkst_index_distance(unsigned long to, unsigned long from, unsigned long slots)
{
	u64 laps = (lkst_index_lap(to) - lkst_index_lap(from)) & LKST_LAP_MASK;

	return laps * slots + lkst_index_slot(to) - lkst_index_slot(from);
}

/*
 * The lap of @index with all its bits: the one that differs least from lap_long. That one
 * is stored once a lap, and a nested writer's newer value may be overwritten by the
 * older one of the writer it interrupted: it is off by a few laps, never by half of
 * what the lap's bits can tell apart.
 */
static inline u64 lkst_ring_lap(const struct lkst_ring *ring, unsigned long index)
{
	unsigned long near = READ_ONCE(ring->lap_long);
	unsigned long ahead = (lkst_index_lap(index) - near) & LKST_LAP_MASK;

	if (ahead > LKST_LAP_MASK / 2)
		return (u64)near - ((~ahead & LKST_LAP_MASK) + 1);
	return (u64)near + ahead;
}

static inline u64 lkst_ring_position(const struct lkst_ring *ring, unsigned long index)
{
	return lkst_ring_lap(ring, index) * ring->slots + lkst_index_slot(index);
}

/* The next record's index, in normal form. Any context, any CPU. */
static inline unsigned long lkst_ring_next(const struct lkst_ring *ring)
{
	unsigned long index = READ_ONCE(ring->index);

	if (index & LKST_INDEX_CLOSED) {
		/* Pairs with the smp_wmb() of lkst_ring_close(). */
		smp_rmb();
		return READ_ONCE(ring->end);
	}
	return lkst_index_normal(index, ring->slots);
}

/**
 * lkst_ring_close() - no record gets into the ring from here on
 * @ring: an open ring of this CPU
 *
 * Others have been led elsewhere: a writer that begins now does not come here. So whoever
 * interrupts this does not touch the index, and those that this interrupted find the ring
 * closed when they go on. A writer that has its slot already finishes its record.
 *
 * Context: this CPU's, interrupts off; or any, if the CPU does not run.
 *
 * Return: where the ring ends, in normal form.
 */
static inline unsigned long lkst_ring_close(struct lkst_ring *ring)
{
	unsigned long index = READ_ONCE(ring->index);

	WRITE_ONCE(ring->end, lkst_index_normal(index, ring->slots));
	/* Who sees the ring closed sees where. Pairs with the smp_rmb() of lkst_ring_next(). */
	smp_wmb();
	WRITE_ONCE(ring->index, index | LKST_INDEX_CLOSED);
	return ring->end;
}

/**
 * lkst_ring_open() - let records into the ring
 * @ring: a closed ring of this CPU, or a fresh one, with no writer under way
 * @first: slot of the first record
 * @clock: enum lkst_clock
 *
 * In a new lap: positions only go up. A writer that found the ring closed, or was about to look,
 * may be among those that this interrupted; it goes on as any writer does that others
 * have interrupted. One that has noted the floor already would find it laps behind, so
 * the floor is here.
 *
 * Context: as lkst_ring_close(); nobody is led here yet.
 *
 * Return: the index of the first record.
 */
static inline unsigned long lkst_ring_open(struct lkst_ring *ring, unsigned long first,
					   unsigned int clock)
{
	unsigned long end = lkst_ring_next(ring), lap, index = first;

	if (end) {
		lap = (unsigned long)lkst_ring_lap(ring, end) + 1;
		WRITE_ONCE(ring->lap_long, lap);
		index |= lap << LKST_SLOT_BITS;
	}
	WRITE_ONCE(ring->clock, clock);
	WRITE_ONCE(ring->floor, index);
	/* Who sees it before the lap or the floor does without: lap_long need not be the newest. */
	WRITE_ONCE(ring->index, index);
	return index;
}

/*
 * A writer got a slot beyond the last: bring its own index and the ring's into normal
 * form. One try is enough: when the exchange fails, a nested writer came in between. It
 * found the slot out of range as well, so it has been here, and the innermost of them
 * cannot fail.
 */
static noinline notrace unsigned long lkst_ring_wrap(struct lkst_ring *ring, unsigned long index)
{
	unsigned long shared = READ_ONCE(ring->index);

	index = lkst_index_normal(index, ring->slots);
	if (!(shared & LKST_INDEX_CLOSED))
		lkst_local_cmpxchg(&ring->index, shared, lkst_index_normal(shared, ring->slots));
	WRITE_ONCE(ring->lap_long, (unsigned long)lkst_ring_lap(ring, index));
	return index;
}

/*
 * Others have written between an outermost writer's look at the index and its note of it, which
 * may have replaced a later floor of theirs: note the index again. Each floor is later
 * than all before it, so if the exchange fails, yet others have been here, and theirs is the
 * floor now. It may well be: none of those that wrote since is still under way.
 */
static noinline notrace void lkst_ring_floor(struct lkst_ring *ring)
{
	unsigned long floor = READ_ONCE(ring->floor);

	lkst_local_cmpxchg(&ring->floor, floor, READ_ONCE(ring->index));
}

/*
 * Count a record that could not be stored. As long as the floor is the same, the
 * records dropped are those from floor + slots on, without a gap; drop_from and
 * drop_before keep where they lie for lkst_ring_dropped_since(), as a position: an index of long
 * ago says nothing about the lap. dropped is read first: a nested writer that drops too
 * then leaves both as this one would.
 */
static noinline notrace void lkst_ring_drop(struct lkst_ring *ring)
{
	unsigned long dropped = READ_ONCE(ring->dropped);
	u64 from = lkst_ring_position(ring, READ_ONCE(ring->floor)) + ring->slots;

	barrier();
	if (READ_ONCE(ring->drop_from) != from) {
		WRITE_ONCE(ring->drop_before, dropped);
		WRITE_ONCE(ring->drop_from, from);
	}
	barrier();
	lkst_local_fetch_inc(&ring->dropped);
}

enum lkst_ring_write {
	LKST_RING_WRITTEN,	/* or dropped and counted */
	LKST_RING_LAP,		/* written, as the first of a lap */
	LKST_RING_CLOSED,	/* not written: the ring takes no more */
};

/**
 * lkst_ring_write() - record an event
 * @ring: a ring of this CPU
 * @etype: event type, 0 to 0xfff
 * @context: flags of the context, LKST_RECORD_*
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Context: any, NMI included, with preemption off. Takes a bounded number of steps
 * whatever interrupts it.
 *
 * Return: what became of it.
 */
static __always_inline enum lkst_ring_write lkst_ring_write(struct lkst_ring *ring, u16 etype,
							    u16 context, u64 a1, u64 a2,
							    u64 a3, u64 a4)
{
	struct lkst_event_record *rec;
	unsigned int depth = READ_ONCE(ring->depth);
	unsigned long floor = READ_ONCE(ring->index);
	unsigned long index, slot;
	u64 clock;

	/*
	 * First the floor, then the depth: a writer that nests between the two is an
	 * outermost one itself and gone again before this one goes on; it leaves a floor
	 * that is not after any record yet to come. The other way round it would be
	 * judged by a floor long past.
	 */
	if (!depth) {
		WRITE_ONCE(ring->floor, floor);
		if (unlikely(READ_ONCE(ring->index) != floor))
			lkst_ring_floor(ring);
	}
	barrier();
	WRITE_ONCE(ring->depth, depth + 1);
	/* Who sees the record begun sees its writer. Pairs with lkst_ring_idle(). */
	smp_wmb();

	index = lkst_local_fetch_inc(&ring->index);
	if (unlikely(lkst_index_slot(index) >= ring->slots)) {
		if (index & LKST_INDEX_CLOSED) {
			WRITE_ONCE(ring->depth, depth);
			return LKST_RING_CLOSED;
		}
		index = lkst_ring_wrap(ring, index);
	}
	slot = lkst_index_slot(index);

	/*
	 * A nested writer that has come round to a record at or after the floor would write
	 * into a slot that an interrupted writer is going to commit. An outermost writer
	 * has interrupted nobody, but others may have interrupted it since it noted the
	 * floor and have come round, so that some were dropped: then it is the next of these,
	 * which leave no gap.
	 */
	if (unlikely(depth || index != floor) &&
	    lkst_index_distance(index, READ_ONCE(ring->floor), ring->slots) >= ring->slots) {
		lkst_ring_drop(ring);
		/* Who sees no writer sees it counted. Pairs with lkst_ring_idle(). */
		smp_store_release(&ring->depth, depth);
		return LKST_RING_WRITTEN;
	}

	rec = &ring->records[slot];

	/*
	 * Readers must see the index move before the slot changes (they look at the index
	 * last), and clock 0 before anything else of the slot changes. Pair with the
	 * barriers in lkst_ring_read().
	 */
	smp_wmb();
	WRITE_ONCE(*lkst_commit_word(rec), 0);
	/* as said above */
	smp_wmb();

	clock = lkst_clock_read(ring->clock);
	rec->event_type = etype;
	rec->flags = context | (u16)(lkst_index_lap(index) << LKST_RECORD_LAP_SHIFT);
	LKST_RECORD_CONTEXT(rec);
	rec->arg[0] = a1;
	rec->arg[1] = a2;
	rec->arg[2] = a3;
	rec->arg[3] = a4;

	if (BITS_PER_LONG == 32)
		((u32 *)&rec->clock)[!lkst_commit_half()] = clock >> 32;

	/* The commit: what was filled in is seen by whoever sees the clock. */
	smp_store_release(lkst_commit_word(rec), (unsigned long)clock ?: 1);

	/*
	 * Not before the commit: the next outermost writer moves the floor past it. Nor for those
	 * elsewhere; pairs with lkst_ring_idle().
	 */
	smp_store_release(&ring->depth, depth);
	return unlikely(!slot) ? LKST_RING_LAP : LKST_RING_WRITTEN;
}

/**
 * lkst_ring_idle() - whether records are done with
 * @ring: any ring
 *
 * Context: any, any CPU.
 *
 * Return: whether the writers have finished of all records that the caller knows to have been
 * begun: they are before a lkst_ring_next() of its, or in a buffer that it has found queued. What
 * is in their slots, or counted as dropped, stays as it is until the ring has come round.
 */
static inline bool lkst_ring_idle(const struct lkst_ring *ring)
{
	/* Pairs with the smp_wmb() that follows a writer's depth. */
	smp_rmb();
	/* Pairs with the release of depth. */
	return !smp_load_acquire(&ring->depth);
}

enum lkst_ring_read {
	LKST_RING_READ,		/* here it is */
	LKST_RING_PENDING,	/* reserved and not committed: being written, or dropped */
	LKST_RING_LAPPED,	/* overwritten */
};

/**
 * lkst_ring_read() - copy one record out
 * @ring: any ring
 * @index: of the record, in normal form, before lkst_ring_next()
 * @out: gets the record
 *
 * Context: any. Never waits.
 *
 * Return: whether @out holds the record, whole and the one that was asked for.
 */
static inline enum lkst_ring_read lkst_ring_read(const struct lkst_ring *ring, unsigned long index,
						 struct lkst_event_record *out)
{
	const struct lkst_event_record *rec = &ring->records[lkst_index_slot(index)];
	enum lkst_ring_read result = LKST_RING_READ;
	unsigned long commit;
	unsigned int i, lap;

	/*
	 * The lap before the clock, so that the clock is not that of an older record: with this
	 * record's lap comes its clock 0. To look at the clock twice is not enough, as it can
	 * stand still for a lap.
	 */
	lap = READ_ONCE(rec->flags) >> LKST_RECORD_LAP_SHIFT;
	/* Pairs with the second smp_wmb() of lkst_ring_write(). */
	smp_rmb();

	/* Pairs with the commit: a clock that is not 0 brings the rest of its record. */
	commit = smp_load_acquire(lkst_commit_word(rec));
	for (i = 0; i < sizeof(*rec) / sizeof(long); i++)
		((unsigned long *)out)[i] = READ_ONCE(((const unsigned long *)rec)[i]);

	/*
	 * Copy first, then look again. If any of the copy came from a later writer, that
	 * writer's add to the index is visible too (the first smp_wmb() of
	 * lkst_ring_write()), and usually its clock 0.
	 */
	smp_rmb();
	if (!commit || READ_ONCE(*lkst_commit_word(rec)) != commit ||
	    (lap ^ lkst_index_lap(index)) & LKST_RECORD_LAP_MASK)
		result = LKST_RING_PENDING;

	/* If that was a later writer's clock 0: as said above. */
	smp_rmb();
	/*
	 * The slot has come up for writing again. In normal form: an index that a writer has not
	 * brought there yet is, by its lap, before records that it is after.
	 */
	if (lkst_index_distance(lkst_ring_next(ring), index, ring->slots) > ring->slots)
		result = LKST_RING_LAPPED;

	out->flags &= LKST_RECORD_FLAGS;
	return result;
}

/* The records that were dropped last: [from, to). Exact while nobody writes. */
static inline void lkst_ring_drops(const struct lkst_ring *ring, u64 *from, u64 *to)
{
	*from = READ_ONCE(ring->drop_from);
	*to = *from + (READ_ONCE(ring->dropped) - READ_ONCE(ring->drop_before));
}

/*
 * Of a closed ring, on its own CPU: also those whose writers were interrupted before they
 * counted them. While a writer is under way, everybody who is a lap or more after the floor drops.
 */
static inline void lkst_ring_closed_drops(const struct lkst_ring *ring, u64 *from, u64 *to)
{
	u64 end = lkst_ring_position(ring, READ_ONCE(ring->end));
	u64 first = lkst_ring_position(ring, READ_ONCE(ring->floor)) + ring->slots;

	lkst_ring_drops(ring, from, to);
	if (READ_ONCE(ring->depth) && end > first) {
		*from = first;
		*to = end;
	}
}

/* Whether a record within a lap of the next one was dropped, rather than being written. */
static inline bool lkst_ring_was_dropped(const struct lkst_ring *ring, u64 position)
{
	u64 from, to;

	lkst_ring_drops(ring, &from, &to);
	return position >= from && position < to;
}

/**
 * lkst_ring_dropped_since() - of the records that were dropped, those from a place on
 * @ring: any ring
 * @start: position, not more than a lap before the next one
 *
 * A lap holds dropped records of one floor only: from the next floor on, a whole lap
 * is written before a record is dropped again.
 *
 * Return: number of dropped records at @start or after it. Exact while
 * nobody writes.
 */
static inline u64 lkst_ring_dropped_since(const struct lkst_ring *ring, u64 start)
{
	u64 from, to;

	lkst_ring_drops(ring, &from, &to);
	if (from < start)
		from = start;
	return to > from ? to - from : 0;
}

#endif
