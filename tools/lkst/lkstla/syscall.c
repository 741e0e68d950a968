// SPDX-License-Identifier: GPL-2.0
/* lkstla syscall: how long system calls take, what threads do in them, and which calls fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "dist.h"
#include "hash.h"
#include "lib/base/error.h"
#include "lib/text/constants.h"
#include "paths.h"
#include "syscall.h"
#include "tally.h"
#include "value.h"

#define CALLS_MAX	65536
#define ERRNO_MAX	4095
#define NAME_SIZE	CALL_NAME_SIZE

/*
 * A system call. The first word of the key contains machine and ABI, the second one the number of
 * the call.
 */
struct call_row {
	struct hash_head head;
	char name[NAME_SIZE];
	uint64_t calls;
	uint64_t errors;
	uint64_t cut;		/* calls whose start or end is unknown */
	int64_t total_ns;
	int64_t state_ns[LKST_STATE_NUM];
	struct dist dist;	/* durations of the calls that are not cut */
	const struct lkst_thread *worst;
	const char *file;	/* of the longest call: file of its descriptor; NULL: unknown */
	uint32_t paths;		/* of the longest call: number of the call in struct paths */
};

/* An error of a system call. The key is the key of the call, plus the errno. */
struct call_error {
	struct hash_head head;
	char name[NAME_SIZE];
	uint64_t number;
	int64_t last_ns;
	const struct lkst_thread *last;
};

struct calls {
	const struct run *run;
	struct hash rows;
	struct hash errors;
	struct paths paths;
};

static void *calls_start(const struct run *run, struct lkst_error *err)
{
	struct calls *calls = calloc(1, sizeof(*calls));

	if (!calls) {
		lkst_error_memory(err, "system calls");
		return NULL;
	}
	calls->run = run;
	calls->rows = (struct hash){ .size = sizeof(struct call_row), .max = CALLS_MAX };
	calls->errors = (struct hash){ .size = sizeof(struct call_error), .max = CALLS_MAX };
	paths_init(&calls->paths, run);
	return calls;
}

/**
 * call_name() - name a call, and its ABI unless that is the native one
 * @span: call
 * @text: result. The ABI distinguishes calls that have the same name in several ABIs
 */
void call_name(const struct lkst_syscall_span *span, char text[CALL_NAME_SIZE])
{
	const char *abi = span->abi ? constant_name(LKST_FMT_ABI, span->abi) : NULL;
	char name[32];

	run_syscall_name(span->thread, span->number, span->abi, name);
	if (abi)
		snprintf(text, NAME_SIZE, "%.30s/%s", name, abi);
	else if (span->abi)
		snprintf(text, NAME_SIZE, "%.30s/%u", name, span->abi);
	else
		snprintf(text, NAME_SIZE, "%s", name);
}

static int calls_count_error(struct calls *calls, const struct lkst_syscall_span *span,
			     const uint64_t call[HASH_WORDS])
{
	const uint64_t key[HASH_WORDS] = { call[0], call[1], (uint64_t)-span->result };
	struct call_error *error;
	enum hash_result result = hash_add_row(&calls->errors, key, &error);

	if (result == HASH_NO_MEMORY)
		return -1;
	if (result == HASH_ADDED) {
		if (hash_is_rest(error))
			snprintf(error->name, NAME_SIZE, "(others)");
		else
			call_name(span, error->name);
	}
	error->number++;
	error->last_ns = span->end_ns;
	error->last = span->thread;
	return 0;
}

static int calls_count(struct calls *calls, const struct lkst_syscall_span *span)
{
	const uint64_t key[HASH_WORDS] = { (uint64_t)span->thread->machine << 8 | span->abi,
					   (uint32_t)span->number };
	int64_t duration = tally_length(span->begin_ns, span->end_ns);
	enum hash_result result;
	struct call_row *row;

	result = hash_add_row(&calls->rows, key, &row);
	if (result == HASH_NO_MEMORY)
		return -1;
	if (result == HASH_ADDED) {
		if (hash_is_rest(row))
			snprintf(row->name, NAME_SIZE, "(others)");
		else
			call_name(span, row->name);
	}
	row->calls++;
	row->total_ns = tally_sum(row->total_ns, duration);
	for (int i = 0; i < LKST_STATE_NUM; i++)
		row->state_ns[i] = tally_sum(row->state_ns[i], span->state_ns[i]);
	if (!span->begin_known || !span->end_known) {
		row->cut++;
	} else {
		if (!row->dist.count || (uint64_t)duration > row->dist.max) {
			row->worst = span->thread;
			row->file = value_call_file(calls->run, span);
			paths_keep(&calls->paths, span, &row->paths);
		}
		if (dist_add(&row->dist, duration, span->end_ns))
			return -1;
	}
	if (!span->end_known || span->result >= 0 || span->result < -ERRNO_MAX)
		return 0;
	row->errors++;
	return calls_count_error(calls, span, key);
}

