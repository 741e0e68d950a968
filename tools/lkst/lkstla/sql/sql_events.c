// SPDX-License-Identifier: GPL-2.0
/* The tables event and mark: all events, and the marks that programs recorded. */
#include "lib/base/etype_ids.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/field.h"
#include "lib/text/names.h"
#include "lib/text/payload.h"
#include "lib/trace/trace.h"
#include "sql.h"

enum {
	EVENT_TIME,
	EVENT_CPU,
	EVENT_TYPE,
	EVENT_CLASS,
	EVENT_THREAD,
	EVENT_TID,
	EVENT_PID,
	EVENT_CONTEXT,
	EVENT_ARGS,
	EVENT_ARG1,
	EVENT_ARG2,
	EVENT_ARG3,
	EVENT_ARG4,
	EVENT_RECID,
};

static const struct sql_column event_columns[] = {
	[EVENT_TIME] = { "time_ns", "INTEGER", SQL_TIME, "time" },
	[EVENT_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU that recorded it" },
	[EVENT_TYPE] = { "type", "TEXT", SQL_TYPE, "name of the event type" },
	[EVENT_CLASS] = { "class", "TEXT", SQL_PLAIN, "class of the event type" },
	[EVENT_THREAD] = { "thread", "TEXT", SQL_PLAIN, "thread, as it was called then" },
	[EVENT_TID] = { "tid", "INTEGER", SQL_TID, "its thread ID; 0: idle" },
	[EVENT_PID] = { "pid", "INTEGER", SQL_PID, "its process" },
	[EVENT_CONTEXT] = { "context", "TEXT", SQL_PLAIN, "thread, softirq, hardirq or nmi" },
	[EVENT_ARGS] = { "args", "TEXT", SQL_PLAIN, "JSON: fields of lkstbuf print --json" },
	[EVENT_ARG1] = { "arg1", "INTEGER", SQL_PLAIN, "first argument, as signed 64 bits" },
	[EVENT_ARG2] = { "arg2", "INTEGER", SQL_PLAIN, "second argument, as signed 64 bits" },
	[EVENT_ARG3] = { "arg3", "INTEGER", SQL_PLAIN, "third argument, as signed 64 bits" },
	[EVENT_ARG4] = { "arg4", "INTEGER", SQL_PLAIN, "fourth argument, as signed 64 bits" },
	[EVENT_RECID] = { "recid", "INTEGER", SQL_PLAIN, "number of the record on its CPU" },
};

static const char *event_context(const struct lkst_event *event)
{
	if (event->flags & LKST_LOG_NMI)
		return "nmi";
	if (event->flags & LKST_LOG_HARDIRQ)
		return "hardirq";
	return event->flags & LKST_LOG_SOFTIRQ ? "softirq" : "thread";
}

static void event_put_type(const struct sql_cursor *cursor, const struct lkst_event *event,
			   sqlite3_context *to)
{
	const struct lkst_etype *type = lkst_etype(cursor->sql->run->types, event->type);

	sql_put_text(to, type ? type->name : NULL);
}

static void event_put_class(const struct lkst_event *event, sqlite3_context *to)
{
	const char *name = lkst_class_name(event->type);

	sql_put_text(to, *name ? name : NULL);
}

static void event_put_thread(const struct sql_cursor *cursor, const struct lkst_event *event,
			     sqlite3_context *to)
{
	struct lkst_names *names = lkst_trace_source_context(cursor->view, event->source)->names;
	const char *name = event->tid ? lkst_names_get(names, event->tid, event->time_ns) : NULL;
	char text[40];

	if (!event->tid)
		snprintf(text, sizeof(text), "swapper/%d", event->cpu);
	else if (name)
		snprintf(text, sizeof(text), "%.*s-%u", LKST_COMM_LEN - 1, name, event->tid);
	else
		snprintf(text, sizeof(text), "%u", event->tid);
	sql_put_text(to, text);
}

static void event_put_args(const struct sql_cursor *cursor, const struct lkst_event *event,
			   sqlite3_context *to)
{
	struct sql *sql = cursor->sql;

	sql->format.context = lkst_trace_source_context(cursor->view, event->source);
	sql->out.len = 0;
	if (lkst_format_json_fields(&sql->format, event))
		sqlite3_result_text(to, sql->out.buf, (int)sql->out.len, SQLITE_TRANSIENT);
}

static void event_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
			sqlite3_context *to)
{
	const struct lkst_event *event = &row->event;

	switch (column) {
	case EVENT_TIME:
		sql_put_time(to, event->time_ns, true);
		break;
	case EVENT_CPU:
		sql_put_id(to, event->cpu);
		break;
	case EVENT_TYPE:
		event_put_type(cursor, event, to);
		break;
	case EVENT_CLASS:
		event_put_class(event, to);
		break;
	case EVENT_THREAD:
		event_put_thread(cursor, event, to);
		break;
	case EVENT_TID:
		sql_put_id(to, event->tid);
		break;
	case EVENT_PID:
		sql_put_id(to, event->tgid);
		break;
	case EVENT_CONTEXT:
		sql_put_text(to, event_context(event));
		break;
	case EVENT_ARGS:
		event_put_args(cursor, event, to);
		break;
	case EVENT_ARG1:
	case EVENT_ARG2:
	case EVENT_ARG3:
	case EVENT_ARG4:
		sqlite3_result_int64(to, (int64_t)event->arg[column - EVENT_ARG1]);
		break;
	case EVENT_RECID:
		sqlite3_result_int64(to, (int64_t)event->recid);
		break;
	}
}

