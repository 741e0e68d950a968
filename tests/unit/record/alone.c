// SPDX-License-Identifier: GPL-2.0
/*
 * usage: alone [CASE|variants]
 *
 * Runs all tests, the test CASE, or the tests that are meant for variants. This program is built
 * several times, with record.h itself and with each of its variants and mutants. Exits at the first
 * failure. Exit status: 0 if no test failed; 1 if a test failed, with its message on standard
 * output; 2 if there is no such test.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "script.h"
#include "world.h"

/* A test. If it has run_from, that function is called for each state in starts.c. */
static const struct record_case {
	const char *name;
	void (*run)(void);
	void (*run_from)(const struct record_start *start);
	bool on_variants;
} cases[] = {
#define FROM(name, function, variants) { name, NULL, record_case_##function, variants },
#define ONCE(name, function, variants) { name, record_case_##function, NULL, variants },
#include "cases.h"
};

const char *record_test;
static char description[512];

void record_describe(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(description, sizeof(description), format, args);
	va_end(args);
}

void record_fail(const char *format, ...)
{
	char places[256];
	va_list args;

	record_script_places(places, sizeof(places));
	printf("%s: ", record_test);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(" (%s%s)\n", description, places);
	fflush(stdout);
	_exit(1);
}

int main(int argc, char **argv)
{
	unsigned int i, n, ran = 0;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct record_case *test = &cases[i];
		const struct record_start *start;

		record_test = test->name;
		if (argc > 1 && strcmp(argv[1], record_test) &&
		    (strcmp(argv[1], "variants") || !test->on_variants))
			continue;
		if (test->run)
			test->run();
		for (n = 0; test->run_from && (start = record_start(n)); n++)
			test->run_from(start);
		ran++;
	}
	return ran ? 0 : 2;
}
