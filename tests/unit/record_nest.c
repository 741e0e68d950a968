// SPDX-License-Identifier: GPL-2.0
/*
 * Writers interrupted by writers, at each instruction.
 */
#include "record_starts.h"

/* So many records by an interrupt, or by several one after the other. */
struct burst {
	u64 records;
	bool read; /* and then everything is read */
};

static void burst(void *arg)
{
	const struct burst *this = arg;

	record_world_write_many(this->records);
	if (this->read)
		record_world_check_all();
}

void record_case_nested(const struct record_start *start)
{
	u64 slots = start->slots, most = record_nested_max(start);
	u64 bursts[] = { 1, slots - 1, slots, slots + 1, 2 * slots + 1, most };
	unsigned int i;

	for (i = 0; i < sizeof(bursts) / sizeof(*bursts); i++) {
		struct burst nested = { bursts[i], true };
		struct record_interrupt interrupt = { .run = burst, .arg = &nested };

		if (bursts[i] == most && slots > 2)
			continue;
		for (interrupt.at = 1;; interrupt.at++) {
			record_note("%s, %llu nested records before instruction %ld", start->name,
				    nested.records, interrupt.at);
			record_world_init(start);
			interrupt.ran = false;
			record_world_write(record_stepped_write, &interrupt, 1);
			record_world_check_end();
			record_world_write_many(slots + 1);
			record_world_check_end();
			if (!interrupt.ran)
				break;
		}
	}
}

/* All places for @num interrupts, the n-th of which writes bursts[n]. */
static void interrupted(const struct record_start *start, const u64 *bursts, unsigned int num)
{
	struct burst nested[3];
	long at[3] = { 1, 2, 3 };
	unsigned int i;

	for (i = 0; i < num; i++)
		nested[i] = (struct burst){ bursts[i], false };
	for (;;) {
		struct record_interrupt interrupts[3];

		for (i = 0; i < num; i++)
			interrupts[i] =
				(struct record_interrupt){ at[i], burst, &nested[i], false };
		record_note(
			"%s, %llu records before instruction %ld, %llu before %ld, %llu before %ld",
			start->name, bursts[0], at[0], bursts[1], at[1], num > 2 ? bursts[2] : 0,
			num > 2 ? at[2] : 0);
		record_world_init(start);
		record_world_write(record_stepped_write, interrupts, num);
		record_world_check_end();

		/* Move the last one that the writer was long enough for. */
		for (i = num; i && !interrupts[i - 1].ran; i--)
			;
		if (!i)
			break;
		for (at[i - 1]++; i < num; i++)
			at[i] = at[i - 1] + 1;
	}
}

void record_case_interrupted_twice(const struct record_start *start)
{
	u64 slots = start->slots, bursts[] = { 1, slots, slots + 1, 2 * slots + 1 };
	unsigned int i;

	for (i = 0; i < 16; i++)
		if (record_start_for_pairs(start) || (slots == RECORD_SLOTS_MAX && i == 5))
			interrupted(start, (u64[]){ bursts[i / 4], bursts[i % 4] }, 2);
}

void record_case_interrupted_thrice(const struct record_start *start)
{
	u64 slots = start->slots;

	if (slots > 2 || !record_start_for_pairs(start))
		return;
	interrupted(start, (u64[]){ 1, slots, 1 }, 3);
	interrupted(start, (u64[]){ slots, slots + 1, slots }, 3);
}

/* An interrupt whose writer is itself interrupted. */
struct nest {
	u64 before, after; /* records around that writer */
	struct record_interrupt inner;
};

static void nest(void *arg)
{
	struct nest *this = arg;

	record_world_write_many(this->before);
	record_world_write(record_stepped_write, &this->inner, 1);
	record_world_write_many(this->after);
}

static void three_deep(const struct record_start *start, u64 before, u64 innermost, u64 after)
{
	struct burst nmi = { innermost, true };
	struct nest nested = { before, after, { .run = burst, .arg = &nmi } };
	struct record_interrupt interrupt = { .run = nest, .arg = &nested };

	for (interrupt.at = 1, interrupt.ran = true; interrupt.ran; interrupt.at++) {
		for (nested.inner.at = 1, nested.inner.ran = true; nested.inner.ran;
		     nested.inner.at++) {
			record_note(
				"%s, before instruction %ld: %llu, one with %llu before its instruction %ld, %llu",
				start->name, interrupt.at, before, innermost, nested.inner.at,
				after);
			record_world_init(start);
			interrupt.ran = nested.inner.ran = false;
			record_world_write(record_stepped_write, &interrupt, 1);
			record_world_check_end();
		}
	}
}