const struct sql_table sql_event = {
	.name = "event",
	.about = "an event, as lkstbuf print shows it",
	SQL_COLUMNS(event_columns),
	.source = SQL_FROM_EVENTS,
	.value = event_value,
};

/* ---- mark ---- */

enum {
	MARK_TIME,
	MARK_CPU,
	MARK_THREAD,
	MARK_TID,
	MARK_PID,
	MARK_TEXT,
};

static const struct sql_column mark_columns[] = {
	[MARK_TIME] = { "time_ns", "INTEGER", SQL_TIME, "time" },
	[MARK_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU" },
	[MARK_THREAD] = { "thread", "TEXT", SQL_PLAIN, "thread that recorded it" },
	[MARK_TID] = { "tid", "INTEGER", SQL_TID, "its thread ID" },
	[MARK_PID] = { "pid", "INTEGER", SQL_PID, "its process" },
	[MARK_TEXT] = { "text", "TEXT", SQL_PLAIN, "the text" },
};

static void sql_events_mark_value(const struct sql_cursor *cursor, const union sql_row *row,
				  int column, sqlite3_context *to)
{
	const struct lkst_event *event = &row->event;
	char text[FIELD_TEXT_SIZE] = "";

	switch (column) {
	case MARK_TIME:
		sql_put_time(to, event->time_ns, true);
		break;
	case MARK_CPU:
		sql_put_id(to, event->cpu);
		break;
	case MARK_THREAD:
		event_put_thread(cursor, event, to);
		break;
	case MARK_TID:
		sql_put_id(to, event->tid);
		break;
	case MARK_PID:
		sql_put_id(to, event->tgid);
		break;
	case MARK_TEXT:
		payload_mark(event, text, sizeof(text));
		sql_put_text(to, text);
		break;
	}
}

const struct sql_table sql_mark = {
	.name = "mark",
	.about = "a text that lkstlogger -s recorded",
	SQL_COLUMNS(mark_columns),
	.source = SQL_FROM_EVENTS,
	.only = LKST_ETYPE_USER_TEXT,
	.last = LKST_ETYPE_USER_LONG_TEXT,
	.value = sql_events_mark_value,
};
