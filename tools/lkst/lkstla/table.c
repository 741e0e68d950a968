// SPDX-License-Identifier: GPL-2.0
/* Tables: the rows, their order, and their output as JSON and CSV. table_text.c prints text. */
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "lib/text/parse.h"
#include "messages.h"
#include "table.h"
#include "table_rows.h"

#define SUBJECT "a table"

/**
 * table_new() - make a table without rows
 * @name: name in JSON, which must outlive the table
 * @title: description of the rows, which is printed if a report has several tables as text. It must
 *	outlive the table
 * @column: columns, see struct column
 * @columns: number of columns, at least 1
 * @err: set if an allocation fails
 */
struct table *table_new(const char *name, const char *title, const struct column *column,
			size_t columns, struct lkst_error *err)
{
	struct table *table = calloc(1, sizeof(*table));
	size_t keys = 0;

	if (!table)
		goto no_memory;
	for (size_t i = 0; i < columns; i++)
		keys += strlen(column[i].head) + 1;
	table->name = name;
	table->title = title;
	table->columns = columns;
	table->column = malloc(columns * sizeof(*column));
	table->layout = calloc(columns, sizeof(*table->layout));
	table->sort_keys = malloc(keys);
	table->scratch = malloc(TABLE_SCRATCH(0));
	if (!table->column || !table->layout || !table->sort_keys || !table->scratch)
		goto no_memory;
	memcpy(table->column, column, columns * sizeof(*column));
	for (size_t i = 0, at = 0; i < columns; i++) {
		strcpy(table->sort_keys + at, column[i].head);
		at += strlen(column[i].head) + 1;
	}
	for (char *p = table->sort_keys; p < table->sort_keys + keys; p++)
		if (*p == ' ')
			*p = '-';
	return table;
no_memory:
	lkst_error_memory(err, SUBJECT);
	table_free(table);
	return NULL;
}

/**
 * table_free() - free a table
 * @table: may be NULL
 */
void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->rows; i++)
		free(table->row[i]);
	free(table->row);
	free(table->total);
	free(table->column);
	free(table->layout);
	free(table->sort_keys);
	free(table->scratch);
	free(table);
}

/*
 * Allocate memory for the output of a string of @len bytes, so that printing needs no allocation.
 */
static int table_reserve_scratch(struct table *table, size_t len)
{
	char *scratch;

	if (len <= table->text_max)
		return 0;
	scratch = realloc(table->scratch, TABLE_SCRATCH(len));
	if (!scratch)
		return -1;
	table->scratch = scratch;
	table->text_max = len;
	return 0;
}

/* Return the string of a cell; NULL if the cell has no string. */
static const char *table_string(const struct column *column, const struct cell *cell)
{
	return table_is_string(column) && !cell->none ? cell->text : NULL;
}

/* Copy the cells of a row and their strings to one block of memory. */
static struct row *table_copy_row(struct table *table, const struct cell *cell)
{
	size_t cells = table->columns * sizeof(*cell), strings = 0, longest = 0;
	struct row *row;
	char *to;

	for (size_t i = 0; i < table->columns; i++) {
		const char *string = table_string(&table->column[i], &cell[i]);
		size_t len = string ? strlen(string) : 0;

		longest = longest < len ? len : longest;
		strings += len + 1;
	}
	if (table_reserve_scratch(table, longest))
		return NULL;
	row = malloc(sizeof(*row) + cells + strings);
	if (!row)
		return NULL;
	memcpy(row->cell, cell, cells);
	to = (char *)row->cell + cells;
	for (size_t i = 0; i < table->columns; i++) {
		const char *string = table_string(&table->column[i], &cell[i]);

		row->cell[i].text = string ? strcpy(to, string) : NULL;
		to += string ? strlen(string) + 1 : 0;
	}
	return row;
}

/**
 * table_add() - append a row
 * @table: table
 * @cell: a cell for each column
 * @err: set if an allocation fails, in which case the table is unchanged
 */
