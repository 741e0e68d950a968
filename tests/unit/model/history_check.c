// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "history_check.h"
#include "must.h"

#define QUESTIONS 40 /* for each list of spans */

/* An array of spans of one thread or CPU, in order of time */
struct list {
	char *item;
	size_t num, room;
};

struct check_thread {
	struct list spans, calls;
};

struct check_cpu {
	uint32_t source;
	int32_t cpu;
	struct list spans;
};

struct history_check {
	struct lkst_model *model;
	struct lkst_history *history;
	size_t threads, cpus, spans, gaps;
	struct check_thread *thread;
	struct check_cpu *cpu;
	struct list wakes; /* all RUNNABLE spans with a waker */
	bool partial; /* see history_check_window() */
	uint64_t random;
};

static void *list_add(struct list *list, const void *item, size_t size)
{
	if (list->num == list->room) {
		list->room = list->room * 2 + 8;
		list->item = realloc(list->item, list->room * size);
		MUST(list->item);
	}
	return memcpy(list->item + list->num++ * size, item, size);
}

static const void *list_last(const struct list *list, size_t size)
{
	return list->num ? list->item + (list->num - 1) * size : NULL;
}

static struct check_thread *check_thread(struct history_check *check, uint32_t index)
{
	while (index >= check->threads) {
		check->thread = realloc(check->thread,
					(check->threads + 1) * sizeof(*check->thread));
		MUST(check->thread);
		check->thread[check->threads++] = (struct check_thread){ 0 };
	}
	return &check->thread[index];
}

static struct check_cpu *check_cpu(struct history_check *check, uint32_t source, int32_t cpu)
{
	for (size_t i = 0; i < check->cpus; i++)
		if (check->cpu[i].source == source && check->cpu[i].cpu == cpu)
			return &check->cpu[i];
	check->cpu = realloc(check->cpu, (check->cpus + 1) * sizeof(*check->cpu));
	MUST(check->cpu);
	check->cpu[check->cpus] = (struct check_cpu){ .source = source, .cpu = cpu };
	return &check->cpu[check->cpus++];
}

/* ---- what the model reports ---- */

/* The time between two windows, which the model does not report, is unknown. */
static void on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct history_check *check = ctx;
	struct list *spans = &check_thread(check, span->thread->index)->spans;
	const struct lkst_thread_span *last = list_last(spans, sizeof(*span));

	if (last && last->end_ns != span->begin_ns) {
		const struct lkst_thread_span unknown = {
			.thread = span->thread, .begin_ns = last->end_ns,
			.end_ns = span->begin_ns, .mode_ns = { 0 },
			.cpu = -1, .syscall = LKST_SYSCALL_NONE, .context = -1,
			.wake = { .cpu = -1, .context = -1 },
		};

		list_add(spans, &unknown, sizeof(unknown));
		check->gaps++;
	}
	list_add(spans, span, sizeof(*span));
	if (span->wake.thread)
		list_add(&check->wakes, span, sizeof(*span));
	check->spans++;
}

static void on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct history_check *check = ctx;
	struct list *spans = &check_cpu(check, span->source, span->cpu)->spans;
	const struct lkst_cpu_span *last = list_last(spans, sizeof(*span));

	if (last && last->end_ns != span->begin_ns) {
		const struct lkst_cpu_span unknown = {
			.source = span->source, .cpu = span->cpu,
			.begin_ns = last->end_ns, .end_ns = span->begin_ns,
		};

		list_add(spans, &unknown, sizeof(unknown));
		check->gaps++;
	}
	list_add(spans, span, sizeof(*span));
}

static void on_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	list_add(&check_thread(ctx, span->thread->index)->calls, span, sizeof(*span));
}

/* ---- comparisons ---- */

static bool check_dropped(const struct history_check *check)
{
	return lkst_history_begin(check->history) != INT64_MIN;
}

/*
 * Compare the times of a span by mode or state. The sums must be equal. If the history has dropped
 * old spans, or the model did not report some, their time counts as unknown (index 0). Then the
 * other times in @is may be shorter than those in @must.
 */
static void same_times(const struct history_check *check, const int64_t *is, const int64_t *must,
		       int num)
{
	int64_t sum = 0, must_sum = 0;

	for (int i = 0; i < num; i++) {
		MUST(is[i] >= 0);
		MUST(check_dropped(check) || check->partial || is[i] == must[i]);
		MUST(!i || is[i] <= must[i]);
		sum += is[i];
		must_sum += must[i];
	}
	MUST(sum == must_sum);
}

