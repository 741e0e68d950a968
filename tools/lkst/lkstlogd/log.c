// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the log file of a CPU, and updates that CPU's part of the status. While the file cannot be
 * written, the records stay in the kernel's ring, where new ones overwrite the oldest. The daemon
 * tries again at each tick.
 *
 * A tick is the expiry of the timer of the daemon, once a second.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "cli/logd_options.h"
#include "files.h"
#include "lib/base/error.h"
#include "lib/device/run.h"
#include "lib/live/log.h"
#include "log.h"
#include "logd.h"
#include "names.h"
#include "report.h"
#include "state.h"

#define NAMES 1000 /* number of file names to try before giving up until the next tick */

enum {
	LOSS_MS = 60000, /* minimum time between two messages about losses */
};

/* ---- status ---- */

static void log_show_file(struct logd_cpu *cpu, const char *name)
{
	snprintf(cpu->file, sizeof(cpu->file), "%s", name);
}

static void log_show_counts(struct logd_cpu *cpu, const struct logd_writer *writer)
{
	struct lkst_log_counts counts = { 0 };

	if (writer->log)
		lkst_log_counts(writer->log, &counts);
	cpu->kept = writer->kept + counts.kept;
	cpu->rewound = writer->rewound + counts.rewound;
	cpu->lost = writer->lost + counts.lost;
}

static void log_report_losses(struct logd *logd, struct logd_writer *writer)
{
	const struct logd_cpu *cpu = logd_cpu_of(logd, writer);

	if (cpu->lost == writer->lost_reported)
		return;
	logd_report(LOG_WARNING,
		    "CPU %d: %llu events were lost: the buffers were full before they were read",
		    writer->cpu, (unsigned long long)(cpu->lost - writer->lost_reported));
	writer->lost_reported = cpu->lost;
	writer->next_report = logd_now_ms() + LOSS_MS;
}

/**
 * logd_log_trouble() - report, and show in the status, that the file of a CPU cannot be written
 * @logd: daemon
 * @writer: the CPU's writer
 * @err: reason
 */
void logd_log_trouble(struct logd *logd, struct logd_writer *writer, const struct lkst_error *err)
{
	struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	char before[64];

	if (!writer->trouble) {
		snprintf(before, sizeof(before), "CPU %d: cannot write; will keep trying",
			 writer->cpu);
		logd_report_error(LOG_ERR, before, err);
		writer->lost_before = cpu->lost;
	}
	writer->trouble = writer->blocked = true;
	logd_report_cut(cpu->trouble, sizeof(cpu->trouble), err->text);
}

/**
 * logd_log_no_trouble() - report that the file of a CPU can be written again
 * @logd: daemon
 * @writer: the CPU's writer
 *
 * Does nothing unless an earlier write to the file failed.
 */
void logd_log_no_trouble(struct logd *logd, struct logd_writer *writer)
{
	struct logd_cpu *cpu = logd_cpu_of(logd, writer);

	if (!writer->trouble)
		return;
	writer->trouble = false;
	cpu->trouble[0] = 0;
	logd_report(LOG_NOTICE, "CPU %d: can write again; %llu events were lost meanwhile",
		    writer->cpu, (unsigned long long)(cpu->lost - writer->lost_before));
	writer->lost_reported = cpu->lost;
}

/* ---- opening and closing ---- */

static int logd_log_create(struct logd *logd, struct logd_writer *writer, int dir,
			   struct lkst_error *err)
{
	struct lkst_log_options opt = {
		.cpu = writer->cpu,
		.serial = writer->serial,
		.run = logd->run_known ? logd->state->lkst : NULL,
		.limit = logd->opt->limit,
		.compress = logd->opt->compress,
		.kallsyms = logd->kallsyms,
		.files = logd_names_get,
		.files_ctx = logd,
	};
	struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	char name[NAME_MAX + 1];

	logd_files_name(&logd->files, writer->cpu, writer->serial, name);
	writer->log = lkst_log_create(dir, name, &opt, err);
	if (!writer->log)
		return -1;
	if (fstatat(dir, name, &writer->file, AT_SYMLINK_NOFOLLOW))
		memset(&writer->file, 0, sizeof(writer->file));
	log_show_file(cpu, name);
	log_show_counts(cpu, writer);
	return 0;
}

/*
 * Create the log file with the first free serial number. A name may be taken by something that does
 * not count as a log file, such as another user's file in /tmp.
 */
static int log_create_first(struct logd *logd, struct logd_writer *writer, int dir,
			    struct lkst_error *err)
{
	for (int i = 0;; i++, writer->serial++) {
		if (!logd_log_create(logd, writer, dir, err))
			return 0;
		if (err->sys_errno != EEXIST || i == NAMES || writer->serial == LOGD_SERIAL_MAX)
			return -1;
	}
}

/**
 * logd_log_open() - start a file
 * @logd: daemon
 * @writer: writer without an open file
 * @err: set on failure
 */
int logd_log_open(struct logd *logd, struct logd_writer *writer, struct lkst_error *err)
{
	const struct logd_files *files = &logd->files;
	uint32_t serial;
	int dir, ret;

	if (logd_files_dir(files, err) || logd_files_serial(files, writer->cpu, &serial, err))
		return -1;
	if (writer->serial < serial)
		writer->serial = serial;
	dir = open(files->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		lkst_error_system(err, errno, files->dir, "open");
		return -1;
	}
	ret = log_create_first(logd, writer, dir, err);
	close(dir);
	return ret;
}

