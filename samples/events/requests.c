// SPDX-License-Identifier: LGPL-2.1
/*
 * Answers requests, and puts the beginning and the end of each into the trace:
 *
 *	requests [NUMBER]
 *
 * Every fifth request is slow, because a child process has to compute its
 * answer.
 */
#include <lkst/event.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Compute for 300 ms in a child process. */
static int make_report(void)
{
	double end = now_ms() + 300;
	int status = 0;
	pid_t child = fork();

	if (child < 0)
		return 500;
	if (!child) {
		while (now_ms() < end)
			;
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status ? 500 : 200;
}

static void answer(unsigned int id)
{
	const char *path = id % 5 ? "/index" : "/report";
	int status;

	LKST_EVENT(request_begin, "id=%u path=%s", id, path);
	status = id % 5 ? 200 : make_report();
	LKST_EVENT(request_end, "id=%u status=%d", id, status);
}

int main(int argc, char **argv)
{
	unsigned int number = argc > 1 ? (unsigned int)atoi(argv[1]) : 10;

	for (unsigned int id = 1; id <= number; id++)
		answer(id);
	return 0;
}