static void same_thread_span(const struct history_check *check, const struct lkst_thread_span *is,
			     const struct lkst_thread_span *must)
{
	const struct lkst_wake *wake = &is->wake;

	MUST(is->thread == must->thread && is->state == must->state);
	MUST(is->begin_ns == must->begin_ns && is->end_ns == must->end_ns);
	MUST(is->begin_known == must->begin_known && is->end == must->end);
	MUST(is->cpu == must->cpu && is->letter == must->letter && is->syscall == must->syscall);
	MUST(is->context == must->context && is->number == must->number);
	MUST(is->preempted == must->preempted && is->behind == must->behind);
	MUST(wake->known == must->wake.known && wake->thread == must->wake.thread);
	MUST(wake->cpu == must->wake.cpu && wake->context == must->wake.context);
	MUST(wake->number == must->wake.number && wake->time_ns == must->wake.time_ns);
	MUST(!strcmp(wake->name, must->wake.name));
	same_times(check, is->mode_ns, must->mode_ns, LKST_MODES_MAX);
}

static void same_cpu_span(const struct lkst_cpu_span *is, const struct lkst_cpu_span *must)
{
	MUST(is->source == must->source && is->cpu == must->cpu && is->mode == must->mode);
	MUST(is->begin_ns == must->begin_ns && is->end_ns == must->end_ns);
	MUST(is->thread == must->thread);
}

static void same_call(const struct history_check *check, const struct lkst_syscall_span *is,
		      const struct lkst_syscall_span *must)
{
	MUST(is->thread == must->thread && is->number == must->number && is->abi == must->abi);
	MUST(is->begin_ns == must->begin_ns && is->end_ns == must->end_ns);
	MUST(!memcmp(is->arg, must->arg, sizeof(is->arg)) && is->result == must->result);
	MUST(is->begin_known == must->begin_known && is->end_known == must->end_known);
	MUST(is->exited == must->exited);
	same_times(check, is->state_ns, must->state_ns, LKST_STATES_MAX);
}

/* Return how many of @num spans the history has dropped, if it still has @have of them. */
static size_t check_missing(const struct history_check *check, size_t num, size_t have)
{
	MUST(have <= num);
	MUST(have == num || check_dropped(check));
	return num - have;
}

/* Return a time from @from_ns - 1 to @to_ns + 1. Often it is 0 or 1 ns away from one of the two. */
static int64_t random_time(struct history_check *check, int64_t from_ns, int64_t to_ns)
{
	uint64_t n;

	check->random = check->random * 6364136223846793005 + 1442695040888963407;
	n = check->random >> 16;
	switch (n % 4) {
	case 0:
		return from_ns - 1 + (int64_t)(n / 4 % 3);
	case 1:
		return to_ns - 1 + (int64_t)(n / 4 % 3);
	default:
		return from_ns + (int64_t)(n / 4 % ((uint64_t)(to_ns - from_ns) + 1));
	}
}

static void check_spans(struct history_check *check, const struct lkst_thread *thread,
			const struct list *spans)
{
	const struct lkst_thread_span *must = (const struct lkst_thread_span *)spans->item;
	const struct lkst_history *history = check->history;
	size_t num = lkst_history_thread_index(history, thread, INT64_MAX);
	size_t missing = check_missing(check, spans->num, num);
	struct lkst_thread_span is;

	MUST(!missing || must[missing - 1].end_ns <= lkst_history_begin(history));
	MUST(!lkst_history_thread_span(history, thread, num, &is));
	for (size_t i = 0; i < num; i++) {
		MUST(lkst_history_thread_span(history, thread, i, &is));
		same_thread_span(check, &is, &must[missing + i]);
	}
	for (int q = 0; num && q < QUESTIONS; q++) {
		int64_t time_ns = random_time(check, must[missing].begin_ns,
					      must[spans->num - 1].end_ns);
		size_t ended = 0, i = lkst_history_thread_index(history, thread, time_ns);

		while (ended < num && must[missing + ended].end_ns <= time_ns)
			ended++;
		MUST(i == ended);
		if (lkst_history_thread_at(history, thread, time_ns, &is)) {
			MUST(is.begin_ns <= time_ns && time_ns < is.end_ns);
			same_thread_span(check, &is, &must[missing + ended]);
		} else {
			MUST(i == num || must[missing + i].begin_ns > time_ns);
		}
	}
}

static void check_calls(struct history_check *check, const struct lkst_thread *thread,
			const struct list *calls)
{
	const struct lkst_syscall_span *must = (const struct lkst_syscall_span *)calls->item;
	const struct lkst_history *history = check->history;
	size_t num = lkst_history_syscall_index(history, thread, INT64_MAX);
	size_t missing = check_missing(check, calls->num, num);
	struct lkst_syscall_span is;

	MUST(!missing || must[missing - 1].end_ns <= lkst_history_begin(history));
	MUST(!lkst_history_syscall_span(history, thread, num, &is));
	for (size_t i = 0; i < num; i++) {
		MUST(lkst_history_syscall_span(history, thread, i, &is));
		same_call(check, &is, &must[missing + i]);
	}
	for (int q = 0; num && q < QUESTIONS; q++) {
		int64_t time_ns = random_time(check, must[missing].begin_ns,
					      must[calls->num - 1].end_ns);
		size_t in = missing;

		while (in < calls->num &&
		       (must[in].begin_ns > time_ns || must[in].end_ns <= time_ns))
			in++;
		MUST(lkst_history_syscall_at(history, thread, time_ns, &is) == (in < calls->num));
		if (in < calls->num)
			same_call(check, &is, &must[in]);
	}
}

