// SPDX-License-Identifier: GPL-2.0
/*
 * The pid file (specification 4.7.3.3.1). The daemon holds a lock on it as long as it lives: so a file
 * that one has left behind that was killed is not in the way, whoever has its number now.
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

/**
 * logd_lock() - lock a file for this process, and none that it forks
 * @fd: open for writing
 * @holder: gets who has it, 0 if that is not the reason
 *
 * Return: 0, or -1 with errno.
 */
int logd_lock(int fd, pid_t *holder)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	*holder = 0;
	if (!fcntl(fd, F_SETLK, &lock))
		return 0;
	if (errno != EACCES && errno != EAGAIN)
		return -1;
	lock.l_type = F_WRLCK;
	if (!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK)
		*holder = lock.l_pid;
	errno = EAGAIN;
	return -1;
}

/* The file that was locked is still the one with this name? An ending daemon takes it away. */
static bool still_there(int fd)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !stat(LKST_LOGD_PID_FILE, &named) &&
	       opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/* Returns a descriptor, or -1 with the error. */
static int open_locked(struct lkst_error *err)
{
	pid_t holder;
	int fd;

	for (;;) {
		fd = open(LKST_LOGD_PID_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0) {
			lkst_error_system(err, errno, LKST_LOGD_PID_FILE, "open");
			return -1;
		}
		if (logd_lock(fd, &holder)) {
			if (holder)
				lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_RUNS,
					       LKST_LOGD_PID_FILE, (long)holder);
			else
				lkst_error_system(err, errno, LKST_LOGD_PID_FILE, "lock");
			close(fd);
			return -1;
		}
		if (still_there(fd))
			return fd;
		close(fd);
	}
}

/**
 * logd_pid_take() - be the daemon
 * @err: why not: there is one
 */
int logd_pid_take(struct lkst_error *err)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	/* Where the name leads somewhere else, as in the unit, that place may be missing, too. */
	if (logd_state_dir(err))
		return -1;
	pid_fd = open_locked(err);
	if (pid_fd < 0)
		return -1;
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
}
