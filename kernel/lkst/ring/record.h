/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST's record path. A writer reserves a slot, fills it and commits it. A
 * reader on any CPU copies records out.
 *
 * A ring belongs to one CPU. Only code that runs on that CPU writes to it, with
 * preemption off. (While that CPU is offline or not recording yet, another CPU
 * may write to the ring.) Interrupts may be on, so the writers of a ring nest
 * (task, softirq, hardirq, NMI), but they never run concurrently. Readers run
 * on any CPU and never write to the ring.
 *
 * A CPU has several rings, one in each of its buffers. lkst_ring_current is the
 * ring to which the CPU is recording. A shift (buffer/shift.c) closes that ring
 * and opens another one.
 *
 * Documentation/lkst/record-path.rst explains in full why this is correct, with
 * diagrams. For each step, it names the mutants that break that step: copies of
 * this file with one deliberate fault, which the tests must detect. This file
 * also builds in user space, where tests/unit/record/test_record.c
 * single-steps it. Therefore it uses nothing from the kernel except the names
 * below and the context that LKST_RECORD_CONTEXT() fills in.
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
 * The index of a ring packs the number of the lap, two flags and the next slot
 * into one word, so that one instruction reserves a slot and returns a
 * consistent view of all of them. A new lap begins each time the ring wraps or
 * is opened again.
 *
 *	     lap      | CLOSED | BUSY |    slot
 *	--------------+--------+------+------------
 *	the high bits |       LKST_SLOT_BITS
 *
 * Each record of a ring has a position: lap * slots + slot. The buffer turns
 * the position into a recid, the number by which programs know the record.
 *
 * Incrementing an index does not wrap its slot, so the slot can be equal to or
 * greater than the number of slots: (lap, slots + n) is the same position as
 * (lap + 1, n). An index whose slot is less than the number of slots is in
 * normal form. If ring->index is not in normal form, the next writer converts
 * it.
 *
 * LKST_SLOTS_MAX is at most half of what the slot bits can hold. That leaves
 * room for the increments of all writers that can be nested before one of them
 * wraps the slot, so no increment ever carries into the flags.
 */
#define LKST_SLOT_BITS		(BITS_PER_LONG == 64 ? 32 : 21)
#define LKST_INDEX_CLOSED	(1UL << (LKST_SLOT_BITS - 1))
#define LKST_INDEX_BUSY		(1UL << (LKST_SLOT_BITS - 2))
#define LKST_SLOT_MASK		(LKST_INDEX_BUSY - 1)
#define LKST_SLOTS_MAX		(1UL << (BITS_PER_LONG == 64 ? 26 : 18))
#define LKST_LAP_MASK		(~0UL >> LKST_SLOT_BITS)

#define LKST_RECORD_LAP_MASK	((1U << LKST_RECORD_LAP_BITS) - 1)

/**
 * struct lkst_ring - the part of a buffer that records are written through
 * @index: lap and slot of the next record, with two flags. LKST_INDEX_BUSY: a
 *	writer is active. LKST_INDEX_CLOSED: the ring accepts no records.
 *	Changed with CPU-local atomic operations, or while no other context can
 *	change it
 * @floor: while LKST_INDEX_BUSY is set, the index of the outermost active
 *	writer's record, in normal form. No record before it is still being
 *	written. Meaningless while LKST_INDEX_BUSY is clear
 * @records: the slots
 * @slots: number of slots
 * @fast_slots: lkst_ring_write_fast() writes only slots below this one. It is
 *	the end of the half of the ring that is being written, so the first
 *	record of each half takes the slow path. 0 if @clock is not
 *	LKST_ARCH_CLOCK, the only clock that the fast path reads. While the ring
 *	is open, only writers change it
 * @clock: enum lkst_clock. Constant while the ring is open
 * @lap_long: a recent lap, including the high bits that @index has no room for
 * @dropped: number of records that were dropped because an interrupted writer
 *	still owned their slot
 * @drop_before: value of @dropped before the latest run of dropped records
 * @drop_from: position of the first record of that run
 * @end: where a closed ring ends: @index at the time of closing, in normal form
 *
 * Only the owning CPU writes to these members, or another CPU while the owner
 * is offline or not recording yet. The first cache line contains everything
 * that the fast path needs.
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

/*
 * Return the slot of an index together with the flags above it. If a flag is
 * set, the result exceeds any slot number.
 */
