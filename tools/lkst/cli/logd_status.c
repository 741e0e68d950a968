// SPDX-License-Identifier: LGPL-2.1
/*
 * Writes and reads the status of lkstlogd, a small text file. The daemon writes it, and "lkst
 * status" and other commands read it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/parse.h"
#include "lib/text/text.h"
#include "logd_status.h"
#include "messages.h"

#define STATUS_HEADER "# lkstlogd_status 1"
#define COMM	    "lkstlogd"

/**
 * lkst_seconds_text() - format a time span, for example "3 h"
 * @seconds: time span in seconds
 * @text: result
 * @size: size of @text in bytes
 */
void lkst_seconds_text(uint64_t seconds, char *text, size_t size)
{
	static const struct {
		uint64_t seconds, below;
		const char *name;
	} units[] = {
		{ 1, 120, "s" },
		{ 60, 120 * 60, "min" },
		{ 3600, 48 * 3600, "h" },
		{ 86400, UINT64_MAX, "days" },
	};
	size_t i = 0;

	while (seconds >= units[i].below && units[i].below != UINT64_MAX)
		i++;
	snprintf(text, size, "%" PRIu64 " %s", seconds / units[i].seconds, units[i].name);
}

/* ---- writing ---- */

/* Write @text as the last value of a line. Newlines in it are escaped. */
static void logd_status_put_text(FILE *to, const char *key, const char *text)
{
	char line[4 * PATH_MAX];

	fprintf(to, "%s %s\n", key, lkst_printable(text, strlen(text), line, sizeof(line)));
}

static void logd_status_put_previous(FILE *to, const struct lkst_logd_previous *previous)
{
	if (!previous->saved && !previous->unsaved)
		return;
	fprintf(to, "previous %" PRIu32 " %" PRIu32 " ", previous->saved, previous->unsaved);
	logd_status_put_text(to, "file", previous->file);
	logd_status_put_text(to, "previous_trouble", previous->trouble);
}

static void put_status(FILE *to, const struct lkst_logd_status *status)
{
	fprintf(to, STATUS_HEADER "\npid %" PRId32 "\nsince %" PRId64 "\n", status->pid,
		status->since);
	logd_status_put_text(to, "state", status->state);
	logd_status_put_text(to, "trouble", status->trouble);
	logd_status_put_text(to, "config", status->config);
	fprintf(to, "limits %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", status->limit, status->total,
		status->seconds);
	logd_status_put_previous(to, &status->previous);
	for (size_t i = 0; i < status->num; i++) {
		const struct lkst_logd_cpu *cpu = &status->cpu[i];

		fprintf(to, "cpu %" PRId32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " ", cpu->cpu,
			cpu->kept, cpu->rewound, cpu->lost);
		logd_status_put_text(to, "file", cpu->file);
	}
}

static int logd_status_write_file(const char *path, const struct lkst_logd_status *status)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;

	if (!to) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	put_status(to, status);
	failed = ferror(to);
	if (fclose(to) || failed) {
		unlink(path);
		return -1;
	}
	return 0;
}

/**
 * lkst_logd_status_write() - write the status of the daemon
 * @path: file; replaced atomically, so a reader sees either the old or the new status
 * @status: status
 * @err: set on failure
 */
int lkst_logd_status_write(const char *path, const struct lkst_logd_status *status,
			   struct lkst_error *err)
{
	char *temporary;
	int ret = -1;

	if (asprintf(&temporary, "%s.new", path) < 0) {
		lkst_error_memory(err, path);
		return -1;
	}
	if (logd_status_write_file(temporary, status)) {
		lkst_error_system(err, errno, temporary, "write");
	} else if (rename(temporary, path)) {
		lkst_error_system(err, errno, path, "rename");
		unlink(temporary);
	} else {
		ret = 0;
	}
	free(temporary);
	return ret;
}

/* ---- reading ---- */

/* State of the parser: the result, and which lines have been seen. */
struct parse {
	struct lkst_logd_status *status;
	bool pid;
	bool since;
	bool state;
	bool trouble;
	bool config;
	bool limits;
	bool previous;
	bool previous_trouble;
};

static bool logd_status_take_number(char **line, uint64_t max, uint64_t *value)
{
	const char *word = text_word(line);

	if (*word < '0' || *word > '9')
		return false;
	return !lkst_parse_u64("", word, value, NULL) && *value <= max;
}

static bool logd_status_take_text(char **line, char *to, size_t size)
{
	size_t len = strlen(*line);

	if (len >= size)
		return false;
	memcpy(to, *line, len + 1);
	return true;
}

static const char *logd_status_take_cpu(struct lkst_logd_status *status, char *line)
{
	struct lkst_logd_cpu *grown, *cpu;
	uint64_t number;

	grown = realloc(status->cpu, (status->num + 1) * sizeof(*grown));
	if (!grown)
		return text_no_memory;
	status->cpu = grown;
	cpu = &grown[status->num++];
	memset(cpu, 0, sizeof(*cpu));
	if (!logd_status_take_number(&line, INT32_MAX, &number) ||
	    !logd_status_take_number(&line, UINT64_MAX, &cpu->kept) ||
	    !logd_status_take_number(&line, UINT64_MAX, &cpu->rewound) ||
	    !logd_status_take_number(&line, UINT64_MAX, &cpu->lost) ||
	    strcmp(text_word(&line), "file") != 0 ||
	    !logd_status_take_text(&line, cpu->file, sizeof(cpu->file)))
		return "want \"cpu NUMBER KEPT REWOUND LOST file NAME\"";
	cpu->cpu = (int32_t)number;
	if (status->num > 1 && cpu[-1].cpu >= cpu->cpu)
		return "CPUs are not in order";
	return NULL;
}

