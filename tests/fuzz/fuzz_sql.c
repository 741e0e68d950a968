// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes lkstla sql with damaged traces, after their checksums have been corrected. The size of the
 * input chooses one of the queries, which together read all columns of all tables, with conditions
 * and joins. main() of lkstla is called. Functions of command.c are replaced, to check errors and
 * to drop messages.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "cli/command.h"
#include "fuzz.h"

int main_lkstla(int argc, char **argv);

static const char *const queries[] = {
	"SELECT * FROM event",
	"SELECT count(*), sum(args ->> 'prio'), max(at(time_ns)) FROM event "
	"WHERE time_ns >= ns('+10us') AND time_ns < ns('-10us') AND cpu = 1",
	"SELECT * FROM event WHERE type IN ('process_waking', 'system_call_exit') AND tid = 100",
	"SELECT * FROM mark",
	"SELECT * FROM sched ORDER BY thread",
	"SELECT * FROM state WHERE end_ns <= ns('+20us')",
	"SELECT * FROM cpu WHERE cpu = 0",
	"SELECT * FROM wake WHERE pid = 100",
	"SELECT * FROM syscall",
	"SELECT * FROM irq",
	"SELECT * FROM block",
	"SELECT * FROM lock",
	"SELECT thread.*, loss.*, info.* FROM thread LEFT JOIN loss LEFT JOIN info",
	"WITH run AS MATERIALIZED (SELECT * FROM sched) SELECT * FROM wake JOIN run "
	"ON run.tid = wake.tid AND run.begin_ns = wake.ran_ns",
};

#define QUERIES (sizeof(queries) / sizeof(*queries))

/* ---- replacements for functions of command.c, which the Makefile makes weak ---- */

int program_main(const struct program *program, int argc, char **argv)
{
	for (size_t i = 0; i < program->num; i++)
		if (!strcmp(program->commands[i].name, argv[1]))
			return program->commands[i].run(argc - 1, argv + 1);
	abort();
}

/* The queries are valid, so an error must be that of the trace. */
int fail(const struct lkst_error *err)
{
	MUST(err->text[0]);
	MUST(strncmp(err->text, "the query", 9));
	return EXIT_FAILURE;
}

void print_note(const char *text)
{
	MUST(*text);
}

/* ---- fuzz target ---- */

/* Run a query of the trace on standard input. */
static void run(const char *query, const char *form)
{
	char words[][8] = { "lkstla", "sql", "-f", "-", "--any", "" };
	char *text = strdup(query);
	char *argv[] = { words[0], words[1], text, words[2], words[3], words[4], words[5], NULL };

	MUST(text);
	strcpy(words[5], form);
	optind = 0;
	main_lkstla(7, argv);
	free(text);
}

/* The header and the result are not of interest. libFuzzer does not print with stdio. */
static void drop_output(void)
{
	static FILE *null_file;

	if (null_file)
		return;
	null_file = fopen("/dev/null", "we");
	MUST(null_file);
	stdout = stderr = null_file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = { "--csv", "--json", "--any" };
	uint8_t *copy = malloc(size + 1);
	int fd;

	drop_output();
	MUST(copy);
	memcpy(copy, data, size);
	sign_files(copy, size);
	fd = fuzz_file(copy, size);
	MUST(fd >= 0 && dup2(fd, STDIN_FILENO) >= 0);
	close(fd);
	free(copy);
	run(queries[size % QUERIES], forms[size / QUERIES % 3]);
	return 0;
}
