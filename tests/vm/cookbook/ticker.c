// SPDX-License-Identifier: GPL-2.0
/*
 * ticker: a timer wakes this real-time process every 10 ms, for two seconds. Prints the maximum
 * lateness. Another process, "flusher", has a higher priority. Once, it uses the CPU from just
 * before the timer expires until 8 ms later.
 */
#include <sys/mman.h>

#include "cookbook.h"

#define TICK_NS	 10000000
#define TICKS	 200
#define EARLY_NS 2000000
#define HELD_MS	 8

static void wait_until(long long ns)
{
	struct timespec until = { ns / 1000000000, ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* Real-time programs must not wait for page faults. */
static void lock_memory(void)
{
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		err(1, "mlockall");
}

static int flush(long long tick)
{
	lock_memory();
	run_first(60);
	wait_until(tick - EARLY_NS);
	while (now_ns(CLOCK_MONOTONIC) < tick + HELD_MS * 1000000)
		relax();
	return 0;
}

int main(void)
{
	long long first, tick, late, most = 0;

	run_on(0);
	lock_memory();
	first = now_ns(CLOCK_MONOTONIC) + TICK_NS;
	if (!start("flusher"))
		return flush(first + TICKS / 2 * TICK_NS);
	run_first(50);
	for (int i = 0; i < TICKS; i++) {
		tick = first + (long long)i * TICK_NS;
		wait_until(tick);
		late = now_ns(CLOCK_MONOTONIC) - tick;
		most = late > most ? late : most;
	}
	printf("ticker: at most %lld ms late\n", most / 1000000);
	return end();
}
