/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of a command as a table: it is what the command line is read with, what --help
 * prints and what the completion of the shells offers.
 */
#ifndef _OPTIONS_H
#define _OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/liblkst.h"

enum option_kind {
	OPTION_FLAG,	/* bool: set */
	OPTION_SWITCH,	/* bool: set by --NAME, cleared by --no-NAME */
	OPTION_TEXT,	/* const char *: the value; the last one counts */
	OPTION_NUMBER,	/* int64_t: from @min, which is not negative, to @max */
	OPTION_SIZE,	/* uint64_t: bytes, from @min to @max; K, M and G may follow */
	OPTION_CHOICE,	/* int: index in @choices */
	OPTION_WORDS,	/* struct option_words: the values, as often as it is given */
};

/**
 * struct option_row - an option
 * @letter: 0: none
 * @name: after "--"; NULL: none
 * @value: what its value is called in --help; NULL: it takes none
 * @kind: of value
 * @offset: where it goes in the structure of arguments
 * @min: of a number or size
 * @max: likewise
 * @what: what the value is called in errors; NULL: the option itself
 * @choices: words, ended by NULL
 * @help: for --help, lines separated by "\n"; NULL: it shares the line of the next one
 */
struct option_row {
	char letter;
	const char *name;
	const char *value;
	enum option_kind kind;
	size_t offset;
	int64_t min;
	int64_t max;
	const char *what;
	const char *const *choices;
	const char *help;
};

#define OPTION_WORDS_MAX 1024

struct option_words {
	size_t num;
	const char *word[OPTION_WORDS_MAX];
};

/* Rows: letter, name, [value,] member of @type that takes it, ..., help. */
#define OPT_FLAG(l, n, type, member, h)						\
	{ .letter = (l), .name = (n), .kind = OPTION_FLAG,			\
	  .offset = offsetof(type, member), .help = (h) }
#define OPT_SWITCH(l, n, type, member, h)					\
	{ .letter = (l), .name = (n), .kind = OPTION_SWITCH,			\
	  .offset = offsetof(type, member), .help = (h) }
#define OPT_TEXT(l, n, v, type, member, h)					\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_TEXT,	\
	  .offset = offsetof(type, member), .help = (h) }
#define OPT_NUMBER(l, n, v, type, member, lo, hi, w, h)				\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_NUMBER,	\
	  .offset = offsetof(type, member), .min = (lo), .max = (hi), .what = (w), .help = (h) }
#define OPT_SIZE(l, n, v, type, member, lo, hi, w, h)				\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_SIZE,	\
	  .offset = offsetof(type, member), .min = (lo), .max = (hi), .what = (w), .help = (h) }
#define OPT_CHOICE(l, n, v, type, member, c, w, h)				\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_CHOICE,	\
	  .offset = offsetof(type, member), .choices = (c), .what = (w), .help = (h) }
#define OPT_WORDS(l, n, v, type, member, h)					\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_WORDS,	\
	  .offset = offsetof(type, member), .help = (h) }
#define OPT_JSON(type, member)							\
	OPT_FLAG(0, "json", type, member, "the same as JSON, for programs")

/**
 * struct syntax - how a command is written
 *
 * As getopt_long() has it: options and operands in any order, "--" ends the options; letters can
 * stand together (-vf FILE), the value follows as the next word or at once (-f FILE, -fFILE,
 * --file FILE, --file=FILE); a long option can be abbreviated as long as it is delete_buffers which is meant.
 *
 * @usage: what follows its name in --help; a line each, separated by "\n"
 * @about: what it does, below that; ends with "\n"
 * @row: options; --help is added, and -h where no row has that letter
 * @rows: how many
 * @operands: it takes words that are no options
 * @stray: for the error where it does not: which option may have been meant; may be NULL
 * @single_dash: long options take a single dash, too (lkstlogger -ev)
 * @more: below the options; may be NULL
 */
struct syntax {
	const char *usage;
	const char *about;
	const struct option_row *row;
	size_t rows;
	bool operands;
	const char *stray;
	bool single_dash;
	const char *more;
};

#define SYNTAX_ROWS(table) .row = (table), .rows = sizeof(table) / sizeof(*(table))

enum options_result {
	OPTIONS_READ,		/* @to is filled in; operands are from argv[optind] on */
	OPTIONS_HELP,		/* help was asked for */
	OPTIONS_WRONG,		/* with the error */
};

enum options_result options_read(const struct syntax *syntax, int argc, char **argv, void *to,
				 struct lkst_error *err);
int option_take(const struct option_row *row, const char *what, const char *text, void *to,
		struct lkst_error *err);
int option_text(const struct option_row *row, const void *from, char *text, size_t size);
void options_help(const struct syntax *syntax, const char *name, FILE *out);

#endif
