// SPDX-License-Identifier: GPL-2.0
/*
 * Hook for the events of class "lock" (0x080).
 */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/lkst_hook.h>

/**
 * lkst_lock() - record that a lock was acquired or is about to be released
 * @etype: event type
 * @caller: address that called the lock function
 * @lock: spin lock or read-write lock
 *
 * The recording code must not acquire a lock that has this hook: it would
 * recurse without end, or wait for a lock whose holder it has interrupted. So
 * the ring and the shift use atomic operations, the clocks are read with the
 * kernel's functions for NMI context (for the HPET, these take an
 * arch_spinlock_t, which has no hook), and readers are woken from irq_work. An
 * event handler may acquire such locks: while it runs, the default handler
 * records all events of the CPU, see lkst_call_handler().
 *
 * Like a tracepoint, this function does not record on a CPU that is not online.
 *
 * Context: any, NMI included, even while RCU is not watching. Preemption off.
 */
notrace void lkst_lock(int etype, unsigned long caller, const void *lock)
{
	if (likely(cpu_online(raw_smp_processor_id())))
		lkst_hook(etype, LKST_ARGP(lock), caller, 0, 0);
}
