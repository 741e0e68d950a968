// SPDX-License-Identifier: LGPL-2.1
/*
 * The wake-ups by each thread, in order of time. lkst_history_sort_wakes() sorts them after the
 * last event. lib/model.h documents the functions.
 */
#include <stdlib.h>

#include "history.h"
#include "lib/base/error.h"
#include "messages.h"

/**
 * history_wakes_drop() - forget the sorted wake-ups, because the spans change
 * @history: history
 */
void history_wakes_drop(struct lkst_history *history)
{
	history->bytes -= history->wakes.room * sizeof(struct history_wake);
	free(history->wakes.item);
	history->wakes = (struct history_list){ 0 };
	history->wakes_sorted = false;
}

static int wakes_compare(const void *a, const void *b)
{
	const struct history_wake *x = a, *y = b;

	if (x->waker != y->waker)
		return x->waker < y->waker ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->span < y->span ? -1 : x->span > y->span;
}

static void wakes_collect(struct lkst_history *history)
{
	struct history_wake *wake = history->wakes.item;

	for (size_t i = 0; i < history->threads.num; i++) {
		const struct history_thread *thread = &history_threads(history)[i];
		const struct history_span *spans = thread->spans.item;

		for (size_t k = 0; k < thread->spans.num; k++)
			if (spans[k].waker)
				*wake++ = (struct history_wake){ spans[k].wake_ns,
								 spans[k].waker - 1, (uint32_t)i,
								 (uint32_t)k };
	}
}

int lkst_history_sort_wakes(struct lkst_history *history, struct lkst_error *err)
{
	struct history_list *wakes = &history->wakes;

	if (history->wakes_sorted)
		return 0;
	wakes->item = calloc(history->wakers ? history->wakers : 1, sizeof(struct history_wake));
	if (!wakes->item) {
		lkst_error_memory(err, HISTORY_MEMORY);
		return -1;
	}
	wakes->num = wakes->room = history->wakers;
	history->bytes += wakes->room * sizeof(struct history_wake);
	wakes_collect(history);
	qsort(wakes->item, wakes->num, sizeof(struct history_wake), wakes_compare);
	history->wakes_sorted = true;
	return 0;
}

/*
 * Return the index of the first wake-up by @waker at @time_ns or later in the sorted list. If there
 * is no such wake-up, return the index at which it would have to be inserted.
 */
static size_t wakes_find(const struct lkst_history *history, uint32_t waker, int64_t time_ns)
{
	const struct history_wake wanted = { .time_ns = time_ns, .waker = waker };
	const struct history_wake *wakes = history->wakes.item;
	size_t low = 0, high = history->wakes.num;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (wakes_compare(&wakes[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t lkst_history_wake_index(const struct lkst_history *history, const struct lkst_thread *waker,
			       int64_t time_ns)
{
	return wakes_find(history, waker->index, time_ns) -
	       wakes_find(history, waker->index, INT64_MIN);
}

bool lkst_history_wake_span(const struct lkst_history *history, const struct lkst_thread *waker,
			    size_t index, struct lkst_thread_span *span)
{
	const struct history_wake *wake = history->wakes.item;
	size_t first = wakes_find(history, waker->index, INT64_MIN);

	if (index >= history->wakes.num - first || wake[first + index].waker != waker->index)
		return false;
	wake += first + index;
	return lkst_history_thread_span(history, lkst_model_thread(history->model, wake->thread),
					wake->span, span);
}
