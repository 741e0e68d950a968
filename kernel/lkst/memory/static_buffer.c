// SPDX-License-Identifier: GPL-2.0
/*
 * The static buffer (specification 4.2.2), which exists from the very start of
 * the kernel and is shared by all CPUs. It is for events that occur while LKST
 * starts, and for LKST's own errors. These are rare, so the code is simple
 * rather than fast.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "../ring/context.h"
#include "../ring/record.h"
#include "../clock/clock.h"
#include "../image/image.h"
#include "../base/stage.h"
#include "static_buffer.h"

/**
 * struct lkst_static_slot - state of a slot, laid out as struct lkst_image_slot
 * @state: 0 if never used; else 2 * (recid + 1), plus 1 while the record is
 *	being written. A writer that makes the state odd owns the slot until it
 *	makes the state even. On 32-bit, only the low half is used
 * @cpu: CPU that wrote the record
 * @clock: enum lkst_clock of the record
 */
struct lkst_static_slot {
	atomic_long_t state[sizeof(u64) / sizeof(long)];
	s32 cpu;
	u32 clock;
} __aligned(sizeof(u64));

static_assert(sizeof(struct lkst_static_slot) == sizeof(struct lkst_image_slot));
static_assert(offsetof(struct lkst_static_slot, cpu) == offsetof(struct lkst_image_slot, cpu));
static_assert(offsetof(struct lkst_static_slot, clock) == offsetof(struct lkst_image_slot, clock));

/* The memory of the static buffer: a region with one extent. */
struct lkst_static {
	u8 head[LKST_IMAGE_PAGE];
	struct lkst_event_record records[LKST_STATIC_SLOTS];
	struct lkst_static_slot slots[LKST_STATIC_SLOTS];
	u8 tail[LKST_IMAGE_PAGE];
};

#define LKST_STATIC_LENGTH								\
	(sizeof_field(struct lkst_static, records) + sizeof_field(struct lkst_static, slots))
static_assert(IS_ALIGNED(LKST_STATIC_LENGTH, LKST_IMAGE_PAGE));

/*
 * An extent must be physically contiguous. Static memory of the kernel is, but
 * static memory of a module is not. So if LKST is a module, it uses this memory
 * only for errors in its parameters, and then moves to other memory.
 */
#ifdef MODULE
#define __lkst_static	__initdata
#else
#define __lkst_static
#endif
static struct lkst_static lkst_static_first __lkst_static __aligned(LKST_IMAGE_PAGE);
static struct lkst_static *lkst_static __refdata = &lkst_static_first;

static atomic_long_t lkst_static_next;
static atomic_long_t lkst_static_dropped;
static atomic_long_t lkst_static_overwritten;

#define LKST_STATIC_BUSY	1UL

static unsigned long lkst_static_state(unsigned long recid)
{
	return (recid + 1) << 1;
}

static atomic_long_t *lkst_static_state_of(struct lkst_static_slot *slot)
{
	return &slot->state[lkst_commit_half()];
}

static phys_addr_t lkst_static_physical(void *address)
{
	return IS_MODULE(CONFIG_LKST) ? virt_to_phys(address) : __pa_symbol(address);
}

/*
 * If LKST is a module, move the static buffer from __initdata to physically
 * contiguous memory. Nothing else may record at this time. Returns 0 or
 * -ENOMEM.
 */
static int __init lkst_static_move(void)
{
	struct lkst_static *moved = alloc_pages_exact(sizeof(*moved), GFP_KERNEL);

	if (!moved)
		return -ENOMEM;
	memcpy(moved, lkst_static, sizeof(*moved));
	lkst_static = moved;
	return 0;
}

/**
 * lkst_static_buffer_start() - identify the static buffer for memory images
 *
 * Context: after lkst_image_init(). May sleep if LKST is a module.
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_static_buffer_start(void)
{
	const struct lkst_image_place place = {
		.kind = LKST_IMAGE_STATIC,
		.cpu = -1,
		.id = LKST_BUFFER_ID_VOID,
		.region = lkst_image_new_region(),
		.region_length = LKST_STATIC_LENGTH,
		.length = LKST_STATIC_LENGTH,
		.extent_num = 1,
	};

	if (IS_MODULE(CONFIG_LKST) && lkst_static_move())
		return -ENOMEM;
	lkst_image_sign(lkst_static->head, lkst_static_physical(lkst_static->head),
			lkst_static->tail, lkst_static_physical(lkst_static->tail), &place);
	return 0;
}

/*
 * Give up the static buffer. From now on, its events are dropped and counted.
 * After an RCU grace period, nothing accesses its memory any longer. The kernel
 * waits for a grace period before it frees a module's __initdata.
 */
void __init lkst_static_buffer_discard(void)
{
	WRITE_ONCE(lkst_static, NULL);
}

/*
 * Free the static buffer when the LKST module is unloaded. There must be no
 * readers any longer, but errors may still be recorded at any time.
 */
