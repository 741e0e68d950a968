// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "world.h"

static const unsigned long slots[] = { 1, 2, 3, 4, 5, RECORD_SLOTS_MAX };

/*
 * Places of the next record: in the first, second or last lap that the index can count, at a slot
 * or beyond the last slot.
 */
static const struct {
	enum {
		FIRST,
		SECOND,
		LAST
	} lap;
	int slot; /* if negative: slots + 1 + slot, so -1 is beyond the last slot */
	const char *name;
} places[] = {
	{ FIRST, 0, "fresh" },
	{ SECOND, -2, "before the last slot" },
	{ SECOND, -1, "after the last slot" },
	{ LAST, -2, "before the last slot of all laps" },
	{ LAST, -1, "after the last slot of all laps" },
};

/* A clock that advances, and clocks that stand still: at 1000, at 0, and with a low half of 0. */
static const struct {
	u64 clock, tick;
	const char *name;
} clocks[] = {
	{ 1000, 1, "" },
	{ 1000, 0, ", clock stands" },
	{ 0, 0, ", clock 0" },
	{ 1ull << 32, 0, ", low half of the clock 0" },
};

#define SLOTS  (sizeof(slots) / sizeof(*slots))
#define PLACES (sizeof(places) / sizeof(*places))
#define CLOCKS (sizeof(clocks) / sizeof(*clocks))
#define STARTS (SLOTS * PLACES + CLOCKS - 1)

/*
 * With the first clock, there is a state for each size and place. With each of the other clocks,
 * there is only one state: a ring of 2 slots, after the last slot of its second lap.
 */
const struct record_start *record_start(unsigned int n)
{
	static char name[80];
	static struct record_start start;
	unsigned int clock = n < SLOTS * PLACES ? 0 : n - SLOTS * PLACES + 1;
	unsigned int place = clock ? 2 : n % PLACES;
	u64 laps[] = { 0, 1, record_lap_max() };

	if (n >= STARTS)
		return NULL;
	start.slots = clock ? 2 : slots[n / PLACES];
	start.lap = laps[places[place].lap];
	start.slot = places[place].slot + (places[place].slot < 0 ? start.slots + 1 : 0);
	start.clock = clocks[clock].clock;
	start.tick = clocks[clock].tick;
	snprintf(name, sizeof(name), "%lu slots, %s%s", start.slots, places[place].name,
		 clocks[clock].name);
	start.name = name;
	return &start;
}
