// SPDX-License-Identifier: GPL-2.0
/* Identifies and names what wakes up threads. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text/constants.h"
#include "wakers.h"

/* Work items and exceptions run in threads, so the thread is the waker. */
static bool waker_is_thread(const struct lkst_wake *wake)
{
	return wake->context < 0 || wake->context == LKST_CONTEXT_WORK ||
	       wake->context == LKST_CONTEXT_EXCEPTION;
}

/* Hash a name (FNV-1a). */
static uint32_t waker_hash(const char *name)
{
	uint32_t hash = 0x811c9dc5;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x01000193;
	return hash;
}

/**
 * waker_of() - identify what caused a wake-up
 * @wake: wake-up
 */
struct waker waker_of(const struct lkst_wake *wake)
{
	struct waker waker = { .kind = WAKER_UNKNOWN };

	if (!wake->known)
		return waker;
	if (waker_is_thread(wake)) {
		waker.kind = WAKER_THREAD;
		waker.thread = wake->thread;
		waker.number = wake->thread ? wake->thread->index : UINT64_MAX;
		return waker;
	}
	waker.kind = WAKER_CONTEXT + (uint32_t)wake->context;
	waker.number = wake->number;
	if (*wake->name) {
		memcpy(waker.name, wake->name, strnlen(wake->name, sizeof(waker.name) - 1));
		waker.hash = waker_hash(waker.name);
	}
	return waker;
}

/**
 * waker_name() - get the name of what woke up a thread
 * @run: run
 * @waker: waker
 * @source: index of the file of the thread that was woken up
 * @text: buffer for the name
 *
 * Return: the name; NULL if the waker is unknown.
 */
const char *waker_name(const struct run *run, const struct waker *waker, uint32_t source,
		       char text[WAKER_NAME_SIZE])
{
	static const char *const kinds[LKST_CONTEXT_NUM] = {
		[LKST_CONTEXT_IRQ] = "irq",
		[LKST_CONTEXT_TIMER_IRQ] = "local timer interrupt",
		[LKST_CONTEXT_IPI] = "IPI",
		[LKST_CONTEXT_SOFTIRQ] = "softirq",
		[LKST_CONTEXT_TASKLET] = "tasklet",
		[LKST_CONTEXT_TIMER] = "timer",
		[LKST_CONTEXT_HRTIMER] = "hrtimer",
	};
	uint32_t context = waker->kind - WAKER_CONTEXT;
	const char *name = NULL;
	char symbol[64];

	if (waker->kind == WAKER_UNKNOWN)
		return NULL;
	if (waker->kind == WAKER_THREAD)
		return waker->thread ? run_thread_name(run, waker->thread, text) : "idle";
	if (context >= LKST_CONTEXT_NUM || !kinds[context])
		return NULL;
	if (context == LKST_CONTEXT_TIMER_IRQ)
		return kinds[context];
	if (context == LKST_CONTEXT_IRQ && *waker->name)
		name = waker->name;
	else if (context == LKST_CONTEXT_SOFTIRQ)
		name = constant_name(LKST_FMT_SOFTIRQ, waker->number);
	else if (context >= LKST_CONTEXT_TASKLET && context <= LKST_CONTEXT_HRTIMER)
		name = run_symbol(run, source, waker->number, symbol, sizeof(symbol));
	if (name)
		snprintf(text, WAKER_NAME_SIZE, "%s %s", kinds[context], name);
	else
		snprintf(text, WAKER_NAME_SIZE, "%s %" PRIu64, kinds[context], waker->number);
	return text;
}

/* Compare two wakers. Different wakers are never equal. */
int waker_compare(const struct waker *a, const struct waker *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}
