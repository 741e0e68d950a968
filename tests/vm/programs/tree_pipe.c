// SPDX-License-Identifier: GPL-2.0
/*
 * Read a file, such as trace_pipe of the directory lkst/ of debugfs, without waiting for events.
 *
 *	tree_pipe FILE [COMMAND...]
 *			prints the events up to now. After each command, prints the new ones. The
 *			status is 0 if each time the last read fails with EAGAIN
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int drain(int fd)
{
	static char text[65536];
	ssize_t got;

	while ((got = read(fd, text, sizeof(text))) > 0)
		fwrite(text, got, 1, stdout);
	if (got < 0 && errno == EAGAIN)
		return 0;
	printf("read: %s\n", got < 0 ? strerror(errno) : "end of the file");
	return 1;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY | O_NONBLOCK) : -1;
	int i, failed;

	if (fd < 0) {
		perror("open");
		return 1;
	}
	failed = drain(fd);
	for (i = 2; i < argc; i++) {
		fflush(stdout);
		failed |= system(argv[i]) != 0;
		failed |= drain(fd);
	}
	return failed;
}
