// SPDX-License-Identifier: GPL-2.0
/* The tables syscall and cpu: system calls, and what CPUs did. */
#include <stdio.h>

#include "lib/text/constants.h"
#include "lkstla/syscall.h"
#include "sql.h"

#define ERRNO_MAX 4095

static const char *const cpu_modes[LKST_MODE_NUM] = {
	[LKST_MODE_UNKNOWN] = "unknown", [LKST_MODE_IDLE] = "idle",
	[LKST_MODE_USER] = "user",	 [LKST_MODE_KERNEL] = "kernel",
	[LKST_MODE_THREAD] = "thread",	 [LKST_MODE_SOFTIRQ] = "softirq",
	[LKST_MODE_HARDIRQ] = "hardirq",
};

/* ---- syscall ---- */

enum {
	CALL_THREAD,
	CALL_TID,
	CALL_PID,
	CALL_CALL,
	CALL_BEGIN,
	CALL_END,
	CALL_DURATION,
	CALL_RESULT,
	CALL_ERROR,
	CALL_ARG1,
	CALL_ARG2,
	CALL_ARG3,
	CALL_BEGIN_KNOWN,
	CALL_END_KNOWN,
	CALL_RUN,
	CALL_WAIT,
	CALL_BLOCKED,
	CALL_UNKNOWN,
};

static const struct sql_column call_columns[] = {
	SQL_THREAD_COLUMNS(CALL_THREAD, "thread: name-number"),
	[CALL_CALL] = { "call", "TEXT", SQL_PLAIN, "name of the call" },
	[CALL_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time of the call" },
	[CALL_END] = { "end_ns", "INTEGER", SQL_END, "time of its return" },
	[CALL_DURATION] = { "duration_ns", "INTEGER", SQL_PLAIN, "end_ns - begin_ns" },
	[CALL_RESULT] = { "result", "INTEGER", SQL_PLAIN, "result; an error is negative" },
	[CALL_ERROR] = { "error", "TEXT", SQL_PLAIN, "ENOENT ...; NULL: none" },
	[CALL_ARG1] = { "arg1", "INTEGER", SQL_PLAIN, "first argument" },
	[CALL_ARG2] = { "arg2", "INTEGER", SQL_PLAIN, "second argument" },
	[CALL_ARG3] = { "arg3", "INTEGER", SQL_PLAIN, "third argument" },
	[CALL_BEGIN_KNOWN] = { "begin_known", "INTEGER", SQL_PLAIN, "0: it began before begin_ns" },
	[CALL_END_KNOWN] = { "end_known", "INTEGER", SQL_PLAIN,
			     "0: its end is unknown" },
	[CALL_RUN] = { "running_ns", "INTEGER", SQL_PLAIN, "part in which the thread ran" },
	[CALL_WAIT] = { "runnable_ns", "INTEGER", SQL_PLAIN, "... waited for a CPU" },
	[CALL_BLOCKED] = { "blocked_ns", "INTEGER", SQL_PLAIN, "... was blocked" },
	[CALL_UNKNOWN] = { "unknown_ns", "INTEGER", SQL_PLAIN, "... was in an unknown state" },
};

static void call_span(void *ctx, const struct lkst_syscall_span *span)
{
	union sql_row *row = sql_feed_add(ctx, span->begin_ns, span->end_ns, -1, span->thread);

	if (row)
		row->syscall = *span;
}

static void call_put_error(const struct lkst_syscall_span *span, sqlite3_context *to)
{
	const char *name;
	char text[16];

	if (!span->end_known || span->result >= 0 || span->result < -ERRNO_MAX)
		return;
	name = constant_error((uint64_t)-span->result);
	if (!name)
		snprintf(text, sizeof(text), "%d", (int)-span->result);
	sql_put_text(to, name ? name : text);
}

static void call_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
		       sqlite3_context *to)
{
	const struct lkst_syscall_span *span = &row->syscall;
	char name[CALL_NAME_SIZE];

	switch (column) {
	case CALL_THREAD:
	case CALL_TID:
	case CALL_PID:
		sql_put_thread_column(cursor, span->thread, column - CALL_THREAD, to);
		break;
	case CALL_CALL:
		call_name(span, name);
		sql_put_text(to, name);
		break;
	case CALL_BEGIN:
		sql_put_time(to, span->begin_ns, true);
		break;
	case CALL_END:
		sql_put_time(to, span->end_ns, true);
		break;
	case CALL_DURATION:
		sql_put_time(to, span->end_ns - span->begin_ns, true);
		break;
	case CALL_RESULT:
		sql_put_time(to, span->result, span->end_known);
		break;
	case CALL_ERROR:
		call_put_error(span, to);
		break;
	case CALL_ARG1:
	case CALL_ARG2:
	case CALL_ARG3:
		sql_put_time(to, (int64_t)span->arg[column - CALL_ARG1], span->begin_known);
		break;
	case CALL_BEGIN_KNOWN:
		sqlite3_result_int(to, span->begin_known);
		break;
	case CALL_END_KNOWN:
		sqlite3_result_int(to, span->end_known);
		break;
	case CALL_RUN:
		sql_put_time(to, span->state_ns[LKST_STATE_RUNNING], true);
		break;
	case CALL_WAIT:
		sql_put_time(to, span->state_ns[LKST_STATE_RUNNABLE], true);
		break;
	case CALL_BLOCKED:
		sql_put_time(to, span->state_ns[LKST_STATE_BLOCKED], true);
		break;
	case CALL_UNKNOWN:
		sql_put_time(to, span->state_ns[LKST_STATE_UNKNOWN], true);
		break;
	}
}

