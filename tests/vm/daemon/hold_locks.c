// SPDX-License-Identifier: GPL-2.0
/*
 * hold_locks FILE...: opens the files for reading, tries to lock each of them with flock(), and
 * prints "opened" or an error. It then waits with fcntl() for a lock on the last file, prints
 * "locked", and keeps all locks until it is killed. Tests run it with as_user, to see whether an
 * unprivileged user can block lkstlogd.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int fd = -1;

	for (int i = 1; i < argc; i++) {
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
