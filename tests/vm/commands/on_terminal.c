// SPDX-License-Identifier: GPL-2.0
/*
 * on_terminal [-i TEXT] COMMAND [ARG...]: runs COMMAND on a terminal of 24 lines and 80 columns,
 * and prints its output. With -i the user types ^C as soon as the terminal has shown TEXT. The exit
 * status is that of COMMAND, or 128 plus the number of the signal that killed it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(125);
}

static pid_t start(char **argv, int master)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	setsid();
	fd = open(ptsname(master), O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || ioctl(fd, TIOCSWINSZ, &size))
		die("terminal");
	for (int to = 0; to < 3; to++)
		dup2(fd, to);
	if (fd > 2)
		close(fd);
	close(master);
	execvp(argv[0], argv);
	die(argv[0]);
	return -1;
}

/*
 * Whether the terminal has shown @text, given @part, the next @len bytes of output. Keeps the end
 * of the output, to find a text that arrives in two reads.
 */
static bool shows(const char *text, const char *part, size_t len)
{
	static char seen[4096];
	size_t old = strlen(seen), keep = strlen(text);

	if (len >= sizeof(seen) - keep)
		len = sizeof(seen) - keep - 1;
	if (old > keep) {
		memmove(seen, seen + old - keep, keep + 1);
		old = keep;
	}
	memcpy(seen + old, part, len);
	seen[old + len] = 0;
	return strstr(seen, text) != NULL;
}

int main(int argc, char **argv)
{
	const char *text = NULL;
	char part[1024];
	int master, status;
	ssize_t n;
	pid_t pid;

	if (argc > 2 && !strcmp(argv[1], "-i")) {
		text = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 2)
		return 125;
	master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		die("posix_openpt");
	pid = start(argv + 1, master);
	while ((n = read(master, part, sizeof(part))) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0 || fwrite(part, 1, (size_t)n, stdout) != (size_t)n)
			continue;
		if (text && shows(text, part, (size_t)n)) {
			text = NULL;
			if (write(master, "\003", 1) != 1)
				die("^C");
		}
	}
	/* read() has failed with EIO, because all processes have closed the terminal. */
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
