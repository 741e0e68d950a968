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

/* The two threads of a wake-up. Each of the two tables groups the wake-ups by one of them. */
enum side {
	SIDE_WOKEN,
	SIDE_WAKER,
};

/* Return the thread on one side of a wake-up; NULL: an interrupt, or unknown. */
static const struct lkst_thread *wake_thread(const struct thread_wake *wake, enum side side)
{
	return side == SIDE_WOKEN ? wake->woken : wake->waker.thread;
}

/*
 * Return the index of the thread on one side of a wake-up; UINT64_MAX if there is no such thread.
 */
static uint64_t wake_index(const struct thread_wake *wake, enum side side)
{
	if (side == SIDE_WOKEN)
		return wake->head.key[0];
	return wake->waker.thread ? wake->waker.number : UINT64_MAX;
}

static int wake_order(const void *pa, const void *pb, enum side side)
{
	const struct thread_wake *a = *(const struct thread_wake *const *)pa;
	const struct thread_wake *b = *(const struct thread_wake *const *)pb;
	uint64_t index_a = wake_index(a, side), index_b = wake_index(b, side);

	if (index_a != index_b)
		return index_a < index_b ? -1 : 1;
	if (a->times != b->times)
		return a->times > b->times ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

static int wake_woken_order(const void *pa, const void *pb)
{
	return wake_order(pa, pb, SIDE_WOKEN);
}

static int wake_waker_order(const void *pa, const void *pb)
{
	return wake_order(pa, pb, SIDE_WAKER);
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

static int threads_report_wake(const struct threads *threads, const struct run *run,
			       struct table *table, const struct thread_wake *wake, enum side side,
			       struct lkst_error *err)
{
	const struct lkst_thread *thread;
	char text[WAKER_NAME_SIZE];
	const char *other;

	if (hash_is_rest(wake))
		return wake_row(run, table, NULL, THREADS_REST, wake->times, err);
	thread = wake_thread(wake, side);
	if (!thread || !threads_select(threads, wake_index(wake, side)))
		return 0;
	other = side == SIDE_WOKEN ? waker_name(run, &wake->waker, wake->woken->source, text) :
				     run_thread_name(run, wake->woken, text);
	return wake_row(run, table, thread, other, wake->times, err);
}

static int threads_report_side(const struct threads *threads, const struct run *run,
			       struct table *table, enum side side, struct lkst_error *err)
{
	void **wakes;
	int ret = 0;

	if (!table)
		return -1;
	wakes = hash_sorted(&threads->wakes,
			    side == SIDE_WOKEN ? wake_woken_order : wake_waker_order);
	if (!wakes) {
		lkst_error_memory(err, "thread");
		return -1;
	}
	for (size_t i = 0; i < threads->wakes.num && !ret; i++)
		ret = threads_report_wake(threads, run, table, wakes[i], side, err);
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
	struct table *table = value_table(to, "woken_by", "What woke the threads up",
					  COLUMNS(waker_columns), err);

	if (threads_report_side(threads, run, table, SIDE_WOKEN, err))
		return -1;
	table = value_table(to, "wakes", "Which threads they woke up", COLUMNS(woken_columns), err);
	return threads_report_side(threads, run, table, SIDE_WAKER, err);
}
