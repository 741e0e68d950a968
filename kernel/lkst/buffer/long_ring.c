// SPDX-License-Identifier: GPL-2.0
/*
 * The long rings (Documentation/lkst/long-ring.rst). Besides its usual buffers,
 * each CPU has a ring for rare events and for the digest. The usual buffers
 * hold the last seconds, and the long ring holds the last hour.
 *
 * A long ring is a struct lkst_buffer that no table of buffers contains. No
 * shift, jump or reader of the queue ever finds it. It has one session, from
 * its creation until LKST is unloaded, and its own recids.
 *
 * Its clock is always LKST_CLOCK_NS. This clock never becomes unreliable, so
 * the ring is never renewed (see buffer.c). lkst_ring_write_slow() writes the
 * records, which cost more than those in the usual buffers.
 *
 * A burst of rare events must not overwrite the hour. So each CPU has a budget
 * of records. The digest refills it. Events that exceed the budget are left out
 * of the long ring, and the digest says how many. Event types that often come
 * in bursts must leave a part of the budget to the other types.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/lkst_etypes.h>

#include "buffer.h"
#include "emit.h"
#include "image_session.h"
#include "long_ring.h"
#include "../base/stage.h"

/* The history that a long ring must hold, in ms. */
#define LKST_LONG_MS		(60 * 60 * 1000)

/*
 * The budget limits the records of an hour to this share of the ring. The rest
 * of the ring is for bursts.
 */
#define LKST_LONG_SHARE(slots)	((slots) / 16 * 15)

/* Maximum budget, in records. */
#define LKST_LONG_BURST(slots)	((slots) - LKST_LONG_SHARE(slots))

/*
 * Minimum rate at which the budget is refilled, in records per second. A ring
 * that is too small for this rate may hold less than LKST_LONG_MS.
 */
#define LKST_LONG_RATE_MIN	4

/**
 * struct lkst_long - the long ring of a CPU
 * @buffer: the ring; NULL: the CPU has none. Written before the CPU uses it,
 *	and by lkst_long_remove_all()
 * @budget: number of records that may still be added before the next refill.
 *	Negative for a moment while an event is left out
 * @left_out: number of events that were left out
 * @reported: how many of them the digest has reported. CPU-local
 * @rest: fraction of a record that the last refill could not add, multiplied
 *	by LKST_LONG_MS; 0 if the budget is full. CPU-local
 * @removed: the ring after lkst_long_remove_all(), until it is freed
 */
struct lkst_long {
	struct lkst_buffer *buffer;
	int budget;
	unsigned long left_out;
	unsigned long reported;
	u64 rest;
	struct lkst_buffer *removed;
};

static DEFINE_PER_CPU(struct lkst_long, lkst_longs);

static size_t lkst_long_size __ro_after_init;

/*
 * Event types that the long rings can take. Their sources call
 * lkst_event_rare(), one of its variants, or lkst_long_record().
 */
static const u16 lkst_long_possible[] = {
	LKST_ETYPE_PROCESS_FORK, LKST_ETYPE_PROCESS_EXEC, LKST_ETYPE_PROCESS_EXIT,
	LKST_ETYPE_PROCESS_RENAME, LKST_ETYPE_MEM_OOMKILL, LKST_ETYPE_NET_SOCKSTATE,
	LKST_ETYPE_OOPS_DIE, LKST_ETYPE_OOPS_PANIC, LKST_ETYPE_OOPS_WARN, LKST_ETYPE_OOPS_LOCKUP,
	LKST_ETYPE_OOPS_PRINTK, LKST_ETYPE_CPU_ONLINE, LKST_ETYPE_CPU_OFFLINE,
	LKST_ETYPE_CPU_SUSPEND, LKST_ETYPE_MODULE_LOAD, LKST_ETYPE_MODULE_FREE,
	LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_TEXT, LKST_ETYPE_LKST_TRC_START,
	LKST_ETYPE_LKST_TRC_STOP, LKST_ETYPE_LKST_MASKSET_SET, LKST_ETYPE_LKST_WATCH,
};

