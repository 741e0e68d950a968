// SPDX-License-Identifier: GPL-2.0
/*
 * usage: alone [CASE...]
 *
 * Runs all tests, or the named ones, on a variant of record.h, and exits at the first failure. Exit
 * status: 0 if no test failed; 1 if a test failed, with its message on standard output; 2 if no
 * test has a given name.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "case.h"

static const char *name;

void record_failed(const char *message)
{
	printf("%s: %s\n", name, message);
	fflush(stdout);
	_exit(1);
}

static bool wanted(char **names)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

int main(int argc, char **argv)
{
	unsigned int i, ran = 0;

	for (i = 0; i < record_case_num; i++) {
		struct timespec from, to;

		name = record_cases[i].name;
		if (argc > 1 && !wanted(argv + 1))
			continue;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		record_case_run(&record_cases[i]);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		if (getenv("RECORD_TIMES"))
			printf("%s: %.2f s\n", name,
			       (double)(to.tv_sec - from.tv_sec) +
				       (double)(to.tv_nsec - from.tv_nsec) / 1e9);
		ran++;
	}
	return ran ? 0 : 2;
}
