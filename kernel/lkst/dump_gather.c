// SPDX-License-Identifier: GPL-2.0
/*
 * The newest events of each CPU, copied and put in order of time.
 *
 * They are copied first and printed then: what is printed belongs to one moment, however slow the
 * console is, and however busy the CPUs are meanwhile. dump.c says in which circumstances.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/nmi.h>
#include <linux/sched/clock.h>
#include <linux/sort.h>

#include "buffer.h"
#include "clock.h"
#include "dump.h"

/* How many records are looked at, of all CPUs: it takes a tenth of a second or two. */
#define LKST_CONSOLE_LOOKS		BIT(20)

/* How often a reader looks at a stretch that its CPU may be changing. */
#define LKST_CONSOLE_TRIES		1000

static struct lkst_console_entry lkst_console_entries[LKST_CONSOLE_MAX];

/**
 * struct lkst_console_walk - a way back through what a CPU has recorded
 * @dump: for which this is
 * @cpu: that has recorded
 * @num: entries found
 * @looks: records that may still be looked at
 * @order: of the entry before, which is newer
 * @buffer: where it is
 * @stretch: of @buffer
 * @end: position after the newest record of @buffer
 */
struct lkst_console_walk {
	struct lkst_dump *dump;
	int cpu;
	unsigned int num;
	unsigned long looks;
	s64 order;
	struct lkst_buffer *buffer;
	struct lkst_session stretch;
	u64 end;
};

/*
 * A CPU that was stopped in the middle of a shift has not written down how the new buffer begins.
 * Then it is at most one lap old.
 */
static void lkst_console_session(struct lkst_buffer *buffer, struct lkst_session *stretch, u64 *end)
{
	const struct lkst_ring *ring = &buffer->ring;
	unsigned int tries, seq;
	unsigned long next;

	for (tries = 0; tries < LKST_CONSOLE_TRIES; tries++) {
		seq = raw_read_seqcount(&buffer->session_seq);
		/* A copy that the CPU was writing to is taken again. */
		*stretch = data_race(buffer->stretch);
		next = lkst_ring_next(ring);
		*end = lkst_ring_position(ring, next);
		if (!(seq & 1) && !read_seqcount_retry(&buffer->session_seq, seq))
			return;
		cpu_relax();
	}
	*stretch = (struct lkst_session) {
		.first = *end - lkst_index_slot(next),
		.first_recid = U64_MAX - 1,
		.clock = READ_ONCE(ring->clock),
	};
}

/* The next older buffer of the CPU that holds anything, if there is one. */
static bool lkst_console_older(struct lkst_console_walk *walk)
{
	u64 before = walk->buffer ? walk->stretch.first_recid : U64_MAX;
	const struct lkst_cpu *c = per_cpu(lkst_cpu, walk->cpu);
	int id;

	walk->buffer = NULL;
	for (id = 0; c && id <= LKST_BUFFER_ID_MAX; id++) {
		/* Pairs with the release in lkst_buffer_insert(). */
		struct lkst_buffer *buffer = READ_ONCE(c->buffers[id]);
		struct lkst_session stretch;
		u64 end;

		if (!buffer)
			continue;
		lkst_console_session(buffer, &stretch, &end);
		if (end <= stretch.first || stretch.first_recid >= before ||
		    (walk->buffer && stretch.first_recid < walk->stretch.first_recid))
			continue;
		walk->buffer = buffer;
		walk->stretch = stretch;
		walk->end = end;
	}
	return walk->buffer;
}

/*
 * The counter is the same on all CPUs, so one reading of both clocks orders all records, and gives
 * them the time of the kernel's messages. When the counter is not trusted any more, CLOCK_MONOTONIC
 * is what newer records have. To read that is not possible here, but the buffer has a reading.
 */
static s64 lkst_console_time(const struct lkst_console_walk *walk, u64 clock)
{
	const struct lkst_time *start = &walk->stretch.start;

	if (walk->stretch.clock == LKST_CLOCK_NS)
		return clock;
	if (lkst_clock_current() == LKST_CLOCK_NS)
		return start->monotonic + lkst_ticks_ns(clock - start->counter,
							lkst_clock_khz(LKST_CLOCK_TSC));
	return walk->dump->now + lkst_ticks_ns(clock - walk->dump->counter,
					       lkst_clock_khz(LKST_CLOCK_TSC));
}

