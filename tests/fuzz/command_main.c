// SPDX-License-Identifier: GPL-2.0
/*
 * Runs main() of a command. The replacements for functions of command.c check error messages and
 * notes, and do not print them.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "cli/command.h"
#include "command_main.h"
#include "fuzz.h"

#define WORDS_MAX 40

int main_lkstbuf(int argc, char **argv);
int main_lkstla(int argc, char **argv);

static const char *must_not_say;

/* ---- replacements for functions of command.c, which the Makefile makes weak ---- */

int program_main(const struct program *program, int argc, char **argv)
{
	for (size_t i = 0; i < program->num; i++)
		if (!strcmp(program->commands[i].name, argv[1]))
			return program->commands[i].run(argc - 1, argv + 1);
	abort();
}

int fail(const struct lkst_error *err)
{
	MUST(err->text[0]);
	MUST(!must_not_say || strncmp(err->text, must_not_say, strlen(must_not_say)));
	return EXIT_FAILURE;
}

void print_note(const char *text)
{
	MUST(*text);
}

/* ---- running a command ---- */

/*
 * Discard what the command prints with stdio. libFuzzer does not use stdio, so its own output still
 * appears.
 */
static void drop_output(void)
{
	static FILE *null_file;

	if (null_file)
		return;
	null_file = fopen("/dev/null", "we");
	MUST(null_file);
	stdout = stderr = null_file;
}

int signed_file(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	int fd;

	MUST(copy);
	memcpy(copy, data, size);
	sign_files(copy, size);
	fd = fuzz_file(copy, size);
	free(copy);
	return fd;
}

static void run_main(int (*main)(int argc, char **argv), const char *name,
		     const char *const *words, const char *says)
{
	char *argv[WORDS_MAX + 2] = { strdup(name) };
	int argc = 1;

	MUST(argv[0]);
	while (*words) {
		MUST(argc <= WORDS_MAX);
		argv[argc] = strdup(*words++);
		MUST(argv[argc++]);
	}
	drop_output();
	must_not_say = says;
	optind = 0;
	/* getopt_long() may change the order of argv[], but argv[] still contains all words. */
	main(argc, argv);
	while (argc)
		free(argv[--argc]);
}

void run_lkstla(const char *const *words, const char *says)
{
	run_main(main_lkstla, "lkstla", words, says);
}

void run_lkstbuf(const char *const *words)
{
	run_main(main_lkstbuf, "lkstbuf", words, NULL);
}
