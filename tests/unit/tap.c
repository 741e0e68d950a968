// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <time.h>

#include "tap.h"

/* Returns the exit status. Times are printed as in UTC. */
int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	setenv("TZ", "UTC", 1);
	tzset();
	srunner_set_tap(runner, "/dev/stdout");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
