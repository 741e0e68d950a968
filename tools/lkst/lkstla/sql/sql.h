/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lkstla sql: runs SQL queries on a trace with SQLite. The tables are virtual: each scan of a table
 * reads the trace.
 *
 *   sql.c          the subcommand: its options, the query, notes
 *   sql_query.c    prepares and runs the query in a database that has only the virtual tables
 *   sql_output.c   prints the rows of the result
 *   sql_module.c   the virtual tables for SQLite: which conditions they use, and their cursors
 *   sql_limits.c   the conditions that a cursor uses
 *   sql_feed.c     reads the trace for a cursor
 *   sql_tables.c   the list of tables, and their schema
 *   sql_threads.c, sql_calls.c, sql_events.c, sql_waits.c, sql_fixed.c   the tables
 *   sql_values.c   passes their values to SQLite
 *   sql_functions.c  the functions at() and ns()
 *   sql_space.c    limits the temporary files of SQLite
 */
#ifndef _LKSTLA_SQL_H
#define _LKSTLA_SQL_H

#include <sqlite3.h>

#include "lib/model_read.h"
#include "lib/text/format.h"
#include "lib/text/out.h"
#include "lkstla/block.h"
#include "lkstla/lock.h"
#include "lkstla/run.h"

/**
 * enum sql_role - what a column contains, for cursors that use conditions for the column
 * @SQL_PLAIN: none of the values below; cursors cannot use conditions for the column
 * @SQL_BEGIN: time at which the row begins
 * @SQL_END: time at which the row ends
 * @SQL_TIME: time at which the row begins and ends
 * @SQL_CPU: CPU
 * @SQL_TYPE: name of an event type
 * @SQL_TID: thread ID
 * @SQL_PID: process ID
 */
enum sql_role {
	SQL_PLAIN,
	SQL_BEGIN,
	SQL_END,
	SQL_TIME,
	SQL_CPU,
	SQL_TYPE,
	SQL_TID,
	SQL_PID,
};

/**
 * struct sql_column - a column of a virtual table
 * @name: name
 * @type: type of its values: INTEGER or TEXT
 * @role: SQL_*: determines how a cursor can use conditions for the column
 * @about: description of the values, for the schema
 */
struct sql_column {
	const char *name;
	const char *type;
	enum sql_role role;
	const char *about;
};

/**
 * struct sql_limits - conditions. A cursor must return all rows that meet them, and may return
 * others
 * @begin_ns: earliest and latest start of a row
 * @end_ns: earliest and latest end of a row
 * @cpu: CPU; -1: all
 * @tid: thread ID; -1: all
 * @pid: process ID; -1: all
 * @typed: only the event types in @type are selected
 * @type: for each event type, whether it is selected
 * @unknown: a name in the conditions that no event type has; "": none
 * @text: a text with which the conditions compare a number; "": none
 */
struct sql_limits {
	int64_t begin_ns[2];
	int64_t end_ns[2];
	int64_t cpu;
	int64_t tid;
	int64_t pid;
	bool typed;
	bool type[LKST_ETYPE_NUM];
	char unknown[64];
	char text[64];
};

/*
 * The data from which the columns of a row are computed. The model owns the objects that the
 * pointers refer to.
 */
union sql_row {
	struct lkst_thread_span thread;
	struct lkst_cpu_span cpu;
	struct lkst_context_span context;
	struct lkst_syscall_span syscall;
	struct lkst_loss loss;
	struct lkst_event event;
	struct block_done block;
	struct lock_done lock;
	const struct lkst_thread *known;
	size_t index;
};

/* Where the rows of a table come from */
enum sql_source {
	SQL_FROM_EVENTS, /* each event */
	SQL_FROM_MODEL, /* spans and losses that the model reports */
	SQL_FIXED, /* facts that are known before the query starts */
};

struct sql;
struct sql_cursor;

