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
#include "cli/trace_input.h"
#include "history.h"
#include "lib/base/etype_ids.h"
#include "lib/base/printable.h"
#include "lib/text/etypes.h"
#include "lib/text/timestamp.h"
#include "lib/trace/trace.h"

#define HISTORY_COLUMNS	  60
#define HISTORY_SHORTEST  (5 * 1000000000ll) /* ns; less is not worth a graph */
#define HISTORY_EVENTS	  12		     /* newest notable events to list */
#define HISTORY_TEXT	  40		     /* bytes of the text of an event */
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
 * @ms: by column: the time that digests cover, for all CPUs together
 * @events: number of notable events
 * @event: the newest of them; number i is at index i % HISTORY_EVENTS
 * @left_out: number of events that the kernel left out of the long rings
 */
struct report_history {
	const struct lkst_etypes *types;
	int64_t begin_ns;
	int64_t end_ns;
	struct history_row row[HISTORY_ROWS];
	double ms[HISTORY_COLUMNS];
	uint64_t events;
	struct history_event event[HISTORY_EVENTS];
	uint64_t left_out;
};

static double history_column_ns(const struct report_history *history)
{
	return (double)(history->end_ns - history->begin_ns) / HISTORY_COLUMNS;
}

static int history_column(const struct report_history *history, int64_t time_ns)
{
	int column = (int)((double)(time_ns - history->begin_ns) / history_column_ns(history));

	return column < 0 ? 0 : column < HISTORY_COLUMNS ? column : HISTORY_COLUMNS - 1;
}

/* Distribute @amount to the columns of the @ms before @time_ns. */
static void history_spread(const struct report_history *history, double *to, int64_t time_ns,
			   uint32_t ms, double amount)
{
	int64_t begin_ns = time_ns - ms * 1000000ll;
	double length = history_column_ns(history);
	int last = history_column(history, time_ns);

	for (int i = history_column(history, begin_ns); i <= last; i++) {
		double from = (double)history->begin_ns + i * length, until = from + length;

		if (from < (double)begin_ns)
			from = (double)begin_ns;
		if (until > (double)time_ns)
			until = (double)time_ns;
		if (until > from)
			to[i] += amount * (until - from) / (ms * 1e6);
	}
}

static uint32_t history_high(uint64_t arg)
{
	return (uint32_t)(arg >> 32);
}

static void history_add_digest(struct report_history *history, const struct lkst_event *event)
{
	uint32_t ms = history_high(event->arg[0]), left_out = (uint32_t)event->arg[0];
	double user = history_high(event->arg[1]), system = (uint32_t)event->arg[1];
	double irq = history_high(event->arg[2]), steal = (uint32_t)event->arg[2];
	double idle = history_high(event->arg[3]), iowait = (uint32_t)event->arg[3];
	double busy = user + system + irq + steal;

	history->left_out += left_out;
	if (!ms)
		return;
	/* The kernel may count a tick too many. A CPU is not busy while it is idle. */
	if (busy > ms - idle)
		busy = idle < ms ? ms - idle : 0;
	history_spread(history, history->ms, event->time_ns, ms, ms);
	history_spread(history, history->row[HISTORY_BUSY].value, event->time_ns, ms, busy);
	history_spread(history, history->row[HISTORY_IRQ].value, event->time_ns, ms, irq);
	history_spread(history, history->row[HISTORY_IOWAIT].value, event->time_ns, ms, iowait);
	history_spread(history, history->row[HISTORY_EVENTS_RARE].value, event->time_ns, ms,
		       left_out);
}

/* Add a figure to its column, which keeps the greatest one, or the least one if @least is set. */
static void history_note(struct report_history *history, enum history_row_id id, int64_t time_ns,
			 uint32_t figure, double unit, bool least)
{
	struct history_row *row = &history->row[id];
	int column = history_column(history, time_ns);
	double value = figure / unit;

	if (figure == HISTORY_UNKNOWN ||
	    (row->known[column] && (least ? value >= row->value[column] :
					    value <= row->value[column])))
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
	int first, num;
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
	if (event->type == LKST_ETYPE_OOPS_PRINTK && history_high(event->arg[0]) > HISTORY_LEVEL_MAX)
		return;
	for (size_t i = 0; i < sizeof(history_notable) / sizeof(*history_notable); i++) {
		struct history_event *to = &history->event[history->events % HISTORY_EVENTS];

		if (history_notable[i].type != event->type)
			continue;
		*to = (struct history_event){ event->time_ns, event->cpu, event->type, "" };
		memcpy(to->text, &event->arg[history_notable[i].first],
		       (size_t)history_notable[i].num * sizeof(event->arg[0]));
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

			row->known[column] = history->ms[column] > 0;
			if (row->known[column])
				row->value[column] *= 100 / history->ms[column];
		}
	}
}

