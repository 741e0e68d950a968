// SPDX-License-Identifier: GPL-2.0
/* lkstla sql: runs a query in SQL on a trace. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "lkstla/arguments.h"
#include "lkstla/messages.h"
#include "lkstla/missing.h"
#include "sql.h"

#define SQL_TEXT_MAX  (1 << 20)
#define SQL_TEMPORARY ((int64_t)1 << 30)

struct sql_arguments {
	bool schema;
	bool stats;
	int64_t temporary;
};

static const struct option_row sql_rows[] = {
	OPT_FLAG(0, "schema", struct sql_arguments, schema, "list the tables and their columns"),
	OPT_FLAG(0, "stats", struct sql_arguments, stats,
		 "print how much of the trace each table read"),
	OPT_SIZE(0, "temporary", "SIZE", struct sql_arguments, temporary, 1, INT64_MAX, "--temporary",
		 "maximum size of temporary files; default: 1G"),
};

/* ---- the text of the query ---- */

/* Read a query from a file. The caller frees it. */
static char *sql_read(int fd, const char *name, struct lkst_error *err)
{
	char *text = malloc(SQL_TEXT_MAX + 1);
	size_t len = 0;
	ssize_t n = 1;

	if (!text) {
		lkst_error_memory(err, name);
		return NULL;
	}
	while (n && len <= SQL_TEXT_MAX) {
		n = read(fd, text + len, SQL_TEXT_MAX + 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			lkst_error_system(err, errno, name, "read");
			goto fail;
		}
		len += (size_t)n;
	}
	if (len > SQL_TEXT_MAX) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_SQL_LONG, name);
		goto fail;
	}
	text[len] = 0;
	if (strlen(text) == len)
		return text;
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_SQL_ZERO, name);
fail:
	free(text);
	return NULL;
}

static bool sql_reads_trace_from_standard(const struct run *run)
{
	const struct trace_files *from = &run->args->input.from;

	return from->num && !strcmp(from->path[0], "-");
}

/*
 * Get the query from the operand: its text, "@" and a file that contains it, or "-" for the
 * standard input. The caller frees it.
 */
static char *sql_text(const struct run *run, struct lkst_error *err)
{
	const char *operand = run->operands[0];
	char *text;
	int fd;

	if (!strcmp(operand, "-")) {
		if (!sql_reads_trace_from_standard(run))
			return sql_read(STDIN_FILENO, "standard input", err);
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_STANDARD);
		return NULL;
	}
	if (*operand != '@') {
		text = strdup(operand);
		if (!text)
			lkst_error_memory(err, "the query");
		return text;
	}
	fd = open(operand + 1, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		lkst_error_system(err, errno, operand + 1, "open");
		return NULL;
	}
	text = sql_read(fd, operand + 1, err);
	close(fd);
	return text;
}

/* ---- the analysis ---- */

static void sql_free(void *ctx)
{
	struct sql *sql = ctx;

	sql_query_close(sql);
	if (sql->out.buf)
		lkst_out_close(&sql->out);
	free(sql->text);
	free(sql);
}

/* Prepare the query before the trace is read, so that an error in it is reported immediately. */
static void *sql_start(const struct run *run, struct lkst_error *err)
{
	const struct sql_arguments *own = run->own;
	const struct lkst_format_options options = { .verbose = true };
	struct sql *sql = calloc(1, sizeof(*sql));

	if (!sql) {
		lkst_error_memory(err, "the query");
		return NULL;
	}
	sql->run = run;
	sql->text = sql_text(run, err);
	if (!sql->text || lkst_out_open(&sql->out, -1, err) ||
	    window_bounds(run->trace, &sql->bounds, err) ||
	    sql_query_open(sql, own->temporary ? own->temporary : SQL_TEMPORARY, err)) {
		sql_free(sql);
		return NULL;
	}
	lkst_format_init(&sql->format, &sql->out, run->types, NULL, &options);
	return sql;
}

/* Print a note about events that the tables of the query need, but the trace lacks. */
static void sql_note_missing(const struct sql *sql)
{
	const struct runner *runner = runner_of(sql->run);

	for (size_t i = 0; i < sql_tables_num; i++) {
		const struct analysis *like = sql_tables[i]->like;
		char text[MISSING_SIZE], note[MISSING_SIZE + 128];

		if (!sql->use[i].scans || !like ||
		    (like->needs_any && missing_has_any(runner, like->needs)))
			continue;
		missing_text(runner, like->needs, true, text);
		if (!*text)
			continue;
		snprintf(note, sizeof(note), MSG_SQL_LACKS, sql_tables[i]->name, text);
		print_note(note);
	}
}