static __always_inline unsigned int lkst_index_flags_slot(unsigned long index)
{
	return index & ((LKST_INDEX_CLOSED << 1) - 1);
}

/*
 * Return the lap as a record stores it: its low LKST_RECORD_LAP_BITS bits,
 * shifted to their place in the record's flags. @index must be in normal form,
 * with LKST_INDEX_BUSY and LKST_INDEX_CLOSED clear.
 */
static __always_inline u16 lkst_index_lap_flags(unsigned long index)
{
	/*
	 * If the right shift discards every bit that a slot number may have
	 * set, one shift is enough. The return type cuts off the high bits of
	 * the lap.
	 */
	if (LKST_SLOTS_MAX <= 1UL << (LKST_SLOT_BITS - LKST_RECORD_LAP_SHIFT))
		return index >> (LKST_SLOT_BITS - LKST_RECORD_LAP_SHIFT);
	return lkst_index_lap(index) << LKST_RECORD_LAP_SHIFT;
}

/*
 * Convert an index to normal form: the same position with a slot below @slots.
 */
static inline unsigned long lkst_index_normal(unsigned long index, unsigned long slots)
{
	while (lkst_index_slot(index) >= slots)
		index += (1UL << LKST_SLOT_BITS) - slots;
	return index;
}

/*
 * Return the index @num records before @index, where @num is at most @slots.
 * @index and the result are in normal form.
 */
static inline unsigned long lkst_index_back(unsigned long index, unsigned long num,
					    unsigned long slots)
{
	if (lkst_index_slot(index) < num)
		index -= (1UL << LKST_SLOT_BITS) - slots;
	return index - num;
}

/*
 * Convert an index to the form that ring->index has while no writer is active.
 * That is the normal form, except that (lap, 0) is stored as (lap - 1, slots):
 * the writer that takes this slot must wrap, and so notices that its record is
 * the first of a lap.
 */
static inline unsigned long lkst_index_next(unsigned long index, unsigned long slots)
{
	index = lkst_index_normal(index, slots);
	return lkst_index_slot(index) ? index : index - (1UL << LKST_SLOT_BITS) + slots;
}

/*
 * Return which long of rec->clock commits the record: 0 or 1. On 64-bit,
 * rec->clock is a single long. On 32-bit, the long with the low half commits
 * the record. It is written after the high half, and it is never 0 in a
 * committed record, just as the whole clock is never 0.
 */
