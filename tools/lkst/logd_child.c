// SPDX-License-Identifier: GPL-2.0
/*
 * The child that writes what a CPU records. It waits for a full buffer, reads it with one call, so
 * that the kernel has it back, and writes it. What cannot be written now it keeps and tries again,
 * while the kernel's ring goes on; the stream tells what was lost meanwhile.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "logd_child.h"

enum {
	RETRY_MS = 1000, /* until the next try to write */
	BIND_MS = 50, /* until the next try to be the reader */
	SHIFT_MS = 5, /* until the next try to shift, or to read what is being finished */
	SHIFT_LIMIT_MS = 5000, /* without anything to read, after which it is done without */
	ROOM_MIN = 256 * 1024,
	ROOM_MAX = 16 * 1024 * 1024,
};

/* ---- commands ---- */

/* It is about what was recorded before it, however much comes while it is carried out. */
static void begin(struct child *child, enum logd_command command)
{
	struct lkst_error err;

	child->command = command;
	child->deadline = logd_now_ms() + SHIFT_LIMIT_MS;
	child->shifted = false;
	child->tried = false;
	child->mark = 0;
	if ((command == LOGD_STOP || command == LOGD_NEW_FILE || command == LOGD_DRAIN) &&
	    logd_ring_end(child->dev, child->args->cpu, &child->mark, &err))
		logd_report_error(LOG_WARNING, "the newest events stay where they are", &err);
}

static void receive(struct child *child)
{
	struct logd_message message;
	ssize_t got = recv(child->args->parent, &message, sizeof(message), MSG_DONTWAIT);

	if (got < 0)
		return;
	/* Without a parent there is nobody to be told anything by. */
	if (got != sizeof(message))
		message.command = LOGD_QUIT;
	else if (child_is_current(child))
		child->shared->answer = message.question;
	/* These two are not worth forgetting something for. */
	if (child->command && (message.command == LOGD_DRAIN || message.command == LOGD_CHECK))
		return;
	child->new_serial = message.serial;
	begin(child, (enum logd_command)message.command);
}

static void complete(struct child *child)
{
	switch (child->command) {
	case LOGD_STOP:
		child->shared->next = 0;
		child->done = true;
		break;
	case LOGD_QUIT:
		child->done = true;
		break;
	case LOGD_NEW_FILE:
		child_close_log(child);
		child->serial = child->new_serial;
		break;
	case LOGD_DRAIN:
	case LOGD_CHECK:
		break;
	}
	child->command = 0;
}

/* What cannot be written now never will be. What a successor can still read is its affair. */
static void give_up(struct child *child)
{
	uint64_t from = child->holding ? child->run.first_recid :
					 lkst_stream_position(child->stream);

	if (child->command == LOGD_STOP && from && child->mark > from) {
		child_count_loss(child, child->mark - from);
		logd_report(LOG_ERR,
			    "CPU %d: the last %llu events are lost: they cannot be written",
			    child->args->cpu, (unsigned long long)(child->mark - from));
		child->untold = 0;
	}
	complete(child);
}

static void shift(struct child *child)
{
	struct lkst_error err;

	child->shifted = true;
	if (!logd_ring_shift(child->dev, child->args->cpu, &child->shared->ring, child->mark, &err))
		return;
	/* What is still to be read is in the way: there is time for that. */
	if (err.sys_errno == EBUSY && logd_now_ms() < child->deadline)
		child->shifted = false;
	else
		logd_report_error(LOG_WARNING, "the newest events stay where they are", &err);
}

/* A step towards what was asked for. */
static void advance(struct child *child)
{
	switch (child->command) {
	case LOGD_CHECK:
		child_check_file(child);
		complete(child);
		return;
	case LOGD_QUIT:
		if (child->trouble || !child->holding)
			give_up(child);
		return;
	case LOGD_STOP:
		/* There may be space again. */
		if (child->trouble) {
			if (child->tried)
				give_up(child);
			return;
		}
		break;
	default:
		/* The rest will have to go into the next file, if it is about one. */
		if (child->trouble) {
			complete(child);
			return;
		}
	}
	if (!child->shifted)
		shift(child);
	if (!child->shifted)
		return;
	if (!child->holding && lkst_stream_position(child->stream) >= child->mark)
		complete(child);
}

