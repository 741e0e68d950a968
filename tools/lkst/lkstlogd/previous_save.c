// SPDX-License-Identifier: GPL-2.0
/*
 * Saves the records of a previous boot to a file. The machine may reset at any time, so the order
 * matters. The file has a temporary name until all of it is on disk. Then it gets its final name.
 * The boot stays unread until that name is on disk, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/lkst_previous.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "boot_report.h"
#include "cli/logd_options.h"
#include "files.h"
#include "lib/base/error.h"
#include "lib/device/previous.h"
#include "lib/image/image.h"
#include "lib/image/records.h"
#include "lib/image/source.h"
#include "lib/image/trace.h"
#include "lib/image/selection.h"
#include "lib/trace/messages.h"
#include "lib/trace/write.h"
#include "messages.h"
#include "previous.h"
#include "report.h"
#include "state.h"

/**
 * struct saving - a boot that is being saved
 * @args: arguments from the parent; @serial is set to the serial number of the file, and the size
 *	of the file is subtracted from @max
 * @boot: UUID of the boot
 * @dir: descriptor of the directory of the file
 * @fd: descriptor of the file
 * @name: temporary name of the file
 * @path: temporary name with its directory, for error messages
 * @records: number of records written
 */
struct saving {
	struct logd_previous_args *args;
	char boot[LKST_BOOT_TEXT];
	int dir;
	int fd;
	char name[NAME_MAX + 1];
	char path[PATH_MAX + NAME_MAX + 2];
	uint64_t records;
};

static void logd_previous_save_report(void *ctx, const char *text)
{
	const struct saving *saving = ctx;
	char line[1024];

	logd_report_cut(line, sizeof(line), text);
	logd_report(LOG_INFO, "previous boot %s: %s", saving->boot, line);
}

/* ---- the file ---- */

/*
 * Create the file under its temporary name. Only one process saves boots, so an existing file with
 * this name was left by a process that was killed, and is replaced.
 */
static int previous_save_open_file(struct saving *saving, struct lkst_error *err)
{
	const struct logd_files *files = saving->args->files;

	snprintf(saving->name, sizeof(saving->name), "%.*sprevious.new", NAME_MAX - LOGD_NAME_MORE,
		 files->base);
	snprintf(saving->path, sizeof(saving->path), "%s/%s", files->dir, saving->name);
	saving->dir = open(files->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (saving->dir < 0) {
		lkst_error_system(err, errno, files->dir, "open");
		return -1;
	}
	unlinkat(saving->dir, saving->name, 0);
	saving->fd = openat(saving->dir, saving->name,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (saving->fd >= 0)
		return 0;
	lkst_error_system(err, errno, saving->path, "create");
	close(saving->dir);
	return -1;
}

/* Close the file, and remove its temporary name. Its final name, if it has one, stays. */
static void previous_save_close_file(const struct saving *saving)
{
	unlinkat(saving->dir, saving->name, 0);
	close(saving->fd);
	close(saving->dir);
}

/*
 * Check that the total limit leaves room for the file. Otherwise, the daemon would delete files
 * that were just saved, although their boots are marked as read.
 */
static int previous_save_check_size(const struct saving *saving, struct lkst_error *err)
{
	struct stat st = { 0 };

	if (!fstat(saving->fd, &st) && (uint64_t)st.st_size <= saving->args->max) {
		saving->args->max -= (uint64_t)st.st_size;
		return 0;
	}
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_PREVIOUS_SIZE, (unsigned long long)st.st_size,
		       (unsigned long long)saving->args->max);
	return -1;
}

static bool previous_save_exists(const struct saving *saving, const char *name)
{
	struct stat st;

	return !fstatat(saving->dir, name, &st, AT_SYMLINK_NOFOLLOW);
}

/*
 * Find the first serial number for which neither the file nor its report exists, beginning with the
 * current serial number, which is updated.
 */
static int previous_save_choose_name(const struct saving *saving, char name[NAME_MAX + 1],
				     struct lkst_error *err)
{
	const struct logd_files *files = saving->args->files;
	uint32_t *serial = &saving->args->serial;
	char report[NAME_MAX + 1];

	for (;; ++*serial) {
		logd_files_report_name(files, *serial, report);
		logd_files_name(files, LOGD_PREVIOUS, *serial, name);
		if (*serial > LOGD_SERIAL_MAX) {
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_SERIAL, files->dir, name);
			return -1;
		}
		if (!previous_save_exists(saving, name) && !previous_save_exists(saving, report))
			return 0;
	}
}

