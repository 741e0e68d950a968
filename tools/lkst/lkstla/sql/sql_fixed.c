// SPDX-License-Identifier: GPL-2.0
/* The tables thread, loss and info: threads, losses of records, and facts about the trace. */
#include <string.h>

#include "lib/trace/trace.h"
#include "sql.h"

/* ---- thread ---- */

enum {
	THREAD_THREAD,
	THREAD_TID,
	THREAD_PID,
	THREAD_PARENT,
	THREAD_NAME,
	THREAD_COMMAND,
	THREAD_KERNEL,
	THREAD_CREATED,
	THREAD_EXITED,
	THREAD_FIRST,
};

static const struct sql_column thread_columns[] = {
	[THREAD_THREAD] = { "thread", "TEXT", SQL_PLAIN,
			    "thread: name-number, as in other tables" },
	[THREAD_TID] = { "tid", "INTEGER", SQL_PLAIN, "thread ID; the kernel reuses it" },
	[THREAD_PID] = { "pid", "INTEGER", SQL_PLAIN, "process" },
	[THREAD_PARENT] = { "parent", "INTEGER", SQL_PLAIN, "thread ID of the parent" },
	[THREAD_NAME] = { "name", "TEXT", SQL_PLAIN, "the latest name" },
	[THREAD_COMMAND] = { "command", "TEXT", SQL_PLAIN, "command line of the process" },
	[THREAD_KERNEL] = { "kernel", "INTEGER", SQL_PLAIN, "1: known to be a kernel thread" },
	[THREAD_CREATED] = { "created", "INTEGER", SQL_PLAIN, "1: the trace shows its creation" },
	[THREAD_EXITED] = { "exited", "INTEGER", SQL_PLAIN, "1: it has ended" },
	[THREAD_FIRST] = { "first_ns", "INTEGER", SQL_PLAIN, "time since which it is known" },
};

static bool thread_fixed(const struct sql *sql, size_t index, union sql_row *row)
{
	if (index >= lkst_model_threads(sql->run->model))
		return false;
	row->known = lkst_model_thread(sql->run->model, (uint32_t)index);
	return row->known;
}

static void thread_put_command(const struct run *run, const struct lkst_thread *thread,
			       sqlite3_context *to)
{
	const struct lkst_event event = {
		.tid = thread->tid,
		.tgid = thread->tgid ? thread->tgid : thread->tid,
		.time_ns = thread->exited ? thread->since_ns : run->end_ns,
	};

	sql_put_text(to, lkst_process_command(run_context(run, thread->source), &event));
}

static void thread_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
			 sqlite3_context *to)
{
	const struct lkst_thread *thread = row->known;

	switch (column) {
	case THREAD_THREAD:
		sql_put_thread(cursor, thread, to);
		break;
	case THREAD_TID:
		sql_put_tid(thread, to);
		break;
	case THREAD_PID:
		sql_put_pid(cursor, thread, to);
		break;
	case THREAD_PARENT:
		sql_put_time(to, thread->parent, thread->parent);
		break;
	case THREAD_NAME:
		sql_put_text(to, *thread->name ? thread->name : NULL);
		break;
	case THREAD_COMMAND:
		thread_put_command(cursor->sql->run, thread, to);
		break;
	case THREAD_KERNEL:
		sqlite3_result_int(to, thread->kernel);
		break;
	case THREAD_CREATED:
		sqlite3_result_int(to, thread->created);
		break;
	case THREAD_EXITED:
		sqlite3_result_int(to, thread->exited);
		break;
	case THREAD_FIRST:
		sql_put_time(to, thread->first_ns, true);
		break;
	}
}

const struct sql_table sql_thread = {
	.name = "thread",
	.about = "a thread; GROUP BY pid gives the processes",
	SQL_COLUMNS(thread_columns),
	.source = SQL_FIXED,
	.fixed = thread_fixed,
	.value = thread_value,
};

/* ---- loss ---- */

enum {
	LOSS_CPU,
	LOSS_BEGIN,
	LOSS_END,
	LOSS_NUMBER,
};

