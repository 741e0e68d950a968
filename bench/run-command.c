// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/print, bench/export, bench/lkstla, bench/html and bench/death, runs on the host:
 * measures a command that prints to a pipe.
 *
 *	run-command COMMAND [ARG...]
 *
 * Reads and discards the output of COMMAND. Prints its CPU time (user and system) in seconds, its
 * maximum memory in KB, and the number of lines in its output.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void __attribute__((noreturn)) die(const char *msg)
{
	fprintf(stderr, "run-command: %s: %s\n", msg, strerror(errno));
	exit(1);
}

static unsigned long long drain(int fd)
{
	static char buf[1 << 16];
	unsigned long long lines = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		for (const char *p = buf; (p = memchr(p, '\n', (size_t)(buf + n - p))); p++)
			lines++;
	if (n < 0)
		die("read");
	return lines;
}

int main(int argc, char **argv)
{
	unsigned long long lines;
	struct rusage used;
	int fd[2], status;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: run-command COMMAND [ARG...]\n");
		return 2;
	}
	if (pipe(fd))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		dup2(fd[1], STDOUT_FILENO);
		close(fd[0]);
		close(fd[1]);
		execvp(argv[1], argv + 1);
		die(argv[1]);
	}
	close(fd[1]);
	lines = drain(fd[0]);
	if (wait4(pid, &status, 0, &used) < 0)
		die("wait");
	if (status) {
		fprintf(stderr, "run-command: %s failed\n", argv[1]);
		return 1;
	}
	printf("%.6f %ld %llu\n",
	       (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6,
	       used.ru_maxrss, lines);
	return 0;
}
