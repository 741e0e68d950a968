// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/base/version.h"
#include "lib/text/parse.h"
#include "options.h"

#define LIST_NAMES 80 /* size of the names in a line of the list of subcommands */

static const char *name_of_program = "lkst";
static const char *name_of_command; /* name of the subcommand; NULL: not known yet */
int option_status;

/**
 * program_name() - return the name of the program
 */
const char *program_name(void)
{
	return name_of_program;
}

static const int write_signals[] = { SIGPIPE, SIGXFSZ };
static struct sigaction write_before[sizeof(write_signals) / sizeof(*write_signals)];

static void program_ignore_write(void)
{
	for (size_t i = 0; i < sizeof(write_signals) / sizeof(*write_signals); i++)
		signal(write_signals[i], SIG_IGN);
}

/**
 * program_begin() - set up the program; must be called first
 * @name: name of the program
 *
 * Ignores SIGPIPE and SIGXFSZ, so that write() fails on a closed pipe or a file that is too large,
 * and the code that writes can handle the error.
 */
void program_begin(const char *name)
{
	name_of_program = name;
	for (size_t i = 0; i < sizeof(write_signals) / sizeof(*write_signals); i++)
		sigaction(write_signals[i], NULL, &write_before[i]);
	program_ignore_write();
}

/**
 * program_execute() - execute another program in place of this one
 * @argv: command line of the other program
 *
 * A program inherits the signals that are ignored, so undo what program_begin() has changed.
 *
 * Return: errno, if the program cannot be executed.
 */
int program_execute(char **argv)
{
	int why;

	for (size_t i = 0; i < sizeof(write_signals) / sizeof(*write_signals); i++)
		sigaction(write_signals[i], &write_before[i], NULL);
	execvp(argv[0], argv);
	why = errno;
	program_ignore_write();
	return why;
}

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP };
static struct sigaction stop_before[sizeof(stop_signals) / sizeof(*stop_signals)];

/**
 * program_catch_stop() - let the signals that stop a program call a function
 * @handler: function, called for SIGINT, SIGTERM and SIGHUP
 *
 * After nohup, SIGHUP remains ignored.
 */
void program_catch_stop(void (*handler)(int signal))
{
	const struct sigaction action = { .sa_handler = handler };

	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(*stop_signals); i++) {
		sigaction(stop_signals[i], NULL, &stop_before[i]);
		if (stop_signals[i] != SIGHUP || stop_before[i].sa_handler != SIG_IGN)
			sigaction(stop_signals[i], &action, NULL);
	}
}

/**
 * program_release_stop() - undo program_catch_stop()
 */
void program_release_stop(void)
{
	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(*stop_signals); i++)
		sigaction(stop_signals[i], &stop_before[i], NULL);
}

/**
 * program_end() - check that all output was written; must be called last
 * @status: exit status so far
 *
 * Return: @status, or EXIT_FAILURE if output was lost.
 */
int program_end(int status)
{
	int failed = 0;

	if (fflush(stdout) || ferror(stdout))
		failed = errno ? errno : EIO;
	if (close(STDOUT_FILENO) && errno != EBADF && !failed)
		failed = errno;
	if (failed && failed != EPIPE) {
		fprintf(stderr, "%s: standard output: write: %s\n", name_of_program,
			strerror(failed));
		return status ? status : EXIT_FAILURE;
	}
	return status;
}

/**
 * program_version() - run the subcommand "version"
 */
int program_version(void)
{
	printf("%s (LKST) %s\n", name_of_program, LKST_TOOLS_VERSION);
	return EXIT_SUCCESS;
}

/* Report an invalid command line, and print how to get help. */
static int command_refuse(const struct lkst_error *err)
{
	const char *blank = name_of_command ? " " : "", *command = name_of_command;

	command = command ? command : "";
	fprintf(stderr, "%s%s%s: %s\nTry \"%s%s%s --help\".\n", name_of_program, blank, command,
		err->text, name_of_program, blank, command);
	return EXIT_USAGE;
}

/**
 * print_notes() - print each line of an error as a note on standard error
 * @err: the error
 */
void print_notes(const struct lkst_error *err)
{
	progress_clear();
	for (const char *line = err->text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		fprintf(stderr, "%s: %.*s\n", name_of_program, (int)strcspn(line, "\n"), line);
	}
}

/**
 * fail() - print an error
 * @err: the error
 *
 * Return: EXIT_USAGE for LKST_ERR_ARGUMENT, otherwise EXIT_FAILURE.
 */
int fail(const struct lkst_error *err)
{
	if (err->code == LKST_ERR_ARGUMENT) {
		progress_clear();
		return command_refuse(err);
	}
	print_notes(err);
	return EXIT_FAILURE;
}

