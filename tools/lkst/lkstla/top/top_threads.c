// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla top: threads in an interval.
 *
 * The end of an interval cuts spans into parts. The times of a thread are the times of the parts in
 * the interval, so they add up to the interval. But a wait for a CPU counts with its whole length
 * in the interval in which it ends. If a wait has not ended, its length so far counts. If only the
 * part in the interval counted, no wait would appear to be longer than an interval.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lkstla/causes.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "top.h"

#define THREADS_CAUSES_MAX (1u << 17)

/*
 * How long a thread was blocked in a system call. The key is the index of the thread, and number
 * and ABI of the call.
 */
struct top_cause {
	struct hash_head head;
	const struct lkst_thread *thread;
	int32_t number;
	uint8_t abi;
	int64_t ns;
};

void top_threads_init(struct top_threads *threads, int64_t first_ns)
{
	*threads = (struct top_threads){
		.first_ns = first_ns,
		.causes = { .size = sizeof(struct top_cause), .max = THREADS_CAUSES_MAX },
	};
}

/* Begin an interval. */
void top_threads_clear(struct top_threads *threads)
{
	for (size_t i = 0; i < threads->room; i++)
		dist_free(&threads->thread[i].waits);
	if (threads->room)
		memset(threads->thread, 0, threads->room * sizeof(*threads->thread));
	hash_free(&threads->causes);
}

void top_threads_free(struct top_threads *threads)
{
	top_threads_clear(threads);
	free(threads->thread);
}

static struct top_thread *top_threads_of(struct top_threads *threads, const struct lkst_thread *of)
{
	struct top_thread *thread =
		tally_cover(threads->thread, &threads->room, of->index, sizeof(*thread));

	if (!thread)
		return NULL;
	threads->thread = thread;
	thread[of->index].thread = of;
	return &thread[of->index];
}

static int top_threads_wait(struct top_threads *threads, struct top_thread *thread,
			    const struct lkst_thread_span *span)
{
	int64_t begin_ns = span->thread->since_ns, ns;

	if (begin_ns < threads->first_ns)
		begin_ns = threads->first_ns;
	if (begin_ns > span->begin_ns)
		begin_ns = span->begin_ns;
	ns = tally_length(begin_ns, span->end_ns);
	/*
	 * An empty span means that records were lost before the interval, so the wait may have
	 * ended before the interval.
	 */
	if (!ns && !span->begin_known)
		return 0;
	if (!thread->waits.count || (uint64_t)ns > thread->waits.max)
		thread->behind = span->behind;
	return dist_add(&thread->waits, ns, span->end_ns);
}

static int top_threads_blocked(struct top_threads *threads, struct top_thread *thread,
			       const struct lkst_thread_span *span, int64_t ns)
{
	const uint64_t key[HASH_WORDS] = { span->thread->index, (uint32_t)span->syscall,
					   span->thread->abi };
	struct top_cause *cause;

	if (span->letter == 'D')
		thread->disk_ns = tally_sum(thread->disk_ns, ns);
	if (span->syscall == LKST_SYSCALL_NONE)
		return 0;
	if (hash_add(&threads->causes, key, &cause) == HASH_NO_MEMORY)
		return -1;
	if (!cause)
		return 0;
	cause->thread = span->thread;
	cause->number = span->syscall;
	cause->abi = span->thread->abi;
	cause->ns = tally_sum(cause->ns, ns);
	return 0;
}

/**
 * top_threads_span() - count a span of a thread
 * @threads: threads
 * @span: span that -p and -c select
 *
 * Return: 0; -1 if an allocation failed.
 */
int top_threads_span(struct top_threads *threads, const struct lkst_thread_span *span)
{
	struct top_thread *thread = top_threads_of(threads, span->thread);
	int64_t ns = tally_length(span->begin_ns, span->end_ns);

	if (!thread)
		return -1;
	thread->state_ns[span->state] = tally_sum(thread->state_ns[span->state], ns);
	switch (span->state) {
	case LKST_STATE_RUNNING:
		thread->runs += span->begin_known;
		thread->user_ns = tally_sum(thread->user_ns, span->mode_ns[LKST_MODE_USER]);
		return 0;
	case LKST_STATE_RUNNABLE:
		return top_threads_wait(threads, thread, span);
	case LKST_STATE_BLOCKED:
		return top_threads_blocked(threads, thread, span, ns);
	default:
		return 0;
	}
}

/**
 * top_threads_call() - count a system call that has ended
 * @threads: threads
 * @span: system call that -p and -c select
 *
 * Return: 0; -1 if an allocation failed.
 */
int top_threads_call(struct top_threads *threads, const struct lkst_syscall_span *span)
{
	struct top_thread *thread = top_threads_of(threads, span->thread);

	if (!thread)
		return -1;
	thread->calls++;
	thread->errors += top_calls_failed(span);
	return 0;
}

/* ---- the table ---- */

static const struct column top_threads_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "run %", "run", COLUMN_PERCENT },
	{ "wait %", "wait", COLUMN_PERCENT },
	{ "max us", "wait_max_ns", COLUMN_US },
	{ "blocked %", "blocked", COLUMN_PERCENT },
	{ "D %", "uninterruptible", COLUMN_PERCENT },
	{ "runs/s", "runs_per_s", COLUMN_RATE },
	{ "calls/s", "calls_per_s", COLUMN_RATE },
	{ "errors/s", "errors_per_s", COLUMN_RATE },
	{ "blocked in", "blocked_in", COLUMN_TEXT },
	{ "user %", "user", COLUMN_PERCENT },
	{ "p99 us", "wait_p99_ns", COLUMN_US },
	{ "CPU", "cpu", COLUMN_NUMBER },
	{ "behind", "behind", COLUMN_TEXT },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))