static void check_one_cpu(struct history_check *check, const struct check_cpu *cpu)
{
	const struct lkst_cpu_span *must = (const struct lkst_cpu_span *)cpu->spans.item;
	const struct lkst_history *history = check->history;
	size_t num = lkst_history_cpu_index(history, cpu->source, cpu->cpu, INT64_MAX);
	size_t missing = check_missing(check, cpu->spans.num, num);
	struct lkst_cpu_span is;

	MUST(!missing || must[missing - 1].end_ns <= lkst_history_begin(history));
	MUST(!lkst_history_cpu_span(history, cpu->source, cpu->cpu, num, &is));
	for (size_t i = 0; i < num; i++) {
		MUST(lkst_history_cpu_span(history, cpu->source, cpu->cpu, i, &is));
		same_cpu_span(&is, &must[missing + i]);
	}
	for (int q = 0; num && q < QUESTIONS; q++) {
		int64_t time_ns = random_time(check, must[missing].begin_ns,
					      must[cpu->spans.num - 1].end_ns);
		size_t i = missing;

		while (i < cpu->spans.num && must[i].end_ns <= time_ns)
			i++;
		if (lkst_history_cpu_at(history, cpu->source, cpu->cpu, time_ns, &is))
			same_cpu_span(&is, &must[i]);
		else
			MUST(i == cpu->spans.num || must[i].begin_ns > time_ns);
	}
}

/* All wake-ups that were reported and not dropped are found, those of each waker in order. */
static void check_wakes(struct history_check *check)
{
	const struct lkst_thread_span *must = (const struct lkst_thread_span *)check->wakes.item;
	const struct lkst_history *history = check->history;
	size_t found = 0, kept = 0;
	struct lkst_thread_span is;

	for (size_t i = 0; i < check->wakes.num; i++)
		kept += lkst_history_thread_index(history, must[i].thread, must[i].end_ns) > 0 ||
			lkst_history_thread_at(history, must[i].thread, must[i].begin_ns, &is);
	/*
	 * Include threads without any span: a thread that began at the time of the last
	 * lkst_model_cut() has none, but may have woken up other threads.
	 */
	for (size_t t = 0; t < lkst_model_threads(check->model); t++) {
		const struct lkst_thread *thread = lkst_model_thread(check->model, (uint32_t)t);
		int64_t last_ns = INT64_MIN;

		for (size_t i = 0; lkst_history_wake_span(history, thread, i, &is); i++) {
			MUST(is.wake.thread == thread && is.state == LKST_STATE_RUNNABLE);
			MUST(is.wake.time_ns >= last_ns);
			MUST(lkst_history_wake_index(history, thread, is.wake.time_ns) <= i);
			if (is.wake.time_ns < INT64_MAX)
				MUST(lkst_history_wake_index(history, thread,
							     is.wake.time_ns + 1) > i);
			last_ns = is.wake.time_ns;
			found++;
		}
	}
	MUST(found <= check->wakes.num);
	if (!check_dropped(check))
		MUST(found == check->wakes.num && found == kept);
}

void history_check_all(struct history_check *check, uint64_t seed)
{
	struct lkst_error err;

	check->random = seed;
	for (size_t i = 0; i < check->threads; i++) {
		const struct lkst_thread *thread = lkst_model_thread(check->model, (uint32_t)i);

		check_spans(check, thread, &check->thread[i].spans);
		check_calls(check, thread, &check->thread[i].calls);
	}
	for (size_t i = 0; i < check->cpus; i++)
		check_one_cpu(check, &check->cpu[i]);
	MUST(!lkst_history_sort_wakes(check->history, &err));
	MUST(!lkst_history_sort_wakes(check->history, &err));
	check_wakes(check);
}

struct history_check *history_check_new(struct lkst_model *model, struct lkst_history *history)
{
	static const struct lkst_model_ops ops = {
		.thread = on_thread, .cpu = on_cpu, .syscall = on_syscall,
	};
	struct history_check *check = calloc(1, sizeof(*check));
	struct lkst_error err;

	MUST(check && !lkst_model_add(model, &ops, check, &err));
	check->model = model;
	check->history = history;
	return check;
}

void history_check_window(struct history_check *check)
{
	check->partial = true;
}

size_t history_check_spans(const struct history_check *check)
{
	return check->spans;
}

size_t history_check_gaps(const struct history_check *check)
{
	return check->gaps;
}

void history_check_free(struct history_check *check)
{
	for (size_t i = 0; i < check->threads; i++) {
		free(check->thread[i].spans.item);
		free(check->thread[i].calls.item);
	}
	for (size_t i = 0; i < check->cpus; i++)
		free(check->cpu[i].spans.item);
	free(check->thread);
	free(check->cpu);
	free(check->wakes.item);
	free(check);
}
