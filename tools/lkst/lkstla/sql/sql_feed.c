// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the trace for a cursor, either event by event or through a state model that belongs to the
 * cursor. Each call reads only up to the next row. An event adds at most one row for each thread
 * and CPU, so memory does not depend on the number of events.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/base/error.h"
#include "lib/trace/trace.h"
#include "sql.h"

/*
 * Records may be out of order, but by less than this time. lkst_model_read() makes the same
 * assumption.
 */
#define FEED_LATE_NS 1000000000

#define FEED_PROGRESS 65536 /* number of events between two updates of the progress */

/* Add a row. Returns NULL if an allocation failed, which the model reports. */
static union sql_row *feed_grow(struct sql_cursor *cursor)
{
	if (cursor->rows == cursor->room) {
		size_t room = cursor->room ? 2 * cursor->room : 16;
		union sql_row *grown = realloc(cursor->row, room * sizeof(*grown));

		if (!grown) {
			run_out_of_memory(&cursor->runner->run);
			cursor->no_memory = true;
			return NULL;
		}
		cursor->row = grown;
		cursor->room = room;
	}
	return &cursor->row[cursor->rows++];
}

/**
 * sql_feed_add() - add a row if it may be needed
 * @cursor: cursor
 * @begin_ns: value of the column with SQL_BEGIN or SQL_TIME
 * @end_ns: value of the column with SQL_END or SQL_TIME
 * @cpu: CPU; -1: unknown
 * @thread: thread of the cursor's model; NULL: idle or unknown
 *
 * Return: the row, to be filled in; NULL if it is not needed, or if an allocation failed, which the
 * model reports.
 */
union sql_row *sql_feed_add(struct sql_cursor *cursor, int64_t begin_ns, int64_t end_ns,
			    int32_t cpu, const struct lkst_thread *thread)
{
	if (!sql_limits_time(&cursor->limits, begin_ns, end_ns) ||
	    !sql_limits_cpu(&cursor->limits, cpu) || !sql_limits_thread(cursor, thread))
		return NULL;
	return feed_grow(cursor);
}

/**
 * sql_feed_row() - get the current row
 * @cursor: cursor, which is not at its end
 */
const union sql_row *sql_feed_row(const struct sql_cursor *cursor)
{
	return &cursor->row[cursor->at];
}

static void feed_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct sql_cursor *cursor = ctx;

	if (!cursor->sql->quiet)
		progress_show((void *)"reading", done, total);
}

/* ---- rows from the model ---- */

/*
 * Remember whether this CPU has had an event after the latest time that is needed. When all CPUs
 * have had such an event, all rows up to that time have been found. These include rows that end at
 * the last record before a loss, which are found at the next record of the CPU.
 */
static void feed_event(void *ctx, const struct lkst_event *event)
{
	struct sql_cursor *cursor = ctx;
	uint64_t bit;

	if (!event || event->time_ns <= cursor->limits.end_ns[1] || event->cpu < 0 ||
	    event->cpu >= RUNNER_CPUS)
		return;
	bit = 1ull << event->cpu % 64;
	cursor->late += !(cursor->late_cpus[event->cpu / 64] & bit);
	cursor->late_cpus[event->cpu / 64] |= bit;
}

/* Copy the run, and give the copy a new model. */
static int feed_open_run(struct sql_cursor *cursor, struct lkst_error *err)
{
	const struct sql_table *table = cursor->table;
	struct runner *runner = malloc(sizeof(*runner));

	if (!runner) {
		lkst_error_memory(err, "a table");
		return -1;
	}
	*runner = *runner_of(cursor->sql->run);
	cursor->runner = runner;
	runner->losses = 0;
	runner->loss = NULL;
	runner->run.trace = cursor->view;
	runner->run.model = lkst_model_new(false, err);
	if (!runner->run.model || lkst_model_add(runner->run.model, &table->ops, cursor, err))
		return -1;
	if (!table->engine)
		return 0;
	cursor->engine = table->engine->start(&runner->run, err);
	if (!cursor->engine)
		return -1;
	table->attach(cursor, cursor->engine);
	return lkst_model_add(runner->run.model, &table->engine->ops, cursor->engine, err);
}

static int feed_open_model(struct sql_cursor *cursor, struct lkst_error *err)
{
	const struct run *run = cursor->sql->run;

	if (feed_open_run(cursor, err))
		return -1;
	cursor->window = (struct lkst_model_window){
		.begin_ns = run->begin_ns,
		.end_ns = run->end_ns,
		.ctx = cursor,
		.next = feed_event,
		.progress = feed_progress,
	};
	cursor->read =
		model_read_open(cursor->runner->run.model, cursor->view, &cursor->window, err);
	return cursor->read ? 0 : -1;
}

/* Read events until the model has reported a row. */
static int feed_next_model(struct sql_cursor *cursor, struct lkst_error *err)
{
	uint64_t before = model_read_done(cursor->read);
	int ret = 1;

	while (ret > 0 && !cursor->rows && cursor->late < cursor->sql->run->cpus)
		ret = model_read_step(cursor->read, err);
	cursor->use->events += model_read_done(cursor->read) - before;
	if (ret > 0 && cursor->rows)
		return 0;
	if (!ret && cursor->table->finish)
		cursor->table->finish(cursor, cursor->engine);
	cursor->ended = true;
	if (ret >= 0 && cursor->no_memory) {
		lkst_error_memory(err, "a table");
		return -1;
	}
	return ret < 0 ? -1 : 0;
}

/* ---- rows that are events ---- */

