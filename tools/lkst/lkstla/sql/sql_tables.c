// SPDX-License-Identifier: GPL-2.0
/* Lists the virtual tables, and prints their schema. */
#include <stdio.h>

#include "sql.h"

const struct sql_table *const sql_tables[] = {
	&sql_event, &sql_mark,	&sql_sched, &sql_state,	 &sql_cpu,  &sql_wake, &sql_syscall,
	&sql_irq,   &sql_block, &sql_lock,  &sql_thread, &sql_loss, &sql_info,
};

const size_t sql_tables_num = sizeof(sql_tables) / sizeof(*sql_tables);

_Static_assert(sizeof(sql_tables) / sizeof(*sql_tables) <= SQL_TABLES_MAX,
	       "struct sql has an element for each table");

static const char schema_rules[] =
	"Functions:\n"
	"  at(ns)             a time as lkstbuf print shows it: the time of day\n"
	"  ns(text)           a time that --since accepts, in ns: '12:03:04.5', '-5s'\n"
	"  args ->> 'result'  an argument of an event by its name\n"
	"\n"
	"Times are nanoseconds since the epoch, and durations nanoseconds. NULL is unknown.\n"
	"A condition for a column with * is applied while the trace is read, if it\n"
	"compares the column with one value, or an event type with IN (...).\n";

static const struct column schema_columns[] = {
	{ "table", "table", COLUMN_TEXT },
	{ "column", "column", COLUMN_TEXT },
	{ "type", "type", COLUMN_TEXT },
	{ "while reading", "while_reading", COLUMN_COUNT },
	{ "about", "about", COLUMN_TEXT },
};

/* Print the tables and their columns. */
void sql_schema_print(void)
{
	for (size_t i = 0; i < sql_tables_num; i++) {
		const struct sql_table *table = sql_tables[i];

		printf("%s: %s\n", table->name, table->about);
		for (int k = 0; k < table->columns; k++) {
			const struct sql_column *column = &table->column[k];

			printf("  %-12s%c %-7s  %s\n", column->name,
			       column->role == SQL_PLAIN ? ' ' : '*', column->type, column->about);
		}
		putchar('\n');
	}
	fputs(schema_rules, stdout);
}

static int sql_schema_add(struct table *to, const struct sql_table *table,
			  const struct sql_column *column, struct lkst_error *err)
{
	return table_add(to,
			 (struct cell[]){ CELL_TEXT(table->name), CELL_TEXT(column->name),
					  *column->type ? CELL_TEXT(column->type) : CELL_NONE,
					  CELL(column->role != SQL_PLAIN),
					  CELL_TEXT(column->about) },
			 err);
}

/**
 * sql_schema_table() - make a table of the columns of all tables
 * @err: set if an allocation fails
 *
 * Return: the table; NULL on error.
 */
struct table *sql_schema_table(struct lkst_error *err)
{
	struct table *to = table_new("columns", "Columns", schema_columns,
				     sizeof(schema_columns) / sizeof(*schema_columns), err);

	for (size_t i = 0; to && i < sql_tables_num; i++)
		for (int k = 0; k < sql_tables[i]->columns; k++) {
			if (!sql_schema_add(to, sql_tables[i], &sql_tables[i]->column[k], err))
				continue;
			table_free(to);
			return NULL;
		}
	return to;
}
