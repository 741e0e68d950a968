// SPDX-License-Identifier: GPL-2.0
/* The tables of lkstla thread about time and system calls. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "tally.h"
#include "thread.h"
#include "value.h"

static const struct column time_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },   { "state", "state", COLUMN_TEXT },
	{ "cause", "cause", COLUMN_TEXT },     { "times", "times", COLUMN_COUNT },
	{ "total ms", "total_ns", COLUMN_MS }, { "share %", "share", COLUMN_PERCENT },
	{ "max us", "max_ns", COLUMN_US },     { "at", "at_ns", COLUMN_TIME },
};

static const struct column call_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },   { "call", "call", COLUMN_TEXT },
	{ "calls", "calls", COLUMN_COUNT },    { "errors", "errors", COLUMN_COUNT },
	{ "total ms", "total_ns", COLUMN_MS }, { "run ms", "run_ns", COLUMN_MS },
	{ "wait ms", "wait_ns", COLUMN_MS },   { "blocked ms", "blocked_ns", COLUMN_MS },
	{ "max us", "max_ns", COLUMN_US },     { "at", "at_ns", COLUMN_TIME },
};

static bool threads_over(const struct run *run, const struct thread_sum *sum)
{
	return sum->max_ns >= run->args->over_ns;
}

/* ---- time ---- */

/**
 * struct time_rows - the rows of one thread
 * @run: run
 * @table: table
 * @times: thread
 * @left_ns: length of the part of the window that no row covers yet
 */
struct time_rows {
	const struct run *run;
	struct table *table;
	const struct thread_times *times;
	int64_t left_ns;
};

/*
 * Add a row, unless its time and its number of spans are 0. @sum is NULL if the number of spans is
 * not known.
 */
static int time_row(struct time_rows *rows, const char *state, const char *cause, int64_t total_ns,
		    const struct thread_sum *sum, struct lkst_error *err)
{
	const struct run *run = rows->run;
	int64_t window_ns = tally_length(run->begin_ns, run->end_ns);
	bool max = sum && sum->max_ns;
	char name[40];
	const struct cell cell[] = {
		CELL_TEXT(run_thread_name(run, rows->times->thread, name)),
		CELL_TEXT(state),
		CELL_TEXT(cause),
		sum ? CELL(sum->times) : CELL_NONE,
		CELL(total_ns),
		window_ns ? CELL_REAL((double)total_ns / (double)window_ns) : CELL_NONE,
		max ? CELL(sum->max_ns) : CELL_NONE,
		max ? CELL(sum->max_at_ns) : CELL_NONE,
	};

	rows->left_ns -= total_ns;
	if (!total_ns && !(sum && sum->times))
		return 0;
	return table_add(rows->table, cell, err);
}

static int time_rows_running(struct time_rows *rows, struct lkst_error *err)
{
	const int64_t *ns = rows->times->mode_ns;
	int64_t other = tally_sum(ns[LKST_MODE_THREAD],
				  tally_sum(ns[LKST_MODE_UNKNOWN], ns[LKST_MODE_IDLE]));

	if (time_row(rows, "running", "user mode", ns[LKST_MODE_USER], NULL, err) ||
	    time_row(rows, "running", "in the kernel", ns[LKST_MODE_KERNEL], NULL, err) ||
	    time_row(rows, "running", "user mode or kernel", other, NULL, err) ||
	    time_row(rows, "interrupted", "hard interrupt", ns[LKST_MODE_HARDIRQ], NULL, err) ||
	    time_row(rows, "interrupted", "softirq", ns[LKST_MODE_SOFTIRQ], NULL, err))
		return -1;
	return 0;
}

static const char *time_runnable(uint64_t cause)
{
	switch (cause) {
	case THREAD_WOKEN:
		return "after a wake-up";
	case THREAD_PREEMPTED:
		return "after preemption";
	default:
		return NULL;
	}
}

static int time_rows_part(struct time_rows *rows, const struct threads *threads,
			  const struct thread_part *part, struct lkst_error *err)
{
	bool blocked = part->head.key[1] >> 8 == LKST_STATE_BLOCKED;
	unsigned int letter = part->head.key[1] & 0xff;
	char text[CAUSE_NAME_SIZE], state[16] = "runnable";
	const char *cause = time_runnable(part->head.key[2]);

	if (blocked)
		cause = cause_name(rows->times->thread, part->head.key[2], threads->calls_seen,
				   text);
	if (blocked && letter < CAUSE_OTHER)
		snprintf(state, sizeof(state), "blocked %c", CAUSE_LETTERS[letter]);
	else if (blocked)
		snprintf(state, sizeof(state), "blocked");
	if (threads_over(rows->run, &part->sum))
		return time_row(rows, state, cause, part->sum.total_ns, &part->sum, err);
	rows->left_ns -= part->sum.total_ns;
	return 0;
}

/*
 * Add rows for the time in which the thread did not exist, and for the rest of the window, in which
 * it is unknown what the thread did.
 */
static int time_rows_rest(struct time_rows *rows, struct lkst_error *err)
{
	const struct thread_times *times = rows->times;
	int64_t before = 0, after = 0;

	if (times->thread->created)
		before = tally_length(rows->run->begin_ns, times->begin_ns);
	if (times->ended)
		after = tally_length(times->end_ns, rows->run->end_ns);
	if (time_row(rows, "not started", NULL, before, NULL, err) ||
	    time_row(rows, "ended", NULL, after, NULL, err))
		return -1;
	return time_row(rows, "unknown", NULL, rows->left_ns, NULL, err);
}

