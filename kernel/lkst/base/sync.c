// SPDX-License-Identifier: GPL-2.0
/*
 * Wait for events in progress, which may still use an object that has been
 * removed from LKST's tables.
 */
#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "../hooks/idle.h"
#include "stage.h"
#include "sync.h"

/**
 * lkst_synchronize() - wait for all events in progress
 *
 * When it returns, no event uses an object that the caller has removed from
 * LKST's tables: a maskset, an event handler, a hook or a buffer.
 *
 * An event is handled with preemption off. While RCU is watching, such a
 * section is an RCU reader, so synchronize_rcu() waits for it. RCU treats an
 * idle CPU, and a nohz_full CPU in user mode, as quiescent and does not wake
 * it. If a thread never yields, its CPU reports a quiescent state from a
 * softirq, after the tick has found the CPU in user mode. If a real-time thread
 * starves ksoftirqd, and softirqs are pending on that CPU, RCU waits for the
 * real-time thread.
 *
 * There are two places where RCU is not watching. One is the entry code between
 * user mode and the kernel, which is noinstr and so has no hooks. The other is
 * the idle loop. There, a kernel without LKST's patches has only tracepoints,
 * and makes RCU watch while it calls them. A kernel with the patches has
 * LKST_HOOKs as well, and lkst_idle_synchronize() waits for their events.
 *
 * RCU does not start or stop watching during an event. So each event in
 * progress is covered by synchronize_rcu() or by lkst_idle_synchronize().
 *
 * Context: may sleep. The caller must not hold a lock that other code takes
 * while it holds cpus_read_lock(). No signal ends the wait, which lasts as long
 * as a CPU stays in the kernel with preemption off. So code that acts on behalf
 * of a process must let a worker call this.
 */
void lkst_synchronize(void)
{
	synchronize_rcu();
#ifdef CONFIG_LKST_HOOKS
	lkst_idle_synchronize();
#endif
}

/**
 * lkst_request() - send a request to a worker
 * @requests: requests to this worker
 * @worker: the work item that carries them out
 *
 * The worker sees everything that the caller has written before this call.
 *
 * Context: any but NMI.
 *
 * Return: a number for lkst_request_wait().
 */
long lkst_request(struct lkst_requests *requests, struct work_struct *worker)
{
	long number = atomic_long_inc_return(&requests->newest);

	queue_work(lkst_workqueue(), worker);
	return number;
}

/* Return the number of the newest request. Called by the worker. */
long lkst_requests_newest(const struct lkst_requests *requests)
{
	return atomic_long_read_acquire(&requests->newest);
}

static bool lkst_requests_reached(struct lkst_requests *requests, long number)
{
	/* Pairs with the release in lkst_requests_done(). */
	return smp_load_acquire(&requests->done) - number >= 0;
}

/*
 * Mark all requests up to @number as carried out, and wake the waiters. Called
 * by the worker.
 */
void lkst_requests_done(struct lkst_requests *requests, long number)
{
	/* A waiter that sees the number must also see the worker's effects. */
	smp_store_release(&requests->done, number);
	wake_up_all(&requests->wait);
}

/**
 * lkst_request_wait() - wait until a request has been carried out
 * @requests: requests to the worker
 * @number: from lkst_request()
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait.
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
	/*
	 * Read the number before taking the list. The list then contains the
	 * objects of all requests up to this number.
	 */
	long newest = lkst_requests_newest(&lkst_deferred_requests);
	struct llist_node *list = llist_del_all(&lkst_deferred_list);
	struct lkst_deferred *deferred, *next;

	/*
	 * Wait twice. lkst_select_publish() may have read a table before an
	 * object was removed from it, and may then store a pointer to the
	 * object even after the removal. lkst_select_publish() replaces that
	 * pointer before it returns. The first wait is for such calls to
	 * return, and the second is for events that have loaded such a pointer.
	 */
	lkst_synchronize();
	lkst_synchronize();
	llist_for_each_entry_safe(deferred, next, list, node)
		deferred->func(deferred);
	lkst_requests_done(&lkst_deferred_requests, newest);
}

static DECLARE_WORK(lkst_deferred_work, lkst_deferred_run);

/**
 * lkst_defer() - call a function once no event in progress can use an object
 * @deferred: part of the object, which has been removed from all tables
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
 * @number: from lkst_defer(), or 0 if nothing was deferred
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait; the call will still be
 * made.
 */
int lkst_deferred_wait(long number)
{
	return lkst_request_wait(&lkst_deferred_requests, number);
}

/* Wait for all deferred calls. No new ones may be added. */
void __lkst_exit lkst_deferred_flush(void)
{
	flush_work(&lkst_deferred_work);
}
