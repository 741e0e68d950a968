// SPDX-License-Identifier: GPL-2.0
/*
 * Starts and stops writing. Opens and closes the files of all CPUs, chooses their serial numbers,
 * and enforces the limit on their total size.
 */
#include <string.h>
#include <syslog.h>

#include "cli/logd_options.h"
#include "files.h"
#include "lib/device/previous.h"
#include "lib/text/context.h"
#include "log.h"
#include "logd.h"
#include "names.h"
#include "previous.h"
#include "read.h"
#include "report.h"
#include "writing.h"

/* ---- the limit ---- */

uint32_t logd_rings(const struct logd *logd)
{
	uint32_t num = 0;

	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		num += logd->state->cpu[cpu].ring.num != 0;
	return num;
}

uint64_t logd_total(const struct logd *logd)
{
	return logd->opt->total ? logd->opt->total :
				  logd->opt->limit * LOGD_TOTAL_FILES * logd_rings(logd);
}

/* Delete the oldest closed files until the open files have room to grow to their limits. */
static void writing_limit_files(struct logd *logd)
{
	uint64_t all = logd_total(logd), open = 0;

	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		open += logd->writer[cpu].log ? logd->opt->limit : 0;
	logd_files_limit(&logd->files, all > open ? all - open : 0, logd->first_serial,
			 logd->state);
}

static uint64_t logd_writing_hash(uint64_t before, const char *text)
{
	for (; *text; text++)
		before = before * 31 + (unsigned char)*text;
	return before;
}

/**
 * logd_watch_files() - enforce the total limit, if the set of files has changed
 * @logd: daemon
 */
void logd_watch_files(struct logd *logd)
{
	uint64_t names = 0;

	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		names = logd_writing_hash(names + cpu, logd->state->cpu[cpu].file);
	names = logd_writing_hash(names + logd->state->previous.reports,
				  logd->state->previous.file);
	if (names == logd->names)
		return;
	logd->names = names;
	writing_limit_files(logd);
}

/* ---- files ---- */

/**
 * logd_take_serial() - take a serial number that no file has and that this daemon has not used
 * @logd: daemon
 */
uint32_t logd_take_serial(struct logd *logd)
{
	struct lkst_error err;
	uint32_t serial;

	if (logd_files_serial(&logd->files, -1, &serial, &err))
		logd_trouble(logd, &err);
	else if (serial > logd->next_serial)
		logd->next_serial = serial;
	serial = logd->next_serial;
	if (logd->next_serial < LOGD_SERIAL_MAX)
		logd->next_serial++;
	return serial;
}

/**
 * logd_new_serial() - choose the serial number of the next log files
 * @logd: daemon
 */
void logd_new_serial(struct logd *logd)
{
	logd->serial = logd_take_serial(logd);
}

/**
 * logd_open_file() - start the file of a CPU
 * @logd: daemon
 * @writer: the CPU's writer
 */
void logd_open_file(struct logd *logd, struct logd_writer *writer)
{
	struct lkst_error err;

	writer->serial = logd->serial;
	if (logd_log_open(logd, writer, &err))
		logd_log_trouble(logd, writer, &err);
}

/**
 * logd_open_files() - start files for all CPUs that have a ring
 * @logd: daemon
 *
 * Other CPUs get a file when they have records to write.
 */
void logd_open_files(struct logd *logd)
{
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++) {
		logd->writer[cpu].serial = logd->serial;
		if (logd->state->cpu[cpu].ring.num)
			logd_open_file(logd, &logd->writer[cpu]);
	}
	logd_watch_files(logd);
}

/**
 * logd_close_files() - close all files
 * @logd: daemon
 */
void logd_close_files(struct logd *logd)
{
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		logd_log_close(logd, &logd->writer[cpu]);
	logd_names_release(logd);
}

/* ---- start and stop ---- */

/**
 * logd_begin_writing() - start writing, beginning with the oldest record that is not in a file yet
 * @logd: daemon
 */
void logd_begin_writing(struct logd *logd)
{
	logd->enabled = true;
	/* Start reading ahead first, because opening the files takes a while. */
	logd_begin_reading(logd);
	logd_new_serial(logd);
	logd_open_files(logd);
}

/**
 * logd_end_writing() - write all records made so far, then close the files
 * @logd: daemon
 */
void logd_end_writing(struct logd *logd)
{
	logd->enabled = false;
	logd_names_take(logd);
	logd_drain(logd);
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++) {
		logd_log_abandon(logd, &logd->writer[cpu]);
		/* Events recorded while writing is off do not count as lost. */
		logd->state->cpu[cpu].writing = false;
	}
	logd_close_files(logd);
	logd_watch_files(logd);
}

/* ---- previous boots ---- */

/**
 * logd_begin_previous() - start saving the records of unread previous boots
 * @logd: daemon; must have no open log files, because the process that saves the boots would
 *	inherit them
 *
 * Errors are only reported: they do not keep the daemon from writing logs.
 */
void logd_begin_previous(struct logd *logd)
{
	uint64_t all = logd_total(logd), open = logd->opt->limit * logd_rings(logd);
	struct logd_previous_args args = {
		.opt = logd->opt,
		.files = &logd->files,
		.state = logd->state,
		.max = all > open ? all - open : 0,
	};
	struct lkst_previous previous;
	struct lkst_error err;
	size_t unread;

	if (!logd->opt->previous || logd->previous)
		return;
	if (lkst_previous_get(logd->dev, &previous, &err)) {
		logd_report_error(LOG_WARNING, "previous boots", &err);
		return;
	}
	unread = lkst_previous_unread(&previous);
	if (!unread)
		return;
	/*
	 * The files of previous boots are older than the new files, so they get lower serial
	 * numbers.
	 */
	logd_new_serial(logd);
	args.serial = logd->serial;
	if (logd->next_serial < LOGD_SERIAL_MAX - unread)
		logd->next_serial += (uint32_t)unread - 1;
	if (logd_previous_start(&args, &logd->previous, &err))
		logd_report_error(LOG_ERR, "previous boots", &err);
}
