/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests that use the Check library and print their results as TAP on standard output. A file
 * defines its tests with TEST(). main() in tap.c runs them in the order of their definition.
 */
#ifndef _TAP_H
#define _TAP_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"

/*
 * Replace a function of Check that every successful assertion calls. It writes the source line of
 * the assertion to a file, for a message about a crash. Tests with many assertions would spend most
 * of their time there. AddressSanitizer reports where a test crashes, so the message is not needed.
 */
#define _mark_point(file, line) ((void)0)

/* Check that a call returned 0, or a pointer other than NULL. If not, print the error in err. */
#define assert_ok(ret)	 ck_assert_msg((ret) == 0, "%s", err.text)
#define assert_made(ptr) ck_assert_msg((ptr) != NULL, "%s", err.text)

#define assert_begins(text, start)                                                   \
	ck_assert_msg(!strncmp(text, start, strlen(start)), "\"%s\" does not begin with \"%s\"", \
		      text, start)
#define assert_contains(text, part) \
	ck_assert_msg(strstr(text, part) != NULL, "\"%s\" lacks \"%s\"", text, part)

#define NUM(array) ((int)(sizeof(array) / sizeof(*(array))))

extern struct lkst_error err; /* for use by tests; cleared at the start of each test */

struct test_case {
	const char *name; /* NULL: NAME of the file test_NAME.c */
	void (*setup)(void), (*teardown)(void); /* run before and after each test */
	double timeout; /* in seconds, applies with CK_FORK=yes; 0: the default of Check */
};

void test_case_begin(const struct test_case *test_case);
void test_add(const TTest *test, int first, int end);

/* Set the properties of the tests that follow in the file: TESTS(.setup = f, ...); */
#define TESTS(...)	    TESTS_AT(__LINE__, __VA_ARGS__)
#define TESTS_AT(line, ...) TESTS_(line, __VA_ARGS__)
#define TESTS_(line, ...)                                                  \
	__attribute__((constructor)) static void test_case_##line(void)    \
	{                                                                  \
		test_case_begin(&(const struct test_case){ __VA_ARGS__ }); \
	}                                                                  \
	struct test_case

/* Define a test that runs num times, with _i = 0 to num - 1. */
#define TEST_LOOP(name, num)                                        \
	static const TTest *name;                                   \
	__attribute__((constructor)) static void name##_add(void)   \
	{                                                           \
		test_add(name, 0, num);                             \
	}                                                           \
	START_TEST(name)

#define TEST(name) TEST_LOOP(name, 1)
/* Define a test that runs once for each entry of an array, with _i as the index. */
#define TEST_EACH(name, table) TEST_LOOP(name, NUM(table))
/* Like TEST_EACH(), but the member "name" of each entry of the array is the name of its test. */
#define TEST_ROWS(test, table)                                      \
	static const TTest *test;                                   \
	__attribute__((constructor)) static void test##_add(void)   \
	{                                                           \
		static TTest row[NUM(table)];                       \
                                                                    \
		for (int i = 0; i < NUM(table); i++) {              \
			row[i] = *test;                             \
			row[i].name = (table)[i].name;              \
			test_add(&row[i], i, i + 1);                \
		}                                                   \
	}                                                           \
	START_TEST(test)

void write_text(const char *path, const char *text);
void check_text(const char *path, const char *expected);
int run_suite(Suite *suite);

#endif
