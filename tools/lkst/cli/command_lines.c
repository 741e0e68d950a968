// SPDX-License-Identifier: GPL-2.0
/*
 * Finds processes by the arguments in their command lines. A user may know a process by its script
 * or its configuration file, while its thread is named after the interpreter or the daemon.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "command_lines.h"
#include "lib/text/files.h"
#include "lib/text/parse.h"

/*
 * Return the number of processes. Set @words to the maximum number of their arguments: each blank
 * may separate two arguments.
 */
static size_t lines_count(const struct lkst_files *files, size_t *words)
{
	const char *command;
	size_t at = 0, num = 0;
	uint32_t tgid;

	for (*words = 0; (command = lkst_files_next_command(files, &at, &tgid)) != NULL; num++)
		for (++*words; *command; command++)
			*words += *command == ' ';
	return num;
}

/* Replace the escapes for blanks and backslashes. Those for control characters stay. */
static void lines_unescape(char *text)
{
	char *to = text;

	while (*text) {
		bool blank = !strncmp(text, "\\040", 4);

		if (blank || !strncmp(text, "\\134", 4)) {
			*to++ = blank ? ' ' : '\\';
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = 0;
}

static bool lines_is_own_name(const char *name, size_t len)
{
	static const char *const own[] = { "lkst",  "lkstbuf",	"lksteh",    "lkstla",
					   "lkstm", "lkstlogd", "lkstlogger" };

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strlen(own[i]) == len && !strncmp(name, own[i], len))
			return true;
	return false;
}

/*
 * Return whether an argument names one of LKST's commands, with or without a path, or is a shell
 * command line that contains such a name.
 */
static bool lines_is_own(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "/ ;");

		if (text[len] != '/' && lines_is_own_name(text, len))
			return true;
		text += len + !!text[len];
	}
	return false;
}

/*
 * Add the arguments of a process, unless it runs one of LKST's commands. A command that reads the
 * live kernel finds itself and its shell among the processes. The arguments of both contain the
 * word that the user searches for.
 */
static void lines_split(struct command_lines *lines, uint32_t tgid, char *text)
{
	size_t before = lines->num;
	bool own = false;
	char *word;

	while ((word = strsep(&text, " ")) != NULL) {
		const char *slash;

		lines_unescape(word);
		slash = strrchr(word, '/');
		if (*word)
			lines->word[lines->num++] = (struct command_word){
				.tgid = tgid,
				.text = word,
				.base = slash && slash[1] ? slash + 1 : word,
			};
		own |= lines_is_own(word);
	}
	if (own)
		lines->num = before;
}

/**
 * command_lines_add() - add the command lines of the processes of a trace
 * @lines: initially 0; must be passed to command_lines_free() even after a failure
 * @files: command lines; NULL: none
 *
 * Return: 0; -1 if an allocation fails.
 */
int command_lines_add(struct command_lines *lines, const struct lkst_files *files)
{
	size_t words, texts = lines_count(files, &words), at = 0;
	struct command_word *word;
	const char *command;
	uint32_t tgid;
	char **text;

	text = reallocarray(lines->text, lines->texts + texts + 1, sizeof(*text));
	if (text)
		lines->text = text;
	word = reallocarray(lines->word, lines->num + words + 1, sizeof(*word));
	if (word)
		lines->word = word;
	if (!text || !word)
		return -1;
	while ((command = lkst_files_next_command(files, &at, &tgid)) != NULL) {
		char *copy = strdup(command);

		if (!copy)
			return -1;
		lines->text[lines->texts++] = copy;
		lines_split(lines, tgid, copy);
	}
	return 0;
}

/**
 * command_lines_free() - free command lines
 * @lines: from command_lines_add()
 */
void command_lines_free(struct command_lines *lines)
{
	for (size_t i = 0; i < lines->texts; i++)
		free(lines->text[i]);
	free(lines->text);
	free(lines->word);
}

static bool lines_is(const struct command_word *word, const char *pattern)
{
	return !fnmatch(pattern, word->text, 0) || !fnmatch(pattern, word->base, 0);
}

static bool lines_contains(const struct command_word *word, const char *part)
{
	return strlen(part) >= 3 && strcasestr(word->text, part);
}

static bool lines_ends_in(const struct command_word *word, const char *base)
{
	return !strcmp(word->base, base);
}

static const char *lines_base_at(void *ctx, size_t i)
{
	return ((const struct command_lines *)ctx)->word[i].base;
}

struct lines_search {
	const struct command_word **found;
	size_t num;
};

/* Add the arguments for which @matches returns true, at most one of each process. */
static void lines_search(const struct command_lines *lines, const char *pattern,
			 bool (*matches)(const struct command_word *word, const char *pattern),
			 struct lines_search *search)
{
	for (size_t i = 0; i < lines->num && search->num < COMMAND_LINES_FOUND; i++) {
		bool known = false;

		for (size_t k = 0; k < search->num; k++)
			known |= search->found[k]->tgid == lines->word[i].tgid;
		if (!known && matches(&lines->word[i], pattern))
			search->found[search->num++] = &lines->word[i];
	}
}

/**
 * command_lines_find() - find the processes that a user may have meant by a word
 * @lines: from command_lines_add()
 * @word: an argument, a part of it, or a pattern
 * @similar: whether to find similar arguments if none contains @word; ignored if @word is short
 * @found: result: arguments of different processes, the most likely first
 *
 * Return: number of elements of @found.
 */
size_t command_lines_find(const struct command_lines *lines, const char *word, bool similar,
			  const struct command_word *found[COMMAND_LINES_FOUND])
{
	struct lines_search search = { .found = found };
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	size_t n;

	lines_search(lines, word, lines_is, &search);
	lines_search(lines, word, lines_contains, &search);
	/* Arguments are often short options, and a short word is similar to many of them. */
	if (search.num || !similar || strlen(word) < 4)
		return search.num;
	n = lkst_suggest(word, lines_base_at, (void *)lines, lines->num, suggestions);
	for (size_t i = 0; i < n; i++)
		lines_search(lines, suggestions[i], lines_ends_in, &search);
	return search.num;
}