/**
 * struct sql_table - a virtual table
 * @name: name
 * @about: description of a row, for the schema
 * @column: columns
 * @columns: number of columns
 * @source: source of the rows
 * @like: analysis that needs the same events; NULL: none
 * @only: EVENTS: first type of the events; 0: all types
 * @last: EVENTS: last type of the events, if @only is not 0
 * @engine: MODEL: analysis that finds the rows; NULL: none
 * @ops: MODEL: functions that call sql_feed_add(); their argument is the cursor
 * @attach: MODEL: called with the state of @engine after its start; may be NULL
 * @finish: MODEL: called after the last event; may be NULL
 * @fixed: FIXED: sets the row with this index; returns false after the last row
 * @value: passes the value of a column to SQLite
 */
struct sql_table {
	const char *name;
	const char *about;
	const struct sql_column *column;
	int columns;
	enum sql_source source;
	const struct analysis *like;
	uint32_t only;
	uint32_t last;
	const struct analysis *engine;
	struct lkst_model_ops ops;
	void (*attach)(struct sql_cursor *cursor, void *engine);
	void (*finish)(struct sql_cursor *cursor, void *engine);
	bool (*fixed)(const struct sql *sql, size_t index, union sql_row *row);
	void (*value)(const struct sql_cursor *cursor, const union sql_row *row, int column,
		      sqlite3_context *to);
};

/**
 * struct sql_use - how a query uses a table
 * @scans: how often SQLite has read the table
 * @events: number of events that these scans read from the trace
 * @rows: number of rows that SQLite received
 */
struct sql_use {
	uint64_t scans;
	uint64_t events;
	uint64_t rows;
};

#define SQL_TABLES_MAX 16

/**
 * struct sql - a query
 * @run: run. Its model has seen the whole window
 * @db: database
 * @statement: the query; NULL: not prepared yet
 * @text: text of the query
 * @bounds: the times of the trace
 * @out: text of the arguments of an event
 * @format: formats the arguments of an event into @out
 * @unknown: the first name in a condition that no event type has; "": none
 * @compared: the first text with which a condition compares a number; "": none
 * @quiet: whether to hide the progress, because rows are printed while the trace is read
 * @use: for each table: how the query uses it
 * @failure: first error in a cursor
 * @failed: whether @failure is set
 */
struct sql {
	const struct run *run;
	sqlite3 *db;
	sqlite3_stmt *statement;
	char *text;
	struct trace_bounds bounds;
	struct lkst_out out;
	struct lkst_format format;
	char unknown[64];
	char compared[64];
	bool quiet;
	struct sql_use use[SQL_TABLES_MAX];
	struct lkst_error failure;
	bool failed;
};

/**
 * struct sql_cursor - a position in a virtual table
 * @base: for SQLite
 * @sql: query
 * @table: table
 * @use: how the query uses the table
 * @limits: which rows are needed
 * @view: reads the trace; NULL: not open
 * @runner: MODEL: copy of the run, with another model
 * @engine: MODEL: what the start() of the table's engine returned
 * @window: MODEL: window, as the model needs it
 * @read: MODEL: passes events to the model
 * @late: MODEL: number of CPUs with an event that is later than all rows that are needed
 * @late_cpus: MODEL: bitmap of these CPUs
 * @row: rows that have been found
 * @rows: number of rows in @row
 * @room: number of rows that fit into @row
 * @at: index of the current row in @row
 * @index: FIXED: index of the current row
 * @ended: whether the end of the trace, or of the part that is needed, has been reached
 * @no_memory: whether an allocation has failed
 * @rowid: number of the current row
 */
struct sql_cursor {
	sqlite3_vtab_cursor base;
	struct sql *sql;
	const struct sql_table *table;
	struct sql_use *use;
	struct sql_limits limits;
	struct lkst_trace *view;
	struct runner *runner;
	void *engine;
	struct lkst_model_window window;
	struct model_read *read;
	size_t late;
	uint64_t late_cpus[RUNNER_CPUS / 64];
	union sql_row *row;
	size_t rows;
	size_t room;
	size_t at;
	size_t index;
	bool ended;
	bool no_memory;
	sqlite3_int64 rowid;
};

