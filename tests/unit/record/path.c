// SPDX-License-Identifier: GPL-2.0
/*
 * The code that the tests step through: a writer and a reader. This file is compiled with the
 * kernel's flags.
 */
#include "path.h"

#include "shim/context.h"
#include "lkst/ring/record.h"

_Static_assert((int)RECORD_READ == LKST_RING_READ && (int)RECORD_PENDING == LKST_RING_PENDING &&
		       (int)RECORD_LAPPED == LKST_RING_LAPPED,
	       "enum record_result");
_Static_assert((int)RECORD_WRITTEN == LKST_RING_WRITTEN && (int)RECORD_LAP == LKST_RING_LAP &&
		       (int)RECORD_HALF == LKST_RING_HALF && (int)RECORD_CLOSED == LKST_RING_CLOSED,
	       "enum record_written");

enum record_written record_plain_write(struct lkst_ring *ring, u16 etype, u64 a1, u64 a2, u64 a3,
				       u64 a4)
{
	return (enum record_written)lkst_ring_write(ring, etype, 0, a1, a2, a3, a4);
}

enum record_result record_plain_read(const struct lkst_ring *ring, unsigned long index,
				     struct lkst_event_record *out)
{
	return (enum record_result)lkst_ring_read(ring, index, out);
}
