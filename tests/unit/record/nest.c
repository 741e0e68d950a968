// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts for a ring: writers and readers that interrupt each other before each instruction.
 */
#include "script.h"
#include "world.h"

#define TWICE(script) script script

static long longest_writer(u64 writers)
{
	long longest = 0;

	while (writers--) {
		long executed = record_world_write(record_stepped_write, NULL);

		if (longest < executed)
			longest = executed;
	}
	return longest;
}

/* Check that a writer executes no more instructions after many laps than in the first laps. */
static void check_bounded(u64 slots)
{
	long first, later;

	first = longest_writer(2 * slots);
	record_world_write_many(100 * slots);
	later = longest_writer(2 * slots);
	if (later > first)
		record_fail("writers take up to %ld instructions, %ld after 100 laps", first,
			    later);
}

static void write_many(void *num)
{
	record_world_write_many(*(u64 *)num);
}

/*
 * Interrupt a writer with @records nested writers, at the first place where some of their records
 * are dropped.
 */
static void drop_some(u64 records)
{
	struct record_interrupt interrupt = { 1, write_many, &records, true, NULL };
	u64 dropped = record_dropped();

	for (; record_dropped() == dropped && interrupt.ran; interrupt.at++) {
		interrupt.ran = false;
		record_world_write(record_stepped_write, &interrupt);
	}
}

/*
 * Read the newest record. Meanwhile, the ring may wrap so often that its index returns to the same
 * value. If this happens before the reader's first load, the reader cannot notice it, and may
 * return the new record. If it happens later, the reader must notice that the clock has changed,
 * and must not return a mixture of two records.
 */
static void read_either(struct record_interrupt *interrupts)
{
	u64 recid = record_world_next() - 1, serial = record_world_written(recid);
	struct lkst_event_record record;
	enum record_result result;

	record_world_read(record_stepped_read, recid, interrupts, &result, &record);
	if (result == RECORD_READ && !record_world_whole(&record, serial) &&
	    !record_world_whole(&record, record_world_written(record_world_next() - 1)))
		record_fail("a record was read that is of two laps");
}

static unsigned long ring_begin(const void *arg)
{
	const struct record_start *start = arg;

	record_world_init(start);
	return start->slots;
}

/*
 * The operations:
 *   w  write records, with the stepped writer if the operation has interrupts
 *   r  read and check a record; the argument is 1 for the newest one, 2 for the one before it, ...
 *   c  read and check all records of the last lap
 *   e  like c, and also check the counts; no writer may be active
 *   a  advance the ring by a number of laps
 *   m  read the newest record, while interrupts may advance the ring until its index has the same
 *      value again
 *   d  interrupt a writer with nested writers, at a place where records are dropped
 *   b  check that writers execute a bounded number of instructions; the argument is the number of
 *      slots
 */
static void ring_run(char op, u64 number, struct record_interrupt *interrupts)
{
	switch (op) {
	case 'w':
		while (number--)
			record_world_write(interrupts ? record_stepped_write : record_plain_write,
					   interrupts);
		return;
	case 'r':
		return record_world_read_nth(number, interrupts);
	case 'c':
		return record_world_check_all();
	case 'e':
		return record_world_check_end();
	case 'a':
		return record_world_laps(number);
	case 'm':
		return read_either(interrupts);
	case 'd':
		return drop_some(number);
	case 'b':
		return check_bounded(number);
	}
	record_fail("no operation %c", op);
}

static const struct record_world ring = { ring_begin, ring_run, record_world_check_end };

/* The properties of a state. */
enum {
	TWO = 1 << 0, /* at most 2 slots */
	FIVE = 1 << 1, /* at most 5 slots */
	MOST = 1 << 2, /* RECORD_SLOTS_MAX slots */
	LATER = 1 << 3, /* not the first lap, and the clock advances */
	/*
	 * The tests that try all pairs or triples of instructions take a long time, so they run
	 * only from the few states that have this property.
	 */
	PAIRS = 1 << 4,
	WIDE = 1 << 5, /* an index has more bits for the lap than a record */
};

static unsigned int properties(const struct record_start *start)
{
	unsigned long slots = start->slots;
	bool later = start->lap && start->tick, second = start->lap == 1 && start->slot == slots;

	return (slots <= 2 ? TWO : 0) | (slots <= 5 ? FIVE : 0) |
	       (slots == RECORD_SLOTS_MAX ? MOST : 0) | (later ? LATER : 0) |
	       (slots == 3 || (slots < 3 && later && second) ? PAIRS : 0) |
	       (record_lap_max() >> LKST_RECORD_LAP_BITS ? WIDE : 0);
}

/* Each script runs from the states that have all properties in @from. */
static const struct record_script scripts[] = {
	{ "nested", 0, "w<{1,N-1,N,N+1,2N+1}wc>eN+1w" },
	/* The nested writers write as many records as they may ("Limits" in record-path.rst). */
	{ "nested", TWO, "w<1020Nwc>eN+1w" },
	{ "nested", TWO | WIDE, "w<2046Nwc>eN+1w" },
	{ "interrupted-twice", PAIRS, "w<{1,N,N+1,2N+1}w><{1,N,N+1,2N+1}w>" },
	{ "interrupted-twice", MOST, "w<Nw><Nw>" },
	{ "interrupted-thrice", PAIRS | TWO, "w{<w><Nw><w>,<Nw><N+1w><Nw>}" },
	{ "three-deep", MOST, "w<ww<Nwc>w>" },
	{ "three-deep", PAIRS, "w<w<wc>>" },
	{ "three-deep", PAIRS, "w<w<Nwc>w>" },
	{ "three-deep", PAIRS, "w<w<N+1wc>>" },
	{ "three-deep", PAIRS, "w<N-1ww<wc>>" },
	{ "three-deep", PAIRS, "w<Nww<wc>Nw>" },
	{ "three-deep", PAIRS, "w<Nww<2N+1wc>>" },
	{ "bounded", 0, "{Nb,w<Nb>}" },
	/*
	 * The lap in the index wraps, so a record can have the same index as a record that was
	 * dropped many laps ago. The new record must not count as dropped.
	 */
	{ "dropped-long-ago", 0, TWICE("2Ndeae2aeL/2-1ae2aeL/2-1aeaeaeaeL-2aeLaeLa") },
	{ "reader-in-writer", 0, "w<{0,N-1,N,2N+1}wc>" },
	{ "reader-in-writer", FIVE, "w<w<c>>" },
	/* 'r' does nothing if the ring has fewer records than the argument of 'r' says. */
	{ "writer-in-reader", FIVE, "{1,2,3,4,5}r<{1,N-1,N,N+1,2N}w>" },
	{ "writer-in-reader", MOST, "{1,2}r<{1,N-1,N,N+1,2N}w>" },
	{ "writer-in-reader", TWO | WIDE, "{1,2}r<{2048N-1,2048N,2048N+1}w>" },
	{ "reader-and-writers", PAIRS, "w<{1,2,3}r<{1,N,2N+1}w>>" },
	{ "index-comes-again", LATER, "m<La>" },
};

void record_case_ring_scripts(const struct record_start *start)
{
	for (unsigned int i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		if (!(scripts[i].from & ~properties(start)))
			record_script_try(&ring, start, start->name, &scripts[i]);
}

void record_case_random(const struct record_start *start)
{
	record_script_random(&ring, start, start->name,
			     &(struct record_random){ .rounds = 2000,
						      .ops = 6,
						      .letters = "wwwwwc",
						      .atomic = "c",
						      .number = 3 * (unsigned int)start->slots + 2,
						      .place = 40 });
}
