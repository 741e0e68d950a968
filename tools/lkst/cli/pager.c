// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a pager. If standard output is a terminal and there is a pager, pager_start() replaces
 * standard output with a pipe to the pager, until pager_end(). Properties of the terminal, such as
 * colours, must be queried before pager_start().
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "messages.h"
#include "pager.h"

/* Exit status of the shell if it cannot run the pager. */
enum {
	NOT_EXECUTABLE = 126,
	NOT_FOUND = 127
};

static struct {
	const char *command; /* NULL: no pager is running */
	pid_t pid;
	int terminal; /* the original standard output */
	void (*interrupt)(int signal);
	void (*quit)(int signal);
} pager;

static bool pager_in_path(const char *name)
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

/*
 * Return the command of the pager, or NULL to use none. An empty value of LKST_PAGER or PAGER turns
 * the pager off. So does the value "cat", because cat would only copy the output.
 */
static const char *pager_find_command(void)
{
	const char *command = getenv("LKST_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = pager_in_path("less") ? "less" : NULL;
	return command && *command && strcmp(command, "cat") != 0 ? command : NULL;
}

static void pager_run(const char *command, int input, int output)
{
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	close(input);
	close(output);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	/*
	 * Options for "less": quit if the text fits on the screen (F), show colours (R), and do not
	 * clear the screen (X).
	 */
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_FOUND);
}

/**
 * pager_start() - show the output in a pager, if standard output is a terminal
 *
 * If there is no pager or it cannot be started, standard output is unchanged.
 */
void pager_start(void)
{
	const char *command = isatty(STDOUT_FILENO) ? pager_find_command() : NULL;
	int ends[2], terminal;
	pid_t pid;

	if (!command || fflush(stdout) || pipe2(ends, O_CLOEXEC))
		return;
	terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	pid = terminal < 0 ? -1 : fork();
	if (!pid)
		pager_run(command, ends[0], terminal);
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
	/* Leave Ctrl-C and Ctrl-\ to the pager: when the pager exits, writing the output fails. */
	pager.interrupt = signal(SIGINT, SIG_IGN);
	pager.quit = signal(SIGQUIT, SIG_IGN);
}

static int pager_check_end(int status, struct lkst_error *err)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	if (code != NOT_EXECUTABLE && code != NOT_FOUND)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_PAGER, pager.command);
	return -1;
}

/**
 * pager_end() - wait for the pager, and restore standard output
 * @err: set if the pager could not be run and so showed nothing; otherwise unchanged
 */
int pager_end(struct lkst_error *err)
{
	int status = 0, ret;

	if (!pager.command)
		return 0;
	/* If the user quits the pager early, writes fail, but that is not an error. */
	fflush(stdout);
	clearerr(stdout);
	dup2(pager.terminal, STDOUT_FILENO);
	close(pager.terminal);
	while (waitpid(pager.pid, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, pager.interrupt);
	signal(SIGQUIT, pager.quit);
	ret = pager_check_end(status, err);
	pager.command = NULL;
	return ret;
}
