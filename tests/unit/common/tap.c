// SPDX-License-Identifier: GPL-2.0
#include <time.h>

#include "lib/text/text.h"
#include "tap.h"

struct lkst_error err;

static Suite *tests;
static TCase *current;

/* Return NAME for a path .../test_NAME.c. */
static const char *case_name(const char *path)
{
	static char name[64];
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return strncpy(name, base + strlen("test_"), strcspn(base, ".") - strlen("test_"));
}

static struct test_case properties;

/*
 * Store the properties of the next test case. test_add() creates the test case when it adds the
 * first test, because it names the test case after the source file of this test.
 */
void test_case_begin(const struct test_case *test_case)
{
	properties = *test_case;
	current = NULL;
}

static void reset_error(void)
{
	err = (struct lkst_error){ 0 };
}

/* Add a test that runs with _i = @first to @end - 1. */
void test_add(const TTest *test, int first, int end)
{
	if (!tests)
		tests = suite_create("tests");
	if (!current) {
		current = tcase_create(properties.name ? properties.name : case_name(test->file));
		tcase_add_checked_fixture(current, reset_error, NULL);
		tcase_add_checked_fixture(current, properties.setup, properties.teardown);
		if (properties.timeout > 0)
			tcase_set_timeout(current, properties.timeout);
		suite_add_tcase(tests, current);
	}
	tcase_add_loop_test(current, test, first, end);
}

/* Write a string to a file. Replace the file if it exists. */
void write_text(const char *path, const char *text)
{
	FILE *to = fopen(path, "w");

	ck_assert_ptr_nonnull(to);
	fputs(text, to);
	fclose(to);
}

/* Check that a file has this content. */
void check_text(const char *path, const char *expected)
{
	size_t len;
	char *text = text_read(path, &len, &err);

	assert_made(text);
	ck_assert_str_eq(text, expected);
	free(text);
}

/*
 * Run all tests, with TZ set so that times are printed in UTC. Return the exit status.
 *
 * By default all tests of a program run in one process, because LeakSanitizer takes 0.1 s to check
 * all memory when a process exits. With CK_FORK=yes in the environment, each test runs in another
 * process, and the time limit of its test case applies.
 */
int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	setenv("TZ", "UTC", 1);
	tzset();
	if (!getenv("CK_FORK"))
		srunner_set_fork_status(runner, CK_NOFORK);
	srunner_set_tap(runner, "/dev/stdout");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A test program may define its own main(), which overrides this one. */
__attribute__((weak)) int main(void)
{
	return run_suite(tests);
}
