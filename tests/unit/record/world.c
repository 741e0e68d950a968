// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "world.h"

#define WRITERS_MAX 16

/* An active writer. */
struct writer {
	u64 serial;
	u64 recid;
	u64 began; /* the next recid when the writer was called */
	u64 dropped, inside; /* number of drops before the call, and by nested writers */
	u64 clock_from;
	bool reserved;
};

/* The entry of the reference for one write. */
struct entry {
	u64 recid;
	u64 serial; /* number of the write; determines the record's contents, except the clock */
	u64 clock_from, clock_to;
	bool done, stored;
};

static struct {
	const struct record_start *start;
	struct lkst_ring *ring;
	u64 next; /* recid of the next record */
	u64 serial;
	u64 overwritten, dropped;
	struct writer *writers[WRITERS_MAX]; /* starting with the outermost one */
	unsigned int depth;
	struct entry last[RECORD_SLOTS_MAX]; /* the last lap; the index is recid % slots */
} world RECORD_STATE;

/*
 * Return a word that depends on @serial and @n. For two serials that are less than 4096 apart, even
 * the halves of the words all differ.
 */
static u64 word_of(u64 serial, unsigned int n)
{
	static const u64 odd[] = {
		0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93,
		0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3,
		0x1d8e4e27c47d124f, 0xeb44accab455d165,
	};

	return (serial + 1) * odd[n] ^ odd[n] >> 20;
}

struct record_context record_world_context(u64 serial)
{
	return (struct record_context){
		.thread = word_of(serial, 0),
		.pid = word_of(serial, 1),
		.pgrp = word_of(serial, 2),
		.uid = word_of(serial, 3),
		.gid = word_of(serial, 4),
		.flags = word_of(serial, 9) & LKST_RECORD_FLAGS,
	};
}

void record_world_fill(u64 serial, struct lkst_event_record *record)
{
	const struct record_context context = record_world_context(serial);
	u16 type = word_of(serial, 8) & 0xfff;

	*record = (struct lkst_event_record){
		.event_type = type < LKST_ETYPE_LKST_MIN ? type : 0,
		.flags = context.flags,
		.thread = context.thread,
		.pid = context.pid,
		.pgrp = context.pgrp,
		.uid = context.uid,
		.gid = context.gid,
		.arg = { serial, word_of(serial, 5), word_of(serial, 6), word_of(serial, 7) },
	};
}

u64 record_world_serial(const struct lkst_event_record *record)
{
	return record->arg[0];
}

bool record_world_whole(const struct lkst_event_record *record, u64 serial)
{
	struct lkst_event_record expected;

	record_world_fill(serial, &expected);
	expected.clock = record->clock;
	return !memcmp(record, &expected, sizeof(expected));
}

enum record_written record_world_call(record_writer *writer, struct lkst_ring *ring, u64 serial)
{
	const struct record_context *interrupted = record_current;
	struct record_context context = record_world_context(serial);
	struct lkst_event_record record;
	enum record_written result;

	record_world_fill(serial, &record);
	record_current = &context;
	result = writer(ring, record.event_type, record.arg[0], record.arg[1], record.arg[2],
			record.arg[3]);
	record_current = interrupted;
	return result;
}

u64 record_world_next(void)
{
	return world.next;
}

u64 record_world_oldest(void)
{
	return world.next > world.start->slots ? world.next - world.start->slots : 0;
}

/* Return the entry of a record, or NULL if it is not in the last lap. */
static struct entry *entry_of(u64 recid)
{
	struct entry *entry = &world.last[recid % world.start->slots];

	return entry->serial && entry->recid == recid ? entry : NULL;
}

u64 record_world_written(u64 recid)
{
	return entry_of(recid)->serial;
}

void record_world_init(const struct record_start *start)
{
	u64 recid = start->lap * start->slots + start->slot, first;

	memset(&world, 0, sizeof(world));
	world.start = start;
	world.serial = 1;
	record_clock = start->clock;

	/* Begin one lap before the next record, and write that lap. */
	first = recid >= start->slots ? recid - start->slots : 0;
	world.ring = record_ring_init(start->slots, first / start->slots, first % start->slots);
	world.next = first;
	world.overwritten = first;
	record_world_write_many(recid - first);
}

/* Advance the clock. The interrupted writers see the new value, too. */
static void tick(void)
{
	record_clock += world.start->tick;
}

static void reserve(struct writer *writer)
{
	struct entry *entry;

	writer->reserved = true;
	writer->recid = world.next++;
	entry = &world.last[writer->recid % world.start->slots];
	if (entry->serial && entry->done && entry->stored)
		world.overwritten++;
	*entry = (struct entry){
		.recid = writer->recid,
		.serial = writer->serial,
		.clock_from = writer->clock_from,
	};
}

/* Only the innermost of the interrupted writers can have reserved its slot since the last call. */
void record_world_track(void)
{
	struct writer *writer = world.depth ? world.writers[world.depth - 1] : NULL;
	u64 next = record_next();

	if (next == world.next + 1 && writer && !writer->reserved)
		reserve(writer);
	if (next != world.next)
		record_fail("the next recid is %llu, must be %llu", next, world.next);
}

/* Return the result that a writer must return, unless it drops the record. */
static enum record_written expected(u64 recid)
{
	unsigned long slots = world.start->slots, slot = recid % slots;

	if (!slot)
		return RECORD_LAP;
	return slot == slots - slots / 2 ? RECORD_HALF : RECORD_WRITTEN;
}

