// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla map: what each CPU or thread did in the period that each column covers. The spans of a
 * row arrive in order of time, so a row stores a cell for each column, and details only for the
 * current column.
 */
#include <stdlib.h>

#include "cli/command.h"
#include "lib/base/error.h"
#include "map.h"
#include "messages.h"
#include "tally.h"

#define MAP_WIDTH_MIN	  40
#define MAP_WIDTH_MAX	  1000
#define MAP_WIDTH_DEFAULT 80
#define MAP_CPUS_MAX	  8192

/*
 * Damaged input can contain any number of threads in a column. If there are more than this, the
 * time of the others counts as unknown.
 */
#define MAP_PARTS_MAX (1u << 16)

static const struct option_row map_rows[] = {
	OPT_NUMBER(0, "width", "NUMBER", struct map_arguments, width, MAP_WIDTH_MIN, MAP_WIDTH_MAX,
		   "width", "width of the map, instead of that of the terminal"),
};

/* Determine what took most of the current column, and begin the next column. */
static void map_finish(struct map *map, struct map_row *row)
{
	int64_t begin_ns = map_column_ns(map, row->column);
	int64_t length_ns = tally_length(begin_ns, map_column_ns(map, row->column + 1));
	int64_t unknown_ns = length_ns, most_ns = 0;
	uint32_t what = MAP_UNKNOWN;
	const struct map_part *part;
	size_t at = 0;

	while ((part = hash_next(&row->parts, &at)) != NULL) {
		unknown_ns -= part->ns;
		if (part->ns > most_ns || (part->ns == most_ns && part->head.key[0] < what)) {
			most_ns = part->ns;
			what = (uint32_t)part->head.key[0];
		}
	}
	map->kind_ns[MAP_UNKNOWN - MAP_WAITS] =
		tally_sum(map->kind_ns[MAP_UNKNOWN - MAP_WAITS], unknown_ns);
	if (unknown_ns > most_ns) {
		most_ns = unknown_ns;
		what = MAP_UNKNOWN;
	}
	row->cell[row->column].what = what;
	row->cell[row->column].ppm = (uint32_t)((double)most_ns / (double)length_ns * 1e6 + 0.5);
	if (what < map->threads)
		map->thread[what].shown = true;
	hash_clear(&row->parts);
	row->column++;
}

/* Finish the columns that end at or before a time. */
static void map_advance(struct map *map, struct map_row *row, int64_t to_ns)
{
	while (row->column < map->columns && map_column_ns(map, row->column + 1) <= to_ns)
		map_finish(map, row);
	row->at_ns = to_ns;
}

static void map_add_part(struct map *map, struct map_row *row, uint32_t what, int64_t ns)
{
	const uint64_t key[HASH_WORDS] = { what };
	struct map_part *part;

	if (hash_add(&row->parts, key, &part) == HASH_NO_MEMORY)
		run_out_of_memory(map->run);
	if (part)
		part->ns += ns;
}

/*
 * Add the part of a span that is after the previous span of the row. Returns the length of that
 * part.
 */
static int64_t map_add(struct map *map, struct map_row *row, uint32_t what, int64_t begin_ns,
		       int64_t end_ns)
{
	int64_t total_ns, until_ns;

	begin_ns = begin_ns > row->at_ns ? begin_ns : row->at_ns;
	end_ns = end_ns < map->run->end_ns ? end_ns : map->run->end_ns;
	if (begin_ns >= end_ns)
		return 0;
	total_ns = tally_length(begin_ns, end_ns);
	map_advance(map, row, begin_ns);
	while (begin_ns < end_ns) {
		until_ns = map_column_ns(map, row->column + 1);
		until_ns = until_ns < end_ns ? until_ns : end_ns;
		map_add_part(map, row, what, tally_length(begin_ns, until_ns));
		map_advance(map, row, until_ns);
		begin_ns = until_ns;
	}
	return total_ns;
}

/* Find or add a row. Returns NULL if an allocation failed. */
static struct map_row *map_row(struct map *map, size_t index)
{
	struct map_row *row = tally_cover(map->row, &map->rows, index, sizeof(*row));

	if (!row)
		goto no_memory;
	map->row = row;
	row += index;
	if (row->cell)
		return row;
	row->cell = calloc(map->columns, sizeof(*row->cell));
	if (!row->cell)
		goto no_memory;
	row->parts = (struct hash){ .size = sizeof(struct map_part), .max = MAP_PARTS_MAX };
	row->at_ns = map->run->begin_ns;
	return row;
no_memory:
	run_out_of_memory(map->run);
	return NULL;
}

/*
 * Find or add the row of a thread. Returns NULL if the thread is not selected, or if an allocation
 * failed. Once selected, a thread stays in the map even if its name changes. @begin_ns is the start
 * of its current span.
 */
static struct map_row *map_thread_row(struct map *map, const struct lkst_thread *thread,
				      int64_t begin_ns)
{
	struct map_row *row;
	int64_t ns;

	if (!thread)
		return NULL;
	if (thread->index < map->rows && map->row[thread->index].thread)
		return &map->row[thread->index];
	row = run_selects(map->run, thread) ? map_row(map, thread->index) : NULL;
	if (!row)
		return NULL;
	row->thread = thread;
	ns = map_add(map, row, MAP_NOT_YET, thread->created ? map->run->begin_ns : thread->first_ns,
		     begin_ns);
	map->kind_ns[MAP_NOT_YET - MAP_WAITS] =
		tally_sum(map->kind_ns[MAP_NOT_YET - MAP_WAITS], ns);
	return row;
}