/* Print a note if the query compares the column "type" with a name that no event type has. */
static void sql_note_unknown(const struct sql *sql)
{
	const struct lkst_etypes *types = sql->run->types;
	struct lkst_error err;
	char note[sizeof(err.text) + 128];
	int type;

	if (!*sql->unknown)
		return;
	type = lkst_etypes_find(types, sql->unknown, &err);
	if (type < 0)
		snprintf(note, sizeof(note), MSG_SQL_TYPE, err.text);
	else if (type < LKST_ETYPE_NUM && types->type[type])
		snprintf(note, sizeof(note), MSG_SQL_TYPE_NAME, sql->unknown,
			 types->type[type]->name);
	else
		snprintf(note, sizeof(note), MSG_SQL_TYPE_NUMBER, sql->unknown);
	print_note(note);
}

/*
 * Print a note if the query compares a column of numbers with a text. SQL allows this, but treats
 * every number as less than any text, which is hardly what the user meant.
 */
static void sql_note_text(const struct sql *sql)
{
	char note[sizeof(sql->compared) + 128];

	if (!*sql->compared)
		return;
	snprintf(note, sizeof(note), MSG_SQL_TEXT, sql->compared);
	print_note(note);
}

static void sql_print_stats(const struct sql *sql)
{
	for (size_t i = 0; i < sql_tables_num; i++) {
		const struct sql_use *use = &sql->use[i];

		if (use->scans)
			fprintf(stderr, "%s: scans %llu, events read %llu, rows %llu\n",
				sql_tables[i]->name, (unsigned long long)use->scans,
				(unsigned long long)use->events, (unsigned long long)use->rows);
	}
}

static int sql_print(struct sql *sql, struct tables *to, struct lkst_error *err)
{
	const struct common_arguments *args = sql->run->args;

	if (!args->json && !args->csv)
		return sql_print_table(sql, to, err);
	to->printed = to->quiet = true;
	sql->quiet = isatty(STDOUT_FILENO);
	if (args->json)
		return sql_print_json(sql, err);
	header_print(runner_of(sql->run), 0, stderr);
	return sql_print_csv(sql, err);
}

static int sql_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	const struct sql_arguments *own = run->own;
	struct sql *sql = ctx;
	int ret = sql_print(sql, to, err);

	progress_clear();
	if (ret)
		return -1;
	sql_note_missing(sql);
	sql_note_unknown(sql);
	sql_note_text(sql);
	if (own->stats)
		sql_print_stats(sql);
	return 0;
}

/* Reject a second operand. Often it is the trace, which must be the argument of -f. */
static int sql_check(const struct common_arguments *args, const void *own, char **operands,
		     struct lkst_error *err)
{
	const char *second = operands[1];

	(void)args;
	(void)own;
	if (!second)
		return 0;
	if (operand_is_file(second))
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_FILE, second, second);
	else
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SQL_OPERANDS, second);
	return -1;
}

static bool sql_lists(const void *own)
{
	return ((const struct sql_arguments *)own)->schema;
}

const struct analysis analysis_sql = {
	.name = "sql",
	.summary = "what changed between two traces; any question, in SQL",
	.about =
		"The result of a query in SQL. The tables are event, mark, sched, state, cpu,\n"
		"wake, syscall, irq, block, lock, thread, loss and info. QUERY is SELECT ...,\n"
		"\"@\" and the name of a file with the query, or \"-\": standard input.\n",
	.operands = "QUERY",
	.refuses = {
		[ANALYSIS_PROCESSES] = "WHERE selects rows",
		[ANALYSIS_CPU] = "WHERE selects rows",
		[ANALYSIS_OVER] = "WHERE selects rows",
		[ANALYSIS_TOP] = "LIMIT limits the rows",
		[ANALYSIS_SORT] = "ORDER BY sorts the rows",
	},
	.row = sql_rows,
	.rows = sizeof(sql_rows) / sizeof(*sql_rows),
	.own_size = sizeof(struct sql_arguments),
	.check = sql_check,
	.lists = sql_lists,
	.list = sql_schema_print,
	.list_table = sql_schema_table,
	.needs = (const char *const[]){ NULL },
	.start = sql_start,
	.report = sql_report,
	.free = sql_free,
};
