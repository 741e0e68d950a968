// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "lock" (0x080).
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/uaccess.h>
#include <trace/events/lock.h>

#include "../dispatch/event.h"
#include "../source/source.h"

/* Flags in the low bits of an owner, for all kinds of locks. */
#define LKST_LOCK_OWNER_FLAGS	7UL
/* In the owner of a read-write semaphore: the owner is one of the readers. */
#define LKST_LOCK_OWNER_READER	1UL
/* The thread ID that means "unknown" in an event. */
#define LKST_LOCK_NO_OWNER	((u64)-1)

/*
 * Return the word of a lock that stores its owner: a pointer to a task with
 * flags in the low bits. 0 if the lock is free, or has no single owner. The
 * caller waits for the lock, so the memory of the lock is valid.
 */
static unsigned long lkst_lock_owner_word(const void *lock, unsigned int flags)
{
#ifndef CONFIG_PREEMPT_RT
	unsigned long owner;

	if (flags & LCB_F_MUTEX)
		return atomic_long_read(&((const struct mutex *)lock)->owner);
	if (flags == LCB_F_READ || flags == LCB_F_WRITE) {
		owner = atomic_long_read(&((const struct rw_semaphore *)lock)->owner);
		return owner & LKST_LOCK_OWNER_READER ? 0 : owner;
	}
#endif
	/* With PREEMPT_RT, mutexes are real-time mutexes as well. */
	if (flags == LCB_F_RT)
		return (unsigned long)READ_ONCE(((const struct rt_mutex_base *)lock)->owner);
	return 0;
}

/*
 * Return the ID of the thread that holds a lock. The owner may release the lock
 * and exit meanwhile: RCU keeps its task until the ID has been read. If a bug
 * has overwritten the lock, its owner may be any address, and reading from that
 * address must not cause a fault.
 */
static u64 lkst_lock_owner(const void *lock, unsigned int flags)
{
	u64 tid = LKST_LOCK_NO_OWNER;
	const struct task_struct *task;
	pid_t pid;

	/*
	 * Spin locks have no owner. RCU itself may be waiting for one, so do
	 * not call RCU below.
	 */
	if ((flags & (LCB_F_SPIN | LCB_F_MUTEX)) == LCB_F_SPIN)
		return tid;
	rcu_read_lock();
	task = (const void *)(lkst_lock_owner_word(lock, flags) & ~LKST_LOCK_OWNER_FLAGS);
	if (task && !copy_from_kernel_nofault(&pid, &task->pid, sizeof(pid)))
		tid = pid;
	rcu_read_unlock();
	return tid;
}

static void lkst_probe_contention_begin(void *data, void *lock, unsigned int flags)
{
	lkst_event(LKST_ETYPE_LOCK_CONTENTION_BEGIN, LKST_ARGP(lock), flags,
		   lkst_lock_owner(lock, flags), 0);
}

static void lkst_probe_contention_end(void *data, void *lock, int ret)
{
	lkst_event(LKST_ETYPE_LOCK_CONTENTION_END, LKST_ARGP(lock), ret, 0, 0);
}

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