static __always_inline unsigned int lkst_commit_half(void)
{
	return BITS_PER_LONG == 32 && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static __always_inline unsigned long *lkst_commit_word(const struct lkst_event_record *rec)
{
	return (unsigned long *)&rec->clock + lkst_commit_half();
}

/*
 * Return the first slot of the second half of the ring. In a ring of one slot,
 * the second half is empty, and this returns 1.
 */
static __always_inline unsigned long lkst_ring_half(const struct lkst_ring *ring)
{
	return ring->slots - ring->slots / 2;
}

/*
 * Limit the fast path to the first half of the ring, unless the fast path is
 * off. Called at the start of a lap, and when a lap may have started.
 */
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

/*
 * Return the number of records from @from (inclusive) to @to (exclusive). @to
 * is in normal form and not before @from.
 */
static inline u64 lkst_index_distance(unsigned long to, unsigned long from, unsigned long slots)
{
	u64 laps = (lkst_index_lap(to) - lkst_index_lap(from)) & LKST_LAP_MASK;

	return laps * slots + lkst_index_slot(to) - lkst_index_slot(from);
}

/*
 * Extend the lap of @index to 64 bits: of all laps with the same low bits,
 * return the one nearest to lap_long.
 *
 * lap_long is stored once per lap, and an interrupted writer may overwrite a
 * nested writer's newer value with its own older one. So lap_long can be a few
 * laps old, but always fewer than half of the laps that @index can distinguish.
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

/*
 * Return the index of the next record, in normal form. Context: any, any CPU.
 */
static inline unsigned long lkst_ring_next(const struct lkst_ring *ring)
{
	unsigned long index = READ_ONCE(ring->index);

	if (index & LKST_INDEX_CLOSED) {
		/* Pairs with the smp_wmb() in lkst_ring_close(). */
		smp_rmb();
		return READ_ONCE(ring->end);
	}
	return lkst_index_normal(index & ~LKST_INDEX_BUSY, ring->slots);
}

/**
 * lkst_ring_close() - stop accepting records
 * @ring: an open ring of this CPU
 *
 * lkst_ring_current must already point to another ring. So no context that
 * interrupts this function changes ->index, and a plain store is safe. The
 * writers that the caller has interrupted find the ring closed when they
 * resume, unless they have reserved a slot already: then they finish their
 * record.
 *
 * Context: on the ring's CPU with interrupts off, or on any CPU while the
 * ring's CPU is offline or not recording yet.
 *
 * Return: the index at which the ring ends, in normal form.
 */
static inline unsigned long lkst_ring_close(struct lkst_ring *ring)
{
	unsigned long index = READ_ONCE(ring->index);

	WRITE_ONCE(ring->end, lkst_ring_next(ring));
	/*
	 * A CPU that observes CLOSED must also observe ->end. Pairs with the
	 * smp_rmb() in lkst_ring_next().
	 */
	smp_wmb();
	WRITE_ONCE(ring->index, index | LKST_INDEX_CLOSED);
	return ring->end;
}

/**
 * lkst_ring_open() - accept records
 * @ring: a closed or new ring of this CPU. No writer is active in it
 * @first: slot of the first record
 * @clock: enum lkst_clock
 *
 * The new session starts in a new lap, so positions never repeat.
 *
 * The caller may have interrupted a writer that found the ring closed, or that
 * was about to check whether it is closed. When this writer resumes, it finds
 * the index changed, and reacts as after any other interrupt that recorded
 * events.
 *
 * Context: as for lkst_ring_close(). lkst_ring_current does not point to @ring
 * yet.
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
	/*
	 * Needs no barrier: a CPU that observes the new index before the new
	 * lap_long still computes the right lap, see lkst_ring_lap().
	 */
	first |= lap << LKST_SLOT_BITS;
	WRITE_ONCE(ring->index, lkst_index_next(first, ring->slots));
	return first;
}

/*
 * Return @index in normal form, and wrap the slot of ring->index as well.
 * Called by a nested writer that got a slot beyond the last one. The flags in
 * ring->index do not change.
 *
 * One attempt is enough. If the exchange fails, another nested writer or a
 * shift has interrupted this function. Another writer also found its slot out
 * of range and has called this function, and the innermost writer's exchange
 * cannot fail. A shift has closed the ring, and the slot in ring->index no
 * longer matters.
 */
static __always_inline unsigned long lkst_ring_wrap(struct lkst_ring *ring, unsigned long index)
{
	unsigned long shared = READ_ONCE(ring->index);

	index = lkst_index_normal(index, ring->slots);
	lkst_local_try_cmpxchg(&ring->index, &shared, lkst_index_next(shared, ring->slots));
	WRITE_ONCE(ring->lap_long, (unsigned long)lkst_ring_lap(ring, index));
	/*
	 * lkst_ring_written() does this as well, but is not called if the first
	 * record of the lap is dropped.
	 */
	lkst_ring_first_half(ring);
	return index;
}

/*
 * Count a record that could not be stored. All records that are dropped under
 * the same floor form one run, which begins at floor + slots and has no gap.
 * drop_from and drop_before describe this run for lkst_ring_dropped_since().
 * drop_from is a position and not an index, because an old index does not
 * identify its lap.
 *
 * dropped is loaded first. If a nested writer then drops a record as well, it
 * stores the same drop_from and drop_before as this writer would.
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
	LKST_RING_WRITTEN,	/* written, or dropped and counted */
	LKST_RING_LAP,		/* written, as the first of a lap */
	LKST_RING_HALF,		/* written, as the first of the second half */
	LKST_RING_CLOSED,	/* not written: closed, or too many retries */
};