static void end(struct writer *writer, enum record_written result)
{
	struct entry *entry = entry_of(writer->recid);
	u64 dropped = record_dropped() - writer->dropped - writer->inside;

	if (!writer->reserved)
		record_fail("a writer reserved nothing");
	if (dropped > 1)
		record_fail("a writer counted %llu dropped records", dropped);
	if (dropped && writer->recid - world.writers[0]->began < world.start->slots)
		record_fail("recid %llu was dropped although the outermost writer started at %llu",
			    writer->recid, world.writers[0]->began);
	if (result != (dropped ? RECORD_WRITTEN : expected(writer->recid)))
		record_fail("recid %llu: the writer returned %d", writer->recid, result);

	world.dropped += dropped;
	if (entry) {
		entry->done = true;
		entry->stored = !dropped;
		entry->clock_to = record_clock;
	} else if (!dropped) {
		world.overwritten++;
	}
}

long record_world_write(record_writer *function, struct record_interrupt *interrupts)
{
	struct writer writer = { .dropped = record_dropped() };
	struct record_steps saved;
	unsigned int depth;
	enum record_written result;
	long executed;

	if (world.depth)
		record_world_track();
	if (world.depth == WRITERS_MAX)
		record_fail("writers nest too deep for the test");
	tick();
	writer.serial = world.serial++;
	writer.began = world.next;
	writer.clock_from = record_clock;
	depth = record_depth();
	world.writers[world.depth++] = &writer;

	record_step_enter(&saved, interrupts);
	result = record_world_call(function, world.ring, writer.serial);
	executed = record_step_leave(&saved);

	record_world_track();
	end(&writer, result);
	world.depth--;
	if (world.depth)
		world.writers[world.depth - 1]->inside += record_dropped() - writer.dropped;
	if (record_depth() != depth)
		record_fail("depth is %u after a writer, was %u before", record_depth(), depth);
	return executed;
}

void record_world_write_many(u64 num)
{
	while (num--)
		record_world_write(record_plain_write, NULL);
}

void record_world_laps(u64 laps)
{
	while (laps) {
		u64 most = record_lap_max() / 8, step = laps - 1 < most ? laps - 1 : most;

		record_ring_jump(step);
		world.next += step * world.start->slots;
		world.overwritten += step * world.start->slots;
		record_world_write_many(world.start->slots);
		laps -= step + 1;
	}
}

/*
 * Check the result of a read. @entry is the reference's entry from before the read, because writers
 * may have recorded during the read.
 */
static void check_read(const struct entry *entry, enum record_result result,
		       const struct lkst_event_record *record)
{
	bool lapped = record_next() > entry->recid + world.start->slots;
	u64 clock_to = entry->done ? entry->clock_to : record_clock;

	switch (result) {
	case RECORD_READ:
		if (entry->done && !entry->stored)
			record_fail("recid %llu was read although it was dropped", entry->recid);
		if (!record_world_whole(record, entry->serial))
			record_fail(
				"recid %llu was read but is torn or stale: serial %llu, not %llu",
				entry->recid, record_world_serial(record), entry->serial);
		if (!record->clock || record->clock < entry->clock_from ||
		    record->clock > clock_to + 1)
			record_fail("recid %llu was read with clock %#llx, not %#llx to %#llx",
				    entry->recid, (u64)record->clock, entry->clock_from, clock_to);
		return;
	case RECORD_PENDING:
		if (entry->done && entry->stored)
			record_fail("recid %llu was not read although it had been committed",
				    entry->recid);
		return;
	case RECORD_LAPPED:
		if (!lapped)
			record_fail("recid %llu was reported as overwritten, but the next is %llu",
				    entry->recid, record_next());
		return;
	}
	record_fail("the reader returned %d", result);
}

long record_world_read(record_reader *reader, u64 recid, struct record_interrupt *interrupts,
		       enum record_result *result, struct lkst_event_record *record)
{
	struct record_steps saved;

	record_step_enter(&saved, interrupts);
	*result = reader(world.ring, record_index(recid), record);
	return record_step_leave(&saved);
}

static void read_and_check(record_reader *reader, u64 recid, struct record_interrupt *interrupts)
{
	struct lkst_event_record record;
	enum record_result result;
	struct entry entry;

	if (!entry_of(recid))
		record_fail("no entry for recid %llu", recid);
	entry = *entry_of(recid);
	record_world_read(reader, recid, interrupts, &result, &record);
	check_read(&entry, result, &record);
}

void record_world_read_nth(u64 age, struct record_interrupt *interrupts)
{
	record_world_track();
	if (age <= world.next - record_world_oldest())
		read_and_check(record_stepped_read, world.next - age, interrupts);
}

void record_world_check_all(void)
{
	record_world_track();
	for (u64 recid = record_world_oldest(); recid < world.next; recid++)
		read_and_check(record_plain_read, recid, NULL);
}

void record_world_check_end(void)
{
	struct lkst_event_record record;
	u64 recid, readable = 0;

	if (world.depth || record_depth())
		record_fail("depth is %u at the end", record_depth());
	if (!record_in_bounds())
		record_fail("something was written outside the slots");
	record_world_check_all();

	for (recid = record_world_oldest(); recid < world.next; recid++) {
		readable += record_plain_read(world.ring, record_index(recid), &record) ==
			    RECORD_READ;
		if (record_was_dropped(recid) == entry_of(recid)->stored)
			record_fail("recid %llu was reported as %s", recid,
				    record_was_dropped(recid) ? "dropped" : "stored");
	}
	if (record_dropped() != world.dropped)
		record_fail("%llu records count as dropped, %llu were", record_dropped(),
			    world.dropped);
	if (record_overwritten() != world.overwritten)
		record_fail("%llu records count as overwritten, %llu were; %llu were dropped",
			    record_overwritten(), world.overwritten, world.dropped);
	if (record_next() != readable + record_overwritten() + record_dropped())
		record_fail("%llu recorded, but %llu readable + %llu overwritten + %llu dropped",
			    record_next(), readable, record_overwritten(), record_dropped());
}