/* Notes that print_note() has not printed yet, one on each line; NULL: it prints them at once. */
static FILE *held;
static char *held_text;
static size_t held_size;

/**
 * print_note() - print a note on standard error
 * @text: one sentence
 */
void print_note(const char *text)
{
	char shown[4096];

	if (!held)
		progress_clear();
	fprintf(held ? held : stderr, "%s: %s\n", name_of_program,
		lkst_printable(text, strlen(text), shown, sizeof(shown)));
}

/**
 * print_note_hold() - keep the notes of print_note() until print_note_release()
 *
 * If memory is short, print_note() prints them at once.
 */
void print_note_hold(void)
{
	held = open_memstream(&held_text, &held_size);
}

/**
 * print_note_release() - end print_note_hold()
 * @print: print the notes that were kept, otherwise drop them
 */
void print_note_release(bool print)
{
	if (!held)
		return;
	if (!fclose(held) && print && held_size) {
		progress_clear();
		fputs(held_text, stderr);
	}
	free(held_text);
	held = NULL;
	held_text = NULL;
}

/**
 * usage() - report an invalid command line
 * @format: as for printf()
 *
 * Return: EXIT_USAGE.
 */
int usage(const char *format, ...)
{
	struct lkst_error err;
	va_list args;

	va_start(args, format);
	lkst_error_vset(&err, LKST_ERR_ARGUMENT, format, args);
	va_end(args);
	return command_refuse(&err);
}

static bool command_has_name(const struct command *command, const char *word)
{
	const char *name = command->name;
	size_t len = strlen(word);

	if (!len || strchr(word, '/'))
		return false;
	while (name) {
		if (!strncmp(name, word, len) && (name[len] == '/' || !name[len]))
			return true;
		name = strchr(name, '/');
		name = name ? name + 1 : NULL;
	}
	return false;
}

static const struct command *command_find_command(const struct program *program, const char *word)
{
	for (size_t i = 0; i < program->num; i++)
		if (command_has_name(&program->commands[i], word))
			return &program->commands[i];
	return NULL;
}

/*
 * Several subcommands can share a line of the list. Return the index after the last subcommand that
 * shares the line with subcommand @first.
 */
static size_t command_line_end(const struct program *program, size_t first)
{
	while (!program->commands[first].summary)
		first++;
	return first + 1;
}

/* Format the names in a line of the list. Returns their length. */
static int command_line(const struct program *program, size_t first, char line[LIST_NAMES])
{
	size_t end = command_line_end(program, first);
	int len = 0;

	for (size_t i = first; i < end && len < LIST_NAMES; i++)
		len += snprintf(line + len, LIST_NAMES - (size_t)len, "%s%s",
				i > first ? ", " : "", program->commands[i].name);
	return len;
}

static void command_print_help(const struct program *program, FILE *to)
{
	char line[LIST_NAMES];
	int width = 14;
	size_t end;

	fprintf(to, "%s - %s\n\nUsage: %s COMMAND [OPTION...]\n\n", program->name, program->title,
		program->name);
	for (size_t i = 0; i < program->num; i = command_line_end(program, i))
		if (command_line(program, i, line) > width)
			width = command_line(program, i, line);
	for (size_t i = 0; i < program->num; i = end) {
		end = command_line_end(program, i);
		command_line(program, i, line);
		fprintf(to, "  %-*s %s\n", width, line, program->commands[end - 1].summary);
	}
	fprintf(to, "  %-*s %s\n  %-*s %s\n", width, "version/ver", "print version information",
		width, "help", "print this help");
	fprintf(to, "\n\"%s COMMAND --help\" shows the options of a command. Manual: %s(8).\n",
		program->name, program->name);
}

struct words {
	size_t num;
	const char *word[64];
	char buf[512];
};

static void command_add_words(struct words *words, size_t *used, const char *names)
{
	char *p = words->buf + *used;
	size_t len = strlen(names) + 1;

	if (*used + len > sizeof(words->buf))
		return;
	memcpy(p, names, len);
	*used += len;
	for (p = strtok(p, "/"); p && words->num < 64; p = strtok(NULL, "/"))
		words->word[words->num++] = p;
}

static const char *command_word_at(void *ctx, size_t i)
{
	return ((struct words *)ctx)->word[i];
}

