// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parsing of command lines. Each line of the input is a word of a command
 * line: first the program, then the subcommand, then the options. Functions of command.c are
 * replaced, so that each command returns after it has parsed its options.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "fuzz.h"

#define WORDS_MAX 100

#define DECLARE(name) int main_##name(int argc, char **argv);
PROGRAMS(DECLARE)

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
} programs[] = {
#define ENTRY(name) { #name, main_##name },
	PROGRAMS(ENTRY)
};

#define PROGRAMS_NUM (sizeof(programs) / sizeof(*programs))

/* ---- replacements for functions of command.c, which the Makefile makes weak ---- */

static FILE *null_file;

int program_end(int status)
{
	return status;
}

int program_version(void)
{
	return 0;
}

int program_main(const struct program *program, int argc, char **argv)
{
	const struct command *command;

	if (argc < 2)
		return EXIT_USAGE;
	/* If no subcommand begins with the word, its first character selects one. */
	command = &program->commands[(unsigned char)argv[1][0] % program->num];
	for (size_t i = program->num; i--;)
		if (!strncmp(program->commands[i].name, argv[1], strlen(argv[1])))
			command = &program->commands[i];
	return command->run(argc - 1, argv + 1);
}

int arguments(const struct syntax *syntax, int argc, char **argv, void *to)
{
	struct lkst_error err = { 0 };

	switch (options_read(syntax, argc, argv, to, &err)) {
	case OPTIONS_READ:
		MUST(optind >= 1 && optind <= argc);
		MUST(syntax->operands || optind == argc);
		break;
	case OPTIONS_HELP:
		options_help(syntax, "fuzz", null_file);
		break;
	case OPTIONS_WRONG:
		MUST_EXPLAIN(err);
		break;
	}
	option_status = EXIT_FAILURE;
	return OPTION_STOP;
}

int usage(const char *format, ...)
{
	(void)format;
	return EXIT_USAGE;
}

int fail(const struct lkst_error *err)
{
	MUST(err->text[0]);
	return EXIT_FAILURE;
}

void print_note(const char *text)
{
	(void)text;
}

/* Never called: commands would call this after arguments(), but arguments() makes them return. */
int with_device(int (*act)(struct lkst_device *dev, struct lkst_error *err))
{
	(void)act;
	abort();
}

/* ---- fuzz target ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *rest = text;
	char *argv[WORDS_MAX + 1], *word;
	size_t program;
	int argc = 0;

	if (!null_file)
		null_file = fopen("/dev/null", "we");
	MUST(text && null_file);
	while (argc < WORDS_MAX && (word = strsep(&rest, "\n")) != NULL)
		argv[argc++] = word;
	argv[argc] = NULL;
	program = (unsigned char)argv[0][0] % PROGRAMS_NUM;
	for (size_t i = 0; i < PROGRAMS_NUM; i++)
		if (!strcmp(programs[i].name, argv[0]))
			program = i;
	programs[program].main(argc, argv);
	free(text);
	return 0;
}
