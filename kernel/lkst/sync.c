// SPDX-License-Identifier: GPL-2.0
/*
 * Wait for events in progress, which may still use an object that was taken out of LKST's tables.
 */
#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "points/point.h"
#include "stage.h"
#include "sync.h"

/**
 * lkst_synchronize() - wait for all events in progress
 *
 * When it returns, no event uses an object that the caller has taken out of LKST's tables: a
 * maskset, an event handler, a hook or a buffer.
 *
 * An event is handled with preemption off. Where RCU watches, such a section is a reader, so
 * synchronize_rcu() waits for it. RCU treats an idle CPU, and one in user mode on nohz_full, as
 * quiescent and does not wake it. A CPU whose thread never yields reports a quiescent state from a
 * softirq, after the tick has found it in user mode. If a real-time thread starves ksoftirqd while
 * that has softirqs to run, RCU waits for the thread.
 *
 * RCU does not watch in two places. One is the code between user mode and the kernel, which is
 * noinstr and so has no trace points. The other is the idle loop. There, a kernel without LKST's
 * patches has only tracepoints, and makes RCU watch around them. A kernel with the patches has
 * LKST_HOOKs as well, and lkst_idle_synchronize() waits for their events.
 *
 * An event stays in the context in which it began, so each event in progress is covered by one of
 * the two waits.
 *
 * Context: may sleep; not with a lock that is taken within cpus_read_lock(). No signal ends the
 * wait, and it lasts as long as a CPU stays in the kernel with preemption off. A caller on behalf
 * of a process must leave this to a worker.
 */
void lkst_synchronize(void)
{
	synchronize_rcu();
#ifdef CONFIG_LKST_HOOKS
	lkst_idle_synchronize();
#endif
}

/**
 * lkst_request() - make a request
 * @requests: to a worker
 * @worker: its work
 *
 * The worker sees everything that the caller has written before.
 *
 * Context: any but NMI.
 *
 * Return: a number for lkst_request_wait().
 */
long lkst_request(struct lkst_requests *requests, struct work_struct *worker)
{
	long number = atomic_long_inc_return(&requests->made);

	queue_work(lkst_workqueue(), worker);
	return number;
}

/* The number of the newest request. For the worker. */
long lkst_requests_made(const struct lkst_requests *requests)
{
	return atomic_long_read_acquire(&requests->made);
}

static bool lkst_requests_reached(struct lkst_requests *requests, long number)
{
	/* Pairs with the release in lkst_requests_done(). */
	return smp_load_acquire(&requests->done) - number >= 0;
}

/* All requests up to @number have been carried out. For the worker. */
void lkst_requests_done(struct lkst_requests *requests, long number)
{
	/* A waiter that sees the number also sees the worker's effects. */
	smp_store_release(&requests->done, number);
	wake_up_all(&requests->wait);
}

/**
 * lkst_request_wait() - wait until a request has been carried out
 * @requests: to a worker
 * @number: from lkst_request()
 *
 * Context: may sleep.
 *
 * Return: 0; -EINTR: a fatal signal ended the wait.
 */
int lkst_request_wait(struct lkst_requests *requests, long number)
{
	return wait_event_killable(requests->wait, lkst_requests_reached(requests, number)) ?
		-EINTR : 0;
}

static LLIST_HEAD(lkst_deferred_list);
static LKST_REQUESTS(lkst_deferred_requests);

static void lkst_deferred_run(struct work_struct *work)
{
	/* Read before the list: the objects of all these requests are on it. */
	long made = lkst_requests_made(&lkst_deferred_requests);
	struct llist_node *list = llist_del_all(&lkst_deferred_list);
	struct lkst_deferred *deferred, *next;

	/*
	 * Twice: lkst_select_publish() may have read a table before an object was taken out of it,
	 * and may store a pointer to the object afterwards, for a moment. The first wait is for
	 * these stores, the second for events that have loaded such a pointer.
	 */
	lkst_synchronize();
	lkst_synchronize();
	llist_for_each_entry_safe(deferred, next, list, node)
		deferred->func(deferred);
	lkst_requests_done(&lkst_deferred_requests, made);
}

static DECLARE_WORK(lkst_deferred_work, lkst_deferred_run);

/**
 * lkst_defer() - call a function when no event in progress can use an object
 * @deferred: part of the object, which has been taken out of all tables
 * @func: the function; may free the object
 *
 * Context: any but NMI.
 *
 * Return: a number for lkst_deferred_wait().
 */
long lkst_defer(struct lkst_deferred *deferred, void (*func)(struct lkst_deferred *deferred))
{
	deferred->func = func;
	llist_add(&deferred->node, &lkst_deferred_list);
	return lkst_request(&lkst_deferred_requests, &lkst_deferred_work);
}

/**
 * lkst_deferred_wait() - wait for a deferred call
 * @number: from lkst_defer(); 0: nothing was deferred
 *
 * Context: may sleep.
 *
 * Return: 0; -EINTR: a fatal signal ended the wait, and the call will be made later.
 */
int lkst_deferred_wait(long number)
{
	return lkst_request_wait(&lkst_deferred_requests, number);
}

/* Wait for all deferred calls. No new ones may be made. */
void __lkst_exit lkst_deferred_flush(void)
{
	flush_work(&lkst_deferred_work);
}
