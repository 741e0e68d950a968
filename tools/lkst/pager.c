// SPDX-License-Identifier: GPL-2.0
/*
 * Between the two calls standard output is a pipe to the pager, where standard output is a
 * terminal and there is a pager. What is known of the terminal, such as whether colours are
 * wanted, is to be found out before.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/messages.h"
#include "pager.h"

/* What a shell says of a command that it cannot run. */
enum {
	NOT_EXECUTABLE = 126,
	NOT_FOUND = 127
};

static struct {
	const char *command; /* NULL: none runs */
	pid_t pid;
	int terminal; /* standard output as it was */
	void (*interrupt)(int signal);
	void (*quit)(int signal);
} pager;

static bool in_path(const char *name)
{
	const char *path = getenv("PATH");
	char *copy = path ? strdup(path) : NULL, *next = copy, *dir, file[4096];
	bool found = false;

	while (!found && (dir = strsep(&next, ":")) != NULL) {
		snprintf(file, sizeof(file), "%s/%s", *dir ? dir : ".", name);
		found = !access(file, X_OK);
	}
	free(copy);
	return found;
}

/* NULL for none: "cat" adds nothing, and an empty value turns it off. */
static const char *find_command(void)
{
	const char *command = getenv("LKST_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = in_path("less") ? "less" : NULL;
	return command && *command && strcmp(command, "cat") != 0 ? command : NULL;
}

static void run(const char *command, int input, int output)
{
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	close(input);
	close(output);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	/* For whichever command leads to less: leave when it fits, colours, no clearing. */
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_FOUND);
}

/**
 * pager_start() - show standard output in a pager, if it is a terminal and there is a pager
 *
 * Without one, or where it cannot be started, output goes where it went.
 */
void pager_start(void)
{
	const char *command = isatty(STDOUT_FILENO) ? find_command() : NULL;
	int ends[2], terminal;
	pid_t pid;

	if (!command || fflush(stdout) || pipe2(ends, O_CLOEXEC))
		return;
	terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	pid = terminal < 0 ? -1 : fork();
	if (!pid)
		run(command, ends[0], terminal);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		if (terminal >= 0)
			close(terminal);
		return;
	}
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	pager.command = command;
	pager.pid = pid;
	pager.terminal = terminal;
	/* A key that interrupts is the pager's, which then ends the output. */
	pager.interrupt = signal(SIGINT, SIG_IGN);
	pager.quit = signal(SIGQUIT, SIG_IGN);
}

static int check_end(int status, struct lkst_error *err)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	if (code != NOT_EXECUTABLE && code != NOT_FOUND)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_PAGER, pager.command);
	return -1;
}

/**
 * pager_end() - standard output is what it was before, once users have seen enough
 * @err: the pager could not be run, so nothing was shown; left alone else
 */
int pager_end(struct lkst_error *err)
{
	int status = 0, ret;

	if (!pager.command)
		return 0;
	/* A pager that was left early took no part of what was written: that is no failure. */
	fflush(stdout);
	clearerr(stdout);
	dup2(pager.terminal, STDOUT_FILENO);
	close(pager.terminal);
	while (waitpid(pager.pid, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, pager.interrupt);
	signal(SIGQUIT, pager.quit);
	ret = check_end(status, err);
	pager.command = NULL;
	return ret;
}
