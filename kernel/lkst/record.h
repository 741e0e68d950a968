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
 * step hands out both, consistently. position = lap * slots + slot, and the buffer makes a
 * recid of it. The slot may be found at or beyond the number of slots, because an add does
 * not wrap it; (lap, slots + n) and (lap + 1, n) are the same position, and the next writer
 * to see the first makes it the second. Above the slot, in the bits that are its own, are two
 * flags. A slot number is at most half of what is left for it, so the writers that are nested
 * before one of them looks do not carry into the flags.
 */
#define LKST_SLOT_BITS		(BITS_PER_LONG == 64 ? 32 : 21)
#define LKST_INDEX_CLOSED	(1UL << (LKST_SLOT_BITS - 1))
#define LKST_INDEX_BUSY		(1UL << (LKST_SLOT_BITS - 2))
#define LKST_SLOT_MASK		(LKST_INDEX_BUSY - 1)
#define LKST_SLOTS_MAX		(1UL << (BITS_PER_LONG == 64 ? 26 : 18))
#define LKST_LAP_BITS		(BITS_PER_LONG - LKST_SLOT_BITS)
#define LKST_LAP_MASK		(~0UL >> LKST_SLOT_BITS)

#define LKST_RECORD_LAP_MASK	((1U << LKST_RECORD_LAP_BITS) - 1)

/**
 * struct lkst_ring - the part of a buffer that records are written through
 * @index: lap and slot of the next record; LKST_INDEX_BUSY: a writer is under way;
 *	LKST_INDEX_CLOSED. Written with local atomic operations, or while nobody else can
 * @floor: with LKST_INDEX_BUSY: @index when the outermost writer that is under way took its
 *	slot: no record before it is still being written
 * @records: the slots
 * @slots: how many
 * @fast_slots: slots below it are lkst_ring_write_fast()'s: the end of the half of the ring that is
 *	being written, so that a record that begins a half takes the slow path; or 0 if
 *	@clock is not the one that it reads. Only a writer changes it while the ring is open
 * @clock: enum lkst_clock. Constant while the ring is open
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
	unsigned int fast_slots;
	unsigned int clock;

	unsigned long lap_long ____cacheline_aligned;
	unsigned long dropped;
	unsigned long drop_before;
	u64 drop_from;
	unsigned long end;
} ____cacheline_aligned;

static __always_inline unsigned long lkst_index_slot(unsigned long index)
{
	return index & LKST_SLOT_MASK;
}

static __always_inline unsigned long lkst_index_lap(unsigned long index)
{
	return index >> LKST_SLOT_BITS;
}

/* The slot, and the flags above it: more than there are slots, if any is set. */
static __always_inline unsigned int lkst_index_flags_slot(unsigned long index)
{
	return index & ((LKST_INDEX_CLOSED << 1) - 1);
}

/* The lap of an index in normal form, as far as there is room, where records have it. */
static __always_inline u16 lkst_index_lap_flags(unsigned long index)
{
	/* No bit of a slot gets there: one shift does. */
	if (LKST_SLOTS_MAX <= 1UL << (LKST_SLOT_BITS - LKST_RECORD_LAP_SHIFT))
		return index >> (LKST_SLOT_BITS - LKST_RECORD_LAP_SHIFT);
	return lkst_index_lap(index) << LKST_RECORD_LAP_SHIFT;
}

/* The same position with the slot in range. */
static inline unsigned long lkst_index_normal(unsigned long index, unsigned long slots)
{
	while (lkst_index_slot(index) >= slots)
		index += (1UL << LKST_SLOT_BITS) - slots;
	return index;
}

/* The index @num records before @index, at most one lap. Both are in normal form. */
static inline unsigned long lkst_index_back(unsigned long index, unsigned long num,
					    unsigned long slots)
{
	if (lkst_index_slot(index) < num)
		index -= (1UL << LKST_SLOT_BITS) - slots;
	return index - num;
}

/*
 * The same position as a ring's index: slot 0 is left as the one after the last, for a writer
 * to wrap to, who then says that it begins a lap.
 */
