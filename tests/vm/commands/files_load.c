// SPDX-License-Identifier: GPL-2.0
/*
 * files_load [ARG...]: write different numbers of bytes to descriptors of files in the current
 * directory. For each number, print the name of the file that a trace must show. The trace must be
 * read while this process waits:
 *
 *	pid=PID
 *	want BYTES NAME		"-": unknown, because the descriptor has been closed
 *	ready			the process now waits until it is killed
 *
 * The names come from /proc/self/fd.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/socket.h>

#include "tap.h"

static char space[64];

static int file(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	bail_if(fd < 0, name);
	return fd;
}

/* Write to a descriptor, which stays open if @stays is set. */
static void put(int fd, size_t bytes, bool stays)
{
	char path[32], name[PATH_MAX] = "-";
	ssize_t n;

	bail_if(write(fd, space, bytes) < 0, "write");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = stays ? readlink(path, name, sizeof(name) - 1) : 1;
	bail_if(n < 0, path);
	name[n] = 0;
	printf("want %zu %s\n", bytes, name);
}

int main(void)
{
	int one = file("one"), two = file("two"), four = file("f\303\266ur x"), pipes[2];
	int pair[2], five;

	printf("pid=%d\n", (int)getpid());
	put(one, 11, true);
	put(two, 12, false);
	close(two);
	bail_if(file("three") != two, "the same descriptor again");
	put(two, 13, true);
	bail_if(dup2(one, 60) != 60, "dup2");
	put(60, 14, true);
	put(four, 15, true);
	five = file("five");
	put(five, 16, false);
	close(five);
	bail_if(pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair), "pipe");
	put(pipes[1], 17, true);
	put(pair[0], 18, true);
	/* A descriptor that is replaced: write first to the old file, then to the new one. */
	bail_if(dup2(four, 61) != 61, "dup2");
	put(61, 19, false);
	bail_if(dup2(one, 61) != 61, "dup2");
	put(61, 20, true);
	bail_if(dup2(one, 62) != 62, "dup2");
	put(62, 21, false);
	close_range(62, 70, 0);
	bail_if(dup2(two, 62) != 62, "dup2");
	put(62, 22, true);
	printf("ready\n");
	fflush(stdout);
	pause();
	return 0;
}
