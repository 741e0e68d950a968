// SPDX-License-Identifier: GPL-2.0
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command_lines.h"
#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/names.h"
#include "lib/text/parse.h"
#include "lib/text/words.h"
#include "lib/trace/trace.h"
#include "messages.h"
#include "no_match.h"
#include "options.h"

/* What the words of -p may mean: names of threads, and command lines of processes. */
struct known_names {
	size_t num;
	const char **name;
	struct command_lines lines;
};

/* Add the names of the threads of a file. */
static int no_match_list_names(const struct lkst_names *names, struct known_names *list)
{
	size_t at = 0, num = 0;
	const char **grown;

	while (lkst_names_next(names, &at))
		num++;
	grown = realloc(list->name, (list->num + num + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	list->name = grown;
	for (at = 0; num; num--)
		list->name[list->num++] = lkst_names_next(names, &at);
	return 0;
}

/* List all names. Consecutive files of one boot share their tables: list each table only once. */
static int no_match_list(struct lkst_trace *trace, struct known_names *list)
{
	const struct lkst_names *names = NULL;
	const struct lkst_files *files = NULL;

	for (uint32_t i = 0; i < lkst_trace_sources(trace); i++) {
		const struct lkst_context *context = lkst_trace_source_context(trace, i);

		if ((context->names != names && no_match_list_names(context->names, list)) ||
		    (context->files != files && command_lines_add(&list->lines, context->files)))
			return -1;
		names = context->names;
		files = context->files;
	}
	return 0;
}

static const char *no_match_name_at(void *ctx, size_t i)
{
	return ((const struct known_names *)ctx)->name[i];
}

static bool no_match_any_is_called(const struct known_names *list, const char *pattern)
{
	for (size_t i = 0; i < list->num; i++)
		if (!fnmatch(pattern, list->name[i], 0))
			return true;
	return !strncmp(pattern, "swapper", 7);
}

/**
 * no_match_add() - add a line to an error, if it fits
 * @err: error
 * @line: the line
 */
void no_match_add(struct lkst_error *err, const struct lkst_error *line)
{
	size_t len = strlen(err->text);

	if (len + strlen(line->text) + 2 <= sizeof(err->text))
		strcpy(stpcpy(err->text + len, "\n"), line->text);
}

/* Add a line to @err if a number in -p is known not to be in the trace. */
static void no_match_report_number(const struct no_match_numbers *numbers, const char *word,
				   struct lkst_error *err)
{
	struct lkst_error line;

	if (!numbers || numbers->has(numbers->ctx, strtoul(word, NULL, 10)))
		return;
	lkst_error_set(&line, LKST_ERR_NOT_FOUND, MSG_NO_NUMBER, word);
	no_match_add(err, &line);
}

/*
 * If a word of -p has the form NAME-NUMBER, as tables show threads, and a thread or process has
 * this number, return the number; otherwise return NULL.
 */
static const char *no_match_number_in(const struct no_match_numbers *numbers, const char *word)
{
	const char *dash = strrchr(word, '-');

	if (!numbers || !dash || !dash[1] || dash[1 + strspn(dash + 1, "0123456789")])
		return NULL;
	return numbers->has(numbers->ctx, strtoul(dash + 1, NULL, 10)) ? dash + 1 : NULL;
}

/* Add lines to @err if a word of -p matches no thread name. */
static void no_match_report_name(const struct known_names *list,
				 const struct no_match_numbers *numbers, const char *word,
				 struct lkst_error *err)
{
	const struct command_word *found[COMMAND_LINES_FOUND];
	const char *suggestions[LKST_SUGGESTIONS_MAX], *number;
	struct lkst_error line;
	char text[256];
	size_t n;

	if (no_match_any_is_called(list, word))
		return;
	number = no_match_number_in(numbers, word);
	if (number)
		suggestions[0] = number;
	n = number ? 1 : lkst_suggest(word, no_match_name_at, (void *)list, list->num, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(&line, LKST_ERR_NOT_FOUND, MSG_NO_THREAD, word, text);
	no_match_add(err, &line);
	n = command_lines_find(&list->lines, word, !n, found);
	for (size_t i = 0; i < n; i++) {
		lkst_error_set(&line, LKST_ERR_NOT_FOUND, MSG_COMMAND_LINE, found[i]->tgid,
			       found[i]->text, found[i]->tgid);
		no_match_add(err, &line);
	}
}

static void no_match_report_word(const struct known_names *list,
				 const struct no_match_numbers *numbers, const char *word,
				 struct lkst_error *err)
{
	if (*word == '!' || !strcasecmp(word, LKST_WORD_ALL))
		return;
	if (!word[strspn(word, "0123456789")])
		no_match_report_number(numbers, word, err);
	else
		no_match_report_name(list, numbers, word, err);
}

/**
 * no_match_add_words() - report the words of -p that match no thread in a trace
 * @processes: arguments of -p
 * @trace: trace
 * @numbers: which numbers are in the trace; NULL: unknown, so numbers are not reported
 * @err: a line is added for each word, and for thread names and command lines similar to it
 */
void no_match_add_words(const struct option_words *processes, struct lkst_trace *trace,
			const struct no_match_numbers *numbers, struct lkst_error *err)
{
	struct known_names list = { 0 };

	if (processes->num && !no_match_list(trace, &list))
		for (size_t i = 0; i < processes->num; i++) {
			char *copy = strdup(processes->word[i]), *next = copy, *word;

			while (copy && (word = lkst_next_word(&next)) != NULL)
				no_match_report_word(&list, numbers, word, err);
			free(copy);
		}
	command_lines_free(&list.lines);
	free(list.name);
}

static void no_match_moment_text(int64_t ns, bool utc, char *text, size_t size)
{
	time_t second = (time_t)(ns / 1000000000);
	struct tm tm;
	size_t len;

	if (!(utc ? gmtime_r(&second, &tm) : localtime_r(&second, &tm)))
		memset(&tm, 0, sizeof(tm));
	len = strftime(text, size, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text + len, size - len, ".%06lld", llabs(ns % 1000000000) / 1000);
}

/**
 * no_match() - report that nothing in a trace matches the options
 * @what: start of the message; no_match() adds the time span of the trace
 * @processes: arguments of -p
 * @utc: print dates and times in UTC
 * @trace: trace
 * @numbers: which thread and process numbers are in the trace; NULL: unknown
 * @err: set; the text contains thread names and command lines similar to the words of -p
 *
 * Return: -1.
 */
int no_match(const char *what, const struct option_words *processes, bool utc,
	     struct lkst_trace *trace, const struct no_match_numbers *numbers,
	     struct lkst_error *err)
{
	int64_t oldest_ns, newest_ns;
	char oldest[64], newest[64];
	int ret = lkst_trace_span(trace, &oldest_ns, &newest_ns, err);

	if (ret < 0)
		return -1;
	if (ret) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENTS);
		return -1;
	}
	no_match_moment_text(oldest_ns, utc, oldest, sizeof(oldest));
	no_match_moment_text(newest_ns, utc, newest, sizeof(newest));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NOTHING, what, oldest, newest);
	no_match_add_words(processes, trace, numbers, err);
	return -1;
}
