// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/parse.h"
#include "messages.h"
#include "options.h"

enum {
	ROWS_MAX = 64,
	LONG = 0x100, /* getopt value of the long option of row 0; smaller values are letters */
	NO = LONG + ROWS_MAX, /* getopt value of row 0 with "no-" before its name */
	HELP = NO + ROWS_MAX,
	NAME_MAX_LEN = 32,
	LEFT_MAX = 22, /* width of the left column of --help */
};

static bool option_has_letter(const struct syntax *syntax, char letter)
{
	for (size_t i = 0; i < syntax->rows; i++)
		if (syntax->row[i].letter == letter)
			return true;
	return false;
}

/* Tables for getopt_long(), which returns LONG + row for a long option, or a letter. */
struct getopt_form {
	char letters[2 * ROWS_MAX + 4];
	char no_names[ROWS_MAX][NAME_MAX_LEN];
	struct option names[2 * ROWS_MAX + 2];
	size_t num;
};

static void option_add_name(struct getopt_form *form, const char *name, bool value, int c)
{
	form->names[form->num++] =
		(struct option){ name, value ? required_argument : no_argument, NULL, c };
}

static void option_make_form(const struct syntax *syntax, struct getopt_form *form)
{
	char *p = form->letters;

	form->num = 0;
	/* The leading ":" makes getopt_long() return ':' if the value of an option is missing. */
	*p++ = ':';
	for (size_t i = 0; i < syntax->rows && i < ROWS_MAX; i++) {
		const struct option_row *row = &syntax->row[i];

		if (row->letter)
			*p++ = row->letter;
		if (row->letter && row->value)
			*p++ = ':';
		if (row->name)
			option_add_name(form, row->name, row->value, LONG + (int)i);
		if (row->kind == OPTION_SWITCH) {
			snprintf(form->no_names[i], NAME_MAX_LEN, "no-%s", row->name);
			option_add_name(form, form->no_names[i], false, NO + (int)i);
		}
	}
	if (!option_has_letter(syntax, 'h'))
		*p++ = 'h';
	*p = 0;
	option_add_name(form, "help", false, HELP);
	form->names[form->num] = (struct option){ 0 };
}

static const struct option_row *option_row_of(const struct syntax *syntax, int c)
{
	if (c >= LONG)
		return &syntax->row[(c - LONG) % ROWS_MAX];
	for (size_t i = 0; i < syntax->rows; i++)
		if (syntax->row[i].letter == c)
			return &syntax->row[i];
	return NULL;
}

static const char *options_name_at(void *ctx, size_t i)
{
	const struct getopt_form *form = ctx;

	return form->names[i].name;
}

/* Return the prefix of long options. */
static const char *option_dash_of(const struct syntax *syntax)
{
	return syntax->single_dash ? "-" : "--";
}

/* Prepend dashes to the names, as users type them. */
static void option_put_dashes(const struct syntax *syntax, const char **suggestions, size_t n,
			      char dashed[][NAME_MAX_LEN])
{
	for (size_t i = 0; i < n; i++) {
		snprintf(dashed[i], NAME_MAX_LEN, "%s%s", option_dash_of(syntax), suggestions[i]);
		suggestions[i] = dashed[i];
	}
}

/* Report a name that is unknown, or an ambiguous abbreviation. */
static void options_unknown_name(const struct syntax *syntax, const struct getopt_form *form,
				 const char *word, struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX], *bare = word + strspn(word, "-");
	char name[NAME_MAX_LEN], dashed[LKST_SUGGESTIONS_MAX][NAME_MAX_LEN], text[256];
	size_t n = 0;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(bare, "="), bare);
	for (size_t i = 0; *name && i < form->num && n < LKST_SUGGESTIONS_MAX; i++)
		if (!strncmp(form->names[i].name, name, strlen(name)))
			suggestions[n++] = form->names[i].name;
	if (!n)
		n = lkst_suggest(name, options_name_at, (void *)form, form->num, suggestions);
	option_put_dashes(syntax, suggestions, n, dashed);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_UNKNOWN, word, text);
}

/*
 * Set @err for an error that getopt_long() found. After a long option, optind has already moved to
 * the next word.
 */
