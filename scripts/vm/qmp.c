// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "qmp.h"

enum answer {
	ANSWER_NONE,
	ANSWER_DONE,
	ANSWER_REFUSED
};

/*
 * Parses a line from QEMU. Returns the kind of answer, or ANSWER_NONE for an event. QEMU writes one
 * object in each line, always in the same format.
 */
static enum answer take_line(struct qmp *qmp, const char *line)
{
	static const char desc[] = "\"desc\": \"";
	const char *why;

	if (strstr(line, "\"event\": \"RESET\""))
		qmp->resets++;
	if (!strncmp(line, "{\"return\"", 9)) {
		snprintf(qmp->answer, sizeof(qmp->answer), "%.*s", (int)sizeof(qmp->answer) - 1,
			 line);
		return ANSWER_DONE;
	}
	if (strncmp(line, "{\"error\"", 8))
		return ANSWER_NONE;
	why = strstr(line, desc);
	why = why ? why + strlen(desc) : line;
	fprintf(stderr, "lkst-vm: QEMU rejected a request: %.*s\n", (int)strcspn(why, "\""), why);
	return ANSWER_REFUSED;
}

/*
 * Calls read() once. Returns the answer to a request, or ANSWER_NONE if no answer was among the
 * complete lines. A line that is too long is truncated.
 */
static enum answer take(struct qmp *qmp)
{
	enum answer answer = ANSWER_NONE;
	char buf[1024];
	ssize_t n = read(qmp->fd, buf, sizeof(buf)), i;

	if (n <= 0) {
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			return ANSWER_NONE;
		close(qmp->fd);
		qmp->fd = -1;
		return ANSWER_NONE;
	}
	for (i = 0; i < n; i++) {
		if (buf[i] != '\n') {
			if (qmp->fill < sizeof(qmp->line) - 1)
				qmp->line[qmp->fill++] = buf[i];
			continue;
		}
		qmp->line[qmp->fill] = '\0';
		qmp->fill = 0;
		/* There is at most one answer, because there is only one request at a time. */
		enum answer here = take_line(qmp, qmp->line);

		if (here != ANSWER_NONE)
			answer = here;
	}
	return answer;
}

void qmp_read(struct qmp *qmp)
{
	struct pollfd fd = { .fd = qmp->fd, .events = POLLIN };

	while (qmp->fd >= 0 && poll(&fd, 1, 0) > 0)
		take(qmp);
}

int qmp_request(struct qmp *qmp, const char *request)
{
	enum answer answer = ANSWER_NONE;

	qmp_read(qmp);
	if (qmp->fd < 0 || send(qmp->fd, request, strlen(request), MSG_NOSIGNAL) < 0)
		return -1;
	while (qmp->fd >= 0 && answer == ANSWER_NONE)
		answer = take(qmp);
	return answer == ANSWER_DONE ? 0 : -1;
}