static void map_count_run(struct map *map, const struct lkst_thread *thread, int64_t ns)
{
	struct map_thread *to = tally_cover(map->thread, &map->threads, thread->index, sizeof(*to));

	if (!to) {
		run_out_of_memory(map->run);
		return;
	}
	map->thread = to;
	to += thread->index;
	to->thread = thread;
	to->run_ns = tally_sum(to->run_ns, ns);
}

static uint32_t map_what(const struct lkst_cpu_span *span)
{
	switch (span->mode) {
	case LKST_MODE_IDLE:
		return MAP_RESTS;
	case LKST_MODE_SOFTIRQ:
	case LKST_MODE_HARDIRQ:
		return MAP_IRQ;
	default:
		return span->thread ? span->thread->index : MAP_UNKNOWN;
	}
}

static void map_count(struct map *map, struct map_row *row, uint32_t what, int64_t begin_ns,
		      int64_t end_ns)
{
	int64_t *kind_ns = &map->kind_ns[what - MAP_WAITS];

	*kind_ns = tally_sum(*kind_ns, map_add(map, row, what, begin_ns, end_ns));
}

static void map_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct map *map = ctx;
	uint32_t what = map_what(span);
	struct map_row *row;

	if (!run_selects_cpu(map->run, span->cpu) || span->cpu < 0 || span->cpu >= MAP_CPUS_MAX)
		return;
	row = map->by_thread ? map_thread_row(map, span->thread, span->begin_ns) :
			       map_row(map, (size_t)span->cpu);
	if (!row || what == MAP_UNKNOWN)
		return;
	if (what >= MAP_WAITS) {
		map_count(map, row, what, span->begin_ns, span->end_ns);
		return;
	}
	/*
	 * Add the thread to the array first: map_add() may finish a column, which refers to the
	 * thread.
	 */
	map_count_run(map, span->thread, 0);
	map_count_run(map, span->thread, map_add(map, row, what, span->begin_ns, span->end_ns));
}

/* With -p: add what threads did when they did not run. */
static void map_span(void *ctx, const struct lkst_thread_span *span)
{
	struct map *map = ctx;
	struct map_row *row;

	if (!map->by_thread)
		return;
	row = map_thread_row(map, span->thread, span->begin_ns);
	if (!row)
		return;
	if (span->state == LKST_STATE_RUNNABLE)
		map_count(map, row, MAP_WAITS, span->begin_ns, span->end_ns);
	else if (span->state == LKST_STATE_BLOCKED)
		map_count(map, row, MAP_RESTS, span->begin_ns, span->end_ns);
	if (span->end == LKST_END_EXIT)
		map_count(map, row, MAP_NOT_YET, span->end_ns, map->run->end_ns);
}

/* Finish all columns. */
static void map_complete(struct map *map)
{
	for (size_t i = 0; i < map->rows; i++)
		if (map->row[i].cell)
			map_advance(map, &map->row[i], map->run->end_ns);
}

static int map_end(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	map_complete(ctx);
	return map_report(ctx, run, to, err);
}

static void *map_start(const struct run *run, struct lkst_error *err)
{
	const struct map_arguments *own = run->own;
	uint64_t length = (uint64_t)run->end_ns - (uint64_t)run->begin_ns;
	int64_t width = own->width ? own->width : (int64_t)terminal_width();
	struct map *map;

	if (run->args->processes.num && run->args->cpu >= 0) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_MAP_CPU);
		return NULL;
	}
	map = calloc(1, sizeof(*map));
	if (!map) {
		lkst_error_memory(err, "map");
		return NULL;
	}
	map->run = run;
	map->by_thread = run->args->processes.num;
	width = width ? width : MAP_WIDTH_DEFAULT;
	width = width < MAP_WIDTH_MAX ? width : MAP_WIDTH_MAX;
	width -= map->by_thread ? MAP_LABEL_THREAD : MAP_LABEL_CPU;
	map->columns = width > 1 ? (uint32_t)width : 1;
	if (length < map->columns)
		map->columns = length ? (uint32_t)length : 1;
	return map;
}

static void map_free(void *ctx)
{
	struct map *map = ctx;

	for (size_t i = 0; i < map->rows; i++) {
		free(map->row[i].cell);
		hash_free(&map->row[i].parts);
	}
	free(map->row);
	free(map->thread);
	free(map);
}

static const char *const map_needs[] = { "PROCESS_CONTEXTSWITCH", NULL };
static const char *const map_helps[] = {
	"INT_HARDWARE_ENTRY", "INT_HARDWARE_EXIT",
	"INT_TIMER_ENTRY",    "INT_TIMER_EXIT",
	"INT_SOFTIRQ_ENTRY",  "INT_SOFTIRQ_EXIT",
	"INT_IPI_ENTRY",      "INT_IPI_EXIT",
	"PROCESS_STATE",      NULL,
};

const struct analysis analysis_map = {
	.name = "map",
	.summary = "what each CPU did: in sum, and as a map over time",
	.about =
		"A row for each CPU, and a column for each part of the window. A letter is a\n"
		"thread that took most of this part, \".\" an idle CPU, \"!\" interrupts, and \"?\"\n"
		"unknown. The list below the map explains the letters; --top limits their number.\n"
		"With -p, the rows are threads: a letter shows that the thread ran, \"-\" that it\n"
		"waited for a CPU, and \".\" that it slept.\n",
	.refuses = {
		[ANALYSIS_OVER] = "the map shows all of the window",
		[ANALYSIS_SORT] = "the columns of the map are in order of time",
	},
	.row = map_rows,
	.rows = sizeof(map_rows) / sizeof(*map_rows),
	.own_size = sizeof(struct map_arguments),
	.needs = map_needs,
	.helps = map_helps,
	.ops = { .cpu = map_cpu, .thread = map_span },
	.start = map_start,
	.report = map_end,
	.free = map_free,
};
