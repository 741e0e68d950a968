// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla top: the result of an interval, as text or JSON. The result remains valid when the model
 * changes.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "lib/base/error.h"
#include "lkstla/missing.h"
#include "lkstla/modes.h"
#include "top.h"

const struct top_view_tables top_views[TOP_VIEWS] = {
	[TOP_THREADS] = { "threads", 0, 1 },
	[TOP_CALLS] = { "system calls", 1, 1 },
	[TOP_INTERRUPTS] = { "interrupts", 2, 5 },
	[TOP_CPUS] = { "CPUs", 7, 1 },
};

/**
 * frame_free() - free a frame
 * @frame: may be NULL
 */
void frame_free(struct top_frame *frame)
{
	if (!frame)
		return;
	for (size_t i = 0; i < frame->tables.num; i++)
		table_free(frame->tables.table[i]);
	free(frame->header);
	if (frame->json)
		json_free(frame->json);
	free(frame);
}

/**
 * frame_make_header() - make the header, as text or JSON
 * @frame: frame
 * @runner: run, whose window is the interval
 * @mode_ns: time of all CPUs by mode
 * @err: set if an allocation fails
 */
int frame_make_header(struct top_frame *frame, const struct runner *runner,
		      const double mode_ns[LKST_MODE_NUM], struct lkst_error *err)
{
	size_t size;
	FILE *to;

	if (runner->args->json) {
		frame->json = json_new();
		json_put(frame->json, "window", header_json(runner));
		json_flag(frame->json, "stopped", runner->stopped);
		return 0;
	}
	to = open_memstream(&frame->header, &size);
	if (to) {
		header_print(runner, 0, to);
		if (modes_total(mode_ns) > 0)
			modes_print(mode_ns, "CPUs: ", ", ", to);
		if (runner->stopped)
			fputs("LKST is stopped: no events until \"lkst start\"\n", to);
	}
	if (to && !fclose(to))
		return 0;
	lkst_error_memory(err, "the header");
	return -1;
}

/**
 * frame_sort() - sort the tables of a view
 * @frame: frame
 * @view: view
 * @key: key, as in table_sort()
 * @err: set if no table has such a column
 */
int frame_sort(struct top_frame *frame, enum top_view view, const char *key, struct lkst_error *err)
{
	const struct top_view_tables *tables = &top_views[view];
	struct lkst_error other;
	bool sorted = false;

	for (size_t i = 0; i < tables->num; i++)
		/* If the key is wrong, the error lists the columns of the first table. */
		sorted |=
			!table_sort(frame->tables.table[tables->first + i], key, i ? &other : err);
	return sorted ? 0 : -1;
}

/**
 * frame_limit() - limit the rows of all tables
 * @frame: frame
 * @rows: maximum number; 0: all
 */
void frame_limit(struct top_frame *frame, int64_t rows)
{
	for (size_t i = 0; i < frame->tables.num; i++)
		table_limit(frame->tables.table[i], (size_t)rows);
}

/**
 * frame_print_header() - print the header as text
 * @frame: frame
 * @width: maximum width; 0: unlimited
 * @to: output
 */
void frame_print_header(const struct top_frame *frame, unsigned int width, FILE *to)
{
	char line[MISSING_SIZE + 64];

	for (const char *text = frame->header; *text;) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		header_print_wrapped(line, width, to);
		text += len + (text[len] == '\n');
	}
}

/**
 * frame_print_view() - print the tables of a view as text
 * @frame: frame
 * @view: view
 * @width: maximum width, for which columns are left out; 0: unlimited
 * @color: with colours
 * @to: output
 */
void frame_print_view(const struct top_frame *frame, enum top_view view, unsigned int width,
		      bool color, FILE *to)
{
	const struct top_view_tables *tables = &top_views[view];
	bool any = false;

	for (size_t i = 0; i < tables->num; i++) {
		struct table *table = frame->tables.table[tables->first + i];

		/*
		 * If a view has several tables, leave out those without rows, but show at least
		 * one.
		 */
		if (tables->num > 1 && !table_rows(table) && (any || i + 1 < tables->num))
			continue;
		if (any)
			putc('\n', to);
		any = true;
		if (tables->num > 1)
			table_print_title(table, color, to);
		table_print_screen(table, width, color, to);
	}
}

/**
 * frame_print_json() - print a frame as a line of JSON
 * @frame: frame; it can be printed only once
 * @err: set if an allocation fails
 */
int frame_print_json(struct top_frame *frame, struct lkst_error *err)
{
	struct json_object *json = frame->json;

	frame->json = NULL;
	for (size_t i = 0; i < frame->tables.num; i++)
		json_put(json, table_name(frame->tables.table[i]),
			 table_json(frame->tables.table[i]));
	return json_print_line(json, err);
}
