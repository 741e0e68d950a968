// SPDX-License-Identifier: GPL-2.0
/* Passes values of rows to SQLite. */
#include "sql.h"

/**
 * sql_known() - find the data about a thread at the end of the window
 * @cursor: cursor
 * @thread: thread of the cursor's model; NULL: idle or unknown
 *
 * The cursor's model has received the same events as the model of the run, so the threads have the
 * same indexes. Names and processes may have become known only after the row.
 */
const struct lkst_thread *sql_known(const struct sql_cursor *cursor,
				    const struct lkst_thread *thread)
{
	const struct lkst_thread *known =
		thread ? lkst_model_thread(cursor->sql->run->model, thread->index) : NULL;

	return known && known->tid == thread->tid ? known : thread;
}

/**
 * sql_put_text() - pass a string
 * @to: the column
 * @text: string; NULL: unknown
 */
void sql_put_text(sqlite3_context *to, const char *text)
{
	if (text)
		sqlite3_result_text(to, text, -1, SQLITE_TRANSIENT);
}

/**
 * sql_put_time() - pass a time
 * @to: the column
 * @ns: time
 * @known: whether it is known
 */
void sql_put_time(sqlite3_context *to, int64_t ns, bool known)
{
	if (known)
		sqlite3_result_int64(to, ns);
}

/**
 * sql_put_id() - pass a number
 * @to: the column
 * @id: number; negative: unknown
 */
void sql_put_id(sqlite3_context *to, int64_t id)
{
	if (id >= 0)
		sqlite3_result_int64(to, id);
}

/**
 * sql_put_thread() - pass the name of a thread in the form that all analyses print
 * @cursor: cursor
 * @thread: thread of the cursor's model; NULL: idle or unknown
 * @to: the column
 */
void sql_put_thread(const struct sql_cursor *cursor, const struct lkst_thread *thread,
		    sqlite3_context *to)
{
	char text[40];

	if (thread)
		sql_put_text(to,
			     run_thread_name(cursor->sql->run, sql_known(cursor, thread), text));
}

/**
 * sql_put_tid() - pass a thread ID
 * @thread: thread; NULL: idle or unknown
 * @to: the column
 */
void sql_put_tid(const struct lkst_thread *thread, sqlite3_context *to)
{
	if (thread)
		sqlite3_result_int64(to, thread->tid);
}

/**
 * sql_put_pid() - pass the process of a thread
 * @cursor: cursor
 * @thread: thread of the cursor's model; NULL: idle or unknown
 * @to: the column
 */
void sql_put_pid(const struct sql_cursor *cursor, const struct lkst_thread *thread,
		 sqlite3_context *to)
{
	const struct lkst_thread *known = sql_known(cursor, thread);

	if (known && known->tgid)
		sqlite3_result_int64(to, known->tgid);
}

/**
 * sql_put_thread_column() - pass the value of one of SQL_THREAD_COLUMNS
 * @cursor: cursor
 * @thread: thread of the cursor's model; NULL: idle or unknown
 * @column: index among these columns
 * @to: the column
 */
void sql_put_thread_column(const struct sql_cursor *cursor, const struct lkst_thread *thread,
			   int column, sqlite3_context *to)
{
	if (column == 0)
		sql_put_thread(cursor, thread, to);
	else if (column == 1)
		sql_put_tid(thread, to);
	else
		sql_put_pid(cursor, thread, to);
}
