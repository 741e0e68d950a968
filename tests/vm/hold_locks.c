// SPDX-License-Identifier: GPL-2.0
/*
 * hold_locks FILE...: opens the files for reading, says "opened" or why it cannot, takes a lock on each with flock()
 * and waits in fcntl() for one on all of the last; then it keeps them. Run it with as_user: what can anybody get hold of?
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int fd = -1, i;

	for (i = 1; i < argc; i++) {
		fd = open(argv[i], O_RDONLY);
		if (fd < 0) {
			perror(argv[i]);
			return 1;
		}
		flock(fd, LOCK_EX | LOCK_NB);
	}
	puts("opened");
	fflush(stdout);
	if (fcntl(fd, F_SETLKW, &lock)) {
		perror("fcntl");
		return 1;
	}
	puts("locked");
	fflush(stdout);
	pause();
	return 0;
}
