// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of lkstla thread with command lines and files. A table is left out if nothing is
 * known.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "thread.h"
#include "value.h"

#define PROCESSES_MAX (1u << 17)

static const struct column command_columns[] = {
	{ "process", "process", COLUMN_COUNT },
	{ "command", "command", COLUMN_TEXT },
};

static const struct column file_columns[] = {
	{ "thread", "thread", COLUMN_TEXT }, { "call", "call", COLUMN_TEXT },
	{ "max us", "max_ns", COLUMN_US },   { "at", "at_ns", COLUMN_TIME },
	{ "file", "file", COLUMN_TEXT },     PATHS_SECOND_COLUMN,
};

/* A process whose command line is in the table. The key is its number. */
struct thread_process {
	struct hash_head head;
};

/**
 * threads_report_commands() - add the command lines of the selected processes
 * @threads: what was collected
 * @run: run
 * @to: receives the table
 * @err: set if an allocation failed
 */
int threads_report_commands(const struct threads *threads, const struct run *run, struct tables *to,
			    struct lkst_error *err)
{
	struct hash seen = { .size = sizeof(struct thread_process), .max = PROCESSES_MAX };
	struct table *table = NULL;
	int ret = 0;

	for (size_t i = 0; i < threads->room && !ret; i++) {
		const struct thread_times *times = &threads->times[i];
		struct thread_process *process;
		const char *command;

		if (!times->thread || !times->selected)
			continue;
		command = value_command(run, times->thread, times->end_ns);
		if (!command || hash_add(&seen, (const uint64_t[HASH_WORDS]){ times->thread->tgid },
					 &process) != HASH_ADDED)
			continue;
		if (!table)
			table = value_table(to, "commands", "Command lines",
					    COLUMNS(command_columns), err);
		ret = table ? table_add(table,
					(struct cell[]){ CELL(times->thread->tgid),
							 CELL_TEXT(command) },
					err) :
			      -1;
	}
	hash_free(&seen);
	return ret;
}

static int threads_files_order(const void *pa, const void *pb)
{
	const struct thread_call *a = *(const struct thread_call *const *)pa;
	const struct thread_call *b = *(const struct thread_call *const *)pb;

	if (a->calls.max_ns != b->calls.max_ns)
		return a->calls.max_ns > b->calls.max_ns ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

/*
 * Return the file of the longest call: the path that was passed to the call, or the path of the
 * descriptor.
 */
static const char *threads_file(const struct threads *threads, const struct thread_call *call)
{
	const char *path = paths_get(&threads->paths, call->paths, false);

	return path ? path : call->file;
}

/* Return whether a call is in the table. */
static bool threads_file_wanted(const struct threads *threads, const struct thread_call *call)
{
	return !hash_is_rest(call) && threads_select(threads, call->head.key[0]) &&
	       call->calls.max_ns >= threads->run->args->over_ns &&
	       (threads_file(threads, call) || paths_get(&threads->paths, call->paths, true));
}

static int threads_report_file(const struct threads *threads, const struct thread_call *call,
			       struct table *table, struct lkst_error *err)
{
	char thread[40], name[32];

	return table_add(
		table,
		(struct cell[]){
			CELL_TEXT(run_thread_name(threads->run, call->thread, thread)),
			CELL_TEXT(run_syscall_name(call->thread, (int32_t)(call->head.key[1] >> 8),
						   (uint8_t)call->head.key[1], name)),
			CELL(call->calls.max_ns),
			CELL(call->calls.max_at_ns),
			CELL_TEXT(threads_file(threads, call)),
			CELL_TEXT(paths_get(&threads->paths, call->paths, true)),
		},
		err);
}

/* Add the table, with a column for the new names of renamed files if any are known. */
static struct table *threads_files_table(const struct threads *threads, void **calls,
					 struct tables *to, struct lkst_error *err)
{
	size_t columns = sizeof(file_columns) / sizeof(*file_columns);
	bool second = false;

	for (size_t i = 0; i < threads->calls.num; i++) {
		const struct thread_call *call = calls[i];

		second |= threads_file_wanted(threads, call) &&
			  paths_get(&threads->paths, call->paths, true);
	}
	return value_table(to, "files", "Files of the longest calls", file_columns,
			   second ? columns : columns - 1, err);
}

/**
 * threads_report_files() - add the files of the longest system calls
 * @threads: what was collected
 * @to: receives the table
 * @err: set if an allocation failed
 */
int threads_report_files(const struct threads *threads, struct tables *to, struct lkst_error *err)
{
	void **calls = hash_sorted(&threads->calls, threads_files_order);
	struct table *table = NULL;
	int ret = 0;

	if (!calls) {
		lkst_error_memory(err, "thread");
		return -1;
	}
	for (size_t i = 0; i < threads->calls.num && !ret; i++) {
		if (!threads_file_wanted(threads, calls[i]))
			continue;
		if (!table)
			table = threads_files_table(threads, calls, to, err);
		ret = table ? threads_report_file(threads, calls[i], table, err) : -1;
	}
	free(calls);
	return ret;
}
