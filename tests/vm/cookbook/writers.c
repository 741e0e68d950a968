// SPDX-License-Identifier: GPL-2.0
/*
 * writers FILE: two processes write to a file: "logger" a line every 5 ms, and "backup" 64 MB at
 * once. While the kernel writes those, the file is locked, and "logger" has to wait. Both run on
 * CPU 1.
 */
#include <fcntl.h>

#include "cookbook.h"

#define SIZE (64UL << 20)

static int open_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: writers FILE");
	run_on(1);
	if (!start("logger")) {
		int fd = open_file(argv[1]);

		for (int i = 0; i < 100; i++) {
			if (write(fd, "a line\n", 7) != 7)
				err(1, "%s", argv[1]);
			nap(5);
		}
		return 0;
	}
	if (!start("backup")) {
		char *data = calloc(1, SIZE);

		nap(100);
		if (!data || write(open_file(argv[1]), data, SIZE) != (ssize_t)SIZE)
			err(1, "%s", argv[1]);
		return 0;
	}
	return end();
}
