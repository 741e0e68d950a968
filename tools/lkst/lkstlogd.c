// SPDX-License-Identifier: GPL-2.0
/* lkstlogd: keeps what LKST records in files (specification 4.7.3.3.1). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "lib/messages.h"
#include "logd.h"

/* ---- becoming a daemon ---- */

/* Who called the command learns from the pipe how it went: a daemon that is there, or an error. */
static int wait_for_daemon(int from)
{
	unsigned char status = EXIT_FAILURE;
	ssize_t got;

	do {
		got = read(from, &status, 1);
	} while (got < 0 && errno == EINTR);
	return got == 1 ? status : EXIT_FAILURE;
}

static void tell(int to, int status)
{
	unsigned char byte = (unsigned char)status;

	if (to >= 0 && write(to, &byte, 1) != 1)
		note("who started this process has not waited");
}

static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (chdir("/"))
		note("/: cannot be the working directory");
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

/* @to: where to tell that it has begun, -1: nowhere, it stays in the foreground. */
static int serve(struct logd_settings *settings, int to)
{
	struct logd *logd;
	struct lkst_error err;

	logd_report_begin(false);
	logd_block_signals();
	if (logd_pid_take(&err))
		return fail(&err);
	logd = logd_begin(settings, &err);
	if (!logd) {
		logd_pid_give_up();
		return fail(&err);
	}
	if (to >= 0) {
		leave_terminal();
		logd_report_begin(true);
		tell(to, EXIT_SUCCESS);
		close(to);
	}
	logd_run(logd);
	logd_end(logd);
	logd_pid_give_up();
	return EXIT_SUCCESS;
}

static int serve_as_daemon(struct logd_settings *settings)
{
	int pair[2], status;
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC)) {
		note(strerror(errno));
		return EXIT_FAILURE;
	}
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		note(strerror(errno));
		return EXIT_FAILURE;
	}
	if (pid) {
		close(pair[1]);
		return wait_for_daemon(pair[0]);
	}
	close(pair[0]);
	setsid();
	status = serve(settings, pair[1]);
	/* Once it has begun nobody listens any more. */
	if (status)
		tell(pair[1], status);
	fflush(NULL);
	_exit(status);
}

/* What is opened later must not become standard input or output: these change when the terminal is left. */
static void have_standard_fds(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* The daemon reads it again when it has left the working directory. */
static int find_config(struct logd_options *opt)
{
	static char path[PATH_MAX];
	char here[PATH_MAX];

	if (!opt->config || *opt->config == '/')
		return 0;
	if (!getcwd(here, sizeof(here)) ||
	    snprintf(path, sizeof(path), "%s/%s", here, opt->config) >= (int)sizeof(path))
		return -1;
	opt->config = path;
	return 0;
}

static int run(int argc, char **argv)
{
	struct logd_settings settings = { .argc = argc, .argv = argv };
	struct lkst_error err = { 0 };
	int status;

	/* Whether the command line is right does not depend on what is in the files. */
	logd_options_init(&settings.opt);
	if (arguments(&logd_syntax, argc, argv, &settings.opt) == OPTION_STOP)
		return option_status;
	if (settings.opt.version)
		return program_version();
	umask(022);
	if (find_config(&settings.opt))
		lkst_error_system(&err, errno, settings.opt.config, "getcwd");
	if (err.code || logd_settings_read(&settings, &err))
		return fail(&err);
	status = settings.opt.foreground ? serve(&settings, -1) : serve_as_daemon(&settings);
	logd_settings_free(&settings);
	return status;
}

int main(int argc, char **argv)
{
	program_begin("lkstlogd");
	have_standard_fds();
	return program_end(run(argc, argv));
}