void record_case_three_deep(const struct record_start *start)
{
	u64 slots = start->slots;

	if (slots == RECORD_SLOTS_MAX)
		three_deep(start, 1, slots, 1);
	if (!record_start_for_pairs(start))
		return;
	three_deep(start, 0, 1, 0);
	three_deep(start, 0, slots, 1);
	three_deep(start, 0, slots + 1, 0);
	three_deep(start, slots - 1, 1, 0);
	three_deep(start, slots, 1, slots);
	three_deep(start, slots, 2 * slots + 1, 0);
}

/* A generator of its own: the same numbers everywhere. */
static u64 state;

static unsigned int random_below(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 33) % limit;
}

static void random_interrupt(void *arg);

static void random_write(unsigned int depth)
{
	struct record_interrupt interrupts[4];
	unsigned int i, num = random_below(4);
	long at = 0;

	for (i = 0; i < num; i++) {
		at += 1 + random_below(40);
		interrupts[i] = (struct record_interrupt){
			.at = at,
			.run = random_interrupt,
			.arg = (void *)(unsigned long)(depth + 1),
		};
	}
	record_world_write(record_stepped_write, interrupts, num);
}

static void random_interrupt(void *arg)
{
	unsigned int depth = (unsigned int)(unsigned long)arg, num = random_below(3);
	u64 slots = record_world_next() - record_world_oldest();

	if (!random_below(4))
		record_world_write_many(random_below(3 * (unsigned int)slots + 2));
	while (depth < 4 && num--)
		random_write(depth);
	if (!random_below(4))
		record_world_check_all();
}

void record_case_random(const struct record_start *start)
{
	unsigned int round, writes;

	state = 0x5eed + start->slots;
	for (round = 0; round < 2000; round++) {
		record_note("%s, round %u", start->name, round);
		record_world_init(start);
		for (writes = random_below(6); writes; writes--)
			random_write(1);
		record_world_check_end();
	}
}

static long longest_writer(u64 writers)
{
	long longest = 0;

	while (writers--) {
		long executed = record_world_write(record_stepped_write, NULL, 0);

		if (longest < executed)
			longest = executed;
	}
	return longest;
}

/* A writer takes no more steps later on than at first. */
static void check_bounded(void *arg)
{
	u64 slots = *(const u64 *)arg;
	long first, later;

	first = longest_writer(2 * slots);
	record_world_write_many(100 * slots);
	later = longest_writer(2 * slots);
	if (later > first)
		record_fail("writers take up to %ld instructions, %ld after 100 laps", first,
			    later);
}

void record_case_bounded(const struct record_start *start)
{
	u64 slots = start->slots;
	struct record_interrupt interrupt = { 1, check_bounded, &slots, true };

	record_note("%s", start->name);
	record_world_init(start);
	check_bounded(&slots);
	for (; interrupt.ran; interrupt.at++) {
		record_note("%s, in a writer before instruction %ld", start->name, interrupt.at);
		record_world_init(start);
		interrupt.ran = false;
		record_world_write(record_stepped_write, &interrupt, 1);
	}
}

/* A writer with as many nested ones as it takes until some are dropped. */
static void drop_some(u64 slots)
{
	struct burst nested = { 2 * slots, false };
	struct record_interrupt interrupt = { 1, burst, &nested, true };
	u64 dropped = record_dropped();

	for (; record_dropped() == dropped && interrupt.ran; interrupt.at++) {
		interrupt.ran = false;
		record_world_write(record_stepped_write, &interrupt, 1);
	}
}

/*
 * What was dropped once is counted where it was, however long ago. A lap's number comes
 * again in the index after as many laps as that has room for.
 */
void record_case_dropped_long_ago(const struct record_start *start)
{
	u64 all = record_lap_max() + 1;
	u64 laps[] = { 1, 2, all / 2 - 1, 2, all / 2 - 1, 1, 1, 1, all - 2, all, all };
	unsigned int i, again;

	record_world_init(start);
	for (again = 0; again < 2; again++) {
		drop_some(start->slots);
		for (i = 0; i < sizeof(laps) / sizeof(*laps); i++) {
			record_note("%s, %u of the jumps", start->name, i);
			record_world_check_end();
			record_world_laps(laps[i]);
		}
	}
	record_world_check_end();
}