static const struct sql_column loss_columns[] = {
	[LOSS_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU" },
	[LOSS_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time of the last record before them" },
	[LOSS_END] = { "end_ns", "INTEGER", SQL_END,
		       "first record after them, or end of the window" },
	[LOSS_NUMBER] = { "number", "INTEGER", SQL_PLAIN, "number of records; NULL: unknown" },
};

static void loss_add(void *ctx, const struct lkst_loss *loss)
{
	union sql_row *row = sql_feed_add(ctx, loss->begin_ns, loss->end_ns, loss->cpu, NULL);

	if (row)
		row->loss = *loss;
}

static void loss_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
		       sqlite3_context *to)
{
	const struct lkst_loss *loss = &row->loss;

	(void)cursor;
	switch (column) {
	case LOSS_CPU:
		sql_put_id(to, loss->cpu);
		break;
	case LOSS_BEGIN:
		sql_put_time(to, loss->begin_ns, true);
		break;
	case LOSS_END:
		sql_put_time(to, loss->end_ns, true);
		break;
	case LOSS_NUMBER:
		if (loss->number)
			sqlite3_result_int64(to, (int64_t)loss->number);
		break;
	}
}

const struct sql_table sql_loss = {
	.name = "loss",
	.about = "records of a CPU are missing",
	SQL_COLUMNS(loss_columns),
	.source = SQL_FROM_MODEL,
	.ops = { .loss = loss_add },
	.value = loss_value,
};

/* ---- info ---- */

enum {
	INFO_NAME,
	INFO_VALUE,
};

static const struct sql_column info_columns[] = {
	[INFO_NAME] = { "name", "TEXT", SQL_PLAIN, "begin_ns, end_ns, cpus, events, lost ..." },
	[INFO_VALUE] = { "value", "", SQL_PLAIN, "its value: a number or a string" },
};

/* Rows with numbers come first, then those with strings from the file. */
enum {
	INFO_BEGIN,
	INFO_END,
	INFO_CPUS,
	INFO_EVENTS,
	INFO_LOST,
	INFO_BEGINS,
	INFO_ENDS,
	INFO_INCONSISTENT,
	INFO_NESTED,
	INFO_NESTED_NS,
	INFO_RECORDS,
	INFO_KERNEL,
	INFO_BOOT,
	INFO_HOST,
	INFO_MACHINE,
	INFO_NUM,
};

static const char *const info_names[INFO_NUM] = {
	[INFO_BEGIN] = "begin_ns",
	[INFO_END] = "end_ns",
	[INFO_CPUS] = "cpus",
	[INFO_EVENTS] = "events",
	[INFO_LOST] = "lost",
	[INFO_BEGINS] = "begins_without_end",
	[INFO_ENDS] = "ends_without_begin",
	[INFO_INCONSISTENT] = "inconsistent",
	[INFO_NESTED] = "nested",
	[INFO_NESTED_NS] = "nested_ns",
	[INFO_RECORDS] = "records",
	[INFO_KERNEL] = "kernel",
	[INFO_BOOT] = "boot_id",
	[INFO_HOST] = "hostname",
	[INFO_MACHINE] = "machine",
};

static bool info_fixed(const struct sql *sql, size_t index, union sql_row *row)
{
	(void)sql;
	row->index = index;
	return index < INFO_NUM;
}

static void info_put_number(const struct run *run, size_t index, sqlite3_context *to)
{
	const struct lkst_model_counts *counts = lkst_model_counts(run->model);
	const int64_t number[INFO_KERNEL] = {
		[INFO_BEGIN] = run->begin_ns,
		[INFO_END] = run->end_ns,
		[INFO_CPUS] = (int64_t)run->cpus,
		[INFO_EVENTS] = (int64_t)counts->events,
		[INFO_LOST] = (int64_t)counts->lost,
		[INFO_BEGINS] = (int64_t)counts->begins,
		[INFO_ENDS] = (int64_t)counts->ends,
		[INFO_INCONSISTENT] = (int64_t)counts->reordered,
		[INFO_NESTED] = (int64_t)counts->nested,
		[INFO_NESTED_NS] = counts->nested_ns,
		[INFO_RECORDS] = (int64_t)lkst_trace_records(run->trace),
	};

	sqlite3_result_int64(to, number[index]);
}

static void info_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
		       sqlite3_context *to)
{
	const struct run *run = cursor->sql->run;
	const char *text;
	size_t len;

	if (column == INFO_NAME) {
		sql_put_text(to, info_names[row->index]);
	} else if (row->index < INFO_KERNEL) {
		info_put_number(run, row->index, to);
	} else {
		text = lkst_trace_system(run->trace, info_names[row->index], &len);
		if (text)
			sqlite3_result_text(to, text, (int)len, SQLITE_TRANSIENT);
	}
}

const struct sql_table sql_info = {
	.name = "info",
	.about = "a fact about the trace",
	SQL_COLUMNS(info_columns),
	.source = SQL_FIXED,
	.fixed = info_fixed,
	.value = info_value,
};
