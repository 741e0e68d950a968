// SPDX-License-Identifier: GPL-2.0
/*
 * Simulates two processors, a writer and a reader. The writer stops at one place, the reader
 * executes some of its own instructions, the writer continues to another place, and the reader
 * executes the rest of its instructions. Readers change nothing, so the writer has to run only once:
 * each place stores the state in which the writer stopped there.
 */
#include <string.h>

#include "world.h"

#define WRITES	     3
#define INSTRUCTIONS 1024
#define PLACES	     256

struct place {
	unsigned int write;
	long instruction;
	char state[16384];
};

static struct {
	struct place places[PLACES];
	unsigned int num, write;
} side;

#define STATE_SIZE ((size_t)(__stop_record_state - __start_record_state))

/* Add a place if the ring or its reference has changed since the previous one. */
static void add_place(void *arg)
{
	const struct record_interrupt *interrupt = arg;
	struct place *place = &side.places[side.num];

	record_world_track();
	if (side.num && !memcmp(place[-1].state, __start_record_state, STATE_SIZE))
		return;
	if (side.num == PLACES || STATE_SIZE > sizeof(place->state))
		record_fail("PLACES or the size of a place is too small");
	place->write = side.write;
	place->instruction = interrupt->at;
	memcpy(place->state, __start_record_state, STATE_SIZE);
	side.num++;
}

static void restore_place(void *place)
{
	memcpy(__start_record_state, ((struct place *)place)->state, STATE_SIZE);
}

static void find_places(const struct record_start *start)
{
	static struct record_interrupt each[INSTRUCTIONS + 1];

	for (long i = 0; i < INSTRUCTIONS; i++)
		each[i] = (struct record_interrupt){ i + 1, add_place, &each[i], false,
						     &each[i + 1] };
	record_world_init(start);
	side.num = 0;
	for (side.write = 0; side.write < WRITES; side.write++)
		record_world_write(record_stepped_write, each);
	record_world_check_end();
}

/*
 * Run the reader once for each of its instructions. In each run, the writer continues just before
 * that instruction.
 */
static void read_beside(const struct record_start *start, struct place *first, struct place *second,
			u64 age)
{
	struct record_interrupt resume = { 1, restore_place, second, true, NULL };

	for (; resume.ran; resume.at++) {
		record_describe("%s, writer stops before instruction %ld of %u and %ld of %u, "
				"reader of next - %llu before %ld",
				start->name, first->instruction, first->write, second->instruction,
				second->write, age, resume.at);
		restore_place(first);
		resume.ran = false;
		record_world_read_nth(age, &resume);
	}
}

void record_case_side_by_side(const struct record_start *start)
{
	if (start->slots > 2 || start->lap != 1 || start->slot != start->slots ||
	    start->clock != 1000)
		return;
	find_places(start);
	for (unsigned int first = 0; first < side.num; first++)
		for (unsigned int second = first + 1; second < side.num; second++)
			for (u64 age = 1; age <= start->slots; age++)
				read_beside(start, &side.places[first], &side.places[second], age);
}
