// SPDX-License-Identifier: GPL-2.0
/*
 * Names the log files, lists them, and limits their total size. The file of a CPU is named
 * NAME<cpu>.<serial>, the file of a previous boot NAMEprevious.<serial>, and the file of a snapshot
 * NAMEsnapshot.<serial>. The report of a previous boot is named report-NAMEprevious.<serial>.txt,
 * so that the pattern NAME* matches only traces.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/logd_status.h"
#include "files.h"
#include "lib/base/error.h"
#include "messages.h"
#include "state.h"

#define PREVIOUS   "previous"
#define SNAPSHOT   "snapshot"
#define REPORT	   "report-"
#define REPORT_END ".txt"
#define BASE_MAX   (NAME_MAX - LOGD_NAME_MORE) /* longest base name */

/* ---- names ---- */

/**
 * logd_files_init() - split the name that the user gave into a directory and a base name
 * @files: result
 * @name: as given, relative or absolute
 * @err: set on failure: the name is empty, too long or contains control characters, or getcwd()
 *	failed
 */
int logd_files_init(struct logd_files *files, const char *name, struct lkst_error *err)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char here[PATH_MAX] = "";
	int len;

	for (const char *p = name; *p; p++) {
		if ((unsigned char)*p >= 0x20 && *p != 0x7f)
			continue;
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_LOGD_NAME, name);
		return -1;
	}
	if (*name != '/' && !getcwd(here, sizeof(here))) {
		lkst_error_system(err, errno, ".", "getcwd");
		return -1;
	}
	len = snprintf(files->dir, sizeof(files->dir), "%s%s%.*s", here, *name == '/' ? "" : "/",
		       (int)(slash ? slash - name + 1 : 0), name);
	/* Leave room for CPU and serial number. The complete path must fit into the status file. */
	if (!*base || strlen(base) > BASE_MAX ||
	    (size_t)len + strlen(base) + LOGD_NAME_MORE >
		    sizeof(((struct lkst_logd_cpu *)0)->file)) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_LOGD_NAME, name);
		return -1;
	}
	while (len > 1 && files->dir[len - 1] == '/')
		files->dir[--len] = 0;
	snprintf(files->base, sizeof(files->base), "%s", base);
	return 0;
}

/**
 * logd_files_name() - build the name of a file, without its directory
 * @files: base name
 * @cpu: CPU, LOGD_PREVIOUS or LOGD_SNAPSHOT
 * @serial: serial number
 * @name: result
 */
void logd_files_name(const struct logd_files *files, int32_t cpu, uint32_t serial,
		     char name[NAME_MAX + 1])
{
	if (cpu < 0)
		snprintf(name, NAME_MAX + 1, "%.*s%s.%u", BASE_MAX, files->base,
			 cpu == LOGD_PREVIOUS ? PREVIOUS : SNAPSHOT, serial);
	else
		snprintf(name, NAME_MAX + 1, "%.*s%d.%u", BASE_MAX, files->base, cpu, serial);
}

/**
 * logd_files_report_name() - build the name of the report of a previous boot, without its directory
 * @files: base name
 * @serial: serial number of the file of that boot
 * @name: result
 */
void logd_files_report_name(const struct logd_files *files, uint32_t serial,
			    char name[NAME_MAX + 1])
{
	snprintf(name, NAME_MAX + 1, REPORT "%.*s" PREVIOUS ".%u" REPORT_END, BASE_MAX, files->base,
		 serial);
}

/* Parse a decimal number without leading zeros. */
static bool logd_files_take_number(const char **p, unsigned long max, unsigned long *value)
{
	char *end;

	if (**p < '0' || **p > '9' || (**p == '0' && (*p)[1] >= '0' && (*p)[1] <= '9'))
		return false;
	errno = 0;
	*value = strtoul(*p, &end, 10);
	*p = end;
	return !errno && *value <= max;
}

