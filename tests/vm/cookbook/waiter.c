// SPDX-License-Identifier: GPL-2.0
/*
 * waiter: a process that mostly waits: five times for 20 ms, and five times for a byte that
 * another process, "feeder", writes to a pipe every 100 ms.
 */
#include "cookbook.h"

int main(void)
{
	int ends[2];
	char byte;

	if (pipe(ends))
		err(1, "pipe");
	if (!start("feeder")) {
		close(ends[0]);
		for (int i = 0; i < 5; i++) {
			nap(100);
			if (write(ends[1], "x", 1) != 1)
				err(1, "write");
		}
		return 0;
	}
	close(ends[1]);
	while (read(ends[0], &byte, 1) == 1)
		nap(20);
	return end();
}
