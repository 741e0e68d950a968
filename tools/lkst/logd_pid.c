// SPDX-License-Identifier: GPL-2.0
/*
 * The pid file (specification 4.7.3.3.1). Everybody may read it, so nothing depends on a lock on it: the
 * lock that lets one daemon run at a time is that on the state file. A pid file that a killed daemon has
 * left is not in the way, whoever has its number now.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd.h"

static char *pid_path; /* without symbolic links; NULL: there is none of ours */
static int pid_fd = -1;

/* The file that was written is still the one with this name? */
static bool still_there(int fd)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !stat(LKST_LOGD_PID_FILE, &named) &&
	       opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/**
 * logd_pid_take() - be the daemon
 * @err: why not: there is one
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
 * logd_pid_give_up() - be the daemon no more
 */
void logd_pid_give_up(void)
{
	if (pid_path && still_there(pid_fd))
		unlink(pid_path);
	free(pid_path);
	pid_path = NULL;
	/* Not before: the next daemon writes a pid file of its own. */
	logd_state_unlock();
}