/*
 * Fill and commit the record in the slot that the caller has reserved. @index
 * is in normal form.
 *
 * A commit word of 0 means that the record is not committed. The clock is never
 * 0. But on 32-bit, the commit word is only the low half of the clock, which
 * can be 0. Then 1 is stored instead.
 *
 * Returns the clock of the record.
 */
static __always_inline u64 lkst_ring_fill(struct lkst_ring *ring, unsigned long index,
					  unsigned int clock_used, unsigned long etype,
					  unsigned int depth, u64 a1, u64 a2, u64 a3, u64 a4)
{
	struct lkst_event_record *rec = &ring->records[lkst_index_flags_slot(index)];
	unsigned long commit;
	u64 clock;

	/*
	 * Readers, which load the index last, need two orderings. They must
	 * observe the new index before any change to the slot. And they must
	 * observe the 0 in the commit word before any other change to the slot.
	 * Both barriers pair with those in lkst_ring_read().
	 */
	smp_wmb();
	WRITE_ONCE(*lkst_commit_word(rec), 0);
	/* The second ordering, see above. */
	smp_wmb();

	/*
	 * If etype is constant, this function is inlined into a probe, where
	 * the arguments are not in the registers of a function call. Otherwise,
	 * keep them in these registers.
	 */
	if (!__builtin_constant_p(etype))
		lkst_arch_arguments(etype, a1, a2, a3);
	rec->arg[0] = a1;
	rec->arg[1] = a2;
	rec->arg[2] = a3;
	rec->arg[3] = a4;
	rec->event_type = etype;
	rec->flags = lkst_index_lap_flags(index);
	LKST_RECORD_CONTEXT(rec, depth);

	clock = lkst_clock_read(clock_used);
	commit = (unsigned long)clock;
	if (BITS_PER_LONG == 32) {
		((u32 *)&rec->clock)[!lkst_commit_half()] = clock >> 32;
		commit = commit ?: 1;
	}
	/*
	 * Commit: a CPU that observes the commit word must also observe the
	 * rest of the record.
	 */
	smp_store_release(lkst_commit_word(rec), commit);
	return clock;
}

/*
 * Reserve a slot for an outermost writer and set BUSY, in one cmpxchg that
 * fails if ring->index has changed since the caller loaded @index. Returns
 * whether the cmpxchg succeeded. @normal is @index in normal form.
 *
 * floor is stored first, so on success it is exactly the reserved slot's index
 * and no nested writer has ever seen BUSY with another floor. A stale floor
 * left by a failed attempt is harmless: floor has a meaning only while BUSY is
 * set.
 */
static __always_inline bool lkst_ring_take(struct lkst_ring *ring, unsigned long *index,
					   unsigned long normal)
{
	WRITE_ONCE(ring->floor, normal);
	return lkst_local_try_cmpxchg(&ring->index, index, normal + LKST_INDEX_BUSY + 1);
}

/*
 * Clear BUSY, and nothing else: nested writers may have advanced the index, and
 * a shift may have closed the ring.
 *
 * Must come after the commit: once BUSY is clear, the next outermost writer may
 * move floor past this record. The release makes this hold for other CPUs as
 * well. Pairs with the acquire in lkst_ring_idle().
 */
static __always_inline void lkst_ring_leave(struct lkst_ring *ring)
{
	lkst_local_clear_release(&ring->index, LKST_INDEX_BUSY);
}

/*
 * Allow the fast path to write up to the end of the half of the ring that
 * @index is in. Called after the slow path has written the record at @index. A
 * fast-path writer that has loaded the old fast_slots fails to reserve its
 * slot.
 *
 * Must come before lkst_ring_leave(). While BUSY is set, no shift can open the
 * ring with another clock, for which the fast path must stay off.
 *
 * If anything has been recorded since @index was reserved, a nested writer may
 * have started the next lap. Then the second half must not be open to the fast
 * path. Limiting the fast path to the first half is always safe: the slow path
 * writes the rest.
 *
 * Returns LKST_RING_LAP or LKST_RING_HALF if the record is the first of a lap
 * or of the second half, and otherwise LKST_RING_WRITTEN.
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
 * lkst_ring_write_timed() - record an event in the common case
 * @ring: a ring of this CPU
 * @etype: event type, 0 to 0xfff
 * @depth: how many times LKST itself has disabled preemption
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 * @clock: receives the clock of the record, a value of LKST_ARCH_CLOCK
 *
 * One comparison excludes all other cases: a closed ring, a nested writer, the
 * first record of a half of the ring, and a clock other than LKST_ARCH_CLOCK.
 * This function also fails if an interrupt records an event or closes the ring
 * before the slot is reserved.
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: true if the record was written. If false, the call had no visible
 * effect, and the caller must call lkst_ring_write_slow().
 */