/* Parse the name of a log file, followed by @end. */
static bool files_parse_name(const struct logd_files *files, const char *name, const char *end,
			     int32_t *cpu, uint32_t *serial)
{
	size_t len = strlen(files->base);
	const char *p = name + len;
	unsigned long value;

	if (strncmp(name, files->base, len) != 0)
		return false;
	if (!strncmp(p, PREVIOUS, strlen(PREVIOUS))) {
		p += strlen(PREVIOUS);
		*cpu = LOGD_PREVIOUS;
	} else if (!strncmp(p, SNAPSHOT, strlen(SNAPSHOT))) {
		p += strlen(SNAPSHOT);
		*cpu = LOGD_SNAPSHOT;
	} else if (logd_files_take_number(&p, INT32_MAX, &value)) {
		*cpu = (int32_t)value;
	} else {
		return false;
	}
	if (*p++ != '.')
		return false;
	if (!logd_files_take_number(&p, UINT32_MAX, &value) || strcmp(p, end) != 0)
		return false;
	*serial = (uint32_t)value;
	return true;
}

static bool files_parse_report_name(const struct logd_files *files, const char *name, int32_t *cpu,
				    uint32_t *serial)
{
	return !strncmp(name, REPORT, strlen(REPORT)) &&
	       files_parse_name(files, name + strlen(REPORT), REPORT_END, cpu, serial) &&
	       *cpu == LOGD_PREVIOUS;
}

/* ---- the directory ---- */

/**
 * logd_files_dir() - create the directory if it is missing, and check that it is writable
 * @files: directory
 * @err: set on failure
 */
int logd_files_dir(const struct logd_files *files, struct lkst_error *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (!stat(files->dir, &st) && S_ISDIR(st.st_mode) && !access(files->dir, W_OK | X_OK))
		return 0;
	snprintf(path, sizeof(path), "%s", files->dir);
	for (char *p = path + 1;; p++) {
		char was = *p;

		if (was && was != '/')
			continue;
		*p = 0;
		if (mkdir(path, 0755) && errno != EEXIST) {
			lkst_error_system(err, errno, path, "mkdir");
			return -1;
		}
		if (!was)
			break;
		*p = was;
	}
	if (!stat(files->dir, &st) && !S_ISDIR(st.st_mode))
		errno = ENOTDIR;
	else if (!access(files->dir, W_OK | X_OK))
		return 0;
	lkst_error_system(err, errno, files->dir, "write");
	return -1;
}

/* ---- listing the files ---- */

struct file_entry {
	uint32_t serial;
	int32_t cpu;
	bool report;
	uint64_t bytes;
	bool regular;
	bool counts;
	char name[NAME_MAX + 1];
};

struct file_entries {
	struct file_entry *entry;
	size_t num;
};

static int logd_files_add_entry(struct file_entries *entries, const struct file_entry *entry)
{
	struct file_entry *grown;

	if (!(entries->num & (entries->num - 1))) {
		size_t room = entries->num ? entries->num * 2 : 1;

		grown = realloc(entries->entry, room * sizeof(*grown));
		if (!grown)
			return -1;
		entries->entry = grown;
	}
	entries->entry[entries->num++] = *entry;
	return 0;
}

/* Order: by serial number and CPU. A report directly follows the trace to which it belongs. */
static int logd_files_compare(const void *a, const void *b)
{
	const struct file_entry *x = a, *y = b;

	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->report - y->report;
}

/*
 * Return whether a file belongs to another user. In a sticky directory such as /tmp, any user can
 * create files with the names of log files. Such files are neither counted nor deleted.
 */
static bool files_is_foreign(const struct stat *dir, const struct stat *file)
{
	return dir->st_mode & S_ISVTX && file->st_uid != geteuid();
}

