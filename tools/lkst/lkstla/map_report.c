// SPDX-License-Identifier: GPL-2.0
/*
 * Draws the map of lkstla map, with a time scale above the map and a legend of its letters below
 * it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/timestamp.h"
#include "map.h"
#include "tally.h"
#include "value.h"

#define MAP_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define MAP_OTHER   '*'
#define MAP_STEP    20 /* distance between two time labels of the scale, in columns */

static const struct column legend_columns[] = {
	{ "letter", "letter", COLUMN_TEXT },
	{ "what", "what", COLUMN_TEXT },
	{ "total ms", "total_ns", COLUMN_MS },
	{ "share %", "share", COLUMN_PERCENT },
};

static const struct column cpu_columns[] = {
	{ "cpu", "cpu", COLUMN_NUMBER },  { "begin", "begin_ns", COLUMN_TIME },
	{ "end", "end_ns", COLUMN_TIME }, { "letter", "letter", COLUMN_TEXT },
	{ "what", "what", COLUMN_TEXT },  { "share %", "share", COLUMN_PERCENT },
};

static const struct column thread_columns[] = {
	{ "thread", "thread", COLUMN_TEXT }, { "begin", "begin_ns", COLUMN_TIME },
	{ "end", "end_ns", COLUMN_TIME },    { "letter", "letter", COLUMN_TEXT },
	{ "what", "what", COLUMN_TEXT },     { "share %", "share", COLUMN_PERCENT },
};

#define COLUMNS(column) column, sizeof(column) / sizeof(*(column))

/* ---- letters ---- */

static int map_thread_order(const void *pa, const void *pb)
{
	const struct map_thread *a = *(const struct map_thread *const *)pa;
	const struct map_thread *b = *(const struct map_thread *const *)pb;

	if (a->run_ns != b->run_ns)
		return a->run_ns > b->run_ns ? -1 : 1;
	return (a->thread->index > b->thread->index) - (a->thread->index < b->thread->index);
}

/*
 * Give letters to the threads in the map that ran longest. Returns the threads with letters;
 * the caller must free the array.
 */
static struct map_thread **map_letters(const struct map *map, size_t *num)
{
	struct map_thread **shown = calloc(map->threads + 1, sizeof(*shown));
	size_t max = strlen(MAP_LETTERS);

	*num = 0;
	if (!shown)
		return NULL;
	for (size_t i = 0; i < map->threads; i++)
		if (map->thread[i].shown)
			shown[(*num)++] = &map->thread[i];
	qsort(shown, *num, sizeof(*shown), map_thread_order);
	if (map->run->args->top > 0 && (uint64_t)map->run->args->top < max)
		max = (size_t)map->run->args->top;
	if (*num > max)
		*num = max;
	for (size_t i = 0; i < *num; i++)
		shown[i]->letter = MAP_LETTERS[i];
	return shown;
}

static char map_letter(const struct map *map, uint32_t what)
{
	if (what >= MAP_WAITS)
		return "-.! ?"[what - MAP_WAITS];
	return map->thread[what].letter ? map->thread[what].letter : MAP_OTHER;
}

static const char *map_kind_name(const struct map *map, uint32_t what)
{
	switch (what) {
	case MAP_WAITS:
		return "waiting for a CPU";
	case MAP_RESTS:
		return map->by_thread ? "sleeping" : "idle";
	case MAP_IRQ:
		return "interrupts and softirqs";
	case MAP_NOT_YET:
		return "not started, not yet selected, or ended";
	default:
		return "unknown";
	}
}

/* ---- the list of letters ---- */

static int legend_add(struct table *table, char letter, const char *what, int64_t ns, double all_ns,
		      struct lkst_error *err)
{
	const char text[] = { letter, 0 };

	return table_add(table,
			 (struct cell[]){ CELL_TEXT(text), CELL_TEXT(what), CELL(ns),
					  CELL_REAL((double)ns / all_ns) },
			 err);
}

static int legend_threads(const struct map *map, struct table *table,
			  struct map_thread *const *shown, size_t num, double all_ns,
			  struct lkst_error *err)
{
	int64_t other_ns = 0;
	char name[40];

	for (size_t i = 0; i < num; i++)
		if (legend_add(table, shown[i]->letter,
			       run_thread_name(map->run, shown[i]->thread, name), shown[i]->run_ns,
			       all_ns, err))
			return -1;
	for (size_t i = 0; i < map->threads; i++)
		if (!map->thread[i].letter)
			other_ns = tally_sum(other_ns, map->thread[i].run_ns);
	return other_ns ? legend_add(table, MAP_OTHER, "other threads", other_ns, all_ns, err) : 0;
}

/* Return the total time of all rows. */
static double map_all_ns(const struct map *map)
{
	double length = (double)tally_length(map->run->begin_ns, map->run->end_ns), all = 0;

	for (size_t i = 0; i < map->rows; i++)
		all += map->row[i].cell ? length : 0;
	return all;
}

/* Make the list of letters. Its times add up to the total time of all rows. */
static struct table *legend_new(const struct map *map, struct map_thread *const *shown, size_t num,
				struct lkst_error *err)
{
	struct table *table =
		table_new("letters", "What the letters mean", COLUMNS(legend_columns), err);
	double all_ns = map_all_ns(map);

	if (!table || legend_threads(map, table, shown, num, all_ns, err))
		goto fail;
	for (uint32_t kind = 0; kind < MAP_KINDS; kind++)
		if (map->kind_ns[kind] && legend_add(table, map_letter(map, MAP_WAITS + kind),
						     map_kind_name(map, MAP_WAITS + kind),
						     map->kind_ns[kind], all_ns, err))
			goto fail;
	return table;
fail:
	table_free(table);
	return NULL;
}