/* Find the times of the first and the last record. Returns whether the history is worth a graph. */
static bool history_range(struct report_history *history, struct lkst_trace *trace)
{
	struct lkst_event event;
	bool digests = false, any = false;

	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, NULL))
		return false;
	while (lkst_trace_next(trace, &event, NULL) > 0) {
		if (!any || event.time_ns < history->begin_ns)
			history->begin_ns = event.time_ns;
		if (!any || event.time_ns > history->end_ns)
			history->end_ns = event.time_ns;
		any = true;
		digests |= event.type == LKST_ETYPE_LKST_DIGEST;
	}
	return digests && history->end_ns - history->begin_ns >= HISTORY_SHORTEST;
}

static bool history_fill(struct report_history *history, struct lkst_trace *trace)
{
	struct lkst_event event;

	if (!history_range(history, trace) || lkst_trace_rewind(trace, LKST_OLDEST_FIRST, NULL))
		return false;
	while (lkst_trace_next(trace, &event, NULL) > 0) {
		if (event.type == LKST_ETYPE_LKST_DIGEST)
			history_add_digest(history, &event);
		else if (event.type == LKST_ETYPE_LKST_DIGEST_SYSTEM)
			history_add_system(history, &event);
		else if (event.type != LKST_ETYPE_LKST_SYNC_TIME)
			history_add_event(history, &event);
	}
	history_finish(history);
	return true;
}

/**
 * history_read() - read the long rings of the trace that a run analyses
 * @run: run
 *
 * Return: the history; NULL: the trace has no history, or the history is too short or cannot be
 * read.
 */
struct report_history *history_read(const struct run *run)
{
	struct lkst_trace *trace = trace_input_open_long(&run->args->input, run->fd, NULL);
	struct report_history *history = calloc(1, sizeof(*history));

	if (history)
		history->types = run->types;
	if (trace && history && !history_fill(history, trace)) {
		free(history);
		history = NULL;
	}
	lkst_trace_close(trace);
	if (!trace) {
		free(history);
		history = NULL;
	}
	return history;
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
	double least = 0, greatest = 0, full;
	char graph[HISTORY_COLUMNS + 1] = "";

	/* Rows without values, or with nothing but zeros, are not worth a line. */
	if (!history_extremes(row, &least, &greatest) || (greatest <= 0 && id != HISTORY_BUSY))
		return;
	full = history_scale(id, greatest);
	for (int i = 0; i < HISTORY_COLUMNS; i++) {
		/* Any value but 0 is visible. */
		int shade = full > 0 ? (int)(row->value[i] / full * 8 + 0.999) : 0;

		graph[i] = !row->known[i] ? '?' : shades[shade < 0 ? 0 : shade > 9 ? 9 : shade];
	}
	fprintf(to, "    %-22s|%s|", history_rows[id].name, graph);
	if (id == HISTORY_MEMORY)
		fprintf(to, " min %.0f %s\n", least, history_rows[id].unit);
	else
		fprintf(to, " max %.*f%s%s\n", greatest < 10 && *history_rows[id].unit ? 1 : 0,
			greatest, *history_rows[id].unit == '/' ? "" : " ", history_rows[id].unit);
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
			lkst_printable(event->text, strnlen(event->text, HISTORY_TEXT), text,
				       sizeof(text)));
	putc('\n', to);
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
		fprintf(to, "    %llu rare events exceeded the budget and are not in the long rings\n",
			(unsigned long long)history->left_out);
	first = history->events > HISTORY_EVENTS ? history->events - HISTORY_EVENTS : 0;
	if (first)
		fprintf(to, "    the newest %d of %llu notable events:\n", HISTORY_EVENTS,
			(unsigned long long)history->events);
	for (uint64_t i = first; i < history->events; i++)
		history_put_event(history, &history->event[i % HISTORY_EVENTS], to);
	putc('\n', to);
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

/**
 * history_json() - describe the history as JSON
 * @history: history; may be NULL
 *
 * Return: the object; NULL: there is no history.
 */
struct json_object *history_json(const struct report_history *history)
{
	struct json_object *object, *rows;
	double least, greatest;

	if (!history)
		return NULL;
	object = json_new();
	rows = json_list();
	json_int(object, "begin_ns", history->begin_ns);
	json_int(object, "end_ns", history->end_ns);
	json_uint(object, "left_out", history->left_out);
	for (int id = 0; id < HISTORY_ROWS; id++)
		if (history_extremes(&history->row[id], &least, &greatest))
			json_add(rows, history_row_json(history, (enum history_row_id)id));
	json_put(object, "rows", rows);
	return object;
}