static int files_add_entries(const struct logd_files *files, DIR *dir, struct file_entries *entries)
{
	struct dirent *found;
	struct stat all, st;
	int ret = fstat(dirfd(dir), &all);

	while (!ret && (found = readdir(dir))) {
		struct file_entry entry;

		entry.report =
			files_parse_report_name(files, found->d_name, &entry.cpu, &entry.serial);
		if ((!entry.report &&
		     !files_parse_name(files, found->d_name, "", &entry.cpu, &entry.serial)) ||
		    fstatat(dirfd(dir), found->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    files_is_foreign(&all, &st))
			continue;
		entry.regular = S_ISREG(st.st_mode);
		entry.bytes = (uint64_t)st.st_size;
		snprintf(entry.name, sizeof(entry.name), "%s", found->d_name);
		ret = logd_files_add_entry(entries, &entry);
	}
	return ret;
}

/*
 * List all files, oldest first. They are ordered by serial number, not by time, because the clock
 * may have been set.
 */
static int list_files(const struct logd_files *files, struct file_entries *entries,
		      struct lkst_error *err)
{
	DIR *dir = opendir(files->dir);
	int ret;

	*entries = (struct file_entries){ 0 };
	if (!dir) {
		lkst_error_system(err, errno, files->dir, "open");
		return -1;
	}
	ret = files_add_entries(files, dir, entries);
	closedir(dir);
	if (ret)
		lkst_error_memory(err, files->dir);
	else if (entries->num)
		qsort(entries->entry, entries->num, sizeof(*entries->entry), logd_files_compare);
	return ret;
}

/**
 * logd_files_serial() - find the lowest serial number above all that are in use
 * @files: directory and base name
 * @cpu: consider only the files of this CPU; -1: all files, including those of previous boots
 * @serial: result
 * @err: set on failure: the directory cannot be read, or the highest serial number is in use
 */
int logd_files_serial(const struct logd_files *files, int32_t cpu, uint32_t *serial,
		      struct lkst_error *err)
{
	const struct file_entry *last = NULL;
	struct file_entries entries;
	int ret;

	*serial = 0;
	ret = list_files(files, &entries, err);
	for (size_t i = 0; !ret && i < entries.num; i++)
		if (cpu < 0 || entries.entry[i].cpu == cpu)
			last = &entries.entry[i];
	if (last && last->serial >= LOGD_SERIAL_MAX) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_SERIAL, files->dir, last->name);
		ret = -1;
	} else if (last) {
		*serial = last->serial + 1;
	}
	free(entries.entry);
	return ret;
}

/* ---- total size ---- */

/**
 * logd_files_bytes() - return the total size of all files, in bytes
 * @files: directory and base name
 */
uint64_t logd_files_bytes(const struct logd_files *files)
{
	struct file_entries entries;
	uint64_t sum = 0;

	if (list_files(files, &entries, NULL))
		return 0;
	for (size_t i = 0; i < entries.num; i++)
		sum += entries.entry[i].regular ? entries.entry[i].bytes : 0;
	free(entries.entry);
	return sum;
}

static bool files_is_written(const struct logd_state *state, const char *name)
{
	for (uint32_t i = 0; i < state->cpus; i++)
		if (!strcmp(state->cpu[i].file, name))
			return true;
	return false;
}

/* Delete a file. Returns whether the file is gone. */
static bool delete_file(const struct logd_files *files, const struct file_entry *entry,
			uint32_t first_serial, struct logd_state *state)
{
	struct logd_cpu *cpu = (uint32_t)entry->cpu < state->cpus ? &state->cpu[entry->cpu] : NULL;
	char path[PATH_MAX + NAME_MAX + 2];

	snprintf(path, sizeof(path), "%s/%s", files->dir, entry->name);
	if (entry->report)
		return logd_remove_report(path);
	return logd_remove(path, cpu, entry->serial >= first_serial);
}

/**
 * logd_files_limit() - delete the oldest closed files until the rest fits within a limit; the
 * report of a previous boot is deleted together with the file of that boot
 * @files: directory and base name
 * @closed_max: limit on the total size of closed files, in bytes
 * @first_serial: first serial number that this process used
 * @state: lists the open files; its counters of deleted events are updated
 */
void logd_files_limit(const struct logd_files *files, uint64_t closed_max, uint32_t first_serial,
		      struct logd_state *state)
{
	struct file_entries entries;
	uint64_t sum = 0;
	int64_t gone = -1;

	if (list_files(files, &entries, NULL))
		entries.num = 0;
	/* Decide only once which files count, so that both loops agree. */
	for (size_t i = 0; i < entries.num; i++) {
		struct file_entry *entry = &entries.entry[i];

		entry->counts = entry->regular && !files_is_written(state, entry->name);
		sum += entry->counts ? entry->bytes : 0;
	}
	for (size_t i = 0; i < entries.num; i++) {
		const struct file_entry *entry = &entries.entry[i];
		bool without_trace = entry->report && entry->serial == gone;

		if (!entry->counts || (sum <= closed_max && !without_trace) ||
		    !delete_file(files, entry, first_serial, state))
			continue;
		sum -= entry->bytes;
		if (entry->cpu == LOGD_PREVIOUS)
			gone = entry->serial;
	}
	free(entries.entry);
}
