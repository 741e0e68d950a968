/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes the options of a command in a table. The command line parser and --help use this table,
 * and the shells complete options from the output of --help.
 */
#ifndef _OPTIONS_H
#define _OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/lkst.h"

enum option_kind {
	OPTION_FLAG,	/* bool: set to true */
	OPTION_SWITCH,	/* bool: set to true by --NAME, and to false by --no-NAME */
	OPTION_TEXT,	/* const char *: the value; if it is given more than once, the last one */
	OPTION_NUMBER,	/* int64_t: from @min, which is not negative, to @max */
	OPTION_SIZE,	/* uint64_t: bytes, from @min to @max; K, M and G may follow */
	OPTION_CHOICE,	/* int: index in @choices */
	OPTION_WORDS,	/* struct option_words: values of an option that may be given repeatedly */
};

/**
 * struct option_row - an option
 * @letter: short option; 0: none
 * @name: long name, without "--"; NULL: none
 * @value: placeholder of the value in --help; NULL: the option takes none
 * @kind: type of the value
 * @offset: offset of the value in the structure of arguments
 * @min: minimum of a number, or of a size in bytes
 * @max: maximum of a number, or of a size in bytes
 * @label: name of the value in error messages; NULL: the name of the option
 * @choices: allowed words, terminated by NULL
 * @hidden: whether --help omits the option, because the command refuses it with a message
 * @help: text for --help, lines separated by "\n"; NULL: the option shares the line of the next row
 */
struct option_row {
	char letter;
	const char *name;
	const char *value;
	enum option_kind kind;
	size_t offset;
	int64_t min;
	int64_t max;
	const char *label;
	const char *const *choices;
	bool hidden;
	const char *help;
};

#define OPTION_WORDS_MAX 1024

struct option_words {
	size_t num;
	const char *word[OPTION_WORDS_MAX];
};

/*
 * Each macro makes a row. Its arguments are the letter, the name, the placeholder (if there is a
 * value), the type of the structure of arguments, the member of this structure that receives the
 * value, further members of the row, and the help.
 */
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
	  .offset = offsetof(type, member), .min = (lo), .max = (hi), .label = (w), .help = (h) }
#define OPT_SIZE(l, n, v, type, member, lo, hi, w, h)				\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_SIZE,	\
	  .offset = offsetof(type, member), .min = (lo), .max = (hi), .label = (w), .help = (h) }
#define OPT_CHOICE(l, n, v, type, member, c, w, h)				\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_CHOICE,	\
	  .offset = offsetof(type, member), .choices = (c), .label = (w), .help = (h) }
#define OPT_WORDS(l, n, v, type, member, h)					\
	{ .letter = (l), .name = (n), .value = (v), .kind = OPTION_WORDS,	\
	  .offset = offsetof(type, member), .help = (h) }
#define OPT_JSON(type, member)							\
	OPT_FLAG(0, "json", type, member, "the same as JSON, for programs")

/**
 * struct syntax - the command line of a command
 *
 * The rules are the same as for getopt_long(). Options and operands may be mixed, and "--" ends the
 * options. Letters can be combined (-vf FILE). A value is the next word or follows directly (-f
 * FILE, -fFILE, --file FILE, --file=FILE). A long option can be abbreviated if that is unambiguous.
 *
 * @usage: shown after the name of the command; alternatives are separated by "\n"
 * @about: shown below the usage: what the command does; ends with "\n"
 * @row: options; --help is added, and so is -h unless a row has the letter h
 * @rows: number of options
 * @operands: whether the command takes operands
 * @stray: hint that names the option that the user may have meant, printed after an unexpected
 *	operand; may be NULL
 * @single_dash: long options may also start with a single dash (lkstlogger -ev)
 * @more: text shown below the options; may be NULL
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
	OPTIONS_READ,		/* @to is filled in; operands start at argv[optind] */
	OPTIONS_HELP,		/* help was requested */
	OPTIONS_WRONG,		/* @err is set */
};

enum options_result options_read(const struct syntax *syntax, int argc, char **argv, void *to,
				 struct lkst_error *err);
int option_take(const struct option_row *row, const char *name, const char *text, void *to,
		struct lkst_error *err);
int option_text(const struct option_row *row, const void *from, char *text, size_t size);
void options_help(const struct syntax *syntax, const char *name, FILE *out);

#endif
