// SPDX-License-Identifier: GPL-2.0
/*
 * hog [CPU|TEXT]: has that CPU for itself, or all of them, for ever, as far as real-time threads are not throttled.
 * TEXT is what the last one says as soon as it has its CPU.
 */
#include <ctype.h>
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void take(int cpu, const char *says)
{
	struct sched_param param = { .sched_priority = 99 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, SCHED_FIFO, &param))
		err(1, "CPU %d", cpu);
	/* Not with dprintf(), which seeks: /dev/kmsg refuses that. */
	if (says && (puts(says) < 0 || fflush(stdout)))
		err(1, "%s", says);
	for (;;)
		;
}

int main(int argc, char **argv)
{
	int cpu;

	if (argc > 1 && isdigit(*argv[1]))
		take(atoi(argv[1]), NULL);
	/* Its own is the last. */
	for (cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1; cpu > 0; cpu--)
		if (!fork())
			take(cpu, NULL);
	take(0, argc > 1 ? argv[1] : NULL);
}