static void options_wrong(const struct syntax *syntax, const struct getopt_form *form, int c,
			  char **argv, struct lkst_error *err)
{
	const char letter[] = { '-', (char)optopt, 0 };
	const char *word = optopt && optopt < LONG ? letter : argv[optind - 1];

	if (c == ':')
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_VALUE, word);
	else if (optopt >= LONG)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_NO_VALUE, word);
	else if (optopt)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_UNKNOWN, word, "");
	else
		options_unknown_name(syntax, form, word, err);
}

/*
 * Return the name of a value for error messages: @label of the row or, if that is NULL, the option.
 */
static const char *option_row_label(const struct syntax *syntax, const struct option_row *row,
				    char *text, size_t size)
{
	if (row->label)
		return row->label;
	if (row->letter)
		snprintf(text, size, "-%c", row->letter);
	else
		snprintf(text, size, "%s%s", option_dash_of(syntax), row->name);
	return text;
}

static int option_take_choice(const struct option_row *row, const char *name, const char *text,
			      int *to, struct lkst_error *err)
{
	char all[256] = "";

	for (int i = 0; row->choices[i]; i++) {
		size_t len = strlen(all);

		if (!strcmp(row->choices[i], text)) {
			*to = i;
			return 0;
		}
		snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "", row->choices[i]);
	}
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_CHOICE, name, text, all);
	return -1;
}

static const char *const switch_words[] = { "no",   "yes", "off", "on", "false",
					    "true", "0",   "1",	  NULL };

static int option_take_switch(const char *name, const char *text, bool *to, struct lkst_error *err)
{
	for (int i = 0; switch_words[i]; i++) {
		if (strcasecmp(switch_words[i], text) != 0)
			continue;
		*to = i & 1;
		return 0;
	}
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_CHOICE, name, text, "yes, no");
	return -1;
}

/**
 * option_take() - parse and store the value of an option
 * @row: option
 * @name: name of the value in error messages
 * @text: the value; not copied, so it must live as long as @to; unused for a flag
 * @to: structure of arguments
 * @err: set if the value is invalid
 */
int option_take(const struct option_row *row, const char *name, const char *text, void *to,
		struct lkst_error *err)
{
	struct option_words *words;
	long number;

	to = (char *)to + row->offset;
	words = to;
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)to = true;
		return 0;
	case OPTION_SWITCH:
		return option_take_switch(name, text, to, err);
	case OPTION_TEXT:
		*(const char **)to = text;
		return 0;
	case OPTION_NUMBER:
		if (lkst_parse_range(name, text, (long)row->min, (long)row->max, &number, err))
			return -1;
		*(int64_t *)to = number;
		return 0;
	case OPTION_SIZE:
		return lkst_parse_size(name, text, (uint64_t)row->min, (uint64_t)row->max, to, err);
	case OPTION_CHOICE:
		return option_take_choice(row, name, text, to, err);
	case OPTION_WORDS:
		if (words->num == OPTION_WORDS_MAX) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_OFTEN, name,
				       OPTION_WORDS_MAX);
			return -1;
		}
		words->word[words->num++] = text;
		return 0;
	}
	return 0;
}

/**
 * option_text() - format the value of an option, such that option_take() accepts it
 * @row: option
 * @from: structure of arguments
 * @text: result
 * @size: size of @text in bytes
 *
 * Return: length of the text, as snprintf() returns it; 0 if the option has no value.
 */
int option_text(const struct option_row *row, const void *from, char *text, size_t size)
{
	const char *value;

	from = (const char *)from + row->offset;
	switch (row->kind) {
	case OPTION_FLAG:
	case OPTION_SWITCH:
		return snprintf(text, size, "%s", switch_words[*(const bool *)from]);
	case OPTION_TEXT:
		value = *(const char *const *)from;
		return snprintf(text, size, "%s", value ? value : "");
	case OPTION_NUMBER:
		return snprintf(text, size, "%lld", (long long)*(const int64_t *)from);
	case OPTION_SIZE:
		return lkst_size_text(*(const uint64_t *)from, text, size);
	case OPTION_CHOICE:
		return snprintf(text, size, "%s", row->choices[*(const int *)from]);
	case OPTION_WORDS:
		break;
	}
	*text = 0;
	return 0;
}

/**
 * options_read() - parse a command line
 * @syntax: syntax of the command
 * @argc: number of entries in @argv
 * @argv: argv[0] is the name of the command; operands are moved to the end
 * @to: structure of arguments; the caller fills in the defaults
 * @err: set if the command line is invalid
 */
