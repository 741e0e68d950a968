// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the long rings of a trace (Documentation/lkst/long-ring.rst), and shows the hour before the
 * end of the trace as a graph.
 *
 * The time is divided into columns of the same length. A digest covers the time since the previous
 * digest of its CPU, so its figures are distributed to the columns of this time. The figures of
 * lkst_digest_system are those at the time of the event. A column shows the greatest value, or the
 * least available memory.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "history.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/printable.h"
#include "lib/text/etypes.h"
#include "lib/text/timestamp.h"
#include "lib/trace/trace.h"

#define HISTORY_COLUMNS	  60
#define HISTORY_LONGEST	  (3600 * 1000000000ll) /* ns; the kernel keeps an hour */
#define HISTORY_SHORTEST  (5 * 1000000000ll) /* ns; less is not worth a graph */
#define HISTORY_EVENTS	  12 /* newest notable events to list */
#define HISTORY_TEXT	  (4 * 8 + 1) /* all arguments, and a NUL */
#define HISTORY_UNKNOWN	  UINT32_MAX
#define HISTORY_LEVEL_MAX 4 /* least severe kernel message to list: warning */

/* The rows of the graph */
enum history_row_id {
	HISTORY_BUSY,
	HISTORY_IRQ,
	HISTORY_IOWAIT,
	HISTORY_RUNNING,
	HISTORY_MEMORY,
	HISTORY_CPU_PRESSURE,
	HISTORY_MEMORY_PRESSURE,
	HISTORY_IO_PRESSURE,
	HISTORY_EVENTS_RARE,
	HISTORY_ROWS,
};

static const struct {
	const char *name;
	const char *unit;
} history_rows[HISTORY_ROWS] = {
	[HISTORY_BUSY] = { "CPUs busy", "%" },
	[HISTORY_IRQ] = { "in interrupts", "%" },
	[HISTORY_IOWAIT] = { "idle, waiting for I/O", "%" },
	[HISTORY_RUNNING] = { "runnable threads", "" },
	[HISTORY_MEMORY] = { "available memory", "MB" },
	[HISTORY_CPU_PRESSURE] = { "pressure: CPU", "%" },
	[HISTORY_MEMORY_PRESSURE] = { "pressure: memory", "%" },
	[HISTORY_IO_PRESSURE] = { "pressure: I/O", "%" },
	[HISTORY_EVENTS_RARE] = { "rare events", "/s" },
};

/* Values of a row by column. A column whose @known is false has no value. */
struct history_row {
	bool known[HISTORY_COLUMNS];
	double value[HISTORY_COLUMNS];
};

/* A notable event, copied from the trace */
struct history_event {
	int64_t time_ns;
	int32_t cpu;
	uint32_t type;
	char text[HISTORY_TEXT];
};

/**
 * struct report_history - the contents of the long rings
 * @types: event types of the trace
 * @begin_ns: start of the first column
 * @end_ns: time of the newest record
 * @row: the graph
 * @ms: of a row that shows shares of the time, by column: the time for which digests know the share,
 *	for all CPUs together
 * @events: number of notable events
 * @event: the newest of them; number i is at index i % HISTORY_EVENTS
 * @left_out: number of events that the kernel left out of the long rings
 */
struct report_history {
	const struct lkst_etypes *types;
	int64_t begin_ns;
	int64_t end_ns;
	struct history_row row[HISTORY_ROWS];
	double ms[HISTORY_ROWS][HISTORY_COLUMNS];
	uint64_t events;
	struct history_event event[HISTORY_EVENTS];
	uint64_t left_out;
};

static double history_column_ns(const struct report_history *history)
{
	return (double)(history->end_ns - history->begin_ns) / HISTORY_COLUMNS;
}

/* Return the column of a time, which is given in nanoseconds since the first column began. */
static int history_column_of(const struct report_history *history, double ns)
{
	double column = ns / history_column_ns(history);

	return column <= 0 ? 0 : column < HISTORY_COLUMNS ? (int)column : HISTORY_COLUMNS - 1;
}

/* Return the column of an event that is between @begin_ns and @end_ns. */
static int history_column(const struct report_history *history, int64_t time_ns)
{
	return history_column_of(history, (double)(time_ns - history->begin_ns));
}