static int feed_open_events(struct sql_cursor *cursor, struct lkst_error *err)
{
	const struct run *run = cursor->sql->run;
	struct sql_limits *limits = &cursor->limits;

	if (limits->begin_ns[0] < run->begin_ns)
		limits->begin_ns[0] = run->begin_ns;
	/*
	 * If the window ends at the newest record, do not limit the time. If an interrupt wrote
	 * that record while another record was being written, the other record can have a later
	 * time.
	 */
	if (limits->begin_ns[1] > run->end_ns && run->end_ns < cursor->sql->bounds.newest_ns)
		limits->begin_ns[1] = run->end_ns;
	if (cursor->table->only) {
		memset(limits->type, 0, sizeof(limits->type));
		limits->typed = true;
		for (uint32_t type = cursor->table->only; type <= cursor->table->last; type++)
			limits->type[type] = true;
	}
	return lkst_trace_rewind_part(cursor->view,
				      limits->cpu > INT32_MAX ? INT32_MAX : (int32_t)limits->cpu,
				      limits->begin_ns[0], err);
}

static bool feed_selects(const struct sql_cursor *cursor, const struct lkst_event *event)
{
	const struct sql_limits *limits = &cursor->limits;

	return (!limits->typed || (event->type < LKST_ETYPE_NUM && limits->type[event->type])) &&
	       sql_limits_time(limits, event->time_ns, event->time_ns) &&
	       sql_limits_cpu(limits, event->cpu) &&
	       (limits->tid < 0 || limits->tid == event->tid) &&
	       (limits->pid < 0 || limits->pid == event->tgid) &&
	       lkst_trace_boot(cursor->view, event->source) == cursor->sql->bounds.boot;
}

/* Return whether an event is so late that no event that is needed can follow. */
static bool feed_is_late(const struct sql_cursor *cursor, const struct lkst_event *event)
{
	int64_t latest;

	return !__builtin_add_overflow(cursor->limits.begin_ns[1], FEED_LATE_NS, &latest) &&
	       event->time_ns > latest;
}

static int feed_next_event(struct sql_cursor *cursor, struct lkst_error *err)
{
	union sql_row *row = &cursor->row[0];
	int ret;

	while ((ret = lkst_trace_next(cursor->view, &row->event, err)) > 0) {
		if (++cursor->use->events % FEED_PROGRESS == 0)
			feed_progress(cursor, cursor->use->events,
				      lkst_trace_records(cursor->view));
		if (feed_selects(cursor, &row->event)) {
			cursor->rows = 1;
			return 0;
		}
		if (feed_is_late(cursor, &row->event))
			break;
	}
	cursor->ended = true;
	return ret < 0 ? -1 : 0;
}

/* ---- all tables ---- */

/**
 * sql_feed_open() - start to read, and find the first row
 * @cursor: closed cursor with limits
 * @err: set on failure
 */
int sql_feed_open(struct sql_cursor *cursor, struct lkst_error *err)
{
	int ret = 0;

	cursor->ended = false;
	cursor->use->scans++;
	if (cursor->table->source != SQL_FIXED) {
		cursor->view = lkst_trace_view_new(cursor->sql->run->trace, err);
		if (!cursor->view)
			return -1;
	}
	cursor->room = cursor->room ? cursor->room : 1;
	if (!cursor->row)
		cursor->row = malloc(sizeof(*cursor->row));
	if (!cursor->row) {
		lkst_error_memory(err, "a table");
		return -1;
	}
	if (cursor->table->source == SQL_FROM_EVENTS)
		ret = feed_open_events(cursor, err);
	else if (cursor->table->source == SQL_FROM_MODEL)
		ret = feed_open_model(cursor, err);
	if (ret)
		return -1;
	return sql_feed_next(cursor, err);
}

static void feed_next_fixed(struct sql_cursor *cursor)
{
	cursor->ended = !cursor->table->fixed(cursor->sql, cursor->index++, &cursor->row[0]);
	cursor->rows = !cursor->ended;
}

/**
 * sql_feed_next() - advance to the next row
 * @cursor: cursor
 * @err: set on failure
 *
 * At the end, @cursor->at is equal to @cursor->rows.
 */
int sql_feed_next(struct sql_cursor *cursor, struct lkst_error *err)
{
	int ret = 0;

	if (cursor->at + 1 < cursor->rows) {
		cursor->at++;
		return 0;
	}
	cursor->at = cursor->rows = 0;
	if (cursor->ended)
		return 0;
	if (cursor->table->source == SQL_FIXED)
		feed_next_fixed(cursor);
	else if (cursor->table->source == SQL_FROM_EVENTS)
		ret = feed_next_event(cursor, err);
	else
		ret = feed_next_model(cursor, err);
	return ret;
}

/**
 * sql_feed_close() - stop reading
 * @cursor: cursor; may be closed already
 */
void sql_feed_close(struct sql_cursor *cursor)
{
	model_read_close(cursor->read);
	cursor->read = NULL;
	if (cursor->engine)
		cursor->table->engine->free(cursor->engine);
	cursor->engine = NULL;
	if (cursor->runner)
		lkst_model_free(cursor->runner->run.model);
	free(cursor->runner);
	cursor->runner = NULL;
	lkst_trace_view_free(cursor->view);
	cursor->view = NULL;
	free(cursor->row);
	cursor->row = NULL;
	cursor->room = cursor->rows = cursor->at = cursor->index = 0;
	cursor->late = 0;
	cursor->ended = true;
	for (size_t i = 0; i < RUNNER_CPUS / 64; i++)
		cursor->late_cpus[i] = 0;
}
