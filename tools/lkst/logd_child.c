// SPDX-License-Identifier: GPL-2.0
/*
 * The child that writes what a CPU records. It waits for a full buffer, reads it with one call, so
 * that the kernel has it back, and writes it. What cannot be written now it keeps and tries again,
 * while the kernel's ring goes on; the stream tells what was lost meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd.h"

enum {
	RETRY_MS = 1000, /* until the next try to write */
	BIND_MS = 50, /* until the next try to be the reader */
	SHIFT_MS = 5, /* until the next try to shift, or to read what is being finished */
	SHIFT_LIMIT_MS = 5000, /* after which it is done without */
	LOSS_MS = 60000, /* between two messages on losses */
	ROOM_MIN = 256 * 1024,
	ROOM_MAX = 16 * 1024 * 1024,
};

/**
 * struct child - what it is doing
 * @args: what the parent said
 * @shared: what others see
 * @dev: to shift with
 * @stream: what is read
 * @log: what is written; NULL: no file yet
 * @file: which file that is
 * @serial: of the file, or of the next one
 * @kept: in earlier files
 * @rewound: in earlier files
 * @run: read, and to be written
 * @holding: there is one
 * @command: being carried out; 0: none
 * @new_serial: that it brought
 * @deadline: for the shift, ms
 * @shifted: what it is about ends at @mark
 * @mark: recid
 * @trouble: writing does not succeed
 * @lost_before: what was lost when that began
 * @recovered: it succeeds again, and that was not told yet
 * @untold: losses that were not told
 * @next_telling: ms, when the next may be told
 * @done: that is all
 */
struct child {
	const struct logd_child_args *args;
	struct logd_cpu *shared;
	uint32_t generation;
	struct lkst_device *dev;
	struct lkst_stream *stream;
	struct lkst_log *log;
	struct stat file;
	uint32_t serial;
	uint64_t kept;
	uint64_t rewound;
	struct lkst_run run;
	bool holding;
	enum logd_command command;
	uint32_t new_serial;
	int64_t deadline;
	bool shifted;
	uint64_t mark;
	bool trouble;
	uint64_t lost_before;
	bool recovered;
	uint64_t untold;
	int64_t next_telling;
	bool done;
};

/* ---- what others see ---- */

/* Another daemon has begun: the numbers are about its children now. */
static bool is_current(const struct child *child)
{
	return child->args->state->generation == child->generation;
}

static void show_file(struct child *child, const char *name)
{
	if (is_current(child))
		snprintf(child->shared->file, sizeof(child->shared->file), "%s", name);
}

static void show_trouble(struct child *child, const struct lkst_error *err)
{
	if (is_current(child))
		logd_report_cut(child->shared->trouble, sizeof(child->shared->trouble),
				err ? err->text : "");
}

static void show_counts(struct child *child)
{
	struct lkst_log_counts counts = { 0 };

	if (!is_current(child))
		return;
	if (child->log)
		lkst_log_counts(child->log, &counts);
	child->shared->kept = child->kept + counts.kept;
	child->shared->rewound = child->rewound + counts.rewound;
}

static void tell_losses(struct child *child)
{
	if (!child->untold)
		return;
	logd_report(LOG_WARNING,
		    "CPU %d: %llu events were lost: the buffers were full before they were read",
		    child->args->cpu, (unsigned long long)child->untold);
	child->untold = 0;
	child->next_telling = logd_now_ms() + LOSS_MS;
}

static void count_loss(struct child *child, uint64_t lost)
{
	if (!lost)
		return;
	if (is_current(child))
		child->shared->lost += lost;
	child->untold += lost;
	if (!child->trouble && !child->recovered && logd_now_ms() >= child->next_telling)
		tell_losses(child);
}

/* ---- trouble with files ---- */

static void begin_trouble(struct child *child, const struct lkst_error *err)
{
	char before[64];

	if (!child->trouble) {
		snprintf(before, sizeof(before), "CPU %d: cannot write, will go on trying",
			 child->args->cpu);
		logd_report_error(LOG_ERR, before, err);
		child->lost_before = child->shared->lost;
	}
	child->trouble = true;
	child->recovered = false;
	show_trouble(child, err);
}

/* How much was lost is known with the first run that was not read before it. */
static void end_trouble(struct child *child)
{
	if (!child->recovered)
		return;
	child->recovered = false;
	logd_report(LOG_NOTICE, "CPU %d: can write again; %llu events were lost meanwhile",
		    child->args->cpu,
		    (unsigned long long)(child->shared->lost - child->lost_before));
	child->untold = 0;
}

static void no_trouble(struct child *child)
{
	if (child->trouble) {
		child->trouble = false;
		child->recovered = true;
		show_trouble(child, NULL);
	}
}

/* ---- files ---- */

static int create_log(struct child *child, int dir, struct lkst_error *err)
{
	const struct logd_child_args *args = child->args;
	struct lkst_log_options opt = {
		.cpu = args->cpu,
		.serial = child->serial,
		.limit = args->opt->limit,
		.compress = args->opt->compress,
		.kallsyms = args->kallsyms,
	};
	char name[NAME_MAX + 1];

	logd_files_name(args->files, args->cpu, child->serial, name);
	child->log = lkst_log_create(dir, name, &opt, err);
	if (!child->log)
		return -1;
	if (fstatat(dir, name, &child->file, AT_SYMLINK_NOFOLLOW))
		memset(&child->file, 0, sizeof(child->file));
	show_file(child, name);
	show_counts(child);
	return 0;
}

