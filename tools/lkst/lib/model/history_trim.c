// SPDX-License-Identifier: LGPL-2.1
/* Drops the oldest spans of a history when it has reached its limit. */
#include <string.h>

#include "history.h"
#include "lib/base/error.h"
#include "messages.h"

/**
 * history_used() - count the memory of a history, including what its sorted wake-ups need
 * @history: history
 */
uint64_t history_used(const struct lkst_history *history)
{
	uint64_t bytes = history->bytes;
	uint64_t slots = history->causes.room * HISTORY_CAUSE_SLOTS + 64 * sizeof(uint32_t);

	if (!history->wakes_sorted)
		bytes += history->wakers * sizeof(struct history_wake);
	return bytes - history->cause_slots.room * sizeof(uint32_t) + slots;
}

/* Drop elements from the start of a list. */
static void trim_list(struct lkst_history *history, struct history_list *list, size_t num,
		      size_t size)
{
	if (num)
		memmove(list->item, (char *)list->item + num * size, (list->num - num) * size);
	list->num -= num;
	history_shrink(history, list, size);
}

static void trim_thread(struct lkst_history *history, struct history_thread *thread,
			int64_t begin_ns)
{
	const struct history_span *spans = thread->spans.item;
	size_t num = history_span_index(thread, begin_ns);

	for (size_t i = 0; i < num; i++)
		history->wakers -= spans[i].waker != 0;
	trim_list(history, &thread->spans, num, sizeof(*spans));
	trim_list(history, &thread->calls, history_call_index(thread, begin_ns),
		  sizeof(struct history_call));
}

/* Drop all spans that end at @begin_ns or earlier. */
static void trim_before(struct lkst_history *history, int64_t begin_ns)
{
	for (size_t i = 0; i < history->threads.num; i++)
		trim_thread(history, &history_threads(history)[i], begin_ns);
	for (size_t i = 0; i < history->cpus.num; i++) {
		struct history_cpu *cpu = &history_cpus(history)[i];

		trim_list(history, &cpu->spans, history_cpu_index(cpu, begin_ns),
			  sizeof(struct history_cpu_span));
	}
	history->begin_ns = begin_ns;
}

/*
 * Return the start of the oldest span, or the time before which spans have been dropped, whichever
 * is later.
 */
static int64_t trim_oldest(const struct lkst_history *history)
{
	int64_t oldest_ns = history->model->now_ns;

	for (size_t i = 0; i < history->threads.num; i++) {
		const struct history_thread *thread = &history_threads(history)[i];
		const struct history_span *spans = thread->spans.item;

		if (thread->spans.num && spans->begin_ns < oldest_ns)
			oldest_ns = spans->begin_ns;
	}
	for (size_t i = 0; i < history->cpus.num; i++) {
		const struct history_cpu *cpu = &history_cpus(history)[i];
		const struct history_cpu_span *spans = cpu->spans.item;

		if (cpu->spans.num && spans->begin_ns < oldest_ns)
			oldest_ns = spans->begin_ns;
	}
	return model_later(oldest_ns, history->begin_ns);
}

/**
 * history_trim() - drop old spans until a quarter of the memory is free
 * @history: history that has reached its limit
 * @more: number of bytes that the caller will allocate
 *
 * Each step drops the older half of the time that the spans cover. If the times of a damaged trace
 * are far apart, this takes up to 62 steps.
 *
 * Return: 0; -1 if an allocation fails or the limit is too low, which makes the model fail, too.
 */
int history_trim(struct lkst_history *history, uint64_t more)
{
	const uint64_t goal = history->limit - history->limit / 4;
	const int64_t now_ns = history->model->now_ns;
	int64_t begin_ns = trim_oldest(history);
	struct lkst_error err;

	history_wakes_drop(history);
	while (history_used(history) + more > goal && begin_ns < now_ns) {
		begin_ns += (now_ns - begin_ns) / 2 + 1;
		trim_before(history, begin_ns < now_ns ? begin_ns : now_ns);
		if (history->causes.room * sizeof(struct history_cause) > history->limit / 8 &&
		    history_causes_rebuild(history))
			return -1;
	}
	if (history_used(history) + more <= history->limit)
		return 0;
	lkst_error_set(&err, LKST_ERR_ARGUMENT, MSG_HISTORY_LIMIT, history->threads.num,
		       (unsigned long long)history->limit);
	lkst_model_fail(history->model, &err);
	history->failed = true;
	return -1;
}