static inline unsigned long lkst_index_next(unsigned long index, unsigned long slots)
{
	index = lkst_index_normal(index, slots);
	return lkst_index_slot(index) ? index : index - (1UL << LKST_SLOT_BITS) + slots;
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

/* The first slot of the second half of the ring. A ring of one slot has no second half. */
static __always_inline unsigned long lkst_ring_half(const struct lkst_ring *ring)
{
	return ring->slots - ring->slots / 2;
}

/* At the start of a lap: limit the fast path to the first half of the ring. */
static __always_inline void lkst_ring_first_half(struct lkst_ring *ring)
{
	if (READ_ONCE(ring->fast_slots))
		WRITE_ONCE(ring->fast_slots, lkst_ring_half(ring));
}

static inline void lkst_ring_set_clock(struct lkst_ring *ring, unsigned int clock)
{
	WRITE_ONCE(ring->clock, clock);
	WRITE_ONCE(ring->fast_slots, clock == LKST_ARCH_CLOCK ? lkst_ring_half(ring) : 0);
}

static inline void lkst_ring_init(struct lkst_ring *ring, struct lkst_event_record *records,
				  unsigned long slots, unsigned int clock)
{
	*ring = (struct lkst_ring) {
		.index = lkst_index_next(0, slots),
		.records = records,
		.slots = slots,
	};
	lkst_ring_set_clock(ring, clock);
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
	return lkst_index_normal(index & ~LKST_INDEX_BUSY, ring->slots);
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

	WRITE_ONCE(ring->end, lkst_ring_next(ring));
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
 * have interrupted.
 *
 * Context: as lkst_ring_close(); nobody is led here yet.
 *
 * Return: the index of the first record, in normal form.
 */
static inline unsigned long lkst_ring_open(struct lkst_ring *ring, unsigned long first,
					   unsigned int clock)
{
	unsigned long end = lkst_ring_next(ring), lap = 0;

	if (end) {
		lap = (unsigned long)lkst_ring_lap(ring, end) + 1;
		WRITE_ONCE(ring->lap_long, lap);
	}
	lkst_ring_set_clock(ring, clock);
	/* Who sees it before the lap does without: lap_long need not be the newest. */
	first |= lap << LKST_SLOT_BITS;
	WRITE_ONCE(ring->index, lkst_index_next(first, ring->slots));
	return first;
}

/*
 * A nested writer got a slot beyond the last: bring its own index and the ring's back. One try
 * is enough: when the exchange fails, another nested writer came in between. It found the slot
 * out of range as well, so it has been here, and the innermost of them cannot fail. The flags stay
 * as they are.
 */
static __always_inline unsigned long lkst_ring_wrap(struct lkst_ring *ring, unsigned long index)
{
	unsigned long shared = READ_ONCE(ring->index);

	index = lkst_index_normal(index, ring->slots);
	lkst_local_try_cmpxchg(&ring->index, &shared, lkst_index_next(shared, ring->slots));
	WRITE_ONCE(ring->lap_long, (unsigned long)lkst_ring_lap(ring, index));
	/* A dropped record may be the one that begins the lap. */
	lkst_ring_first_half(ring);
	return index;
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
	LKST_RING_HALF,		/* written, as the first of the second half of a lap */
	LKST_RING_CLOSED,	/* not written: the ring takes no more, or too much came between */
};

/*
 * A slot is this writer's: write the record, and commit it. @index is in normal form. The clock is
 * never 0, but its low half may be.
 */
static __always_inline void lkst_ring_fill(struct lkst_ring *ring, unsigned long index,
					   unsigned int clock_used, unsigned long etype,
					   unsigned int outer, u64 a1, u64 a2, u64 a3, u64 a4)
{
	struct lkst_event_record *rec = &ring->records[lkst_index_flags_slot(index)];
	unsigned long commit;
	u64 clock;

	/*
	 * Readers must see the index move before the slot changes (they look at the index
	 * last), and clock 0 before anything else of the slot changes. Pair with the
	 * barriers in lkst_ring_read().
	 */
	smp_wmb();
	WRITE_ONCE(*lkst_commit_word(rec), 0);
	/* as said above */
	smp_wmb();

	/* Where this is inlined into what causes the event, they come from elsewhere. */
	if (!__builtin_constant_p(etype))
		lkst_arch_arguments(etype, a1, a2, a3);
	rec->arg[0] = a1;
	rec->arg[1] = a2;
	rec->arg[2] = a3;
	rec->arg[3] = a4;
	rec->event_type = etype;
	rec->flags = lkst_index_lap_flags(index);
	LKST_RECORD_CONTEXT(rec, outer);

	clock = lkst_clock_read(clock_used);
	commit = (unsigned long)clock;
	if (BITS_PER_LONG == 32) {
		((u32 *)&rec->clock)[!lkst_commit_half()] = clock >> 32;
		commit = commit ?: 1;
	}
	/* The commit: what was filled in is seen by whoever sees the clock. */
	smp_store_release(lkst_commit_word(rec), commit);
}

/*
 * The outermost writer takes a slot and says that it is under way, in one step that fails if
 * anything was recorded since @index was looked at. So the floor, noted before, is its slot's
 * index: nobody was judged by one that others had left behind. A writer whose step failed
 * may note a floor that is too early; nobody looks at it, as nobody is under way.
 */
static __always_inline bool lkst_ring_take(struct lkst_ring *ring, unsigned long *index,
					   unsigned long normal)
{
	WRITE_ONCE(ring->floor, normal);
	return lkst_local_try_cmpxchg(&ring->index, index, normal + LKST_INDEX_BUSY + 1);
}

/*
 * Not before the commit: the next outermost writer moves the floor past it. Nor for those
 * elsewhere; pairs with lkst_ring_idle(). Those that were nested have moved the index on, and
 * may have closed the ring.
 */
static __always_inline void lkst_ring_leave(struct lkst_ring *ring)
{
	lkst_local_clear_release(&ring->index, LKST_INDEX_BUSY);
}

/*
 * After the record at @index on the slow path: let the fast path write to the end of this half of
 * the ring. A fast writer that has read the former value finds its slot taken.
 *
 * Must come before lkst_ring_leave(): while BUSY is set, no shift opens the ring with another
 * clock. A nested writer may have begun the next lap since: then the second half must not be
 * open to the fast path. The first half is always right, as the slow path takes what is beyond.
 */
static __always_inline enum lkst_ring_write lkst_ring_written(struct lkst_ring *ring,
							      unsigned long index)
{
	unsigned long half = lkst_ring_half(ring), slot = lkst_index_slot(index);

	if (READ_ONCE(ring->fast_slots) && slot >= half)
		WRITE_ONCE(ring->fast_slots, ring->slots);
	if (slot < half ||
	    (READ_ONCE(ring->index) & ~(LKST_INDEX_BUSY | LKST_INDEX_CLOSED)) != index + 1)
		lkst_ring_first_half(ring);
	if (!slot)
		return LKST_RING_LAP;
	return slot == half ? LKST_RING_HALF : LKST_RING_WRITTEN;
}

/**
 * lkst_ring_write_fast() - record an event, unless there is anything unusual
 * @ring: a ring of this CPU
 * @etype: event type, 0 to 0xfff
 * @outer: how deep preemption is disabled on behalf of LKST
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Unusual is a closed ring, a writer that this has interrupted, the first record of a half of the
 * ring, or another clock: one comparison finds all of these. And one that interrupts this before
 * it has its slot.
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: whether it was written. If not, nothing was done that anybody looks at, and
 * lkst_ring_write_slow() does it.
 */
static __always_inline bool lkst_ring_write_fast(struct lkst_ring *ring, unsigned long etype,
						  unsigned int outer, u64 a1, u64 a2, u64 a3,
						  u64 a4)
{
	unsigned long index = READ_ONCE(ring->index);

	/* If the clock changes after this, the index does, too. */
	barrier();
	/* So an old one does no harm. */
	if (unlikely(lkst_index_flags_slot(index) >= data_race(ring->fast_slots)))
		return false;
	if (unlikely(!lkst_ring_take(ring, &index, index)))
		return false;
	lkst_ring_fill(ring, index, LKST_ARCH_CLOCK, etype, outer, a1, a2, a3, a4);
	lkst_ring_leave(ring);
	return true;
}

/* What was interrupted is an outermost writer, which stays under way until this has returned. */
static __always_inline enum lkst_ring_write
lkst_ring_write_nested(struct lkst_ring *ring, unsigned long etype, unsigned int outer, u64 a1,
		       u64 a2, u64 a3, u64 a4)
{
	unsigned long index = lkst_local_fetch_inc(&ring->index);

	if (index & LKST_INDEX_CLOSED)
		return LKST_RING_CLOSED;
	index &= ~LKST_INDEX_BUSY;
	if (lkst_index_slot(index) >= ring->slots)
		index = lkst_ring_wrap(ring, index);
	/*
	 * It has come round to a record at or after the floor: it would write into a slot that an
	 * interrupted writer is going to commit.
	 */
	if (lkst_index_distance(index, READ_ONCE(ring->floor), ring->slots) >= ring->slots) {
		lkst_ring_drop(ring);
		return LKST_RING_WRITTEN;
	}
	lkst_ring_fill(ring, index, READ_ONCE(ring->clock), etype, outer, a1, a2, a3, a4);
	return lkst_ring_written(ring, index);
}

/* Looks at the index after which something recorded before the slot was taken. */
#define LKST_RING_TRIES		8

/**
 * lkst_ring_write_slow() - record an event, whatever there is that is unusual
 * @ring: a ring of this CPU
 * @etype: event type, 0 to 0xfff
 * @outer: how deep preemption is disabled on behalf of LKST
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
static noinline notrace __maybe_unused enum lkst_ring_write
lkst_ring_write_slow(struct lkst_ring *ring, unsigned long etype, unsigned int outer, u64 a1,
		     u64 a2, u64 a3, u64 a4)
{
	enum lkst_ring_write result;
	unsigned long index, normal;
	unsigned int tries;

	for (tries = 0; tries < LKST_RING_TRIES; tries++) {
		index = READ_ONCE(ring->index);
		if (index & LKST_INDEX_CLOSED)
			return LKST_RING_CLOSED;
		if (index & LKST_INDEX_BUSY)
			return lkst_ring_write_nested(ring, etype, outer, a1, a2, a3, a4);
		normal = lkst_index_normal(index, ring->slots);
		if (!lkst_ring_take(ring, &index, normal))
			continue;
		if (normal != index)
			WRITE_ONCE(ring->lap_long, (unsigned long)lkst_ring_lap(ring, normal));
		lkst_ring_fill(ring, normal, READ_ONCE(ring->clock), etype, outer, a1, a2, a3, a4);
		result = lkst_ring_written(ring, normal);
		lkst_ring_leave(ring);
		return result;
	}
	return LKST_RING_CLOSED;
}

/**
 * lkst_ring_write() - record an event
 * @ring: a ring of this CPU
 * @etype: event type, 0 to 0xfff
 * @outer: how deep preemption is disabled on behalf of LKST
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * Context: as lkst_ring_write_slow().
 *
 * Return: what became of it.
 */
static __always_inline enum lkst_ring_write
lkst_ring_write(struct lkst_ring *ring, unsigned long etype, unsigned int outer, u64 a1, u64 a2,
		u64 a3, u64 a4)
{
	if (likely(lkst_ring_write_fast(ring, etype, outer, a1, a2, a3, a4)))
		return LKST_RING_WRITTEN;
	return lkst_ring_write_slow(ring, etype, outer, a1, a2, a3, a4);
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
	/*
	 * Who has seen a record begun has seen its writer, in the same word; or knows of it by
	 * where a closed ring ends. Pairs with the first smp_wmb() of lkst_ring_fill().
	 */
	smp_rmb();
	/* Pairs with the release in lkst_ring_leave(). */
	return !(smp_load_acquire(&ring->index) & LKST_INDEX_BUSY);
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
	/* Pairs with the second smp_wmb() of lkst_ring_fill(). */
	smp_rmb();

	/* Pairs with the commit: a clock that is not 0 brings the rest of its record. */
	commit = smp_load_acquire(lkst_commit_word(rec));
	for (i = 0; i < sizeof(*rec) / sizeof(long); i++)
		((unsigned long *)out)[i] = READ_ONCE(((const unsigned long *)rec)[i]);

	/*
	 * Copy first, then look again. If any of the copy came from a later writer, that
	 * writer's step of the index is visible too (the first smp_wmb() of
	 * lkst_ring_fill()), and usually its clock 0.
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
	if (READ_ONCE(ring->index) & LKST_INDEX_BUSY && end > first) {
		*from = first;
		*to = end;
	}
}

/**
 * lkst_ring_quiescent() - find where records end that are done with, and which were dropped
 * @ring: any ring
 * @next: gets the index after the last record, in normal form
 * @from: gets the position of the first of the records that were dropped last
 * @to: gets the position after the last of these
 *
 * @from and @to may be those of records that are dropped while this reads them. These are a lap or
 * more after the floor, which is at or after @next: by then a whole lap of records has been
 * stored since, and a reader that looks at the index afterwards finds all that is before @next
 * overwritten. Each of them was stored behind an smp_wmb() after its step of the index, so the
 * reader needs no more than the smp_rmb() before it looks at the index, lkst_cursor_intact().
 *
 * Context: any, any CPU. Never waits.
 *
 * Return: whether no writer was active. If so, each record before @next that is not overwritten
 * is whole, or lies between @from and @to and was dropped. Otherwise nothing is known.
 */
static inline bool lkst_ring_quiescent(const struct lkst_ring *ring, unsigned long *next, u64 *from,
				     u64 *to)
{
	/* Pairs with the release in lkst_ring_leave(): what was begun is committed or counted. */
	unsigned long index = smp_load_acquire(&ring->index);

	if (index & LKST_INDEX_BUSY)
		return false;
	lkst_ring_drops(ring, from, to);
	*next = index & LKST_INDEX_CLOSED ? lkst_ring_next(ring) :
					    lkst_index_normal(index, ring->slots);
	return true;
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
