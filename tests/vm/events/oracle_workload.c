// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads of the oracle, one for each group of event kinds. They run on two CPUs. Each part
 * of a workload is a process that runs at least one round, and then more rounds until it reaches a
 * fixed number of rounds or a time limit.
 *
 *	oracle_workload GROUP DIRECTORY	DIRECTORY is for the files of the workload
 */
#include "oracle_workload.h"

/* Time limit in seconds, separately for the parts that run in parallel and for the other parts. */
#define TIME_LIMIT	20

static struct timespec deadline;

static void set_deadline(void)
{
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += TIME_LIMIT;
}

void die(const char *msg)
{
	fprintf(stderr, "# oracle_workload: %s: %s\n", msg, strerror(errno));
	exit(1);
}

/*
 * Whether to run round @i: the first round always, the others until the time limit. At most @max
 * rounds are run.
 */
bool another_round(unsigned int i, unsigned int max)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return i < max && (!i || now.tv_sec < deadline.tv_sec);
}

static const struct workload *workload_called(const char *name)
{
	static const struct workload *const workloads[] = { &processes_workload, &memory_workload,
							    &network_workload, &devices_workload };

	for (unsigned int i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
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

	die_if(argc != 3 || chdir(argv[2]), argc == 3 ? argv[2] : "want a group and a directory");
	workload = workload_called(argv[1]);

	set_deadline();
	for (unsigned int i = 0; workload->together[i]; i++)
		pids[i] = start_part(workload->together[i]);
	for (unsigned int i = 0; workload->together[i]; i++)
		good &= finish_part(pids[i], "part", i);
	set_deadline();
	for (unsigned int i = 0; workload->last[i]; i++)
		good &= finish_part(start_part(workload->last[i]), "last part", i);
	return !good;
}
