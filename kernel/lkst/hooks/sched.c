// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks for the events of class "process" (0x000): kernel threads and wait
 * queues.
 */
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/lkst_hook.h>

#include "../base/text.h"

/**
 * lkst_kthread() - record that a kernel thread starts
 * @function: the thread's function
 * @data: argument of @function
 *
 * The thread has the name that its creator gave it.
 *
 * Context: the new thread.
 */
void lkst_kthread(int (*function)(void *data), void *data)
{
	lkst_hook(LKST_ETYPE_PROCESS_LTHREADGEN, LKST_ARGP(function), LKST_ARGP(data),
		  lkst_text8(current->comm), lkst_text8(current->comm + 8));
}

/*
 * The hooks of wait queues return @flags, the interrupt state that the caller
 * restores when it unlocks @head. The hooks are rarely enabled, and this way
 * the caller need not preserve @flags across the call.
 */

/**
 * lkst_wq_added() - record that a thread has been added to a wait queue
 * @head: wait queue
 * @entry: entry in @head
 * @caller: address that called the wait queue function
 * @flags: any value; returned unchanged
 *
 * Context: the lock of @head is held.
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
 * lkst_wq_add() - record that a thread is about to be added to a wait queue
 * @head: wait queue
 * @entry: initialised entry; if it is in @head already, nothing is recorded
 * @caller: address that called the wait queue function
 * @flags: any value; returned unchanged
 *
 * Context: the lock of @head is held.
 *
 * Return: @flags.
 */
unsigned long lkst_wq_add(struct wait_queue_head *head, struct wait_queue_entry *entry,
			  unsigned long caller, unsigned long flags)
{
	return list_empty(&entry->entry) ? lkst_wq_added(head, entry, caller, flags) : flags;
}

/**
 * lkst_wq_rem() - record that a thread is about to be removed from a wait queue
 * @head: wait queue
 * @entry: entry of @head; if a wakeup has removed it already, nothing is
 *	recorded
 * @caller: address that called the wait queue function
 * @flags: any value; returned unchanged
 *
 * Context: the lock of @head is held.
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
 * lkst_wq_wake() - wake an entry of a wait queue, and record its removal
 * @head: list head of the wait queue
 * @entry: entry to wake
 * @next: entry after @entry in the queue, or the queue's head
 * @mode: passed to the function of @entry
 * @wake_flags: passed to the function of @entry
 * @key: passed to the function of @entry
 *
 * If the function removes @entry from the queue, @entry may vanish together
 * with its thread's stack. So this function examines only @next in order to
 * find out whether @entry was removed. The event is recorded in the waking
 * thread, and its caller is an address in the wakeup function. PROCESS_WAKEUP
 * says which thread is woken.
 *
 * Context: the lock of the wait queue is held.
 *
 * Return: the return value of the function of @entry.
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
