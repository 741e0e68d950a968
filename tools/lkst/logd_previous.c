// SPDX-License-Identifier: GPL-2.0
/*
 * What previous boots have left in memory that was set aside comes into files, by a process beside
 * those that write logs: the parent only does what is done soon, and logs need not wait for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd.h"

static volatile int stop;

static void on_signal(int signal)
{
	stop = signal;
}

/*
 * One that a killed daemon has left may still be at it, for a moment: it ends when the daemon does, and
 * takes its unfinished file away. Then this one goes on, alone with its files and with what is unread.
 */
static int be_alone(struct lkst_error *err)
{
	int fd = open(LOGD_STATE_FILE, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && !flock(fd, LOCK_EX))
		return 0;
	lkst_error_system(err, errno, LOGD_STATE_FILE, "lock");
	return -1;
}

static void note_trouble(struct logd_previous *previous, const char *boot,
			 const struct lkst_error *err)
{
	char before[LKST_BOOT_TEXT + 32];

	logd_report_cut(previous->trouble, sizeof(previous->trouble), err->text);
	previous->unsaved++;
	snprintf(before, sizeof(before), "previous boot %s", boot);
	logd_report_error(LOG_ERR, before, err);
}

/* One that cannot be saved does not keep others from it. */
static int save_all(struct logd_previous_args *args, struct lkst_device *dev,
		    struct lkst_error *err)
{
	struct lkst_previous previous;

	if (lkst_previous_get(dev, &previous, err))
		return -1;
	for (size_t i = 0; i < previous.num && !stop; i++) {
		const struct lkst_previous_listent *boot = &previous.boot[i];
		char id[LKST_BOOT_TEXT];

		if (boot->state != LKST_PART_UNREAD)
			continue;
		lkst_boot_text(boot->boot, id);
		if (logd_previous_save(args, dev, boot, err) && !stop)
			note_trouble(&args->state->previous, id, err);
	}
	return 0;
}

static int run(struct logd_previous_args *args)
{
	struct lkst_device *dev;
	struct lkst_error err;
	int ret = -1;

	dev = be_alone(&err) ? NULL : lkst_device_open(&err);
	if (dev)
		ret = save_all(args, dev, &err);
	lkst_device_close(dev);
	if (!ret || stop)
		return EXIT_SUCCESS;
	logd_report_error(LOG_ERR, "previous boots", &err);
	return EXIT_FAILURE;
}

static int become_saver(pid_t parent)
{
	logd_become_child(on_signal);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* Logs come first. */
	setpriority(PRIO_PROCESS, 0, 19);
	return getppid() == parent ? 0 : -1;
}

/**
 * logd_previous_start() - start the process that saves what nobody has read
 * @args: what it is to do
 * @pid: result
 * @err: why not
 *
 * It ends by itself, at SIGTERM, or when the parent does. What is not in a file then stays unread.
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
		_exit(become_saver(parent) ? EXIT_FAILURE : run(&own));
	}
	*pid = child;
	return 0;
}

/**
 * logd_previous_reap() - has it ended?
 * @pid: from logd_previous_start(); also if somebody else has waited for it
 */
bool logd_previous_reap(pid_t pid)
{
	int status;
	pid_t ended = waitpid(pid, &status, WNOHANG);

	/* 0: it has not, and errno is of something before. */
	if (ended != pid)
		return ended < 0 && errno == ECHILD;
	if (WIFSIGNALED(status))
		logd_report(LOG_ERR,
			    "the process that saves previous boots (%ld) was killed by signal %d",
			    (long)pid, WTERMSIG(status));
	return true;
}
