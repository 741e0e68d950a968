// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts for a ring: writers and readers that interrupt each other before each instruction.
 */
#include <stdio.h>

#include "script.h"
#include "starts.h"

#define NUM(array) (sizeof(array) / sizeof(*(array)))

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
 * Read the newest record, while the ring may wrap until its index has the same value again. If this
 * happens before the reader's first load, the reader cannot notice it, and may return the new
 * record. If it happens later, the reader must notice that the clock has changed, and must not
 * return a mixture of two records.
 */
static void read_either(struct record_interrupt *interrupts)
{
	u64 recid = record_world_next() - 1, serial = record_world_entry(recid)->serial;
	struct lkst_event_record record;
	enum record_result result;

	record_world_read(record_stepped_read, recid, interrupts, &result, &record);
	if (result == RECORD_READ && !record_world_whole(&record, serial) &&
	    !record_world_whole(&record, record_world_entry(record_world_next() - 1)->serial))
		record_fail("a record was read that is of two laps");
}

static void read_nth(u64 age, struct record_interrupt *interrupts)
{
	record_world_look();
	if (age <= record_world_next() - record_world_oldest())
		record_world_read_and_check(record_stepped_read, record_world_next() - age,
					    interrupts);
}

static void ring_begin(const void *start)
{
	record_world_init(start);
}

/*
 * The operations:
 *   w  write records, with the stepped writer if the operation has interrupts
 *   r  read and check a record: 1 is the newest one, a larger number an older one
 *   c  read and check all records of the last lap
 *   e  like c, and also check the counts; no writer may be active
 *   a  advance the ring by a number of laps
 *   m  read the newest record; interrupts may let the index get the same value again
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
		return read_nth(number, interrupts);
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

__attribute__((format(printf, 2, 3))) static void try(const struct record_start *start,
						      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	record_script_try(&ring, start, start->name, format, args);
	va_end(args);
}

/* ---- writers ---- */

void record_case_nested(const struct record_start *start)
{
	u64 slots = start->slots, most = record_nested_max(start);
	u64 bursts[] = { 1, slots - 1, slots, slots + 1, 2 * slots + 1, most };

	for (unsigned int i = 0; i < NUM(bursts); i++)
		if (bursts[i] != most || slots <= 2)
			try(start, "w<%lluwc>e%lluw", bursts[i], slots + 1);
}

void record_case_interrupted_twice(const struct record_start *start)
{
	u64 slots = start->slots, bursts[] = { 1, slots, slots + 1, 2 * slots + 1 };

	for (unsigned int i = 0; i < 16; i++)
		if (record_start_for_pairs(start) || (slots == RECORD_SLOTS_MAX && i == 5))
			try(start, "w<%lluw><%lluw>", bursts[i / 4], bursts[i % 4]);
}

void record_case_interrupted_thrice(const struct record_start *start)
{
	u64 slots = start->slots;

	if (slots > 2 || !record_start_for_pairs(start))
		return;
	try(start, "w<w><%lluw><w>", slots);
	try(start, "w<%lluw><%lluw><%lluw>", slots, slots + 1, slots);
}

void record_case_three_deep(const struct record_start *start)
{
	u64 slots = start->slots;

	if (slots == RECORD_SLOTS_MAX)
		try(start, "w<ww<%lluwc>w>", slots);
	if (!record_start_for_pairs(start))
		return;
	try(start, "w<w<wc>>");
	try(start, "w<w<%lluwc>w>", slots);
	try(start, "w<w<%lluwc>>", slots + 1);
	try(start, "w<%lluww<wc>>", slots - 1);
	try(start, "w<%lluww<wc>%lluw>", slots, slots);
	try(start, "w<%lluww<%lluwc>>", slots, 2 * slots + 1);
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

void record_case_bounded(const struct record_start *start)
{
	u64 slots = start->slots;

	try(start, "%llub", slots);
	try(start, "w<%llub>", slots);
}

/*
 * Check that records do not count as dropped because an earlier record, many laps ago, was dropped.
 * The lap in the index wraps, so the index of a dropped record can occur again.
 */
void record_case_dropped_long_ago(const struct record_start *start)
{
	u64 all = record_lap_max() + 1, half = all / 2 - 1;
	char jumps[256];

	snprintf(jumps, sizeof(jumps), "%lludeae2ae%lluae2ae%lluaeaeaeae%lluae%lluae%llua",
		 2 * (u64)start->slots, half, half, all - 2, all, all);
	try(start, "%s%s", jumps, jumps);
}

/* ---- readers ---- */

void record_case_reader_in_writer(const struct record_start *start)
{
	u64 slots = start->slots, bursts[] = { 0, slots - 1, slots, 2 * slots + 1 };

	for (unsigned int i = 0; i < NUM(bursts); i++)
		try(start, "w<%lluwc>", bursts[i]);
	if (slots <= 5)
		try(start, "w<w<c>>");
}

void record_case_writer_in_reader(const struct record_start *start)
{
	u64 slots = start->slots, again = slots << LKST_RECORD_LAP_BITS, age;
	u64 bursts[] = { 1, slots - 1, slots, slots + 1, 2 * slots, again - 1, again, again + 1 };

	for (unsigned int i = 0; i < NUM(bursts); i++) {
		if (bursts[i] > 8 * slots &&
		    (slots > 2 || !(record_lap_max() >> LKST_RECORD_LAP_BITS)))
			continue;
		for (age = 1; age <= (slots == RECORD_SLOTS_MAX ? 2 : slots); age++)
			try(start, "%llur<%lluw>", age, bursts[i]);
	}
}

void record_case_reader_and_writers(const struct record_start *start)
{
	u64 slots = start->slots, bursts[] = { 1, slots, 2 * slots + 1 };

	for (u64 i = 0; i < 3 * slots && record_start_for_pairs(start); i++)
		try(start, "w<%llur<%lluw>>", i / 3 + 1, bursts[i % 3]);
}

void record_case_index_comes_again(const struct record_start *start)
{
	if (start->tick && start->lap)
		try(start, "m<%llua>", record_lap_max() + 1);
}
