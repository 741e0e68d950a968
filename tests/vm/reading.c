// SPDX-License-Identifier: GPL-2.0
/*
 * reading CPU: reads one record of the CPU's queue, prints the id of this process and goes on being in the
 * middle of that buffer until standard input ends.
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