/*
 * Event types that the long rings take now. Only the bits of the types in
 * lkst_long_possible[] may change at run time.
 */
static DECLARE_BITMAP(lkst_long_etypes, LKST_ETYPE_NUM);

/* Whether recording is suspended, see lkst_long_pause(). */
static bool lkst_long_paused;

/**
 * lkst_long_set_etypes() - select the events that the long rings take
 * @etypes: bitmap of LKST_ETYPE_NUM bits. Types that the long rings never take
 *	are ignored
 *
 * Context: any, one call at a time. A CPU that is recording may use parts of
 * the old bitmap and parts of the new one.
 *
 * Return: 0; -EINVAL if the bitmap contains no type that the rings can take.
 */
int lkst_long_set_etypes(const unsigned long *etypes)
{
	unsigned int i, num = 0;

	for (i = 0; i < ARRAY_SIZE(lkst_long_possible); i++)
		num += test_bit(lkst_long_possible[i], etypes);
	if (!num)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(lkst_long_possible); i++)
		assign_bit(lkst_long_possible[i], lkst_long_etypes,
			   test_bit(lkst_long_possible[i], etypes));
	return 0;
}

/**
 * lkst_long_init() - set the size of the long rings
 * @size: size in bytes of the records of each long ring; 0: no CPU gets one
 *
 * All long rings together may take at most an eighth of the limit on LKST's
 * memory, so that they do not displace the usual buffers. This function halves
 * the size until it meets this condition.
 */
void __init lkst_long_init(size_t size)
{
	size_t fits = round_down(size, LKST_BUFFER_SIZE_MIN);
	unsigned int i;

	while (fits && (u64)fits * num_possible_cpus() > lkst_memory_max() / 8)
		fits = round_down(fits / 2, LKST_BUFFER_SIZE_MIN);
	if (fits < round_down(size, LKST_BUFFER_SIZE_MIN))
		pr_notice("lkst: each of %u long rings gets %zuK instead of %zuK (together, they may take at most an eighth of lkst.memory)\n",
			  num_possible_cpus(), fits / SZ_1K, size / SZ_1K);
	lkst_long_size = fits;
	/* If lkst.long_events has not selected types, select all of them. */
	if (bitmap_empty(lkst_long_etypes, LKST_ETYPE_NUM))
		for (i = 0; i < ARRAY_SIZE(lkst_long_possible); i++)
			__set_bit(lkst_long_possible[i], lkst_long_etypes);
	__set_bit(LKST_ETYPE_LKST_DIGEST, lkst_long_etypes);
	__set_bit(LKST_ETYPE_LKST_DIGEST_SYSTEM, lkst_long_etypes);
}

/* Whether CPUs get long rings. */
bool lkst_long_wanted(void)
{
	return lkst_long_size;
}

/* Start the only session of a long ring. */
static void lkst_long_open(struct lkst_buffer *buffer)
{
	struct lkst_ring *ring = &buffer->ring;
	unsigned long first = lkst_ring_open(ring, 0, LKST_CLOCK_NS);

	buffer->session.clock = LKST_CLOCK_NS;
	buffer->session.first = lkst_ring_position(ring, first);
	lkst_time_read(&buffer->session.start);
	atomic_long_set(&buffer->state, LKST_BUFFER_WRITTEN);
	buffer->id = LKST_BUFFER_ID_LONG;
	/* This clears the header pages, so it comes before the session. */
	lkst_region_sign(&buffer->region, LKST_IMAGE_LONG, buffer->cpu, buffer->id);
	lkst_image_set_session(&buffer->region, &buffer->session,
			       lkst_ring_lap(ring, lkst_ring_next(ring)));
}

/**
 * lkst_long_provide() - give a CPU its long ring, unless it has one
 * @cpu: this CPU
 *
 * Context: may sleep.
 *
 * Return: 0 if the CPU has a long ring or gets none; -ENOMEM: memory is short.
 */
