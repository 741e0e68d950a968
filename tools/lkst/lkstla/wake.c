// SPDX-License-Identifier: GPL-2.0
/* lkstla wake: what woke up threads, and how long it took until they ran. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "tally.h"
#include "value.h"
#include "wakers.h"

/* Damaged input can contain any number of different wakers and threads. */
#define WAKE_ROWS_MAX (1u << 17)
#define WAKE_REST     "(others)"

struct wake_arguments {
	bool dot;
};

static const struct option_row wake_rows[] = {
	OPT_FLAG(0, "dot", struct wake_arguments, dot, "a graph of the wake-ups, for Graphviz"),
};

/**
 * struct wake_row - wake-ups of a thread by one waker
 * @head: key: index of the thread that was woken up; waker_kind_key(); number of the waker
 * @woken: thread that was woken up
 * @waker: what woke it up
 * @wakes: number of wake-ups
 * @waits: times from a wake-up until the thread ran
 */
struct wake_row {
	struct hash_head head;
	const struct lkst_thread *woken;
	struct waker waker;
	uint64_t wakes;
	struct dist waits;
};

struct wake_state {
	const struct run *run;
	struct hash rows;
};

/* Return whether -p selects the thread that was woken up, or its waker. */
static bool wake_selects(const struct run *run, const struct lkst_thread *woken,
			 const struct waker *waker)
{
	return run_selects(run, woken) || (waker->thread && run_selects(run, waker->thread));
}

/*
 * Count the wake-up that caused a RUNNABLE span, unless the thread was preempted, or the wake-up
 * was before the window. The model may learn of the wake-up only after the span has begun. So check
 * the time of the wake-up instead of whether the start of the span is known.
 */
static void wake_span(void *ctx, const struct lkst_thread_span *span)
{
	const struct waker waker = waker_of(&span->wake);
	const uint64_t key[HASH_WORDS] = { span->thread->index, waker_kind_key(&waker),
					   waker.number };
	struct wake_state *state = ctx;
	struct wake_row *row;

	if (span->state != LKST_STATE_RUNNABLE || span->preempted || !span->wake.time_ns ||
	    span->wake.time_ns < span->begin_ns || !run_selects_cpu(state->run, span->wake.cpu) ||
	    !wake_selects(state->run, span->thread, &waker))
		return;
	if (hash_add_row(&state->rows, key, &row) == HASH_NO_MEMORY) {
		run_out_of_memory(state->run);
		return;
	}
	row->woken = span->thread;
	row->waker = waker;
	row->wakes++;
	if (span->end == LKST_END_STATE &&
	    dist_add(&row->waits, tally_length(span->begin_ns, span->end_ns), span->end_ns))
		run_out_of_memory(state->run);
}

static void *wake_start(const struct run *run, struct lkst_error *err)
{
	struct wake_state *state = calloc(1, sizeof(*state));

	if (!state) {
		lkst_error_memory(err, "wake");
		return NULL;
	}
	state->run = run;
	state->rows = (struct hash){ .size = sizeof(struct wake_row), .max = WAKE_ROWS_MAX };
	return state;
}

static void wake_free(void *ctx)
{
	struct wake_state *state = ctx;
	struct wake_row *row;
	size_t at = 0;

	while ((row = hash_next(&state->rows, &at)) != NULL)
		dist_free(&row->waits);
	hash_free(&state->rows);
	free(state);
}

/* ---- output ---- */

static const struct column wake_columns[] = {
	{ "waker", "waker", COLUMN_TEXT },
	{ "woken", "woken", COLUMN_TEXT },
	{ "wake-ups", "wakes", COLUMN_COUNT },
	VALUE_DIST_COLUMNS,
};

