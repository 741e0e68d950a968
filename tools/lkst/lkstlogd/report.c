// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that users see of the daemon: messages, systemd notifications and the status file.
 * In the foreground, messages go to standard error; systemd passes them to the journal with their
 * priorities. In the background, they go to syslog.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/conf.h"
#include "cli/logd_options.h"
#include "cli/logd_status.h"
#include "lib/base/printable.h"
#include "logd.h"
#include "report.h"
#include "state.h"
#include "writing.h"

static bool to_syslog;
static bool to_journal;

/**
 * logd_report_begin() - choose where messages go
 * @daemon: true: to syslog; false: to standard error
 */
void logd_report_begin(bool daemon)
{
	to_syslog = daemon;
	to_journal = !daemon && getenv("JOURNAL_STREAM");
	if (daemon)
		openlog(program_name(), LOG_PID, LOG_DAEMON);
}

/**
 * logd_report() - print or log a message
 * @priority: LOG_ERR and so on
 * @format: printf format of one line, without a newline
 */
void logd_report(int priority, const char *format, ...)
{
	char line[1024], text[4 * sizeof(line)];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	lkst_printable(line, strlen(line), text, sizeof(text));
	if (to_syslog)
		syslog(priority, "%s", text);
	else if (to_journal)
		fprintf(stderr, "<%d>%s\n", priority, text);
	else
		fprintf(stderr, "%s: %s\n", program_name(), text);
}

/**
 * logd_report_cut() - copy a string, truncated to the size of the result, with newlines replaced by
 * spaces
 * @to: result
 * @size: size of @to in bytes
 * @text: text
 */
void logd_report_cut(char *to, size_t size, const char *text)
{
	size_t len = strnlen(text, size - 1);

	for (size_t i = 0; i < len; i++)
		to[i] = text[i] == '\n' ? ' ' : text[i];
	to[len] = 0;
}

/**
 * logd_report_error() - report an error
 * @priority: LOG_ERR and so on
 * @before: printed before the error, with ": " between them; NULL: nothing
 * @err: the error
 */
void logd_report_error(int priority, const char *before, const struct lkst_error *err)
{
	char text[sizeof(err->text)];

	logd_report_cut(text, sizeof(text), err->text);
	logd_report(priority, "%s%s%s", before ? before : "", before ? ": " : "", text);
}

/**
 * logd_notify() - notify systemd, if the daemon runs under it
 * @format: printf format of the state for sd_notify(): one assignment per line, printable text only
 */
void logd_notify(const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	sd_notify(0, text);
}

/* ---- the status file ---- */

/* Build the complete path. logd_files_init() has checked that it fits. */
static void report_fill_file(char *to, size_t size, const char *dir, const char *name)
{
	char file[PATH_MAX + NAME_MAX + 2];

	if (!*name)
		return;
	snprintf(file, sizeof(file), "%s/%.*s", strcmp(dir, "/") != 0 ? dir : "", NAME_MAX, name);
	logd_report_cut(to, size, file);
}

static void report_fill_cpu(struct lkst_logd_cpu *to, const struct logd_cpu *cpu, const char *dir)
{
	to->kept = cpu->kept - (cpu->removed_own < cpu->kept ? cpu->removed_own : cpu->kept);
	to->rewound = cpu->rewound + cpu->removed;
	to->lost = cpu->lost;
	report_fill_file(to->file, sizeof(to->file), dir, cpu->file);
}

static void report_fill_previous(struct lkst_logd_previous *to,
				 const struct logd_previous *previous, const char *dir)
{
	to->saved = previous->saved;
	to->unsaved = previous->unsaved;
	report_fill_file(to->file, sizeof(to->file), dir, previous->file);
	logd_report_cut(to->trouble, sizeof(previous->trouble), previous->trouble);
}

static bool report_has_something(const struct logd_cpu *cpu)
{
	return cpu->ring.num || cpu->kept || cpu->lost;
}

static void logd_report_summary(const struct lkst_logd_status *status)
{
	uint64_t kept = 0, lost = 0;

	for (size_t i = 0; i < status->num; i++) {
		kept += status->cpu[i].kept;
		lost += status->cpu[i].lost;
	}
	logd_notify("STATUS=%s; %llu events in files, %llu lost%s%s", status->state,
		    (unsigned long long)kept, (unsigned long long)lost,
		    *status->trouble ? "; " : "", LKST_PRINTABLE(status->trouble));
}

/*
 * Copy the current problem to @status. A child process may change the original at the same time, so
 * the copy ends at the end of the original's buffer even if the terminator is missing.
 */
static void report_find_trouble(struct lkst_logd_status *status, const struct logd_state *state,
				const char *trouble)
{
	logd_report_cut(status->trouble, sizeof(status->trouble), trouble);
	for (uint32_t i = 0; i < state->cpus && !*status->trouble; i++) {
		const struct logd_cpu *cpu = &state->cpu[i];

		if (*cpu->trouble)
			snprintf(status->trouble, sizeof(status->trouble), "CPU %u: %.*s", i,
				 (int)sizeof(cpu->trouble) - 1, cpu->trouble);
	}
}

static void logd_report_fill(struct lkst_logd_status *to, const struct logd *logd, const char *word)
{
	const struct conf *conf = &logd->settings->conf;

	snprintf(to->state, sizeof(to->state), "%s", word);
	report_fill_previous(&to->previous, &logd->state->previous, logd->files.dir);
	report_find_trouble(to, logd->state, logd->trouble);
	if (*to->trouble && !strcmp(word, "writing"))
		snprintf(to->state, sizeof(to->state), "waiting");
	to->limit = logd->opt->limit;
	to->total = logd_total(logd);
	to->seconds = logd->space.seconds;
	if (conf->errors)
		logd_report_cut(to->config, sizeof(to->config), conf->error[0]);
}

static bool logd_report_is_same(const struct lkst_logd_status *a, const struct lkst_logd_status *b)
{
	return a->num == b->num && !strcmp(a->state, b->state) && !strcmp(a->trouble, b->trouble) &&
	       !memcmp(&a->previous, &b->previous, sizeof(a->previous)) && a->limit == b->limit &&
	       a->total == b->total && a->seconds == b->seconds && !strcmp(a->config, b->config) &&
	       a->cpu && !memcmp(a->cpu, b->cpu, b->num * sizeof(*b->cpu));
}

/**
 * logd_report_status() - write the status file, if anything changed
 * @logd: daemon
 * @word: state of the daemon, for example "writing"
 */
void logd_report_status(const struct logd *logd, const char *word)
{
	static struct lkst_logd_status last;
	struct lkst_logd_status status = { .pid = getpid(), .since = logd->since };
	const struct logd_state *state = logd->state;

	logd_report_fill(&status, logd, word);
	status.cpu = calloc(state->cpus, sizeof(*status.cpu));
	if (!status.cpu)
		return;
	for (uint32_t i = 0; i < state->cpus; i++) {
		if (!report_has_something(&state->cpu[i]))
			continue;
		status.cpu[status.num].cpu = (int32_t)i;
		report_fill_cpu(&status.cpu[status.num++], &state->cpu[i], logd->files.dir);
	}
	if (logd_report_is_same(&last, &status) && !access(LKST_LOGD_STATUS_FILE, F_OK)) {
		free(status.cpu);
		return;
	}
	logd_state_dir(NULL);
	if (!lkst_logd_status_write(LKST_LOGD_STATUS_FILE, &status, NULL))
		logd_report_summary(&status);
	free(last.cpu);
	last = status;
}
