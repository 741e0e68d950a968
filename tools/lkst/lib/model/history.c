// SPDX-License-Identifier: LGPL-2.1
/*
 * Keeps the spans that a model reports, so that programs can ask about them later. lib/model.h
 * documents the functions.
 */
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "lib/base/error.h"
#include "messages.h"

/*
 * Drop old spans if @bytes more bytes would exceed the limit. Returns -1 if that does not free
 * enough.
 */
static int history_reserve(struct lkst_history *history, uint64_t bytes)
{
	if (history_used(history) + bytes <= history->limit)
		return 0;
	return history_trim(history, bytes);
}

/**
 * history_grow() - make room in a list
 * @history: history
 * @list: list; if old spans are dropped, it may get shorter
 * @num: number of elements that will be added
 * @size: size of an element
 *
 * Return: 0; -1 if an allocation fails or the limit is too low, which makes the model fail, too.
 */
int history_grow(struct lkst_history *history, struct history_list *list, size_t num, size_t size)
{
	/* A cause also takes slots of the hash table, whose size history_causes.c adapts. */
	size_t cost = list == &history->causes ? size + HISTORY_CAUSE_SLOTS : size;
	size_t more = list->num / 2 + 4 + num;
	struct lkst_error err;
	void *grown;

	if (list->num + num <= list->room)
		return 0;
	if (history_reserve(history, more * cost))
		return -1;
	/* history_reserve() may have dropped elements of this list. */
	more = list->num / 2 + 4 + num;
	grown = realloc(list->item, (list->num + more) * size);
	if (!grown) {
		lkst_error_memory(&err, HISTORY_MEMORY);
		lkst_model_fail(history->model, &err);
		history->failed = true;
		return -1;
	}
	memset((char *)grown + list->num * size, 0, more * size);
	history->bytes += (list->num + more - list->room) * size;
	list->item = grown;
	list->room = list->num + more;
	return 0;
}

/**
 * history_shrink() - free the part of a list that is not used
 * @history: history
 * @list: list
 * @size: size of an element
 */
void history_shrink(struct lkst_history *history, struct history_list *list, size_t size)
{
	void *shrunk = NULL;

	if (list->num == list->room)
		return;
	if (list->num) {
		shrunk = realloc(list->item, list->num * size);
		if (!shrunk)
			return;
	} else {
		free(list->item);
	}
	history->bytes -= (list->room - list->num) * size;
	list->item = shrunk;
	list->room = list->num;
}

/*
 * Extend a list until it has an element @index, which is the index of a thread or CPU in the model.
 * Returns that element; NULL on failure.
 */
static void *history_cover(struct lkst_history *history, struct history_list *list, size_t index,
			   size_t size)
{
	if (index >= list->num) {
		if (history_grow(history, list, index + 1 - list->num, size))
			return NULL;
		list->num = index + 1;
	}
	return (char *)list->item + index * size;
}

static uint32_t history_thread_number(const struct lkst_thread *thread)
{
	return thread ? thread->index + 1 : 0;
}

/* ---- spans of threads ---- */

/* Append a span to the spans of a thread. Returns NULL on failure. */
static struct history_span *history_add_span(struct lkst_history *history, uint32_t index)
{
	struct history_thread *thread = &history_threads(history)[index];
	struct history_span *spans;

	if (history_grow(history, &thread->spans, 1, sizeof(*spans)))
		return NULL;
	spans = thread->spans.item;
	return &spans[thread->spans.num++];
}

/*
 * If the model did not report the time from the end of the last span to @begin_ns, fill it with a
 * span in state UNKNOWN.
 */
static int history_fill_thread(struct lkst_history *history, uint32_t index, int64_t begin_ns)
{
	struct history_thread *thread = &history_threads(history)[index];
	struct history_span *span;

	if (!thread->begun || thread->end_ns == begin_ns)
		return 0;
	span = history_add_span(history, index);
	if (!span)
		return -1;
	*span = (struct history_span){
		.begin_ns = thread->end_ns,
		.syscall = LKST_SYSCALL_NONE,
		.cpu = -1,
		.wake_cpu = -1,
	};
	thread->end_ns = begin_ns;
	return 0;
}

static struct history_span history_pack(const struct lkst_thread_span *span)
{
	return (struct history_span){
		.begin_ns = span->begin_ns,
		.wake_ns = span->wake.time_ns,
		.waker = history_thread_number(span->wake.thread),
		.behind = history_thread_number(span->behind),
		.syscall = span->syscall,
		.cpu = (int16_t)span->cpu,
		.wake_cpu = (int16_t)span->wake.cpu,
		.letter = span->letter,
		.state = (uint8_t)span->state & 3,
		.end = (uint8_t)span->end & 3,
		.begin_known = span->begin_known,
		.preempted = span->preempted,
		.woken = span->wake.known,
	};
}

/*
 * In the last span of a thread, set the context in which the thread was woken up or went to sleep.
 * This may drop spans, perhaps even the last one.
 */