/* Distribute @amount to the columns of the @ms before @time_ns. */
static void history_spread(const struct report_history *history, double *to, int64_t time_ns,
			   uint32_t ms, double amount)
{
	double end = (double)(time_ns - history->begin_ns), begin = end - ms * 1e6;
	double length = history_column_ns(history);
	int last = history_column_of(history, end);

	for (int i = history_column_of(history, begin); i <= last; i++) {
		double from = i * length, until = from + length;

		if (from < begin)
			from = begin;
		if (until > end)
			until = end;
		if (until > from)
			to[i] += amount * (until - from) / (ms * 1e6);
	}
}

/* Add a share of the @ms before @time_ns, unless it is unknown. No share exceeds the whole. */
static void history_share(struct report_history *history, enum history_row_id id, int64_t time_ns,
			  uint32_t ms, uint64_t share_ms)
{
	if (share_ms == HISTORY_UNKNOWN)
		return;
	history_spread(history, history->ms[id], time_ns, ms, ms);
	history_spread(history, history->row[id].value, time_ns, ms, share_ms < ms ? share_ms : ms);
}

static uint32_t history_high(uint64_t arg)
{
	return (uint32_t)(arg >> 32);
}

/* Return how long the CPU was busy; HISTORY_UNKNOWN if one of the figures to add is unknown. */
static uint64_t history_busy_ms(const struct lkst_event *event)
{
	const uint32_t busy[] = { history_high(event->arg[1]), (uint32_t)event->arg[1],
				  history_high(event->arg[2]), (uint32_t)event->arg[2] };
	uint32_t ms = history_high(event->arg[0]), idle = history_high(event->arg[3]);
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(busy) / sizeof(*busy); i++) {
		if (busy[i] == HISTORY_UNKNOWN)
			return HISTORY_UNKNOWN;
		sum += busy[i];
	}
	if (idle == HISTORY_UNKNOWN)
		return sum < ms ? sum : ms;
	/* The kernel may count a tick too many. A CPU is not busy while it is idle. */
	if (idle >= ms)
		return 0;
	return sum < ms - idle ? sum : ms - idle;
}

static void history_add_digest(struct report_history *history, const struct lkst_event *event)
{
	uint32_t ms = history_high(event->arg[0]), left_out = (uint32_t)event->arg[0];
	int64_t at = event->time_ns;

	history->left_out += left_out;
	if (!ms)
		return;
	history_share(history, HISTORY_BUSY, at, ms, history_busy_ms(event));
	history_share(history, HISTORY_IRQ, at, ms, history_high(event->arg[2]));
	history_share(history, HISTORY_IOWAIT, at, ms, (uint32_t)event->arg[3]);
	history_spread(history, history->row[HISTORY_EVENTS_RARE].value, at, ms, left_out);
}

/* Add a figure to its column, which keeps the greatest one, or the least one if @least is set. */
static void history_note(struct report_history *history, enum history_row_id id, int64_t time_ns,
			 uint32_t figure, double unit, bool least)
{
	struct history_row *row = &history->row[id];
	int column = history_column(history, time_ns);
	double value = figure / unit;

	if (figure == HISTORY_UNKNOWN ||
	    (row->known[column] &&
	     (least ? value >= row->value[column] : value <= row->value[column])))
		return;
	row->known[column] = true;
	row->value[column] = value;
}

static void history_add_system(struct report_history *history, const struct lkst_event *event)
{
	int64_t at = event->time_ns;

	history_note(history, HISTORY_RUNNING, at, history_high(event->arg[0]), 1, false);
	history_note(history, HISTORY_MEMORY, at, (uint32_t)event->arg[1], 1024, true);
	history_note(history, HISTORY_CPU_PRESSURE, at, history_high(event->arg[2]), 100, false);
	history_note(history, HISTORY_MEMORY_PRESSURE, at, (uint32_t)event->arg[2], 100, false);
	history_note(history, HISTORY_IO_PRESSURE, at, history_high(event->arg[3]), 100, false);
}

