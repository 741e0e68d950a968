// SPDX-License-Identifier: GPL-2.0
/*
 * Copy the newest events of each CPU and sort them by time.
 *
 * All events are copied before the first is printed. So the console dump is a
 * snapshot of one moment, however slow the console is and however much the CPUs
 * record in the meantime. console.c explains what this code must not do, and
 * why.
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

#include "../buffer/buffer.h"
#include "../buffer/long_ring.h"
#include "../clock/clock.h"
#include "console.h"

/*
 * Maximum number of records to examine, for all CPUs together. This takes 0.1
 * to 0.2 seconds.
 */
#define LKST_CONSOLE_EXAMINED_MAX	BIT(20)

/* Maximum number of attempts to read a session that its CPU is changing. */
#define LKST_CONSOLE_TRIES		1000

static struct lkst_console_entry lkst_console_entries[LKST_CONSOLE_MAX];
static struct lkst_console_entry lkst_console_long_entries[LKST_CONSOLE_LONG_MAX];

struct lkst_console_walk;

/**
 * struct lkst_console_source - the records from which a console dump is made
 * @has: whether a CPU has such records
 * @older: step to the CPU's next older buffer that contains records. Returns
 *	false if no older buffer contains records
 * @entries: memory for the entries
 * @max: maximum number of entries
 */
struct lkst_console_source {
	bool (*has)(int cpu);
	bool (*older)(struct lkst_console_walk *walk);
	struct lkst_console_entry *entries;
	unsigned int max;
};

/**
 * struct lkst_console_walk - a walk backwards through the records of a CPU
 * @dump: the console dump
 * @cpu: CPU whose records are examined
 * @num: number of entries found
 * @examined_max: how many more records to examine at most
 * @order: sort key of the previous entry, which is newer
 * @buffer: current buffer
 * @session: current session of @buffer
 * @end: position after the newest record of @buffer
 */
struct lkst_console_walk {
	struct lkst_console *dump;
	int cpu;
	unsigned int num;
	unsigned long examined_max;
	s64 order;
	struct lkst_buffer *buffer;
	struct lkst_session session;
	u64 end;
};

/*
 * Get the current session of a buffer, and the position after its newest
 * record. A CPU that was stopped in the middle of a shift may not have stored
 * the new buffer's session yet. In that case, assume that the session began
 * with the current lap.
 */
static void lkst_console_session(struct lkst_buffer *buffer, struct lkst_session *session, u64 *end)
{
	const struct lkst_ring *ring = &buffer->ring;
	unsigned int tries, seq;
	unsigned long next;

	for (tries = 0; tries < LKST_CONSOLE_TRIES; tries++) {
		seq = raw_read_seqcount(&buffer->session_seq);
		/* If the CPU changes the session during the copy, retry. */
		*session = data_race(buffer->session);
		next = lkst_ring_next(ring);
		*end = lkst_ring_position(ring, next);
		if (!(seq & 1) && !read_seqcount_retry(&buffer->session_seq, seq))
			return;
		cpu_relax();
	}
	*session = (struct lkst_session) {
		.first = *end - lkst_index_slot(next),
		.first_recid = U64_MAX - 1,
		.clock = READ_ONCE(ring->clock),
	};
}

static bool lkst_console_has_buffers(int cpu)
{
	return per_cpu(lkst_cpu, cpu);
}

static bool lkst_console_older(struct lkst_console_walk *walk)
{
	u64 before = walk->buffer ? walk->session.first_recid : U64_MAX;
	const struct lkst_cpu *c = per_cpu(lkst_cpu, walk->cpu);
	int id;

	walk->buffer = NULL;
	for (id = 0; c && id <= LKST_BUFFER_ID_MAX; id++) {
		/* Pairs with the release in lkst_buffer_insert(). */
		struct lkst_buffer *buffer = READ_ONCE(c->buffers[id]);
		struct lkst_session session;
		u64 end;

		if (!buffer)
			continue;
		lkst_console_session(buffer, &session, &end);
		if (end <= session.first || session.first_recid >= before ||
		    (walk->buffer && session.first_recid < walk->session.first_recid))
			continue;
		walk->buffer = buffer;
		walk->session = session;
		walk->end = end;
	}
	return walk->buffer;
}

static bool lkst_console_has_long(int cpu)
{
	return lkst_long_peek(cpu);
}

/* A CPU has at most one long ring, so the second step finds no ring. */
static bool lkst_console_long(struct lkst_console_walk *walk)
{
	if (walk->buffer)
		return false;
	walk->buffer = lkst_long_peek(walk->cpu);
	if (walk->buffer)
		lkst_console_session(walk->buffer, &walk->session, &walk->end);
	return walk->buffer;
}

/*
 * Convert a record's timestamp to ns on the clock of the kernel's messages. The
 * counters of all CPUs agree, so one reading of the counter and that clock is
 * enough to convert and sort all records.
 *
 * Once the counter is no longer trusted, newer records use CLOCK_MONOTONIC,
 * which cannot be read here. Records of older sessions are then converted with
 * the start time of their session, a reading of the counter together with
 * CLOCK_MONOTONIC.
 */
