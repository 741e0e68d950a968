// SPDX-License-Identifier: GPL-2.0
/* The process that saves previous boots: whether it has ended. */
#include "logd_previous.c"
#include "tap.h"

void logd_report(int level, const char *format, ...)
{
	(void)level;
	(void)format;
}

void logd_report_error(int level, const char *before, const struct lkst_error *err)
{
	(void)level;
	(void)before;
	(void)err;
}

void logd_report_cut(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
}

void logd_become_child(void (*on_term)(int))
{
	signal(SIGTERM, on_term);
}

int logd_previous_save(struct logd_previous_args *args, struct lkst_device *dev,
		       const struct lkst_previous_listent *boot, struct lkst_error *err)
{
	(void)args;
	(void)dev;
	(void)boot;
	(void)err;
	return 0;
}

/* A child that waits, until it is killed. */
static pid_t waiting(void)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	while (!pid)
		pause();
	return pid;
}

START_TEST(test_running)
{
	pid_t pid = waiting();

	errno = ECHILD;
	ck_assert(!logd_previous_reap(pid));
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	ck_assert(logd_previous_reap(pid));
}
END_TEST

START_TEST(test_somebody_else_waited)
{
	pid_t pid = waiting();

	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	errno = 0;
	ck_assert(logd_previous_reap(pid));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("logd_previous");
	TCase *tcase = tcase_create("ended");

	check_id(tcase, test_running);
	check_id(tcase, test_somebody_else_waited);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
