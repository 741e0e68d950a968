// SPDX-License-Identifier: GPL-2.0
/*
 * Collects the conditions of a query that a cursor can use to read less of the trace, and to pass
 * fewer rows to SQLite. SQLite checks all conditions again, so a cursor may ignore a value that it
 * cannot use, but must not leave out a row that meets the conditions.
 */
#include <stdio.h>
#include <string.h>

#include "lib/text/etypes.h"
#include "sql.h"

/**
 * sql_limits_init() - select all rows
 * @limits: result
 */
void sql_limits_init(struct sql_limits *limits)
{
	limits->begin_ns[0] = limits->end_ns[0] = INT64_MIN;
	limits->begin_ns[1] = limits->end_ns[1] = INT64_MAX;
	limits->cpu = limits->tid = limits->pid = -1;
	limits->typed = false;
	limits->unknown[0] = limits->text[0] = 0;
}

/* Limit a range of times to those for which a condition is true. */
static void sql_limits_narrow(int64_t range[2], int op, int64_t value)
{
	bool from = op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_GE ||
		    op == SQLITE_INDEX_CONSTRAINT_GT;
	bool to = op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_LE ||
		  op == SQLITE_INDEX_CONSTRAINT_LT;

	if (from && value > range[0])
		range[0] = value;
	if (to && value < range[1])
		range[1] = value;
}

/*
 * Limit a column to a number. If conditions require two different numbers, only one of them is used
 * here. SQLite then finds that no row meets both conditions.
 */
static void sql_limits_number(int64_t *to, int op, int64_t value)
{
	if (op == SQLITE_INDEX_CONSTRAINT_EQ && value >= 0)
		*to = value;
}

/* Select the event types called @name; none if @name is NULL. */
static void sql_limits_name(struct sql_limits *limits, const struct lkst_etypes *types,
			    const char *name)
{
	bool found = !name;

	for (unsigned int i = 0; name && i < LKST_ETYPE_NUM; i++) {
		if (types->type[i] && !strcmp(types->type[i]->name, name)) {
			limits->type[i] = true;
			found = true;
		}
	}
	if (!found)
		snprintf(limits->unknown, sizeof(limits->unknown), "%s", name);
}

/* Select the event types with any of several names, or with a single name. */
static void sql_limits_types(struct sql_limits *limits, const struct lkst_etypes *types,
			     sqlite3_value *value)
{
	sqlite3_value *name = NULL;
	int more;

	if (limits->typed)
		return;
	limits->typed = true;
	memset(limits->type, 0, sizeof(limits->type));
	if (sqlite3_value_type(value) != SQLITE_NULL) {
		sql_limits_name(limits, types, (const char *)sqlite3_value_text(value));
		return;
	}
	for (more = sqlite3_vtab_in_first(value, &name); more == SQLITE_OK && name;
	     more = sqlite3_vtab_in_next(value, &name))
		sql_limits_name(limits, types, (const char *)sqlite3_value_text(name));
}

/**
 * sql_limits_add() - use a condition
 * @limits: limits
 * @types: event types of the trace
 * @role: role of the column
 * @op: SQLITE_INDEX_CONSTRAINT_*
 * @value: value that the column is compared with; SQL_TYPE: one name or a list of them
 */
void sql_limits_add(struct sql_limits *limits, const struct lkst_etypes *types, enum sql_role role,
		    int op, sqlite3_value *value)
{
	int64_t number;

	if (role == SQL_TYPE) {
		sql_limits_types(limits, types, value);
		return;
	}
	if (sqlite3_value_type(value) == SQLITE_TEXT) {
		/* SQLite converts a text that is a number, such as '1', but no other text. */
		if (sqlite3_value_numeric_type(value) == SQLITE_TEXT)
			snprintf(limits->text, sizeof(limits->text), "%s",
				 (const char *)sqlite3_value_text(value));
		return;
	}
	/* Ignore lists, and numbers that are not integers. */
	if (sqlite3_value_type(value) != SQLITE_INTEGER)
		return;
	number = sqlite3_value_int64(value);
	if (role == SQL_BEGIN || role == SQL_TIME)
		sql_limits_narrow(limits->begin_ns, op, number);
	if (role == SQL_END || role == SQL_TIME)
		sql_limits_narrow(limits->end_ns, op, number);
	if (role == SQL_CPU)
		sql_limits_number(&limits->cpu, op, number);
	if (role == SQL_TID)
		sql_limits_number(&limits->tid, op, number);
	if (role == SQL_PID)
		sql_limits_number(&limits->pid, op, number);
}

/**
 * sql_limits_time() - check whether the times of a row are within the limits
 * @limits: limits
 * @begin_ns: value of the column with SQL_BEGIN or SQL_TIME
 * @end_ns: value of the column with SQL_END or SQL_TIME
 */
bool sql_limits_time(const struct sql_limits *limits, int64_t begin_ns, int64_t end_ns)
{
	return begin_ns >= limits->begin_ns[0] && begin_ns <= limits->begin_ns[1] &&
	       end_ns >= limits->end_ns[0] && end_ns <= limits->end_ns[1];
}

/**
 * sql_limits_thread() - check whether the thread of a row is within the limits
 * @cursor: cursor
 * @thread: thread of the cursor's model; NULL: idle or unknown
 */
bool sql_limits_thread(const struct sql_cursor *cursor, const struct lkst_thread *thread)
{
	const struct sql_limits *limits = &cursor->limits;

	if (limits->tid < 0 && limits->pid < 0)
		return true;
	if (!thread || (limits->tid >= 0 && limits->tid != thread->tid))
		return false;
	return limits->pid < 0 || limits->pid == sql_known(cursor, thread)->tgid;
}

/**
 * sql_limits_cpu() - check whether the CPU of a row is within the limits
 * @limits: limits
 * @cpu: CPU; -1: unknown
 */
bool sql_limits_cpu(const struct sql_limits *limits, int32_t cpu)
{
	return limits->cpu < 0 || limits->cpu == cpu;
}
