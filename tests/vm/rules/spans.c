// SPDX-License-Identifier: GPL-2.0
/*
 * spans begin|end FIRST LAST: for each of these numbers, cause an event whose first argument is the
 * number. "begin" calls getsid(), which fails, and "end" records a mark.
 */
#include "buffers.h"

int main(int argc, char **argv)
{
	bail_if(argc != 4, "usage");
	open_lkst();
	for (uint64_t i = strtoull(argv[2], NULL, 0), last = strtoull(argv[3], NULL, 0); i <= last; i++)
		if (!strcmp(argv[1], "begin"))
			syscall(SYS_getsid, i);
		else
			need(mark(i, 0, 0, 0), "a mark");
	return 0;
}
