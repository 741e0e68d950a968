/* SPDX-License-Identifier: GPL-2.0 */
/* The data of lkstla map, which map.c collects and map_report.c shows. */
#ifndef _LKSTLA_MAP_H
#define _LKSTLA_MAP_H

#include "analysis.h"
#include "hash.h"

struct map_arguments {
	int64_t width;
};

/* Width of the label before the first cell */
#define MAP_LABEL_CPU	 9 /* "CPU 8191 " */
#define MAP_LABEL_THREAD 24 /* 15 characters, "-", 7 digits, and a blank */

/* What a CPU or thread did. All other values are the index of the thread that ran. */
#define MAP_WAITS   (UINT32_MAX - 5) /* -p: the thread waited for a CPU */
#define MAP_RESTS   (UINT32_MAX - 4) /* the CPU was idle; -p: the thread slept */
#define MAP_IRQ	    (UINT32_MAX - 3) /* interrupt or softirq */
#define MAP_NOT_YET (UINT32_MAX - 2) /* -p: the thread did not exist, or was not yet selected */
#define MAP_UNKNOWN (UINT32_MAX - 1)
#define MAP_KINDS   5 /* MAP_WAITS to MAP_UNKNOWN */

/**
 * struct map_cell - what took most of a column
 * @what: index of a thread, or MAP_*
 * @ppm: part of the column in millionths
 */
struct map_cell {
	uint32_t what;
	uint32_t ppm;
};

/**
 * struct map_part - time for one activity in the current column of a row
 * @head: key: index of a thread, or MAP_*
 * @ns: time
 */
struct map_part {
	struct hash_head head;
	int64_t ns;
};

/**
 * struct map_row - a CPU or thread
 * @thread: -p: the thread; otherwise NULL
 * @cell: a cell for each column; NULL: the row is not shown
 * @column: current column
 * @at_ns: time up to which @cell and @parts contain everything
 * @parts: table of struct map_part: what the current column consists of so far
 */
struct map_row {
	const struct lkst_thread *thread;
	struct map_cell *cell;
	uint32_t column;
	int64_t at_ns;
	struct hash parts;
};

/**
 * struct map_thread - how long a thread ran
 * @thread: the thread; NULL: no thread with this index ran
 * @run_ns: time in which it ran, without interrupts and softirqs
 * @shown: the thread took most of a column
 * @letter: letter of the thread in the map; 0: none
 */
struct map_thread {
	const struct lkst_thread *thread;
	int64_t run_ns;
	bool shown;
	char letter;
};

/**
 * struct map - what the analysis collects
 * @run: run
 * @by_thread: -p: rows are threads
 * @columns: number of columns, at least 1
 * @row: by number of the CPU, or by index of the thread
 * @rows: size of @row
 * @thread: threads, by index
 * @threads: size of @thread
 * @kind_ns: time for each of MAP_WAITS to MAP_UNKNOWN. For MAP_UNKNOWN, only finished columns are
 *	included
 */
struct map {
	const struct run *run;
	bool by_thread;
	uint32_t columns;
	struct map_row *row;
	size_t rows;
	struct map_thread *thread;
	size_t threads;
	int64_t kind_ns[MAP_KINDS];
};

/*
 * Return the start of a column. If @column is the number of columns, return the end of the last
 * one.
 */
static inline int64_t map_column_ns(const struct map *map, uint32_t column)
{
	uint64_t length = (uint64_t)map->run->end_ns - (uint64_t)map->run->begin_ns;

	return (int64_t)((uint64_t)map->run->begin_ns + length / map->columns * column +
			 length % map->columns * column / map->columns);
}

int map_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err);

#endif
