// SPDX-License-Identifier: GPL-2.0
/*
 * The static buffer (specification 4.2.2): there from the first instruction of the kernel
 * on, shared by all CPUs, for what happens while LKST starts and for its own errors. A
 * few records in a machine's life: it is simple rather than fast.
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
#include <linux/sort.h>
#include <linux/uio.h>

#include "buffer.h"
#include "context.h"
#include "event.h"
#include "image.h"
#include "read.h"
#include "stage.h"
#include "static_buffer.h"

#define LKST_STATIC_SLOTS	512

/**
 * struct lkst_static_slot - what is kept beside each record: struct lkst_image_slot
 * @state: 0: never used; else twice (recid + 1), plus 1 while the record is being written.
 *	Whoever changes it to an odd value owns the slot until it makes it even. On 32-bit, the half
 *	that counts
 * @cpu: where the record was written
 * @clock: enum lkst_clock
 */
struct lkst_static_slot {
	atomic_long_t state[sizeof(u64) / sizeof(long)];
	s32 cpu;
	u32 clock;
} __aligned(sizeof(u64));

static_assert(sizeof(struct lkst_static_slot) == sizeof(struct lkst_image_slot));
static_assert(offsetof(struct lkst_static_slot, cpu) == offsetof(struct lkst_image_slot, cpu));
static_assert(offsetof(struct lkst_static_slot, clock) == offsetof(struct lkst_image_slot, clock));

/* An area of one extent. */
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
 * In the kernel it is contiguous, as an extent has to be. A module's own memory is not: there it is
 * only for what is wrong with the parameters, and another takes over then.
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

/* Memory that stays, and can be found. Nothing else happens yet. */
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
 * lkst_static_buffer_start() - let it be found in an image of memory
 *
 * Context: after lkst_image_init(). May sleep, if this is a module.
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_static_buffer_start(void)
{
	const struct lkst_image_place place = {
		.kind = LKST_IMAGE_STATIC,
		.cpu = -1,
		.id = LKST_BUFFER_ID_VOID,
		.area = lkst_image_new_area(),
		.area_length = LKST_STATIC_LENGTH,
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
 * There is none: what is written to it is dropped, and counted. What there was before is left alone
 * once the kernel has waited for RCU, as it does before a module's __initdata goes.
 */
void __init lkst_static_buffer_none(void)
{
	WRITE_ONCE(lkst_static, NULL);
}

/* Nobody reads it any more; an error may be written until there is none. */
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
 * @outer: how deep the caller has disabled preemption on behalf of LKST
 * @etype: event type
 * @a1: argument
 * @a2: argument
 * @a3: argument
 * @a4: argument
 *
 * A slot whose record is still being written is not touched: the new record is dropped
 * and counted.
 *
 * Context: any, NMI included, from the start of the kernel on.
 */
void lkst_static_buffer_write(unsigned int outer, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
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
	/* It stays while preemption is off. */
	to = READ_ONCE(lkst_static);
	if (!to) {
		atomic_long_inc(&lkst_static_dropped);
		goto out;
	}
	slot = &to->slots[recid % LKST_STATIC_SLOTS];
	slot_state = lkst_static_state_of(slot);
	rec = &to->records[recid % LKST_STATIC_SLOTS];

	/* An even state that is older than this record's; taking it is full ordering. */
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
	lkst_context_fill(rec, outer + 1);
	rec->arg[0] = a1;
	rec->arg[1] = a2;
	rec->arg[2] = a3;
	rec->arg[3] = a4;
	rec->clock = clock;
	/* Whoever sees the even state sees the record. */
	atomic_long_set_release(slot_state, lkst_static_state(recid));
out:
	preempt_enable_notrace();
}

/**
 * lkst_error() - report an error of LKST's own (LKST_ETYPE_LKST_ERROR)
 * @code: what went wrong
 * @detail: as @code's comment says
 *
 * Context: any.
 */
void lkst_error(enum lkst_error_code code, u64 detail)
{
	lkst_static_buffer_write(0, LKST_ETYPE_LKST_ERROR, code, detail, 0, 0);
}

/* The recid that the next record gets. */
u64 lkst_static_buffer_next(void)
{
	return atomic_long_read(&lkst_static_next);
}

size_t lkst_static_buffer_size(void)
{
	return sizeof(lkst_static->records);
}

/* A record that was read, on its way to being sorted. */
struct lkst_static_copy {
	unsigned long recid;
	int cpu;
	unsigned int clock;
	struct lkst_event_record record;
};

/* The state before and after the copy is the same, and even: nobody wrote meanwhile. */
static bool lkst_static_copy(unsigned int i, struct lkst_static_copy *copy)
{
	struct lkst_static_slot *slot = &lkst_static->slots[i];
	long state = atomic_long_read_acquire(lkst_static_state_of(slot));

	if (!state || state & LKST_STATIC_BUSY)
		return false;
	copy->recid = ((unsigned long)state >> 1) - 1;
	/* A race with a writer shows in the state below, and the copy is thrown away. */
	copy->cpu = data_race(slot->cpu);
	/* likewise */
	copy->clock = data_race(slot->clock);
	/* likewise */
	data_race(memcpy(&copy->record, &lkst_static->records[i], sizeof(copy->record)));
	/* Pairs with the full ordering of the writer that takes the slot next. */
	smp_rmb();
	return atomic_long_read(lkst_static_state_of(slot)) == state;
}

static int lkst_static_compare(const void *a, const void *b)
{
	const struct lkst_static_copy *x = a, *y = b;

	return x->recid < y->recid ? -1 : x->recid > y->recid;
}

/**
 * lkst_static_buffer_read() - read the static buffer
 * @param: gets the counts and the description
 * @max: records there is room for
 * @to: where they go
 *
 * Context: may sleep.
 *
 * Return: 0, -EINVAL: @to cannot be written, or LKST is off, or -ENOMEM.
 */
int lkst_static_buffer_read(struct lkst_log_buffer *param, u64 max, struct iov_iter *to)
{
	struct lkst_static_copy *copies;
	struct lkst_time now;
	unsigned int num = 0, i;
	int ret = 0;

	if (!lkst_static)
		return -EINVAL;
	copies = kvmalloc_array(LKST_STATIC_SLOTS, sizeof(*copies), GFP_KERNEL);
	if (!copies)
		return -ENOMEM;
	param->first_recid = 0;
	param->recorded = atomic_long_read(&lkst_static_next);
	param->dropped = atomic_long_read(&lkst_static_dropped);
	param->overwritten = atomic_long_read(&lkst_static_overwritten);
	for (i = 0; i < LKST_STATIC_SLOTS; i++)
		if (lkst_static_copy(i, &copies[num]))
			num++;
	param->unfinished = param->recorded - min(param->recorded, num + param->dropped +
						  param->overwritten);
	sort(copies, num, sizeof(*copies), lkst_static_compare, NULL);

	num = min_t(u64, num, max);
	for (i = 0; i < num; i++) {
		struct lkst_log_record record;

		lkst_log_expand(&record, &copies[i].record, copies[i].recid, copies[i].cpu,
				copies[i].clock);
		if (copy_to_iter(&record, sizeof(record), to) != sizeof(record)) {
			ret = -EINVAL;
			break;
		}
	}
	/* It has no start, and records of both clocks: any pair describes it. */
	lkst_time_read(&now);
	lkst_log_describe(param, lkst_clock_current(), &now);
	param->result_read_size = num * sizeof(struct lkst_log_record);
	kvfree(copies);
	return ret;
}
