// SPDX-License-Identifier: GPL-2.0
/*
 * The code that the tests step through: events, event handlers, shifts, updates of the header
 * pages, and readers, on one CPU. This file is compiled with the kernel's flags.
 */
#include "shim/lkst.h"

/*
 * These functions stay undefined, because no test calls them: the CPU itself shifts, nothing uses
 * the static buffer or a long ring, and no event has a rule, or a handler that stops recording or
 * moves all CPUs to another buffer.
 */
#pragma weak lkst_queue_wake_cpu
#pragma weak lkst_static_buffer_write
#pragma weak lkst_static_buffer_read
#pragma weak lkst_select_countdown
#pragma weak lkst_select_count
#pragma weak lkst_select_counted
#pragma weak lkst_trc_stop
#pragma weak lkst_jump_all
#pragma weak lkst_actions_run
#pragma weak lkst_action_contexts
#pragma weak lkst_rule_apply
#pragma weak lkst_rule_meets
#pragma weak lkst_rule_passes
#pragma weak lkst_rules
#pragma weak lkst_action_watch_end
#pragma weak lkst_watch_time
#pragma weak lkst_watch_word
#pragma weak lkst_watch_begin_word
#pragma weak lkst_watch_end_plain
#pragma weak lkst_long_record
#pragma weak lkst_long_read
#pragma weak lkst_long_pause

/* Mark recids as lost in the reference model. Defined in cpu_world.c. */
void record_cpu_lost(u64 first, u64 recids);

#include "lkst/buffer/emit.c"
#include "lkst/dispatch/event.c"
#include "lkst/dispatch/handlers.c"
#include "lkst/buffer/image_session.c"
#include "lkst/buffer/cursor.c"
#include "lkst/read/log.c"

volatile unsigned int record_preempt_count;

static __always_inline void record_preempt_disable(void)
{
	record_preempt_count = record_preempt_count + 1;
	barrier();
}

static __always_inline void record_preempt_enable(void)
{
	barrier();
	record_preempt_count = record_preempt_count - 1;
}

/*
 * The kernel may call the probe that records a chain with preemption enabled, as it does for system
 * calls from 6.13 on. Then only chain.c keeps the records of the chain on one CPU.
 */
#define lkst_event_disable record_preempt_disable
#define lkst_event_enable  record_preempt_enable
#include "lkst/dispatch/chain.c"
#undef lkst_event_disable
#undef lkst_event_enable

unsigned long *record_chain_serial(void)
{
	return &lkst_chain_serial;
}

/*
 * Mark the recids that a shift reports as lost, then record the report. Marking them cannot wait
 * until a reader gets the report, because the report's own record may be lost before that.
 */
static void record_in(struct lkst_ring *ring, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	if (etype == LKST_ETYPE_LKST_BUFF_OVFLOW)
		record_cpu_lost(a3, a2);
	lkst_emit_in(ring, etype, a1, a2, a3, a4);
}

#define lkst_emit_in record_in
#include "lkst/buffer/shift.c"
#undef lkst_emit_in

bool record_cpu_quiescent(const struct lkst_ring *ring, unsigned long *next, u64 *from, u64 *to)
{
	return lkst_ring_quiescent(ring, next, from, to);
}