static __always_inline bool lkst_ring_write_timed(struct lkst_ring *ring, unsigned long etype,
						  unsigned int depth, u64 a1, u64 a2, u64 a3,
						  u64 a4, u64 *clock)
{
	unsigned long index = READ_ONCE(ring->index);

	/*
	 * Load fast_slots after index. If the clock of the ring changes after
	 * index was loaded, so does ring->index, and lkst_ring_take() fails. So
	 * an old fast_slots is harmless.
	 */
	barrier();
	/* The race is harmless, see above. */
	if (unlikely(lkst_index_flags_slot(index) >= data_race(ring->fast_slots)))
		return false;
	if (unlikely(!lkst_ring_take(ring, &index, index)))
		return false;
	*clock = lkst_ring_fill(ring, index, LKST_ARCH_CLOCK, etype, depth, a1, a2, a3, a4);
	lkst_ring_leave(ring);
	return true;
}

/* Like lkst_ring_write_timed(), for callers that do not need the clock. */
static __always_inline bool lkst_ring_write_fast(struct lkst_ring *ring, unsigned long etype,
						 unsigned int depth, u64 a1, u64 a2, u64 a3,
						 u64 a4)
{
	u64 clock;

	return lkst_ring_write_timed(ring, etype, depth, a1, a2, a3, a4, &clock);
}

/*
 * Record an event while BUSY is set, that is, in a context that has interrupted
 * an outermost writer. That writer stays active, and floor stays the same,
 * until this function returns.
 */
static __always_inline enum lkst_ring_write
lkst_ring_write_nested(struct lkst_ring *ring, unsigned long etype, unsigned int depth, u64 a1,
		       u64 a2, u64 a3, u64 a4)
{
	unsigned long index = lkst_local_fetch_inc(&ring->index);

	if (index & LKST_INDEX_CLOSED)
		return LKST_RING_CLOSED;
	index &= ~LKST_INDEX_BUSY;
	if (lkst_index_slot(index) >= ring->slots)
		index = lkst_ring_wrap(ring, index);
	/*
	 * If the record is a lap or more after the floor, the ring has wrapped
	 * onto a slot that an interrupted writer may still own and will commit
	 * when it resumes.
	 */
	if (lkst_index_distance(index, READ_ONCE(ring->floor), ring->slots) >= ring->slots) {
		lkst_ring_drop(ring);
		return LKST_RING_WRITTEN;
	}
	lkst_ring_fill(ring, index, READ_ONCE(ring->clock), etype, depth, a1, a2, a3, a4);
	return lkst_ring_written(ring, index);
}

/*
 * Maximum number of attempts to reserve a slot. An attempt fails only if an
 * interrupt changes ring->index during the attempt, by recording an event or by
 * a shift.
 */
#define LKST_RING_TRIES		8

/**
 * lkst_ring_write_slow() - record an event if the fast path cannot
 * @ring: a ring of this CPU
 * @etype: event type, 0 to 0xfff
 * @depth: how many times LKST itself has disabled preemption
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * The number of steps is bounded, whatever interrupts this function.
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: enum lkst_ring_write.
 */
static noinline notrace __maybe_unused enum lkst_ring_write
lkst_ring_write_slow(struct lkst_ring *ring, unsigned long etype, unsigned int depth, u64 a1,
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
			return lkst_ring_write_nested(ring, etype, depth, a1, a2, a3, a4);
		normal = lkst_index_normal(index, ring->slots);
		if (!lkst_ring_take(ring, &index, normal))
			continue;
		if (normal != index)
			WRITE_ONCE(ring->lap_long, (unsigned long)lkst_ring_lap(ring, normal));
		lkst_ring_fill(ring, normal, READ_ONCE(ring->clock), etype, depth, a1, a2, a3, a4);
		result = lkst_ring_written(ring, normal);
		lkst_ring_leave(ring);
		return result;
	}
	return LKST_RING_CLOSED;
}

