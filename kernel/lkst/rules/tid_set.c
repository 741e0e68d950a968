// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of threads that follow forks.
 *
 * A probe of the tracepoint task_newtask decides for each new thread, and for
 * each set, whether the thread is a member. The thread does not run yet, so the
 * bit that an earlier thread with the same ID has left never selects an event
 * of the new one. So nothing needs to be done when a thread exits: it stays a
 * member up to its last event.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/task.h>

#include "../base/compat.h"
#include "../memory/memory.h"
#include "tid_set.h"

/*
 * All sets. Changed under lkst_tid_set_mutex, read by the probe within
 * rcu_read_lock(). The probe is attached while there are sets.
 */
static LIST_HEAD(lkst_tid_sets);
static DEFINE_MUTEX(lkst_tid_set_mutex);

/* ---- forks ---- */

/*
 * Decide whether a new thread is a member of a set that follows forks.
 *
 * Another CPU may add the current thread, the parent, to the set at the same
 * time, and then look for its children with lkst_tid_set_scan(). At least one
 * of the two must find that the new thread is a member. On this CPU, the
 * barrier is between adding the new thread to the list of all threads, which
 * has been done already, and reading the bit of the parent. On the other CPU,
 * the barrier in lkst_tid_set_mark() is between setting the bit of the parent
 * and reading the list. So either this function sees the bit, or the scan sees
 * the new thread.
 *
 * The bit of the new thread is cleared before the barrier, because clearing it
 * later could undo what the scan has done.
 */
static void lkst_tid_set_decide(struct lkst_tid_set *set, pid_t tid, unsigned int follows)
{
	unsigned int followed = READ_ONCE(set->follows);

	if (!followed)
		return;
	clear_bit(tid, set->bits);
	/* Pairs with the barrier in lkst_tid_set_mark(), see above. */
	smp_mb__after_atomic();
	if (followed & follows && lkst_tid_set_has(set, current->pid))
		set_bit(tid, set->bits);
}

static void lkst_tid_set_forked(const struct task_struct *task, u64 clone_flags)
{
	unsigned int follows = clone_flags & CLONE_THREAD ? LKST_TID_SET_THREADS :
							    LKST_TID_SET_CHILDREN;
	struct lkst_tid_set *set;

	/* The idle threads of all CPUs have the ID 0. */
	if (!task->pid)
		return;
	rcu_read_lock();
	list_for_each_entry_rcu(set, &lkst_tid_sets, node)
		lkst_tid_set_decide(set, task->pid, follows);
	rcu_read_unlock();
}

static void lkst_probe_tid_newtask(void *data, struct task_struct *task, u64 clone_flags)
{
	lkst_tid_set_forked(task, clone_flags);
}

/* Up to 6.16 the flags are unsigned long. */
static void lkst_probe_tid_newtask_long(void *data, struct task_struct *task,
					unsigned long clone_flags)
{
	lkst_tid_set_forked(task, clone_flags);
}

static void *lkst_tid_set_probe(void)
{
	return LKST_PROBE_PROTOTYPE(task_newtask, lkst_probe_tid_newtask,
				    lkst_probe_tid_newtask_long);
}

static void lkst_tid_set_match(struct tracepoint *tracepoint, void *data)
{
	struct tracepoint **found = data;

	if (!strcmp(tracepoint->name, "task_newtask"))
		*found = tracepoint;
}

static struct tracepoint *lkst_tid_set_tracepoint(void)
{
	struct tracepoint *found = NULL;

	for_each_kernel_tracepoint(lkst_tid_set_match, &found);
	return found;
}

/* ---- creating and freeing sets ---- */

/* Add a set to the list, and attach the probe for the first one. */
static int lkst_tid_set_register(struct lkst_tid_set *set)
{
	struct tracepoint *tracepoint;
	int ret = 0;

	mutex_lock(&lkst_tid_set_mutex);
	if (list_empty(&lkst_tid_sets)) {
		tracepoint = lkst_tid_set_tracepoint();
		ret = tracepoint ? tracepoint_probe_register(tracepoint, lkst_tid_set_probe(),
							     NULL) :
				   -EOPNOTSUPP;
	}
	if (!ret)
		list_add_rcu(&set->node, &lkst_tid_sets);
	mutex_unlock(&lkst_tid_set_mutex);
	return ret;
}

/**
 * lkst_tid_set_new() - create an empty set
 * @follows: LKST_TID_SET_THREADS and LKST_TID_SET_CHILDREN
 *
 * Context: may sleep.
 *
 * Return: the set, which the caller must put; -ENOMEM if an allocation fails or
 * LKST would exceed its memory limit; -EOPNOTSUPP if the kernel has no
 * tracepoint for forks.
 */
struct lkst_tid_set *lkst_tid_set_new(unsigned int follows)
{
	struct lkst_tid_set *set;
	int ret = -ENOMEM;

	if (!lkst_memory_charge(sizeof(*set)))
		return ERR_PTR(-ENOMEM);
	set = kvzalloc(sizeof(*set), GFP_KERNEL);
	if (!set)
		goto uncharge;
	set->follows = follows;
	refcount_set(&set->users, 1);
	ret = lkst_tid_set_register(set);
	if (!ret)
		return set;
	kvfree(set);
uncharge:
	lkst_memory_uncharge(sizeof(*set));
	return ERR_PTR(ret);
}