/* Notable events, and the arguments that contain their text */
static const struct {
	uint32_t type;
	unsigned int first, num;
} history_notable[] = {
	{ LKST_ETYPE_MEM_OOMKILL, 0, 0 },   { LKST_ETYPE_OOPS_DIE, 0, 0 },
	{ LKST_ETYPE_OOPS_PANIC, 0, 4 },    { LKST_ETYPE_OOPS_WARN, 0, 0 },
	{ LKST_ETYPE_OOPS_LOCKUP, 0, 0 },   { LKST_ETYPE_OOPS_PRINTK, 1, 3 },
	{ LKST_ETYPE_CPU_ONLINE, 0, 0 },    { LKST_ETYPE_CPU_OFFLINE, 0, 0 },
	{ LKST_ETYPE_CPU_SUSPEND, 0, 2 },   { LKST_ETYPE_MODULE_LOAD, 0, 3 },
	{ LKST_ETYPE_MODULE_FREE, 0, 3 },   { LKST_ETYPE_USER_MARK, 0, 0 },
	{ LKST_ETYPE_USER_TEXT, 0, 4 },	    { LKST_ETYPE_LKST_TRC_START, 0, 0 },
	{ LKST_ETYPE_LKST_TRC_STOP, 0, 0 }, { LKST_ETYPE_LKST_MASKSET_SET, 0, 0 },
	{ LKST_ETYPE_LKST_WATCH, 3, 1 },
};

/* Count a rare event, and remember it if it is notable. */
static void history_add_event(struct report_history *history, const struct lkst_event *event)
{
	history->row[HISTORY_EVENTS_RARE].value[history_column(history, event->time_ns)]++;
	if (event->type == LKST_ETYPE_OOPS_PRINTK &&
	    history_high(event->arg[0]) > HISTORY_LEVEL_MAX)
		return;
	for (size_t i = 0; i < sizeof(history_notable) / sizeof(*history_notable); i++) {
		struct history_event *to = &history->event[history->events % HISTORY_EVENTS];

		if (history_notable[i].type != event->type)
			continue;
		*to = (struct history_event){ event->time_ns, event->cpu, event->type, "" };
		lkst_event_text(event, history_notable[i].first, history_notable[i].num, to->text);
		history->events++;
	}
}

/* Convert the sums of the columns to shares of the time, and to numbers per second. */
static void history_finish(struct report_history *history)
{
	static const enum history_row_id shares[] = { HISTORY_BUSY, HISTORY_IRQ, HISTORY_IOWAIT };

	for (int column = 0; column < HISTORY_COLUMNS; column++) {
		struct history_row *rare = &history->row[HISTORY_EVENTS_RARE];

		rare->known[column] = true;
		rare->value[column] /= history_column_ns(history) / 1e9;
		for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
			struct history_row *row = &history->row[shares[i]];

			row->known[column] = history->ms[shares[i]][column] > 0;
			if (row->known[column])
				row->value[column] *= 100 / history->ms[shares[i]][column];
		}
	}
}

/* Add an event that is between @begin_ns and @end_ns. */
static void history_add(struct report_history *history, const struct lkst_event *event)
{
	if (event->type == LKST_ETYPE_LKST_DIGEST)
		history_add_digest(history, event);
	else if (event->type == LKST_ETYPE_LKST_DIGEST_SYSTEM)
		history_add_system(history, event);
	else if (event->type != LKST_ETYPE_LKST_SYNC_TIME)
		history_add_event(history, event);
}

/*
 * Find the times of the first and of the last record, of which the last is not later than @limit_ns.
 * Returns 1 if there is enough to show, 0 if not, -1 on error.
 */
static int history_range(struct report_history *history, struct lkst_trace *trace, int64_t limit_ns,
			 struct lkst_error *err)
{
	int64_t oldest_ns = INT64_MAX, newest_ns = INT64_MIN, digest_ns = INT64_MIN;
	struct lkst_event event;
	int ret;

	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err))
		return -1;
	while ((ret = lkst_trace_next(trace, &event, err)) > 0) {
		if (event.time_ns > limit_ns)
			continue;
		if (event.time_ns < oldest_ns)
			oldest_ns = event.time_ns;
		if (event.time_ns > newest_ns)
			newest_ns = event.time_ns;
		if (event.type == LKST_ETYPE_LKST_DIGEST && event.time_ns > digest_ns)
			digest_ns = event.time_ns;
	}
	if (newest_ns >= INT64_MIN + HISTORY_LONGEST && oldest_ns < newest_ns - HISTORY_LONGEST)
		oldest_ns = newest_ns - HISTORY_LONGEST;
	history->begin_ns = oldest_ns;
	history->end_ns = newest_ns;
	if (ret || digest_ns < oldest_ns)
		return ret;
	return newest_ns - oldest_ns >= HISTORY_SHORTEST;
}

