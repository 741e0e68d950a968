// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/field.h"
#include "lib/text/files.h"
#include "lib/text/symbols.h"
#include "lib/text/timestamp.h"
#include "messages.h"
#include "value.h"

/* Size of the longest value that lkst_put_field() writes: a symbol with its offset and module */
#define VALUE_ROOM (4 * (SYMBOL_NAME_MAX + SYMBOL_MODULE_MAX) + 64 + PUT_SPARE)

/**
 * value_text() - format a value of an event as lkstbuf prints it
 * @run: run
 * @event: event
 * @label: label of the argument in the list of event types
 * @text: result
 * @size: size of @text in bytes; a longer value is cut
 *
 * Return: @text, which is "?" if events of the type have no such argument.
 */
const char *value_text(const struct run *run, const struct lkst_event *event, const char *label,
		       char *text, size_t size)
{
	const struct lkst_etype *type = lkst_etype(run->types, event->type);
	struct field_view view = {
		.context = lkst_trace_source_context(run->trace, event->source),
		.event = event,
		.type = type,
		.bare = true,
	};
	char room[VALUE_ROOM];

	strcpy(room, "?");
	for (int i = 0; type && i < type->fields; i++)
		if (!strcmp(type->field[i].label, label)) {
			*lkst_put_field(room, &view, &type->field[i]) = 0;
			break;
		}
	snprintf(text, size, "%s", room);
	return text;
}

/* Return the names of files; NULL in unit tests, which run analyses without a trace. */
static const struct lkst_files *value_files(const struct run *run, uint32_t source)
{
	return run->trace ? lkst_trace_source_context(run->trace, source)->files : NULL;
}

/**
 * value_call_file() - find the file of the descriptor that is the first argument of a system call
 * @run: run
 * @span: system call
 *
 * Return: the path, which the trace owns; NULL if the call has no descriptor, or if its file is
 * unknown.
 */
const char *value_call_file(const struct run *run, const struct lkst_syscall_span *span)
{
	const struct lkst_event entry = {
		.type = LKST_ETYPE_SYSCALL_ENTRY,
		.machine = span->thread->machine,
		.tgid = span->thread->tgid,
		.time_ns = span->begin_ns,
		.monotonic_ns = INT64_MIN,
		.arg = { (uint64_t)(uint32_t)span->number << 32 | span->abi, span->arg[0] },
	};

	if (!span->begin_known)
		return NULL;
	return lkst_files_first(value_files(run, span->thread->source), &entry);
}

/**
 * value_command() - find the command line of a thread's process
 * @run: run
 * @thread: thread
 * @time_ns: time, because the command line can change
 *
 * Return: the command line, which the trace owns; NULL if it is unknown.
 */
const char *value_command(const struct run *run, const struct lkst_thread *thread, int64_t time_ns)
{
	const struct lkst_event at = { .time_ns = time_ns, .monotonic_ns = INT64_MIN };

	return lkst_files_command(value_files(run, thread->source), &at, thread->tgid);
}

/**
 * value_dist() - fill in the cells for a distribution
 * @dist: distribution
 * @cell: median, 99th percentile, maximum, and time of the maximum; without values if @dist is
 *	empty
 */
void value_dist(const struct dist *dist, struct cell cell[VALUE_DIST_CELLS])
{
	for (int i = 0; i < VALUE_DIST_CELLS; i++)
		cell[i] = CELL_NONE;
	if (!dist->count)
		return;
	cell[0] = CELL(dist_percentile(dist, 50));
	cell[1] = CELL(dist_percentile(dist, 99));
	cell[2] = CELL(dist->max);
	cell[3] = CELL(dist->max_at_ns);
}

/**
 * value_thread() - find the thread that recorded an event
 * @run: run
 * @event: event
 *
 * Return: the thread; NULL: idle or unknown.
 */
const struct lkst_thread *value_thread(const struct run *run, const struct lkst_event *event)
{
	return event->tid ? lkst_model_find(run->model, event->source, event->tid) : NULL;
}

/**
 * value_thread_cell() - make a cell of the name of a thread
 * @run: run
 * @thread: thread; NULL: idle or unknown
 * @text: buffer for the name
 */
struct cell value_thread_cell(const struct run *run, const struct lkst_thread *thread,
			      char text[40])
{
	return thread ? CELL_TEXT(run_thread_name(run, thread, text)) : CELL_NONE;
}

/**
 * value_selects() - check whether -p and -c select the thread and the CPU that recorded an event
 * @run: run
 * @event: event
 */
bool value_selects(const struct run *run, const struct lkst_event *event)
{
	return run_selects_cpu(run, event->cpu) &&
	       (!run->args->processes.num || run_selects(run, value_thread(run, event)));
}

/**
 * value_moment() - convert the argument of an option that is a time in the window
 * @run: run
 * @name: option
 * @text: argument, in a form that --since accepts
 * @time_ns: result
 * @err: set if the argument is not a time, or not in the window
 */
int value_moment(const struct run *run, const char *name, const char *text, int64_t *time_ns,
		 struct lkst_error *err)
{
	char begin[LKST_TIMESTAMP_SIZE], end[LKST_TIMESTAMP_SIZE];
	struct lkst_timestamp at;

	if (lkst_timestamp_parse(name, text, run->args->times.utc, &at, err))
		return -1;
	*time_ns = lkst_timestamp_resolve(&at, run->oldest_ns, run->newest_ns);
	/*
	 * Output shows the start of the window rounded down, so a slightly earlier time is
	 * also valid.
	 */
	if (*time_ns >= run->begin_ns - 1000 && *time_ns <= run->end_ns)
		return 0;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_OUTSIDE, name, text,
		       lkst_timestamp_text(run->begin_ns, begin),
		       lkst_timestamp_text(run->end_ns, end));
	return -1;
}

/**
 * value_table() - add an empty table to the tables that an analysis prints
 * @to: tables
 * @name: name in JSON
 * @title: description of the rows
 * @column: columns
 * @columns: number of columns
 * @err: set if an allocation fails
 */
struct table *value_table(struct tables *to, const char *name, const char *title,
			  const struct column *column, size_t columns, struct lkst_error *err)
{
	struct table *table = table_new(name, title, column, columns, err);

	if (table)
		to->table[to->num++] = table;
	return table;
}
