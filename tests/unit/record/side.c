// SPDX-License-Identifier: GPL-2.0
/*
 * Simulates two processors: a writer and a reader alternate, each on its own stack. The writer
 * stops at one place, the reader executes some of its own instructions, the writer continues to
 * another place, and the reader executes the rest of its instructions.
 */
#include <ucontext.h>

#include "starts.h"

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
	struct record_interrupt pause; /* where the reader stops */
	u64 recid; /* the record to read */
	bool read; /* the reader has finished */
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
	for (unsigned int write = 0; write < SIDE_WRITES; write++) {
		struct record_interrupt stops[2], *first = NULL;

		for (int i = 1; i >= 0; i--) {
			if (side.stops[i].write != write)
				continue;
			stops[i] = (struct record_interrupt){ .at = side.stops[i].instruction,
							      .run = pause_writer,
							      .next = first };
			first = &stops[i];
		}
		record_world_write(record_stepped_write, first);
	}
}

static void side_read(void)
{
	record_world_read_and_check(record_stepped_read, side.recid, &side.pause);
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

/*
 * Store the places in SIDE_WRITES writes at which the ring or its records have just changed. Return
 * the number of places.
 */
static unsigned int side_places(const struct record_start *start, struct place *places)
{
	struct record_interrupt look = { .run = digest };
	unsigned int write, i, num = 0;
	u64 last = 0;

	for (write = 0; write < SIDE_WRITES; write++) {
		for (look.at = 1, look.ran = true; look.ran && num < SIDE_PLACES; look.at++) {
			record_world_init(start);
			for (i = 0; i < write; i++)
				record_world_write(record_stepped_write, NULL);
			look.ran = false;
			record_world_write(record_stepped_write, &look);
			if (look.ran && side.digest != last)
				places[num++] = (struct place){ write, look.at };
			last = side.digest;
		}
	}
	return num;
}

/* Stop the reader before each of its instructions in turn. */
static void pause_everywhere(const struct record_start *start, const struct place *stops, u64 age)
{
	side.pause = (struct record_interrupt){ .at = 1, .run = pause_reader, .ran = true };
	for (; side.pause.ran; side.pause.at++) {
		record_note("%s, writer stops before instruction %ld of %u and %ld of %u, "
			    "reader of next - %llu before %ld",
			    start->name, stops[0].instruction, stops[0].write, stops[1].instruction,
			    stops[1].write, age, side.pause.at);
		side_by_side(start, stops, age);
	}
}

void record_case_side_by_side(const struct record_start *start)
{
	static struct place places[SIDE_PLACES];
	unsigned int num;

	if (start->slots > 2 || start->lap != 1 || start->slot != start->slots ||
	    start->clock != 1000)
		return;
	num = side_places(start, places);
	for (unsigned int first = 0; first < num; first++)
		for (unsigned int second = first + 1; second < num; second++)
			for (u64 age = 1; age <= start->slots; age++)
				pause_everywhere(start,
						 (struct place[]){ places[first], places[second] },
						 age);
}
