// SPDX-License-Identifier: GPL-2.0
/*
 * Sets up the ring under test, and reads its state, with record.h's own functions.
 */
#include <string.h>

#include "path.h"

#include "shim/context.h"
#include "lkst/ring/record.h"

#define GUARD 0xa5

const struct record_context *volatile record_current;
volatile u64 record_clock RECORD_STATE;

static struct lkst_ring ring RECORD_STATE;
static struct lkst_event_record records[1 + RECORD_SLOTS_MAX + 1] ____cacheline_aligned RECORD_STATE;

void record_guard(struct lkst_event_record *guarded, unsigned long slots)
{
	memset(guarded, GUARD, (slots + 2) * sizeof(*guarded));
	memset(&guarded[1], 0, slots * sizeof(*guarded));
}

bool record_guards_intact(const struct lkst_event_record *guarded, unsigned long slots)
{
	const unsigned char *low = (const void *)guarded, *high = (const void *)&guarded[1 + slots];

	for (unsigned int i = 0; i < sizeof(*guarded); i++)
		if (low[i] != GUARD || high[i] != GUARD)
			return false;
	return true;
}

struct lkst_ring *record_ring_init(unsigned long slots, u64 lap, unsigned long slot)
{
	record_guard(records, slots);
	lkst_ring_init(&ring, &records[1], slots, 0);
	ring.index = lkst_index_next((unsigned long)lap << LKST_SLOT_BITS | slot, slots);
	ring.lap_long = (unsigned long)lap;
	return &ring;
}

void record_ring_jump(u64 laps)
{
	ring.index += (unsigned long)laps << LKST_SLOT_BITS;
}

u64 record_lap_max(void)
{
	return LKST_LAP_MASK;
}

unsigned int record_depth(void)
{
	return !lkst_ring_idle(&ring);
}

u64 record_next(void)
{
	return lkst_ring_position(&ring, lkst_ring_next(&ring));
}

unsigned long record_index(u64 recid)
{
	return (unsigned long)(recid / ring.slots) << LKST_SLOT_BITS | (recid % ring.slots);
}

u64 record_dropped(void)
{
	return ring.dropped;
}

u64 record_overwritten(void)
{
	u64 next = record_next();
	u64 oldest = next > ring.slots ? next - ring.slots : 0;

	return oldest - (ring.dropped - lkst_ring_dropped_since(&ring, oldest));
}

bool record_was_dropped(u64 recid)
{
	return lkst_ring_was_dropped(&ring, recid);
}

bool record_in_bounds(void)
{
	return record_guards_intact(records, ring.slots);
}
