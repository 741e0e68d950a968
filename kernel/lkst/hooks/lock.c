// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class locks (0x080).
 */
#include <linux/cpumask.h>
#include <linux/lkst_hook.h>
#include <linux/preempt.h>
#include <trace/events/lock.h>

#include "../event.h"
#include "../source.h"

static void lkst_probe_contention_begin(void *data, void *lock, unsigned int flags)
{
	lkst_event(LKST_ETYPE_LOCK_CONTENTION_BEGIN, LKST_ARGP(lock), flags, 0, 0);
}

static void lkst_probe_contention_end(void *data, void *lock, int ret)
{
	lkst_event(LKST_ETYPE_LOCK_CONTENTION_END, LKST_ARGP(lock), ret, 0, 0);
}

#ifdef CONFIG_LKST_LOCK_EVENTS
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
	preempt_disable_notrace();
	if (likely(cpu_online(raw_smp_processor_id())))
		lkst_event(etype, LKST_ARGP(lock), caller, 0, 0);
	preempt_enable_notrace();
}
#endif

struct lkst_source lkst_sources_lock[] = {
#ifdef CONFIG_LKST_LOCK_EVENTS
	LKST_SOURCE_HOOK(LKST_ETYPE_LOCK_SPIN_LOCK, LKST_ETYPE_LOCK_SPIN_TRYLOCK,
			 LKST_ETYPE_LOCK_SPIN_UNLOCK, LKST_ETYPE_LOCK_READ_LOCK,
			 LKST_ETYPE_LOCK_READ_UNLOCK, LKST_ETYPE_LOCK_WRITE_LOCK,
			 LKST_ETYPE_LOCK_WRITE_UNLOCK),
#endif
	LKST_SOURCE(contention_begin, lkst_probe_contention_begin,
		    LKST_ETYPE_LOCK_CONTENTION_BEGIN),
	LKST_SOURCE(contention_end, lkst_probe_contention_end, LKST_ETYPE_LOCK_CONTENTION_END),
	{}
};