/**
 * lkst_ring_write() - record an event: try the fast path, then the slow path
 * @ring: a ring of this CPU
 * @etype: event type, 0 to 0xfff
 * @depth: how many times LKST itself has disabled preemption
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Context: as for lkst_ring_write_slow().
 *
 * Return: enum lkst_ring_write.
 */
static __always_inline enum lkst_ring_write
lkst_ring_write(struct lkst_ring *ring, unsigned long etype, unsigned int depth, u64 a1, u64 a2,
		u64 a3, u64 a4)
{
	if (likely(lkst_ring_write_fast(ring, etype, depth, a1, a2, a3, a4)))
		return LKST_RING_WRITTEN;
	return lkst_ring_write_slow(ring, etype, depth, a1, a2, a3, a4);
}

/**
 * lkst_ring_idle() - check whether all writers have finished
 * @ring: any ring
 *
 * The result covers each record that the caller knows to have been reserved:
 * any record before an index that lkst_ring_next() returned, and any record in
 * a buffer that the caller found queued. If this returns true, each of these
 * records is committed, or counted as dropped, and stays so until the ring
 * wraps.
 *
 * Context: any, any CPU.
 *
 * Return: true if no writer is active.
 */
static inline bool lkst_ring_idle(const struct lkst_ring *ring)
{
	/*
	 * The caller learned of a record either from ->index, in which BUSY was
	 * set if its writer was active, or from ->end of a closed ring. The
	 * load below must not return an older value of ->index than the caller
	 * has seen. Pairs with the first smp_wmb() in lkst_ring_fill().
	 */
	smp_rmb();
	/* Pairs with the release in lkst_ring_leave(). */
	return !(smp_load_acquire(&ring->index) & LKST_INDEX_BUSY);
}

enum lkst_ring_read {
	LKST_RING_READ,		/* the copy is good */
	LKST_RING_PENDING,	/* not committed: being written, or dropped */
	LKST_RING_LAPPED,	/* overwritten */
};

/**
 * lkst_ring_read() - copy one record out
 * @ring: any ring
 * @index: index of the record, in normal form. Must precede lkst_ring_next()
 * @out: receives the copy. Valid only if this returns LKST_RING_READ
 *
 * Context: any, any CPU. Never waits.
 *
 * Return: LKST_RING_READ if the copy is complete and belongs to @index;
 * LKST_RING_LAPPED if the record has been overwritten; else LKST_RING_PENDING.
 */
static inline enum lkst_ring_read lkst_ring_read(const struct lkst_ring *ring, unsigned long index,
						 struct lkst_event_record *out)
{
	const struct lkst_event_record *rec = &ring->records[lkst_index_slot(index)];
	enum lkst_ring_read result = LKST_RING_READ;
	unsigned long commit;
	unsigned int i, lap;

	/*
	 * Load the lap before the commit word, so that the commit word cannot
	 * be from an older record: this record's writer stored 0 in the
	 * commit word before it stored its lap. Loading the commit word twice
	 * and comparing would not be enough, because the clock can stand still
	 * for a whole lap.
	 */
	lap = READ_ONCE(rec->flags) >> LKST_RECORD_LAP_SHIFT;
	/* Pairs with the second smp_wmb() in lkst_ring_fill(). */
	smp_rmb();

	/*
	 * Pairs with the release that commits a record: if the commit word is
	 * not 0, the copy contains all of the record that was committed.
	 */
	commit = smp_load_acquire(lkst_commit_word(rec));
	for (i = 0; i < sizeof(*rec) / sizeof(long); i++)
		((unsigned long *)out)[i] = READ_ONCE(((const unsigned long *)rec)[i]);