/* Order: most wake-ups first. */
static int wake_order(const void *pa, const void *pb)
{
	const struct wake_row *a = *(const struct wake_row *const *)pa;
	const struct wake_row *b = *(const struct wake_row *const *)pb;

	if (a->wakes != b->wakes)
		return a->wakes > b->wakes ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

static bool wake_over(const struct run *run, const struct wake_row *row)
{
	return run->args->over_ns <= 0 || row->waits.max >= (uint64_t)run->args->over_ns;
}

static const char *wake_waker(const struct run *run, const struct wake_row *row,
			      char text[WAKER_NAME_SIZE])
{
	return hash_is_rest(row) ? WAKE_REST :
				   waker_name(run, &row->waker, row->woken->source, text);
}

static const char *wake_woken(const struct run *run, const struct wake_row *row, char text[40])
{
	return hash_is_rest(row) ? WAKE_REST : run_thread_name(run, row->woken, text);
}

static int wake_add(const struct run *run, struct table *table, const struct wake_row *row,
		    struct lkst_error *err)
{
	char waker[WAKER_NAME_SIZE], woken[40];
	struct cell cell[3 + VALUE_DIST_CELLS] = {
		CELL_TEXT(wake_waker(run, row, waker)),
		CELL_TEXT(wake_woken(run, row, woken)),
		CELL(row->wakes),
	};

	value_dist(&row->waits, cell + 3);
	return table_add(table, cell, err);
}

/* Print a name as a string of the DOT language. */
static void dot_name(const char *name)
{
	char printable[4 * WAKER_NAME_SIZE];

	lkst_printable(name, strlen(name), printable, sizeof(printable));
	putchar('"');
	for (const char *p = printable; *p; p++) {
		if (*p == '"' || *p == '\\')
			putchar('\\');
		putchar(*p);
	}
	putchar('"');
}

static void dot_row(const struct run *run, const struct wake_row *row)
{
	char waker[WAKER_NAME_SIZE], woken[40];
	const char *by = wake_waker(run, row, waker);

	putchar('\t');
	dot_name(by ? by : "unknown");
	fputs(" -> ", stdout);
	dot_name(wake_woken(run, row, woken));
	printf(" [label=%" PRIu64 "]\n", row->wakes);
}

static void dot_print(const struct run *run, void *const *rows, size_t num)
{
	int64_t top = run->args->top ? run->args->top : INT64_MAX;

	puts("digraph wake {");
	for (size_t i = 0; i < num && top; i++) {
		if (!wake_over(run, rows[i]))
			continue;
		dot_row(run, rows[i]);
		top--;
	}
	puts("}");
}

static int wake_table(const struct run *run, void *const *rows, size_t num, struct tables *to,
		      struct lkst_error *err)
{
	struct table *table = value_table(to, "wake", "Wake-ups", wake_columns,
					  sizeof(wake_columns) / sizeof(*wake_columns), err);
	int ret = table ? 0 : -1;

	for (size_t i = 0; i < num && !ret; i++)
		if (wake_over(run, rows[i]))
			ret = wake_add(run, table, rows[i], err);
	return ret;
}

static int wake_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	const struct wake_arguments *own = run->own;
	struct wake_state *state = ctx;
	void **rows = hash_sorted(&state->rows, wake_order);
	int ret = 0;

	if (!rows) {
		lkst_error_memory(err, "wake");
		return -1;
	}
	to->printed = own->dot;
	if (own->dot)
		dot_print(run, rows, state->rows.num);
	else
		ret = wake_table(run, rows, state->rows.num, to, err);
	free(rows);
	return ret;
}

static const char *const wake_needs[] = { "PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP", NULL };
static const char *const wake_helps[] = {
	"PROCESS_WAKING",  "PROCESS_STATE",   "INT_HARDWARE_ENTRY", "INT_SOFTIRQ_ENTRY",
	"INT_TIMER_ENTRY", "TIMER_RUN_ENTRY", "TIMER_HR_RUN_ENTRY", NULL,
};

const struct analysis analysis_wake = {
	.name = "wake",
	.summary = "where and why threads slept, and what woke them up",
	.about =
		"For each thread and waker: how often the waker woke the thread up, and how long\n"
		"it took until it ran. A waker is a thread, or an interrupt, softirq or timer\n"
		"function; \"-\" if it is unknown. \"at\" is the time at which the thread ran after\n"
		"the longest wait. -p selects wakers and woken threads, -c the waker's CPU.\n",
	.row = wake_rows,
	.rows = sizeof(wake_rows) / sizeof(*wake_rows),
	.own_size = sizeof(struct wake_arguments),
	.prints = "--dot",
	.needs = wake_needs,
	.helps = wake_helps,
	.ops = { .thread = wake_span },
	.start = wake_start,
	.report = wake_report,
	.free = wake_free,
};
