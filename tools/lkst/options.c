// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/messages.h"
#include "options.h"

enum {
	ROWS_MAX = 64,
	LONG = 0x100,	/* getopt's value of row 0; letters are below */
	HELP = LONG + ROWS_MAX,
	LEFT_MAX = 22,	/* columns of the left half of --help */
};

static bool has_letter(const struct syntax *syntax, char letter)
{
	for (size_t i = 0; i < syntax->rows; i++)
		if (syntax->row[i].letter == letter)
			return true;
	return false;
}

/* What getopt_long() needs. Every option has the value LONG + row, so letters are looked up. */
struct getopt_form {
	char letters[2 * ROWS_MAX + 4];
	struct option names[ROWS_MAX + 2];
};

static void make_form(const struct syntax *syntax, struct getopt_form *form)
{
	struct option *name = form->names;
	char *p = form->letters;

	/* Words that are no options may stand anywhere; a missing value is told apart. */
	*p++ = ':';
	for (size_t i = 0; i < syntax->rows && i < ROWS_MAX; i++) {
		const struct option_row *row = &syntax->row[i];

		if (row->letter)
			*p++ = row->letter;
		if (row->letter && row->value)
			*p++ = ':';
		if (row->name)
			*name++ = (struct option){ row->name,
						   row->value ? required_argument : no_argument,
						   NULL, LONG + (int)i };
	}
	if (!has_letter(syntax, 'h'))
		*p++ = 'h';
	*p = 0;
	*name++ = (struct option){ "help", no_argument, NULL, HELP };
	*name = (struct option){ 0 };
}

static const struct option_row *row_of(const struct syntax *syntax, int c)
{
	if (c >= LONG)
		return &syntax->row[c - LONG];
	for (size_t i = 0; i < syntax->rows; i++)
		if (syntax->row[i].letter == c)
			return &syntax->row[i];
	return NULL;
}

static const char *name_at(void *ctx, size_t i)
{
	const struct option *name = ctx;

	return name[i].name;
}

static void unknown(const struct getopt_form *form, const char *word, struct lkst_error *err)
{
	const char *near[LKST_NEAR_MAX], *bare = word + strspn(word, "-");
	char key[64], text[256];
	size_t names = 0, n;

	while (form->names[names].name)
		names++;
	snprintf(key, sizeof(key), "%.*s", (int)strcspn(bare, "="), bare);
	n = strlen(key) > 1 ? lkst_near(key, name_at, (void *)form->names, names, near) : 0;
	lkst_near_text(near, n, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_UNKNOWN, word, text);
}

static void wrong(const struct getopt_form *form, int c, char **argv, int at,
		  struct lkst_error *err)
{
	if (c == ':')
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_VALUE, argv[optind - 1]);
	else if (optopt >= LONG)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_NO_VALUE, argv[optind - 1]);
	else if (optopt && argv[at][0] == '-' && argv[at][1] != '-' && !strchr(argv[at], '='))
		unknown(form, (const char[]){ '-', (char)optopt, 0 }, err);
	else
		unknown(form, argv[at], err);
}

static int take_choice(const struct option_row *row, const char *text, int *to,
		       struct lkst_error *err)
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
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_CHOICE, row->what, text, all);
	return -1;
}

static int take(const struct option_row *row, const char *text, void *to, struct lkst_error *err)
{
	struct option_words *words = to;
	long number;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)to = true;
		return 0;
	case OPTION_TEXT:
		*(const char **)to = text;
		return 0;
	case OPTION_NUMBER:
		if (lkst_parse_range(row->what, text, (long)row->min, (long)row->max, &number, err))
			return -1;
		*(int64_t *)to = number;
		return 0;
	case OPTION_SIZE:
		return lkst_parse_size(row->what, text, (uint64_t)row->min, (uint64_t)row->max, to,
				       err);
	case OPTION_CHOICE:
		return take_choice(row, text, to, err);
	case OPTION_WORDS:
		if (words->num == OPTION_WORDS_MAX) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPTION_OFTEN, row->letter,
				       OPTION_WORDS_MAX);
			return -1;
		}
		words->word[words->num++] = text;
		return 0;
	}
	return 0;
}

/**
 * options_read() - read a command line
 * @syntax: of the command
 * @argc: of the command
 * @argv: argv[0] is its name. Words that are no options are moved to the end
 * @to: structure of arguments, filled in before with what holds when an option is not given
 * @err: what is wrong
 */
enum options_result options_read(const struct syntax *syntax, int argc, char **argv, void *to,
				 struct lkst_error *err)
{
	struct getopt_form form;
	const struct option_row *row;
	int c, at;

	make_form(syntax, &form);
	opterr = 0;
	optind = 0; /* glibc: from the start */
	for (;;) {
		at = optind ? optind : 1;
		c = syntax->single_dash ?
			    getopt_long_only(argc, argv, form.letters, form.names, NULL) :
			    getopt_long(argc, argv, form.letters, form.names, NULL);
		if (c == -1)
			break;
		if (c == HELP || (c == 'h' && !has_letter(syntax, 'h')))
			return OPTIONS_HELP;
		if (c == ':' || c == '?') {
			wrong(&form, c, argv, at < argc ? at : argc - 1, err);
			return OPTIONS_WRONG;
		}
		row = row_of(syntax, c);
		if (take(row, optarg, (char *)to + row->offset, err))
			return OPTIONS_WRONG;
	}
	if (!syntax->operands && optind < argc) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OPERAND, argv[optind]);
		return OPTIONS_WRONG;
	}
	return OPTIONS_READ;
}

/* "-f, --follow" and so on; returns its length. */
static int left_half(const struct syntax *syntax, const struct option_row *row, char *text,
		     size_t size)
{
	const char *dash = syntax->single_dash ? "-" : "--";
	char letter[3] = { row->letter ? '-' : 0, row->letter, 0 };

	return snprintf(text, size, "  %s%s%s%s%s%s", letter, row->letter && row->name ? ", " : "",
			row->name ? dash : "", row->name ? row->name : "", row->value ? " " : "",
			row->value ? row->value : "");
}

static void print_row(const char *left, int width, const char *help, FILE *out)
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
 * @syntax: of the command
 * @name: of the program and the command
 * @out: where to
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
		int len = left_half(syntax, &syntax->row[i], left, sizeof(left));

		if (len > width && len <= LEFT_MAX)
			width = len;
	}
	for (size_t i = 0; i < syntax->rows; i++) {
		left_half(syntax, &syntax->row[i], left, sizeof(left));
		print_row(left, width + 2, syntax->row[i].help, out);
	}
	if (syntax->more)
		fprintf(out, "\n%s", syntax->more);
}
