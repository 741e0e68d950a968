// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla top: system calls in an interval.
 *
 * A call is counted in the interval in which it ends, with its duration since its real start. The
 * times by state cover the part of each call that is inside the interval, including calls that have
 * not ended yet. So they can add up to more, or to less, than the durations.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/text/constants.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "top.h"

#define CALLS_MAX  65536
#define CALLS_NAME 40

/*
 * A system call. The first word of the key contains machine and ABI, the second one the number of
 * the call.
 */
struct top_call {
	struct hash_head head;
	char name[CALLS_NAME];
	uint64_t calls;
	uint64_t errors;
	uint64_t open; /* calls that had not ended when the interval ended */
	int64_t total_ns; /* time in the call, inside the interval */
	int64_t state_ns[LKST_STATE_NUM];
	struct dist dist; /* durations of the calls that ended and whose start is known */
	const struct lkst_thread *worst;
};

void top_calls_init(struct top_calls *calls, int64_t first_ns)
{
	*calls = (struct top_calls){
		.first_ns = first_ns,
		.rows = { .size = sizeof(struct top_call), .max = CALLS_MAX },
	};
}

/* Begin an interval. */
void top_calls_clear(struct top_calls *calls)
{
	struct top_call *row;
	size_t at = 0;

	while ((row = hash_next(&calls->rows, &at)) != NULL)
		dist_free(&row->dist);
	hash_clear(&calls->rows);
}

void top_calls_free(struct top_calls *calls)
{
	top_calls_clear(calls);
	hash_free(&calls->rows);
}

/* Name a call, and its ABI unless that is the native one, as lkstla syscall does. */
static void top_calls_name(const struct lkst_syscall_span *span, char text[CALLS_NAME])
{
	const char *abi = span->abi ? constant_name(LKST_FMT_ABI, span->abi) : NULL;
	char name[32];

	run_syscall_name(span->thread, span->number, span->abi, name);
	if (abi)
		snprintf(text, CALLS_NAME, "%.30s/%s", name, abi);
	else if (span->abi)
		snprintf(text, CALLS_NAME, "%.30s/%u", name, span->abi);
	else
		snprintf(text, CALLS_NAME, "%s", name);
}

/*
 * Add the duration of a call that has ended. If the end of an earlier interval has cut the span of
 * the call, struct lkst_thread has the start of the call.
 */
static int top_calls_duration(const struct top_calls *calls, struct top_call *row,
			      const struct lkst_syscall_span *span)
{
	const struct lkst_thread *thread = span->thread;
	int64_t begin_ns = span->begin_ns, ns;

	if (!span->begin_known) {
		/*
		 * As in lkstla syscall, a call that began before the first interval has no
		 * duration.
		 */
		if (thread->syscall == LKST_SYSCALL_NONE || thread->syscall != span->number ||
		    thread->syscall_ns < calls->first_ns)
			return 0;
		begin_ns = thread->syscall_ns;
	}
	ns = tally_length(begin_ns, span->end_ns);
	if (!row->dist.count || (uint64_t)ns > row->dist.max)
		row->worst = thread;
	return dist_add(&row->dist, ns, span->end_ns);
}

/**
 * top_calls_span() - count a system call, or the part of it that is in an interval
 * @calls: system calls
 * @span: system call that -p and -c select
 * @cutting: the interval ends, and cuts the span
 *
 * Return: 0; -1 if an allocation failed.
 */
int top_calls_span(struct top_calls *calls, const struct lkst_syscall_span *span, bool cutting)
{
	const uint64_t key[HASH_WORDS] = { (uint64_t)span->thread->machine << 8 | span->abi,
					   (uint32_t)span->number };
	enum hash_result result;
	struct top_call *row;

	result = hash_add_row(&calls->rows, key, &row);
	if (result == HASH_NO_MEMORY)
		return -1;
	if (result == HASH_ADDED) {
		if (hash_is_rest(row))
			snprintf(row->name, CALLS_NAME, "(others)");
		else
			top_calls_name(span, row->name);
	}
	row->total_ns = tally_sum(row->total_ns, tally_length(span->begin_ns, span->end_ns));
	for (int i = 0; i < LKST_STATE_NUM; i++)
		row->state_ns[i] = tally_sum(row->state_ns[i], span->state_ns[i]);
	if (cutting) {
		row->open++;
		return 0;
	}
	row->calls++;
	row->errors += top_calls_failed(span);
	return span->end_known ? top_calls_duration(calls, row, span) : 0;
}

static const struct column top_calls_columns[] = {
	{ "call", "call", COLUMN_TEXT },	   { "calls", "calls", COLUMN_COUNT },
	{ "calls/s", "calls_per_s", COLUMN_RATE }, { "errors", "errors", COLUMN_COUNT },
	{ "total ms", "total_ns", COLUMN_MS },	   { "p99 us", "p99_ns", COLUMN_US },
	{ "max us", "max_ns", COLUMN_US },	   { "open", "open", COLUMN_COUNT },
	{ "run ms", "running_ns", COLUMN_MS },	   { "wait ms", "runnable_ns", COLUMN_MS },
	{ "blocked ms", "blocked_ns", COLUMN_MS }, { "worst", "worst", COLUMN_TEXT },
};

/* Order: longest total time first. */
static int top_calls_order(const void *a, const void *b)
{
	const struct top_call *const *pa = a, *const *pb = b;

	if ((*pa)->total_ns != (*pb)->total_ns)
		return (*pa)->total_ns > (*pb)->total_ns ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int top_calls_add(struct table *table, const struct run *run, const struct top_call *row,
			 struct lkst_error *err)
{
	double length = (double)tally_length(run->begin_ns, run->end_ns);
	bool none = !row->dist.count;
	char worst[40];
	const struct cell cell[] = {
		CELL_TEXT(row->name),
		CELL(row->calls),
		CELL_REAL((double)row->calls * 1e9 / length),
		CELL(row->errors),
		CELL(row->total_ns),
		none ? CELL_NONE : CELL(dist_percentile(&row->dist, 99)),
		none ? CELL_NONE : CELL(row->dist.max),
		CELL(row->open),
		CELL(row->state_ns[LKST_STATE_RUNNING]),
		CELL(row->state_ns[LKST_STATE_RUNNABLE]),
		CELL(row->state_ns[LKST_STATE_BLOCKED]),
		value_thread_cell(run, row->worst, worst),
	};

	return table_add(table, cell, err);
}

/**
 * top_calls_table() - make the table of system calls
 * @calls: system calls
 * @run: run, whose window is the interval
 * @err: set if an allocation fails
 */
struct table *top_calls_table(const struct top_calls *calls, const struct run *run,
			      struct lkst_error *err)
{
	struct table *table = table_new("calls", "System calls", top_calls_columns,
					sizeof(top_calls_columns) / sizeof(*top_calls_columns),
					err);
	void **row = table ? hash_sorted(&calls->rows, top_calls_order) : NULL;
	int ret = row ? 0 : -1;

	if (table && !row)
		lkst_error_memory(err, "system calls");
	for (size_t i = 0; i < calls->rows.num && !ret; i++)
		ret = top_calls_add(table, run, row[i], err);
	free(row);
	if (!ret)
		return table;
	table_free(table);
	return NULL;
}
