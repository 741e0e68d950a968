// SPDX-License-Identifier: GPL-2.0
/*
 * Trace points of the class processes (0x000): kernel threads and wait queues.
 */
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/lkst_hook.h>

#include "../text.h"

/**
 * lkst_kthread() - a kernel thread begins, with the name that its creator gave it
 * @function: what it runs
 * @data: for @function
 *
 * Context: the thread.
 */
void lkst_kthread(int (*function)(void *data), void *data)
{
	lkst_hook(LKST_ETYPE_PROCESS_LTHREADGEN, LKST_ARGP(function), LKST_ARGP(data),
		  lkst_text8(current->comm), lkst_text8(current->comm + 8));
}

/*
 * In all of these @flags is what to restore with the lock of @head. They hand it through, so that
 * the caller need not keep it over a call that is rarely made.
 */

/**
 * lkst_wq_added() - a thread is in a wait queue now
 * @head: wait queue
 * @entry: in it
 * @caller: who wanted it
 * @flags: any
 *
 * Context: with the lock of @head.
 *
 * Return: @flags.
 */
unsigned long lkst_wq_added(struct wait_queue_head *head, struct wait_queue_entry *entry,
			    unsigned long caller, unsigned long flags)
{
	lkst_hook(LKST_ETYPE_PROCESS_ADD_WQ, LKST_ARGP(head), LKST_ARGP(entry), caller, 0);
	return flags;
}

/**
 * lkst_wq_add() - a thread is about to see to it that it is in a wait queue
 * @head: wait queue
 * @entry: initialised
 * @caller: who wants it
 * @flags: any
 *
 * Context: with the lock of @head.
 *
 * Return: @flags.
 */
unsigned long lkst_wq_add(struct wait_queue_head *head, struct wait_queue_entry *entry,
			  unsigned long caller, unsigned long flags)
{
	return list_empty(&entry->entry) ? lkst_wq_added(head, entry, caller, flags) : flags;
}

/**
 * lkst_wq_rem() - a thread is about to see to it that it is in a wait queue no more
 * @head: wait queue
 * @entry: in it, or taken out by a wakeup
 * @caller: who wants it
 * @flags: any
 *
 * Context: with the lock of @head.
 *
 * Return: @flags.
 */
unsigned long lkst_wq_rem(struct wait_queue_head *head, struct wait_queue_entry *entry,
			  unsigned long caller, unsigned long flags)
{
	if (!list_empty(&entry->entry))
		lkst_hook(LKST_ETYPE_PROCESS_REM_WQ, LKST_ARGP(head), LKST_ARGP(entry),
			  caller, 0);
	return flags;
}

/**
 * lkst_wq_wake() - wake an entry of a wait queue
 * @head: in the wait queue, as that is what its caller has at hand
 * @entry: is gone afterwards, with its thread's stack, if its function takes it out
 * @next: comes after @entry in the queue, or is the queue's head
 * @mode: for the function of @entry
 * @wake_flags: likewise
 * @key: likewise
 *
 * What remains tells whether it took it out. The caller is the wakeup itself, in the thread that
 * makes it; whom it wakes is in PROCESS_WAKEUP.
 *
 * Context: with the lock of the wait queue.
 *
 * Return: what the function of @entry says.
 */
int lkst_wq_wake(struct list_head *head, struct wait_queue_entry *entry,
		 struct wait_queue_entry *next, unsigned int mode, int wake_flags, void *key)
{
	const struct wait_queue_head *queue = container_of(head, struct wait_queue_head, head);
	int ret = entry->func(entry, mode, wake_flags, key);

	if (next->entry.prev != &entry->entry)
		lkst_hook(LKST_ETYPE_PROCESS_REM_WQ, LKST_ARGP(queue), LKST_ARGP(entry),
			  _RET_IP_, 0);
	return ret;
}
