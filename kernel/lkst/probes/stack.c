// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "stack" (0x0f0).
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/stacktrace.h>
#include <trace/events/sched.h>

#include "../dispatch/chain.h"
#include "../dispatch/event.h"
#include "../source/source.h"

#define LKST_BLOCK_STACK	16	/* return addresses to record */
#define LKST_BLOCK_INNER	8	/* innermost addresses to skip, at most */

/*
 * Upper limit of the size of schedule(). The functions that follow it in memory
 * also belong to the scheduler.
 */
#define LKST_SCHEDULE_SIZE	SZ_512

static bool lkst_in_schedule(unsigned long address)
{
	return address - (unsigned long)schedule < LKST_SCHEDULE_SIZE;
}

/*
 * Return the index of the first return address in a caller of schedule(). The
 * addresses before it are in schedule(), in the functions that it calls, and in
 * the code that calls this probe. If no address is in schedule(), return 0.
 */
static unsigned int lkst_block_first(const unsigned long *at, unsigned int num)
{
	unsigned int i, first = 0;

	for (i = 0; i < min_t(unsigned int, num, LKST_BLOCK_INNER); i++)
		if (lkst_in_schedule(at[i]))
			first = i + 1;
	return first;
}

/*
 * Record the stack of a thread that goes to sleep. A thread that exits never
 * runs again, so its stack is not recorded.
 *
 * Context: the scheduler has disabled interrupts and holds the lock of the
 * runqueue.
 */
static void lkst_probe_sched_switch_block(void *data, bool preempt, struct task_struct *prev,
					  struct task_struct *next, unsigned int prev_state)
{
	unsigned long at[LKST_BLOCK_INNER + LKST_BLOCK_STACK];
	struct lkst_payload payload = {};
	u64 stack[LKST_BLOCK_STACK];
	unsigned int num, first, i;

	if (preempt || !prev_state || prev_state & TASK_DEAD)
		return;
	lkst_probe_begin();
	num = stack_trace_save(at, ARRAY_SIZE(at), 0);
	first = lkst_block_first(at, num);
	num = min_t(unsigned int, num - first, LKST_BLOCK_STACK);
	for (i = 0; i < num; i++)
		stack[i] = at[first + i];
	payload.data = stack;
	payload.bytes = num * sizeof(*stack);
	lkst_event_chain(LKST_ETYPE_PROCESS_BLOCK, &payload);
	lkst_probe_end();
}

struct lkst_source lkst_sources_stack[] = {
	LKST_SOURCE(sched_switch, lkst_probe_sched_switch_block, LKST_ETYPE_PROCESS_BLOCK),
	/* Recorded by the action "stack" of rules */
	LKST_SOURCE_ON_REQUEST(rule, LKST_ETYPE_RULE_STACK),
	{}
};
