// SPDX-License-Identifier: GPL-2.0
/*
 * ticker: a timer wakes this real-time process on CPU 1 every 10 ms, for two seconds. Prints how
 * late it was at most. Once, a process with a higher priority, "flusher", uses the CPU for 80 ms.
 */
#include "cookbook.h"

#define TICK_NS 10000000
#define TICKS	200

static void wait_until(long long ns)
{
	struct timespec until = { ns / 1000000000, ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int main(void)
{
	long long next, late, most = 0;

	run_on(1);
	next = now_ns(CLOCK_MONOTONIC);
	if (!start("flusher")) {
		run_first(60);
		/* This is between two ticks. */
		wait_until(next + 100 * TICK_NS + TICK_NS / 2);
		spin(80);
		return 0;
	}
	run_first(50);
	for (int i = 0; i < TICKS; i++) {
		next += TICK_NS;
		wait_until(next);
		late = now_ns(CLOCK_MONOTONIC) - next;
		most = late > most ? late : most;
	}
	printf("ticker: at most %lld ms late\n", most / 1000000);
	return end();
}
