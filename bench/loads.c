// SPDX-License-Identifier: GPL-2.0
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "loads.h"
#include "tap.h"

uint64_t instructions(void)
{
	return __rdtsc();
}

void run_getppid(unsigned int iterations)
{
	while (iterations--) {
		long result;

		asm volatile("syscall" : "=a"(result) : "0"(SYS_getppid) : "rcx", "r11", "memory");
	}
}

static int ping[2], pong[2];

void pingpong_begin(void)
{
	struct sched_param param = {};
	char byte = 0;
	pid_t pid;

	if (sched_setscheduler(0, SCHED_BATCH, &param))
		bail_out("SCHED_BATCH");
	if (pipe(ping) || pipe(pong))
		bail_out("pipe");
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid)
		return;
	close(ping[1]);
	while (read(ping[0], &byte, 1) == 1 && write(pong[1], &byte, 1) == 1)
		;
	_exit(0);
}

void run_pingpong(unsigned int iterations)
{
	char byte = 0;

	while (iterations--)
		if (write(ping[1], &byte, 1) != 1 || read(pong[0], &byte, 1) != 1)
			bail_out("pipe");
}
