// SPDX-License-Identifier: GPL-2.0
/*
 * Readers among writers: at each instruction of the one something of the other.
 */
#include <ucontext.h>

#include "record_starts.h"

/* What happens at an instruction of a writer: so many records, and then a reader. */
static void write_and_read(void *arg)
{
	record_world_write_many(*(u64 *)arg);
	record_world_check_all();
}

struct nested_writer {
	struct record_interrupt interrupt;
	u64 records;
};

static void write_interrupted(void *arg)
{
	struct nested_writer *this = arg;

	record_world_write(record_stepped_write, &this->interrupt, 1);
}

void record_case_reader_in_writer(const struct record_start *start)
{
	u64 slots = start->slots, bursts[] = { 0, slots - 1, slots, 2 * slots + 1 };
	struct nested_writer nested = { .interrupt = { .run = write_and_read } };
	struct record_interrupt interrupt;
	unsigned int i;

	for (i = 0; i < sizeof(bursts) / sizeof(*bursts); i++) {
		interrupt = (struct record_interrupt){ 1, write_and_read, &bursts[i], true };
		for (; interrupt.ran; interrupt.at++) {
			record_note("%s, %llu records and a reader before instruction %ld",
				    start->name, bursts[i], interrupt.at);
			record_world_init(start);
			interrupt.ran = false;
			record_world_write(record_stepped_write, &interrupt, 1);
			record_world_check_end();
		}
	}

	nested.interrupt.arg = &nested.records;
	interrupt = (struct record_interrupt){ 1, write_interrupted, &nested, true };
	for (; interrupt.ran && slots <= 5; interrupt.at++) {
		nested.interrupt.at = 1;
		for (nested.interrupt.ran = true; nested.interrupt.ran; nested.interrupt.at++) {
			record_note(
				"%s, before instruction %ld a writer with a reader before instruction %ld",
				start->name, interrupt.at, nested.interrupt.at);
			record_world_init(start);
			interrupt.ran = nested.interrupt.ran = false;
			record_world_write(record_stepped_write, &interrupt, 1);
			record_world_check_end();
		}
	}
}

static void write_many(void *arg)
{
	record_world_write_many(*(u64 *)arg);
}

/* Read @recid, with @num interrupts. */
static void read_stepped(u64 recid, struct record_interrupt *interrupts, unsigned int num)
{
	struct lkst_event_record record;
	struct record_steps saved;
	enum record_result result;
	struct record_entry entry;

	record_world_look();
	entry = *record_world_entry(recid);
	record_step_enter(&saved, interrupts, num);
	result = record_stepped_read(record_world_ring(), record_index(recid), &record);
	record_step_leave(&saved);
	record_world_check_read(&entry, result, &record);
}

void record_case_writer_in_reader(const struct record_start *start)
{
	u64 slots = start->slots, again = slots << LKST_RECORD_LAP_BITS, recid;
	u64 bursts[] = { 1, slots - 1, slots, slots + 1, 2 * slots, again - 1, again, again + 1 };
	unsigned int i;

	for (i = 0; i < sizeof(bursts) / sizeof(*bursts); i++) {
		if (bursts[i] > 8 * slots &&
		    (slots > 2 || !(record_lap_max() >> LKST_RECORD_LAP_BITS)))
			continue;
		record_world_init(start);
		recid = record_world_oldest();
		if (slots == RECORD_SLOTS_MAX && recid < record_world_next())
			recid = record_world_next() - 2;
		for (; recid < record_world_next(); recid++) {
			struct record_interrupt interrupt = { 1, write_many, &bursts[i], true };

			for (; interrupt.ran; interrupt.at++) {
				record_note(
					"%s, %llu records before instruction %ld of the reader of %llu",
					start->name, bursts[i], interrupt.at, recid);
				interrupt.ran = false;
				read_stepped(recid, &interrupt, 1);
				record_world_init(start);
			}
		}
	}
}

/* A reader that runs while a writer is interrupted, and is itself interrupted by writers. */
struct reading {
	u64 age; /* of the record to read: 1 is the newest */
	struct record_interrupt interrupt;
};

static void read_interrupted(void *arg)
{
	struct reading *this = arg;

	record_world_look();
	if (this->age <= record_world_next() - record_world_oldest())
		read_stepped(record_world_next() - this->age, &this->interrupt, 1);
}

static void reader_and_writers(const struct record_start *start, u64 age, u64 records)
{
	struct reading reading = { age, { .run = write_many, .arg = &records } };
	struct record_interrupt interrupt = { 1, read_interrupted, &reading, true };

	for (; interrupt.ran; interrupt.at++) {
		reading.interrupt.at = 1;
		for (reading.interrupt.ran = true; reading.interrupt.ran; reading.interrupt.at++) {
			record_note(
				"%s, before instruction %ld of a writer a reader of next - %llu, with %llu records before its instruction %ld",
				start->name, interrupt.at, age, records, reading.interrupt.at);
			record_world_init(start);
			interrupt.ran = reading.interrupt.ran = false;
			record_world_write(record_stepped_write, &interrupt, 1);
			record_world_check_end();
		}
	}
}

void record_case_reader_and_writers(const struct record_start *start)
{
	u64 slots = start->slots, age;

	for (age = 1; age <= slots && record_start_for_pairs(start); age++) {
		reader_and_writers(start, age, 1);
		reader_and_writers(start, age, slots);
		reader_and_writers(start, age, 2 * slots + 1);
	}
}

/*
 * Two processors: a writer and a reader side by side, each on a stack of its own. The
 * writer stops at a place, the reader reads a part, the writer goes on to another place,
 * and the reader reads the rest.
 */