int lkst_long_provide(int cpu)
{
	struct lkst_long *to = per_cpu_ptr(&lkst_longs, cpu);
	struct lkst_buffer *buffer;

	if (to->buffer || !lkst_long_size)
		return 0;
	buffer = lkst_buffer_alloc(cpu, lkst_long_size, !lkst_buffer_fits(lkst_long_size));
	if (!buffer)
		return -ENOMEM;
	lkst_long_open(buffer);
	to->budget = LKST_LONG_BURST(buffer->ring.slots);
	/*
	 * A writer that loads this pointer must observe the initialized ring.
	 * Pairs with the writer's address dependency.
	 */
	smp_store_release(&to->buffer, buffer);
	lkst_long_record_time();
	return 0;
}

/*
 * Whether events of a type need no budget: a digest, or an event that may be
 * the last one of a machine.
 */
static bool lkst_long_is_exempt(int etype)
{
	return etype == LKST_ETYPE_LKST_DIGEST || etype == LKST_ETYPE_LKST_DIGEST_SYSTEM ||
	       etype == LKST_ETYPE_OOPS_DIE || etype == LKST_ETYPE_OOPS_PANIC;
}

/*
 * Return the part of the budget that events of a type must not use. Without it,
 * a machine that starts many programs would use up the budget all the time, and
 * the rarest events would be left out.
 */
static int lkst_long_reserve(const struct lkst_ring *ring, int etype)
{
	switch (etype) {
	case LKST_ETYPE_PROCESS_FORK:
	case LKST_ETYPE_PROCESS_EXEC:
	case LKST_ETYPE_PROCESS_EXIT:
	case LKST_ETYPE_PROCESS_RENAME:
	case LKST_ETYPE_NET_SOCKSTATE:
	case LKST_ETYPE_OOPS_PRINTK:
		return LKST_LONG_BURST(ring->slots) / 4;
	}
	return 0;
}

/**
 * lkst_long_record() - add an event to the long ring of this CPU
 * @etype: event type
 * @depth: how many times LKST itself has disabled preemption
 * @a1: first argument of the event
 * @a2: second argument
 * @a3: third argument
 * @a4: fourth argument
 *
 * Does nothing if the long rings do not take events of this type, if the
 * selected maskset masks them, or if the long rings are suspended. If the CPU's
 * budget is exhausted, the event is left out and counted in @left_out.
 *
 * Context: any, NMI included.
 *
 * Return: whether the event was added.
 */
notrace bool lkst_long_record(int etype, unsigned int depth, u64 a1, u64 a2, u64 a3, u64 a4)
{
	struct lkst_buffer *buffer;
	bool added = false;

	if (!test_bit(etype, lkst_long_etypes))
		return false;
	preempt_disable_notrace();
	buffer = this_cpu_read(lkst_longs.buffer);
	if (!buffer || READ_ONCE(lkst_long_paused) || lkst_emit_client.masked(etype))
		goto enable;
	if (lkst_long_is_exempt(etype) ||
	    this_cpu_dec_return(lkst_longs.budget) >= lkst_long_reserve(&buffer->ring, etype)) {
		lkst_emit_long(&buffer->ring, etype, depth + 1, a1, a2, a3, a4);
		added = true;
	} else {
		this_cpu_inc(lkst_longs.budget);
		this_cpu_inc(lkst_longs.left_out);
	}
enable:
	preempt_enable_notrace();
	return added;
}

/**
 * lkst_long_record_time() - add LKST_SYNC_TIME to the long ring of this CPU
 *
 * Context: any, NMI included.
 */
void lkst_long_record_time(void)
{
	struct lkst_buffer *buffer;

	preempt_disable_notrace();
	buffer = this_cpu_read(lkst_longs.buffer);
	if (buffer && !READ_ONCE(lkst_long_paused))
		lkst_emit_long_time(&buffer->ring);
	preempt_enable_notrace();
}

/**
 * lkst_long_refill() - refill the budget of this CPU
 * @ms: time since the last refill
 * @records: number of records that the caller is about to add and that need no
 *	budget; they are subtracted from the refill
 *
 * Context: softirq of the CPU's own timer.
 */