static int previous_save_place_file(const struct saving *saving, char name[NAME_MAX + 1],
				    struct lkst_error *err)
{
	if (previous_save_choose_name(saving, name, err) || previous_save_check_size(saving, err))
		return -1;
	/* Some file systems cannot synchronize a directory and return EINVAL. */
	if (!fsync(saving->fd) && !renameat(saving->dir, saving->name, saving->dir, name) &&
	    (!fsync(saving->dir) || errno == EINVAL))
		return 0;
	lkst_error_system(err, errno, saving->path, "write");
	return -1;
}

/* ---- contents ---- */

static int previous_save_write_image(struct saving *saving, const struct image *image,
				     struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct image_hooks hooks = {
		.ctx = saving,
		.report = logd_previous_save_report,
		.stop = saving->args->stop,
	};
	struct image_selection selection = { .cpu = -1, .id = -1 };
	struct image_counts total;
	int chosen = image_choose_boot(image, saving->boot, &hooks, err);

	if (chosen < 0)
		return -1;
	selection.boot = (uint32_t)chosen;
	if (saving->args->opt->compress && lkst_trace_writer_compress(writer, err))
		return -1;
	if (image_trace(image, &selection, &hooks, writer, &total, err))
		return -1;
	saving->records = total.records;
	return 0;
}

static int logd_previous_save_write_trace(struct saving *saving, const struct image *image,
					  struct lkst_error *err)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_fd(saving->fd, saving->path, err);
	int ret;

	if (!writer)
		return -1;
	ret = previous_save_write_image(saving, image, writer, err);
	if (!ret)
		return lkst_trace_writer_commit(writer, err);
	lkst_trace_writer_abort(writer);
	return ret;
}

static struct image *previous_save_find_image(struct saving *saving, struct lkst_device *dev,
					      const struct lkst_previous_listent *boot,
					      struct lkst_error *err)
{
	const struct image_hooks hooks = {
		.ctx = saving,
		.report = logd_previous_save_report,
		.stop = saving->args->stop,
	};
	struct image_source *source = image_source_previous(dev, boot, err);

	return source ? image_scan(source, &hooks, err) : NULL;
}

static int logd_previous_save_write_file(struct saving *saving, struct lkst_device *dev,
					 const struct lkst_previous_listent *boot,
					 struct lkst_error *err)
{
	struct image *image = previous_save_find_image(saving, dev, boot, err);
	int ret = image ? logd_previous_save_write_trace(saving, image, err) : -1;

	image_free(image);
	/* A signal may have cut the work short, so that symbols, for example, are missing. */
	if (!ret && *saving->args->stop) {
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_INTERRUPTED, saving->path);
		return -1;
	}
	return ret;
}

/* ---- saving a boot ---- */

static void logd_previous_report(const struct saving *saving, const char *name)
{
	struct logd_previous *previous = &saving->args->state->previous;

	snprintf(previous->file, sizeof(previous->file), "%s", name);
	previous->saved++;
	logd_report(LOG_NOTICE, "previous boot %s: %llu events saved in %s/%s", saving->boot,
		    (unsigned long long)saving->records, saving->args->files->dir, name);
}

/**
 * logd_previous_save() - save a boot to a file, and mark it as read
 * @args: arguments from the parent; @serial and @max are updated for the next boot
 * @dev: device
 * @boot: the boot
 * @saved: result
 * @err: set if the boot cannot be saved or marked; the boot then stays unread
 */
int logd_previous_save(struct logd_previous_args *args, struct lkst_device *dev,
		       const struct lkst_previous_listent *boot, struct logd_saved *saved,
		       struct lkst_error *err)
{
	struct saving saving = { .args = args };
	int ret;

	lkst_boot_text(boot->boot, saving.boot);
	if (logd_files_dir(args->files, err) || previous_save_open_file(&saving, err))
		return -1;
	ret = logd_previous_save_write_file(&saving, dev, boot, err);
	if (!ret)
		ret = previous_save_place_file(&saving, saved->name, err);
	previous_save_close_file(&saving);
	if (ret)
		return -1;
	memcpy(saved->boot, saving.boot, sizeof(saved->boot));
	saved->serial = args->serial++;
	logd_previous_report(&saving, saved->name);
	return lkst_previous_done(dev, boot->boot, err);
}