/* Read the events. Returns 1; 0 if there is not enough to show; -1 on error. */
static int history_fill(struct report_history *history, struct lkst_trace *trace, int64_t limit_ns,
			struct lkst_error *err)
{
	struct lkst_event event;
	int ret = history_range(history, trace, limit_ns, err);

	if (ret <= 0)
		return ret;
	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err))
		return -1;
	while ((ret = lkst_trace_next(trace, &event, err)) > 0)
		if (event.time_ns >= history->begin_ns && event.time_ns <= history->end_ns)
			history_add(history, &event);
	history_finish(history);
	return ret < 0 ? -1 : 1;
}

/**
 * history_read() - read the long rings of the trace that a run analyses
 * @run: run
 * @history: result; NULL: the trace has no long rings, or they are too short
 * @err: set on failure
 *
 * Reports nothing about the trace, because its first reader has reported it.
 */
int history_read(const struct run *run, struct report_history **history, struct lkst_error *err)
{
	static const struct lkst_trace_hooks hooks = { .flags = LKST_TRACE_LONG_RINGS };
	/* Events after --until are not shown. */
	int64_t limit_ns = run->end_ns < run->newest_ns ? run->end_ns : INT64_MAX;
	struct lkst_trace *trace;
	int ret = -1;

	*history = NULL;
	if (!run->trace)
		return 0;
	trace = lkst_trace_open_again(run->trace, &hooks, err);
	if (!trace)
		return -1;
	*history = calloc(1, sizeof(**history));
	if (*history) {
		(*history)->types = run->types;
		ret = history_fill(*history, trace, limit_ns, err);
	} else {
		lkst_error_memory(err, "the history");
	}
	lkst_trace_close(trace);
	if (ret <= 0) {
		free(*history);
		*history = NULL;
	}
	return ret < 0 ? -1 : 0;
}

void history_free(struct report_history *history)
{
	free(history);
}

/* Get the least and the greatest value of a row. Returns whether it has any values. */
static bool history_extremes(const struct history_row *row, double *least, double *greatest)
{
	bool any = false;

	for (int i = 0; i < HISTORY_COLUMNS; i++) {
		if (!row->known[i])
			continue;
		if (!any || row->value[i] < *least)
			*least = row->value[i];
		if (!any || row->value[i] > *greatest)
			*greatest = row->value[i];
		any = true;
	}
	return any;
}

/* The value that fills a column of the graph: 100 % for shares, otherwise the greatest value. */
static double history_scale(enum history_row_id id, double greatest)
{
	return *history_rows[id].unit == '%' ? 100 : greatest;
}

static void history_put_row(const struct report_history *history, enum history_row_id id, FILE *to)
{
	static const char shades[] = " .:-=+*#%@";
	const struct history_row *row = &history->row[id];
	const char *unit = history_rows[id].unit;
	double least = 0, greatest = 0, full;
	char graph[HISTORY_COLUMNS + 1] = "";

	/* Rows without values, or with nothing but zeros, are not worth a line. */
	if (!history_extremes(row, &least, &greatest) || (greatest <= 0 && id != HISTORY_BUSY))
		return;
	full = history_scale(id, greatest);
	for (int i = 0; i < HISTORY_COLUMNS; i++) {
		double shade = full > 0 ? row->value[i] / full * 9 : 0;
		int at = shade < 9 ? (int)shade : 9;

		/* Any value but 0 is visible. */
		at += shade > at && at < 9;
		graph[i] = row->known[i] ? shades[at] : '?';
	}
	fprintf(to, "    %-22s|%s|", history_rows[id].name, graph);
	if (id == HISTORY_MEMORY)
		fprintf(to, " min %.0f %s\n", least, unit);
	else
		fprintf(to, " max %.*f%s%s\n", greatest < 10 && *unit ? 1 : 0, greatest,
			*unit && *unit != '/' ? " " : "", unit);
}

static const char *history_event_name(const struct report_history *history, uint32_t type)
{
	const struct lkst_etype *etype = type < LKST_ETYPE_NUM ? history->types->type[type] : NULL;

	return etype ? etype->name : "event";
}

