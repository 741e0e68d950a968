// SPDX-License-Identifier: GPL-2.0
/*
 * Trace points of the class locks (0x080).
 */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/lkst_hook.h>

/**
 * lkst_lock() - a lock has been acquired, or is about to be released
 * @etype: event type
 * @caller: who called the lock function
 * @lock: spin lock or read-write lock
 *
 * What records must not acquire such a lock: it would come back here without end, or wait for a
 * lock that it interrupted. Nothing on the way does: the ring and the shift work with atomic
 * operations, the clocks are the latched ones (that of the HPET has an arch_spinlock_t, which has
 * no trace point), and readers are woken from irq_work. An event handler may acquire locks; those
 * are recorded, but not handled, see lkst_call_handler().
 *
 * Not on a CPU that is not online: tracepoints do not record there, either.
 *
 * Context: any, NMI included, also where RCU does not watch; with preemption off.
 */
notrace void lkst_lock(int etype, unsigned long caller, const void *lock)
{
	if (likely(cpu_online(raw_smp_processor_id())))
		lkst_hook(etype, LKST_ARGP(lock), caller, 0, 0);
}
