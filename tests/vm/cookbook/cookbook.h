/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the programs of Documentation/lkst/cookbook.rst share. */
#ifndef COOKBOOK_H
#define COOKBOOK_H

#include <err.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "sched_setaffinity");
}

/* Make the calling thread a real-time thread. */
static inline void run_first(int priority)
{
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = priority }))
		err(1, "sched_setscheduler");
}

/* Let the calling thread run only when no other one needs the CPU. */
static inline void run_last(void)
{
	if (sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){ 0 }))
		err(1, "sched_setscheduler");
}

static inline void nap(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static inline long long now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Tell an emulator that runs one CPU at a time that this is the moment to run another one. */
static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

/*
 * Use the CPU until the thread has used it for @ms milliseconds. The kernel counts a pause of an
 * emulated CPU as CPU time, so each pass of the loop counts as at most 100 ms.
 */
static inline void spin(long ms)
{
	const long long most = 100 * 1000000LL;
	long long left = ms * 1000000LL, last = now_ns(CLOCK_THREAD_CPUTIME_ID);

	while (left > 0) {
		long long step;

		for (int i = 0; i < 1000; i++)
			relax();
		step = now_ns(CLOCK_THREAD_CPUTIME_ID) - last;
		last += step;
		left -= step < most ? step : most;
	}
}

/* Start a process. Returns 0 in the child, whose name is then @name. */
static inline pid_t start(const char *name)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid)
		prctl(PR_SET_NAME, name);
	return pid;
}

/* Wait until all children have ended. Returns 0 if all succeeded. */
static inline int end(void)
{
	int status, failed = 0;

	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

#endif