/* Close a file. If @kept is set, the file still exists, and its records count as kept. */
static void close_log(struct logd *logd, struct logd_writer *writer, bool kept)
{
	struct lkst_log_counts counts;
	struct lkst_error err;

	lkst_log_counts(writer->log, &counts);
	writer->lost += counts.lost;
	if (kept) {
		writer->kept += counts.kept;
		writer->rewound += counts.rewound;
	}
	if (lkst_log_close(writer->log, &err) && kept)
		logd_report_error(LOG_WARNING, NULL, &err);
	writer->log = NULL;
	log_show_file(logd_cpu_of(logd, writer), "");
	log_show_counts(logd_cpu_of(logd, writer), writer);
}

/**
 * logd_log_close() - close a file
 * @logd: daemon
 * @writer: writer; may have no open file
 */
void logd_log_close(struct logd *logd, struct logd_writer *writer)
{
	if (writer->log)
		close_log(logd, writer, true);
	log_report_losses(logd, writer);
}

/*
 * Check that no other program has removed or changed the file. Otherwise, close it. Returns whether
 * the file is still open.
 */
static bool check_log(struct logd *logd, struct logd_writer *writer)
{
	char path[PATH_MAX + NAME_MAX + 2];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", logd->files.dir, logd_cpu_of(logd, writer)->file);
	if (lstat(path, &st) || st.st_ino != writer->file.st_ino ||
	    st.st_dev != writer->file.st_dev)
		logd_report(LOG_NOTICE, "%s: was removed; starting a new file",
			    path);
	else if (!lkst_log_intact(writer->log))
		logd_report(LOG_WARNING,
			    "%s: was changed by another program; starting a new file",
			    path);
	else
		return true;
	close_log(logd, writer, false);
	return false;
}

/**
 * logd_log_check() - start a new file if another program removed or changed the current one
 * @logd: daemon
 * @writer: writer; may have no open file
 */
void logd_log_check(struct logd *logd, struct logd_writer *writer)
{
	struct lkst_error err;

	if (writer->log && !check_log(logd, writer) && logd_log_open(logd, writer, &err))
		logd_log_trouble(logd, writer, &err);
}

/* ---- records ---- */

/*
 * Write to the file, or to a new one if another program has removed or changed it. Records in a
 * damaged file do not count as written, and a loss that the damaged file reported is reported again
 * in the new one. The file is checked before the write, because a write restores the size of a
 * truncated file, and again after the write.
 */
static int log_write_to_file(struct logd *logd, struct logd_writer *writer,
			     const struct lkst_run *run, struct lkst_error *err)
{
	for (;;) {
		struct lkst_log_counts before, after;

		if ((!writer->log || !check_log(logd, writer)) && logd_log_open(logd, writer, err))
			return -1;
		lkst_log_counts(writer->log, &before);
		if (lkst_log_write(writer->log, run, err))
			return -1;
		lkst_log_counts(writer->log, &after);
		if (lkst_log_intact(writer->log) || check_log(logd, writer))
			return 0;
		writer->lost -= after.lost - before.lost;
	}
}

static int logd_log_write_run(struct logd *logd, struct logd_writer *writer,
			      const struct lkst_run *run, struct lkst_error *err)
{
	struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	struct lkst_log_counts counts = { 0 };
	int ret = log_write_to_file(logd, writer, run, err);

	if (writer->log)
		lkst_log_counts(writer->log, &counts);
	/* A failed write may have written some of the records. */
	if (!ret)
		cpu->next = run->first_recid + run->num;
	else if (counts.next > cpu->next && lkst_log_intact(writer->log))
		cpu->next = counts.next;
	cpu->writing = true;
	log_show_counts(cpu, writer);
	return ret;
}

/**
 * logd_log_write() - write records to the file of a CPU
 * @logd: daemon
 * @writer: the CPU's writer; if the write fails, the writer is blocked until the next tick
 * @run: records
 */
void logd_log_write(struct logd *logd, struct logd_writer *writer, const struct lkst_run *run)
{
	struct lkst_error err;

	if (logd_log_write_run(logd, writer, run, &err)) {
		logd_log_trouble(logd, writer, &err);
		return;
	}
	logd_log_no_trouble(logd, writer);
	if (logd_now_ms() >= writer->next_report)
		log_report_losses(logd, writer);
}

/**
 * logd_log_abandon() - count as lost the records that are still unwritten when writing stops
 * @logd: daemon
 * @writer: writer; nothing is done unless it is blocked
 */
void logd_log_abandon(struct logd *logd, struct logd_writer *writer)
{
	struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	uint64_t lost = writer->mark > cpu->next ? writer->mark - cpu->next : 0;

	if (!writer->blocked)
		return;
	writer->blocked = writer->trouble = false;
	cpu->trouble[0] = 0;
	writer->lost += lost;
	log_show_counts(cpu, writer);
	if (lost)
		logd_report(LOG_ERR,
			    "CPU %d: the last %llu events are lost: they cannot be written",
			    writer->cpu, (unsigned long long)lost);
	writer->lost_reported = cpu->lost;
}
