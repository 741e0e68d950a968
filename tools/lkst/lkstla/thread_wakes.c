// SPDX-License-Identifier: GPL-2.0
/* The tables of lkstla thread about wake-ups: what wakes a thread, and which threads it wakes. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/text/constants.h"
#include "thread.h"

#define NAME_SIZE 96

static const struct column waker_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "woken by", "woken_by", COLUMN_TEXT },
	{ "times", "times", COLUMN_COUNT },
};

static const struct column woken_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "wakes", "wakes", COLUMN_TEXT },
	{ "times", "times", COLUMN_COUNT },
};

/* Return what woke up a thread: a thread, or the context in which the wake-up happened. */
static const char *wake_by(const struct run *run, const struct thread_wake *wake,
			   char text[NAME_SIZE])
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
	uint64_t kind = wake->head.key[1], number = wake->head.key[2];
	const char *name = NULL;
	char symbol[64];

	if (kind == THREAD_WAKE_UNKNOWN)
		return NULL;
	if (kind == THREAD_WAKE_THREAD)
		return wake->waker ? run_thread_name(run, wake->waker, text) : "idle or unknown";
	kind -= THREAD_WAKE_CONTEXT;
	if (kind >= LKST_CONTEXT_NUM || !kinds[kind])
		return NULL;
	if (kind == LKST_CONTEXT_TIMER_IRQ)
		return kinds[kind];
	if (kind == LKST_CONTEXT_SOFTIRQ)
		name = constant_name(LKST_FMT_SOFTIRQ, number);
	else if (kind >= LKST_CONTEXT_TASKLET && kind <= LKST_CONTEXT_HRTIMER)
		name = run_symbol(run, wake->woken->source, number, symbol, sizeof(symbol));
	if (name)
		snprintf(text, NAME_SIZE, "%s %s", kinds[kind], name);
	else
		snprintf(text, NAME_SIZE, "%s %" PRIu64, kinds[kind], number);
	return text;
}

static int waker_order(const void *pa, const void *pb)
{
	const struct thread_wake *a = *(const struct thread_wake *const *)pa;
	const struct thread_wake *b = *(const struct thread_wake *const *)pb;

	if (a->head.key[0] != b->head.key[0])
		return a->head.key[0] < b->head.key[0] ? -1 : 1;
	if (a->times != b->times)
		return a->times > b->times ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

static int woken_order(const void *pa, const void *pb)
{
	const struct thread_wake *a = *(const struct thread_wake *const *)pa;
	const struct thread_wake *b = *(const struct thread_wake *const *)pb;
	uint64_t index_a = a->waker ? a->waker->index : UINT64_MAX;
	uint64_t index_b = b->waker ? b->waker->index : UINT64_MAX;

	if (index_a != index_b)
		return index_a < index_b ? -1 : 1;
	if (a->times != b->times)
		return a->times > b->times ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

static int wake_row(const struct run *run, struct table *table, const struct lkst_thread *thread,
		    const char *other, uint64_t times, struct lkst_error *err)
{
	char name[40];

	return table_add(
		table,
		(struct cell[]){ CELL_TEXT(thread ? run_thread_name(run, thread, name) : NULL),
				 CELL_TEXT(other), CELL(times) },
		err);
}

static int threads_report_wakers(const struct threads *threads, const struct run *run,
				 struct tables *to, struct lkst_error *err)
{
	struct table *table = threads_table(to, "woken by", COLUMNS(waker_columns), err);
	char text[NAME_SIZE];
	void **wakes;
	int ret = 0;

	if (!table)
		return -1;
	wakes = hash_sorted(&threads->wakes, waker_order);
	if (!wakes) {
		lkst_error_memory(err, "thread");
		return -1;
	}
	for (size_t i = 0; i < threads->wakes.num && !ret; i++) {
		const struct thread_wake *wake = wakes[i];

		if (hash_is_rest(wake))
			ret = wake_row(run, table, NULL, THREADS_REST, wake->times, err);
		else if (threads_select(threads, wake->head.key[0]))
			ret = wake_row(run, table, wake->woken, wake_by(run, wake, text),
				       wake->times, err);
	}
	free(wakes);
	return ret;
}

static int threads_report_woken(const struct threads *threads, const struct run *run,
				struct tables *to, struct lkst_error *err)
{
	struct table *table = threads_table(to, "wakes", COLUMNS(woken_columns), err);
	char text[40];
	void **wakes;
	int ret = 0;

	if (!table)
		return -1;
	wakes = hash_sorted(&threads->wakes, woken_order);
	if (!wakes) {
		lkst_error_memory(err, "thread");
		return -1;
	}
	for (size_t i = 0; i < threads->wakes.num && !ret; i++) {
		const struct thread_wake *wake = wakes[i];

		if (hash_is_rest(wake))
			ret = wake_row(run, table, NULL, THREADS_REST, wake->times, err);
		else if (wake->waker && threads_select(threads, wake->waker->index))
			ret = wake_row(run, table, wake->waker,
				       run_thread_name(run, wake->woken, text), wake->times, err);
	}
	free(wakes);
	return ret;
}

/**
 * threads_report_wakes() - add the tables about wake-ups
 * @threads: what was collected
 * @run: run
 * @to: receives the tables
 * @err: set if an allocation failed
 */
int threads_report_wakes(const struct threads *threads, const struct run *run, struct tables *to,
			 struct lkst_error *err)
{
	if (threads_report_wakers(threads, run, to, err))
		return -1;
	return threads_report_woken(threads, run, to, err);
}
