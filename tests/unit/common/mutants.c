// SPDX-License-Identifier: GPL-2.0
/* Run programs that have been built with a mutant of the code that they test, and must fail. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "mutants.h"
#include "tap.h"

#define MUTANTS_MAX 100

/*
 * CPU time limit of a mutant, in seconds: more than ten times what the tests of the unchanged code
 * need. A mutant that reaches it hangs.
 */
#define CPU_SECONDS 5

static struct mutant {
	char expected[8]; /* "fails", or "hangs" if it hangs before a test fails */
	char name[64];
} mutants[MUTANTS_MAX];

static char directory[256]; /* contains the mutants */

/* Start a mutant, with its standard output in the pipe @out. */
static pid_t start_mutant(const char *name, int out[2])
{
	const struct rlimit limit = { CPU_SECONDS, CPU_SECONDS + 1 };
	char path[sizeof(directory) + sizeof(mutants->name)];
	pid_t child;

	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child)
		return child;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	dup2(out[1], STDOUT_FILENO);
	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	/* Run all tests of the mutant in one process, so that the limit applies to all of them. */
	unsetenv("CK_FORK");
	setrlimit(RLIMIT_CPU, &limit);
	execl(path, path, (char *)NULL);
	_exit(127);
}

/* Run a mutant until one of its tests fails. It may also fail by crashing. */
static const char *run_mutant(const char *name)
{
	int out[2], status;
	bool failed = false;
	pid_t child = start_mutant(name, out);
	char line[1024];
	FILE *from;

	close(out[1]);
	from = fdopen(out[0], "r");
	ck_assert_ptr_nonnull(from);
	while (!failed && fgets(line, sizeof(line), from))
		failed = !strncmp(line, "not ok", strlen("not ok"));
	if (failed)
		kill(child, SIGKILL);
	fclose(from);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (failed)
		return "fails";
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGXCPU ? "hangs" : "fails";
	if (WEXITSTATUS(status) == 127)
		return "cannot be executed";
	return WEXITSTATUS(status) ? "fails" : "passes all tests";
}

START_TEST(found)
{
	const char *result = run_mutant(mutants[_i].name);

	ck_assert_msg(!strcmp(result, mutants[_i].expected), "%s %s (want: %s)", mutants[_i].name,
		      result, mutants[_i].expected);
}
END_TEST

static int read_mutants(void)
{
	char path[sizeof(directory) + 32];
	FILE *list;
	int num = 0;

	snprintf(path, sizeof(path), "%s/mutants.list", directory);
	list = fopen(path, "r");
	while (list && num < MUTANTS_MAX &&
	       fscanf(list, "%7s %63s", mutants[num].expected, mutants[num].name) == 2)
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
	tcase_set_timeout(cases, 0);
	for (int i = 0; i < num; i++) {
		tests[i] = *found;
		tests[i].name = mutants[i].name;
		tcase_add_loop_test(cases, &tests[i], i, i + 1);
	}
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
