// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a command, and collects its output. Whatever the command does, the caller gets control back:
 * the time and the size of the output are limited, and the kernel kills the command first if memory
 * runs out.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "logd.h"
#include "messages.h"
#include "output.h"

enum {
	CHECK_MS = 200, /* time between two checks of the stop flag */
	EXIT_MS = 10, /* time between two checks whether the command has exited */
	NOT_RUN = 127, /* exit status, as in a shell */
};

/**
 * struct running - a command that is running
 * @name: path of the command, for error messages
 * @pid: its process
 * @limit_ms: time limit in ms
 * @end: time when it is killed, in ms
 * @stop: set by a signal handler when the command must be killed
 * @fds: its standard output, and its standard error; -1 once closed
 */
struct running {
	const char *name;
	pid_t pid;
	int64_t limit_ms;
	int64_t end;
	const volatile int *stop;
	struct pollfd fds[2];
};

/* ---- the child process ---- */

/* Make the kernel kill this process before any other if memory runs out. */
static void output_volunteer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	/* The command runs even if the score cannot be set. */
	if (write(fd, "1000", 4) < 0)
		errno = 0;
	close(fd);
}

static void output_exec(const char *const argv[], const int out[2], const int messages[2],
			pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(out[1], STDOUT_FILENO) < 0 || dup2(messages[1], STDERR_FILENO) < 0)
		_exit(NOT_RUN);
	close_range(STDERR_FILENO + 1, UINT_MAX, 0);
	output_volunteer();
	/* execv() does not change the strings. */
	execv(argv[0], (char **)(uintptr_t)argv);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(NOT_RUN);
}

/* ---- the parent process ---- */

static int output_start(struct running *command, const char *const argv[], struct lkst_error *err)
{
	int out[2], messages[2];
	pid_t parent = getpid();

	if (pipe2(out, O_CLOEXEC)) {
		lkst_error_system(err, errno, command->name, "pipe");
		return -1;
	}
	if (pipe2(messages, O_CLOEXEC)) {
		lkst_error_system(err, errno, command->name, "pipe");
		goto close_out;
	}
	fflush(NULL);
	command->pid = fork();
	if (!command->pid)
		output_exec(argv, out, messages, parent);
	if (command->pid < 0) {
		lkst_error_system(err, errno, command->name, "fork");
		goto close_messages;
	}
	close(out[1]);
	close(messages[1]);
	command->fds[0] = (struct pollfd){ .fd = out[0], .events = POLLIN };
	command->fds[1] = (struct pollfd){ .fd = messages[0], .events = POLLIN };
	return 0;

close_messages:
	close(messages[0]);
	close(messages[1]);
close_out:
	close(out[0]);
	close(out[1]);
	return -1;
}

/*
 * Read what is available. If more than @max bytes come, the rest is read and discarded. Returns
 * whether something was discarded.
 */
static bool output_take(struct pollfd *from, char *to, size_t *len, size_t max)
{
	char rest[4096];
	bool full = *len == max;
	ssize_t got = full ? read(from->fd, rest, sizeof(rest)) :
			     read(from->fd, to + *len, max - *len);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return false;
	if (got <= 0) {
		close(from->fd);
		from->fd = -1;
		return false;
	}
	if (!full)
		*len += (size_t)got;
	return full;
}

/* Check whether the command may continue. Returns -1 with an error if it must be killed. */
static int output_check(const struct running *command, struct lkst_error *err)
{
	if (*command->stop)
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_LOGD_OUTPUT_STOP, command->name);
	else if (logd_now_ms() >= command->end)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_OUTPUT_LATE, command->name,
			       (long long)command->limit_ms / 1000);
	else
		return 0;
	return -1;
}

/* Read until the command has closed both pipes. */
static int output_read(struct running *command, struct logd_output *output, struct lkst_error *err)
{
	struct pollfd *fds = command->fds;

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (output_check(command, err))
			return -1;
		if (poll(fds, 2, CHECK_MS) <= 0)
			continue;
		if (fds[1].revents)
			output_take(&fds[1], output->messages, &output->messages_len,
				    sizeof(output->messages) - 1);
		if (fds[0].revents &&
		    output_take(&fds[0], output->text, &output->len, LOGD_OUTPUT_MAX)) {
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_OUTPUT_MAX, command->name,
				       LOGD_OUTPUT_MAX);
			return -1;
		}
	}
	return 0;
}

/* Wait for the exit of a command that has closed both pipes. */
static int output_wait(struct running *command, struct logd_output *output, struct lkst_error *err)
{
	int status;
	pid_t ended;

	while (!(ended = waitpid(command->pid, &status, WNOHANG))) {
		if (output_check(command, err))
			return -1;
		usleep(EXIT_MS * 1000);
	}
	command->pid = 0;
	if (ended < 0) {
		lkst_error_system(err, errno, command->name, "wait");
		return -1;
	}
	if (WIFSIGNALED(status)) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_OUTPUT_SIGNAL, command->name,
			       WTERMSIG(status));
		return -1;
	}
	output->status = WEXITSTATUS(status);
	return 0;
}

/* Kill the command if it is still running, and close the pipes. */
static void output_end(const struct running *command)
{
	for (size_t i = 0; i < 2; i++)
		if (command->fds[i].fd >= 0)
			close(command->fds[i].fd);
	if (!command->pid)
		return;
	kill(command->pid, SIGKILL);
	waitpid(command->pid, NULL, 0);
}

/**
 * logd_output_collect() - run a command, wait for its exit, and collect its output
 * @argv: path of the command, its arguments, NULL
 * @limit_ms: time after which the command is killed, in ms
 * @stop: set by a signal handler when the command must be killed
 * @output: result
 * @err: set on failure: the command did not exit by itself, or wrote too much. A command that does
 *	not exist has the exit status 127, as in a shell, and a message in @output.
 */
int logd_output_collect(const char *const argv[], int64_t limit_ms, const volatile int *stop,
			struct logd_output *output, struct lkst_error *err)
{
	struct running command = {
		.name = argv[0],
		.limit_ms = limit_ms,
		.end = logd_now_ms() + limit_ms,
		.stop = stop,
	};
	int ret;

	output->len = output->messages_len = 0;
	output->status = 0;
	if (output_start(&command, argv, err))
		return -1;
	ret = output_read(&command, output, err);
	if (!ret)
		ret = output_wait(&command, output, err);
	output_end(&command);
	output->text[output->len] = 0;
	output->messages[output->messages_len] = 0;
	return ret;
}