static void calls_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct calls *calls = ctx;
	const struct run *run = calls->run;

	paths_call(&calls->paths, span);
	if (tally_length(span->begin_ns, span->end_ns) < run->args->over_ns ||
	    !run_selects_cpu(run, span->thread->cpu) || !run_selects(run, span->thread))
		return;
	if (calls_count(calls, span))
		run_out_of_memory(run);
}

static void calls_event(void *ctx, const struct lkst_event *event)
{
	struct calls *calls = ctx;

	paths_event(&calls->paths, event);
}

static void calls_loss(void *ctx, const struct lkst_loss *loss)
{
	struct calls *calls = ctx;

	(void)loss;
	paths_loss(&calls->paths);
}

/* ---- tables ---- */

static const struct column call_columns[] = {
	{ "call", "call", COLUMN_TEXT },	{ "calls", "calls", COLUMN_COUNT },
	{ "errors", "errors", COLUMN_COUNT },	{ "cut", "cut", COLUMN_COUNT },
	{ "total ms", "total_ns", COLUMN_MS },	VALUE_DIST_COLUMNS,
	{ "worst", "worst", COLUMN_TEXT },
};

static const struct column time_columns[] = {
	{ "call", "call", COLUMN_TEXT },	   { "total ms", "total_ns", COLUMN_MS },
	{ "run ms", "running_ns", COLUMN_MS },	   { "wait ms", "runnable_ns", COLUMN_MS },
	{ "blocked ms", "blocked_ns", COLUMN_MS }, { "unknown ms", "unknown_ns", COLUMN_MS },
};

static const struct column error_columns[] = {
	{ "call", "call", COLUMN_TEXT },       { "error", "error", COLUMN_TEXT },
	{ "count", "number", COLUMN_COUNT },   { "last", "last_ns", COLUMN_TIME },
	{ "last by", "last_by", COLUMN_TEXT },
};

static const struct column file_columns[] = {
	{ "call", "call", COLUMN_TEXT },
	{ "max us", "max_ns", COLUMN_US },
	{ "file", "file", COLUMN_TEXT },
	PATHS_SECOND_COLUMN,
};

#define COLUMNS(column) column, sizeof(column) / sizeof(*(column))

