// SPDX-License-Identifier: GPL-2.0
/*
 * writers FILE [MB [always]]: two processes on CPU 1 write to a file. "logger" writes a line every
 * 5 ms, and "backup" writes 64 MB (or MB) with one call. During this call, the kernel holds the
 * lock of the file, and "logger" must wait. With "always", "backup" keeps writing until "logger"
 * ends.
 */
#include <fcntl.h>
#include <signal.h>

#include "cookbook.h"

static int open_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

int main(int argc, char **argv)
{
	pid_t logger, backup;
	size_t size;

	if (argc < 2)
		errx(2, "usage: writers FILE [MB [always]]");
	size = strtoul(argc > 2 ? argv[2] : "64", NULL, 10) << 20;
	run_on(1);
	logger = start("logger");
	if (!logger) {
		int fd = open_file(argv[1]);

		for (int i = 0; i < 300; i++) {
			if (write(fd, "a line\n", 7) != 7)
				err(1, "%s", argv[1]);
			nap(5);
		}
		return 0;
	}
	backup = start("backup");
	if (!backup) {
		char *data = calloc(1, size);
		int fd = open_file(argv[1]);

		nap(100);
		do {
			if (!data || lseek(fd, 0, SEEK_SET) ||
			    write(fd, data, size) != (ssize_t)size)
				err(1, "%s", argv[1]);
		} while (argc > 3);
		return 0;
	}
	if (argc > 3) {
		waitpid(logger, NULL, 0);
		kill(backup, SIGTERM);
		waitpid(backup, NULL, 0);
	}
	return end();
}
