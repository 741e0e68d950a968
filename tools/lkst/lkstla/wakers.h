/* SPDX-License-Identifier: GPL-2.0 */
/* What wakes up threads: other threads, interrupts, softirqs and timers. */
#ifndef _LKSTLA_WAKERS_H
#define _LKSTLA_WAKERS_H

#include "analysis.h"

#define WAKER_NAME_SIZE 96

/*
 * Values of struct waker.kind: not recorded, a thread, or WAKER_CONTEXT plus an enum
 * lkst_context_kind
 */
#define WAKER_UNKNOWN 0
#define WAKER_THREAD  1
#define WAKER_CONTEXT 2

/**
 * struct waker - what woke up a thread
 * @kind: WAKER_*
 * @number: THREAD: index of the thread, UINT64_MAX: idle; CONTEXT: number of the context
 * @hash: hash of @name
 * @thread: THREAD: the thread, or NULL if it is an idle thread; otherwise NULL
 * @name: name of the handler, for an interrupt of a device; otherwise ""
 */
struct waker {
	uint32_t kind;
	uint64_t number;
	uint32_t hash;
	const struct lkst_thread *thread;
	char name[25];
};

struct waker waker_of(const struct lkst_wake *wake);
const char *waker_name(const struct run *run, const struct waker *waker, uint32_t source,
		       char text[WAKER_NAME_SIZE]);
int waker_compare(const struct waker *a, const struct waker *b);

/* Return a number that, together with @number, is different for different wakers. */
static inline uint64_t waker_kind_key(const struct waker *waker)
{
	return (uint64_t)waker->hash << 32 | waker->kind;
}

#endif
