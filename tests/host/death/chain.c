// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/death_chain.t: make one system call that arms the plugin tests/qemu/chain_death.c,
 * and then one with a path that is recorded in five records.
 */
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LENGTH 100

int main(void)
{
	char path[LENGTH + 1] = "/";
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	/* No other thread may run between the two calls. */
	if (sched_setaffinity(0, sizeof(set), &set) ||
	    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 99 }))
		err(1, "scheduler");
	for (unsigned int i = 1; i < LENGTH; i++)
		path[i] = "abcdefghijklmnopqrstuvwxyz"[i % 26];
	syscall(SYS_sched_get_priority_max, SCHED_FIFO);
	syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
	return 0;
}
