// SPDX-License-Identifier: GPL-2.0
/* Deletes a file, and counts the events in it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <syslog.h>
#include <unistd.h>

#include "files.h"
#include "lib/trace/format.h"
#include "messages.h"
#include "report.h"
#include "state.h"

/* Read the number of events from the END chunk. Returns false if there is no END chunk. */
static bool remove_events_at_end(int fd, uint64_t *events)
{
	struct {
		struct lkst_chunk_header header;
		struct trace_end end;
	} last;
	off_t size = lseek(fd, 0, SEEK_END);

	if (size <= (off_t)sizeof(last) ||
	    pread(fd, &last, sizeof(last), size - (off_t)sizeof(last)) != sizeof(last) ||
	    last.header.magic != LKST_CHUNK_MAGIC || last.header.type != TRACE_END ||
	    last.header.length != sizeof(last.end))
		return false;
	*events = last.end.records;
	return true;
}

static void logd_remove_count(const char *path, uint64_t events, struct logd_cpu *cpu, bool own)
{
	logd_report(LOG_INFO, "%s: deleted, with %llu events: the limit on all files", path,
		    (unsigned long long)events);
	if (!cpu)
		return;
	__atomic_fetch_add(&cpu->removed, events, __ATOMIC_RELAXED);
	if (own)
		__atomic_fetch_add(&cpu->removed_own, events, __ATOMIC_RELAXED);
}

/*
 * Count the events in a file that has no END chunk because its writer was killed. The whole file
 * must be read, which may take a long time, so a separate process does it. The process is killed
 * when the daemon exits.
 */
static void remove_count_events(int fd, const char *path, struct logd_cpu *cpu, bool own)
{
	struct lkst_trace *trace;
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		logd_report(LOG_INFO, "%s: deleted: the limit on all files", path);
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	setpriority(PRIO_PROCESS, 0, 19);
	/* Close inherited log files: while a descriptor is open, the file stays locked. */
	close_range(STDERR_FILENO + 1, (unsigned int)fd - 1, 0);
	close_range((unsigned int)fd + 1, UINT_MAX, 0);
	lseek(fd, 0, SEEK_SET);
	trace = lkst_trace_open_fd(fd, path, NULL, NULL);
	logd_remove_count(path, trace ? lkst_trace_records(trace) : 0, cpu, own);
	_exit(EXIT_SUCCESS);
}

/**
 * logd_remove() - delete a file to enforce the total limit
 * @path: the file
 * @cpu: state of the CPU whose events the file holds; NULL: there is no such CPU
 * @own: this daemon process has written the file
 *
 * Return: whether the file is gone.
 */
bool logd_remove(const char *path, struct logd_cpu *cpu, bool own)
{
	/*
	 * The file was a regular file when it was listed. If a FIFO has replaced it since, open()
	 * must not block.
	 */
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	uint64_t events;
	bool removed = !unlink(path);

	if (!removed)
		logd_report(LOG_WARNING, MSG_LOGD_REMOVE, path, strerror(errno));
	else if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
		logd_remove_count(path, 0, cpu, own);
	else if (remove_events_at_end(fd, &events))
		logd_remove_count(path, events, cpu, own);
	else
		remove_count_events(fd, path, cpu, own);
	if (fd >= 0)
		close(fd);
	return removed;
}

/**
 * logd_remove_report() - delete the report of a previous boot to enforce the total limit
 * @path: the file
 *
 * Return: whether the file is gone.
 */
bool logd_remove_report(const char *path)
{
	if (!unlink(path)) {
		logd_report(LOG_INFO, "%s: deleted: the limit on all files", path);
		return true;
	}
	logd_report(LOG_WARNING, MSG_LOGD_REMOVE, path, strerror(errno));
	return false;
}
