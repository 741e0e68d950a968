// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads the command lines and descriptors of the running processes for a trace.
 *
 * If the text contains descriptors, it also contains, for each CPU, the number of records that the
 * CPU had made when all processes had been read. A reader may use the names of descriptors only if
 * the trace contains the records up to this number, because these records show which descriptors
 * changed (lib/text/files.c).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/files.h"

#define CUT " [cut]" /* follows the beginning of a name that is too long */

struct live_files_reading {
	struct live_files *files;
	FILE *to;
	uint64_t held; /* number of descriptors so far */
};

static int64_t live_files_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Write bytes so that they stay on one line and, if @words is set, contain no blank. */
static void live_files_put(FILE *to, const char *text, size_t len, bool words)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < 0x20 || c == 0x7f || c == '\\' || (words && c == ' '))
			fprintf(to, "\\%03o", c);
		else
			putc(c, to);
	}
}

/* Write the arguments of a command, which are separated by 0 bytes. */
static void live_files_put_command(FILE *to, const char *text, size_t len)
{
	bool cut = len > LIVE_FILES_NAME;

	if (cut)
		len = LIVE_FILES_NAME;
	while (len && !text[len - 1])
		len--;
	for (size_t at = 0, n; at < len; at += n + 1) {
		n = strnlen(text + at, len - at);
		if (at)
			putc(' ', to);
		live_files_put(to, text + at, n, true);
	}
	fputs(cut ? CUT "\n" : "\n", to);
}

/* Write the line "command". Returns false if the process has ended. */
static bool live_files_command(const struct live_files_reading *reading, int process)
{
	int fd = openat(process, "cmdline", O_RDONLY | O_CLOEXEC);
	char text[LIVE_FILES_NAME + 1];
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		return false;
	do {
		n = read(fd, text + len, sizeof(text) - len);
		len += n > 0 ? (size_t)n : 0;
	} while (n > 0 && len < sizeof(text));
	close(fd);
	if (n < 0)
		return false;
	fputs("command - - ", reading->to);
	live_files_put_command(reading->to, text, len);
	return true;
}

/* Write the line of a descriptor. Returns 0, or an errno, such as ENOENT if it has been closed. */
static int live_files_descriptor(const struct live_files_reading *reading, int dir,
				 const char *name)
{
	char target[LIVE_FILES_NAME + 1];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));
	bool cut = n == sizeof(target);

	if (n < 0)
		return errno;
	fprintf(reading->to, "fd %.10s - - ", name);
	live_files_put(reading->to, target, cut ? (size_t)n - 1 : (size_t)n, false);
	fputs(cut ? CUT "\n" : "\n", reading->to);
	return 0;
}

/* Write the lines of all descriptors. Returns false if this program may not read them. */
static bool live_files_descriptors(struct live_files_reading *reading, int process)
{
	int fd = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed = 0;
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	size_t num = 0;

	if (!dir) {
		failed = errno;
		if (fd >= 0)
			close(fd);
	}
	while (dir && !failed && (entry = readdir(dir)) != NULL) {
		if (*entry->d_name < '0' || *entry->d_name > '9')
			continue;
		if (num == LIVE_FILES_EACH || reading->held == LIVE_FILES_ALL) {
			reading->files->descriptors++;
			continue;
		}
		failed = live_files_descriptor(reading, dirfd(dir), entry->d_name);
		if (failed && failed != EACCES && failed != EPERM)
			failed = 0; /* the descriptor was closed, or the process has ended */
		num++;
		reading->held++;
	}
	if (dir)
		closedir(dir);
	return failed != EACCES && failed != EPERM;
}

/*
 * Write the lines of a process. A kernel thread has neither a command line nor descriptors, and a
 * process that has ended in the meantime may have lost some of them, which does no harm.
 */
static void live_files_process(struct live_files_reading *reading, int proc, const char *tgid)
{
	int process = openat(proc, tgid, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct live_files *files = reading->files;
	char *text = NULL;
	size_t len;
	FILE *all = reading->to;
	int64_t begin = live_files_clock(CLOCK_MONOTONIC);

	reading->to = process >= 0 ? open_memstream(&text, &len) : NULL;
	if (reading->to && live_files_command(reading, process)) {
		if (!files->no_names && !live_files_descriptors(reading, process))
			files->denied++;
	}
	if (reading->to && !(ferror(reading->to) | fclose(reading->to)) &&
	    len > strlen("command - - \n"))
		fprintf(all, "process %.10s %lld %lld\n%s", tgid, (long long)begin,
			(long long)live_files_clock(CLOCK_MONOTONIC), text);
	free(text);
	if (process >= 0)
		close(process);
	reading->to = all;
}

static bool live_files_is_number(const char *name)
{
	return *name >= '1' && *name <= '9';
}

static void live_files_processes(struct live_files_reading *reading)
{
	const char *root = reading->files->root ? reading->files->root : "";
	struct dirent *entry;
	char path[PATH_MAX];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc", root);
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (!live_files_is_number(entry->d_name))
			continue;
		if ((size_t)ftell(reading->to) < reading->files->max)
			live_files_process(reading, dirfd(dir), entry->d_name);
		else
			reading->files->processes++;
	}
	closedir(dir);
}