	/*
	 * Copy first, then check again. If any part of the copy came from a
	 * later writer, then the loads below also observe that writer's index
	 * and, until it commits, the 0 that it stored in the commit word. Pairs
	 * with the first smp_wmb() in lkst_ring_fill().
	 */
	smp_rmb();
	if (!commit || READ_ONCE(*lkst_commit_word(rec)) != commit ||
	    (lap ^ lkst_index_lap(index)) & LKST_RECORD_LAP_MASK)
		result = LKST_RING_PENDING;

	/*
	 * If the commit word above was the 0 that a later writer stored, the
	 * load below observes that writer's index, and the result is LAPPED
	 * rather than PENDING. Pairs with the same smp_wmb().
	 */
	smp_rmb();
	/*
	 * If the record is more than a lap behind the next one, its slot has
	 * been reserved again. The distance is right only for indexes in normal
	 * form: between a nested writer's increment and its wrap, the raw index
	 * contains the previous lap, so it looks older than the indexes of some
	 * records that come before it.
	 */
	if (lkst_index_distance(lkst_ring_next(ring), index, ring->slots) > ring->slots)
		result = LKST_RING_LAPPED;

	out->flags &= LKST_RECORD_FLAGS;
	return result;
}

/*
 * Get the latest run of dropped records: positions [*from, *to). Exact while no
 * writer is active.
 */
static inline void lkst_ring_drops(const struct lkst_ring *ring, u64 *from, u64 *to)
{
	*from = READ_ONCE(ring->drop_from);
	*to = *from + (READ_ONCE(ring->dropped) - READ_ONCE(ring->drop_before));
}

/*
 * Get the latest run of dropped records of a closed ring. Must run on the
 * ring's CPU. The run includes records whose writers were interrupted before
 * they could count them as dropped: while a writer is active, all records a lap
 * or more after the floor are dropped.
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
 * lkst_ring_quiescent() - find the end of the records if no writer is active
 * @ring: any ring
 * @next: receives the index after the last record, in normal form
 * @from: receives the position of the first record of the latest run of drops
 * @to: receives the position after the last record of that run
 *
 * A writer may start right after this function has loaded the index, and @from
 * and @to may then describe records that were dropped because of that writer.
 * That is harmless. Those records lie a lap or more after the new floor, and
 * the new floor is at or after @next. So a whole lap of records was stored
 * between @next and the dropped records, and a reader that checks the index
 * afterwards finds all records before @next overwritten. The smp_rmb() in
 * lkst_cursor_intact() is enough to ensure this: it comes before the reader
 * loads the index, and each writer of that lap executed an smp_wmb() after it
 * advanced the index.
 *
 * Context: any, any CPU. Never waits.
 *
 * Return: true if no writer was active. Then each record before @next that is
 * not overwritten is committed, or it was dropped and lies between @from and
 * @to. If false, the outputs are not valid.
 */
static inline bool lkst_ring_quiescent(const struct lkst_ring *ring, unsigned long *next, u64 *from,
				       u64 *to)
{
	/*
	 * Pairs with the release in lkst_ring_leave(): if BUSY is clear, every
	 * record that was reserved is committed or counted as dropped.
	 */
	unsigned long index = smp_load_acquire(&ring->index);

	if (index & LKST_INDEX_BUSY)
		return false;
	lkst_ring_drops(ring, from, to);
	*next = index & LKST_INDEX_CLOSED ? lkst_ring_next(ring) :
					    lkst_index_normal(index, ring->slots);
	return true;
}

/*
 * Whether the uncommitted record at @position was dropped. If not, it is still
 * being written. @position must be at most a lap before the next record.
 */
static inline bool lkst_ring_was_dropped(const struct lkst_ring *ring, u64 position)
{
	u64 from, to;

	lkst_ring_drops(ring, &from, &to);
	return position >= from && position < to;
}

/**
 * lkst_ring_dropped_since() - count the records dropped at or after a position
 * @ring: any ring
 * @start: position, at most a lap before the next record
 *
 * The last lap contains at most one run of dropped records. A run begins when
 * the writers reach the slot that an interrupted writer still owns, a whole lap
 * after that writer stored its index in ->floor. So before each run, a whole
 * lap of records is stored.
 *
 * Return: number of dropped records at or after @start. Exact while no writer
 * is active.
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