/* Order: longest run time first, then longest wait. */
static int top_threads_order(const void *pa, const void *pb)
{
	const struct top_thread *a = *(const struct top_thread *const *)pa;
	const struct top_thread *b = *(const struct top_thread *const *)pb;

	for (enum lkst_state state = LKST_STATE_RUNNING; state < LKST_STATE_NUM; state++)
		if (a->state_ns[state] != b->state_ns[state])
			return a->state_ns[state] > b->state_ns[state] ? -1 : 1;
	return (a->thread->index > b->thread->index) - (a->thread->index < b->thread->index);
}

/* Return whether a thread did anything but sleep. */
static bool top_threads_active(const struct top_thread *thread)
{
	return thread->state_ns[LKST_STATE_RUNNING] || thread->state_ns[LKST_STATE_RUNNABLE] ||
	       thread->runs || thread->calls || thread->disk_ns;
}

/* Return the threads to show, in the order of the table. The caller frees the array. */
static const struct top_thread **top_threads_choose(const struct top_threads *threads, bool all,
						    size_t *num)
{
	const struct top_thread **chosen = calloc(threads->room + 1, sizeof(*chosen));

	*num = 0;
	if (!chosen)
		return NULL;
	for (size_t i = 0; i < threads->room; i++) {
		const struct top_thread *thread = &threads->thread[i];

		if (thread->thread && (all || top_threads_active(thread)))
			chosen[(*num)++] = thread;
	}
	qsort(chosen, *num, sizeof(*chosen), top_threads_order);
	return chosen;
}

/* For each thread, find the system call in which it was blocked longest; NULL: none. */
static const struct top_cause **top_threads_causes(const struct top_threads *threads)
{
	const struct top_cause **of = calloc(threads->room + 1, sizeof(*of)), *cause;
	size_t at = 0;

	while (of && (cause = hash_next(&threads->causes, &at)) != NULL) {
		const struct top_cause **longest = &of[cause->thread->index];

		if (!*longest || cause->ns > (*longest)->ns ||
		    (cause->ns == (*longest)->ns && cause->number < (*longest)->number))
			*longest = cause;
	}
	return of;
}

static struct cell top_threads_share(int64_t ns, double length_ns)
{
	return CELL_REAL((double)ns / length_ns);
}

static struct cell top_threads_rate(uint64_t number, double length_ns)
{
	return CELL_REAL((double)number * 1e9 / length_ns);
}

static int top_threads_add(struct table *table, const struct run *run,
			   const struct top_thread *thread, const struct top_cause *cause,
			   struct lkst_error *err)
{
	double length = (double)tally_length(run->begin_ns, run->end_ns);
	const struct dist *waits = &thread->waits;
	char name[40], behind[40], call[32];
	struct cell cell[NUM(top_threads_columns)] = {
		CELL_TEXT(run_thread_name(run, thread->thread, name)),
		top_threads_share(thread->state_ns[LKST_STATE_RUNNING], length),
		top_threads_share(thread->state_ns[LKST_STATE_RUNNABLE], length),
		waits->count ? CELL(waits->max) : CELL_NONE,
		top_threads_share(thread->state_ns[LKST_STATE_BLOCKED], length),
		top_threads_share(thread->disk_ns, length),
		top_threads_rate(thread->runs, length),
		top_threads_rate(thread->calls, length),
		top_threads_rate(thread->errors, length),
		CELL_NONE,
		top_threads_share(thread->user_ns, length),
		waits->count ? CELL(dist_percentile(waits, 99)) : CELL_NONE,
		thread->thread->cpu < 0 ? CELL_NONE : CELL(thread->thread->cpu),
		thread->behind ? value_thread_cell(run, thread->behind, behind) : CELL_NONE,
	};

	if (cause)
		cell[9] =
			CELL_TEXT(run_syscall_name(cause->thread, cause->number, cause->abi, call));
	return table_add(table, cell, err);
}

/**
 * top_threads_table() - make the table of threads
 * @threads: threads
 * @run: run, whose window is the interval
 * @all: also threads that did nothing but sleep
 * @err: set if an allocation fails
 */
struct table *top_threads_table(struct top_threads *threads, const struct run *run, bool all,
				struct lkst_error *err)
{
	struct table *table =
		table_new("threads", "Threads", top_threads_columns, NUM(top_threads_columns), err);
	const struct top_cause **causes = top_threads_causes(threads);
	const struct top_thread **chosen;
	size_t num;
	int ret = table && causes ? 0 : -1;

	chosen = top_threads_choose(threads, all, &num);
	if (table && (!causes || !chosen)) {
		lkst_error_memory(err, "threads");
		ret = -1;
	}
	for (size_t i = 0; i < num && !ret; i++)
		ret = top_threads_add(table, run, chosen[i], causes[chosen[i]->thread->index], err);
	free(chosen);
	free(causes);
	if (!ret)
		return table;
	table_free(table);
	return NULL;
}
