/* SPDX-License-Identifier: GPL-2.0 */
/* How a table stores its rows: shared by table.c and table_text.c. */
#ifndef _LKSTLA_TABLE_ROWS_H
#define _LKSTLA_TABLE_ROWS_H

#include <math.h>

#include "table.h"

/*
 * Bytes that are sufficient for a number, or for a string of @len bytes, escaped as text or quoted
 * as CSV
 */
#define TABLE_SCRATCH(len)	(4 * (len) + 64)

/**
 * struct row - a row
 * @place: position before the rows were sorted
 * @cell: a cell for each column; strings follow in the same block of memory
 */
struct row {
	size_t place;
	struct cell cell[];
};

/**
 * struct column_layout - how the text shows a column
 * @width: width in characters
 * @max: cell with the maximum, which is highlighted; NULL: none
 * @dropped: the column is left out, because it and all later ones do not fit
 */
struct column_layout {
	size_t width;
	const struct cell *max;
	bool dropped;
};

/**
 * struct table - a table
 * @name: name in JSON
 * @title: title in text
 * @column: columns
 * @layout: for each column, memory for table_print_text()
 * @columns: number of columns
 * @sort_keys: the keys of the columns for table_sort(), each terminated by a NUL
 * @row: rows
 * @rows: number of rows
 * @room: number of rows that fit into @row
 * @total: total row; NULL: none
 * @top: number of rows to print; 0: all
 * @text_max: length of the longest string, in bytes
 * @scratch: TABLE_SCRATCH(@text_max) bytes, to format a cell without an allocation
 */
struct table {
	const char *name;
	const char *title;
	struct column *column;
	struct column_layout *layout;
	size_t columns;
	char *sort_keys;
	struct row **row;
	size_t rows;
	size_t room;
	struct row *total;
	size_t top;
	size_t text_max;
	char *scratch;
};

static inline size_t table_shown(const struct table *table)
{
	return table->top && table->top < table->rows ? table->top : table->rows;
}

static inline bool table_is_string(const struct column *column)
{
	return column->kind == COLUMN_TEXT || column->kind == COLUMN_STACK;
}

static inline bool table_is_real(const struct column *column)
{
	return column->kind == COLUMN_PERCENT || column->kind == COLUMN_RATE ||
	       column->kind == COLUMN_REAL;
}

/* Return whether a cell has no value. An infinite number or NaN does not count as a value. */
static inline bool table_lacks(const struct column *column, const struct cell *cell)
{
	return cell->none || (table_is_string(column) && !cell->text) ||
	       (table_is_real(column) && !isfinite(cell->real));
}

/* Compare two numbers. */
static inline bool table_is_less(const struct column *column, const struct cell *a,
				 const struct cell *b)
{
	if (table_is_real(column))
		return a->real < b->real;
	if (column->kind == COLUMN_COUNT)
		return (uint64_t)a->number < (uint64_t)b->number;
	return a->number < b->number;
}

#endif