static s64 lkst_console_time(const struct lkst_console_walk *walk, u64 clock)
{
	const struct lkst_time *start = &walk->session.start;

	if (walk->session.clock == LKST_CLOCK_NS)
		return clock;
	if (lkst_clock_current() == LKST_CLOCK_NS)
		return start->monotonic + lkst_ticks_ns(clock - start->counter,
							lkst_clock_khz(LKST_CLOCK_TSC));
	return walk->dump->now + lkst_ticks_ns(clock - walk->dump->counter,
					       lkst_clock_khz(LKST_CLOCK_TSC));
}

/*
 * Whether to print a record: its event type is selected, and it is not older
 * than the session. A slot that the session has not used yet may hold an older
 * record.
 *
 * Invariant: parts of chains are never selected, and messages of the kernel
 * only on request (lkst_console_words()). So neither takes a line from another
 * event, however many of them a panic records. This test looks at one record at
 * a time: parts may be missing or damaged, and records of other events may lie
 * between them. A record that is not selected still counts as examined, which
 * limits the length of the walk.
 */
static bool lkst_console_selects(const struct lkst_console_walk *walk,
				 const struct lkst_event_record *record)
{
	return record->event_type < LKST_ETYPE_NUM &&
	       test_bit(record->event_type, walk->dump->etypes) &&
	       record->clock >= lkst_time_clock(&walk->session.start, walk->session.clock);
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
 * Walk backwards through a buffer, and take the records to print. Stop at the
 * first record that has been overwritten since the walk began. Skip records
 * that were dropped, and those whose writer was stopped before it completed
 * them.
 */
static void lkst_console_buffer(struct lkst_console_walk *walk)
{
	const struct lkst_ring *ring = &walk->buffer->ring;
	unsigned long index = lkst_console_index(ring, walk->end);
	u64 position = walk->end;
	u64 oldest = max(walk->session.first, position - min_t(u64, position, ring->slots));

	while (position > oldest && walk->num < walk->dump->share && walk->examined_max) {
		struct lkst_console_entry *entry = &walk->dump->entries[walk->dump->num];
		enum lkst_ring_read result;

		position--;
		index = lkst_console_index_before(ring, index);
		walk->examined_max--;
		result = lkst_ring_read(ring, index, &entry->record);
		if (result == LKST_RING_LAPPED)
			return;
		if (result == LKST_RING_READ && !lkst_ring_was_dropped(ring, position) &&
		    lkst_console_selects(walk, &entry->record))
			lkst_console_take(walk, entry);
	}
}

static void lkst_console_cpu(struct lkst_console *dump, const struct lkst_console_source *source,
			     int cpu)
{
	struct lkst_console_walk walk = {
		.dump = dump,
		.cpu = cpu,
		.examined_max = dump->examined_max,
		.order = S64_MAX,
	};

	while (walk.num < dump->share && walk.examined_max && source->older(&walk))
		lkst_console_buffer(&walk);
	dump->cut += !walk.examined_max && walk.num < dump->share;
}

/*
 * Compare entries for sort(): oldest first; within a CPU, in the order of
 * recording.
 */
static int lkst_console_compare(const void *a, const void *b)
{
	const struct lkst_console_entry *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return y->back < x->back ? -1 : 1;
}

static void lkst_console_gather_from(struct lkst_console *dump,
				     const struct lkst_console_source *source)
{
	unsigned int cpus = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		cpus += source->has(cpu);
	cpus = max(cpus, 1U);
	dump->share = min(dump->requested, max(source->max / cpus, 1U));
	dump->examined_max = max(LKST_CONSOLE_EXAMINED_MAX / cpus, 1UL);
	if (lkst_clock_current() != LKST_CLOCK_NS)
		dump->counter = lkst_arch_counter();
	dump->now = local_clock();
	dump->entries = source->entries;

	for_each_possible_cpu(cpu) {
		/*
		 * If there are more CPUs than lines, print only the first CPUs.
		 */
		if (dump->num + dump->share > source->max || !lkst_console_owned(dump))
			break;
		lkst_console_cpu(dump, source, cpu);
		touch_nmi_watchdog();
	}
	sort(dump->entries, dump->num, sizeof(*dump->entries), lkst_console_compare, NULL);
}

/**
 * lkst_console_gather() - copy the newest events, sorted by time
 * @dump: the console dump; the caller has set @owner, @requested and @etypes,
 *	and this function sets the other members
 *
 * Each CPU has the same share of the lines. A CPU that is stuck may have few
 * events, but these are the most important ones.
 *
 * Context: any, one call at a time. The caller holds rcu_read_lock(), as SysRq
 * and panic do, so that buffers and threads are not freed.
 */
void lkst_console_gather(struct lkst_console *dump)
{
	static const struct lkst_console_source buffers = {
		.has = lkst_console_has_buffers,
		.older = lkst_console_older,
		.entries = lkst_console_entries,
		.max = ARRAY_SIZE(lkst_console_entries),
	};

	lkst_console_gather_from(dump, &buffers);
}

/**
 * lkst_console_gather_long() - copy the newest events of the long rings
 * @dump: as for lkst_console_gather()
 *
 * Context: as for lkst_console_gather().
 */
void lkst_console_gather_long(struct lkst_console *dump)
{
	static const struct lkst_console_source rings = {
		.has = lkst_console_has_long,
		.older = lkst_console_long,
		.entries = lkst_console_long_entries,
		.max = ARRAY_SIZE(lkst_console_long_entries),
	};

	lkst_console_gather_from(dump, &rings);
}
