// SPDX-License-Identifier: GPL-2.0
/*
 * timer_naps NUMBER: sleep until absolute times, 2 ms apart, as a real-time thread on CPU 1. As
 * cyclictest does, measure how late each sleep ends. If a timer expires before the thread has gone
 * to sleep, the call returns without a sleep. Prints the number of calls that did sleep, a lower
 * and an upper bound of the median lateness of these calls in ns, and the maximum lateness in ns.
 */
#include <inttypes.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "tap.h"

#define INTERVAL_NS	2000000
#define NAPS_MAX	10000

static int64_t late[NAPS_MAX];

static int by_size(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static int64_t in_ns(const struct timespec *time)
{
	return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

int main(int argc, char **argv)
{
	int naps = argc > 1 ? atoi(argv[1]) : 500;
	struct timespec now, until;
	cpu_set_t last;
	int64_t next;
	long slept;

	bail_if(naps < 1 || naps > NAPS_MAX, "number");
	CPU_ZERO(&last);
	CPU_SET(1, &last);
	bail_if(sched_setaffinity(0, sizeof(last), &last), "sched_setaffinity");
	bail_if(sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 50 }),
		"sched_setscheduler");
	mlockall(MCL_CURRENT);
	clock_gettime(CLOCK_MONOTONIC, &now);
	next = in_ns(&now);
	slept = sleeps();
	for (int i = 0; i < naps; i++) {
		/* Skip times in the past, for which the call would not need a timer. */
		do
			next += INTERVAL_NS;
		while (next < in_ns(&now) + INTERVAL_NS / 2);
		until = (struct timespec){ next / 1000000000, next % 1000000000 };
		bail_if(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL), "nanosleep");
		clock_gettime(CLOCK_MONOTONIC, &now);
		late[i] = in_ns(&now) - next;
	}
	slept = sleeps() - slept;
	bail_if(slept < 1 || slept > naps, "number of sleeps");
	qsort(late, naps, sizeof(*late), by_size);
	/*
	 * The list also contains calls that did not sleep. Print two medians: one as if these calls
	 * had the longest times, and one as if they had the shortest ones.
	 */
	printf("%ld %" PRId64 " %" PRId64 " %" PRId64 "\n", slept, late[(slept - 1) / 2],
	       late[slept / 2 + naps - slept], late[naps - 1]);
	return 0;
}
