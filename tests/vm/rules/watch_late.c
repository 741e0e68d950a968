// SPDX-License-Identifier: GPL-2.0
/*
 * watch_late: a real-time thread, "metronome", sleeps for 10 ms again and again. A thread with a
 * higher priority, "culprit", uses its CPU for 300 ms once.
 */
#include <sys/mman.h>

#include "cookbook/cookbook.h"

#define NAPS  60
#define START 40	/* naps before the culprit starts */

static int disturb(int go)
{
	char c;

	run_first(60);
	if (read(go, &c, 1) != 1)
		return 1;
	/* The metronome sleeps again by now. */
	nap(3);
	spin(300);
	return 0;
}

int main(void)
{
	int go[2];

	if (mlockall(MCL_CURRENT | MCL_FUTURE) || pipe(go))
		err(1, "start");
	run_on(0);
	if (!start("culprit"))
		return disturb(go[0]);
	prctl(PR_SET_NAME, "metronome");
	run_first(50);
	for (int i = 0; i < NAPS; i++) {
		if (i == START && write(go[1], "", 1) != 1)
			err(1, "write");
		nap(10);
	}
	return end();
}
