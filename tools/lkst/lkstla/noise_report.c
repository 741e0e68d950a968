// SPDX-License-Identifier: GPL-2.0
/* The table of lkstla noise. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "noise.h"
#include "value.h"

/* Order: most time first. The other comparisons make the order unambiguous. */
static int noise_compare(const void *pa, const void *pb)
{
	const struct noise_row *a = *(struct noise_row *const *)pa;
	const struct noise_row *b = *(struct noise_row *const *)pb;

	if (a->taken.sum != b->taken.sum)
		return a->taken.sum > b->taken.sum ? -1 : 1;
	return context_compare(&a->row, &b->row);
}

static const struct column noise_columns[] = {
	{ "cause", "cause", COLUMN_TEXT },	{ "name", "name", COLUMN_TEXT },
	{ "count", "count", COLUMN_COUNT },	{ "total ms", "total_ns", COLUMN_MS },
	{ "max us", "max_ns", COLUMN_US },	{ "at", "at_ns", COLUMN_TIME },
	{ "share %", "share", COLUMN_PERCENT },
};

static const char *noise_cause(const struct context_row *row)
{
	if (hash_is_rest(row))
		return "-";
	switch (row->id.kind) {
	case NOISE_THREAD:
		return "thread";
	case LKST_CONTEXT_SOFTIRQ:
		return "softirq";
	default:
		return "irq";
	}
}

static struct cell noise_share(const struct run *run, uint64_t ns)
{
	double window = (double)run->end_ns - (double)run->begin_ns;

	return window > 0 ? CELL_REAL((double)ns / window) : CELL_NONE;
}

static int noise_add_row(struct table *table, const struct run *run, const struct noise_row *row,
			 struct lkst_error *err)
{
	char name[CONTEXT_NAME_SIZE], text[CONTEXT_THREAD_SIZE];
	struct cell cell[] = {
		CELL_TEXT(noise_cause(&row->row)),
		!hash_is_rest(row) && row->row.id.kind == NOISE_THREAD ?
			value_thread_cell(run, row->thread, text) :
			CELL_TEXT(context_name(run, &row->row, name)),
		CELL(row->taken.count),
		cell_of_ns(row->taken.sum),
		cell_of_ns(row->taken.max),
		CELL(row->taken.max_at_ns),
		noise_share(run, row->taken.sum),
	};

	return table_add(table, cell, err);
}

/* Add a row for each cause, and a row with the sum. */
static int noise_fill(struct table *table, void *const *rows, size_t num, const struct run *run,
		      struct lkst_error *err)
{
	uint64_t count = 0, sum = 0;

	for (size_t i = 0; i < num; i++) {
		const struct noise_row *row = rows[i];

		count += row->taken.count;
		if (__builtin_add_overflow(sum, row->taken.sum, &sum))
			sum = UINT64_MAX;
		if (noise_add_row(table, run, row, err))
			return -1;
	}
	return table_total(table,
			   (struct cell[]){ CELL_TEXT("total"), CELL_NONE, CELL(count),
					    cell_of_ns(sum), CELL_NONE, CELL_NONE,
					    noise_share(run, sum) },
			   err);
}

/**
 * noise_add_table() - add the table of the causes
 * @run: run
 * @causes: struct noise_row
 * @to: receives the table
 * @err: set if an allocation failed
 */
int noise_add_table(const struct run *run, const struct hash *causes, struct tables *to,
		    struct lkst_error *err)
{
	struct table *table;
	void **rows;
	int ret;

	table = value_table(to, "noise", "What took the CPU away", noise_columns,
			    sizeof(noise_columns) / sizeof(*noise_columns), err);
	if (!table)
		return -1;
	rows = hash_sorted(causes, noise_compare);
	if (!rows) {
		lkst_error_memory(err, "the causes of noise");
		return -1;
	}
	ret = noise_fill(table, rows, causes->num, run, err);
	free(rows);
	return ret;
}
