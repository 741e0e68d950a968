/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests of record.h. The program in alone.c runs them on record.h, on a variant of it (compiled
 * in another way) or on a mutant (with one step removed). test_record.c runs the programs of all
 * variants and mutants.
 */
#ifndef _RECORD_CASE_H
#define _RECORD_CASE_H

struct record_start;

extern const char *record_test; /* the name of the test that is running */

/* Set the description of the current step. record_fail() includes it in its message. */
void record_describe(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Print why the test has failed, and exit. */
void record_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#define FROM(name, function, ...) void record_case_##function(const struct record_start *start);
#define ONCE(name, function, ...) void record_case_##function(void);
#include "cases.h"

#endif
