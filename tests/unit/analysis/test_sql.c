// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of lkstla sql that need no trace: the conditions that a cursor uses, the temporary files,
 * and the functions. tests/host/lkstla_sql.t tests queries.
 */
#include <time.h>

#include "lkstla/sql/sql.h"
#include "tap.h"

/* Replaces the function that looks up threads in the model of a run. */
const struct lkst_thread *sql_known(const struct sql_cursor *cursor,
				    const struct lkst_thread *thread)
{
	(void)cursor;
	return thread;
}

void sql_put_text(sqlite3_context *to, const char *text)
{
	if (text)
		sqlite3_result_text(to, text, -1, SQLITE_TRANSIENT);
}

static struct sql_cursor *cursor;
static struct lkst_etypes *types;
static sqlite3 *db;

static void setup(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	cursor = calloc(1, sizeof(*cursor));
	types = lkst_etypes_embedded(&err);
	ck_assert(cursor && types);
	sql_limits_init(&cursor->limits);
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
}

static void teardown(void)
{
	sqlite3_close(db);
	lkst_etypes_free(types);
	free(cursor);
}

TESTS(.setup = setup, .teardown = teardown);

/* ---- conditions ---- */

/* Use a condition whose value is an SQL expression. */
static void add(enum sql_role role, int op, const char *expression)
{
	sqlite3_stmt *statement;
	char query[200];

	snprintf(query, sizeof(query), "SELECT %s", expression);
	ck_assert_int_eq(sqlite3_prepare_v2(db, query, -1, &statement, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
	sql_limits_add(&cursor->limits, types, role, op, sqlite3_column_value(statement, 0));
	sqlite3_finalize(statement);
}

#define EQ SQLITE_INDEX_CONSTRAINT_EQ
#define GT SQLITE_INDEX_CONSTRAINT_GT
#define GE SQLITE_INDEX_CONSTRAINT_GE
#define LT SQLITE_INDEX_CONSTRAINT_LT
#define LE SQLITE_INDEX_CONSTRAINT_LE

static const struct {
	enum sql_role role;
	int op;
	const char *value;
	int64_t begin[2];
	int64_t end[2];
} times[] = {
	{ SQL_BEGIN, GE, "7", { 7, INT64_MAX }, { INT64_MIN, INT64_MAX } },
	{ SQL_BEGIN, LE, "7", { INT64_MIN, 7 }, { INT64_MIN, INT64_MAX } },
	{ SQL_END, EQ, "-7", { INT64_MIN, INT64_MAX }, { -7, -7 } },
	{ SQL_TIME, EQ, "7", { 7, 7 }, { 7, 7 } },
	/* The range includes the limit itself, because SQLite checks the condition again. */
	{ SQL_TIME, GT, "7", { 7, INT64_MAX }, { 7, INT64_MAX } },
	{ SQL_TIME, LT, "7", { INT64_MIN, 7 }, { INT64_MIN, 7 } },
	/* SQLite compares values of other types with its own rules. */
	{ SQL_TIME, GE, "'7'", { INT64_MIN, INT64_MAX }, { INT64_MIN, INT64_MAX } },
	{ SQL_TIME, GE, "7.5", { INT64_MIN, INT64_MAX }, { INT64_MIN, INT64_MAX } },
	{ SQL_TIME, GE, "NULL", { INT64_MIN, INT64_MAX }, { INT64_MIN, INT64_MAX } },
	{ SQL_TIME, GE, "x'07'", { INT64_MIN, INT64_MAX }, { INT64_MIN, INT64_MAX } },
};

TEST_EACH(test_times, times)
{
	add(times[_i].role, times[_i].op, times[_i].value);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(cursor->limits.begin_ns[i], times[_i].begin[i]);
		ck_assert_int_eq(cursor->limits.end_ns[i], times[_i].end[i]);
	}
}

/* Several conditions narrow the range, in any order. */
TEST(test_narrow)
{
	add(SQL_BEGIN, GE, "10");
	add(SQL_BEGIN, GE, "5");
	add(SQL_BEGIN, LE, "20");
	add(SQL_BEGIN, LE, "30");
	add(SQL_END, LT, "40");
	ck_assert(sql_limits_time(&cursor->limits, 10, 40));
	ck_assert(sql_limits_time(&cursor->limits, 20, 20));
	ck_assert(!sql_limits_time(&cursor->limits, 9, 40));
	ck_assert(!sql_limits_time(&cursor->limits, 21, 40));
	ck_assert(!sql_limits_time(&cursor->limits, 20, 41));
}

TEST(test_numbers)
{
	const struct lkst_thread thread = { .tid = 5, .tgid = 4 };

	ck_assert(sql_limits_cpu(&cursor->limits, 3) && sql_limits_thread(cursor, NULL));
	add(SQL_CPU, EQ, "3");
	ck_assert(sql_limits_cpu(&cursor->limits, 3) && !sql_limits_cpu(&cursor->limits, 2));
	ck_assert(!sql_limits_cpu(&cursor->limits, -1));
	add(SQL_TID, EQ, "5");
	ck_assert(sql_limits_thread(cursor, &thread) && !sql_limits_thread(cursor, NULL));
	add(SQL_PID, EQ, "5");
	ck_assert(!sql_limits_thread(cursor, &thread));
	add(SQL_PID, EQ, "4");
	ck_assert(sql_limits_thread(cursor, &thread));
	/* Other conditions than equality with a valid ID are left to SQLite. */
	add(SQL_TID, EQ, "-1");
	add(SQL_TID, EQ, "'6'");
	add(SQL_TID, GT, "6");
	ck_assert(sql_limits_thread(cursor, &thread));
}

TEST(test_types)
{
	int waking = lkst_etypes_find(types, "process_waking", &err);

	ck_assert(!cursor->limits.typed);
	add(SQL_TYPE, EQ, "'process_waking'");
	ck_assert(cursor->limits.typed && cursor->limits.type[waking]);
	ck_assert(!cursor->limits.type[waking - 1]);
	sql_limits_init(&cursor->limits);
	add(SQL_TYPE, EQ, "'PROCESS_WAKING'");
	ck_assert(cursor->limits.typed && !cursor->limits.type[waking]);
	sql_limits_init(&cursor->limits);
	add(SQL_TYPE, EQ, "NULL");
	ck_assert(cursor->limits.typed && !cursor->limits.type[waking]);
}

/* ---- times ---- */

static const struct {
	int64_t ns;
	const char *text;
} moments[] = {
	{ 0, "00:00:00.000000000" },
	{ 1767323045000000001, "03:04:05.000000001" },
	{ -1, "23:59:59.999999999" },
};

TEST_EACH(test_at, moments)
{
	char text[32];

	ck_assert_str_eq(sql_at(moments[_i].ns, text), moments[_i].text);
}

/* Times that no calendar can show must not cause an overflow. */
TEST(test_at_limits)
{
	char text[32];

	ck_assert_uint_eq(strlen(sql_at(INT64_MAX, text)), strlen("00:00:00.000000000"));
	ck_assert_uint_eq(strlen(sql_at(INT64_MIN, text)), strlen("00:00:00.000000000"));
}

/* ---- temporary files ---- */

static int fill(sqlite3 *to, int rows)
{
	char query[200];

	snprintf(query, sizeof(query),
		 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
		 "SELECT count(*) FROM (SELECT DISTINCT i, hex(zeroblob(500)) FROM n)", rows);
	return sqlite3_exec(to, query, NULL, NULL, NULL);
}

TEST(test_space)
{
	const char *name;
	sqlite3 *limited;

	ck_assert_int_eq(sql_space_open(&name, 4 << 20), SQLITE_OK);
	ck_assert_int_eq(sqlite3_open_v2(":memory:", &limited,
					 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name),
			 SQLITE_OK);
	ck_assert_int_eq(fill(limited, 1000), SQLITE_OK);
	ck_assert(!sql_space_full());
	ck_assert_int_eq(fill(limited, 20000), SQLITE_FULL);
	ck_assert(sql_space_full());
	/* The space of the failed query is free again. */
	ck_assert_int_eq(sql_space_open(&name, 100 << 20), SQLITE_OK);
	ck_assert_int_eq(fill(limited, 20000), SQLITE_OK);
	ck_assert(!sql_space_full());
	sqlite3_close(limited);
	/* A file with a name cannot be opened: only temporary files are allowed. */
	ck_assert_int_eq(sqlite3_open_v2("/tmp/lkst-test-sql", &limited,
					 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name),
			 SQLITE_CANTOPEN);
	sqlite3_close(limited);
}