void lkst_long_refill(u64 ms, unsigned int records)
{
	struct lkst_long *to = this_cpu_ptr(&lkst_longs);
	int max, more, budget;
	u64 rate;

	if (!to->buffer)
		return;
	max = LKST_LONG_BURST(to->buffer->ring.slots);
	/* Number of records in LKST_LONG_MS */
	rate = max_t(u64, LKST_LONG_SHARE(to->buffer->ring.slots),
		     LKST_LONG_RATE_MIN * (LKST_LONG_MS / MSEC_PER_SEC));
	more = min_t(u64, div64_u64_rem(min_t(u64, ms, LKST_LONG_MS) * rate + to->rest,
					LKST_LONG_MS, &to->rest), max);
	more = max_t(int, more - (int)records, 0);
	/* If an interrupt uses up budget here, the CPU gets that much back. */
	budget = this_cpu_read(lkst_longs.budget);
	if (more >= max - min(budget, max)) {
		more = max - min(budget, max);
		to->rest = 0;
	}
	this_cpu_add(lkst_longs.budget, more);
}

/**
 * lkst_long_unreported() - get the number of events of this CPU that were left
 *	out, and that no digest has reported yet
 *
 * Context: as for lkst_long_refill().
 */
unsigned int lkst_long_unreported(void)
{
	return this_cpu_read(lkst_longs.left_out) - this_cpu_read(lkst_longs.reported);
}

/**
 * lkst_long_report() - note that a digest has reported events as left out
 * @num: number of events, from lkst_long_unreported()
 *
 * Context: as for lkst_long_refill().
 */
void lkst_long_report(unsigned int num)
{
	this_cpu_add(lkst_longs.reported, num);
}

/**
 * lkst_long_left_out() - get the number of events that exceeded a CPU's budget
 * @cpu: a possible CPU
 *
 * Context: any.
 */
unsigned long lkst_long_left_out(int cpu)
{
	return READ_ONCE(per_cpu(lkst_longs.left_out, cpu));
}

/**
 * lkst_long_get() - find the long ring of a CPU and take a reference to it
 * @cpu: CPU number, which may be invalid
 *
 * Context: may sleep.
 *
 * Return: the ring, to be released with lkst_buffer_put(); NULL: the CPU has
 * none.
 */
struct lkst_buffer *lkst_long_get(int cpu)
{
	struct lkst_buffer *buffer = NULL;

	if (!lkst_cpu_valid(cpu))
		return NULL;
	/*
	 * Pairs with the release in lkst_long_provide(). The ring exists until
	 * LKST is unloaded, and then no caller is left.
	 */
	buffer = smp_load_acquire(per_cpu_ptr(&lkst_longs.buffer, cpu));
	if (buffer)
		kref_get(&buffer->ref);
	return buffer;
}

/**
 * lkst_long_peek() - find the long ring of a CPU without taking a reference
 * @cpu: a possible CPU
 *
 * Context: any. LKST must not be unloaded while the caller uses the ring.
 *
 * Return: the ring; NULL: the CPU has none.
 */
struct lkst_buffer *lkst_long_peek(int cpu)
{
	/* Pairs with the release in lkst_long_provide(). */
	return READ_ONCE(per_cpu(lkst_longs.buffer, cpu));
}

/**
 * lkst_long_pause() - suspend or resume recording in the long rings
 * @pause: whether to suspend it
 *
 * Events that occur in the meantime are neither recorded nor counted as left
 * out. A CPU that is already recording an event may still add it.
 *
 * Context: any, NMI included.
 */
void lkst_long_pause(bool pause)
{
	WRITE_ONCE(lkst_long_paused, pause);
}

/*
 * Stop recording in the long rings. The caller ensures that there are no
 * references from lkst_long_get(), and calls lkst_long_free_all() later.
 */
void __lkst_exit lkst_long_remove_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct lkst_long *from = per_cpu_ptr(&lkst_longs, cpu);

		from->removed = from->buffer;
		WRITE_ONCE(from->buffer, NULL);
	}
}

/* Free the long rings, after lkst_long_remove_all() and lkst_synchronize(). */
void __lkst_exit lkst_long_free_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct lkst_long *from = per_cpu_ptr(&lkst_longs, cpu);

		lkst_buffer_put(from->removed);
		from->removed = NULL;
	}
}
