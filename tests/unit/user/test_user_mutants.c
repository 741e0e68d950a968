// SPDX-License-Identifier: GPL-2.0
/*
 * Each mutant of the code for user events lacks one rule, so test_user_format or test_user_enabler
 * must fail for it. The folder mutants lists the mutants.
 */
#include <sys/wait.h>

#include "tap.h"

#define MUTANTS_MAX 100

static struct mutant {
	char name[64];
} mutants[MUTANTS_MAX];

static char directory[256]; /* contains this program, and user/NAME for each mutant */

/* A mutant may also fail by crashing, or by exceeding a limit of the CPU time. */
START_TEST(fails)
{
	char command[512];
	int status;

	snprintf(command, sizeof(command), "ulimit -t 60; exec %s/user/%s >/dev/null 2>&1",
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

	snprintf(path, sizeof(path), "%s/user/mutants.list", directory);
	list = fopen(path, "r");
	while (list && num < MUTANTS_MAX && fscanf(list, "%63s", mutants[num].name) == 1)
		num++;
	if (list)
		fclose(list);
	return num;
}

int main(void)
{
	static TTest tests[MUTANTS_MAX];
	Suite *suite = suite_create("tests");
	TCase *cases = tcase_create("user_mutants");
	ssize_t len = readlink("/proc/self/exe", directory, sizeof(directory) - 1);
	int num;

	if (len < 0)
		return EXIT_FAILURE;
	*strrchr(directory, '/') = '\0';
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