static int calls_by_total(const void *a, const void *b)
{
	const struct call_row *const *pa = a, *const *pb = b;

	if ((*pa)->total_ns != (*pb)->total_ns)
		return (*pa)->total_ns > (*pb)->total_ns ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int calls_by_errors(const void *a, const void *b)
{
	const struct call_error *const *pa = a, *const *pb = b;

	if ((*pa)->number != (*pb)->number)
		return (*pa)->number > (*pb)->number ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int calls_report_call(const struct run *run, const struct call_row *row,
			     struct table *durations, struct table *times, struct lkst_error *err)
{
	char thread[40];
	struct cell cell[] = {
		CELL_TEXT(row->name), CELL(row->calls), CELL(row->errors), CELL(row->cut),
		CELL(row->total_ns), CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE,
		value_thread_cell(run, row->worst, thread),
	};
	const struct cell state[] = {
		CELL_TEXT(row->name), CELL(row->total_ns),
		CELL(row->state_ns[LKST_STATE_RUNNING]), CELL(row->state_ns[LKST_STATE_RUNNABLE]),
		CELL(row->state_ns[LKST_STATE_BLOCKED]), CELL(row->state_ns[LKST_STATE_UNKNOWN]),
	};

	value_dist(&row->dist, cell + 5);
	return table_add(durations, cell, err) || table_add(times, state, err) ? -1 : 0;
}

static int calls_report_calls(const struct calls *calls, const struct run *run,
			      struct table *durations, struct table *times,
			      struct lkst_error *err)
{
	void **row = hash_sorted(&calls->rows, calls_by_total);
	int ret = 0;

	if (!row) {
		lkst_error_memory(err, "system calls");
		return -1;
	}
	for (size_t i = 0; i < calls->rows.num && !ret; i++)
		ret = calls_report_call(run, row[i], durations, times, err);
	free(row);
	return ret;
}

/*
 * Return the file of the longest call: the path that was passed to the call, or the path of the
 * descriptor.
 */
static const char *calls_file(const struct calls *calls, const struct call_row *row)
{
	const char *path = paths_get(&calls->paths, row->paths, false);

	return path ? path : row->file;
}

static const char *calls_new_path(const struct calls *calls, const struct call_row *row)
{
	return paths_get(&calls->paths, row->paths, true);
}

/* Add the table of files. It has a column for the new names of renamed files if any are known. */
static struct table *calls_files_table(const struct calls *calls, void **row, struct tables *to,
				       struct lkst_error *err)
{
	size_t columns = sizeof(file_columns) / sizeof(*file_columns);
	bool second = false;

	for (size_t i = 0; i < calls->rows.num; i++)
		second |= calls_new_path(calls, row[i]) != NULL;
	return value_table(to, "files", "Files of the longest calls", file_columns,
			   second ? columns : columns - 1, err);
}

/* Add the table of files if any are known. */
static int calls_report_files(const struct calls *calls, struct tables *to, struct lkst_error *err)
{
	void **row = hash_sorted(&calls->rows, calls_by_total);
	struct table *table = NULL;
	int ret = 0;

	if (!row) {
		lkst_error_memory(err, "system calls");
		return -1;
	}
	for (size_t i = 0; i < calls->rows.num && !ret; i++) {
		const struct call_row *call = row[i];
		const char *file = calls_file(calls, call), *new = calls_new_path(calls, call);

		if (!file && !new)
			continue;
		if (!table)
			table = calls_files_table(calls, row, to, err);
		ret = table ? table_add(table,
					(struct cell[]){ CELL_TEXT(call->name),
							 CELL(call->dist.max), CELL_TEXT(file),
							 CELL_TEXT(new) },
					err) :
			      -1;
	}
	free(row);
	return ret;
}

static const char *call_error_name(const struct call_error *error, char text[32])
{
	uint64_t number = error->head.key[2];
	const char *name = hash_is_rest(error) ? NULL : constant_error(number);

	if (name)
		snprintf(text, 32, "-%s", name);
	else if (!hash_is_rest(error))
		snprintf(text, 32, "-%u", (unsigned int)number);
	else
		snprintf(text, 32, "?");
	return text;
}

/**
 * call_next_failures() - get the failures of the next pair of a system call and an error
 * @calls: what start() of the analysis returned
 * @at: position, 0 at first
 * @failures: result
 *
 * Return: false after the last one.
 */
bool call_next_failures(const void *calls, size_t *at, struct call_failures *failures)
{
	const struct call_error *error;

	do {
		error = hash_next(&((const struct calls *)calls)->errors, at);
		if (!error)
			return false;
	} while (hash_is_rest(error));
	failures->call = error->name;
	failures->errno_number = error->head.key[2];
	failures->number = error->number;
	failures->last_ns = error->last_ns;
	failures->last = error->last;
	call_error_name(error, failures->error);
	return true;
}

static int calls_report_error(const struct run *run, const struct call_error *error,
			      struct table *table, struct lkst_error *err)
{
	char text[32], thread[40];

	return table_add(table,
			 (struct cell[]){ CELL_TEXT(error->name),
					  CELL_TEXT(call_error_name(error, text)),
					  CELL(error->number), CELL(error->last_ns),
					  value_thread_cell(run, error->last, thread) },
			 err);
}

static int calls_report_errors(const struct calls *calls, const struct run *run,
			       struct table *table, struct lkst_error *err)
{
	void **error = hash_sorted(&calls->errors, calls_by_errors);
	int ret = 0;

	if (!error) {
		lkst_error_memory(err, "errors");
		return -1;
	}
	for (size_t i = 0; i < calls->errors.num && !ret; i++)
		ret = calls_report_error(run, error[i], table, err);
	free(error);
	return ret;
}

static int calls_report(void *ctx, const struct run *run, struct tables *to,
			struct lkst_error *err)
{
	struct table *durations, *times, *errors;

	durations = value_table(to, "calls", "System calls", COLUMNS(call_columns), err);
	times = durations ? value_table(to, "times", "What the threads did in the calls",
					COLUMNS(time_columns), err) :
			    NULL;
	errors = times ? value_table(to, "errors", "Errors", COLUMNS(error_columns), err) : NULL;
	if (!errors || calls_report_calls(ctx, run, durations, times, err) ||
	    calls_report_errors(ctx, run, errors, err))
		return -1;
	return calls_report_files(ctx, to, err);
}

static void calls_free(void *ctx)
{
	struct calls *calls = ctx;
	struct call_row *row;
	size_t at = 0;

	while ((row = hash_next(&calls->rows, &at)) != NULL)
		dist_free(&row->dist);
	hash_free(&calls->rows);
	hash_free(&calls->errors);
	paths_free(&calls->paths);
	free(calls);
}

const struct analysis analysis_syscall = {
	.name = "syscall",
	.summary = "system calls: how often, how long, and which of them fail",
	.about =
		"For each system call: calls, errors, and calls that began or ended outside of\n"
		"the window or whose record was lost (cut). p50, p99 and max are those of the\n"
		"other calls. \"at\" is the end of the longest one, and \"worst\" the thread that\n"
		"called it. Then: what the threads did in the calls (they ran, waited for a CPU,\n"
		"or were blocked), and the errors.\n",
	.needs = (const char *const[]){ "SYSCALL_ENTRY", "SYSCALL_EXIT", NULL },
	.helps = (const char *const[]){ "PROCESS_CONTEXTSWITCH", "PROCESS_WAKING", "PROCESS_WAKEUP",
					"SYSCALL_PATH", NULL },
	.ops = { .syscall = calls_syscall, .loss = calls_loss, .event = calls_event },
	.start = calls_start,
	.report = calls_report,
	.free = calls_free,
};
