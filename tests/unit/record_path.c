// SPDX-License-Identifier: GPL-2.0
/*
 * The code that is stepped through: nothing but a writer and a reader. Compiled with the
 * kernel's flags.
 */
#include "record_path.h"

#ifdef RECORD_GENERIC
#include "asm-generic/lkst.h"
#else
#include "asm-x86/lkst.h"
#endif

static __always_inline u64 lkst_clock_read(unsigned int clock)
{
	(void)clock;
	return record_clock;
}

#define LKST_RECORD_CONTEXT(rec)                                        \
	do {                                                            \
		const struct record_context *_current = record_current; \
                                                                        \
		(rec)->thread = _current->thread;                       \
		(rec)->pid = _current->pid;                             \
		(rec)->pgrp = _current->pgrp;                           \
		(rec)->uid = _current->uid;                             \
		(rec)->gid = _current->gid;                             \
	} while (0)

#include "lkst/record.h"

_Static_assert((int)RECORD_READ == LKST_RING_READ && (int)RECORD_PENDING == LKST_RING_PENDING &&
		       (int)RECORD_LAPPED == LKST_RING_LAPPED,
	       "enum record_result");
_Static_assert((int)RECORD_WRITTEN == LKST_RING_WRITTEN && (int)RECORD_LAP == LKST_RING_LAP &&
		       (int)RECORD_CLOSED == LKST_RING_CLOSED,
	       "enum record_written");

enum record_written record_plain_write(struct lkst_ring *ring, u16 etype, u16 context, u64 a1,
				       u64 a2, u64 a3, u64 a4)
{
	return (enum record_written)lkst_ring_write(ring, etype, context, a1, a2, a3, a4);
}

enum record_result record_plain_read(const struct lkst_ring *ring, unsigned long index,
				     struct lkst_event_record *out)
{
	return (enum record_result)lkst_ring_read(ring, index, out);
}
