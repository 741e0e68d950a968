// SPDX-License-Identifier: GPL-2.0
/*
 * The pid file (specification 4.7.3.3.1). Any user can open and lock it, so a lock on it would
 * prove nothing. The lock on the state file ensures that only one daemon runs. A pid file left by a
 * killed daemon does no harm, even if another process has the same pid now.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/logd_status.h"
#include "lib/base/error.h"
#include "pid.h"
#include "state.h"

static char *pid_path; /* path without symbolic links; NULL: no pid file was written */
static int pid_fd = -1;

/* Return whether the path still names the file that this process wrote. */
static bool pid_file_is_own(int fd)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !stat(LKST_LOGD_PID_FILE, &named) &&
	       opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/**
 * logd_pid_take() - write the pid file, and make sure that this is the only daemon
 * @err: set on failure, for example because another daemon is running
 */
int logd_pid_take(struct lkst_error *err)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	if (logd_state_lock(err))
		return -1;
	pid_fd = open(LKST_LOGD_PID_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (pid_fd < 0) {
		lkst_error_system(err, errno, LKST_LOGD_PID_FILE, "open");
		return -1;
	}
	if (ftruncate(pid_fd, 0) || pwrite(pid_fd, text, (size_t)len, 0) != len) {
		lkst_error_system(err, errno, LKST_LOGD_PID_FILE, "write");
		return -1;
	}
	pid_path = realpath(LKST_LOGD_PID_FILE, NULL);
	return 0;
}

/**
 * logd_pid_release() - remove the pid file, and let another daemon start
 */
void logd_pid_release(void)
{
	if (pid_path && pid_file_is_own(pid_fd))
		unlink(pid_path);
	free(pid_path);
	pid_path = NULL;
	/* Must come last: once the lock is free, the next daemon writes its own pid file. */
	logd_state_unlock();
}
