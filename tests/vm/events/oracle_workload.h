/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The workloads of the oracle. The program "everything" also uses parts of them, with its own
 * definitions of die() and another_round().
 */
#ifndef ORACLE_WORKLOAD_H
#define ORACLE_WORKLOAD_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PARTS_MAX	20

/**
 * struct workload - the workload of a group of event kinds
 * @name: name of the group
 * @together: parts that run in parallel, each in a separate process
 * @last: parts that run after these, one at a time
 */
struct workload {
	const char *name;
	void (*together[PARTS_MAX])(void);
	void (*last[PARTS_MAX])(void);
};

extern const struct workload processes_workload, memory_workload, network_workload,
	devices_workload;

/* Parts that are used by several workloads, or by "everything". */
void work_alarms(void);
void work_block(void);
void work_connections(void);
void work_copy(void);
void work_datagrams(void);
void work_exec(void);
void work_fork(void);
void work_pipe(void);
void work_refused(void);

/* End this process because of an error, which errno explains. */
void __attribute__((noreturn)) die(const char *msg);

#define die_if(failed, msg)       \
	do {                      \
		if (failed)       \
			die(msg); \
	} while (0)

/* Whether a part must run round @i, counted from 0. For the oracle, it runs @max rounds at most. */
bool another_round(unsigned int i, unsigned int max);

#define for_each_round(i, max) for (int i = 0; another_round(i, max); i++)

static inline void pin_process(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	die_if(sched_setaffinity(pid, sizeof(set), &set) && errno != ESRCH, "sched_setaffinity");
}

static inline pid_t start(void)
{
	pid_t pid = fork();

	die_if(pid < 0, "fork");
	return pid;
}

static inline int finish(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		die_if(errno != EINTR, "waitpid");
	return status;
}

static inline void kill_and_finish(pid_t pid)
{
	kill(pid, SIGKILL);
	finish(pid);
}

static inline void pause_us(unsigned int us)
{
	struct timespec time = { .tv_nsec = us * 1000L };

	nanosleep(&time, NULL);
}

static inline void put_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	die_if(fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text), path);
	close(fd);
}

#endif
