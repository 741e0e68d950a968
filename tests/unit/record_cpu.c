// SPDX-License-Identifier: GPL-2.0
/*
 * What is stepped through: events, handlers, shifts, what they note for an image of memory, and
 * readers as the kernel has them, on one CPU. Compiled with the kernel's flags.
 */
#include "shim/lkst.h"

/* The reference takes note of it: record_cpu_world.c. */
void record_cpu_lost(u64 first, u64 recids);

#include "lkst/event.c"
#include "lkst/handlers.c"
#include "lkst/image_note.c"
#include "lkst/read.c"

/* What a shift reports as lost, seen where it is recorded: the record itself may be lost later. */
static void record_in(struct lkst_ring *ring, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	if (etype == LKST_ETYPE_LKST_BUFF_OVFLOW)
		record_cpu_lost(a3, a2);
	lkst_emit_in(ring, etype, a1, a2, a3, a4);
}

#define lkst_emit_in record_in
#include "lkst/shift.c"
#undef lkst_emit_in

bool record_cpu_settled(const struct lkst_ring *ring, unsigned long *next, u64 *from, u64 *to)
{
	return lkst_ring_quiescent(ring, next, from, to);
}
