// SPDX-License-Identifier: GPL-2.0
/*
 * watch_late [SECONDS MS]: a real-time thread, "metronome", sleeps for 10 ms again and again, for
 * SECONDS (default: less than one). When two thirds of the sleeps are over, a thread with a higher
 * priority, "culprit", uses its CPU for MS milliseconds (default: 300) once.
 */
#include <sys/mman.h>

#include "cookbook/cookbook.h"

#define NAPS 60

static int disturb(int go, long ms)
{
	char c;

	run_first(60);
	if (read(go, &c, 1) != 1)
		return 1;
	/* The metronome sleeps again by now. */
	nap(3);
	spin(ms);
	return 0;
}

int main(int argc, char **argv)
{
	int naps = argc > 2 ? atoi(argv[1]) * 100 : NAPS, go[2];
	long ms = argc > 2 ? atol(argv[2]) : 300;

	if (mlockall(MCL_CURRENT | MCL_FUTURE) || pipe(go))
		err(1, "start");
	run_on(0);
	if (!start("culprit"))
		return disturb(go[0], ms);
	prctl(PR_SET_NAME, "metronome");
	run_first(50);
	for (int i = 0; i < naps; i++) {
		if (i == naps / 3 * 2 && write(go[1], "", 1) != 1)
			err(1, "write");
		nap(10);
	}
	return end();
}
