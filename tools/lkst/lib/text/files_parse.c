// SPDX-License-Identifier: LGPL-2.1
/*
 * Parses tables of descriptors, and writes them as text. Documentation/lkst/trace-file.rst
 * describes the format.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "files_table.h"
#include "lib/base/error.h"
#include "text.h"

#define TIME_MAX (INT64_MAX / 4) /* so that adding a few seconds cannot overflow */

struct files_parser {
	struct lkst_files *files;
	struct files_table *table;
	struct files_process *process; /* the current process; NULL: none yet */
	bool dated;
};

static bool files_parse_time(char **line, int64_t *time)
{
	char *word = text_word(line), *end;
	long long value = strtoll(word, &end, 10);

	*time = value;
	return *word && !*end && value > -TIME_MAX && value < TIME_MAX;
}

static bool files_parse_number(char **line, uint64_t max, uint64_t *number)
{
	char *word = text_word(line), *end;

	*number = strtoull(word, &end, 10);
	return *word >= '0' && *word <= '9' && !*end && *number <= max;
}

/* Parse an interval: two times, or "- -" if the events of the trace determine it. */
static bool files_parse_interval(char **line, struct files_interval *interval, bool *stated)
{
	char *since = text_word(line), *until = text_word(line);

	*stated = false;
	*interval = (struct files_interval){ INT64_MIN, INT64_MAX };
	if (!strcmp(since, "-") && !strcmp(until, "-"))
		return true;
	*stated = true;
	return files_parse_time(&since, &interval->since) &&
	       files_parse_time(&until, &interval->until);
}

/* Replace octal escapes by the bytes that they stand for. */
static void files_unescape(char *text)
{
	char *to = text;

	while (*text) {
		unsigned int byte = 0;
		int digits = 0;

		while (*text == '\\' && digits < 3 && text[1 + digits] >= '0' &&
		       text[1 + digits] <= '7')
			byte = byte * 8 + (unsigned int)(text[1 + digits++] - '0');
		if (digits == 3 && byte && byte <= 0xff) {
			*to++ = (char)byte;
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = 0;
}

static const char *files_parse_read(struct files_parser *parser, char *line)
{
	struct files_table *table = parser->table;

	if (parser->dated)
		return "the second line \"read\"";
	if (!files_parse_time(&line, &table->monotonic_ns) ||
	    !files_parse_time(&line, &table->wall_ns))
		return "invalid time";
	parser->dated = true;
	return NULL;
}

static const char *files_parse_cpu(struct files_parser *parser, char *line)
{
	struct files_cpu *cpu = &parser->table->cpu[parser->table->cpus];
	uint64_t number;

	if (!files_parse_number(&line, INT32_MAX, &number) ||
	    !files_parse_number(&line, UINT64_MAX, &cpu->recid))
		return "invalid number";
	cpu->cpu = (int32_t)number;
	parser->table->cpus++;
	return NULL;
}

static const char *files_parse_process(struct files_parser *parser, char *line)
{
	struct lkst_files *files = parser->files;
	struct files_process *process = &files->process[files->num];
	uint64_t tgid;

	*process = (struct files_process){
		.program = { INT64_MIN, INT64_MAX },
		.covered = { INT64_MIN, INT64_MAX },
		.held = parser->table->held + parser->table->num,
		.table = parser->table,
	};
	if (!files_parse_number(&line, UINT32_MAX, &tgid))
		return "invalid number";
	if (!files_parse_time(&line, &process->begin) || !files_parse_time(&line, &process->end) ||
	    process->end < process->begin)
		return "invalid time";
	process->tgid = (uint32_t)tgid;
	parser->process = process;
	files->num++;
	return NULL;
}

static const char *files_parse_command(struct files_parser *parser, char *line)
{
	struct files_process *process = parser->process;

	if (!process)
		return "not after a line \"process\"";
	if (!files_parse_interval(&line, &process->program, &process->fixed))
		return "invalid time";
	process->command = line;
	return NULL;
}

static const char *files_parse_held(struct files_parser *parser, char *line)
{
	struct files_table *table = parser->table;
	struct files_held *held = &table->held[table->num];
	uint64_t fd;
	bool stated;

	if (!parser->process)
		return "not after a line \"process\"";
	if (parser->process->num == FILES_EACH_MAX)
		return "too many descriptors of a process";
	if (!files_parse_number(&line, INT32_MAX, &fd))
		return "invalid number";
	if (!files_parse_interval(&line, &held->valid, &stated) || stated != parser->process->fixed)
		return "invalid time";
	held->fd = (uint32_t)fd;
	held->name = line;
	files_unescape(line);
	table->num++;
	parser->process->num++;
	return NULL;
}

static const char *files_parse_line(void *ctx, char *line)
{
	static const struct {
		const char *word;
		const char *(*parse)(struct files_parser *parser, char *line);
	} kinds[] = {
		{ "cpu", files_parse_cpu },
		{ "process", files_parse_process },
		{ "command", files_parse_command },
		{ "fd", files_parse_held },
	};
	struct files_parser *parser = ctx;
	const char *word = text_word(&line);

	if (!strcmp(word, "read"))
		return files_parse_read(parser, line);
	if (!parser->dated)
		return "not after the line \"read\"";
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(word, kinds[i].word))
			return kinds[i].parse(parser, line);
	return NULL; /* from a later version, or a count that only people need: ignore it */
}

static size_t files_parse_count(const char *text, const char *word)
{
	size_t num = 0;

	while ((text = strstr(text, word)) != NULL) {
		num++;
		text += strlen(word);
	}
	return num;
}

static int files_by_fd(const void *pa, const void *pb)
{
	const struct files_held *a = pa, *b = pb;

	return a->fd < b->fd ? -1 : a->fd > b->fd;
}

/* Allocate room for all lines of the text. */
static int files_parse_room(struct lkst_files *files, struct files_table *table,
			    struct lkst_error *err)
{
	size_t processes = files_parse_count(table->text, "process ");
	size_t held = files_parse_count(table->text, "fd ");
	struct files_process *grown;

	if (files->num_tables == FILES_TABLES_MAX || files->num + processes > FILES_PROCESSES_MAX ||
	    files->held + held > FILES_HELD_MAX) {
		lkst_error_set(err, LKST_ERR_FORMAT, "file names: too many");
		return -1;
	}
	grown = realloc(files->process, (files->num + processes + 1) * sizeof(*grown));
	if (grown)
		files->process = grown;
	table->cpu = calloc(files_parse_count(table->text, "cpu ") + 1, sizeof(*table->cpu));
	table->held = calloc(held + 1, sizeof(*table->held));
	if (grown && table->cpu && table->held)
		return 0;
	lkst_error_memory(err, "file names");
	return -1;
}

/**
 * files_parse() - parse the text of a table
 * @files: the processes are added here, unsorted
 * @table: with @text, which is modified
 * @err: set if the text is invalid, or an allocation fails; @files is then unchanged
 */
int files_parse(struct lkst_files *files, struct files_table *table, struct lkst_error *err)
{
	static const struct text_format format = {
		.name = "file names",
		.header = LKST_FILES_HEADER,
		.line = files_parse_line,
	};
	struct files_parser parser = { .files = files, .table = table };
	size_t before = files->num;

	if (files_parse_room(files, table, err))
		return -1;
	if (text_parse(&format, table->text, "file names", &parser, err)) {
		files->num = before;
		return -1;
	}
	for (size_t i = before; i < files->num; i++)
		qsort(files->process[i].held, files->process[i].num, sizeof(struct files_held),
		      files_by_fd);
	files->held += table->num;
	return 0;
}

/* ---- text ---- */

static void files_put_interval(FILE *to, struct files_interval interval)
{
	int64_t since = interval.since, until = interval.until;

	if (since == FILES_NEVER)
		since = until = 0;
	fprintf(to, " %lld %lld ", (long long)(since > -TIME_MAX ? since : 1 - TIME_MAX),
		(long long)(until < TIME_MAX ? until : TIME_MAX - 1));
}

/* Write a name so that it stays on one line. A name may contain any byte except 0. */
static void files_put_name(FILE *to, const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < 0x20 || *name == 0x7f || *name == '\\')
			fprintf(to, "\\%03o", (unsigned char)*name);
		else
			putc(*name, to);
	putc('\n', to);
}

