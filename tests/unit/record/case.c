// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "script.h"
#include "starts.h"

const struct record_case record_cases[] = {
#define FROM(name, function, variants) { name, .run_from = record_case_##function },
#define ONCE(name, function, variants) { name, .run = record_case_##function },
#include "cases.h"
};

const unsigned int record_case_num = sizeof(record_cases) / sizeof(*record_cases);

void record_case_run(const struct record_case *test)
{
	const struct record_start *start;

	if (test->run)
		test->run();
	for (unsigned int i = 0; test->run_from && (start = record_start(i)); i++)
		test->run_from(start);
}

static char note[512];

void record_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(note, sizeof(note), format, args);
	va_end(args);
}

void record_fail(const char *format, ...)
{
	char message[1280], places[256];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(message, sizeof(message) / 4, format, args);
	va_end(args);
	if ((size_t)len > sizeof(message) / 4)
		len = sizeof(message) / 4 - 1;
	record_script_places(places, sizeof(places));
	snprintf(message + len, sizeof(message) - (size_t)len, " (%s%s)", note, places);
	record_failed(message);
}