/* Order: by thread, runnable before blocked, and then the longest time first. */
static int part_order(const void *pa, const void *pb)
{
	const struct thread_part *a = *(const struct thread_part *const *)pa;
	const struct thread_part *b = *(const struct thread_part *const *)pb;

	if (a->head.key[0] != b->head.key[0])
		return a->head.key[0] < b->head.key[0] ? -1 : 1;
	if (a->head.key[1] >> 8 != b->head.key[1] >> 8)
		return a->head.key[1] >> 8 < b->head.key[1] >> 8 ? -1 : 1;
	if (a->sum.total_ns != b->sum.total_ns)
		return a->sum.total_ns > b->sum.total_ns ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

/* Add the rows of a thread. @part advances past the last part of the thread. */
static int time_rows_add(struct time_rows *rows, const struct threads *threads,
			 struct thread_part ***part, struct thread_part **end,
			 struct lkst_error *err)
{
	uint32_t index = rows->times->thread->index;

	rows->left_ns = tally_length(rows->run->begin_ns, rows->run->end_ns);
	if (time_rows_running(rows, err))
		return -1;
	while (*part < end && (**part)->head.key[0] < index)
		++*part;
	for (; *part < end && (**part)->head.key[0] == index; ++*part)
		if (time_rows_part(rows, threads, **part, err))
			return -1;
	return time_rows_rest(rows, err);
}

static int time_total(const struct run *run, struct table *table, uint64_t threads,
		      struct lkst_error *err)
{
	int64_t window_ns = tally_length(run->begin_ns, run->end_ns), total_ns;
	const struct cell none = CELL_NONE;

	if (__builtin_mul_overflow(window_ns, threads, &total_ns))
		return 0;
	return table_total(table,
			   (struct cell[]){ CELL_TEXT("total"), none, none, none, CELL(total_ns),
					    CELL_REAL((double)threads), none, none },
			   err);
}

static int threads_report_time(const struct threads *threads, const struct run *run,
			       struct tables *to, struct lkst_error *err)
{
	struct time_rows rows = { .run = run };
	struct thread_part **parts, **part;
	uint64_t num = 0;
	int ret = 0;

	rows.table = value_table(to, "time", "Where the time went", COLUMNS(time_columns), err);
	if (!rows.table)
		return -1;
	parts = (struct thread_part **)hash_sorted(&threads->parts, part_order);
	if (!parts) {
		lkst_error_memory(err, "thread");
		return -1;
	}
	part = parts;
	for (size_t i = 0; i < threads->room && !ret; i++) {
		rows.times = &threads->times[i];
		if (!rows.times->thread || !rows.times->selected)
			continue;
		num++;
		ret = time_rows_add(&rows, threads, &part, parts + threads->parts.num, err);
	}
	free(parts);
	return ret || time_total(run, rows.table, num, err) ? -1 : 0;
}

/* ---- system calls ---- */

static int call_order(const void *pa, const void *pb)
{
	const struct thread_call *a = *(const struct thread_call *const *)pa;
	const struct thread_call *b = *(const struct thread_call *const *)pb;

	if (a->head.key[0] != b->head.key[0])
		return a->head.key[0] < b->head.key[0] ? -1 : 1;
	if (a->calls.total_ns != b->calls.total_ns)
		return a->calls.total_ns > b->calls.total_ns ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

static int call_row(const struct run *run, struct table *table, const struct thread_call *call,
		    struct lkst_error *err)
{
	bool rest = hash_is_rest(call);
	char thread[40], name[32];
	const struct cell cell[] = {
		CELL_TEXT(rest ? NULL : run_thread_name(run, call->thread, thread)),
		CELL_TEXT(rest ? THREADS_REST :
				 run_syscall_name(call->thread, (int32_t)(call->head.key[1] >> 8),
						  (uint8_t)call->head.key[1], name)),
		CELL(call->calls.times),
		CELL(call->errors),
		CELL(call->calls.total_ns),
		CELL(call->state_ns[LKST_STATE_RUNNING]),
		CELL(call->state_ns[LKST_STATE_RUNNABLE]),
		CELL(call->state_ns[LKST_STATE_BLOCKED]),
		CELL(call->calls.max_ns),
		call->calls.max_ns ? CELL(call->calls.max_at_ns) : CELL_NONE,
	};

	return table_add(table, cell, err);
}

static int threads_report_calls(const struct threads *threads, const struct run *run,
				struct tables *to, struct lkst_error *err)
{
	struct table *table = value_table(to, "calls", "System calls", COLUMNS(call_columns), err);
	void **calls;
	int ret = 0;

	if (!table)
		return -1;
	calls = hash_sorted(&threads->calls, call_order);
	if (!calls) {
		lkst_error_memory(err, "thread");
		return -1;
	}
	for (size_t i = 0; i < threads->calls.num && !ret; i++) {
		const struct thread_call *call = calls[i];

		if (hash_is_rest(call) ||
		    (threads_select(threads, call->head.key[0]) && threads_over(run, &call->calls)))
			ret = call_row(run, table, call, err);
	}
	free(calls);
	return ret;
}

/**
 * threads_report() - add the tables
 * @ctx: what was collected
 * @run: run
 * @to: receives the tables
 * @err: set if an allocation failed
 */
int threads_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	if (threads_report_commands(ctx, run, to, err) || threads_report_time(ctx, run, to, err) ||
	    threads_report_calls(ctx, run, to, err) || threads_report_files(ctx, to, err) ||
	    threads_report_wakes(ctx, run, to, err))
		return -1;
	return 0;
}
