// SPDX-License-Identifier: GPL-2.0
/*
 * What the oracle has recorded, for each group of kinds another workload, on two CPUs at once: each
 * part is a process that goes a fixed number of rounds, or until the time is up; one in any case.
 *
 *	oracle_workload GROUP DIRECTORY	files are written there
 */
#include <sched.h>
#include <sys/wait.h>

#include "oracle.h"
#include "oracle_workload.h"

/* Seconds for the parts that go side by side, and again for the others. */
#define TIME_LIMIT	20

static struct timespec deadline;

static void set_deadline(void)
{
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += TIME_LIMIT;
}

void die(const char *what)
{
	fprintf(stderr, "# oracle_workload: %s: %s\n", what, strerror(errno));
	exit(1);
}

bool another_round(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec >= deadline.tv_sec;
}

void pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set) && errno != ESRCH)
		die("sched_setaffinity");
}

pid_t start(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return pid;
}

int finish(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			die("waitpid");
	return status;
}

void pause_us(unsigned int us)
{
	struct timespec time = { .tv_nsec = us * 1000L };

	nanosleep(&time, NULL);
}

void put_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

static const struct {
	const char *name;
	const struct workload *workload;
} workloads[] = {
	{ "processes", &processes_workload },
	{ "memory", &memory_workload },
	{ "network", &network_workload },
	{ "devices", &devices_workload },
};

static const struct workload *workload_called(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (!strcmp(workloads[i].name, name))
			return workloads[i].workload;
	errno = EINVAL;
	die(name);
}

static pid_t start_part(void (*part)(void))
{
	pid_t pid = start();

	if (pid)
		return pid;
	part();
	exit(0);
}

static bool finish_part(pid_t pid, const char *which, unsigned int n)
{
	int status = finish(pid);

	if (status)
		fprintf(stderr, "# oracle_workload: %s %u: status %#x\n", which, n, status);
	return !status;
}

int main(int argc, char **argv)
{
	const struct workload *workload;
	pid_t pids[PARTS_MAX];
	bool good = true;
	unsigned int i;

	if (argc != 3 || chdir(argv[2]))
		die(argc == 3 ? argv[2] : "want a group and a directory");
	workload = workload_called(argv[1]);

	set_deadline();
	for (i = 0; workload->together[i]; i++)
		pids[i] = start_part(workload->together[i]);
	for (i = 0; workload->together[i]; i++)
		good &= finish_part(pids[i], "part", i);
	set_deadline();
	for (i = 0; workload->last[i]; i++)
		good &= finish_part(start_part(workload->last[i]), "last part", i);
	return !good;
}