static int unknown_command(const struct program *program, const char *word)
{
	struct words words = { 0 };
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	size_t used = 0, n;
	char text[256];

	for (size_t i = 0; i < program->num; i++)
		command_add_words(&words, &used, program->commands[i].name);
	command_add_words(&words, &used, "version/ver/help");
	n = lkst_suggest(word, command_word_at, &words, words.num, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	return usage("unknown command \"%s\"%s", word, text);
}

/* Return whether @word is one of the subcommands that every program has. */
static bool command_own_word(const char *word)
{
	return !strcmp(word, "help") || !strcmp(word, "version") || !strcmp(word, "ver");
}

static int command_run(const struct program *program, int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		command_print_help(program, stderr);
		return EXIT_USAGE;
	}
	/* Print the help of the program, because "help" and "version" have no options. */
	if (argc == 3 && command_own_word(argv[1]) && !strcmp(argv[2], "--help")) {
		command_print_help(program, stdout);
		return EXIT_SUCCESS;
	}
	if (!strcmp(argv[1], "help") && argc > 2) {
		command = command_find_command(program, argv[2]);
		if (command) {
			char *help[] = { argv[2], (char *)"--help", NULL };

			name_of_command = argv[2];
			return command->run(2, help);
		}
		if (!command_own_word(argv[2]))
			return unknown_command(program, argv[2]);
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		command_print_help(program, stdout);
		return EXIT_SUCCESS;
	}
	if (!strcmp(argv[1], "version") || !strcmp(argv[1], "ver") ||
	    !strcmp(argv[1], "--version") || !strcmp(argv[1], "-v"))
		return argc > 2 ? usage("unexpected argument \"%s\"", argv[2]) : program_version();
	if (*argv[1] == '-')
		return usage("unknown option \"%s\"", argv[1]);
	command = command_find_command(program, argv[1]);
	if (!command)
		return unknown_command(program, argv[1]);
	name_of_command = argv[1];
	return command->run(argc - 1, argv + 1);
}

/**
 * program_main() - run the subcommand that the command line names
 * @program: name and subcommands of the program
 * @argc: argc of main()
 * @argv: argv of main()
 *
 * Return: exit status.
 */
int program_main(const struct program *program, int argc, char **argv)
{
	program_begin(program->name);
	return program_end(command_run(program, argc, argv));
}

/**
 * arguments() - parse the options of a subcommand
 * @syntax: syntax of the subcommand
 * @argc: number of entries in @argv
 * @argv: command line of the subcommand
 * @to: structure of arguments; may be NULL if there are no options
 *
 * Return: OPTION_END: operands start at argv[optind]; OPTION_STOP: the caller must return
 * option_status.
 */
int arguments(const struct syntax *syntax, int argc, char **argv, void *to)
{
	struct lkst_error err;
	char name[64];

	switch (options_read(syntax, argc, argv, to, &err)) {
	case OPTIONS_READ:
		return OPTION_END;
	case OPTIONS_HELP:
		snprintf(name, sizeof(name), "%s%s%s", name_of_program, name_of_command ? " " : "",
			 name_of_command ? name_of_command : "");
		options_help(syntax, name, stdout);
		option_status = EXIT_SUCCESS;
		return OPTION_STOP;
	default:
		option_status = command_refuse(&err);
		return OPTION_STOP;
	}
}

/**
 * with_device() - open the device, call a function, close the device
 * @act: the function; returns 0, or -1 with @err set
 *
 * Return: exit status; an error has already been printed.
 */
int with_device(int (*act)(struct lkst_device *dev, struct lkst_error *err))
{
	struct lkst_error err;
	struct lkst_device *dev = lkst_device_open(&err);
	int ret;

	if (!dev)
		return fail(&err);
	ret = act(dev, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

/**
 * color_enabled() - check whether standard output should be coloured
 */
bool color_enabled(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

/**
 * terminal_width() - get the width of the terminal in columns
 *
 * Return: the width, 80 if it is unknown; 0 if standard output is not a terminal.
 */
unsigned int terminal_width(void)
{
	const char *env = getenv("COLUMNS");
	struct winsize size;
	long columns = 0;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		columns = size.ws_col;
	if (!columns && env)
		columns = strtol(env, NULL, 10);
	return columns > 0 && columns < 10000 ? (unsigned int)columns : 80;
}

static bool progress_shown;

static uint64_t command_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/**
 * progress_show() - show the progress of a long operation
 * @label: name of the operation, a const char *
 * @done: amount of work done so far, in the unit of @total
 * @total: total amount of work, in any unit
 *
 * Shows nothing during the first half second, so a short operation prints nothing.
 */
void progress_show(void *label, uint64_t done, uint64_t total)
{
	static uint64_t next;
	static int terminal = -1;
	uint64_t now;

	if (terminal < 0)
		terminal = isatty(STDERR_FILENO);
	if (!terminal || !total)
		return;
	now = command_now_ms();
	if (!next)
		next = now + 500;
	if (now < next)
		return;
	next = now + 100;
	fprintf(stderr, "\r%s: %s %3.0f%%\033[K", name_of_program, (const char *)label,
		100.0 * (double)done / (double)total);
	progress_shown = true;
}

/**
 * progress_clear() - erase the progress line
 */
void progress_clear(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}
