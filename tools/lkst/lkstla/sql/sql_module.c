// SPDX-License-Identifier: GPL-2.0
/*
 * Provides the virtual tables to SQLite. The module has no xCreate, so the tables exist in every
 * database without CREATE.
 *
 * module_best() chooses the conditions that a cursor uses, and describes them in a string. The
 * string has two characters for each condition: the role of the column, and the comparison. SQLite
 * passes this string and the values to module_filter(). SQLite checks the conditions again, because
 * module_best() does not set "omit".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace/trace.h"
#include "sql.h"

/**
 * struct sql_module - what the functions of a virtual table need to know
 * @sql: query
 * @table: description of the table
 * @use: how the query uses the table
 */
struct sql_module {
	struct sql *sql;
	const struct sql_table *table;
	struct sql_use *use;
};

/* A virtual table, as SQLite refers to it */
struct sql_virtual {
	sqlite3_vtab base;
	const struct sql_module *module;
};

static const struct sql_module *module_of(sqlite3_vtab *base)
{
	return ((struct sql_virtual *)base)->module;
}

/* Note the first error of a cursor. Returns an error code for SQLite. */
static int module_fail(struct sql *sql, const struct lkst_error *err)
{
	if (!sql->failed)
		sql->failure = *err;
	sql->failed = true;
	return SQLITE_ERROR;
}

static int module_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
			  sqlite3_vtab **to, char **why)
{
	const struct sql_module *module = aux;
	sqlite3_str *declaration = sqlite3_str_new(db);
	struct sql_virtual *made;
	char *text;
	int ret;

	(void)argc;
	(void)argv;
	for (int i = 0; i < module->table->columns; i++)
		sqlite3_str_appendf(declaration, "%s%s %s", i ? ", " : "CREATE TABLE x(",
				    module->table->column[i].name, module->table->column[i].type);
	sqlite3_str_appendall(declaration, ")");
	text = sqlite3_str_finish(declaration);
	if (!text)
		return SQLITE_NOMEM;
	ret = sqlite3_declare_vtab(db, text);
	sqlite3_free(text);
	if (ret) {
		*why = sqlite3_mprintf("%s", sqlite3_errmsg(db));
		return ret;
	}
	made = sqlite3_malloc(sizeof(*made));
	if (!made)
		return SQLITE_NOMEM;
	*made = (struct sql_virtual){ .module = module };
	*to = &made->base;
	return SQLITE_OK;
}

static int module_disconnect(sqlite3_vtab *base)
{
	sqlite3_free(base);
	return SQLITE_OK;
}

/* ---- conditions ---- */

/* Comparisons in the string from module_best(), which EXPLAIN QUERY PLAN prints. */
static const struct {
	int op;
	char letter;
} comparisons[] = {
	{ SQLITE_INDEX_CONSTRAINT_EQ, '=' }, { SQLITE_INDEX_CONSTRAINT_GT, '>' },
	{ SQLITE_INDEX_CONSTRAINT_GE, 'G' }, { SQLITE_INDEX_CONSTRAINT_LT, '<' },
	{ SQLITE_INDEX_CONSTRAINT_LE, 'L' },
};

#define COMPARISONS (sizeof(comparisons) / sizeof(*comparisons))

/* Return the letter of a comparison; 0 if cursors do not use it. */
static char module_letter(int op)
{
	for (size_t i = 0; i < COMPARISONS; i++)
		if (comparisons[i].op == op)
			return comparisons[i].letter;
	return 0;
}

static int module_op(char letter)
{
	for (size_t i = 0; i < COMPARISONS; i++)
		if (comparisons[i].letter == letter)
			return comparisons[i].op;
	return 0;
}

/*
 * Return how a cursor uses a condition; SQL_PLAIN if the cursor does not use the condition. Cursors
 * compare names of event types byte by byte, so they cannot use conditions with another collation.
 */
static enum sql_role module_role(const struct sql_table *table, sqlite3_index_info *info, int i)
{
	int column = info->aConstraint[i].iColumn, op = info->aConstraint[i].op;
	enum sql_role role = column < 0 ? SQL_PLAIN : table->column[column].role;
	bool is_time = role == SQL_BEGIN || role == SQL_END || role == SQL_TIME;

	if (!info->aConstraint[i].usable || !module_letter(op))
		return SQL_PLAIN;
	if (!is_time && op != SQLITE_INDEX_CONSTRAINT_EQ)
		return SQL_PLAIN;
	if (role == SQL_TYPE && strcmp(sqlite3_vtab_collation(info, i), "BINARY"))
		return SQL_PLAIN;
	return role;
}

/* Estimate the share of the rows that meet a condition. */
static double module_share(enum sql_role role, int op)
{
	if (role == SQL_TYPE || role == SQL_TID || role == SQL_PID)
		return 0.05;
	if (role == SQL_CPU || op == SQLITE_INDEX_CONSTRAINT_EQ)
		return 0.2;
	return 0.5;
}