/* Take a reference to a set. */
void lkst_tid_set_get(struct lkst_tid_set *set)
{
	refcount_inc(&set->users);
}

/**
 * lkst_tid_set_follow() - change whether a set follows forks
 * @set: the set
 * @follows: LKST_TID_SET_THREADS and LKST_TID_SET_CHILDREN
 *
 * Context: any.
 */
void lkst_tid_set_follow(struct lkst_tid_set *set, unsigned int follows)
{
	WRITE_ONCE(set->follows, follows);
}

/* Remove a set from the list, and detach the probe after the last one. */
static void lkst_tid_set_unregister(struct lkst_tid_set *set)
{
	mutex_lock(&lkst_tid_set_mutex);
	list_del_rcu(&set->node);
	if (list_empty(&lkst_tid_sets)) {
		tracepoint_probe_unregister(lkst_tid_set_tracepoint(), lkst_tid_set_probe(), NULL);
		lkst_tracepoint_synchronize();
	}
	mutex_unlock(&lkst_tid_set_mutex);
	synchronize_rcu();
}

/**
 * lkst_tid_set_put() - drop a reference to a set, and free the set with the
 *	last one
 * @set: the set, or NULL. The caller ensures that no event uses the set by
 *	means of this reference
 *
 * Context: may sleep. Waits until no probe uses a set that is freed.
 */
void lkst_tid_set_put(struct lkst_tid_set *set)
{
	if (!set || !refcount_dec_and_test(&set->users))
		return;
	lkst_tid_set_unregister(set);
	kvfree(set);
	lkst_memory_uncharge(sizeof(*set));
}

/* ---- members ---- */

/* Add a thread. Returns whether it is new. */
static bool lkst_tid_set_mark(struct lkst_tid_set *set, pid_t tid)
{
	/*
	 * If the bit changes, this is a full barrier: see
	 * lkst_tid_set_decide().
	 */
	return !lkst_tid_set_has(set, tid) && !test_and_set_bit(tid, set->bits);
}

/**
 * lkst_tid_set_add() - add a thread ID, whether or not there is such a thread
 * @set: the set
 * @tid: thread ID
 *
 * Context: any.
 *
 * Return: 0, or -EINVAL if no thread can have this ID.
 */
int lkst_tid_set_add(struct lkst_tid_set *set, pid_t tid)
{
	if (tid < 0 || tid >= PID_MAX_LIMIT)
		return -EINVAL;
	lkst_tid_set_mark(set, tid);
	return 0;
}

/* Remove a thread ID. Context: any. */
void lkst_tid_set_remove(struct lkst_tid_set *set, pid_t tid)
{
	if (tid >= 0 && tid < PID_MAX_LIMIT)
		clear_bit(tid, set->bits);
}

/*
 * Return the lowest ID in the set that is at least @tid, or -1. Context: any.
 */
pid_t lkst_tid_set_next(const struct lkst_tid_set *set, pid_t tid)
{
	/* Forks may change bits meanwhile. */
	unsigned long next = data_race(find_next_bit(set->bits, PID_MAX_LIMIT, tid));

	return next < PID_MAX_LIMIT ? next : -1;
}

/*
 * Whether a thread becomes a member because its process or its parent is one.
 */
static bool lkst_tid_set_joins(const struct lkst_tid_set *set, struct task_struct *task)
{
	const struct task_struct *parent;

	if (lkst_tid_set_has(set, task->tgid))
		return true;
	if (!(set->follows & LKST_TID_SET_CHILDREN))
		return false;
	parent = rcu_dereference(task->real_parent);
	return lkst_tid_set_has(set, parent->pid) || lkst_tid_set_has(set, parent->tgid);
}

/*
 * Add all threads of each process whose ID is in the set and, if the set
 * follows children, the children of members. Returns whether a thread was
 * added.
 */
static bool lkst_tid_set_scan(struct lkst_tid_set *set)
{
	struct task_struct *process, *thread;
	bool added = false;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		if (lkst_tid_set_joins(set, thread) && lkst_tid_set_mark(set, thread->pid))
			added = true;
	rcu_read_unlock();
	return added;
}

/**
 * lkst_tid_set_add_process() - add all threads of a process
 * @set: a set that follows threads. If it also follows children, the children
 *	of the process, their children and so on are added, too, but not a child
 *	whose parent has ended
 * @pid: ID of the process in the initial PID namespace
 *
 * Context: may sleep.
 *
 * Return: 0, or -ESRCH if there is no such process.
 */
int lkst_tid_set_add_process(struct lkst_tid_set *set, pid_t pid)
{
	struct task_struct *process;

	rcu_read_lock();
	process = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_TGID);
	if (process)
		lkst_tid_set_mark(set, pid);
	rcu_read_unlock();
	if (!process)
		return -ESRCH;
	/*
	 * Repeat until a whole scan adds nothing: what a scan adds may concern
	 * threads that it has already passed.
	 */
	while (lkst_tid_set_scan(set))
		cond_resched();
	return 0;
}
