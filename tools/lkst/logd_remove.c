// SPDX-License-Identifier: GPL-2.0
/* Deleting a file, and counting the events that go with it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/trace_format.h"
#include "logd.h"

/* What the END chunk says; false: there is none. */
static bool events_at_end(int fd, uint64_t *events)
{
	struct {
		struct trace_chunk_header head;
		struct trace_end end;
	} last;
	off_t size = lseek(fd, 0, SEEK_END);

	if (size <= (off_t)sizeof(last) ||
	    pread(fd, &last, sizeof(last), size - (off_t)sizeof(last)) != sizeof(last) ||
	    last.head.magic != TRACE_CHUNK_MAGIC || last.head.type != TRACE_END ||
	    last.head.length != sizeof(last.end))
		return false;
	*events = last.end.records;
	return true;
}

static void count(const char *path, uint64_t events, struct logd_cpu *cpu, bool own)
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
 * A file whose writer was killed has to be gone through. That may take long, and the daemon has other
 * things to do: another process does it, which ends when the daemon does.
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
	/* Files that are being written are locked as long as they are open here, too. */
	close_range(STDERR_FILENO + 1, (unsigned int)fd - 1, 0);
	close_range((unsigned int)fd + 1, UINT_MAX, 0);
	lseek(fd, 0, SEEK_SET);
	trace = lkst_trace_open_fd(fd, path, NULL, NULL);
	count(path, trace ? lkst_trace_records(trace) : 0, cpu, own);
	_exit(EXIT_SUCCESS);
}

/**
 * logd_remove() - delete a file because of the limit on all of them
 * @path: the file
 * @cpu: whose events are in it, NULL: there is no such CPU
 * @own: this process has written it
 *
 * Return: whether it is gone.
 */
bool logd_remove(const char *path, struct logd_cpu *cpu, bool own)
{
	/* It was a file when it was looked at. Opening something else must not wait. */
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	uint64_t events;
	bool gone = !unlink(path);

	if (!gone)
		logd_report(LOG_WARNING,
			    "%s: cannot be deleted, as the limit on all files demands: %s", path,
			    strerror(errno));
	else if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
		count(path, 0, cpu, own);
	else if (events_at_end(fd, &events))
		count(path, events, cpu, own);
	else
		remove_count_events(fd, path, cpu, own);
	if (fd >= 0)
		close(fd);
	return gone;
}