/* ---- the loop ---- */

/* Until the parent says something, or @readable and there is something to read; or for so long. */
static bool wait_for(struct child *child, bool readable, int timeout)
{
	struct pollfd fds[] = {
		{ .fd = child->args->parent, .events = POLLIN },
		{ .fd = readable ? lkst_stream_fd(child->stream) : -1, .events = POLLIN },
	};

	poll(fds, 2, timeout);
	return fds[1].revents != 0;
}

/* Nothing to read now. */
static void idle(struct child *child)
{
	child_end_trouble(child);
	if (!child->command) {
		if (child_has_news(child))
			begin(child, LOGD_DRAIN);
		else
			wait_for(child, true, -1);
		return;
	}
	/* All that is queued was read: there may be less than up to the mark. */
	if (child->shifted && !wait_for(child, true, 0))
		complete(child);
	else
		poll(NULL, 0, SHIFT_MS);
}

static int step(struct child *child, struct lkst_error *err)
{
	int ret;

	receive(child);
	if (child->command)
		advance(child);
	if (child->done)
		return 0;
	if (!child->log && child_open_log(child, err)) {
		child_begin_trouble(child, err);
		wait_for(child, false, RETRY_MS);
		return 0;
	}
	if (child->holding) {
		if (child_write_run(child))
			wait_for(child, false, RETRY_MS);
		return 0;
	}
	child_no_trouble(child);
	ret = lkst_stream_next(child->stream, &child->run, err);
	if (ret < 0)
		return -1;
	child->holding = ret > 0;
	if (!child->holding) {
		idle(child);
		return 0;
	}
	child->deadline = logd_now_ms() + SHIFT_LIMIT_MS;
	/* From here on it matters to a successor. */
	if (!child->shared->next)
		child->shared->next = child->run.first_recid;
	child_count_loss(child, child->run.lost);
	return 0;
}

/* ---- begin and end ---- */

static int open_stream(struct child *child, struct lkst_error *err)
{
	uint64_t room = child->args->opt->buffer_size;
	char path[64];
	int64_t told = logd_now_ms() + RETRY_MS;

	room = room < ROOM_MIN ? ROOM_MIN : room > ROOM_MAX ? ROOM_MAX : room;
	logd_state_area(child->args->cpu, path);
	/* The child of a daemon that was killed ends as soon as it has noticed. */
	while (!child->done) {
		child->stream = lkst_stream_open(child->args->cpu, (size_t)room, path, err);
		if (child->stream || err->sys_errno != EBUSY)
			break;
		if (told && logd_now_ms() >= told) {
			logd_report_error(LOG_ERR, "waiting until this CPU can be read", err);
			child_show_trouble(child, err);
			told = 0;
		}
		wait_for(child, false, BIND_MS);
		receive(child);
		/* Who reads may just be ending: then there is something to be written. */
		if (child->command != LOGD_STOP || logd_now_ms() >= child->deadline)
			complete(child);
	}
	if (child->done)
		return 0;
	if (!child->stream)
		return -1;
	child_show_trouble(child, NULL);
	return child->shared->next ? lkst_stream_resume(child->stream, child->shared->next, err) :
				     0;
}

/**
 * logd_child() - read and write what a CPU records, until the parent says that it is enough, or ends
 * @args: what to do
 *
 * Return: exit status of the process.
 */
int logd_child(const struct logd_child_args *args)
{
	struct child child = {
		.args = args,
		.parent = getppid(),
		.shared = &args->state->cpu[args->cpu],
		.generation = args->state->generation,
		.serial = args->serial,
		.kept = args->state->cpu[args->cpu].kept,
		.rewound = args->state->cpu[args->cpu].rewound,
	};
	struct lkst_error err;
	int ret;

	child_show_trouble(&child, NULL);
	child.dev = lkst_device_open(&err);
	ret = child.dev ? open_stream(&child, &err) : -1;
	while (!ret && !child.done)
		ret = step(&child, &err);
	if (ret)
		logd_report_error(LOG_ERR, NULL, &err);
	child_end_trouble(&child);
	child_tell_losses(&child);
	child_close_log(&child);
	/* The successor looks at @shared when it can read, so this comes last. */
	lkst_stream_close(child.stream);
	lkst_device_close(child.dev);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
