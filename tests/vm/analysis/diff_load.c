// SPDX-License-Identifier: GPL-2.0
/*
 * diff_load [call | wake | lock]: do the same things again and again, and sleep in between:
 *
 *	caller		reads a byte of /dev/zero; with "call", many bytes, which takes longer
 *	waker		writes to /dev/null; with "wake", also to a pipe
 *	woken		reads from the pipe
 *	holder		writes a part of a file; with "lock", 16 times as much, so that it holds the
 *			lock of the file for longer
 *	waiter		four processes: write a byte of the same file
 */
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "tap.h"

#define RUN_NS	3000000000
#define CALL	(8 << 20)
#define FILE_1	(256 << 10)
#define FILE_16	(16 * FILE_1)
#define WAITERS	4

static int64_t end_ns;
static char *bytes;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Sleep until the next step. Return false at the end. */
static bool next_step(int ms)
{
	const struct timespec nap = { .tv_nsec = ms * 1000000 };

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL);
	return now_ns() < end_ns;
}

static void call(int zero, size_t size)
{
	while (next_step(10))
		bail_if(read(zero, bytes, size) != (ssize_t)size, "read");
}

static void wake(int null, int to)
{
	while (next_step(10)) {
		bail_if(write(null, bytes, 1) != 1, "write");
		if (to >= 0)
			bail_if(write(to, bytes, 1) != 1, "write");
	}
}

/* Ends when the waker has closed the pipe. */
static void be_woken(int from)
{
	char byte;

	while (read(from, &byte, 1) == 1)
		;
}

static void write_file(int file, size_t size, int ms)
{
	while (next_step(ms))
		bail_if(pwrite(file, bytes, size, 0) != (ssize_t)size, "pwrite");
}

#define run(name, statement)					\
	do {							\
		if (!start_child()) {				\
			prctl(PR_SET_PDEATHSIG, SIGKILL);	\
			prctl(PR_SET_NAME, name);		\
			statement;				\
			_exit(0);				\
		}						\
	} while (0)

int main(int argc, char **argv)
{
	const char *plan = argc > 1 ? argv[1] : "";
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY), status;
	int file = syscall(SYS_memfd_create, "diff_load", 0), pipes[2], failed = 0;

	bail_if(zero < 0 || null < 0 || file < 0 || pipe(pipes), "open");
	bytes = malloc(CALL);
	bail_if(!bytes, "malloc");
	memset(bytes, 1, CALL);
	/* The pages of the file exist already when the load starts. */
	bail_if(write(file, bytes, FILE_16) != FILE_16, "write");
	end_ns = now_ns() + RUN_NS;
	run("caller", call(zero, strcmp(plan, "call") ? 1 : CALL));
	run("waker", (close(pipes[0]), wake(null, strcmp(plan, "wake") ? -1 : pipes[1])));
	run("woken", (close(pipes[1]), be_woken(pipes[0])));
	run("holder", write_file(file, strcmp(plan, "lock") ? FILE_1 : FILE_16, 5));
	for (int i = 0; i < WAITERS; i++)
		run("waiter", write_file(file, 1, 2));
	close(pipes[0]);
	close(pipes[1]);
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}
