// SPDX-License-Identifier: GPL-2.0
/*
 * Prepares and runs a query in a database that has only the virtual tables. The query can only read
 * these tables. It cannot open files, change settings or load code.
 */
#include <string.h>

#include "lib/base/error.h"
#include "lkstla/messages.h"
#include "sql.h"

/* Maximum memory of SQLite. If sorting or grouping needs more, it uses temporary files. */
#define QUERY_MEMORY (256 << 20)

/* Limits of SQLite, which are far above what a query about a trace needs */
static const struct {
	int limit;
	int value;
} query_limits[] = {
	{ SQLITE_LIMIT_LENGTH, 16 << 20 },
	{ SQLITE_LIMIT_SQL_LENGTH, 1 << 20 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

/*
 * Allow only reading. When a query first uses a virtual table, SQLite asks for permission to update
 * its own list of tables. That is allowed: SQLite does not let queries change this list.
 */
static int query_authorize(void *ctx, int action, const char *one, const char *two,
			   const char *three, const char *four)
{
	(void)ctx;
	(void)three;
	(void)four;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_UPDATE:
		return strcmp(one, "sqlite_master") ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_FUNCTION:
		return strcasecmp(two, "load_extension") ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

/* Report an error of SQLite that the query did not cause. */
static int query_fail(const struct sql *sql, int code, struct lkst_error *err)
{
	if (sql->failed)
		*err = sql->failure;
	else if (sql_space_full())
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_SPACE);
	else if ((code & 0xff) == SQLITE_NOMEM)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_MEMORY, QUERY_MEMORY >> 20);
	else
		lkst_error_set(err, LKST_ERR_ARGUMENT, "the query: %s", sqlite3_errmsg(sql->db));
	return -1;
}

/* Report an error in the query, with its position if that is known. */
static int query_wrong(const struct sql *sql, int code, struct lkst_error *err)
{
	int offset = sqlite3_error_offset(sql->db), line = 1, column = 1;
	const char *why = sqlite3_errmsg(sql->db);

	if (code == SQLITE_NOMEM || sql->failed)
		return query_fail(sql, code, err);
	if (code == SQLITE_AUTH) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_READ_ONLY);
		return -1;
	}
	if (offset < 0) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_WRONG, why);
		return -1;
	}
	for (int i = 0; i < offset; i++) {
		line += sql->text[i] == '\n';
		/* Count characters: do not count the continuation bytes of UTF-8. */
		column = sql->text[i] == '\n' ? 1 : column + ((sql->text[i] & 0xc0) != 0x80);
	}
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_WRONG_AT, line, column, why);
	return -1;
}

static int query_prepare(struct sql *sql, struct lkst_error *err)
{
	sqlite3_stmt *more = NULL;
	const char *rest;
	int ret = sqlite3_prepare_v2(sql->db, sql->text, -1, &sql->statement, &rest);

	if (ret)
		return query_wrong(sql, ret, err);
	if (!sql->statement) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_EMPTY);
		return -1;
	}
	/* Only blanks and comments may follow. */
	ret = sqlite3_prepare_v2(sql->db, rest, -1, &more, NULL);
	sqlite3_finalize(more);
	if (!ret && !more && sqlite3_column_count(sql->statement) &&
	    sqlite3_stmt_readonly(sql->statement))
		return 0;
	if (!ret && !more)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_READ_ONLY);
	else
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_SECOND);
	return -1;
}

static int query_set_up(struct sql *sql)
{
	int ret = sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);

	for (size_t i = 0; i < sizeof(query_limits) / sizeof(*query_limits); i++)
		sqlite3_limit(sql->db, query_limits[i].limit, query_limits[i].value);
	for (size_t i = 0; !ret && i < sql_tables_num; i++)
		ret = sql_module_register(sql, sql_tables[i]);
	if (!ret)
		ret = sql_functions_register(sql);
	return ret ? ret : sqlite3_set_authorizer(sql->db, query_authorize, NULL);
}

/**
 * sql_query_open() - prepare the query
 * @sql: the query, whose members text and run are set
 * @temporary: limit of the size of all temporary files, in bytes
 * @err: set on failure
 */
int sql_query_open(struct sql *sql, int64_t temporary, struct lkst_error *err)
{
	const char *space;
	int ret;

	sqlite3_hard_heap_limit64(QUERY_MEMORY);
	ret = sql_space_open(&space, temporary);
	if (!ret)
		ret = sqlite3_open_v2(":memory:", &sql->db,
				      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, space);
	if (!ret)
		ret = query_set_up(sql);
	if (ret) {
		lkst_error_set(err, LKST_ERR_SYSTEM, "SQLite: %s", sqlite3_errstr(ret));
		return -1;
	}
	return query_prepare(sql, err);
}

/**
 * sql_query_step() - find the next row of the result
 * @sql: query, prepared
 * @err: set on failure
 *
 * Return: 1 if there is a row; 0 after the last one; -1 on error.
 */
int sql_query_step(struct sql *sql, struct lkst_error *err)
{
	int ret = sqlite3_step(sql->statement);

	if (ret == SQLITE_ROW)
		return 1;
	return ret == SQLITE_DONE ? 0 : query_fail(sql, ret, err);
}

/**
 * sql_query_close() - free the query
 * @sql: query
 */
void sql_query_close(struct sql *sql)
{
	sqlite3_finalize(sql->statement);
	sqlite3_close(sql->db);
	sql->statement = NULL;
	sql->db = NULL;
}
