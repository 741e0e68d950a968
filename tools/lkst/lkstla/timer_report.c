// SPDX-License-Identifier: GPL-2.0
/* The tables of lkstla timer. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "timer.h"
#include "value.h"

static const char *const timer_causes[BLAME_NUM] = {
	[BLAME_IDLE] = "idle",
	[BLAME_IRQ] = "hard interrupt",
	[BLAME_SOFTIRQ] = "softirq",
	[BLAME_UNKNOWN] = "unknown",
};

/* Return a cell that names what took most of the CPU's time during the longest delay. */
static struct cell timer_cause(const struct run *run, const struct timer_row *row,
			       char text[CONTEXT_THREAD_SIZE])
{
	enum blame_cause cause = blame_main(&row->blame);

	if (!row->late.count || !row->late.max)
		return CELL_NONE;
	return cause == BLAME_THREAD ? value_thread_cell(run, row->blame.thread, text) :
				       CELL_TEXT(timer_causes[cause]);
}

static const struct column timer_late_columns[] = {
	{ "hrtimer function", "name", COLUMN_TEXT },
	{ "count", "count", COLUMN_COUNT },
	{ "unknown", "unknown", COLUMN_COUNT },
	{ "late p50 us", "late_p50_ns", COLUMN_US },
	{ "p99 us", "late_p99_ns", COLUMN_US },
	{ "max us", "late_max_ns", COLUMN_US },
	{ "at", "at_ns", COLUMN_TIME },
	{ "CPU meanwhile", "cause", COLUMN_TEXT },
};

static int timer_add_late(struct table *table, const struct run *run, const void *entry,
			  struct lkst_error *err)
{
	const struct timer_row *row = entry;
	char name[CONTEXT_NAME_SIZE], text[CONTEXT_THREAD_SIZE];
	struct cell cell[8] = { CELL_TEXT(context_name(run, &row->row, name)), CELL(row->count),
				CELL(row->count - row->late.count) };

	if (!row->count)
		return 0;
	value_dist(&row->late, cell + 3);
	cell[7] = timer_cause(run, row, text);
	return table_add(table, cell, err);
}

static const struct column timer_worst_columns[] = {
	{ "latest of", "name", COLUMN_TEXT },	   { "CPU", "cpu", COLUMN_NUMBER },
	{ "context", "context", COLUMN_TEXT },	   { "late us", "late_ns", COLUMN_US },
	{ "idle us", "idle_ns", COLUMN_US },	   { "irq us", "irq_ns", COLUMN_US },
	{ "softirq us", "softirq_ns", COLUMN_US }, { "thread us", "thread_ns", COLUMN_US },
	{ "unknown us", "unknown_ns", COLUMN_US }, { "thread", "thread", COLUMN_TEXT },
};

static int timer_add_worst(struct table *table, const struct run *run, const void *entry,
			   struct lkst_error *err)
{
	const struct timer_row *row = entry;
	char name[CONTEXT_NAME_SIZE], text[CONTEXT_THREAD_SIZE];
	struct cell cell[5 + BLAME_NUM] = {
		CELL_TEXT(context_name(run, &row->row, name)),
		CELL(row->cpu),
		CELL_TEXT(row->soft ? "softirq" : "irq"),
		cell_of_ns(row->late.max),
	};

	if (!row->late.max)
		return 0;
	for (enum blame_cause cause = 0; cause < BLAME_NUM; cause++)
		cell[4 + cause] = CELL(row->blame.ns[cause]);
	cell[4 + BLAME_NUM] = value_thread_cell(run, row->blame.thread, text);
	return table_add(table, cell, err);
}

static const struct column timer_wait_columns[] = {
	{ "woken thread", "thread", COLUMN_TEXT },
	{ "by", "name", COLUMN_TEXT },
	{ "count", "count", COLUMN_COUNT },
	{ "wait p50 us", "wait_p50_ns", COLUMN_US },
	{ "p99 us", "wait_p99_ns", COLUMN_US },
	{ "max us", "wait_max_ns", COLUMN_US },
	{ "at", "at_ns", COLUMN_TIME },
	{ "behind", "behind", COLUMN_TEXT },
};

static int timer_add_wait_row(struct table *table, const struct run *run, const void *entry,
			      struct lkst_error *err)
{
	const struct timer_woken *woken = entry;
	char thread[CONTEXT_THREAD_SIZE], name[CONTEXT_NAME_SIZE], behind[CONTEXT_THREAD_SIZE];
	struct cell cell[8] = { value_thread_cell(run, woken->thread, thread),
				CELL_TEXT(context_name(run, &woken->row, name)),
				CELL(woken->wait.count) };

