// SPDX-License-Identifier: GPL-2.0
/*
 * lock_load: two processes on different CPUs rename a file of the same directory many times.
 * The lock of the directory makes each of them wait for the other. Prints "pid=PID" for each.
 *
 *	lock_load DIRECTORY RENAMES
 */
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tap.h"

#define TOGETHER 25 /* renames between two points at which the processes wait for each other */

static atomic_int *ready; /* how many times a process was ready, in shared memory */

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	bail_if(sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

/*
 * Wait for the other process, so that both rename files at the same time even if a busy host delays
 * one CPU.
 */
static void meet(int times)
{
	atomic_fetch_add(ready, 1);
	while (atomic_load(ready) < 2 * times)
		usleep(1000);
}

static void rename_files(int cpu, int renames)
{
	char from[32], to[32];
	FILE *file;

	run_on(cpu);
	snprintf(from, sizeof(from), "from-%d", cpu);
	snprintf(to, sizeof(to), "to-%d", cpu);
	file = fopen(from, "w");
	bail_if(!file, from);
	fclose(file);
	for (int i = 0; i < renames; i++) {
		if (i % TOGETHER == 0)
			meet(i / TOGETHER + 1);
		bail_if(rename(i % 2 ? to : from, i % 2 ? from : to), "rename");
	}
}

int main(int argc, char **argv)
{
	int failed = 0, status;
	pid_t pid[2];

	bail_if(argc != 3 || chdir(argv[1]), "chdir");
	ready = mmap(NULL, sizeof(*ready), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bail_if(ready == MAP_FAILED, "mmap");
	for (int cpu = 0; cpu < 2; cpu++) {
		pid[cpu] = start_child();
		if (!pid[cpu]) {
			rename_files(cpu, atoi(argv[2]));
			_exit(0);
		}
	}
	for (int cpu = 0; cpu < 2; cpu++) {
		printf("pid=%d\n", (int)pid[cpu]);
		failed |= waitpid(pid[cpu], &status, 0) != pid[cpu] || status;
	}
	return failed;
}
