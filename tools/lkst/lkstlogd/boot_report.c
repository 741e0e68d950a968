// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a report about a saved boot to the directory of the saved file. The report is the output
 * of "lkstla report" for that file. The events are already safe in the file, so if the report
 * cannot be written, the daemon only logs a message.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "boot_report.h"
#include "files.h"
#include "lib/base/error.h"
#include "messages.h"
#include "output.h"
#include "previous.h"
#include "report.h"
#include "state.h"

enum {
	LIMIT_MS = 120000, /* time limit of lkstla */
};

/* ---- running lkstla ---- */

/* Find the lkstla that belongs to this lkstlogd: both are in the same directory. */
static int boot_report_command(char path[PATH_MAX], struct lkst_error *err)
{
	static const char name[] = "lkstla";
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - sizeof(name));

	if (len < 0) {
		lkst_error_system(err, errno, "/proc/self/exe", "readlink");
		return -1;
	}
	while (len && path[len - 1] != '/')
		len--;
	memcpy(path + len, name, sizeof(name));
	return 0;
}

/* Run lkstla. If it exits with an error, a report that it has nevertheless printed is used. */
static int boot_report_make(const struct logd_previous_args *args, const char *file,
			    struct logd_output *output, struct lkst_error *err)
{
	char command[PATH_MAX];
	const char *const argv[] = { command, "report", "-f", file, NULL };

	if (boot_report_command(command, err) ||
	    logd_output_collect(argv, LIMIT_MS, args->stop, output, err))
		return -1;
	if (output->len)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_REPORT_EMPTY, command, output->status,
		       output->messages_len ? ": " : "", (int)strcspn(output->messages, "\n"),
		       output->messages);
	return -1;
}

/* ---- writing the file ---- */

static int boot_report_put(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t done = write(fd, text, len);

		if (done < 0 && errno != EINTR)
			return -1;
		text += done > 0 ? done : 0;
		len -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* Write the report, then the messages of lkstla, which say what the report lacks. */
static int boot_report_fill(int fd, const struct logd_output *output)
{
	if (boot_report_put(fd, output->text, output->len))
		return -1;
	if (output->messages_len && (boot_report_put(fd, "\n", 1) ||
				     boot_report_put(fd, output->messages, output->messages_len)))
		return -1;
	return fsync(fd);
}

/*
 * Create the file under a temporary name, and rename it when it is complete on disk. An existing
 * file with the temporary name was left by a process that was killed.
 */
static int boot_report_write_at(int dir, const char *temporary, const char *name,
				const struct logd_output *output)
{
	int fd, saved;

	unlinkat(dir, temporary, 0);
	fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	/* Some file systems cannot synchronize a directory and return EINVAL. */
	if (!boot_report_fill(fd, output) && !renameat(dir, temporary, dir, name) &&
	    (!fsync(dir) || errno == EINVAL)) {
		close(fd);
		return 0;
	}
	saved = errno;
	unlinkat(dir, temporary, 0);
	close(fd);
	errno = saved;
	return -1;
}

static int boot_report_write(struct logd_previous_args *args, const char *name,
			     const struct logd_output *output, struct lkst_error *err)
{
	const struct logd_files *files = args->files;
	size_t bytes = output->len + output->messages_len + 1;
	char temporary[NAME_MAX + 1];
	int dir, ret;

	if (bytes > args->max) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_REPORT_SIZE, bytes,
			       (unsigned long long)args->max);
		return -1;
	}
	args->max -= bytes;
	dir = open(files->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		lkst_error_system(err, errno, files->dir, "open");
		return -1;
	}
	snprintf(temporary, sizeof(temporary), "report-%.*sprevious.new", NAME_MAX - LOGD_NAME_MORE,
		 files->base);
	ret = boot_report_write_at(dir, temporary, name, output);
	if (ret)
		lkst_error_system(err, errno, name, "write");
	close(dir);
	return ret;
}

/* ---- the log ---- */

/*
 * Log the first line of the first section, which says how the machine died. No other indented line
 * precedes it, because neither headings nor the lines about the trace are indented.
 */
static void boot_report_quote(const char *boot, const char *text)
{
	while (*text && *text != ' ') {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	text += strspn(text, " ");
	if (*text && *text != '\n')
		logd_report(LOG_NOTICE, "previous boot %s: %.*s", boot, (int)strcspn(text, "\n"),
			    text);
}

static void boot_report_log(const char *path, const struct logd_saved *saved,
			    const struct logd_output *output)
{
	if (output->status)
		logd_report(LOG_WARNING, "previous boot %s: incomplete report in %s: %.*s",
			    saved->boot, path, (int)strcspn(output->messages, "\n"),
			    output->messages);
	else
		logd_report(LOG_NOTICE, "previous boot %s: report in %s", saved->boot, path);
	boot_report_quote(saved->boot, output->text);
}

/**
 * logd_boot_report() - write the report of a saved boot
 * @args: arguments of the process that saves previous boots; the size of the report is subtracted
 *	from @max
 * @saved: the boot
 *
 * Each failure is reported. None affects the file of the boot.
 */
void logd_boot_report(struct logd_previous_args *args, const struct logd_saved *saved)
{
	static struct logd_output output;
	const char *dir = args->files->dir;
	char file[PATH_MAX + NAME_MAX + 2], path[PATH_MAX + NAME_MAX + 2], name[NAME_MAX + 1];
	struct lkst_error err;
	char why[sizeof(err.text)];

	snprintf(file, sizeof(file), "%s/%s", dir, saved->name);
	logd_files_report_name(args->files, saved->serial, name);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!boot_report_make(args, file, &output, &err) &&
	    !boot_report_write(args, name, &output, &err)) {
		args->state->previous.reports++;
		boot_report_log(path, saved, &output);
		return;
	}
	logd_report_cut(why, sizeof(why), err.text);
	logd_report(LOG_WARNING, "previous boot %s: no report: %s (lkstla report -f %s prints it)",
		    saved->boot, why, file);
}
