// SPDX-License-Identifier: GPL-2.0
/* For tests/host/sysrq.t: has all CPUs for itself, for ever, if real-time threads are not throttled. */
#include <err.h>
#include <sched.h>
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

int main(void)
{
	int cpu;

	/* Its own is the last. */
	for (cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1; cpu > 0; cpu--)
		if (!fork())
			take(cpu);
	take(0);
}
