/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests of record.h. The program in alone.c runs them on record.h, or on a variant or mutant
 * of it. test_record.c runs the programs of all variants and mutants.
 */
#ifndef _RECORD_CASE_H
#define _RECORD_CASE_H

struct record_start;

/* A test. If it has run_from, that function is called for each state in starts.c. */
struct record_case {
	const char *name;
	void (*run)(void);
	void (*run_from)(const struct record_start *start);
};

extern const struct record_case record_cases[];
extern const unsigned int record_case_num;

void record_case_run(const struct record_case *test);

/* Set the description of the current step. record_fail() includes it in its message. */
void record_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Report that the test has failed, and end it. */
void record_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Print the message of a failed test, and exit. Defined in alone.c. */
void record_failed(const char *message) __attribute__((noreturn));

#define FROM(name, function, ...) void record_case_##function(const struct record_start *start);
#define ONCE(name, function, ...) void record_case_##function(void);
#include "cases.h"

#endif
