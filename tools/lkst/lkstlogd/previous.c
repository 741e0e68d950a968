// SPDX-License-Identifier: GPL-2.0
/*
 * Saves to files the records that previous boots left in reserved memory. A separate process does
 * this, so that the daemon can write logs at the same time.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/lkst_image.h>
#include <linux/lkst_previous.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "boot_report.h"
#include "cli/logd_options.h"
#include "lib/base/error.h"
#include "lib/device/previous.h"
#include "logd.h"
#include "previous.h"
#include "report.h"
#include "state.h"

static volatile int stop;

static void logd_previous_on_signal(int signal)
{
	stop = signal;
}

/*
 * Wait until no other process is saving the records of previous boots: two such processes would
 * work on the same files and unread boots. If a daemon was killed, the process that saved records
 * for that daemon may not have exited yet. That process removes its unfinished file, and holds the
 * lock until it exits.
 */
static int lock_previous(struct lkst_error *err)
{
	int fd = open(LOGD_STATE_FILE, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && !flock(fd, LOCK_EX))
		return 0;
	lkst_error_system(err, errno, LOGD_STATE_FILE, "lock");
	return -1;
}

static void previous_report_failure(struct logd_previous *previous, const char *boot,
				    const struct lkst_error *err)
{
	char before[LKST_BOOT_TEXT + 32];

	logd_report_cut(previous->trouble, sizeof(previous->trouble), err->text);
	previous->unsaved++;
	snprintf(before, sizeof(before), "previous boot %s", boot);
	logd_report_error(LOG_ERR, before, err);
}

/*
 * Save all unread boots. Continue with the next boot if one cannot be saved. Write the reports
 * last: no report must delay saving the next boot.
 */
static int previous_save_all(struct logd_previous_args *args, struct lkst_device *dev,
			     struct lkst_error *err)
{
	struct logd_saved saved[LKST_IMAGE_BOOT_SLOTS_MAX];
	struct lkst_previous previous;
	size_t num = 0;

	if (lkst_previous_get(dev, &previous, err))
		return -1;
	for (size_t i = 0; i < previous.num && !stop; i++) {
		const struct lkst_previous_listent *boot = &previous.boot[i];
		char id[LKST_BOOT_TEXT];

		if (boot->state != LKST_BOOT_SLOT_UNREAD)
			continue;
		lkst_boot_text(boot->boot, id);
		if (!logd_previous_save(args, dev, boot, &saved[num], err))
			num++;
		else if (!stop)
			previous_report_failure(&args->state->previous, id, err);
	}
	for (size_t i = 0; i < num && args->opt->report; i++)
		logd_boot_report(args, &saved[i]);
	return 0;
}

static int logd_previous_run(struct logd_previous_args *args)
{
	struct lkst_device *dev;
	struct lkst_error err;
	int ret = -1;

	dev = lock_previous(&err) ? NULL : lkst_device_open(&err);
	if (dev)
		ret = previous_save_all(args, dev, &err);
	lkst_device_close(dev);
	if (!ret || stop)
		return EXIT_SUCCESS;
	logd_report_error(LOG_ERR, "previous boots", &err);
	return EXIT_FAILURE;
}

static int previous_init_saver(pid_t parent)
{
	logd_init_child(logd_previous_on_signal);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* Run at low priority: writing logs is more urgent. */
	setpriority(PRIO_PROCESS, 0, 19);
	return getppid() == parent ? 0 : -1;
}

/**
 * logd_previous_start() - start the process that saves the records of unread previous boots
 * @args: arguments of the process, which gets a copy of them
 * @pid: result
 * @err: set on failure
 *
 * The process exits when it is done, on SIGTERM, or when the daemon exits. A boot that is not
 * completely in a file when the process exits stays unread.
 */
int logd_previous_start(const struct logd_previous_args *args, pid_t *pid, struct lkst_error *err)
{
	struct logd_previous_args own = *args;
	pid_t parent = getpid(), child;

	args->state->previous.unsaved = 0;
	args->state->previous.trouble[0] = 0;
	fflush(NULL);
	child = fork();
	if (child < 0) {
		lkst_error_system(err, errno, "child", "fork");
		return -1;
	}
	if (!child) {
		own.stop = &stop;
		_exit(previous_init_saver(parent) ? EXIT_FAILURE : logd_previous_run(&own));
	}
	*pid = child;
	return 0;
}

/**
 * logd_previous_reap() - check whether the process has exited
 * @pid: from logd_previous_start(); other code may already have waited for it
 */
bool logd_previous_reap(pid_t pid)
{
	int status;
	pid_t ended = waitpid(pid, &status, WNOHANG);

	/* If waitpid() returned 0, the process is still running, and errno is stale. */
	if (ended != pid)
		return ended < 0 && errno == ECHILD;
	if (WIFSIGNALED(status))
		logd_report(LOG_ERR,
			    "the process that saves previous boots (%ld) was killed by signal %d",
			    (long)pid, WTERMSIG(status));
	return true;
}
