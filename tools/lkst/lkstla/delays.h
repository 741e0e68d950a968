/* SPDX-License-Identifier: GPL-2.0 */
/* Explains delays for another analysis, as lkstla why does. */
#ifndef _LKSTLA_DELAYS_H
#define _LKSTLA_DELAYS_H

#include "analysis.h"

#define DELAYS_OF_THREAD 5 /* at most this many of the longest delays are of the same thread */
#define DELAYS_MAX	 1000

/**
 * struct delay - a delay of a thread
 * @thread: thread
 * @begin_ns: start
 * @end_ns: end
 * @call: the system call that was slow; NULL: the delay was outside of a system call
 * @text: what lkstla why prints about the delay
 */
struct delay {
	const struct lkst_thread *thread;
	int64_t begin_ns;
	int64_t end_ns;
	const struct lkst_syscall_span *call;
	const char *text;
};

typedef void delay_observer(void *ctx, const struct delay *delay);

/*
 * Begin to collect what is needed to explain delays. The caller must pass the result to the
 * functions in analysis_why.ops, and at the end to analysis_why.free().
 */
void *delays_start(const struct run *run, struct lkst_error *err);

int delays_slowest(void *delays, size_t num, delay_observer *observer, void *ctx,
		   struct lkst_error *err);
int delays_at(void *delays, const struct lkst_thread *thread, int64_t time_ns,
	      delay_observer *observer, void *ctx, struct lkst_error *err);
const char *delays_call_arguments(const char *name);

#endif