#define SIDE_WRITES 3
#define SIDE_PLACES 256
#define SIDE_STACK  (64 * 1024)

struct place {
	unsigned int write;
	long instruction;
};

static struct {
	ucontext_t main, writer, reader;
	struct place stops[2];
	struct record_interrupt pause; /* of the reader */
	u64 recid;
	bool read;
	unsigned int write; /* the writer's */
	u64 digest;
} side;

static void pause_writer(void *arg)
{
	(void)arg;
	swapcontext(&side.writer, &side.main);
}

static void pause_reader(void *arg)
{
	(void)arg;
	swapcontext(&side.reader, &side.main);
}

static void side_write(void)
{
	struct record_interrupt stops[2];
	unsigned int i, num;

	for (side.write = 0; side.write < SIDE_WRITES; side.write++) {
		for (i = 0, num = 0; i < 2; i++)
			if (side.stops[i].write == side.write)
				stops[num++] =
					(struct record_interrupt){ .at = side.stops[i].instruction,
								   .run = pause_writer };
		record_world_write(record_stepped_write, stops, num);
	}
}

static void side_read(void)
{
	read_stepped(side.recid, &side.pause, 1);
	side.read = true;
}

static void side_start(ucontext_t *context, char *stack, void (*function)(void))
{
	getcontext(context);
	context->uc_stack.ss_sp = stack;
	context->uc_stack.ss_size = SIDE_STACK;
	context->uc_link = &side.main;
	makecontext(context, function, 0);
}

static void side_by_side(const struct record_start *start, const struct place *stops, u64 age)
{
	static char stacks[2][SIDE_STACK] __attribute__((aligned(64)));

	record_world_init(start);
	side.stops[0] = stops[0];
	side.stops[1] = stops[1];
	side.pause.ran = side.read = false;
	side_start(&side.writer, stacks[0], side_write);
	swapcontext(&side.main, &side.writer);
	record_world_look();
	if (age <= record_world_next() - record_world_oldest()) {
		side.recid = record_world_next() - age;
		side_start(&side.reader, stacks[1], side_read);
		swapcontext(&side.main, &side.reader);
		swapcontext(&side.main, &side.writer);
		if (!side.read)
			swapcontext(&side.main, &side.reader);
	} else {
		swapcontext(&side.main, &side.writer);
	}
	swapcontext(&side.main, &side.writer);
	record_world_check_end();
}

static void digest(void *arg)
{
	(void)arg;
	side.digest = record_digest();
}

/* The instructions of SIDE_WRITES writers before which something has just changed. */
static unsigned int side_places(const struct record_start *start, struct place *places)
{
	struct record_interrupt look = { .run = digest };
	unsigned int write, i, num = 0;
	u64 last = 0;

	for (write = 0; write < SIDE_WRITES; write++) {
		for (look.at = 1, look.ran = true; look.ran && num < SIDE_PLACES; look.at++) {
			record_world_init(start);
			for (i = 0; i < write; i++)
				record_world_write(record_stepped_write, NULL, 0);
			look.ran = false;
			record_world_write(record_stepped_write, &look, 1);
			if (look.ran && side.digest != last)
				places[num++] = (struct place){ write, look.at };
			last = side.digest;
		}
	}
	return num;
}

void record_case_side_by_side(const struct record_start *start)
{
	static struct place places[SIDE_PLACES];

	unsigned int num, first, second;
	struct place stops[2];
	u64 age;

	if (start->slots > 2 || start->lap != 1 || start->slot != start->slots ||
	    start->clock != 1000)
		return;
	num = side_places(start, places);
	for (first = 0; first < num; first++) {
		for (second = first + 1; second < num; second++) {
			for (age = 1; age <= start->slots; age++) {
				stops[0] = places[first];
				stops[1] = places[second];
				side.pause =
					(struct record_interrupt){ 1, pause_reader, NULL, true };
				for (; side.pause.ran; side.pause.at++) {
					record_note(
						"%s, writer stops before instruction %ld of %u and %ld of %u, reader of next - %llu before %ld",
						start->name, stops[0].instruction, stops[0].write,
						stops[1].instruction, stops[1].write, age,
						side.pause.at);
					side_by_side(start, stops, age);
				}
			}
		}
	}
}

/*
 * While a reader reads, the ring goes round so often that the index is the same again.
 * Before the first look, no reader can tell; after it, the clock can.
 */
static void all_laps(void *arg)
{
	(void)arg;
	record_world_laps(record_lap_max() + 1);
}

void record_case_index_comes_again(const struct record_start *start)
{
	struct record_interrupt interrupt = { 1, all_laps, NULL, true };
	const struct record_entry *later;
	struct lkst_event_record record;
	struct record_steps saved;
	enum record_result result;
	struct record_entry entry;

	if (!start->tick || start->lap == 0)
		return;
	for (; interrupt.ran; interrupt.at++) {
		record_note("%s, all laps before instruction %ld of the reader", start->name,
			    interrupt.at);
		record_world_init(start);
		entry = *record_world_entry(record_world_next() - 1);
		interrupt.ran = false;
		record_step_enter(&saved, &interrupt, 1);
		result = record_stepped_read(record_world_ring(), record_index(entry.recid),
					     &record);
		record_step_leave(&saved);
		later = record_world_entry(record_world_next() - 1);
		if (result == RECORD_READ && !record_world_whole(&record, entry.serial) &&
		    !record_world_whole(&record, later->serial))
			record_fail("a record was read that is of two laps");
	}
}
