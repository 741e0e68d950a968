// SPDX-License-Identifier: GPL-2.0
/*
 * The child that writes what a CPU records. It waits for a full buffer, reads it and writes it. What
 * cannot be written now it keeps and tries again, while the kernel's ring goes on; the stream tells
 * what was lost meanwhile.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "logd_child.h"

enum {
	RETRY_MS = 1000, /* until the next try to write */
	ROOM_MIN = 256 * 1024,
	ROOM_MAX = 16 * 1024 * 1024,
};

/* ---- commands ---- */

/* It is about what was recorded before it, however much comes while it is carried out. */
static void begin(struct child *child, enum logd_command command)
{
	struct lkst_error err;

	child->command = command;
	child->flushed = false;
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
	uint64_t from = child->holding ? child->run.first_recid : child->position;

	if (child->command == LOGD_STOP && from && child->mark > from) {
		child_count_loss(child, child->mark - from);
		logd_report(LOG_ERR,
			    "CPU %d: the last %llu events are lost: they cannot be written",
			    child->args->cpu, (unsigned long long)(child->mark - from));
		child->untold = 0;
	}
	complete(child);
}

static void flush(struct child *child)
{
	struct lkst_error err;

	child->flushed = true;
	if (lkst_stream_flush(child->stream, &err))
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
	if (!child->flushed)
		flush(child);
	if (!child->holding && child->position >= child->mark)
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
	/* All that is there was read: there may be less than up to the mark. */
	if (child->command)
		complete(child);
	else if (child_has_news(child))
		begin(child, LOGD_DRAIN);
	else
		wait_for(child, true, -1);
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
	child->position = child->run.first_recid + child->run.num;
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

	room = room < ROOM_MIN ? ROOM_MIN : room > ROOM_MAX ? ROOM_MAX : room;
	child->position = child->shared->next;
	child->stream = lkst_stream_open(child->args->cpu, (size_t)room, err);
	/* Else what is written would be read a second later, and written, and so on. */
	if (!child->stream || lkst_stream_timeout(child->stream, 0, err))
		return -1;
	return child->position ?
		       lkst_stream_seek(child->stream, child->args->cpu, child->position, err) :
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
