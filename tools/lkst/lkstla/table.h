/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of results, printed as text, JSON or CSV. An analysis describes its columns and adds rows.
 * The description is sufficient for sorting, limiting and printing the table.
 */
#ifndef _LKSTLA_TABLE_H
#define _LKSTLA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/lkst.h"

struct json_object;

/**
 * enum column_kind - type and unit of the values of a column
 * @COLUMN_TEXT: string, aligned to the left
 * @COLUMN_STACK: string of functions with "<-" between them; only the first ones are printed as
 *	text
 * @COLUMN_COUNT: integer from 0 to 2^64 - 1
 * @COLUMN_NUMBER: integer, which may be negative
 * @COLUMN_US: nanoseconds, shown as microseconds with one decimal
 * @COLUMN_MS: nanoseconds, shown as milliseconds with two decimals
 * @COLUMN_TIME: nanoseconds since the epoch, shown as a time of day in a form that --since accepts
 * @COLUMN_PERCENT: share from 0 to 1, shown in percent with one decimal
 * @COLUMN_RATE: number with one decimal
 * @COLUMN_REAL: number with up to 15 significant digits
 * @COLUMN_BYTES: bytes, shown with K, M or G
 *
 * JSON and CSV contain the value without conversion: nanoseconds, bytes, a share from 0 to 1.
 */
enum column_kind {
	COLUMN_TEXT,
	COLUMN_STACK,
	COLUMN_COUNT,
	COLUMN_NUMBER,
	COLUMN_US,
	COLUMN_MS,
	COLUMN_TIME,
	COLUMN_PERCENT,
	COLUMN_RATE,
	COLUMN_REAL,
	COLUMN_BYTES,
};

/**
 * struct column - a column of a table
 * @head: heading, with the unit: "max us". The key for --sort is the heading with "-" for each
 *	space
 * @key: name in JSON and CSV, with the unit of the unconverted value: "max_ns"
 * @kind: type and unit
 *
 * The table copies the structure but not the strings, which must outlive the table and its JSON.
 */
struct column {
	const char *head;
	const char *key;
	enum column_kind kind;
};

/**
 * struct cell - a value
 * @text: COLUMN_TEXT, COLUMN_STACK: string, which the table copies when the row is added; NULL: no
 *	value
 * @number: value of all other kinds except PERCENT, RATE and REAL
 * @real: COLUMN_PERCENT, COLUMN_RATE and COLUMN_REAL: value
 * @none: the cell has no value: "-" in text, null in JSON, empty in CSV
 */
struct cell {
	const char *text;
	int64_t number;
	double real;
	bool none;
};

#define CELL_TEXT(t)	((struct cell){ .text = (t) })
#define CELL(n)		((struct cell){ .number = (int64_t)(n) })
#define CELL_REAL(r)	((struct cell){ .real = (r) })
#define CELL_NONE	((struct cell){ .none = true })

enum table_form {
	TABLE_TEXT,
	TABLE_JSON,
	TABLE_CSV,
};

struct table;

struct table *table_new(const char *name, const char *title, const struct column *column,
			size_t columns, struct lkst_error *err);
void table_free(struct table *table);
int table_add(struct table *table, const struct cell *cell, struct lkst_error *err);
const char *table_name(const struct table *table);
size_t table_rows(const struct table *table);
size_t table_columns(const struct table *table);
const char *table_sort_key(const struct table *table, size_t column);
int table_sort(struct table *table, const char *key, struct lkst_error *err);
void table_limit(struct table *table, size_t top);
int table_total(struct table *table, const struct cell *cell, struct lkst_error *err);
void table_print_title(const struct table *table, bool color, FILE *to);
void table_print_text(const struct table *table, unsigned int width, bool color, FILE *to);
void table_print_screen(const struct table *table, unsigned int width, bool color, FILE *to);
void table_print_csv(const struct table *table, FILE *to);
void table_shift_times(struct table *table, int64_t begin_ns);
struct json_object *table_json(const struct table *table);

#endif
