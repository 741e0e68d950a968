// SPDX-License-Identifier: GPL-2.0
/*
 * relay: a process, "client", sends 50 requests to "server" through a pipe, one every 10 ms. A
 * third process, "hog", has a higher priority and uses the server's CPU for 150 ms, twice.
 */
#include "cookbook.h"

int main(void)
{
	int ends[2];
	char byte;

	if (pipe(ends))
		err(1, "pipe");
	if (!start("server")) {
		close(ends[1]);
		run_on(1);
		while (read(ends[0], &byte, 1) == 1)
			spin(1);
		return 0;
	}
	close(ends[0]);
	if (!start("client")) {
		run_on(0);
		for (int i = 0; i < 50; i++) {
			nap(10);
			if (write(ends[1], "x", 1) != 1)
				err(1, "write");
		}
		return 0;
	}
	close(ends[1]);
	if (!start("hog")) {
		run_on(1);
		for (int i = 0; i < 2; i++) {
			run_last();
			nap(100);
			/* Now the server sleeps. */
			run_first(10);
			spin(150);
		}
		return 0;
	}
	return end();
}
