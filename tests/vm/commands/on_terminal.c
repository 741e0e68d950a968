// SPDX-License-Identifier: GPL-2.0
/*
 * on_terminal [-i TEXT] COMMAND [ARG...]: runs COMMAND on a terminal of 24 lines and 80 columns,
 * and prints its output. With -i, types ^C as soon as the terminal has shown TEXT. The exit status
 * is that of COMMAND, or 128 plus the number of the signal that killed it.
 */
#include <errno.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *msg)
{
	perror(msg);
	exit(125);
}

/* Whether the terminal has shown @text so far. @part is the next @len bytes of its output. */
static bool shows(const char *text, const char *part, size_t len)
{
	static FILE *seen;
	static char *all;
	static size_t size;

	if (!seen)
		seen = open_memstream(&all, &size);
	fwrite(part, 1, len, seen);
	fflush(seen);
	return memmem(all, size, text, strlen(text));
}

int main(int argc, char **argv)
{
	struct winsize window = { .ws_row = 24, .ws_col = 80 };
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
	pid = forkpty(&master, NULL, NULL, &window);
	if (pid < 0)
		die("forkpty");
	if (!pid) {
		execvp(argv[1], argv + 1);
		die(argv[1]);
	}
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
