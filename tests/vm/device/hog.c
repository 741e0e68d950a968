// SPDX-License-Identifier: GPL-2.0
/*
 * hog [CPU|TEXT]: occupies CPU, or all CPUs, forever with real-time processes. Other processes run
 * there only while the kernel throttles real-time processes. The process on CPU 0, which is the
 * last to start, prints TEXT.
 */
#include <ctype.h>
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void take(int cpu, const char *message)
{
	struct sched_param param = { .sched_priority = 99 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, SCHED_FIFO, &param))
		err(1, "CPU %d", cpu);
	/* Do not use dprintf(): it would seek, which /dev/kmsg does not support. */
	if (message && (puts(message) < 0 || fflush(stdout)))
		err(1, "%s", message);
	for (;;)
		;
}

int main(int argc, char **argv)
{
	if (argc > 1 && isdigit(*argv[1]))
		take(atoi(argv[1]), NULL);
	/* CPU 0 comes last, because this process itself occupies it. */
	for (int cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1; cpu > 0; cpu--)
		if (!fork())
			take(cpu, NULL);
	take(0, argc > 1 ? argv[1] : NULL);
}