const struct sql_table sql_syscall = {
	.name = "syscall",
	.about = "a thread was in a system call",
	SQL_COLUMNS(call_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_syscall,
	.ops = { .syscall = call_span },
	.value = call_value,
};

/* ---- cpu ---- */

enum {
	CPU_CPU,
	CPU_MODE,
	CPU_THREAD,
	CPU_TID,
	CPU_PID,
	CPU_BEGIN,
	CPU_END,
	CPU_DURATION,
};

static const struct sql_column cpu_columns[] = {
	[CPU_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU" },
	[CPU_MODE] = { "mode", "TEXT", SQL_PLAIN,
		       "idle, user, kernel, softirq, hardirq, unknown, thread" },
	SQL_THREAD_COLUMNS(CPU_THREAD, "thread that ran or was interrupted"),
	[CPU_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time at which it began" },
	[CPU_END] = { "end_ns", "INTEGER", SQL_END, "time at which it ended" },
	[CPU_DURATION] = { "duration_ns", "INTEGER", SQL_PLAIN, "end_ns - begin_ns" },
};

static void cpu_span(void *ctx, const struct lkst_cpu_span *span)
{
	union sql_row *row =
		sql_feed_add(ctx, span->begin_ns, span->end_ns, span->cpu, span->thread);

	if (row)
		row->cpu = *span;
}

static void cpu_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
		      sqlite3_context *to)
{
	const struct lkst_cpu_span *span = &row->cpu;

	switch (column) {
	case CPU_CPU:
		sql_put_id(to, span->cpu);
		break;
	case CPU_MODE:
		sql_put_text(to, cpu_modes[span->mode]);
		break;
	case CPU_THREAD:
	case CPU_TID:
	case CPU_PID:
		sql_put_thread_column(cursor, span->thread, column - CPU_THREAD, to);
		break;
	case CPU_BEGIN:
		sql_put_time(to, span->begin_ns, true);
		break;
	case CPU_END:
		sql_put_time(to, span->end_ns, true);
		break;
	case CPU_DURATION:
		sql_put_time(to, span->end_ns - span->begin_ns, true);
		break;
	}
}

const struct sql_table sql_cpu = {
	.name = "cpu",
	.about = "a CPU was in a mode",
	SQL_COLUMNS(cpu_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_cpu,
	.ops = { .cpu = cpu_span },
	.value = cpu_value,
};