/*
 * Estimate the work. A scan reads the trace, so SQLite should read a table once rather than once
 * for each row of another table. Only some conditions let the reader skip records, and only in
 * tables of events.
 */
static void module_estimate(const struct sql_module *module, sqlite3_index_info *info, double rows,
			    double read)
{
	double records = module->table->source == SQL_FIXED ?
				 100 :
				 1000 + (double)lkst_trace_records(module->sql->run->trace);

	info->estimatedRows = (sqlite3_int64)(1 + records * rows);
	info->estimatedCost =
		records * (module->table->source == SQL_FROM_EVENTS ? read : 3) + records * rows;
}

static int module_best(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct sql_module *module = module_of(base);
	sqlite3_str *plan = sqlite3_str_new(module->sql->db);
	double rows = 1, read = 1;
	int used = 0;

	for (int i = 0; i < info->nConstraint; i++) {
		enum sql_role role = module_role(module->table, info, i);
		int op = info->aConstraint[i].op;

		if (role == SQL_PLAIN)
			continue;
		/*
		 * Get all values of IN (...) in a single scan. Otherwise, SQLite would scan the
		 * table for each value.
		 */
		if (sqlite3_vtab_in(info, i, -1))
			sqlite3_vtab_in(info, i, 1);
		info->aConstraintUsage[i].argvIndex = ++used;
		sqlite3_str_appendf(plan, "%c%c", 'a' + (int)role, module_letter(op));
		rows *= module_share(role, op);
		if (role == SQL_TIME || role == SQL_CPU)
			read *= module_share(role, op);
	}
	module_estimate(module, info, rows, read);
	info->idxStr = sqlite3_str_finish(plan);
	info->needToFreeIdxStr = info->idxStr != NULL;
	return used && !info->idxStr ? SQLITE_NOMEM : SQLITE_OK;
}

/* ---- cursors ---- */

static int module_open(sqlite3_vtab *base, sqlite3_vtab_cursor **to)
{
	const struct sql_module *module = module_of(base);
	struct sql_cursor *cursor = calloc(1, sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	cursor->sql = module->sql;
	cursor->table = module->table;
	cursor->use = module->use;
	cursor->ended = true;
	*to = &cursor->base;
	return SQLITE_OK;
}

static int module_close(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;

	sql_feed_close(cursor);
	free(cursor);
	return SQLITE_OK;
}

static int module_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc,
			 sqlite3_value **argv)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	struct lkst_error err;

	(void)number;
	sql_feed_close(cursor);
	sql_limits_init(&cursor->limits);
	for (int i = 0; i < argc; i++)
		sql_limits_add(&cursor->limits, cursor->sql->run->types,
			       (enum sql_role)(plan[2 * i] - 'a'), module_op(plan[2 * i + 1]),
			       argv[i]);
	if (!*cursor->sql->unknown)
		snprintf(cursor->sql->unknown, sizeof(cursor->sql->unknown), "%s",
			 cursor->limits.unknown);
	if (!*cursor->sql->compared)
		snprintf(cursor->sql->compared, sizeof(cursor->sql->compared), "%s",
			 cursor->limits.text);
	cursor->rowid = 0;
	return sql_feed_open(cursor, &err) ? module_fail(cursor->sql, &err) : SQLITE_OK;
}

static int module_next(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	struct lkst_error err;

	cursor->rowid++;
	return sql_feed_next(cursor, &err) ? module_fail(cursor->sql, &err) : SQLITE_OK;
}

static int module_eof(sqlite3_vtab_cursor *base)
{
	const struct sql_cursor *cursor = (struct sql_cursor *)base;

	cursor->use->rows += cursor->at < cursor->rows;
	return cursor->at >= cursor->rows;
}

static int module_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
	const struct sql_cursor *cursor = (struct sql_cursor *)base;

	cursor->table->value(cursor, sql_feed_row(cursor), column, to);
	return SQLITE_OK;
}

static int module_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *to)
{
	*to = ((struct sql_cursor *)base)->rowid;
	return SQLITE_OK;
}

static const sqlite3_module virtual_tables = {
	.xConnect = module_connect,
	.xBestIndex = module_best,
	.xDisconnect = module_disconnect,
	.xDestroy = module_disconnect,
	.xOpen = module_open,
	.xClose = module_close,
	.xFilter = module_filter,
	.xNext = module_next,
	.xEof = module_eof,
	.xColumn = module_column,
	.xRowid = module_rowid,
};

/**
 * sql_module_register() - register a virtual table with the database of a query
 * @sql: query
 * @table: table, an element of sql_tables[]
 *
 * Return: an error code of SQLite.
 */
int sql_module_register(struct sql *sql, const struct sql_table *table)
{
	struct sql_module *module = malloc(sizeof(*module));
	size_t i = 0;

	if (!module)
		return SQLITE_NOMEM;
	while (sql_tables[i] != table)
		i++;
	*module = (struct sql_module){ sql, table, &sql->use[i] };
	/* SQLite frees the module, even if the registration fails. */
	return sqlite3_create_module_v2(sql->db, table->name, &virtual_tables, module, free);
}
