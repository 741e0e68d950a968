/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a record takes from the context it is written in: who is running, in which
 * state the CPU is, what the clock says. Called with preemption off, in any context, also
 * where RCU does not watch.
 */
#ifndef _LKST_CONTEXT_H
#define _LKST_CONTEXT_H

#include <linux/cred.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/thread_info.h>
#include <linux/timekeeping.h>
#include <linux/lkst_buffer.h>
#include <asm/lkst.h>

/* Never 0. */
static __always_inline u64 lkst_clock_read(unsigned int clock)
{
	return likely(clock == LKST_ARCH_CLOCK) ? lkst_arch_counter() :
						  ktime_get_mono_fast_ns() ?: 1;
}

/* preempt_count() with the softirq part, which PREEMPT_RT keeps elsewhere. */
static __always_inline unsigned int lkst_context_count(void)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? preempt_count() | softirq_count() : preempt_count();
}

/*
 * @outer: how deep preemption was disabled on behalf of LKST when @count was read; it
 * says nothing about the code that is traced. Where the kernel does not count that, what
 * is left in @count was not LKST.
 */
static __always_inline u16 lkst_context_flags(unsigned int count, unsigned int outer)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
		outer = 0;
	return (count & HARDIRQ_MASK ? LKST_RECORD_HARDIRQ : 0) |
	       (count & SOFTIRQ_OFFSET ? LKST_RECORD_SOFTIRQ : 0) |
	       (count & NMI_MASK ? LKST_RECORD_NMI : 0) |
	       ((count & PREEMPT_MASK) > outer ? LKST_RECORD_PREEMPT_OFF : 0) |
	       (tif_need_resched() ? LKST_RECORD_NEED_RESCHED : 0);
}

/* Whether lkst_context_flags() is 0. */
static __always_inline bool lkst_context_plain(const struct task_struct *task,
					       unsigned int count, unsigned int outer)
{
	count &= NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET | PREEMPT_MASK;
	/* Preemption is counted in the lowest bits. */
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT) ? count > outer : count)
		return false;
	/* A bit that others may be changing. */
	return !(data_race(task_thread_info(task)->flags) & _TIF_NEED_RESCHED);
}

/*
 * current's own credentials cannot go away under it, and its process group, which its
 * parent may change, lives on until preemption is enabled. An exiting task that was
 * unhashed has no process group any more.
 */
static __always_inline void lkst_context_fill(struct lkst_event_record *rec, unsigned int outer)
{
	const unsigned int count = lkst_context_count();
	const struct task_struct *task = current;
	const struct cred *cred = rcu_access_pointer(task->cred);
	const struct pid *pgrp = READ_ONCE(task->signal->pids[PIDTYPE_PGID]);
	/* Neighbours, which the compiler copies together if it need not store between. */
	u32 thread = task->pid, pid = task->tgid, uid = cred->euid.val, gid = cred->egid.val;

	rec->thread = thread;
	rec->pid = pid;
	if (likely(pgrp))
		WRITE_ONCE(rec->pgrp, pgrp->numbers[0].nr);
	else
		WRITE_ONCE(rec->pgrp, 0);
	rec->uid = uid;
	rec->gid = gid;
	if (unlikely(!lkst_context_plain(task, count, outer)))
		rec->flags |= lkst_context_flags(count, outer);
}

#define LKST_RECORD_CONTEXT(rec, outer)	lkst_context_fill(rec, outer)

#endif
