// SPDX-License-Identifier: GPL-2.0
/*
 * stops: start a process, "service", and stop it with SIGTERM, five times. The service needs
 * longer each time to end: 10 ms, 20 ms, and so on.
 */
#include <signal.h>

#include "cookbook.h"

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

static void serve(long cleanup_ms)
{
	while (!stopped)
		nap(1000);
	nap(cleanup_ms);
}

int main(void)
{
	/* The child inherits the handler. */
	signal(SIGTERM, stop);
	for (int i = 1; i <= 5; i++) {
		pid_t pid = start("service");

		if (!pid) {
			serve(10 * i);
			return 0;
		}
		nap(50);
		kill(pid, SIGTERM);
		if (end())
			errx(1, "the service failed");
	}
	return 0;
}
