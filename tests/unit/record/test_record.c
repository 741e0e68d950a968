// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of kernel/lkst/ring/record.h. A writer and a reader are interrupted before each
 * instruction, a model of weakly ordered CPUs tries every order of accesses that these CPUs may
 * show, and threads run at full speed. Events, shifts between buffers, and readers (event.c,
 * shift.c, cursor.c) are interrupted in the same way. Then a part of the tests runs on variants:
 * record.h compiled in other ways. Finally, each mutant of the code lacks one step, and a test must
 * fail for it, unless the step is redundant. Documentation/lkst/record-path.rst lists the mutants.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define MUTANTS_MAX 128
#define NAME	    64

/* The unchanged record.h must pass all tests. The variants must pass only some of them. */
static const struct {
	const char *name;
	bool on_variants;
} cases[] = {
#define FROM(name, function, variants) { name, variants },
#define ONCE(name, function, variants) { name, variants },
#include "cases.h"
};

static const char *const variants[] = { "generic", "clang", "m32" };

#define CASES	 (sizeof(cases) / sizeof(*cases))
#define VARIANTS (sizeof(variants) / sizeof(*variants))

static struct mutant {
	char name[NAME], fails[NAME];
} mutants[MUTANTS_MAX];

/*
 * CPU time limit of a program, in seconds: ten times what any program needs, so a program that
 * exceeds it hangs.
 */
#define CPU_SECONDS 300

/* The directory of this program, which contains the other programs. */
static char directory[256];

/* Run the program of a variant or mutant. Store its output at @said. Return its exit status. */
static int run_alone(const char *name, char *const *args, char *said, size_t size)
{
	char path[sizeof(directory) + 2 * NAME];
	ssize_t len, all = 0;
	int out[2], status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/record/%s/alone", directory, name);
	ck_assert_int_eq(pipe(out), 0);
	pid = fork();
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS, CPU_SECONDS });
		execv(path, args);
		_exit(127);
	}
	ck_assert_int_ge(pid, 0);
	close(out[1]);
	while (all < (ssize_t)size - 1 && (len = read(out[0], said + all, size - 1 - all)) > 0)
		all += len;
	said[all] = '\0';
	close(out[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	/* A mutant may also fail by crashing or by exceeding the CPU time limit. */
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

START_TEST(holds)
{
	char *args[] = { "alone", (char *)cases[_i].name, NULL }, said[1024];
	int status = run_alone("native", args, said, sizeof(said));

	ck_assert_msg(!status, "status %d: %s", status, said);
}
END_TEST

START_TEST(holds_too)
{
	char *args[CASES + 2] = { "alone" }, said[1024];
	int status, num = 1;

	for (size_t i = 0; i < CASES; i++)
		if (cases[i].on_variants)
			args[num++] = (char *)cases[i].name;
	status = run_alone(variants[_i], args, said, sizeof(said));
	ck_assert_msg(!status, "status %d: %s", status, said);
}
END_TEST

START_TEST(fails)
{
	const struct mutant *mutant = &mutants[_i];
	char *args[] = { "alone", (char *)mutant->fails, NULL }, said[1024];
	char path[NAME + 16];
	int status;

	snprintf(path, sizeof(path), "mutants/%s", mutant->name);
	if (strcmp(mutant->fails, "nothing")) {
		status = run_alone(path, args, said, sizeof(said));
		ck_assert_msg(status == 1, "%s passes (status %d): %s", mutant->fails, status,
			      said);
	} else {
		args[1] = "reader-in-writer";
		status = run_alone(path, args, said, sizeof(said));
		ck_assert_msg(status == 0, "status %d: %s", status, said);
	}
}
END_TEST

static int read_mutants(void)
{
	char path[sizeof(directory) + NAME];
	FILE *list;
	int num = 0;

	snprintf(path, sizeof(path), "%s/record/mutants.list", directory);
	list = fopen(path, "r");
	while (list && num < MUTANTS_MAX &&
	       fscanf(list, "%63s %63s", mutants[num].name, mutants[num].fails) == 2)
		num++;
	if (list)
		fclose(list);
	return num;
}

/* Add a test in a test case of its own, because the output shows the names of test cases. */
static void add_test(Suite *suite, const char *name, const TTest *test, int n)
{
	TCase *one = tcase_create(name);

	tcase_set_timeout(one, CPU_SECONDS);
	tcase_add_loop_test(one, test, n, n + 1);
	suite_add_tcase(suite, one);
}

static bool have_variant(const char *name)
{
	const char *found = strstr(" " RECORD_VARIANTS " ", name);

	return found && found[-1] == ' ' && found[strlen(name)] == ' ';
}

int main(void)
{
	Suite *suite = suite_create("record");
	static char names[VARIANTS + MUTANTS_MAX][NAME + 16];
	int i, num, status, skipped = 0;
	ssize_t len = readlink("/proc/self/exe", directory, sizeof(directory) - 1);

	if (len < 0)
		return EXIT_FAILURE;
	*strrchr(directory, '/') = '\0';

	for (i = 0; i < (int)CASES; i++)
		add_test(suite, cases[i].name, holds, i);
	for (i = 0; i < (int)VARIANTS; i++) {
		snprintf(names[i], sizeof(names[i]), "variant %s", variants[i]);
		if (have_variant(variants[i]))
			add_test(suite, names[i], holds_too, i);
	}
	num = read_mutants();
	if (!num) {
		printf("Bail out! no mutants\n");
		return EXIT_FAILURE;
	}
	for (i = 0; i < num; i++) {
		snprintf(names[VARIANTS + i], sizeof(names[0]), "without %s", mutants[i].name);
		add_test(suite, names[VARIANTS + i], fails, i);
	}
	status = run_suite(suite);

	fflush(stdout);
	for (i = 0; i < (int)VARIANTS; i++)
		if (!have_variant(variants[i]))
			printf("ok %d - variant %s # SKIP it cannot be built or run here\n",
			       ++skipped, variants[i]);
	if (skipped)
		printf("1..%d\n", skipped);
	return status;
}
