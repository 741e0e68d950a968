// SPDX-License-Identifier: GPL-2.0
/* Run programs that have been built with a mutant of the code that they test, and must fail. */
#include <sys/wait.h>

#include "mutants.h"
#include "tap.h"

#define MUTANTS_MAX 100

static struct mutant {
	char name[64];
} mutants[MUTANTS_MAX];

static char directory[256]; /* contains the mutants */

/* A mutant may also fail by crashing, or by exceeding a limit of the CPU time. */
START_TEST(fails)
{
	char command[512];
	int status;

	snprintf(command, sizeof(command), "ulimit -t 60; exec %s/%s >/dev/null 2>&1",
		 directory, mutants[_i].name);
	status = system(command);
	ck_assert_msg(status > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) >= 126),
		      "no test fails for %s (status %d)", mutants[_i].name, status);
}
END_TEST

static int read_mutants(void)
{
	char path[sizeof(directory) + 32];
	FILE *list;
	int num = 0;

	snprintf(path, sizeof(path), "%s/mutants.list", directory);
	list = fopen(path, "r");
	while (list && num < MUTANTS_MAX && fscanf(list, "%63s", mutants[num].name) == 1)
		num++;
	if (list)
		fclose(list);
	return num;
}

int run_mutants(const char *subject)
{
	static TTest tests[MUTANTS_MAX];
	Suite *suite = suite_create("tests");
	TCase *cases = tcase_create(subject);
	ssize_t len = readlink("/proc/self/exe", directory, sizeof(directory) - 64);
	int num;

	if (len < 0)
		return EXIT_FAILURE;
	snprintf(strrchr(directory, '/'), 64, "/%s", subject);
	num = read_mutants();
	if (!num) {
		printf("Bail out! no mutants\n");
		return EXIT_FAILURE;
	}
	for (int i = 0; i < num; i++) {
		tests[i] = *fails;
		tests[i].name = mutants[i].name;
		tcase_add_loop_test(cases, &tests[i], i, i + 1);
	}
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