enum options_result options_read(const struct syntax *syntax, int argc, char **argv, void *to,
				 struct lkst_error *err)
{
	struct getopt_form form;
	const struct option_row *row;
	char name[64];
	int c;

	option_make_form(syntax, &form);
	opterr = 0;
	optind = 0; /* makes glibc restart the scan */
	for (;;) {
		c = syntax->single_dash ?
			    getopt_long_only(argc, argv, form.letters, form.names, NULL) :
			    getopt_long(argc, argv, form.letters, form.names, NULL);
		if (c == -1)
			break;
		if (c == HELP || (c == 'h' && !option_has_letter(syntax, 'h')))
			return OPTIONS_HELP;
		if (c == ':' || c == '?') {
			options_wrong(syntax, &form, c, argv, err);
			return OPTIONS_WRONG;
		}
		row = option_row_of(syntax, c);
		if (row->kind == OPTION_SWITCH)
			optarg = (char *)(c >= NO ? "no" : "yes");
		if (option_take(row, option_row_label(syntax, row, name, sizeof(name)), optarg, to,
				err))
			return OPTIONS_WRONG;
	}
	if (!syntax->operands && optind < argc) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPERAND, argv[optind],
			       syntax->stray ? ": " : "", syntax->stray ? syntax->stray : "");
		return OPTIONS_WRONG;
	}
	return OPTIONS_READ;
}

/* Format the left column, such as "-f, --follow" or "--[no-]start"; returns its length. */
static int option_left_half(const struct syntax *syntax, const struct option_row *row, char *text,
			    size_t size)
{
	char letter[3] = { row->letter ? '-' : 0, row->letter, 0 };

	return snprintf(text, size, "  %s%s%s%s%s%s%s", letter,
			row->letter && row->name ? ", " : "",
			row->name ? option_dash_of(syntax) : "",
			row->kind == OPTION_SWITCH ? "[no-]" : "", row->name ? row->name : "",
			row->value ? " " : "", row->value ? row->value : "");
}

/*
 * Format the left column of all rows that share a line. @i is the first of these rows, and is set
 * to the last.
 */
static int option_left_halves(const struct syntax *syntax, size_t *i, char *text, size_t size)
{
	int len = option_left_half(syntax, &syntax->row[*i], text, size);
	char more[80];

	while (!syntax->row[*i].help && *i + 1 < syntax->rows) {
		option_left_half(syntax, &syntax->row[++*i], more, sizeof(more));
		len += snprintf(text + len, size - (size_t)len, ",%s", more + 1);
	}
	return len;
}

static void option_print_row(const char *left, int width, const char *help, FILE *out)
{
	int len = (int)strlen(left);

	fputs(left, out);
	if (len > width - 2) {
		fputc('\n', out);
		len = 0;
	}
	for (;;) {
		size_t line = strcspn(help, "\n");

		fprintf(out, "%*s%.*s\n", width - len, "", (int)line, help);
		help += line;
		if (!*help)
			return;
		help++;
		len = 0;
	}
}

/**
 * options_help() - print --help
 * @syntax: syntax of the command
 * @name: name of the program and of the command
 * @out: stream to print to
 */
void options_help(const struct syntax *syntax, const char *name, FILE *out)
{
	const char *line = syntax->usage, *before = "Usage: ";
	char left[80];
	int width = 0;

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		fprintf(out, "%s%s%s%.*s\n", before, name, *line && *line != '\n' ? " " : "",
			(int)strcspn(line, "\n"), line);
		before = "       ";
	}
	fprintf(out, "\n%s", syntax->about);
	if (syntax->rows)
		fputc('\n', out);
	for (size_t i = 0; i < syntax->rows; i++) {
		int len;

		if (syntax->row[i].hidden)
			continue;
		len = option_left_halves(syntax, &i, left, sizeof(left));
		if (len > width && len <= LEFT_MAX)
			width = len;
	}
	for (size_t i = 0; i < syntax->rows; i++) {
		if (syntax->row[i].hidden)
			continue;
		option_left_halves(syntax, &i, left, sizeof(left));
		option_print_row(left, width + 2, syntax->row[i].help, out);
	}
	if (syntax->more)
		fprintf(out, "\n%s", syntax->more);
}
