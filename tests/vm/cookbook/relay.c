// SPDX-License-Identifier: GPL-2.0
/*
 * relay: a process, "client", sends 50 requests to "server" through a pipe, one every 10 ms. A
 * third process, "hog", competes with the server for CPU 1.
 */
#include <signal.h>

#include "cookbook.h"

int main(void)
{
	int ends[2];
	pid_t hog;
	char byte;

	if (pipe(ends))
		err(1, "pipe");
	hog = start("hog");
	if (!hog) {
		run_on(1);
		spin(10000);
		return 0;
	}
	if (!start("server")) {
		close(ends[1]);
		run_on(1);
		while (read(ends[0], &byte, 1) == 1)
			spin(2);
		return 0;
	}
	if (!start("client")) {
		run_on(0);
		for (int i = 0; i < 50; i++) {
			nap(10);
			if (write(ends[1], "x", 1) != 1)
				err(1, "write");
		}
		kill(hog, SIGKILL);
		return 0;
	}
	close(ends[0]);
	close(ends[1]);
	end();
	return 0;
}