static bool logd_status_take_previous(struct lkst_logd_previous *previous, char *line)
{
	uint64_t saved, unsaved;

	if (!logd_status_take_number(&line, UINT32_MAX, &saved) ||
	    !logd_status_take_number(&line, UINT32_MAX, &unsaved) ||
	    strcmp(text_word(&line), "file") != 0)
		return false;
	previous->saved = (uint32_t)saved;
	previous->unsaved = (uint32_t)unsaved;
	return logd_status_take_text(&line, previous->file, sizeof(previous->file));
}

static const char *logd_status_take_line(void *ctx, char *line)
{
	struct parse *parse = ctx;
	struct lkst_logd_status *status = parse->status;
	const char *key = text_word(&line);
	uint64_t number = 0;
	bool again = false, good = true;

	if (!strcmp(key, "cpu"))
		return logd_status_take_cpu(status, line);
	if (!strcmp(key, "pid")) {
		again = parse->pid;
		good = logd_status_take_number(&line, INT32_MAX, &number) && !*line;
		status->pid = (int32_t)number;
		parse->pid = true;
	} else if (!strcmp(key, "since")) {
		again = parse->since;
		good = logd_status_take_number(&line, INT64_MAX, &number) && !*line;
		status->since = (int64_t)number;
		parse->since = true;
	} else if (!strcmp(key, "state")) {
		again = parse->state;
		good = *line && logd_status_take_text(&line, status->state, sizeof(status->state));
		parse->state = true;
	} else if (!strcmp(key, "trouble")) {
		again = parse->trouble;
		good = logd_status_take_text(&line, status->trouble, sizeof(status->trouble));
		parse->trouble = true;
	} else if (!strcmp(key, "config")) {
		again = parse->config;
		good = logd_status_take_text(&line, status->config, sizeof(status->config));
		parse->config = true;
	} else if (!strcmp(key, "limits")) {
		again = parse->limits;
		good = logd_status_take_number(&line, UINT64_MAX, &status->limit) &&
		       logd_status_take_number(&line, UINT64_MAX, &status->total) &&
		       logd_status_take_number(&line, UINT64_MAX, &status->seconds) && !*line;
		parse->limits = true;
	} else if (!strcmp(key, "previous")) {
		again = parse->previous;
		good = logd_status_take_previous(&status->previous, line);
		parse->previous = true;
	} else if (!strcmp(key, "previous_trouble")) {
		again = parse->previous_trouble;
		good = logd_status_take_text(&line, status->previous.trouble,
					     sizeof(status->previous.trouble));
		parse->previous_trouble = true;
	} else {
		return "unknown key";
	}
	return again ? "appears twice" : good ? NULL : "invalid value";
}

/* Return whether the daemon's process exists. A killed daemon leaves its status file behind. */
static bool logd_status_alive(int32_t pid)
{
	char path[64], comm[32];

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/comm", pid);
	text_first_line(path, comm, sizeof(comm));
	return !strcmp(comm, COMM);
}

static int parse_status(char *text, const char *path, struct lkst_logd_status *status,
			struct lkst_error *err)
{
	static const struct text_format format = {
		.name = "the status of lkstlogd",
		.header = STATUS_HEADER,
		.line = logd_status_take_line,
	};
	struct parse parse = { .status = status };

	if (text_parse(&format, text, path, &parse, err))
		return -1;
	if (parse.pid && parse.since && parse.state && parse.trouble)
		return 0;
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_LOGD_STATUS, path);
	return -1;
}

/**
 * lkst_logd_status_read() - read the status of the daemon
 * @path: status file
 * @status: result, to be freed with lkst_logd_status_free(); all zeros if the daemon is not running
 * @err: set on failure
 */
int lkst_logd_status_read(const char *path, struct lkst_logd_status *status, struct lkst_error *err)
{
	struct lkst_error why = { 0 };
	size_t len;
	char *text;

	memset(status, 0, sizeof(*status));
	text = text_read(path, &len, &why);
	if (!text) {
		if (why.sys_errno == ENOENT)
			return 0;
		if (err)
			*err = why;
		return -1;
	}
	if (strlen(text) != len) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_LOGD_STATUS, path);
		goto fail;
	}
	if (parse_status(text, path, status, err))
		goto fail;
	free(text);
	if (!logd_status_alive(status->pid))
		lkst_logd_status_free(status);
	return 0;

fail:
	free(text);
	lkst_logd_status_free(status);
	return -1;
}

/**
 * lkst_logd_status_free() - free what lkst_logd_status_read() allocated
 * @status: may be all zero
 */
void lkst_logd_status_free(struct lkst_logd_status *status)
{
	free(status->cpu);
	memset(status, 0, sizeof(*status));
}
