/* SPDX-License-Identifier: GPL-2.0 */
/* Wait for events in progress, or let a worker do so on behalf of a process. */
#ifndef _LKST_SYNC_H
#define _LKST_SYNC_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/llist.h>
#include <linux/wait.h>

struct work_struct;

void lkst_synchronize(void);

/**
 * struct lkst_requests - requests to a worker, numbered from 1
 * @newest: number of the newest request
 * @done: all requests up to this number have been carried out; only the worker
 *	writes it
 * @wait: wait queue for @done
 *
 * A waiter holds nothing that the worker needs, so a fatal signal may end its
 * wait. The worker still carries out the request.
 */
struct lkst_requests {
	atomic_long_t newest;
	long done;
	wait_queue_head_t wait;
};

#define LKST_REQUESTS(name)								\
	struct lkst_requests name = { .wait = __WAIT_QUEUE_HEAD_INITIALIZER(name.wait) }

long lkst_request(struct lkst_requests *requests, struct work_struct *worker);
long lkst_requests_newest(const struct lkst_requests *requests);
void lkst_requests_done(struct lkst_requests *requests, long number);
int lkst_request_wait(struct lkst_requests *requests, long number);

/**
 * struct lkst_deferred - a call to make once no event can use an object
 * @node: in the list of deferred calls
 * @func: called by a worker; may free the object that contains @node
 */
struct lkst_deferred {
	struct llist_node node;
	void (*func)(struct lkst_deferred *deferred);
};

long lkst_defer(struct lkst_deferred *deferred, void (*func)(struct lkst_deferred *deferred));
int lkst_deferred_wait(long number);
void lkst_deferred_flush(void);

#endif