	if (!woken->wait.count)
		return 0;
	value_dist(&woken->wait, cell + 3);
	cell[7] = value_thread_cell(run, woken->behind, behind);
	return table_add(table, cell, err);
}

static const struct column timer_all_columns[] = {
	{ "late thread", "thread", COLUMN_TEXT },
	{ "by", "name", COLUMN_TEXT },
	{ "count", "count", COLUMN_COUNT },
	{ "late p50 us", "late_p50_ns", COLUMN_US },
	{ "p99 us", "late_p99_ns", COLUMN_US },
	{ "max us", "late_max_ns", COLUMN_US },
	{ "at", "at_ns", COLUMN_TIME },
	{ "timer us", "timer_ns", COLUMN_US },
	{ "rest us", "rest_ns", COLUMN_US },
};

static int timer_add_all_row(struct table *table, const struct run *run, const void *entry,
			     struct lkst_error *err)
{
	const struct timer_woken *woken = entry;
	char thread[CONTEXT_THREAD_SIZE], name[CONTEXT_NAME_SIZE];
	struct cell cell[9] = { value_thread_cell(run, woken->thread, thread),
				CELL_TEXT(context_name(run, &woken->row, name)),
				CELL(woken->all.count) };

	if (!woken->all.count)
		return 0;
	value_dist(&woken->all, cell + 3);
	cell[7] = CELL(woken->all_late_ns);
	if (woken->all.max >= (uint64_t)woken->all_late_ns)
		cell[8] = cell_of_ns(woken->all.max - (uint64_t)woken->all_late_ns);
	else /* the clock was set back */
		cell[8] = CELL_NONE;
	return table_add(table, cell, err);
}

/* ---- order: the longest first; the other comparisons make it unambiguous ---- */

static int timer_compare_rows(const void *pa, const void *pb)
{
	const struct timer_row *a = *(struct timer_row *const *)pa;
	const struct timer_row *b = *(struct timer_row *const *)pb;

	if (a->late.max != b->late.max)
		return a->late.max > b->late.max ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return context_compare(&a->row, &b->row);
}

/* Order by the time until the thread ran, including the delay of the timer if it is known. */
static int timer_compare_woken(const void *pa, const void *pb)
{
	const struct timer_woken *a = *(struct timer_woken *const *)pa;
	const struct timer_woken *b = *(struct timer_woken *const *)pb;
	uint64_t max_a = a->all.max > a->wait.max ? a->all.max : a->wait.max;
	uint64_t max_b = b->all.max > b->wait.max ? b->all.max : b->wait.max;

	if (max_a != max_b)
		return max_a > max_b ? -1 : 1;
	return context_compare(&a->row, &b->row);
}

/* A function that adds the row of an entry to a table */
typedef int timer_adder(struct table *table, const struct run *run, const void *entry,
			struct lkst_error *err);

/* The tables: their columns, the function that adds a row, and whether the entries are threads */
static const struct timer_table {
	const char *name;
	const char *title;
	const struct column *column;
	size_t columns;
	timer_adder *add;
	bool woken;
} timer_tables[] = {
#define TIMER_TABLE(name, title, column, add, woken)                                \
	{                                                                           \
		name, title, column, sizeof(column) / sizeof(*(column)), add, woken \
	}
	TIMER_TABLE("late", "How late timer functions ran", timer_late_columns, timer_add_late,
		    false),
	TIMER_TABLE("worst", "What the CPU did while the latest one was due", timer_worst_columns,
		    timer_add_worst, false),
	TIMER_TABLE("wait", "From the wake-up until the thread ran", timer_wait_columns,
		    timer_add_wait_row, true),
	TIMER_TABLE("until", "From the time of the timer until the thread ran", timer_all_columns,
		    timer_add_all_row, true),
#undef TIMER_TABLE
};

static int timer_report_table(const struct timer_table *kind, void *const *entry, size_t num,
			      const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct table *table =
		value_table(to, kind->name, kind->title, kind->column, kind->columns, err);

	if (!table)
		return -1;
	for (size_t i = 0; i < num; i++)
		if (kind->add(table, run, entry[i], err))
			return -1;
	return 0;
}

int timer_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct timer_state *state = ctx;
	void **rows = hash_sorted(&state->rows, timer_compare_rows);
	void **woken = hash_sorted(&state->woken, timer_compare_woken);
	int ret = rows && woken ? 0 : -1;

	if (ret)
		lkst_error_memory(err, "the timers");
	for (size_t i = 0; !ret && i < sizeof(timer_tables) / sizeof(*timer_tables); i++) {
		const struct timer_table *kind = &timer_tables[i];

		ret = timer_report_table(kind, kind->woken ? woken : rows,
					 kind->woken ? state->woken.num : state->rows.num, run, to,
					 err);
	}
	free(woken);
	free(rows);
	return ret;
}
