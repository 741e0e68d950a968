// SPDX-License-Identifier: GPL-2.0
/*
 * State that outlives the daemon: a file in memory (/run) that the daemon maps. The file lists the
 * rings and the maskset of the daemon, and for each CPU the position up to which records are in
 * files. A daemon that takes over from a killed one can thus restore the buffers and the maskset
 * that were in use before. The positions remain even after a normal exit: records that are in files
 * are not written again, even if the kernel still holds them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "cli/logd_status.h"
#include "lib/base/error.h"
#include "lib/text/text.h"
#include "messages.h"
#include "state.h"

#define MAGIC	   "lkstlogd state 6"
#define LOCK_TRIES 100

/* The open state file. It stays locked until logd_state_unlock() closes it or the process exits. */
static int state_fd = -1;

static size_t logd_state_size_of(uint32_t cpus)
{
	return sizeof(struct logd_state) + cpus * sizeof(struct logd_cpu);
}

static bool state_is_own(const struct logd_state *state, uint32_t cpus, const char *boot_id)
{
	return !memcmp(state->magic, MAGIC, sizeof(state->magic)) && state->cpus == cpus &&
	       !strcmp(state->boot_id, boot_id);
}

static void logd_state_begin(struct logd_state *state, uint32_t cpus, const char *boot_id)
{
	memset(state, 0, logd_state_size_of(cpus));
	state->cpus = cpus;
	snprintf(state->boot_id, sizeof(state->boot_id), "%s", boot_id);
	state->maskset = LKST_MASKSET_ID_VOID;
	state->before = LKST_MASKSET_ID_VOID;
	memcpy(state->magic, MAGIC, sizeof(state->magic));
}

/* Discard what a killed daemon reported about itself, because that is no longer true. */
static void state_take_over(struct logd_state *state)
{
	memset(&state->previous, 0, sizeof(state->previous));
	for (uint32_t i = 0; i < state->cpus; i++) {
		struct logd_cpu *cpu = &state->cpu[i];

		cpu->kept = cpu->rewound = cpu->lost = 0;
		cpu->removed = cpu->removed_own = 0;
		cpu->file[0] = cpu->trouble[0] = 0;
	}
}

/**
 * logd_state_dir() - create the directory of the state file if it is missing
 * @err: set on failure
 */
int logd_state_dir(struct lkst_error *err)
{
	if (!mkdir(LOGD_STATE_DIR, 0755) || errno == EEXIST)
		return 0;
	lkst_error_system(err, errno, LOGD_STATE_DIR, "mkdir");
	return -1;
}

/*
 * Try to lock the file. Returns 0, or -1 with errno. @holder is set to the process that holds the
 * lock, or to 0 if no process holds it or the holder is unknown.
 */
static int state_lock(int fd, pid_t *holder)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	*holder = 0;
	if (!fcntl(fd, F_SETLK, &lock))
		return 0;
	if (errno != EACCES && errno != EAGAIN)
		return -1;
	if (!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK)
		*holder = lock.l_pid;
	errno = EAGAIN;
	return -1;
}

static int state_lock_error(int failed, pid_t holder, struct lkst_error *err)
{
	if (holder)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_RUNS, LOGD_STATE_FILE, (long)holder);
	else
		lkst_error_system(err, failed, LOGD_STATE_FILE, "lock");
	return -1;
}

/**
 * logd_state_lock() - lock the state file for this process, but not for processes that it forks
 * @err: set on failure, for example because another daemon holds the lock
 *
 * Only root can open the file. So no unprivileged process can hold the lock, or wait for it and get
 * it when the daemon is killed.
 */
int logd_state_lock(struct lkst_error *err)
{
	pid_t holder;

	if (logd_state_dir(err))
		return -1;
	state_fd = open(LOGD_STATE_FILE, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (state_fd < 0) {
		lkst_error_system(err, errno, LOGD_STATE_FILE, "open");
		return -1;
	}
	/*
	 * Try again if the daemon that holds the lock has no pid file: either it has just
	 * started, or it is about to release the lock as its last step.
	 */
	for (int i = 0; state_lock(state_fd, &holder); i++) {
		int failed = errno;

		if (failed != EAGAIN || i == LOCK_TRIES ||
		    (holder && !access(LKST_LOGD_PID_FILE, F_OK)))
			return state_lock_error(failed, holder, err);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return 0;
}

/**
 * logd_state_unlock() - release the lock, so that another daemon can start
 */
void logd_state_unlock(void)
{
	close(state_fd);
}

/**
 * logd_state_open() - map the state that an earlier daemon of this boot left, or create it
 * @cpus: number of possible CPUs
 * @err: set on failure
 */
struct logd_state *logd_state_open(uint32_t cpus, struct lkst_error *err)
{
	struct logd_state *state;
	char boot_id[64];

	text_first_line("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id));
	if (ftruncate(state_fd, (off_t)logd_state_size_of(cpus))) {
		lkst_error_system(err, errno, LOGD_STATE_FILE, "ftruncate");
		return NULL;
	}
	state = mmap(NULL, logd_state_size_of(cpus), PROT_READ | PROT_WRITE, MAP_SHARED, state_fd,
		     0);
	if (state == MAP_FAILED) {
		lkst_error_system(err, errno, LOGD_STATE_FILE, "mmap");
		return NULL;
	}
	if (!state_is_own(state, cpus, boot_id))
		logd_state_begin(state, cpus, boot_id);
	state_take_over(state);
	return state;
}

/**
 * logd_state_close() - unmap the state
 * @state: state; the rings and the maskset must already be restored
 */
void logd_state_close(struct logd_state *state)
{
	munmap(state, logd_state_size_of(state->cpus));
}
