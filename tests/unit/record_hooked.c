// SPDX-License-Identifier: GPL-2.0
/*
 * record.h for record_weak.c.
 */
#include <string.h>

#include "record_weak.h"

#undef READ_ONCE
#undef WRITE_ONCE
#undef smp_wmb
#undef smp_rmb
#undef smp_store_release
#undef smp_load_acquire
#define READ_ONCE(x)			((__typeof__(x))weak_load(&(x), sizeof(x), false))
#define WRITE_ONCE(x, value)		weak_store(&(x), sizeof(x), value, false)
#define smp_wmb()			weak_wmb()
#define smp_rmb()			weak_rmb()
#define smp_store_release(p, value)	weak_store(p, sizeof(*(p)), value, true)
#define smp_load_acquire(p)		((__typeof__(*(p)))weak_load(p, sizeof(*(p)), true))
#define lkst_local_fetch_inc(p)		weak_fetch_inc(p)
#define lkst_local_cmpxchg(p, old, new) weak_cmpxchg(p, old, new)

static inline u64 lkst_clock_read(unsigned int clock)
{
	(void)clock;
	return weak_clock();
}

#define LKST_RECORD_CONTEXT(rec)                        \
	do {                                            \
		(rec)->thread = record_current->thread; \
		(rec)->pid = record_current->pid;       \
		(rec)->pgrp = record_current->pgrp;     \
		(rec)->uid = record_current->uid;       \
		(rec)->gid = record_current->gid;       \
	} while (0)

#include "lkst/record.h"

static struct lkst_ring ring;
static struct lkst_event_record records[WEAK_SLOTS];

unsigned long *weak_index(void)
{
	return &ring.index;
}

struct weak_area weak_records_area(void)
{
	return (struct weak_area){ records, sizeof(records) };
}

void weak_init(unsigned long slots)
{
	memset(records, 0, sizeof(records));
	lkst_ring_init(&ring, records, slots, 0);
}

bool weak_write(struct lkst_ring *unused, u16 etype, u16 context, u64 a1, u64 a2, u64 a3, u64 a4)
{
	(void)unused;
	return lkst_ring_write(&ring, etype, context, a1, a2, a3, a4);
}

bool weak_read(u64 recid, struct lkst_event_record *out, enum record_result *result)
{
	unsigned long index = (unsigned long)(recid / ring.slots) << LKST_SLOT_BITS |
			      (recid % ring.slots);
	u64 behind = lkst_index_distance(lkst_ring_next(&ring), index, ring.slots);

	if (!behind || behind > ring.slots)
		return false;
	*result = (enum record_result)lkst_ring_read(&ring, index, out);
	return true;
}