static int open_log(struct child *child, struct lkst_error *err)
{
	const struct logd_files *files = child->args->files;
	int dir, ret;

	if (logd_files_dir(files, err))
		return -1;
	dir = open(files->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		lkst_error_system(err, errno, files->dir, "open");
		return -1;
	}
	ret = create_log(child, dir, err);
	if (ret && err->sys_errno == EEXIST && !logd_files_serial(files, &child->serial, err))
		ret = create_log(child, dir, err);
	close(dir);
	return ret;
}

static void close_log(struct child *child)
{
	struct lkst_log_counts counts;
	struct lkst_error err;

	if (!child->log)
		return;
	lkst_log_counts(child->log, &counts);
	child->kept += counts.kept;
	child->rewound += counts.rewound;
	if (lkst_log_close(child->log, &err))
		logd_report_error(LOG_WARNING, NULL, &err);
	child->log = NULL;
	show_file(child, "");
	show_counts(child);
}

/* Somebody has removed the file, perhaps with its directory: go on in another one. */
static void check_file(struct child *child)
{
	char path[PATH_MAX + NAME_MAX + 2];
	struct stat st;

	if (!child->log)
		return;
	snprintf(path, sizeof(path), "%s/%s", child->args->files->dir, child->shared->file);
	if (!lstat(path, &st) && st.st_ino == child->file.st_ino && st.st_dev == child->file.st_dev)
		return;
	logd_report(LOG_NOTICE, "%s: was removed, with what is in it; a new one begins", path);
	lkst_log_close(child->log, NULL);
	child->log = NULL;
	show_file(child, "");
	show_counts(child);
}

/* Returns 0, or -1 when there is trouble. */
static int write_run(struct child *child)
{
	struct lkst_error err;

	if (lkst_log_write(child->log, &child->run, &err)) {
		begin_trouble(child, &err);
		return -1;
	}
	child->holding = false;
	child->shared->next = child->run.first_recid + child->run.num;
	end_trouble(child);
	no_trouble(child);
	show_counts(child);
	return 0;
}

/* ---- commands ---- */

static void receive(struct child *child)
{
	struct logd_message message;
	ssize_t got = recv(child->args->parent, &message, sizeof(message), MSG_DONTWAIT);

	if (got < 0)
		return;
	/* Without a parent there is nobody to be told anything by. */
	if (got != sizeof(message))
		message.command = LOGD_QUIT;
	else if (is_current(child))
		child->shared->answer = message.question;
	/* These two are not worth forgetting something for. */
	if (child->command && (message.command == LOGD_DRAIN || message.command == LOGD_CHECK))
		return;
	child->command = (enum logd_command)message.command;
	child->new_serial = message.serial;
	child->deadline = logd_now_ms() + SHIFT_LIMIT_MS;
	child->shifted = false;
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
		close_log(child);
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
	uint64_t end;

	if (child->command == LOGD_STOP && from &&
	    !logd_ring_end(child->dev, child->args->cpu, &end, NULL) && end > from) {
		count_loss(child, end - from);
		logd_report(LOG_ERR,
			    "CPU %d: the last %llu events are lost: they cannot be written",
			    child->args->cpu, (unsigned long long)(end - from));
		child->untold = 0;
	}
	complete(child);
}

static void shift(struct child *child)
{
	struct lkst_error err;

	/* The next buffer is still to be read: there is time for that. */
	if (logd_now_ms() < child->deadline && logd_ring_busy(child->dev, child->args->cpu))
		return;
	if (!logd_ring_shift(child->dev, child->args->cpu, &child->shared->ring, &child->mark,
			     &err)) {
		child->shifted = true;
		return;
	}
	if (err.sys_errno == EBUSY && logd_now_ms() < child->deadline)
		return;
	logd_report_error(LOG_WARNING, "the newest events stay where they are", &err);
	child->shifted = true;
	child->mark = 0;
}

/* A step towards what was asked for. */
static void advance(struct child *child)
{
	switch (child->command) {
	case LOGD_CHECK:
		check_file(child);
		complete(child);
		return;
	case LOGD_QUIT:
		if (child->trouble || !child->holding)
			give_up(child);
		return;
	case LOGD_STOP:
		if (child->trouble) {
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
	end_trouble(child);
	if (!child->command) {
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
	if (!child->log && open_log(child, err)) {
		begin_trouble(child, err);
		wait_for(child, false, RETRY_MS);
		return 0;
	}
	if (child->holding) {
		if (write_run(child))
			wait_for(child, false, RETRY_MS);
		return 0;
	}
	no_trouble(child);
	ret = lkst_stream_next(child->stream, &child->run, err);
	if (ret < 0)
		return -1;
	child->holding = ret > 0;
	if (child->holding)
		count_loss(child, child->run.lost);
	else
		idle(child);
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
			show_trouble(child, err);
			told = 0;
		}
		wait_for(child, false, BIND_MS);
		receive(child);
		if (child->command == LOGD_STOP || child->command == LOGD_QUIT)
			child->done = true;
		child->command = 0;
	}
	if (child->done)
		return 0;
	if (!child->stream)
		return -1;
	show_trouble(child, NULL);
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
		.shared = &args->state->cpu[args->cpu],
		.generation = args->state->generation,
		.serial = args->serial,
		.kept = args->state->cpu[args->cpu].kept,
		.rewound = args->state->cpu[args->cpu].rewound,
	};
	struct lkst_error err;
	int ret;

	show_trouble(&child, NULL);
	child.dev = lkst_device_open(&err);
	ret = child.dev ? open_stream(&child, &err) : -1;
	while (!ret && !child.done)
		ret = step(&child, &err);
	if (ret)
		logd_report_error(LOG_ERR, NULL, &err);
	end_trouble(&child);
	tell_losses(&child);
	close_log(&child);
	/* The successor looks at @shared when it can read, so this comes last. */
	lkst_stream_close(child.stream);
	lkst_device_close(child.dev);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
