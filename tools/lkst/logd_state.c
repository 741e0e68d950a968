// SPDX-License-Identifier: GPL-2.0
/*
 * What outlives the daemon: a file in memory (/run) that it maps. A daemon that takes over from one
 * that was killed finds there the ring and the maskset, to put back what was before, and how far
 * each CPU's records are in files. The latter holds after a proper end, too: what is in files is not
 * written again, wherever the kernel still has it.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/messages.h"
#include "lib/text.h"
#include "logd.h"

#define MAGIC	   "lkstlogd state 4"
#define LOCK_TRIES 100

/* Held, with the lock, until the process ends. */
static int state_fd = -1;

static size_t size_of(uint32_t cpus)
{
	return sizeof(struct logd_state) + cpus * sizeof(struct logd_cpu);
}

static bool is_ours(const struct logd_state *state, uint32_t cpus, const char *boot_id)
{
	return !memcmp(state->magic, MAGIC, sizeof(state->magic)) && state->cpus == cpus &&
	       !strcmp(state->boot_id, boot_id);
}

static void begin(struct logd_state *state, uint32_t cpus, const char *boot_id)
{
	memset(state, 0, size_of(cpus));
	state->cpus = cpus;
	snprintf(state->boot_id, sizeof(state->boot_id), "%s", boot_id);
	state->maskset = LKST_MASKSET_ID_VOID;
	state->before = LKST_MASKSET_ID_VOID;
	memcpy(state->magic, MAGIC, sizeof(state->magic));
}

/* What a killed daemon has said of itself is not so any more. */
static void take_over(struct logd_state *state)
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
 * logd_state_dir() - see that the directory for what outlives a process is there
 * @err: why it is not
 */
int logd_state_dir(struct lkst_error *err)
{
	if (!mkdir(LOGD_STATE_DIR, 0755) || errno == EEXIST)
		return 0;
	lkst_error_system(err, errno, LOGD_STATE_DIR, "mkdir");
	return -1;
}

/* Sets @holder to the process that has the lock, 0 if that is not the reason. Returns 0 or -1 with errno. */
static int lock(int fd, pid_t *holder)
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

static int lock_error(int failed, pid_t holder, struct lkst_error *err)
{
	if (holder)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_RUNS, LOGD_STATE_FILE, (long)holder);
	else
		lkst_error_system(err, failed, LOGD_STATE_FILE, "lock");
	return -1;
}

/**
 * logd_state_lock() - lock the state file for this process, and none that it forks
 * @err: why not: another daemon has it
 *
 * Only root can open the file, so nobody else can hold the lock, or wait for it and get it when the
 * daemon is killed.
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
	/* A daemon that has no pid file has just begun, or its last step is to release the lock. */
	for (int i = 0; lock(state_fd, &holder); i++) {
		int failed = errno;

		if (failed != EAGAIN || i == LOCK_TRIES ||
		    (holder && !access(LKST_LOGD_PID_FILE, F_OK)))
			return lock_error(failed, holder, err);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return 0;
}

/**
 * logd_state_unlock() - let another daemon begin
 */
void logd_state_unlock(void)
{
	close(state_fd);
}

/**
 * logd_state_open() - the state, as an earlier daemon left it, or a new one
 * @cpus: that there can be
 * @err: why not
 */
struct logd_state *logd_state_open(uint32_t cpus, struct lkst_error *err)
{
	struct logd_state *state;
	char boot_id[64];

	text_first_line("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id));
	if (ftruncate(state_fd, (off_t)size_of(cpus))) {
		lkst_error_system(err, errno, LOGD_STATE_FILE, "ftruncate");
		return NULL;
	}
	state = mmap(NULL, size_of(cpus), PROT_READ | PROT_WRITE, MAP_SHARED, state_fd, 0);
	if (state == MAP_FAILED) {
		lkst_error_system(err, errno, LOGD_STATE_FILE, "mmap");
		return NULL;
	}
	if (!is_ours(state, cpus, boot_id))
		begin(state, cpus, boot_id);
	take_over(state);
	return state;
}

/**
 * logd_state_close() - end with it
 * @state: state; rings and maskset are as they were before
 */
void logd_state_close(struct logd_state *state)
{
	munmap(state, size_of(state->cpus));
}
