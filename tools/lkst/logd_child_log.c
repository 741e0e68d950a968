// SPDX-License-Identifier: GPL-2.0
/* The file that a child writes. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd_child.h"

#define NAMES 1000 /* that are tried at a time */

static int create_log(struct child *child, int dir, struct lkst_error *err)
{
	const struct logd_child_args *args = child->args;
	struct lkst_log_options opt = {
		.cpu = args->cpu,
		.serial = child->serial,
		.limit = args->opt->limit,
		.compress = args->opt->compress,
		.kallsyms = args->kallsyms,
	};
	char name[NAME_MAX + 1];

	logd_files_name(args->files, args->cpu, child->serial, name);
	/* Before it is there: the parent must not take it for one that nobody writes. */
	child_show_file(child, name);
	child->log = lkst_log_create(dir, name, &opt, err);
	if (!child->log) {
		child_show_file(child, "");
		return -1;
	}
	if (fstatat(dir, name, &child->file, AT_SYMLINK_NOFOLLOW))
		memset(&child->file, 0, sizeof(child->file));
	child_show_counts(child);
	return 0;
}

/* Something else may have the name that is not counted as a file of ours: then the next one. */
static int create_first(struct child *child, int dir, struct lkst_error *err)
{
	for (int i = 0;; i++, child->serial++) {
		if (!create_log(child, dir, err))
			return 0;
		if (err->sys_errno != EEXIST || i == NAMES || child->serial == LOGD_SERIAL_MAX)
			return -1;
	}
}

int child_open_log(struct child *child, struct lkst_error *err)
{
	const struct logd_files *files = child->args->files;
	uint32_t serial;
	int dir, ret;

	/* A child that was killed may have had this number, too. */
	if (logd_files_dir(files, err) || logd_files_serial(files, child->args->cpu, &serial, err))
		return -1;
	if (child->serial < serial)
		child->serial = serial;
	dir = open(files->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		lkst_error_system(err, errno, files->dir, "open");
		return -1;
	}
	ret = create_first(child, dir, err);
	close(dir);
	return ret;
}

void child_close_log(struct child *child)
{
	struct lkst_log_counts counts;
	struct lkst_error err;

	if (!child->log)
		return;
	lkst_log_counts(child->log, &counts);
	child->kept += counts.kept;
	child->rewound += counts.rewound;
	if (lkst_log_close(child->log, &err))
		logd_report_error(LOG_WARNING, NULL, &err);
	child->log = NULL;
	child_show_file(child, "");
	child_show_counts(child);
}

/* Somebody has removed the file, perhaps with its directory: go on in another one. */
void child_check_file(struct child *child)
{
	char path[PATH_MAX + NAME_MAX + 2];
	struct stat st;

	if (!child->log)
		return;
	snprintf(path, sizeof(path), "%s/%s", child->args->files->dir, child->shared->file);
	if (!lstat(path, &st) && st.st_ino == child->file.st_ino && st.st_dev == child->file.st_dev)
		return;
	logd_report(LOG_NOTICE, "%s: was removed, with what is in it; a new one begins", path);
	lkst_log_close(child->log, NULL);
	child->log = NULL;
	child_show_file(child, "");
	child_show_counts(child);
}

/* Returns 0, or -1 when there is trouble. */
int child_write_run(struct child *child)
{
	struct lkst_error err;

	if (lkst_log_write(child->log, &child->run, &err)) {
		child_begin_trouble(child, &err);
		return -1;
	}
	child->holding = false;
	child->shared->next = child->run.first_recid + child->run.num;
	child_wrote(child);
	child_end_trouble(child);
	child_no_trouble(child);
	child_show_counts(child);
	return 0;
}
