// SPDX-License-Identifier: GPL-2.0
/* Adds functions to SQLite that queries can call: at() and ns(). */
#include <stdio.h>
#include <time.h>

#include "lib/text/timestamp.h"
#include "lkstla/messages.h"
#include "sql.h"

#define SECOND_NS 1000000000

/**
 * sql_at() - format a time as lkstbuf print does
 * @ns: time
 * @text: result: "HH:MM:SS" with nine decimals, local time
 *
 * Return: @text.
 */
const char *sql_at(int64_t ns, char text[32])
{
	int64_t part = (ns % SECOND_NS + SECOND_NS) % SECOND_NS;
	time_t second = (time_t)(ns / SECOND_NS - (ns % SECOND_NS < 0));
	struct tm tm = { 0 };

	localtime_r(&second, &tm);
	snprintf(text, 32, "%02d:%02d:%02d.%09d", tm.tm_hour % 24, tm.tm_min % 60, tm.tm_sec % 61,
		 (int)part);
	return text;
}

/* at(NS): convert a time in nanoseconds to a time of day. */
static void function_at(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	char text[32];

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	if (sqlite3_value_numeric_type(argv[0]) == SQLITE_TEXT ||
	    sqlite3_value_type(argv[0]) == SQLITE_BLOB) {
		sqlite3_result_error(to, "at() wants a time in nanoseconds, such as time_ns", -1);
		return;
	}
	sql_put_text(to, sql_at(sqlite3_value_int64(argv[0]), text));
}

static void function_refuse(sqlite3_context *to, const char *text)
{
	char why[200];

	snprintf(why, sizeof(why), MSG_SQL_TIME, text);
	sqlite3_result_error(to, why, -1);
}

/* ns(TIME): convert a time, in a form that --since accepts, to nanoseconds. */
static void function_ns(sqlite3_context *to, int argc, sqlite3_value **argv)
{
	const struct sql *sql = sqlite3_user_data(to);
	const char *text = (const char *)sqlite3_value_text(argv[0]);
	struct lkst_timestamp timestamp;
	struct lkst_error err;

	(void)argc;
	if (!text)
		return;
	if (lkst_timestamp_parse("ns()", text, false, &timestamp, &err)) {
		function_refuse(to, text);
		return;
	}
	sqlite3_result_int64(to, lkst_timestamp_resolve(&timestamp, sql->bounds.oldest_ns,
							sql->bounds.newest_ns));
}

/**
 * sql_functions_register() - register the functions with the database of a query
 * @sql: query
 *
 * Return: an error code of SQLite.
 */
int sql_functions_register(struct sql *sql)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
	int ret = sqlite3_create_function(sql->db, "at", 1, flags, sql, function_at, NULL, NULL);

	return ret ? ret :
		     sqlite3_create_function(sql->db, "ns", 1, flags, sql, function_ns, NULL, NULL);
}
