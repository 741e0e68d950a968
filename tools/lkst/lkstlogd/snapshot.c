// SPDX-License-Identifier: GPL-2.0
/*
 * Saves the snapshots that rules take, in separate files. A snapshot consists of all records that
 * are in the kernel's buffers when a rule takes the snapshot, and of the compressed history if the
 * limit on all files leaves room for it. The kernel keeps these buffers until they have been read.
 * A separate process reads them, so that the daemon can write logs at the same time.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "cli/logd_options.h"
#include "files.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/live/capture.h"
#include "lib/trace/write.h"
#include "logd.h"
#include "messages.h"
#include "report.h"
#include "snapshot.h"
#include "state.h"
#include "writing.h"

#define LATEST "/sys/module/lkst/parameters/snapshots"
#define RATIO  8 /* records are compressed to less than the RATIO-th part */

static volatile int stop;

static void snapshot_on_signal(int signal)
{
	stop = signal;
}

/* Return the number of the latest snapshot; 0: none, or unknown. */
static uint32_t snapshot_latest(void)
{
	FILE *from = fopen(LATEST, "re");
	unsigned int number = 0;

	if (!from)
		return 0;
	if (fscanf(from, "%u", &number) != 1)
		number = 0;
	fclose(from);
	return number;
}

/* ---- the process that saves a snapshot ---- */

/* Return how many bytes the file of a snapshot may have. */
static uint64_t snapshot_room(const struct logd *logd)
{
	uint64_t all = logd_total(logd), open = logd->opt->limit * logd_rings(logd);

	return all > open ? all - open : 0;
}

/* Return the most bytes that the records of the buffers of a CPU take in a file. */
static uint64_t snapshot_buffers(struct lkst_device *dev, int32_t cpu, bool compress)
{
	struct lkst_buffer_list list;
	uint64_t bytes = 0;

	if (lkst_buffer_list_get(dev, cpu, &list, NULL))
		return 0;
	for (int i = 0; i < list.param.buffer_num; i++)
		bytes += list.ent[i].size;
	lkst_buffer_list_free(&list);
	return compress ? bytes / RATIO : bytes;
}

/*
 * Return whether there is room for the history as well as for the records of the buffers. If not,
 * the history is left out, because snapshot_check_size() would delete the file.
 */
static bool snapshot_has_room(const struct logd *logd, struct lkst_device *dev, uint32_t number)
{
	uint64_t room = snapshot_room(logd), history = 0, buffers = 0;
	struct lkst_history_status status;

	for (int32_t cpu = 0; cpu < (int32_t)logd->cpus; cpu++) {
		if (!lkst_history_status_get(dev, cpu, &status, NULL))
			history += status.used;
		buffers += snapshot_buffers(dev, cpu, logd->opt->compress);
	}
	if (!history || history + buffers <= room)
		return true;
	logd_report(LOG_NOTICE, MSG_LOGD_SNAPSHOT_HISTORY, number, (unsigned long long)history,
		    (unsigned long long)room);
	return false;
}

static int snapshot_fill(const struct logd *logd, struct lkst_trace_writer *writer, uint32_t number,
			 struct lkst_error *err)
{
	const struct logd_options *opt = logd->opt;
	struct lkst_capture capture = {
		.cpu = -1,
		.id = -1,
		.no_files = !opt->open_files,
		.stop = &stop,
	};
	struct lkst_device *dev = lkst_device_open(err);
	int ret = -1;

	if (dev)
		capture.no_history = !snapshot_has_room(logd, dev, number);
	if (dev && (!opt->compress || !lkst_trace_writer_compress(writer, err)))
		ret = lkst_capture(dev, &capture, writer, err);
	lkst_device_close(dev);
	return ret;
}

static int snapshot_write(const struct logd *logd, const char *path, uint32_t number,
			  struct lkst_error *err)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_create(path, err);

	if (!writer)
		return -1;
	if (!snapshot_fill(logd, writer, number, err))
		return lkst_trace_writer_commit(writer, err);
	lkst_trace_writer_abort(writer);
	return -1;
}

/*
 * Delete the file if it does not fit within the total limit. Otherwise, the daemon would delete it
 * immediately, and other files before it.
 */
static int snapshot_check_size(const struct logd *logd, const char *path, struct lkst_error *err)
{
	uint64_t room = snapshot_room(logd);
	struct stat st;

	if (stat(path, &st) || (uint64_t)st.st_size <= room)
		return 0;
	unlink(path);
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_SNAPSHOT_SIZE, (unsigned long long)st.st_size,
		       (unsigned long long)room);
	return -1;
}

static int snapshot_save(const struct logd *logd, uint32_t number, uint32_t serial)
{
	char name[NAME_MAX + 1], path[PATH_MAX + NAME_MAX + 2], before[64];
	struct lkst_error err;

	snprintf(before, sizeof(before), "snapshot %u", number);
	logd_files_name(&logd->files, LOGD_SNAPSHOT, serial, name);
	snprintf(path, sizeof(path), "%s/%s", logd->files.dir, name);
	if (!logd_files_dir(&logd->files, &err) && !snapshot_write(logd, path, number, &err) &&
	    !snapshot_check_size(logd, path, &err)) {
		logd_report(LOG_NOTICE, "%s: saved in %s", before, path);
		return EXIT_SUCCESS;
	}
	if (!stop)
		logd_report_error(LOG_ERR, before, &err);
	return EXIT_FAILURE;
}

/* The process exits when it is done, on SIGTERM, or when the daemon exits. */
static int snapshot_run(const struct logd *logd, pid_t parent, uint32_t number, uint32_t serial)
{
	logd_init_child(snapshot_on_signal);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		return EXIT_FAILURE;
	setpriority(PRIO_PROCESS, 0, 0);
	/* Close inherited log files: while a descriptor is open, the file stays locked. */
	closelog();
	close_range(STDERR_FILENO + 1, UINT_MAX, 0);
	return snapshot_save(logd, number, serial);
}

/* ---- the daemon ---- */

static void snapshot_start(struct logd *logd, uint32_t number)
{
	pid_t parent = getpid(), child;
	uint32_t serial = logd_take_serial(logd);

	fflush(NULL);
	child = fork();
	if (!child)
		_exit(snapshot_run(logd, parent, number, serial));
	if (child > 0)
		logd->snapshot = child;
	else
		logd_report(LOG_ERR, "snapshot %u: fork: %m", number);
}

/**
 * logd_snapshot_watch() - save the latest snapshot, unless it has been saved; called once a tick
 * @logd: daemon
 *
 * If several snapshots have been taken since the last one was saved, or while it was being saved,
 * they are saved together in one file.
 */
void logd_snapshot_watch(struct logd *logd)
{
	uint32_t latest;

	if (logd->snapshot)
		return;
	latest = snapshot_latest();
	if (latest == logd->state->snapshot)
		return;
	logd->state->snapshot = latest;
	if (latest && logd->opt->snapshots)
		snapshot_start(logd, latest);
}

/**
 * logd_snapshot_reap() - check whether the process that saves a snapshot has exited
 * @logd: daemon
 */
void logd_snapshot_reap(struct logd *logd)
{
	if (!logd->snapshot || !waitpid(logd->snapshot, NULL, WNOHANG))
		return;
	logd->snapshot = 0;
	/* Make the next logd_watch_files() enforce the limit on all files. */
	logd->names = 0;
}
