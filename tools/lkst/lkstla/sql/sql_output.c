// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the rows of a query. CSV and JSON are printed row by row, so a result may be larger than
 * the memory. Text is printed as a table, whose column widths depend on all rows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "lkstla/messages.h"
#include "sql.h"

#define OUTPUT_ROWS_MAX 100000 /* of a table */

/* ---- CSV ---- */

/**
 * struct output_scratch - memory for a string with escapes
 * @text: memory
 * @size: size of @text in bytes
 */
struct output_scratch {
	char *text;
	size_t size;
};

static int output_print_csv_text(struct output_scratch *scratch, const char *text)
{
	size_t size = 2 * strlen(text) + 3 + PUT_SPARE;

	if (size > scratch->size) {
		char *grown = realloc(scratch->text, size);

		if (!grown)
			return -1;
		scratch->text = grown;
		scratch->size = size;
	}
	*put_csv(scratch->text, text) = 0;
	fputs(scratch->text, stdout);
	return 0;
}

/* Return the text of a blob, such as x'00ff'; NULL if an allocation failed. The caller frees it. */
static char *output_blob(sqlite3_stmt *statement, int i)
{
	const unsigned char *from = sqlite3_column_blob(statement, i);
	size_t len = (size_t)sqlite3_column_bytes(statement, i);
	char *text = malloc(2 * len + 4), *p = text;

	if (!text)
		return NULL;
	p = stpcpy(p, "x'");
	for (size_t k = 0; k < len; k++, p += 2)
		snprintf(p, 3, "%02x", from[k]);
	strcpy(p, "'");
	return text;
}

static int output_print_csv_value(sqlite3_stmt *statement, int i, struct output_scratch *scratch)
{
	char *blob;

	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_NULL:
		return 0;
	case SQLITE_INTEGER:
		printf("%lld", (long long)sqlite3_column_int64(statement, i));
		return 0;
	case SQLITE_FLOAT:
		printf("%.15g", sqlite3_column_double(statement, i));
		return 0;
	case SQLITE_BLOB:
		blob = output_blob(statement, i);
		fputs(blob ? blob : "", stdout);
		free(blob);
		return blob ? 0 : -1;
	default:
		return output_print_csv_text(scratch,
					     (const char *)sqlite3_column_text(statement, i));
	}
}

static int output_print_csv_row(sqlite3_stmt *statement, struct output_scratch *scratch)
{
	int ret = 0;

	for (int i = 0; i < sqlite3_column_count(statement) && !ret; i++) {
		if (i)
			putchar(',');
		ret = output_print_csv_value(statement, i, scratch);
	}
	putchar('\n');
	return ret;
}

/**
 * sql_print_csv() - print the result as CSV (RFC 4180), with the names of the columns first
 * @sql: query, prepared
 * @err: set on failure
 */
int sql_print_csv(struct sql *sql, struct lkst_error *err)
{
	struct output_scratch scratch = { 0 };
	int ret = 0, bad = 0;

	for (int i = 0; i < sqlite3_column_count(sql->statement) && !bad; i++) {
		if (i)
			putchar(',');
		bad = output_print_csv_text(&scratch, sqlite3_column_name(sql->statement, i));
	}
	putchar('\n');
	while (!bad && !ferror(stdout) && (ret = sql_query_step(sql, err)) > 0)
		bad = output_print_csv_row(sql->statement, &scratch);
	free(scratch.text);
	if (bad)
		lkst_error_memory(err, "the result");
	return bad || ret < 0 ? -1 : 0;
}

/* ---- JSON ---- */

/* A JSON object cannot have two members with the same name. */
static int output_check_names(const struct sql *sql, struct lkst_error *err)
{
	for (int i = 1; i < sqlite3_column_count(sql->statement); i++)
		for (int k = 0; k < i; k++) {
			const char *name = sqlite3_column_name(sql->statement, i);

			if (strcmp(name, sqlite3_column_name(sql->statement, k)))
				continue;
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_TWICE, name);
			return -1;
		}
	return 0;
}

static int output_add_json(struct json_object *row, sqlite3_stmt *statement, int i)
{
	const char *name = sqlite3_column_name(statement, i);
	char *blob;

	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_NULL:
		json_put(row, name, NULL);
		return 0;
	case SQLITE_INTEGER:
		json_int(row, name, sqlite3_column_int64(statement, i));
		return 0;
	case SQLITE_FLOAT:
		json_real(row, name, sqlite3_column_double(statement, i));
		return 0;
	case SQLITE_BLOB:
		blob = output_blob(statement, i);
		if (blob)
			json_text(row, name, blob);
		free(blob);
		return blob ? 0 : -1;
	default:
		json_text(row, name, (const char *)sqlite3_column_text(statement, i));
		return 0;
	}
}

static int output_print_json_row(sqlite3_stmt *statement, struct lkst_error *err)
{
	struct json_object *row = json_new();
	int ret = 0;

	for (int i = 0; i < sqlite3_column_count(statement) && !ret; i++)
		ret = output_add_json(row, statement, i);
	if (!ret)
		return json_print_line(row, err);
	lkst_error_memory(err, "the result");
	json_free(row);
	return -1;
}

/**
 * sql_print_json() - print the result as JSON: an object with the window and the rows
 * @sql: query, prepared
 * @err: set on failure
 */
int sql_print_json(struct sql *sql, struct lkst_error *err)
{
	bool first = true;
	int ret = 0;

	if (output_check_names(sql, err))
		return -1;
	fputs("{ \"window\": ", stdout);
	if (json_print_line(header_json(runner_of(sql->run)), err))
		return -1;
	fputs(", \"sql\": [\n", stdout);
	while (!ferror(stdout) && (ret = sql_query_step(sql, err)) > 0) {
		if (!first)
			putchar(',');
		first = false;
		if (output_print_json_row(sql->statement, err))
			return -1;
	}
	puts("] }");
	return ret;
}

