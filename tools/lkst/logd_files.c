// SPDX-License-Identifier: GPL-2.0
/* Log files: their names, NAME<cpu>.<serial>, and how much all of them together may take. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/messages.h"
#include "lib/trace_format.h"
#include "logd.h"

/* ---- names ---- */

/**
 * logd_files_init() - where the files are
 * @files: result
 * @name: as the user wrote it
 * @err: why that is none
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
	/* CPU and serial come behind it, and the file is shown in the status as a whole. */
	if (!*base || strlen(base) > NAME_MAX - 24 ||
	    (size_t)len + strlen(base) + 24 > sizeof(((struct lkst_logd_cpu *)0)->file)) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_LOGD_NAME, name);
		return -1;
	}
	while (len > 1 && files->dir[len - 1] == '/')
		files->dir[--len] = 0;
	snprintf(files->base, sizeof(files->base), "%s", base);
	return 0;
}

/**
 * logd_files_name() - the name of a file in its directory
 * @files: where they are
 * @cpu: CPU
 * @serial: serial number
 * @name: result
 */
void logd_files_name(const struct logd_files *files, int32_t cpu, uint32_t serial,
		     char name[NAME_MAX + 1])
{
	snprintf(name, NAME_MAX + 1, "%.*s%d.%u", NAME_MAX - 24, files->base, cpu, serial);
}

/* Digits, without leading zeros. */
static bool take_number(const char **p, unsigned long max, unsigned long *value)
{
	char *end;

	if (**p < '0' || **p > '9' || (**p == '0' && (*p)[1] >= '0' && (*p)[1] <= '9'))
		return false;
	errno = 0;
	*value = strtoul(*p, &end, 10);
	*p = end;
	return !errno && *value <= max;
}

static bool parse_name(const struct logd_files *files, const char *name, int32_t *cpu,
		       uint32_t *serial)
{
	size_t len = strlen(files->base);
	const char *p = name + len;
	unsigned long value;

	if (strncmp(name, files->base, len) != 0 || !take_number(&p, INT32_MAX, &value) ||
	    *p++ != '.')
		return false;
	*cpu = (int32_t)value;
	if (!take_number(&p, UINT32_MAX - 1, &value) || *p)
		return false;
	*serial = (uint32_t)value;
	return true;
}

/* ---- the directory ---- */

/**
 * logd_files_dir() - see that the directory is there and can be written to, and make it if not
 * @files: where they are
 * @err: why it is not
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

/* ---- which there are ---- */

struct entry {
	uint32_t serial;
	int32_t cpu;
	uint64_t bytes;
	char name[NAME_MAX + 1];
};

struct entries {
	struct entry *entry;
	size_t num;
};

static int add_entry(struct entries *entries, const struct entry *entry)
{
	struct entry *grown;

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

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* All of them, oldest first: that is what the serial says, whatever the clock was. */
static int list_files(const struct logd_files *files, struct entries *entries,
		      struct lkst_error *err)
{
	DIR *dir = opendir(files->dir);
	struct dirent *found;
	int ret = 0;

	*entries = (struct entries){ 0 };
	if (!dir) {
		lkst_error_system(err, errno, files->dir, "open");
		return -1;
	}
	while (!ret && (found = readdir(dir))) {
		struct entry entry;
		struct stat st;

		if (!parse_name(files, found->d_name, &entry.cpu, &entry.serial) ||
		    fstatat(dirfd(dir), found->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		entry.bytes = (uint64_t)st.st_size;
		snprintf(entry.name, sizeof(entry.name), "%s", found->d_name);
		ret = add_entry(entries, &entry);
	}
	closedir(dir);
	if (ret)
		lkst_error_memory(err, files->dir);
	else if (entries->num)
		qsort(entries->entry, entries->num, sizeof(*entries->entry), compare);
	return ret;
}

/**
 * logd_files_serial() - a serial number that is higher than any there
 * @files: where they are
 * @serial: result
 * @err: why the directory cannot be read
 */
int logd_files_serial(const struct logd_files *files, uint32_t *serial, struct lkst_error *err)
{
	struct entries entries;

	if (list_files(files, &entries, err)) {
		free(entries.entry);
		return -1;
	}
	*serial = entries.num ? entries.entry[entries.num - 1].serial + 1 : 0;
	free(entries.entry);
	return 0;
}

/* ---- how much they take ---- */

static bool is_written(const struct logd_state *state, const char *name)
{
	for (uint32_t i = 0; i < state->cpus; i++)
		if (!strcmp(state->cpu[i].file, name))
			return true;
	return false;
}

/* What the END chunk says; false: there is none. */
static bool events_at_end(const char *path, uint64_t *events)
{
	struct {
		struct trace_chunk_header head;
		struct trace_end end;
	} last;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	bool found;

	found = size > (off_t)sizeof(last) &&
		pread(fd, &last, sizeof(last), size - (off_t)sizeof(last)) == sizeof(last) &&
		last.head.magic == TRACE_CHUNK_MAGIC && last.head.type == TRACE_END &&
		last.head.length == sizeof(last.end);
	if (fd >= 0)
		close(fd);
	*events = found ? last.end.records : 0;
	return found;
}

/* A file whose writer was killed has to be gone through. */
static uint64_t count_events(const char *path)
{
	struct lkst_trace *trace;
	uint64_t events;

	if (events_at_end(path, &events))
		return events;
	trace = lkst_trace_open(path, NULL, NULL);
	events = trace ? lkst_trace_records(trace) : 0;
	lkst_trace_close(trace);
	return events;
}

/* Returns whether it is gone. */
static bool delete_file(const struct logd_files *files, const struct entry *entry,
			uint32_t first_serial, struct logd_state *state)
{
	char path[PATH_MAX + NAME_MAX + 2];
	uint64_t events;

	snprintf(path, sizeof(path), "%s/%s", files->dir, entry->name);
	events = count_events(path);
	if (unlink(path)) {
		logd_report(LOG_WARNING,
			    "%s: cannot be deleted, as the limit on all files demands: %s", path,
			    strerror(errno));
		return false;
	}
	logd_report(LOG_INFO, "%s: deleted, with %llu events: the limit on all files", path,
		    (unsigned long long)events);
	if ((uint32_t)entry->cpu < state->cpus) {
		state->cpu[entry->cpu].removed += events;
		if (entry->serial >= first_serial)
			state->cpu[entry->cpu].removed_own += events;
	}
	return true;
}

/**
 * logd_files_limit() - delete the oldest files that are not being written, if there is too much
 * @files: where they are
 * @closed_max: bytes that those may take which are not being written
 * @first_serial: of the files of this process
 * @state: counts what is deleted
 */
void logd_files_limit(const struct logd_files *files, uint64_t closed_max, uint32_t first_serial,
		      struct logd_state *state)
{
	struct entries entries;
	uint64_t sum = 0;

	if (!list_files(files, &entries, NULL)) {
		for (size_t i = 0; i < entries.num; i++)
			if (!is_written(state, entries.entry[i].name))
				sum += entries.entry[i].bytes;
		for (size_t i = 0; i < entries.num && sum > closed_max; i++)
			if (!is_written(state, entries.entry[i].name) &&
			    delete_file(files, &entries.entry[i], first_serial, state))
				sum -= entries.entry[i].bytes;
	}
	free(entries.entry);
}