/* One from before the stretch is in a slot that the stretch has not used yet. */
static bool lkst_console_wanted(const struct lkst_console_walk *walk,
			     const struct lkst_event_record *record)
{
	return record->event_type < LKST_ETYPE_NUM &&
	       test_bit(record->event_type, walk->dump->etypes) &&
	       record->clock >= lkst_time_clock(&walk->stretch.start, walk->stretch.clock);
}

static void lkst_console_take(struct lkst_console_walk *walk, struct lkst_console_entry *entry)
{
	entry->ns = lkst_console_time(walk, entry->record.clock);
	walk->order = min(walk->order, entry->ns);
	entry->order = walk->order;
	entry->back = walk->num++;
	entry->cpu = walk->cpu;
	lkst_console_comm(entry->comm, entry->record.thread);
	walk->dump->num++;
}

static unsigned long lkst_console_index(const struct lkst_ring *ring, u64 position)
{
	u64 slot, lap = div64_u64_rem(position, ring->slots, &slot);

	return (unsigned long)lap << LKST_SLOT_BITS | (unsigned long)slot;
}

static unsigned long lkst_console_index_before(const struct lkst_ring *ring, unsigned long index)
{
	return lkst_index_slot(index) ? index - 1 :
					index - (1UL << LKST_SLOT_BITS) + ring->slots - 1;
}

/*
 * Back through a buffer. What has been overwritten meanwhile ends it. Records that were dropped, or
 * whose writer does not go on, are passed over.
 */
static void lkst_console_buffer(struct lkst_console_walk *walk)
{
	const struct lkst_ring *ring = &walk->buffer->ring;
	unsigned long index = lkst_console_index(ring, walk->end);
	u64 position = walk->end;
	u64 oldest = max(walk->stretch.first, position - min_t(u64, position, ring->slots));

	while (position > oldest && walk->num < walk->dump->share && walk->looks) {
		struct lkst_console_entry *entry = &lkst_console_entries[walk->dump->num];
		enum lkst_ring_read result;

		position--;
		index = lkst_console_index_before(ring, index);
		walk->looks--;
		result = lkst_ring_read(ring, index, &entry->record);
		if (result == LKST_RING_LAPPED)
			return;
		if (result == LKST_RING_READ && !lkst_ring_was_dropped(ring, position) &&
		    lkst_console_wanted(walk, &entry->record))
			lkst_console_take(walk, entry);
	}
}

static void lkst_console_cpu(struct lkst_dump *dump, int cpu)
{
	struct lkst_console_walk walk = {
		.dump = dump,
		.cpu = cpu,
		.looks = dump->looks,
		.order = S64_MAX,
	};

	while (walk.num < dump->share && walk.looks && lkst_console_older(&walk))
		lkst_console_buffer(&walk);
	dump->cut += !walk.looks && walk.num < dump->share;
}

/* Oldest first; in the order of recording within a CPU. */
static int lkst_console_compare(const void *a, const void *b)
{
	const struct lkst_console_entry *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return y->back < x->back ? -1 : 1;
}

/**
 * lkst_console_gather() - copy what is to be printed
 * @dump: what is asked for, and what it gets
 *
 * Each CPU has the same share of what is printed in all: of one that is stuck, there may be not
 * more than that, and it is what matters.
 *
 * Context: any, one call at a time; with rcu_read_lock(), as SysRq and panic have it: buffers and
 * threads stay.
 */
void lkst_console_gather(struct lkst_dump *dump)
{
	unsigned int cpus = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		cpus += !!per_cpu(lkst_cpu, cpu);
	cpus = max(cpus, 1U);
	dump->share = min(dump->want, max(LKST_CONSOLE_MAX / cpus, 1U));
	dump->looks = max(LKST_CONSOLE_LOOKS / cpus, 1UL);
	if (lkst_clock_current() != LKST_CLOCK_NS)
		dump->counter = lkst_arch_counter();
	dump->now = local_clock();

	for_each_possible_cpu(cpu) {
		/* More CPUs than lines: the first ones have theirs. */
		if (dump->num + dump->share > LKST_CONSOLE_MAX || !lkst_console_owned(dump))
			break;
		lkst_console_cpu(dump, cpu);
		touch_nmi_watchdog();
	}
	dump->entries = lkst_console_entries;
	sort(lkst_console_entries, dump->num, sizeof(*lkst_console_entries), lkst_console_compare, NULL);
}
