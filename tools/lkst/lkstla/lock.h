/* SPDX-License-Identifier: GPL-2.0 */
/* Passes the waits that lkstla lock finds to another analysis, and names kinds of locks. */
#ifndef _LKSTLA_LOCK_H
#define _LKSTLA_LOCK_H

#include "analysis.h"

#define LOCK_KIND_SIZE 24

/**
 * struct lock_done - a wait for a lock
 * @lock: address of the lock
 * @kind: kind of the lock; "?": unknown
 * @begin_ns: start
 * @begin_known: the start was recorded in the window
 * @end_ns: end; end of the window if not @end_known
 * @end_known: the wait ended in the window
 * @error: 0 if the thread got the lock; otherwise negative errno
 * @cpu: CPU on which the wait began or, if that is unknown, ended
 * @thread: thread that waited; NULL: idle or unknown
 * @owner: thread that had the lock when the wait began; NULL: unknown
 * @call: system call in which the thread waited; "": none or unknown
 */
struct lock_done {
	uint64_t lock;
	char kind[LOCK_KIND_SIZE];
	int64_t begin_ns;
	bool begin_known;
	int64_t end_ns;
	bool end_known;
	int64_t error;
	int32_t cpu;
	const struct lkst_thread *thread;
	const struct lkst_thread *owner;
	char call[32];
};

typedef void lock_observer(void *ctx, const struct lock_done *done);

void lock_observe(void *locks, lock_observer *observer, void *ctx);
void lock_finish(void *locks);
void lock_name_kind(const struct run *run, uint64_t of, char kind[LOCK_KIND_SIZE]);

#endif