/* sql_query.c */
int sql_query_open(struct sql *sql, int64_t temporary, struct lkst_error *err);
int sql_query_step(struct sql *sql, struct lkst_error *err);
void sql_query_close(struct sql *sql);

/* sql_output.c */
int sql_print_csv(struct sql *sql, struct lkst_error *err);
int sql_print_json(struct sql *sql, struct lkst_error *err);
int sql_print_table(struct sql *sql, struct tables *to, struct lkst_error *err);

/* sql_module.c */
int sql_module_register(struct sql *sql, const struct sql_table *table);

/* sql_limits.c */
void sql_limits_init(struct sql_limits *limits);
void sql_limits_add(struct sql_limits *limits, const struct lkst_etypes *types, enum sql_role role,
		    int op, sqlite3_value *value);
bool sql_limits_time(const struct sql_limits *limits, int64_t begin_ns, int64_t end_ns);
bool sql_limits_thread(const struct sql_cursor *cursor, const struct lkst_thread *thread);
bool sql_limits_cpu(const struct sql_limits *limits, int32_t cpu);

/* sql_feed.c */
int sql_feed_open(struct sql_cursor *cursor, struct lkst_error *err);
int sql_feed_next(struct sql_cursor *cursor, struct lkst_error *err);
void sql_feed_close(struct sql_cursor *cursor);
union sql_row *sql_feed_add(struct sql_cursor *cursor, int64_t begin_ns, int64_t end_ns,
			    int32_t cpu, const struct lkst_thread *thread);
const union sql_row *sql_feed_row(const struct sql_cursor *cursor);

/* sql_tables.c */
extern const struct sql_table *const sql_tables[];
extern const size_t sql_tables_num;
void sql_schema_print(void);
struct table *sql_schema_table(struct lkst_error *err);

/* sql_functions.c */
int sql_functions_register(struct sql *sql);
const char *sql_at(int64_t ns, char text[32]);

/* sql_space.c */
int sql_space_open(const char **name, int64_t limit);
bool sql_space_full(void);

/* sql_values.c */
const struct lkst_thread *sql_known(const struct sql_cursor *cursor,
				    const struct lkst_thread *thread);
void sql_put_text(sqlite3_context *to, const char *text);
void sql_put_time(sqlite3_context *to, int64_t ns, bool known);
void sql_put_id(sqlite3_context *to, int64_t id);
void sql_put_thread(const struct sql_cursor *cursor, const struct lkst_thread *thread,
		    sqlite3_context *to);
void sql_put_tid(const struct lkst_thread *thread, sqlite3_context *to);
void sql_put_pid(const struct sql_cursor *cursor, const struct lkst_thread *thread,
		 sqlite3_context *to);
void sql_put_thread_column(const struct sql_cursor *cursor, const struct lkst_thread *thread,
			   int column, sqlite3_context *to);

/*
 * Three columns about a thread from index @first on; sql_put_thread_column() passes their values.
 */
#define SQL_THREAD_COLUMNS(first, about)                                \
	[(first)] = { "thread", "TEXT", SQL_PLAIN, (about) },           \
	[(first) + 1] = { "tid", "INTEGER", SQL_TID, "its thread ID" }, \
	[(first) + 2] = { "pid", "INTEGER", SQL_PID, "its process" }

#define SQL_COLUMNS(array) .column = (array), .columns = sizeof(array) / sizeof(*(array))

extern const struct sql_table sql_event, sql_mark, sql_sched, sql_state, sql_cpu, sql_wake,
	sql_syscall, sql_irq, sql_block, sql_lock, sql_loss, sql_thread, sql_info;

#endif