static void history_set_cause(struct lkst_history *history, const struct lkst_thread_span *from)
{
	const struct lkst_wake *wake = &from->wake;
	const struct history_list *list;
	struct history_span *spans;
	uint32_t cause = 0;

	if (wake->known && wake->context >= 0)
		history_cause(history, wake->context, wake->number, wake->name, &cause);
	else if (from->state == LKST_STATE_BLOCKED && from->context >= 0)
		history_cause(history, from->context, from->number, "", &cause);
	list = &history_threads(history)[from->thread->index].spans;
	spans = list->item;
	if (cause && list->num)
		spans[list->num - 1].cause = cause;
}

static void history_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct lkst_history *history = ctx;
	uint32_t index = span->thread->index;
	struct history_span *to;

	if (history->failed ||
	    !history_cover(history, &history->threads, index, sizeof(struct history_thread)) ||
	    history_fill_thread(history, index, span->begin_ns))
		return;
	if (history->wakes_sorted)
		history_wakes_drop(history);
	history->wakers += span->wake.thread != NULL;
	if (history_reserve(history, 0))
		return;
	to = history_add_span(history, index);
	if (!to)
		return;
	*to = history_pack(span);
	history_threads(history)[index].end_ns = span->end_ns;
	history_threads(history)[index].begun = true;
	history_set_cause(history, span);
}

static void history_on_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct lkst_history *history = ctx;
	struct history_thread *thread;
	struct history_call *calls;

	if (history->failed ||
	    !history_cover(history, &history->threads, span->thread->index, sizeof(*thread)))
		return;
	thread = &history_threads(history)[span->thread->index];
	if (history_grow(history, &thread->calls, 1, sizeof(*calls)))
		return;
	calls = thread->calls.item;
	calls[thread->calls.num++] = (struct history_call){
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.result = span->result,
		.arg = { span->arg[0], span->arg[1], span->arg[2] },
		.number = span->number,
		.abi = span->abi,
		.begin_known = span->begin_known,
		.end_known = span->end_known,
		.exited = span->exited,
	};
}

/* ---- spans of CPUs ---- */

static int history_add_cpu_span(struct lkst_history *history, struct history_cpu *cpu,
				int64_t begin_ns, int64_t end_ns, enum lkst_mode mode,
				uint32_t thread)
{
	struct history_cpu_span *spans;

	if (history_grow(history, &cpu->spans, 1, sizeof(*spans)))
		return -1;
	spans = cpu->spans.item;
	spans[cpu->spans.num++] = (struct history_cpu_span){ begin_ns, thread, (uint8_t)mode };
	cpu->end_ns = end_ns;
	cpu->begun = true;
	return 0;
}

static void history_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct lkst_history *history = ctx;
	const struct model_cpu *of = history->model->world[span->source]->cpu[span->cpu];
	struct history_cpu *cpu;

	if (history->failed)
		return;
	cpu = history_cover(history, &history->cpus, of->index, sizeof(*cpu));
	if (!cpu)
		return;
	if (cpu->begun && cpu->end_ns != span->begin_ns &&
	    history_add_cpu_span(history, cpu, cpu->end_ns, span->begin_ns, LKST_MODE_UNKNOWN, 0))
		return;
	history_add_cpu_span(history, cpu, span->begin_ns, span->end_ns, span->mode,
			     history_thread_number(span->thread));
}

/* ---- the history ---- */

static const struct lkst_model_ops history_ops = {
	.thread = history_on_thread,
	.cpu = history_on_cpu,
	.syscall = history_on_syscall,
};

struct lkst_history *lkst_history_new(struct lkst_model *model, uint64_t bytes,
				      struct lkst_error *err)
{
	struct lkst_history *history = calloc(1, sizeof(*history));

	if (!history) {
		lkst_error_memory(err, HISTORY_MEMORY);
		return NULL;
	}
	history->model = model;
	history->limit = bytes ? bytes : LKST_HISTORY_BYTES;
	history->bytes = sizeof(*history);
	history->begin_ns = INT64_MIN;
	if (!lkst_model_add(model, &history_ops, history, err))
		return history;
	free(history);
	return NULL;
}

void lkst_history_free(struct lkst_history *history)
{
	if (!history)
		return;
	for (size_t i = 0; i < history->threads.num; i++) {
		free(history_threads(history)[i].spans.item);
		free(history_threads(history)[i].calls.item);
	}
	for (size_t i = 0; i < history->cpus.num; i++)
		free(history_cpus(history)[i].spans.item);
	free(history->threads.item);
	free(history->cpus.item);
	free(history->causes.item);
	free(history->cause_slots.item);
	free(history->wakes.item);
	free(history);
}

uint64_t lkst_history_bytes(const struct lkst_history *history)
{
	return history->bytes;
}

int64_t lkst_history_begin(const struct lkst_history *history)
{
	return history->begin_ns;
}
