// SPDX-License-Identifier: GPL-2.0
/* The tables of lkstla thread about wake-ups: what wakes a thread, and which threads it wakes. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "thread.h"
#include "value.h"

static const struct column waker_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "woken by", "woken_by", COLUMN_TEXT },
	{ "wake-ups", "times", COLUMN_COUNT },
};

static const struct column woken_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "wakes", "wakes", COLUMN_TEXT },
	{ "wake-ups", "times", COLUMN_COUNT },
};

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
	uint64_t index_a = a->waker.thread ? a->waker.number : UINT64_MAX;
	uint64_t index_b = b->waker.thread ? b->waker.number : UINT64_MAX;

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
	struct table *table = value_table(to, "woken_by", "What woke the threads up",
					  COLUMNS(waker_columns), err);
	char text[WAKER_NAME_SIZE];
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
			ret = wake_row(run, table, wake->woken,
				       waker_name(run, &wake->waker, wake->woken->source, text),
				       wake->times, err);
	}
	free(wakes);
	return ret;
}

static int threads_report_woken(const struct threads *threads, const struct run *run,
				struct tables *to, struct lkst_error *err)
{
	struct table *table =
		value_table(to, "wakes", "Which threads they woke up", COLUMNS(woken_columns), err);
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
		else if (wake->waker.thread && threads_select(threads, wake->waker.number))
			ret = wake_row(run, table, wake->waker.thread,
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
