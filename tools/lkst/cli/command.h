/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by all commands: running subcommands, parsing options, and reporting errors. */
#ifndef _COMMAND_H
#define _COMMAND_H

#include <unistd.h> /* optind: first operand after arguments() */
#include <stdio.h>

#include "lib/lkst.h"

struct syntax;

enum {
	EXIT_USAGE = 2
};

/**
 * struct command - a subcommand
 * @name: name, followed by aliases separated by "/"
 * @run: main function, where argv[0] is the subcommand; returns the exit status
 * @summary: one line for the list of commands; NULL: the command shares the line of the next one.
 *	The last command has a summary
 */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

struct program {
	const char *name;
	const char *title;
	const struct command *commands;
	size_t num;
};

int program_main(const struct program *program, int argc, char **argv);
int program_version(void);
const char *program_name(void);
void program_begin(const char *name);
int program_execute(char **argv);
void program_catch_stop(void (*handler)(int signal));
void program_release_stop(void);
int program_end(int status);

int arguments(const struct syntax *syntax, int argc, char **argv, void *to);
int with_device(int (*act)(struct lkst_device *dev, struct lkst_error *err));
int fail(const struct lkst_error *err);
int usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_note(const char *text);
void print_note_hold(void);
void print_note_release(bool print);
void print_notes(const struct lkst_error *err);

enum {
	OPTION_END = -1,
	OPTION_STOP = -2, /* after --help or an error: the caller must return option_status */
};

extern int option_status;

bool color_enabled(void);
unsigned int terminal_width(void);

/* Progress of a long operation, shown only on a terminal. */
void progress_show(void *label, uint64_t done, uint64_t total);
void progress_clear(void);

#endif