static bool live_files_masks(const struct lkst_maskset_body *mask, int type)
{
	for (lkst_maskset_table_len i = 0; i < mask->len; i++)
		if (mask->entry[i].event_type == type)
			return mask->entry[i].id == LKST_EVHANDLER_ID_NONE;
	return true;
}

/*
 * Return whether the kernel records all events that change descriptors, and the event that reports
 * the selection of another maskset. The kernel records the latter event if the old or the new
 * maskset does not mask it. So if the current maskset does not mask it, the trace shows when the
 * current maskset was selected, and when the next maskset is selected. While LKST is stopped, the
 * current maskset masks all events.
 */
static bool live_files_recorded(struct lkst_device *dev)
{
	static const int needed[] = {
		LKST_ETYPE_SYSCALL_ENTRY,
		LKST_ETYPE_LKST_TRC_START,
		LKST_ETYPE_LKST_TRC_STOP,
		LKST_ETYPE_LKST_MASKSET_SET,
	};
	struct lkst_maskset_body *mask = malloc(LKST_MASKSET_SIZE_MAX);
	bool recorded = mask && !lkst_maskset_read(dev, LKST_MASKSET_ID_VOID, mask, NULL);

	for (size_t i = 0; recorded && i < sizeof(needed) / sizeof(*needed); i++)
		recorded = !live_files_masks(mask, needed[i]);
	free(mask);
	return recorded;
}

/* Write for each CPU the recid of its next record. */
static int live_files_cpus(const struct live_files_reading *reading, struct lkst_device *dev,
			   struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(dev, &status, err))
		return -1;
	for (uint32_t cpu = 0; cpu < status.trc.cpu_num; cpu++) {
		struct lkst_buffer_list list;
		uint64_t next = 0;

		if (lkst_buffer_list_get(dev, (int32_t)cpu, &list, err)) {
			lkst_status_free(&status);
			return -1;
		}
		for (int i = 0; i < list.param.buffer_num; i++) {
			uint64_t end = (uint64_t)list.ent[i].baseid + list.ent[i].write_offset;

			next = end > next ? end : next;
		}
		lkst_buffer_list_free(&list);
		fprintf(reading->to, "cpu %u %llu\n", cpu, (unsigned long long)next);
	}
	lkst_status_free(&status);
	return 0;
}

static void live_files_put_counts(const struct live_files_reading *reading)
{
	const struct live_files *files = reading->files;

	if (files->processes || files->descriptors)
		fprintf(reading->to, "left_out %llu %llu\n", (unsigned long long)files->processes,
			(unsigned long long)files->descriptors);
	if (files->denied)
		fprintf(reading->to, "denied %llu\n", (unsigned long long)files->denied);
}

/**
 * live_files_text() - read the command lines and descriptors of the running processes
 * @files: what to read; the counts are set
 * @dev: device
 * @len: set to the length of the text in bytes
 * @err: set on failure
 *
 * Return: the contents of a FILES chunk, to be freed by the caller.
 */
char *live_files_text(struct live_files *files, struct lkst_device *dev, size_t *len,
		      struct lkst_error *err)
{
	struct live_files_reading reading = { .files = files };
	char *text = NULL;
	int ret = 0;

	files->processes = files->descriptors = files->denied = 0;
	files->no_names = files->no_names || !live_files_recorded(dev);
	if (files->max > LIVE_FILES_BYTES || !files->max)
		files->max = LIVE_FILES_BYTES;
	reading.to = open_memstream(&text, len);
	if (!reading.to) {
		lkst_error_memory(err, "file names");
		return NULL;
	}
	fprintf(reading.to, LKST_FILES_HEADER "\nread %lld %lld\n",
		(long long)live_files_clock(CLOCK_MONOTONIC),
		(long long)live_files_clock(CLOCK_REALTIME));
	live_files_processes(&reading);
	if (!files->no_names)
		ret = live_files_cpus(&reading, dev, err);
	live_files_put_counts(&reading);
	if (ferror(reading.to) | fclose(reading.to)) {
		lkst_error_memory(err, "file names");
		ret = -1;
	}
	if (!ret)
		return text;
	free(text);
	return NULL;
}

/**
 * live_files_problem() - describe what could not be read
 * @files: from live_files_text()
 * @text: result
 * @size: size of @text in bytes
 *
 * Return: false if everything was read.
 */
bool live_files_problem(const struct live_files *files, char *text, size_t size)
{
	int len = 0;

	*text = 0;
	if (files->denied)
		len = snprintf(
			text, size,
			"the files of %llu processes are unknown, as this needs CAP_SYS_PTRACE",
			(unsigned long long)files->denied);
	if ((files->processes || files->descriptors) && (size_t)len < size)
		snprintf(
			text + len, size - (size_t)len,
			"%sthe files of %llu processes and %llu other descriptors are left out, as there are too many",
			len ? "; " : "", (unsigned long long)files->processes,
			(unsigned long long)files->descriptors);
	return *text;
}