void __lkst_exit lkst_static_buffer_end(void)
{
	struct lkst_static *old = lkst_static;

	WRITE_ONCE(lkst_static, NULL);
	synchronize_rcu(); /* writers have preemption off */
	lkst_image_wipe(old->head, old->tail);
	free_pages_exact(old, sizeof(*old));
}

/**
 * lkst_static_buffer_write() - record an event in the static buffer
 * @depth: how many times LKST itself has disabled preemption
 * @etype: event type
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * The record is dropped and counted if an earlier record in its slot is still
 * being written, or if a later record has already taken the slot.
 *
 * Context: any, including NMI and early boot.
 */
void lkst_static_buffer_write(unsigned int depth, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	struct lkst_event_record *rec;
	struct lkst_static_slot *slot;
	struct lkst_static *to;
	unsigned long recid;
	atomic_long_t *slot_state;
	long state;
	u64 clock;

	preempt_disable_notrace();
	recid = atomic_long_fetch_inc(&lkst_static_next);
	/* The memory is not freed while preemption is off. */
	to = READ_ONCE(lkst_static);
	if (!to) {
		atomic_long_inc(&lkst_static_dropped);
		goto out;
	}
	slot = &to->slots[recid % LKST_STATIC_SLOTS];
	slot_state = lkst_static_state_of(slot);
	rec = &to->records[recid % LKST_STATIC_SLOTS];

	/*
	 * Take the slot if its state is even and older than this record. The
	 * cmpxchg is fully ordered.
	 */
	state = atomic_long_read(slot_state);
	if (state & LKST_STATIC_BUSY || (unsigned long)state > lkst_static_state(recid) ||
	    atomic_long_cmpxchg(slot_state, state,
				lkst_static_state(recid) | LKST_STATIC_BUSY) != state) {
		atomic_long_inc(&lkst_static_dropped);
		goto out;
	}
	if (state)
		atomic_long_inc(&lkst_static_overwritten);

	slot->cpu = raw_smp_processor_id();
	slot->clock = lkst_clock_current();
	clock = lkst_clock_read(slot->clock);
	rec->event_type = etype;
	rec->flags = 0;
	lkst_context_fill(rec, depth + 1);
	rec->arg[0] = a1;
	rec->arg[1] = a2;
	rec->arg[2] = a3;
	rec->arg[3] = a4;
	rec->clock = clock;
	/* A CPU that sees the even state must also see the record. */
	atomic_long_set_release(slot_state, lkst_static_state(recid));
out:
	preempt_enable_notrace();
}

/**
 * lkst_error() - report one of LKST's own errors (LKST_ETYPE_LKST_ERROR)
 * @code: the error
 * @detail: its meaning depends on @code, see enum lkst_error_code
 *
 * Context: any.
 */
void lkst_error(enum lkst_error_code code, u64 detail)
{
	lkst_static_buffer_write(0, LKST_ETYPE_LKST_ERROR, code, detail, 0, 0);
}

/* Return the recid of the next record. */
u64 lkst_static_buffer_next(void)
{
	return atomic_long_read(&lkst_static_next);
}

size_t lkst_static_buffer_size(void)
{
	return sizeof(lkst_static->records);
}

/*
 * Copy the record in slot @i. Returns whether the copy is valid, that is, the
 * state was even, and the same before and after copying.
 */
static bool lkst_static_copy(unsigned int i, struct lkst_static_copy *copy)
{
	struct lkst_static_slot *slot = &lkst_static->slots[i];
	long state = atomic_long_read_acquire(lkst_static_state_of(slot));

	if (!state || state & LKST_STATIC_BUSY)
		return false;
	copy->recid = ((unsigned long)state >> 1) - 1;
	/*
	 * If a writer changes the slot meanwhile, the state that is loaded
	 * below differs, and the copy is discarded.
	 */
	copy->cpu = data_race(slot->cpu);
	/* as above */
	copy->clock = data_race(slot->clock);
	/* as above */
	data_race(memcpy(&copy->record, &lkst_static->records[i], sizeof(copy->record)));
	/*
	 * Pairs with the full ordering of the writer that takes the slot next.
	 */
	smp_rmb();
	return atomic_long_read(lkst_static_state_of(slot)) == state;
}

/**
 * lkst_static_buffer_copy() - copy all records of the static buffer
 * @copies: room for LKST_STATIC_SLOTS records; receives them in slot order
 * @counts: receives the counts
 *
 * Context: may sleep.
 *
 * Return: number of records copied; -EINVAL if LKST is off and therefore has no
 * static buffer.
 */
int lkst_static_buffer_copy(struct lkst_static_copy *copies, struct lkst_static_counts *counts)
{
	unsigned int num = 0, i;

	if (!lkst_static)
		return -EINVAL;
	counts->recorded = atomic_long_read(&lkst_static_next);
	counts->dropped = atomic_long_read(&lkst_static_dropped);
	counts->overwritten = atomic_long_read(&lkst_static_overwritten);
	for (i = 0; i < LKST_STATIC_SLOTS; i++)
		if (lkst_static_copy(i, &copies[num]))
			num++;
	return num;
}
