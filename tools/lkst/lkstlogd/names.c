// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the command lines and open files of the processes for the log files. This takes a while on
 * a machine with thousands of processes, so all files share what was read.
 *
 * The command lines and open files are called names below. A reader of a log file can use the names
 * for the events that precede them in the file only if the file has all records that were made
 * before the names were read. So before log files are closed, the daemon reads the names first, and
 * then the last records.
 */
#include <stdlib.h>
#include <syslog.h>

#include "cli/logd_options.h"
#include "lib/base/error.h"
#include "lib/live/files.h"
#include "logd.h"
#include "names.h"
#include "report.h"

#define LOGD_NAMES_MS 10000 /* minimum time between two readings, except before files are closed */

static void logd_names_read(struct logd *logd)
{
	struct logd_names *names = &logd->process_names;
	struct live_files files = { .max = logd->opt->limit / 16 };
	struct lkst_error err;
	char problem[256], *text;
	size_t len;

	names->since = logd_now_ms();
	text = live_files_text(&files, logd->dev, &len, &err);
	if (!text) {
		logd_report_error(LOG_WARNING, "names of open files", &err);
		return;
	}
	free(names->files.text);
	names->files = (struct lkst_log_files){ text, len, names->files.serial + 1 };
	if (!names->reported && live_files_problem(&files, problem, sizeof(problem))) {
		logd_report(LOG_NOTICE, "%s", problem);
		names->reported = true;
	}
}

/**
 * logd_names_take() - read the names for files that are about to be closed
 * @logd: daemon
 *
 * Call this before the last records of the files are read from the kernel.
 * The names stay the same until logd_names_release().
 */
void logd_names_take(struct logd *logd)
{
	if (logd->opt->open_files)
		logd_names_read(logd);
	logd->process_names.taken = true;
}

/**
 * logd_names_release() - note that the files are closed
 * @logd: daemon
 */
void logd_names_release(struct logd *logd)
{
	logd->process_names.taken = false;
}

/**
 * logd_names_get() - get the names for a log file
 * @ctx: daemon
 *
 * Return: the names, valid until the next call; NULL: none.
 */
const struct lkst_log_files *logd_names_get(void *ctx)
{
	struct logd *logd = ctx;
	struct logd_names *names = &logd->process_names;

	if (!logd->opt->open_files)
		return NULL;
	if (!names->taken &&
	    (!names->files.text || logd_now_ms() - names->since >= LOGD_NAMES_MS))
		logd_names_read(logd);
	return &names->files;
}

/**
 * logd_names_free() - free the names
 * @logd: daemon
 */
void logd_names_free(struct logd *logd)
{
	free(logd->process_names.files.text);
	logd->process_names.files.text = NULL;
}