int table_add(struct table *table, const struct cell *cell, struct lkst_error *err)
{
	struct row *row = table_copy_row(table, cell);

	if (row && table->rows == table->room) {
		size_t room = table->room ? 2 * table->room : 64;
		struct row **grown = realloc(table->row, room * sizeof(*grown));

		if (!grown) {
			free(row);
			row = NULL;
		} else {
			table->row = grown;
			table->room = room;
		}
	}
	if (!row) {
		lkst_error_memory(err, SUBJECT);
		return -1;
	}
	table->row[table->rows++] = row;
	return 0;
}

/**
 * table_total() - set the row with the total, which is printed only as text
 * @table: table
 * @cell: a cell for each column
 * @err: set if an allocation fails, in which case the table is unchanged
 */
int table_total(struct table *table, const struct cell *cell, struct lkst_error *err)
{
	struct row *row = table_copy_row(table, cell);

	if (!row) {
		lkst_error_memory(err, SUBJECT);
		return -1;
	}
	free(table->total);
	table->total = row;
	return 0;
}

/**
 * table_name() - get the name that was given to table_new()
 * @table: table
 */
const char *table_name(const struct table *table)
{
	return table->name;
}

/**
 * table_rows() - get the number of rows, including those beyond the limit
 * @table: table
 */
size_t table_rows(const struct table *table)
{
	return table->rows;
}

/**
 * table_limit() - limit the number of rows that are printed
 * @table: table
 * @top: print at most this many rows, from the first one; 0: all
 */
void table_limit(struct table *table, size_t top)
{
	table->top = top;
}

/* ---- sorting ---- */

/**
 * table_columns() - get the number of columns
 * @table: table
 */
size_t table_columns(const struct table *table)
{
	return table->columns;
}

/**
 * table_sort_key() - get the key by which table_sort() finds a column
 * @table: table
 * @column: index of the column
 */
const char *table_sort_key(const struct table *table, size_t column)
{
	const char *key = table->sort_keys;

	while (column--)
		key += strlen(key) + 1;
	return key;
}

static const char *table_sort_key_at(void *ctx, size_t i)
{
	return table_sort_key(ctx, i);
}

static const char *table_key_at(void *ctx, size_t i)
{
	const struct table *table = ctx;

	return table->column[i].key;
}

static void table_unknown_key(struct table *table, const char *key, struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char text[256], all[512] = "";
	size_t n, len = 0;

	for (size_t i = 0; i < table->columns && len < sizeof(all); i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "",
					table_sort_key_at(table, i));
	n = lkst_suggest(key, table_sort_key_at, table, table->columns, suggestions);
	if (!n)
		n = lkst_suggest(key, table_key_at, table, table->columns, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_SORT_KEY, key, text, all);
}

/* Return the index of the column with this key; the number of columns if it is not found. */
static size_t table_find_column(struct table *table, const char *key)
{
	size_t i;

	for (i = 0; i < table->columns; i++)
		if (!strcasecmp(key, table_sort_key_at(table, i)))
			return i;
	for (i = 0; i < table->columns; i++)
		if (!strcasecmp(key, table->column[i].key))
			return i;
	return i;
}

/*
 * Compare two cells. A negative result means that @a comes first. Cells without a value come last.
 */
static int table_compare(const struct column *column, const struct cell *a, const struct cell *b)
{
	bool lacks_a = table_lacks(column, a), lacks_b = table_lacks(column, b);

	if (lacks_a || lacks_b)
		return lacks_a - lacks_b;
	if (table_is_string(column))
		return strcmp(a->text, b->text);
	return table_is_less(column, b, a) ? -1 : table_is_less(column, a, b);
}

struct table_order {
	const struct table *table;
	size_t column;
};

static int table_by_column(const void *pa, const void *pb, void *ctx)
{
	const struct row *a = *(struct row *const *)pa, *b = *(struct row *const *)pb;
	const struct table_order *order = ctx;
	int diff = table_compare(&order->table->column[order->column], &a->cell[order->column],
				 &b->cell[order->column]);

	return diff ? diff : (a->place > b->place) - (a->place < b->place);
}

