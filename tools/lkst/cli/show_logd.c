// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "json.h"
#include "lib/base/printable.h"
#include "lib/text/parse.h"
#include "logd_status.h"
#include "show.h"
#include "show_logd.h"

/**
 * logd_get() - get the status of lkstlogd
 * @logd: result, to be freed with logd_free()
 * @path: status file
 */
void logd_get(struct logd_view *logd, const char *path)
{
	if (lkst_logd_status_read(path, &logd->status, &logd->why))
		logd->state = LOGD_UNKNOWN;
	else if (logd->status.pid)
		logd->state = LOGD_RUNS;
	else
		/* A daemon that exits normally removes its status file. */
		logd->state = access(path, F_OK) ? LOGD_NONE : LOGD_KILLED;
}

/**
 * logd_free() - free what logd_get() allocated
 * @logd: from logd_get()
 */
void logd_free(struct logd_view *logd)
{
	lkst_logd_status_free(&logd->status);
}

/* Print the limits on the size of log files, and the time span that a full file covers. */
static void show_limits(const struct lkst_logd_status *status)
{
	char limit[32], total[32], seconds[32] = "";

	if (!status->limit)
		return;
	lkst_size_text(status->limit, limit, sizeof(limit));
	lkst_size_text(status->total, total, sizeof(total));
	printf("log files       up to %s for each CPU, %s together", limit, total);
	if (status->seconds)
		lkst_seconds_text(status->seconds, seconds, sizeof(seconds));
	printf("%s%s%s\n", *seconds ? ": the last " : "", seconds,
	       *seconds ? " of the busiest CPU" : "");
}

/* If the daemon found previous boots, print how many it saved and how many it could not save. */
static void show_logd_show_previous(const struct lkst_logd_previous *previous)
{
	if (previous->saved)
		printf("previous boots  %u saved, the latest in %s\n", previous->saved,
		       LKST_PRINTABLE(previous->file));
	if (previous->unsaved)
		printf("previous boots  %u not saved, unread: %s\n", previous->unsaved,
		       LKST_PRINTABLE(previous->trouble));
}

/**
 * show_logd() - print the state of lkstlogd in a few lines
 * @logd: from logd_get()
 */
void show_logd(const struct logd_view *logd)
{
	const struct lkst_logd_status *status = &logd->status;
	char since[32];

	fputs("lkstlogd        ", stdout);
	switch (logd->state) {
	case LOGD_NONE:
		puts("not running");
		return;
	case LOGD_KILLED:
		puts("not running, was killed");
		return;
	case LOGD_UNKNOWN:
		printf("unknown: %s\n", logd->why.text);
		return;
	case LOGD_RUNS:
		break;
	}
	printf("%s, process %d, since %s\n", LKST_PRINTABLE(status->state), status->pid,
	       since_text(status->since, since));
	if (*status->trouble)
		printf("trouble         %s\n", LKST_PRINTABLE(status->trouble));
	show_logd_show_previous(&status->previous);
	show_limits(status);
	if (*status->config)
		printf("configuration   %s\n", LKST_PRINTABLE(status->config));
}

/**
 * show_logd_cpus() - print for each CPU how many events were written and lost
 * @logd: from logd_get()
 */
void show_logd_cpus(const struct logd_view *logd)
{
	const struct lkst_logd_status *status = &logd->status;

	if (!status->num)
		return;
	printf("\n%4s  %15s  %15s  %15s  %s\n", "CPU", "events in files", "overwritten",
	       "could not keep", "file");
	for (size_t i = 0; i < status->num; i++) {
		const struct lkst_logd_cpu *cpu = &status->cpu[i];

		printf("%4d  %15llu  %15llu  %15llu  %s\n", cpu->cpu, (unsigned long long)cpu->kept,
		       (unsigned long long)cpu->rewound, (unsigned long long)cpu->lost,
		       *cpu->file ? LKST_PRINTABLE(cpu->file) : "-");
	}
}

static void show_logd_json_text_or_null(struct json_object *to, const char *name, const char *text)
{
	if (*text)
		json_text(to, name, text);
	else
		json_put(to, name, NULL);
}

static void show_logd_json_uint_or_null(struct json_object *to, const char *name, uint64_t number)
{
	if (number)
		json_uint(to, name, number);
	else
		json_put(to, name, NULL);
}

static struct json_object *json_logd_cpu(const struct lkst_logd_cpu *cpu)
{
	struct json_object *to = json_new();

	json_int(to, "cpu", cpu->cpu);
	show_logd_json_text_or_null(to, "file", cpu->file);
	json_uint(to, "kept", cpu->kept);
	json_uint(to, "rewound", cpu->rewound);
	json_uint(to, "lost", cpu->lost);
	return to;
}

static struct json_object *show_logd_json_previous(const struct lkst_logd_previous *previous)
{
	struct json_object *to = json_new();

	json_uint(to, "saved", previous->saved);
	json_uint(to, "unsaved", previous->unsaved);
	show_logd_json_text_or_null(to, "file", previous->file);
	show_logd_json_text_or_null(to, "trouble", previous->trouble);
	return to;
}

/**
 * json_logd() - get the state of lkstlogd as a JSON value
 * @logd: from logd_get()
 */
struct json_object *json_logd(const struct logd_view *logd)
{
	static const char *const words[] = {
		[LOGD_NONE] = "not running",
		[LOGD_KILLED] = "not running, was killed",
		[LOGD_UNKNOWN] = "unknown",
	};
	const struct lkst_logd_status *status = &logd->status;
	struct json_object *to = json_new(), *cpus;

	if (logd->state != LOGD_RUNS) {
		json_text(to, "state", words[logd->state]);
		json_put(to, "pid", NULL);
		show_logd_json_text_or_null(to, "trouble",
					    logd->state == LOGD_UNKNOWN ? logd->why.text : "");
		return to;
	}
	cpus = json_list();
	for (size_t i = 0; i < status->num; i++)
		json_add(cpus, json_logd_cpu(&status->cpu[i]));
	json_text(to, "state", status->state);
	json_int(to, "pid", status->pid);
	show_logd_json_text_or_null(to, "trouble", status->trouble);
	json_int(to, "since", status->since);
	show_logd_json_text_or_null(to, "config_error", status->config);
	show_logd_json_uint_or_null(to, "limit", status->limit);
	show_logd_json_uint_or_null(to, "total_limit", status->total);
	show_logd_json_uint_or_null(to, "seconds", status->seconds);
	json_put(to, "previous", show_logd_json_previous(&status->previous));
	json_put(to, "cpus", cpus);
	return to;
}
