// SPDX-License-Identifier: GPL-2.0
/* hog [CPU]: has that CPU for itself, or all of them, for ever, as far as real-time threads are not throttled. */
#include <err.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static void take(int cpu)
{
	struct sched_param param = { .sched_priority = 99 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, SCHED_FIFO, &param))
		err(1, "CPU %d", cpu);
	for (;;)
		;
}

int main(int argc, char **argv)
{
	int cpu;

	if (argc > 1)
		take(atoi(argv[1]));
	/* Its own is the last. */
	for (cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1; cpu > 0; cpu--)
		if (!fork())
			take(cpu);
	take(0);
}
