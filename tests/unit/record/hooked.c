// SPDX-License-Identifier: GPL-2.0
/*
 * record.h, compiled with the hooks of weak.h, for the model in weak.c.
 */
#include <string.h>

#include "weak.h"

#include "shim/context.h"

#undef READ_ONCE
#undef WRITE_ONCE
#undef smp_wmb
#undef smp_rmb
#undef smp_store_release
#undef smp_load_acquire
#undef lkst_local_fetch_inc
#undef lkst_local_try_cmpxchg
#undef lkst_local_clear_release
#define READ_ONCE(x)		    ((__typeof__(x))weak_load(&(x), sizeof(x), false))
#define WRITE_ONCE(x, value)	    weak_store(&(x), sizeof(x), value, false)
#define smp_wmb()		    weak_wmb()
#define smp_rmb()		    weak_rmb()
#define smp_store_release(p, value) weak_store(p, sizeof(*(p)), value, true)
#define smp_load_acquire(p)	    ((__typeof__(*(p)))weak_load(p, sizeof(*(p)), true))
#define lkst_local_fetch_inc(p)	    weak_fetch_inc(p)
#define lkst_local_try_cmpxchg(p, old, new) \
	weak_try_cmpxchg(p, old, new, (new) & ~*(old)&LKST_INDEX_BUSY)
#define lkst_local_clear_release(p, bits) weak_clear_release(p, bits)
#define lkst_clock_read(clock)		  weak_clock()

#include "lkst/ring/record.h"

static struct lkst_ring ring;
unsigned long *const weak_index = &ring.index;
struct lkst_event_record weak_records[WEAK_SLOTS];

void weak_init(unsigned long slots)
{
	memset(weak_records, 0, sizeof(weak_records));
	lkst_ring_init(&ring, weak_records, slots, 0);
}

enum record_written weak_write(struct lkst_ring *unused, u16 etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	return (enum record_written)lkst_ring_write(&ring, etype, 0, a1, a2, a3, a4);
}

void weak_close(void)
{
	lkst_ring_close(&ring);
}

u64 weak_open(void)
{
	return lkst_ring_position(&ring, lkst_ring_open(&ring, ring.slots / 2, 0));
}

void weak_all_laps(void)
{
	smp_wmb();
	WRITE_ONCE(ring.index, ring.index - (1UL << LKST_SLOT_BITS));
	smp_wmb();
}

static unsigned long index_of(u64 position)
{
	return (unsigned long)(position / ring.slots) << LKST_SLOT_BITS | (position % ring.slots);
}

bool weak_begun(u64 position)
{
	u64 behind = lkst_index_distance(lkst_ring_next(&ring), index_of(position), ring.slots);

	return behind && behind <= ring.slots;
}

bool weak_idle(void)
{
	return lkst_ring_idle(&ring);
}

bool weak_was_dropped(u64 position)
{
	return lkst_ring_was_dropped(&ring, position);
}

enum record_result weak_read(u64 position, struct lkst_event_record *out)
{
	return (enum record_result)lkst_ring_read(&ring, index_of(position), out);
}
