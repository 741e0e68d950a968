// SPDX-License-Identifier: GPL-2.0
/* lkstlogd notices when the process that saves the records of previous boots has exited. */
#include <errno.h>

#include "lkstlogd/previous.c"
#include "tap.h"

void logd_report(int level, const char *format, ...)
{
	(void)level;
	(void)format;
}

/* Start a child that sleeps until it is killed. Return its PID. */
static pid_t waiting(void)
{
	pid_t pid = fork();

	while (!pid)
		pause();
	ck_assert_int_ge(pid, 0);
	return pid;
}

TESTS(.name = "ended");

TEST(test_running)
{
	pid_t pid = waiting();

	errno = ECHILD;
	ck_assert(!logd_previous_reap(pid));
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	ck_assert(logd_previous_reap(pid));
}

TEST(test_somebody_else_waited)
{
	pid_t pid = waiting();

	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	errno = 0;
	ck_assert(logd_previous_reap(pid));
}
