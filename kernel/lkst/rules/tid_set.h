/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of threads. A set contains thread IDs of the initial PID namespace, as
 * they are in task_struct.pid, and can follow forks: a thread that a member
 * creates is then a member as well. A new thread may get the ID of a member
 * that has ended. In a set that follows forks, this does not make the thread a
 * member. A set that does not follow forks does not change by itself, so it
 * cannot tell the new thread from the former member.
 */
#ifndef _LKST_TID_SET_H
#define _LKST_TID_SET_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/threads.h>
#include <linux/types.h>

/* Which threads become members if a member creates them. */
#define LKST_TID_SET_THREADS	1	/* threads of the same process */
#define LKST_TID_SET_CHILDREN	2	/* processes */

/**
 * struct lkst_tid_set - a set of threads
 * @node: in the list of all sets
 * @users: number of references
 * @follows: LKST_TID_SET_THREADS and LKST_TID_SET_CHILDREN. May change at any
 *	time
 * @bits: a bit for each thread ID. Changes in any context, atomically
 */
struct lkst_tid_set {
	struct list_head node;
	refcount_t users;
	unsigned int follows;
	unsigned long bits[BITS_TO_LONGS(PID_MAX_LIMIT)];
};

/* Whether a thread is a member. Context: any, NMI included. */
static __always_inline bool lkst_tid_set_has(const struct lkst_tid_set *set, pid_t tid)
{
	return (unsigned int)tid < PID_MAX_LIMIT && test_bit(tid, set->bits);
}

struct lkst_tid_set *lkst_tid_set_new(unsigned int follows);
void lkst_tid_set_get(struct lkst_tid_set *set);
void lkst_tid_set_put(struct lkst_tid_set *set);
void lkst_tid_set_follow(struct lkst_tid_set *set, unsigned int follows);
int lkst_tid_set_add(struct lkst_tid_set *set, pid_t tid);
int lkst_tid_set_add_process(struct lkst_tid_set *set, pid_t pid);
void lkst_tid_set_remove(struct lkst_tid_set *set, pid_t tid);
pid_t lkst_tid_set_next(const struct lkst_tid_set *set, pid_t tid);

#endif