static void files_put_process(FILE *to, const struct files_process *process)
{
	struct files_interval valid = files_both(process->program, process->covered);

	fprintf(to, "process %u %lld %lld\ncommand", process->tgid, (long long)process->begin,
		(long long)process->end);
	files_put_interval(to, process->program);
	fprintf(to, "%s\n", process->command ? process->command : "");
	for (size_t i = 0; i < process->num; i++) {
		const struct files_held *held = &process->held[i];
		struct files_interval known = files_both(held->valid, valid);

		fprintf(to, "fd %u", held->fd);
		files_put_interval(to, known);
		files_put_name(to, held->name);
	}
}

/**
 * lkst_files_text() - write tables as text that states when each name is valid
 * @files: after lkst_files_finalize()
 * @wanted: returns whether the text must contain a process
 * @ctx: passed to @wanted
 * @len: set to the length of the text in bytes
 * @err: set if an allocation fails
 *
 * For a trace with this text, the validity of names does not depend on events. If the wall clock
 * was set, the text has no tables, because the records of the trace have only the time of the wall
 * clock.
 *
 * Return: text, to be freed by the caller.
 */
char *lkst_files_text(const struct lkst_files *files, bool (*wanted)(void *ctx, uint32_t tgid),
		      void *ctx, size_t *len, struct lkst_error *err)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, len);

	if (!to) {
		lkst_error_memory(err, "file names");
		return NULL;
	}
	fprintf(to, LKST_FILES_HEADER "\nread %lld %lld\n",
		(long long)(files->tables ? files->tables->monotonic_ns : 0),
		(long long)(files->tables ? files->tables->monotonic_ns + files->offset_ns : 0));
	for (size_t i = 0; i < files->num && !files->clock_set; i++)
		if (wanted(ctx, files->process[i].tgid))
			files_put_process(to, &files->process[i]);
	if (!(ferror(to) | fclose(to)))
		return text;
	free(text);
	lkst_error_memory(err, "file names");
	return NULL;
}
