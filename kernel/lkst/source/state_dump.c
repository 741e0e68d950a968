// SPDX-License-Identifier: GPL-2.0
/*
 * The state dump: record the state of every thread.
 */
#include <linux/idr.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "../buffer/buffer.h"
#include "../dispatch/event.h"
#include "../dispatch/maskset.h"
#include "state_dump.h"

/*
 * The state dump may fill 1 / LKST_STATE_DUMP_SHARE of a buffer. The rest of
 * the buffer keeps older events.
 */
#define LKST_STATE_DUMP_SHARE	4

static bool lkst_state_dump_masked(void)
{
	bool masked;

	preempt_disable();
	masked = lkst_maskset_handler(LKST_ETYPE_PROCESS_STATE) == LKST_EVHANDLER_ID_NONE;
	preempt_enable();
	return masked;
}

/*
 * Whether the state dump, which has made @recorded records, may add another
 * record to this CPU's buffer. The caller holds rcu_read_lock(), so that the
 * buffer is not freed.
 */
static bool lkst_state_dump_fits(unsigned int recorded)
{
	const struct lkst_ring *ring = READ_ONCE(*raw_cpu_ptr(&lkst_ring_current));

	return recorded < ring->slots / LKST_STATE_DUMP_SHARE;
}

static void lkst_state_dump_thread(struct task_struct *thread)
{
	u32 parent = task_tgid_nr(rcu_dereference(thread->real_parent));
	u32 state = task_state_to_char(thread);

	lkst_event_preemptible(LKST_ETYPE_PROCESS_STATE, LKST_ARG32(thread->pid, thread->tgid),
			       LKST_ARG32(parent, state), lkst_text8(thread->comm),
			       lkst_text8(thread->comm + 8));
}

/**
 * lkst_state_dump() - record LKST_ETYPE_PROCESS_STATE for every thread
 *
 * With these records, a trace can name threads that cause no other event.
 * Threads are recorded in the order of their IDs, until the records fill a
 * quarter of a buffer.
 *
 * Context: may sleep. There is a separate RCU read-side section for each
 * thread. A fatal signal to the caller ends the dump.
 *
 * Return: the number of threads that were left out.
 */
int lkst_state_dump(void)
{
	unsigned int recorded = 0, left_out = 0;
	struct task_struct *thread;
	struct pid *pid;
	int nr;

	if (lkst_state_dump_masked())
		return 0;
	for (nr = 1; !fatal_signal_pending(current); nr++) {
		rcu_read_lock();
		pid = idr_get_next(&init_pid_ns.idr, &nr);
		thread = pid_task(pid, PIDTYPE_PID);
		if (!thread) {
			/*
			 * No thread has this ID. A process group or session
			 * still uses the ID after its leader has exited.
			 */
		} else if (lkst_state_dump_fits(recorded)) {
			lkst_state_dump_thread(thread);
			recorded++;
		} else {
			left_out++;
		}
		rcu_read_unlock();
		if (!pid)
			break;
		cond_resched();
	}
	return left_out;
}
