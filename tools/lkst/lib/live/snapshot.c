// SPDX-License-Identifier: LGPL-2.1
/* Describes the current state of the system for a trace. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/base/version.h"
#include "lib/text/text.h"
#include "lib/trace/write.h"
#include "snapshot.h"

/**
 * snapshot_system() - make the text of a SYSTEM chunk
 * @cpus: number of CPUs of the machine
 * @text: result
 */
void snapshot_system(uint32_t cpus, char text[SNAPSHOT_SYSTEM_MAX])
{
	char boot_id[64], date[64], zone[64];
	struct utsname uts;
	time_t now = time(NULL);
	struct tm tm;

	uname(&uts);
	text_first_line("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id));
	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	localtime_r(&now, &tm);
	strftime(zone, sizeof(zone), "%Z %z", &tm);
	snprintf(text, SNAPSHOT_SYSTEM_MAX,
		 "kernel=%s %s %s\nmachine=%s\nhostname=%s\nboot_id=%s\ncpus=%u\ntime=%s\n"
		 "timezone=%s\ntools=%s\n",
		 LKST_PRINTABLE(uts.sysname), LKST_PRINTABLE(uts.release),
		 LKST_PRINTABLE(uts.version), LKST_PRINTABLE(uts.machine),
		 LKST_PRINTABLE(uts.nodename), boot_id, cpus, date, LKST_PRINTABLE(zone),
		 LKST_TOOLS_VERSION);
}

struct process_list {
	struct lkst_process *process;
	size_t num;
	size_t cap;
};

static int snapshot_add_thread(struct process_list *list, const char *tgid, const char *tid)
{
	struct lkst_process *process;
	char path[300], name[64];

	snprintf(path, sizeof(path), "/proc/%.20s/task/%.20s/comm", tgid, tid);
	text_first_line(path, name, sizeof(name));
	if (!*name)
		return 0; /* the thread has exited in the meantime */
	if (list->num == list->cap) {
		list->cap *= 2;
		process = realloc(list->process, list->cap * sizeof(*process));
		if (!process)
			return -1;
		list->process = process;
	}
	process = &list->process[list->num++];
	memset(process, 0, sizeof(*process));
	process->tid = (uint32_t)strtoul(tid, NULL, 10);
	process->tgid = (uint32_t)strtoul(tgid, NULL, 10);
	memcpy(process->name, name, strnlen(name, sizeof(process->name) - 1));
	return 0;
}

static bool snapshot_is_number(const char *name)
{
	return *name >= '1' && *name <= '9';
}

static int snapshot_add_process(struct process_list *list, const char *tgid)
{
	struct dirent *entry;
	char path[64];
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.20s/task", tgid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (entry = readdir(dir)) != NULL)
		if (snapshot_is_number(entry->d_name))
			ret = snapshot_add_thread(list, tgid, entry->d_name);
	closedir(dir);
	return ret;
}

/**
 * snapshot_processes() - list the current threads
 * @num: set to the number of threads
 * @err: set if an allocation fails
 *
 * Return: array of threads, to be freed by the caller; NULL on failure.
 */
struct lkst_process *snapshot_processes(size_t *num, struct lkst_error *err)
{
	struct process_list list = { .cap = 256 };
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	int ret;

	list.process = malloc(list.cap * sizeof(*list.process));
	ret = list.process ? 0 : -1;
	while (dir && !ret && (entry = readdir(dir)) != NULL)
		if (snapshot_is_number(entry->d_name))
			ret = snapshot_add_process(&list, entry->d_name);
	if (dir)
		closedir(dir);
	*num = list.num;
	if (!ret)
		return list.process;
	lkst_error_memory(err, "process names");
	free(list.process);
	return NULL;
}
