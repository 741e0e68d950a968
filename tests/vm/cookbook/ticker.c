// SPDX-License-Identifier: GPL-2.0
/*
 * ticker: a timer wakes this real-time process on CPU 1 every 10 ms, for two seconds. Prints how
 * late it was at most. Once, another process, "flusher", uses the CPU for 200 ms with a higher
 * priority.
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
	if (!start("flusher")) {
		/* With the lower priority, it continues only when the other process sleeps. */
		run_first(40);
		nap(1000);
		run_first(60);
		spin(200);
		return 0;
	}
	run_first(50);
	next = now_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < TICKS; i++) {
		next += TICK_NS;
		wait_until(next);
		late = now_ns(CLOCK_MONOTONIC) - next;
		most = late > most ? late : most;
	}
	printf("ticker: at most %lld ms late\n", most / 1000000);
	return end();
}
