/* SPDX-License-Identifier: GPL-2.0 */
/* Child processes of a test, memory that they share, and errors that they find. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "buffers.h"

/* Start a child that executes @statement and exits. Return its process id. */
#define spawn(statement)                                \
	({                                              \
		pid_t child_ = start_child();           \
                                                        \
		if (!child_) {                          \
			prctl(PR_SET_PDEATHSIG, SIGKILL); \
			statement;                      \
			_exit(0);                       \
		}                                       \
		child_;                                 \
	})

/* Read a line of a file of a process or thread. */
static inline void read_proc_line(pid_t tid, const char *name, char line[256])
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	file = fopen(path, "r");
	bail_if(!file || !fgets(line, 256, file), path);
	fclose(file);
}

/*
 * Whether a process or thread sleeps and has left its CPU. /proc/TID/stat shows the state S already
 * shortly before the thread leaves the CPU. A read of /proc/TID/syscall waits until the thread has
 * left, unless the thread runs again.
 */
static inline bool sleeps_now(pid_t tid)
{
	char line[256], *state;

	read_proc_line(tid, "stat", line);
	state = strrchr(line, ')');
	if (!state || state[2] != 'S')
		return false;
	read_proc_line(tid, "syscall", line);
	return strncmp(line, "running", 7);
}

/* Wait up to a minute until a process or thread sleeps. */
static inline void wait_until_asleep(pid_t tid)
{
	for (int tries = 0; tries < 6000; tries++) {
		sleep_ms(10);
		if (sleeps_now(tid))
			break;
	}
}

/* Wait for a child to exit. Return its exit status, or 255 if a signal has killed it. */
static inline int exit_status(pid_t pid)
{
	int status;

	bail_if(waitpid(pid, &status, 0) != pid, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Evaluate @expression in a child. Return its value, which must be from 0 to 255. */
#define value_in_child(expression) exit_status(spawn(_exit(expression)))

/*
 * Wait up to @ms milliseconds for a child to exit. Return whether it did. If so, store its
 * status from waitpid() in @status.
 */
static inline bool ends_within(unsigned int ms, pid_t pid, int *status)
{
	for (; waitpid(pid, status, WNOHANG) != pid; ms -= 10) {
		if (ms < 10)
			return false;
		sleep_ms(10);
	}
	return true;
}

/*
 * Wait up to 100 s for each child to exit, and kill a child that is still running after that.
 * Return whether all children exited with status 0.
 */
static inline bool all_exit(const pid_t *pids, unsigned int num)
{
	bool good = true;
	int status;

	for (unsigned int i = 0; i < num; i++) {
		if (ends_within(100000, pids[i], &status) && !status)
			continue;
		diag("process %u failed", i);
		kill(pids[i], SIGKILL);
		good = false;
	}
	return good;
}

/* Allocate memory that this process shares with its children. */
static inline void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	bail_if(p == MAP_FAILED, "memory");
	return p;
}

/* The number of errors that checks have found, and the message of the first error. */
struct wrongs {
	unsigned long num;
	char why[512];
};

static inline void __attribute__((format(printf, 2, 3)))
add_wrong(struct wrongs *wrongs, const char *why, ...)
{
	va_list args;

	if (__atomic_fetch_add(&wrongs->num, 1, __ATOMIC_RELAXED))
		return;
	va_start(args, why);
	vsnprintf(wrongs->why, sizeof(wrongs->why), why, args);
	va_end(args);
}

/* Print a test result: the checks must have found no errors. */
static inline void __attribute__((format(printf, 2, 3)))
none_wrong(const struct wrongs *wrongs, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	if (!vok(!wrongs->num, name, args))
		diag("%lu errors; the first: %s", wrongs->num, wrongs->why);
	va_end(args);
}

/*
 * The errors that any of the processes has found, in memory from map(). Weak, so that all source
 * files of a program share the pointer.
 */
__attribute__((weak)) struct wrongs *wrongs;

#define wrong(...)	    add_wrong(wrongs, __VA_ARGS__)
#define report_wrongs(name) none_wrong(wrongs, name)

#endif
