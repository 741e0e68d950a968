/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fill in the part of a record that comes from its context: the running thread,
 * the state of the CPU, and the clock. The functions are called with preemption
 * off, in any context, including where RCU is not watching.
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

/* Read a clock (enum lkst_clock). The returned value is never 0. */
static __always_inline u64 lkst_clock_read(unsigned int clock)
{
	return likely(clock == LKST_ARCH_CLOCK) ? lkst_arch_counter() :
						  ktime_get_mono_fast_ns() ?: 1;
}

/*
 * Return preempt_count(), including the softirq count, which PREEMPT_RT keeps
 * elsewhere.
 */
static __always_inline unsigned int lkst_context_count(void)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? preempt_count() | softirq_count() : preempt_count();
}

/* Whether a context is a task. @count is as for lkst_context_index(). */
static __always_inline bool lkst_context_is_task(unsigned int count)
{
	return !(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
}

/*
 * Return the index of a context: 0 task, 1 softirq, 2 hardirq, 3 NMI. @count is
 * the value of lkst_context_count() in that context.
 */
static __always_inline unsigned int lkst_context_index(unsigned int count)
{
	if (count & NMI_MASK)
		return 3;
	if (count & HARDIRQ_MASK)
		return 2;
	return count & SOFTIRQ_OFFSET ? 1 : 0;
}

/* The same as a bit */
static __always_inline unsigned int lkst_context_bit(unsigned int count)
{
	return 1U << lkst_context_index(count);
}

/*
 * Return the record flags that describe the context with preempt count @count.
 *
 * @depth is how many times LKST itself had disabled preemption when @count was
 * read. That says nothing about the traced code, so it does not count as
 * "preemption off". On a kernel that does not count preemption, @count does not
 * include @depth.
 */
static __always_inline u16 lkst_context_flags(unsigned int count, unsigned int depth)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
		depth = 0;
	return (count & HARDIRQ_MASK ? LKST_RECORD_HARDIRQ : 0) |
	       (count & SOFTIRQ_OFFSET ? LKST_RECORD_SOFTIRQ : 0) |
	       (count & NMI_MASK ? LKST_RECORD_NMI : 0) |
	       ((count & PREEMPT_MASK) > depth ? LKST_RECORD_PREEMPT_OFF : 0) |
	       (tif_need_resched() ? LKST_RECORD_NEED_RESCHED : 0);
}

/*
 * Whether lkst_context_flags() would return 0. Takes fewer instructions than
 * calling that function.
 */
static __always_inline bool lkst_context_plain(const struct task_struct *task,
					       unsigned int count, unsigned int depth)
{
	count &= NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET | PREEMPT_MASK;
	/*
	 * The lowest bits count how many times preemption is disabled. So one
	 * comparison shows that this number is at most @depth and that no other
	 * bit is set.
	 */
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT) ? count > depth : count)
		return false;
	/* Other CPUs may set TIF_NEED_RESCHED concurrently. */
	return !(data_race(task_thread_info(task)->flags) & _TIF_NEED_RESCHED);
}

/*
 * Fill in the context of @rec.
 *
 * Only current itself replaces its credentials, so they stay valid here. The
 * parent may change the task's process group, but the old process group is not
 * freed while preemption is off. An exiting task that has been unhashed has no
 * process group: then pgrp is NULL.
 */
static __always_inline void lkst_context_fill(struct lkst_event_record *rec, unsigned int depth)
{
	const unsigned int count = lkst_context_count();
	const struct task_struct *task = current;
	const struct cred *cred = rcu_access_pointer(task->cred);
	const struct pid *pgrp = READ_ONCE(task->signal->pids[PIDTYPE_PGID]);
	/*
	 * Loading all four IDs before the first store lets the compiler copy
	 * adjacent members with one instruction.
	 */
	u32 thread = task->pid, pid = task->tgid, uid = cred->euid.val, gid = cred->egid.val;

	rec->thread = thread;
	rec->pid = pid;
	if (likely(pgrp))
		WRITE_ONCE(rec->pgrp, pgrp->numbers[0].nr);
	else
		WRITE_ONCE(rec->pgrp, 0);
	rec->uid = uid;
	rec->gid = gid;
	if (unlikely(!lkst_context_plain(task, count, depth)))
		rec->flags |= lkst_context_flags(count, depth);
}

#define LKST_RECORD_CONTEXT(rec, depth)	lkst_context_fill(rec, depth)

#endif
