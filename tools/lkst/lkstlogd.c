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

#define MB (1024 * 1024)

static const struct option_row rows[] = {
	OPT_FLAG('a', "start", struct logd_options, start,
		 "write from the start on, not only after SIGUSR1"),
	OPT_SIZE('b', "buffer-size", "SIZE", struct logd_options, buffer_size, 4096, 1024ll * MB,
		 "buffer size", "of each buffer in the kernel (2M)"),
	OPT_NUMBER('n', "number", "NUMBER", struct logd_options, number, 2, LKST_BUFFER_ID_MAX,
		   "number of buffers", "of buffers for each CPU (2)"),
	OPT_TEXT('f', "file", "NAME", struct logd_options, name,
		 "files are NAME<cpu>.<serial> (/var/log/lkst/sebuf)"),
	OPT_SIZE('l', "limit", "SIZE", struct logd_options, limit, LKST_LOG_LIMIT_MIN, 1ll << 46,
		 "limit on a file", "of a file, then the newest replace the oldest (10M)"),
	OPT_SIZE('L', "total-limit", "SIZE", struct logd_options, total, LKST_LOG_LIMIT_MIN,
		 1ll << 60, "limit on all files", "of all files, the oldest go (10 for each CPU)"),
	OPT_FLAG('z', "compress", struct logd_options, compress, "write compressed (zstd)"),
	OPT_FLAG(0, "no-previous", struct logd_options, no_previous,
		 "do not save what previous boots have left in memory"),
	OPT_FLAG('F', "foreground", struct logd_options, foreground,
		 "do not become a daemon, as systemd wants it"),
	OPT_FLAG('v', "version", struct logd_options, version, "print version information"),
};

static const struct syntax syntax = {
	.usage = "[OPTION...]",
	.about = "Keep what LKST records in files, a file for each CPU.\n",
	SYNTAX_ROWS(rows),
	.more = "SIZE: bytes; K, M and G may follow. kill -SIGNAL `cat /var/run/lkstlogd.pid`:\n"
		"SIGUSR1 begins and ends writing, SIGUSR2 begins new files, SIGHUP all anew.\n",
};

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
static int serve(const struct logd_options *opt, int to)
{
	struct logd *logd;
	struct lkst_error err;

	logd_report_begin(false);
	logd_block_signals();
	if (logd_pid_take(&err))
		return fail(&err);
	logd = logd_begin(opt, &err);
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

static int serve_as_daemon(const struct logd_options *opt)
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
	status = serve(opt, pair[1]);
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

static int run(int argc, char **argv)
{
	struct logd_options opt = {
		.buffer_size = 2 * MB,
		.limit = 10 * MB,
		.number = 2,
		.name = "/var/log/lkst/sebuf",
	};

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	if (opt.version)
		return program_version();
	umask(022);
	return opt.foreground ? serve(&opt, -1) : serve_as_daemon(&opt);
}

int main(int argc, char **argv)
{
	program_begin("lkstlogd");
	have_standard_fds();
	return program_end(run(argc, argv));
}
