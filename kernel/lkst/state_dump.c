// SPDX-License-Identifier: GPL-2.0
/*
 * The state dump: every thread there is, into the trace.
 */
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "event.h"
#include "state_dump.h"

/**
 * lkst_state_dump() - record LKST_ETYPE_PROCESS_STATE for every thread there is
 *
 * So that a trace can name those that do nothing while it lasts.
 *
 * Context: may sleep.
 */
void lkst_state_dump(void)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		u32 parent = task_tgid_nr(rcu_dereference(thread->real_parent));
		u32 state = task_state_to_char(thread);

		lkst_event_direct(LKST_ETYPE_PROCESS_STATE,
				  LKST_ARG32(thread->pid, thread->tgid),
				  LKST_ARG32(parent, state), lkst_text8(thread->comm),
				  lkst_text8(thread->comm + 8));
	}
	rcu_read_unlock();
}