/**
 * table_sort() - sort the rows by a column
 * @table: table
 * @key: heading of the column with "-" for each space, or its name in JSON, in any case
 * @err: set if there is no such column; the message lists the keys
 *
 * Numbers are sorted in descending and strings in ascending order. Rows with equal values keep
 * their order, and rows without a value come last.
 */
int table_sort(struct table *table, const char *key, struct lkst_error *err)
{
	struct table_order order = { table, table_find_column(table, key) };

	if (order.column == table->columns) {
		table_unknown_key(table, key, err);
		return -1;
	}
	for (size_t i = 0; i < table->rows; i++)
		table->row[i]->place = i;
	if (table->rows)
		qsort_r(table->row, table->rows, sizeof(*table->row), table_by_column, &order);
	return 0;
}

/* ---- CSV and JSON ---- */

static void table_print_plain(const struct table *table, const struct column *column,
			      const struct cell *cell, FILE *to)
{
	if (table_lacks(column, cell))
		return;
	switch (column->kind) {
	case COLUMN_TEXT:
	case COLUMN_STACK:
		*put_csv(table->scratch, cell->text) = 0;
		fputs(table->scratch, to);
		break;
	case COLUMN_COUNT:
		fprintf(to, "%llu", (unsigned long long)cell->number);
		break;
	case COLUMN_PERCENT:
	case COLUMN_RATE:
	case COLUMN_REAL:
		fprintf(to, "%.15g", cell->real); /* as json_real() */
		break;
	default:
		fprintf(to, "%lld", (long long)cell->number);
	}
}

/**
 * table_print_csv() - print a table as CSV (RFC 4180), without the total row
 * @table: table
 * @to: output
 *
 * The first line contains the keys of the columns. Values are not converted to larger units: they
 * are in nanoseconds or bytes, or are shares from 0 to 1.
 */
void table_print_csv(const struct table *table, FILE *to)
{
	for (size_t i = 0; i < table->columns; i++)
		fprintf(to, "%s%s", i ? "," : "", table->column[i].key);
	putc('\n', to);
	for (size_t k = 0; k < table_shown(table); k++) {
		for (size_t i = 0; i < table->columns; i++) {
			if (i)
				putc(',', to);
			table_print_plain(table, &table->column[i], &table->row[k]->cell[i], to);
		}
		putc('\n', to);
	}
}

static void table_put_json(struct json_object *object, const struct column *column,
			   const struct cell *cell)
{
	if (table_lacks(column, cell)) {
		json_put(object, column->key, NULL);
		return;
	}
	switch (column->kind) {
	case COLUMN_TEXT:
	case COLUMN_STACK:
		json_text(object, column->key, cell->text);
		break;
	case COLUMN_COUNT:
		json_uint(object, column->key, (uint64_t)cell->number);
		break;
	case COLUMN_PERCENT:
	case COLUMN_RATE:
	case COLUMN_REAL:
		json_real(object, column->key, cell->real);
		break;
	default:
		json_int(object, column->key, cell->number);
	}
}

/**
 * table_shift_times() - make the times in a table relative to a time other than the epoch
 * @table: table
 * @begin_ns: time to which they become relative
 */
void table_shift_times(struct table *table, int64_t begin_ns)
{
	for (size_t k = 0; k < table->rows; k++)
		for (size_t i = 0; i < table->columns; i++)
			if (table->column[i].kind == COLUMN_TIME)
				table->row[k]->cell[i].number -= begin_ns;
}

/**
 * table_json() - convert a table to JSON, without the total row
 * @table: table
 *
 * Return: an array with an object for each row. Values are not converted, as in CSV. The array
 * refers to the keys of the columns, but not to the table. json_print() reports a failed
 * allocation.
 */
struct json_object *table_json(const struct table *table)
{
	struct json_object *list = json_list();

	for (size_t k = 0; k < table_shown(table); k++) {
		struct json_object *object = json_new();

		for (size_t i = 0; i < table->columns; i++)
			table_put_json(object, &table->column[i], &table->row[k]->cell[i]);
		json_add(list, object);
	}
	return list;
}
