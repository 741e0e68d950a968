// SPDX-License-Identifier: GPL-2.0
/*
 * kernel/lkst/record.h: a writer and a reader are interrupted at each instruction, a model of
 * weakly ordered CPUs tries all that these may do, and threads run at full speed. Likewise
 * events, shifts between buffers, and readers as event.c, shift.c and read.c make them. Then
 * the same for variants of it, and for each of its steps a test has to fail without that
 * step. Documentation/lkst/record-path.rst says which.
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

/* All tests there are; record.h as it is passes them. */
static const char *const cases[] = {
	"nested",
	"interrupted-twice",
	"interrupted-thrice",
	"three-deep",
	"random",
	"bounded",
	"dropped-long-ago",
	"reader-in-writer",
	"writer-in-reader",
	"reader-and-writers",
	"side-by-side",
	"index-comes-again",
	"shift-in-event",
	"shifts-in-event",
	"image",
	"image-after-shift",
	"image-laps",
	"shift-in-nested",
	"event-in-shift",
	"random-shifts",
	"shift-in-reader",
	"shift-and-reader",
	"old-records",
	"full",
	"slow-reader",
	"many-shifts",
	"weak",
	"trap-counts",
	"trap-writers",
	"trap-readers",
	"threads",
};

/* What its variants are tested with; the rest takes long and has nothing to do with the compiler. */
static const char *const variant_cases[] = {
	"nested",
	"interrupted-twice",
	"three-deep",
	"random",
	"bounded",
	"dropped-long-ago",
	"reader-in-writer",
	"writer-in-reader",
	"index-comes-again",
	"shift-in-event",
	"event-in-shift",
	"random-shifts",
	"old-records",
	"full",
	"slow-reader",
	"many-shifts",
	"weak",
	"trap-counts",
};

static const char *const variants[] = { "generic", "clang", "m32" };

#define CASES	 (sizeof(cases) / sizeof(*cases))
#define VARIANTS (sizeof(variants) / sizeof(*variants))

static struct mutant {
	char name[NAME], fails[NAME];
} mutants[MUTANTS_MAX];

/* Of a CPU: a program that takes ten times what any of them needs never ends. */
#define CPU_SECONDS 300

/* Where this program's own directory has the others. */
static char directory[256];

/* Runs a variant's or mutant's program; returns its exit status, and what it said. */
static int run_alone(const char *name, char *const *args, char *said, size_t size)
{
	char path[sizeof(directory) + 2 * NAME];
	ssize_t len, all = 0;
	int out[2], status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/record/%s/alone", directory, name);
	ck_assert_int_eq(pipe(out), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS, CPU_SECONDS });
		execv(path, args);
		_exit(127);
	}
	close(out[1]);
	while (all < (ssize_t)size - 1 && (len = read(out[0], said + all, size - 1 - all)) > 0)
		all += len;
	said[all] = '\0';
	close(out[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	/* A mutant may well crash or never end. */
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

START_TEST(holds)
{
	char *args[] = { "alone", (char *)cases[_i], NULL }, said[1024];
	int status = run_alone("native", args, said, sizeof(said));

	ck_assert_msg(!status, "status %d: %s", status, said);
}
END_TEST

START_TEST(holds_too)
{
	char *args[sizeof(variant_cases) / sizeof(*variant_cases) + 2] = { "alone" }, said[1024];
	int status;

	memcpy(args + 1, variant_cases, sizeof(variant_cases));
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

/* Names of test cases are shown, so each test is in one of its own. */
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
		add_test(suite, cases[i], holds, i);
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