/* ---- text ---- */

/* The values of a result. The kind of a column is known only when all of its values are known. */
struct output_values {
	size_t rows;
	size_t room;
	struct output_value {
		int type;
		sqlite3_int64 number;
		double real;
		char *text;
	} *value;
	int columns;
};

static int output_keep_text(struct output_value *to, sqlite3_stmt *statement, int i)
{
	if (to->type == SQLITE_BLOB)
		to->text = output_blob(statement, i);
	else
		to->text = strdup((const char *)sqlite3_column_text(statement, i));
	to->type = SQLITE_TEXT;
	return to->text ? 0 : -1;
}

static int output_keep_row(struct output_values *values, sqlite3_stmt *statement)
{
	size_t columns = (size_t)values->columns;

	if (values->rows == values->room) {
		size_t room = values->room ? 2 * values->room : 64;
		struct output_value *grown =
			reallocarray(values->value, room * columns, sizeof(*grown));

		if (!grown)
			return -1;
		values->value = grown;
		values->room = room;
	}
	for (int i = 0; i < values->columns; i++) {
		struct output_value *to = &values->value[values->rows * columns + (size_t)i];

		*to = (struct output_value){ .type = sqlite3_column_type(statement, i) };
		to->number = sqlite3_column_int64(statement, i);
		to->real = sqlite3_column_double(statement, i);
		if ((to->type == SQLITE_TEXT || to->type == SQLITE_BLOB) &&
		    output_keep_text(to, statement, i)) {
			/*
			 * The caller will free the texts of the row, so set the remaining pointers
			 * to NULL.
			 */
			for (int k = i + 1; k < values->columns; k++)
				to[k - i].text = NULL;
			values->rows++;
			return -1;
		}
	}
	values->rows++;
	return 0;
}

static void output_free(struct output_values *values)
{
	for (size_t i = 0; i < values->rows * (size_t)values->columns; i++)
		free(values->value[i].text);
	free(values->value);
}

/*
 * Return the kind of a column. The kind is a number only if at least one value is a number, and all
 * others are numbers or NULL.
 */
static enum column_kind output_kind(const struct output_values *values, int column)
{
	bool any = false, real = false;

	for (size_t i = 0; i < values->rows; i++) {
		int type = values->value[i * (size_t)values->columns + (size_t)column].type;

		if (type == SQLITE_TEXT)
			return COLUMN_TEXT;
		any |= type != SQLITE_NULL;
		real |= type == SQLITE_FLOAT;
	}
	if (real)
		return COLUMN_REAL;
	return any ? COLUMN_NUMBER : COLUMN_TEXT;
}

static struct cell output_cell(const struct output_value *value, enum column_kind kind,
			       char text[32])
{
	if (value->type == SQLITE_NULL)
		return CELL_NONE;
	if (kind == COLUMN_REAL)
		return CELL_REAL(value->real);
	if (kind == COLUMN_NUMBER)
		return CELL(value->number);
	if (value->type == SQLITE_INTEGER)
		snprintf(text, 32, "%lld", (long long)value->number);
	else if (value->type == SQLITE_FLOAT)
		snprintf(text, 32, "%.15g", value->real);
	return CELL_TEXT(value->text ? value->text : text);
}

static int output_add_row(struct table *table, const struct column *column,
			  const struct output_value *value, size_t columns, struct cell *cell,
			  char (*text)[32], struct lkst_error *err)
{
	for (size_t i = 0; i < columns; i++)
		cell[i] = output_cell(&value[i], column[i].kind, text[i]);
	return table_add(table, cell, err);
}

static int output_make_table(const struct sql *sql, const struct output_values *values,
			     struct tables *to, struct lkst_error *err)
{
	size_t columns = (size_t)values->columns;
	struct column *column = calloc(columns, sizeof(*column));
	struct cell *cell = calloc(columns, sizeof(*cell));
	char (*text)[32] = calloc(columns, sizeof(*text));
	struct table *table = NULL;
	int ret = -1;

	if (!column || !cell || !text) {
		lkst_error_memory(err, "the result");
		goto out;
	}
	for (size_t i = 0; i < columns; i++) {
		column[i].head = column[i].key = sqlite3_column_name(sql->statement, (int)i);
		column[i].kind = output_kind(values, (int)i);
	}
	table = table_new("sql", "Result", column, columns, err);
	if (!table)
		goto out;
	to->table[to->num++] = table;
	ret = 0;
	for (size_t i = 0; i < values->rows && !ret; i++)
		ret = output_add_row(table, column, &values->value[i * columns], columns, cell,
				     text, err);
out:
	free(column);
	free(cell);
	free(text);
	return ret;
}

/**
 * sql_print_table() - make a table of the result
 * @sql: query, prepared; the table refers to the names of its columns
 * @to: tables to which it is added
 * @err: set on failure
 */
int sql_print_table(struct sql *sql, struct tables *to, struct lkst_error *err)
{
	struct output_values values = { .columns = sqlite3_column_count(sql->statement) };
	char note[128];
	int ret, bad = 0;

	while ((ret = sql_query_step(sql, err)) > 0) {
		if (values.rows == OUTPUT_ROWS_MAX) {
			snprintf(note, sizeof(note), MSG_SQL_MORE, OUTPUT_ROWS_MAX);
			print_note(note);
			ret = 0;
			break;
		}
		bad = output_keep_row(&values, sql->statement);
		if (bad) {
			lkst_error_memory(err, "the result");
			break;
		}
	}
	if (ret >= 0 && !bad)
		ret = output_make_table(sql, &values, to, err);
	output_free(&values);
	return bad ? -1 : ret;
}
