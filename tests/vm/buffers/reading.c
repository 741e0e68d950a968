// SPDX-License-Identifier: GPL-2.0
/*
 * reading CPU: reads one record of the first buffer in the CPU's read queue, prints its own process
 * id, and keeps the buffer in the state "being read" until its standard input ends.
 */
#include "buffers.h"

int main(int argc, char **argv)
{
	static char record[RECORD_SIZE];
	int cpu = argc > 1 ? atoi(argv[1]) : -1;

	open_lkst();
	need(set_mode(cpu, LKST_READ_MODE_RAW), "SETRMOD");
	need(read(lkst_fd, record, sizeof(record)) == RECORD_SIZE ? 0 : EIO, "read()");
	printf("%d\n", getpid());
	fflush(stdout);
	while (read(STDIN_FILENO, record, 1) > 0)
		;
	return 0;
}