/* ---- text ---- */

/* Format a duration with a suitable unit. */
static void map_span_text(int64_t ns, char text[40])
{
	if (ns >= 10000000000)
		snprintf(text, 40, "%.1f s", (double)ns / 1e9);
	else if (ns >= 1000000000)
		snprintf(text, 40, "%.3f s", (double)ns / 1e9);
	else if (ns >= 10000000)
		snprintf(text, 40, "%.1f ms", (double)ns / 1e6);
	else
		snprintf(text, 40, "%.1f us", (double)ns / 1e3);
}

/*
 * Print the time of day at the start of the window and, every MAP_STEP columns, the time since the
 * start.
 */
static void map_print_scale(const struct map *map, int label, FILE *to)
{
	char time[LKST_TIMESTAMP_SIZE], text[40];
	int at;

	lkst_timestamp_text(map->run->begin_ns, time);
	at = fprintf(to, "%*s|%s", label, "", time) - label;
	for (uint32_t column = MAP_STEP; column < map->columns; column += MAP_STEP) {
		int64_t ns = tally_length(map->run->begin_ns, map_column_ns(map, column));

		map_span_text(ns, text);
		if (at >= (int)column || column + strlen(text) + 2 > map->columns)
			continue;
		at += fprintf(to, "%*s|+%s", (int)column - at, "", text);
	}
	putc('\n', to);
}

static void map_print_row(const struct map *map, size_t i, int label, FILE *to)
{
	const struct map_row *row = &map->row[i];
	char name[40], printable[4 * sizeof(name)];

	if (map->by_thread)
		run_thread_name(map->run, row->thread, name);
	else
		snprintf(name, sizeof(name), "CPU %zu", i);
	lkst_printable(name, strlen(name), printable, sizeof(printable));
	fprintf(to, "%-*s ", label - 1, printable);
	for (uint32_t column = 0; column < map->columns; column++)
		putc(map_letter(map, row->cell[column].what), to);
	putc('\n', to);
}

static void map_print(const struct map *map, const struct table *legend, FILE *to)
{
	int label = map->by_thread ? MAP_LABEL_THREAD : MAP_LABEL_CPU;
	char text[40];

	map_print_scale(map, label, to);
	for (size_t i = 0; i < map->rows; i++)
		if (map->row[i].cell)
			map_print_row(map, i, label, to);
	map_span_text(tally_length(map->run->begin_ns, map_column_ns(map, 1)), text);
	fprintf(to, "\nEach column is %s, and shows what took most of it.\n\n", text);
	table_print_text(legend, 0, false, to);
}

static int map_report_text(const struct map *map, const struct table *legend, struct tables *to,
			   struct lkst_error *err)
{
	size_t size;
	FILE *file = open_memstream(&to->text, &size);
	bool failed;

	if (!file) {
		lkst_error_memory(err, "map");
		return -1;
	}
	map_print(map, legend, file);
	failed = ferror(file);
	if (fclose(file) || failed) {
		lkst_error_memory(err, "map");
		return -1;
	}
	return 0;
}

/* ---- JSON and CSV ---- */

static int cells_add(const struct map *map, struct table *table, size_t i, struct lkst_error *err)
{
	const struct map_row *row = &map->row[i];
	char label[40], name[40];

	for (uint32_t column = 0; column < map->columns; column++) {
		uint32_t what = row->cell[column].what;
		const char letter[] = { map_letter(map, what), 0 };
		const struct cell cell[] = {
			map->by_thread ? CELL_TEXT(run_thread_name(map->run, row->thread, label)) :
					 CELL(i),
			CELL(map_column_ns(map, column)),
			CELL(map_column_ns(map, column + 1)),
			CELL_TEXT(letter),
			CELL_TEXT(
				what < MAP_WAITS ?
					run_thread_name(map->run, map->thread[what].thread, name) :
					map_kind_name(map, what)),
			CELL_REAL(row->cell[column].ppm / 1e6),
		};

		if (table_add(table, cell, err))
			return -1;
	}
	return 0;
}

static int map_report_cells(const struct map *map, struct tables *to, struct lkst_error *err)
{
	struct table *table =
		map->by_thread ?
			value_table(to, "map", "Cells of the map", COLUMNS(thread_columns), err) :
			value_table(to, "map", "Cells of the map", COLUMNS(cpu_columns), err);
	int ret = table ? 0 : -1;

	for (size_t i = 0; i < map->rows && !ret; i++)
		if (map->row[i].cell)
			ret = cells_add(map, table, i, err);
	return ret;
}

/**
 * map_report() - make the map, or its cells as a table
 * @ctx: struct map, of which all columns are finished
 * @run: run
 * @to: receives the map
 * @err: set if an allocation failed
 */
int map_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	const struct map *map = ctx;
	struct table *legend = NULL;
	struct map_thread **shown;
	size_t num;
	int ret = -1;

	shown = map_letters(map, &num);
	if (!shown)
		lkst_error_memory(err, "map");
	else
		legend = legend_new(map, shown, num, err);
	free(shown);
	if (!legend)
		return -1;
	if (!run->args->json && !run->args->csv) {
		ret = map_report_text(map, legend, to, err);
		table_free(legend);
		return ret;
	}
	ret = map_report_cells(map, to, err);
	to->table[to->num++] = legend;
	return ret;
}
