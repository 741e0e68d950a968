// SPDX-License-Identifier: GPL-2.0
/*
 * Wait for the end of events in progress in idle loops, where RCU is not
 * watching. This file is always built into the kernel, even if LKST is a
 * module, because it uses functions that are not exported.
 */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/stop_machine.h>
#include <linux/lkst_hook.h>

#include "idle.h"

static int lkst_idle_nop(void *unused)
{
	return 0;
}

/**
 * lkst_idle_synchronize() - wait for the end of events in idle loops
 *
 * Waits only for events that are in progress when it is called.
 *
 * RCU is not watching in some parts of the idle loop. The idle thread handles
 * an event there with preemption off, so the event has ended once the CPU
 * switches to another thread. If the CPU is busy, that is, another thread is
 * running, the CPU has already switched and is not disturbed. Otherwise this
 * function runs the CPU's stopper thread, which no other thread can hold up,
 * not even a real-time one.
 *
 * Ordering, for a CPU that is found busy:
 *
 * Earlier events: their accesses come before the switch to the busy thread,
 * because switching is a full barrier before rq->curr is stored. The second
 * smp_mb() orders the caller's next accesses after the load of rq->curr.
 *
 * Later events: the CPU stores rq->curr, then enters a section in which RCU is
 * not watching, which is a full barrier, and then reads LKST's tables. The
 * first smp_mb() below orders the caller's change of the tables before the load
 * of rq->curr. That load did not see the idle thread, so the event sees the
 * change.
 *
 * Context: may sleep. The caller must not hold a lock that other code takes
 * while it holds cpus_read_lock().
 */
void lkst_idle_synchronize(void)
{
	int cpu;

	cpus_read_lock();
	smp_mb(); /* Order the caller's stores before the load of rq->curr */
	for_each_online_cpu(cpu)
		if (task_curr(idle_task(cpu)))
			stop_one_cpu(cpu, lkst_idle_nop, NULL);
	smp_mb(); /* Order these loads before the caller's next accesses */
	cpus_read_unlock();
}

#if LKST_HOOKS_SEPARATE
EXPORT_SYMBOL_GPL(lkst_idle_synchronize);
#endif