static void history_put_event(const struct report_history *history,
			      const struct history_event *event, FILE *to)
{
	char time[LKST_TIMESTAMP_SIZE], text[4 * HISTORY_TEXT];

	fprintf(to, "    %s [%03d] %s", lkst_timestamp_text(event->time_ns, time), event->cpu,
		history_event_name(history, event->type));
	if (*event->text)
		fprintf(to, " \"%s\"",
			lkst_printable(event->text, strlen(event->text), text, sizeof(text)));
	putc('\n', to);
}

/* Return the index of the oldest event that is listed. */
static uint64_t history_first(const struct report_history *history)
{
	return history->events > HISTORY_EVENTS ? history->events - HISTORY_EVENTS : 0;
}

/**
 * history_text() - print the history as text
 * @history: history; may be NULL
 * @to: output
 */
void history_text(const struct report_history *history, FILE *to)
{
	char begin[LKST_TIMESTAMP_SIZE], end[LKST_TIMESTAMP_SIZE];
	uint64_t first;

	if (!history)
		return;
	fprintf(to, "HISTORY\n    from %s to %s, %.3g s in each column\n",
		lkst_timestamp_text(history->begin_ns, begin),
		lkst_timestamp_text(history->end_ns, end), history_column_ns(history) / 1e9);
	for (int id = 0; id < HISTORY_ROWS; id++)
		history_put_row(history, (enum history_row_id)id, to);
	if (history->left_out)
		fprintf(to,
			"    %llu rare events were left out of the long rings, to keep the hour\n",
			(unsigned long long)history->left_out);
	first = history_first(history);
	if (first)
		fprintf(to, "    the newest %d of %llu notable events:\n", HISTORY_EVENTS,
			(unsigned long long)history->events);
	for (uint64_t i = first; i < history->events; i++)
		history_put_event(history, &history->event[i % HISTORY_EVENTS], to);
	putc('\n', to);
}

/* Return the time since @origin_ns. Times of a damaged trace may be too far apart, and wrap around. */
static int64_t history_since(int64_t time_ns, int64_t origin_ns)
{
	return (int64_t)((uint64_t)time_ns - (uint64_t)origin_ns);
}

static struct json_object *history_row_json(const struct report_history *history,
					    enum history_row_id id)
{
	const struct history_row *row = &history->row[id];
	struct json_object *object = json_new(), *values = json_list();
	double least = 0, greatest = 0;

	history_extremes(row, &least, &greatest);
	json_text(object, "name", history_rows[id].name);
	json_text(object, "unit", history_rows[id].unit);
	json_real(object, "full", history_scale(id, greatest));
	json_real(object, "min", least);
	json_real(object, "max", greatest);
	for (int i = 0; i < HISTORY_COLUMNS; i++)
		json_add(values, json_of_real(row->known[i] ? row->value[i] : -1));
	json_put(object, "values", values);
	return object;
}

static struct json_object *history_event_json(const struct report_history *history,
					      const struct history_event *event, int64_t origin_ns)
{
	struct json_object *object = json_new();
	char text[4 * HISTORY_TEXT];

	json_int(object, "time_ns", history_since(event->time_ns, origin_ns));
	json_int(object, "cpu", event->cpu);
	json_etype(object, history->types, event->type);
	if (*event->text)
		json_text(object, "text",
			  lkst_printable(event->text, strlen(event->text), text, sizeof(text)));
	return object;
}

/**
 * history_json() - describe the history as JSON
 * @history: history; may be NULL
 * @origin_ns: time from which times are counted; 0: the epoch
 *
 * Return: the object; NULL: there is no history.
 */
struct json_object *history_json(const struct report_history *history, int64_t origin_ns)
{
	struct json_object *object, *rows, *events;
	double least, greatest;

	if (!history)
		return NULL;
	object = json_new();
	rows = json_list();
	events = json_list();
	json_int(object, "begin_ns", history_since(history->begin_ns, origin_ns));
	json_int(object, "end_ns", history_since(history->end_ns, origin_ns));
	json_uint(object, "left_out", history->left_out);
	for (int id = 0; id < HISTORY_ROWS; id++)
		if (history_extremes(&history->row[id], &least, &greatest))
			json_add(rows, history_row_json(history, (enum history_row_id)id));
	json_put(object, "rows", rows);
	json_uint(object, "events_total", history->events);
	for (uint64_t i = history_first(history); i < history->events; i++)
		json_add(events, history_event_json(history, &history->event[i % HISTORY_EVENTS],
						    origin_ns));
	json_put(object, "events", events);
	return object;
}
