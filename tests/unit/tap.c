// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <time.h>

#include "tap.h"

/*
 * Returns the exit status. Times are printed as in UTC.
 *
 * All tests of a program run in one process: LeakSanitizer looks at all memory at the end of each, which takes 0.1 s.
 * With CK_FORK=yes in the environment each test has a process of its own, and the time limit of its test case.
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
