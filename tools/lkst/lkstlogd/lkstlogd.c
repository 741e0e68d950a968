// SPDX-License-Identifier: GPL-2.0
/* lkstlogd: writes recorded events to log files (specification 4.7.3.3.1). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/logd_options.h"
#include "lib/base/error.h"
#include "logd.h"
#include "pid.h"
#include "report.h"

/* ---- becoming a daemon ---- */

/*
 * Wait until the daemon reports through the pipe that it has started or failed. Returns the exit
 * status of the command: 0 if the daemon is running.
 */
static int logd_wait_for_daemon(int from)
{
	unsigned char status = EXIT_FAILURE;
	ssize_t got;

	do {
		got = read(from, &status, 1);
	} while (got < 0 && errno == EINTR);
	return got == 1 ? status : EXIT_FAILURE;
}

static void lkstlogd_report(int to, int status)
{
	unsigned char byte = (unsigned char)status;

	if (to >= 0 && write(to, &byte, 1) != 1)
		print_note("the process that started lkstlogd did not wait for it");
}

static void logd_leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (chdir("/"))
		print_note("/: cannot be the working directory");
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

/*
 * Run the daemon. @to is the pipe on which it reports a successful start, or -1 if it stays in the
 * foreground. Returns its exit status.
 */
static int lkstlogd_serve(struct logd_settings *settings, int to)
{
	struct logd *logd;
	struct lkst_error err;

	logd_report_begin(false);
	logd_block_signals();
	if (logd_pid_take(&err))
		return fail(&err);
	logd = logd_begin(settings, &err);
	if (!logd) {
		logd_pid_release();
		return fail(&err);
	}
	if (to >= 0) {
		logd_leave_terminal();
		logd_report_begin(true);
		lkstlogd_report(to, EXIT_SUCCESS);
		close(to);
	}
	logd_run(logd);
	logd_end(logd);
	logd_pid_release();
	return EXIT_SUCCESS;
}

static int logd_serve_as_daemon(struct logd_settings *settings)
{
	int pair[2], status;
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC)) {
		print_note(strerror(errno));
		return EXIT_FAILURE;
	}
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		print_note(strerror(errno));
		return EXIT_FAILURE;
	}
	if (pid) {
		close(pair[1]);
		return logd_wait_for_daemon(pair[0]);
	}
	close(pair[0]);
	setsid();
	status = lkstlogd_serve(settings, pair[1]);
	/* If the daemon ran, it has already reported 0, and the other end of the pipe is closed. */
	if (status)
		lkstlogd_report(pair[1], status);
	fflush(NULL);
	_exit(status);
}

/*
 * Make sure that descriptors 0 to 2 are open. Otherwise a file opened later could get one of them,
 * and logd_leave_terminal() would replace it with /dev/null.
 */
static void logd_have_standard_fds(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/*
 * Make the path of -c absolute: the daemon reads the file again after it has left the working
 * directory.
 */
static int logd_find_config(struct logd_options *opt)
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

static int lkstlogd_run(int argc, char **argv)
{
	struct logd_settings settings = { .argc = argc, .argv = argv };
	struct lkst_error err = { 0 };
	int status;

	/*
	 * Check the command line first: its validity must not depend on configuration files.
	 */
	logd_options_init(&settings.opt);
	if (arguments(&logd_syntax, argc, argv, &settings.opt) == OPTION_STOP)
		return option_status;
	if (settings.opt.version)
		return program_version();
	umask(022);
	if (logd_find_config(&settings.opt))
		lkst_error_system(&err, errno, settings.opt.config, "getcwd");
	if (err.code || logd_settings_read(&settings, &err))
		return fail(&err);
	status = settings.opt.foreground ? lkstlogd_serve(&settings, -1) :
					   logd_serve_as_daemon(&settings);
	logd_settings_free(&settings);
	return status;
}

int main(int argc, char **argv)
{
	program_begin("lkstlogd");
	logd_have_standard_fds();
	return program_end(lkstlogd_run(argc, argv));
}
