// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks of the event types in linux/lkst_etypes.h, whose trace points are everywhere in the
 * kernel; and, where LKST is a module, how it gets to know of their events.
 */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stop_machine.h>

#include "point.h"

/* A module turns all of them on and off. */
#if LKST_HOOKS_APART
#define LKST_POINT_EXPORT(_hook)	EXPORT_SYMBOL_GPL(_hook);
#else
#define LKST_POINT_EXPORT(_hook)
#endif
#define LKST_POINT_HOOK_NORMAL(_hook)							\
	struct hook _hook = { STATIC_KEY_FALSE_INIT };					\
	LKST_POINT_EXPORT(_hook)
#define LKST_POINT_HOOK_MODULE(_hook)							\
	struct hook _hook = { STATIC_KEY_FALSE_INIT };					\
	EXPORT_SYMBOL_GPL(_hook);
#define LKST_POINT_HOOK_INLINE(_hook)	LKST_POINT_HOOK_MODULE(_hook)
#define LKST_POINT_HOOK_UNDEF(_hook)
#define LKST_ETYPE_DEF(number, hook, mnemonic, ...)					\
	LKST_POINT_HOOK_##hook(LKST_ETYPE_##mnemonic##_HEADER)
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF

static int lkst_points_passed(void *unused)
{
	return 0;
}

/**
 * lkst_idle_synchronize() - wait for events in progress in idle loops
 *
 * RCU does not watch everywhere in the idle loop. An event there is handled by the idle thread
 * with preemption off, so it has ended when the CPU switches to another thread. If another thread
 * is running, that has happened. Otherwise this lets the CPU's stopper thread run, which no other
 * thread can hold up, not even a real-time one. A busy CPU is not disturbed.
 *
 * Ordering, for a CPU that is found busy. An earlier event: its accesses come before the switch to
 * the busy thread, since switching is a full barrier before rq->curr is stored; the second smp_mb()
 * orders the caller's next accesses after the load of rq->curr. A later event: the CPU stores
 * rq->curr, then enters the section that RCU does not watch, which is a full barrier, and then
 * reads LKST's tables; here the first smp_mb() stands between the caller's change of the tables
 * and the load of rq->curr. That load did not see the idle thread, so the event sees the change.
 *
 * Context: may sleep; not with a lock that is taken within cpus_read_lock().
 */
void lkst_idle_synchronize(void)
{
	int cpu;

	cpus_read_lock();
	smp_mb(); /* The caller's stores, then the load of rq->curr: see above. */
	for_each_online_cpu(cpu)
		if (task_curr(idle_task(cpu)))
			stop_one_cpu(cpu, lkst_points_passed, NULL);
	smp_mb(); /* The load of rq->curr, then what the caller frees: see above. */
	cpus_read_unlock();
}

#if LKST_HOOKS_APART
EXPORT_SYMBOL_GPL(lkst_idle_synchronize);
#endif

#if LKST_HOOKS_APART
DEFINE_STATIC_CALL_NULL(lkst_event_nopreempt, lkst_event_nopreempt);
DEFINE_STATIC_CALL_NULL(lkst_oops_panic, lkst_oops_panic);
DEFINE_STATIC_CALL_NULL(lkst_oops_lockup, lkst_oops_lockup);

/**
 * lkst_hooks_connect() - let trace points call a module
 * @points: what they are to call, with preemption off; NULL: nothing any more
 *
 * Before @points goes, all hooks are off, and lkst_synchronize() has returned since: so nobody is
 * on the way there who has passed a hook.
 *
 * Context: may sleep.
 */
void lkst_hooks_connect(const struct lkst_hooks *points)
{
	static_call_update(lkst_event_nopreempt, points ? points->event : NULL);
	static_call_update(lkst_oops_panic, points ? points->panic : NULL);
	static_call_update(lkst_oops_lockup, points ? points->lockup : NULL);
}
EXPORT_SYMBOL_GPL(lkst_hooks_connect);

/* As it is in event.c, where LKST is in the kernel. */
notrace void lkst_hook(unsigned long event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		       lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	preempt_disable_notrace();
	static_call_cond(lkst_event_nopreempt)(event_type, log_arg1, log_arg2, log_arg3, log_arg4);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(lkst_hook);
#endif
