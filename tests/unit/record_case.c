// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "record_starts.h"

const struct record_case record_cases[] = {
	{ "nested", .run_from = record_case_nested },
	{ "interrupted-twice", .run_from = record_case_interrupted_twice },
	{ "interrupted-thrice", .run_from = record_case_interrupted_thrice },
	{ "three-deep", .run_from = record_case_three_deep },
	{ "random", .run_from = record_case_random },
	{ "bounded", .run_from = record_case_bounded },
	{ "dropped-long-ago", .run_from = record_case_dropped_long_ago },
	{ "reader-in-writer", .run_from = record_case_reader_in_writer },
	{ "writer-in-reader", .run_from = record_case_writer_in_reader },
	{ "reader-and-writers", .run_from = record_case_reader_and_writers },
	{ "side-by-side", .run_from = record_case_side_by_side },
	{ "index-comes-again", .run_from = record_case_index_comes_again },
	{ "shift-in-event", .run = record_case_shift_in_event },
	{ "shifts-in-event", .run = record_case_shifts_in_event },
	{ "image", .run = record_case_image },
	{ "image-after-shift", .run = record_case_image_after_shift },
	{ "image-laps", .run = record_case_image_laps },
	{ "shift-in-nested", .run = record_case_shift_in_nested },
	{ "event-in-shift", .run = record_case_event_in_shift },
	{ "random-shifts", .run = record_case_random_shifts },
	{ "shift-in-reader", .run = record_case_shift_in_reader },
	{ "shift-and-reader", .run = record_case_shift_and_reader },
	{ "old-records", .run = record_case_old_records },
	{ "full", .run = record_case_full },
	{ "slow-reader", .run = record_case_slow_reader },
	{ "many-shifts", .run = record_case_many_shifts },
	{ "weak", .run = record_case_weak },
	{ "trap-counts", .run_from = record_case_trap_counts },
	{ "trap-writers", .run_from = record_case_trap_writers },
	{ "trap-readers", .run_from = record_case_trap_readers },
	{ "threads", .run = record_case_threads },
};

const unsigned int record_case_num = sizeof(record_cases) / sizeof(*record_cases);

void record_case_run(const struct record_case *test)
{
	const struct record_start *start;
	unsigned int i;

	if (test->run)
		test->run();
	for (i = 0; test->run_from && (start = record_start(i)); i++)
		test->run_from(start);
}

static char note[256];

void record_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(note, sizeof(note), format, args);
	va_end(args);
}

void record_fail(const char *format, ...)
{
	char message[640];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(message, sizeof(message) / 2, format, args);
	va_end(args);
	if ((size_t)len > sizeof(message) / 2)
		len = sizeof(message) / 2 - 1;
	snprintf(message + len, sizeof(message) - (size_t)len, " (%s)", note);
	record_failed(message);
}
