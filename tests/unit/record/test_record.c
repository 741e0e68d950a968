// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of kernel/lkst/ring/record.h. A writer and a reader are interrupted before each
 * instruction, a model of weakly ordered CPUs tries every order of accesses that these CPUs may
 * show, and threads run at full speed. Events, shifts between buffers, and readers (event.c,
 * shift.c, cursor.c) are interrupted in the same way. Then a part of the tests runs on variants:
 * record.h compiled in other ways. Finally, each mutant of the code lacks one step, and a test must
 * fail for it, unless the step is redundant. Documentation/lkst/record-path.rst lists the mutants.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define RUNS_MAX 256

/*
 * CPU time limit of a program, in seconds: ten times what any program needs, so a program that
 * exceeds it must be hanging.
 */
#define CPU_SECONDS 300

/* The lines of runs.list (test_record.mk): each is a test that runs one program. */
static struct run {
	char expected[8]; /* "holds", "fails", or "skip" if the program cannot be built or run */
	char program[80]; /* its directory in build/record */
	char args[32]; /* the argument: the name of a test in cases.h, or "variants" */
	char title[80];
} runs[RUNS_MAX];

/* The directory of this program, which contains the other programs. */
static char directory[256];

/* Run a program, and check its exit status. */
static void check_run(const struct run *run, int expected)
{
	char command[512], output[1024];
	int status;
	FILE *out;

	snprintf(command, sizeof(command), "ulimit -t %d; exec %s/record/%s/alone %s", CPU_SECONDS,
		 directory, run->program, run->args);
	out = popen(command, "r");
	ck_assert_ptr_nonnull(out);
	output[fread(output, 1, sizeof(output) - 1, out)] = '\0';
	status = pclose(out);
	/* A mutant may also fail by crashing or by exceeding the CPU time limit. */
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	ck_assert_msg(status == expected, "%s: status %d: %s", run->args, status, output);
}

START_TEST(holds)
{
	check_run(&runs[_i], 0);
}
END_TEST

START_TEST(fails)
{
	check_run(&runs[_i], 1);
}
END_TEST

static int read_runs(void)
{
	char path[sizeof(directory) + 32];
	int num = 0;
	FILE *list;

	snprintf(path, sizeof(path), "%s/record/runs.list", directory);
	list = fopen(path, "r");
	if (!list)
		return 0;
	while (num < RUNS_MAX && fscanf(list, "%7s %79s %31s %79[^\n]", runs[num].expected,
					runs[num].program, runs[num].args, runs[num].title) == 4)
		num++;
	fclose(list);
	return num;
}

int main(void)
{
	Suite *suite = suite_create("record");
	ssize_t len = readlink("/proc/self/exe", directory, sizeof(directory) - 1);
	int i, num, status, skipped = 0;

	if (len < 0)
		return EXIT_FAILURE;
	*strrchr(directory, '/') = '\0';
	num = read_runs();
	if (!num) {
		printf("Bail out! no runs\n");
		return EXIT_FAILURE;
	}
	for (i = 0; i < num; i++) {
		/* Each run is a test case, because the output shows the names of test cases. */
		TCase *one = tcase_create(runs[i].title);

		tcase_set_timeout(one, CPU_SECONDS);
		if (*runs[i].expected != 's')
			tcase_add_loop_test(one, *runs[i].expected == 'h' ? holds : fails, i,
					    i + 1);
		suite_add_tcase(suite, one);
	}
	status = run_suite(suite);

	fflush(stdout);
	for (i = 0; i < num; i++)
		if (*runs[i].expected == 's')
			printf("ok %d - %s # SKIP it cannot be built or run here\n", ++skipped,
			       runs[i].title);
	if (skipped)
		printf("1..%d\n", skipped);
	return status;
}
