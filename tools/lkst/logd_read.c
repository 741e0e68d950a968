// SPDX-License-Identifier: GPL-2.0
/*
 * Reading all CPUs, and deciding what is written now.
 *
 * A buffer that is half full is worth writing. So is what processes have recorded, a few seconds
 * after it was. But writing causes events, too, on an idle machine most of those that there are: if
 * they counted, each write would be a reason for the next. So what is read because the timeout of the
 * stream is over stays in the kernel unless enough records in it are of processes other than the
 * daemon and those that only work on its behalf.
 *
 * To compress a record takes ten times as long as to read it. So after each run the daemon reads ahead
 * what there is by then. Otherwise the CPUs would fill their rings while it writes what the kernel held
 * when writing began, which can be much more.
 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd.h"

enum {
	ROOM_LEAST = 1024 * 1024, /* bytes */
	HEADER_SHARE = 64, /* of what is read, at most, are headers of blocks */
	READ_MS = 100, /* after which signals, the timer and the status have their turn */
	LOOK_MS = 5000, /* the timeout of the stream */
	LATE_MS = 60000, /* after which FEW need not be there */
	FEW = 64, /* records, as an event that wakes a process makes */
	FULL_SHARE = 4, /* if there is a quarter of a buffer to read, whatever is in it */
	DRAIN_MS = 5000, /* without anything to read, after which it is done without */
};

/* Bytes: all that the kernel can hold, so that reading ahead finds room. Memory is taken only as it is used. */
static size_t room_ahead(const struct logd *logd)
{
	size_t ring = (size_t)logd->opt->number * logd->opt->buffer_size, room = 0;

	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++) {
		struct lkst_buffer_list list;

		room += ring;
		if (lkst_buffer_list_get(logd->dev, (int32_t)cpu, &list, NULL))
			continue;
		for (int i = 0; i < list.param.buffer_num; i++)
			room += list.ent[i].size;
		lkst_buffer_list_free(&list);
	}
	return room + room / HEADER_SHARE;
}

/**
 * logd_open_stream() - read all CPUs
 * @logd: daemon; gets the stream
 * @err: why not
 */
int logd_open_stream(struct logd *logd, struct lkst_error *err)
{
	logd->stream = lkst_stream_open(-1, room_ahead(logd), err);
	/* Where address space is limited it does with less. */
	if (!logd->stream)
		logd->stream = lkst_stream_open(-1, ROOM_LEAST, err);
	return logd->stream ? lkst_stream_timeout(logd->stream, LOOK_MS, err) : -1;
}

static void forget_position(struct logd_cpu *cpu)
{
	cpu->next = 0;
	cpu->writing = false;
}

/*
 * Read the UUID of this run of LKST from any block. Recids restart at 0 when its module is loaded
 * again, so the positions that an earlier run left in the state would skip records of this one.
 */
static int find_run(struct logd *logd, struct lkst_error *err)
{
	int ret = lkst_stream_flush(logd->stream, err);
	struct lkst_run run;

	if (!ret)
		ret = lkst_stream_next(logd->stream, &run, err);
	if (ret <= 0)
		return ret;
	logd->run_known = true;
	if (!memcmp(logd->state->lkst, run.boot, sizeof(run.boot)))
		return 0;
	for (uint32_t i = 0; i < logd->cpus; i++)
		forget_position(logd_cpu_of(logd, &logd->writer[i]));
	memcpy(logd->state->lkst, run.boot, sizeof(run.boot));
	return 0;
}

/* Read on where the file of a CPU ends. */
static void seek(struct logd *logd, struct logd_writer *writer)
{
	struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	struct lkst_error err;

	writer->passed = false;
	if (!lkst_stream_seek(logd->stream, writer->cpu, cpu->next, &err))
		return;
	/* LKST was reloaded, and find_run() had no block to see it from: nothing was recorded yet. */
	if (err.sys_errno == EINVAL && cpu->next) {
		forget_position(cpu);
		if (!lkst_stream_seek(logd->stream, writer->cpu, 0, &err))
			return;
	}
	logd_trouble(logd, &err);
}

/**
 * logd_begin_reading() - read on where the files end
 * @logd: daemon
 *
 * What was read before and not written is read again.
 */
void logd_begin_reading(struct logd *logd)
{
	struct lkst_error err;

	if (find_run(logd, &err))
		logd_trouble(logd, &err);
	for (uint32_t i = 0; i < logd->cpus; i++)
		seek(logd, &logd->writer[i]);
	if (lkst_stream_ahead(logd->stream, &err))
		logd_trouble(logd, &err);
}

/* ---- what is worth writing ---- */

/*
 * The idle task and the kernel's threads are in no process group; they write the files, among other
 * things. Process 1 gets the daemon's notifications.
 */
static bool is_news(const struct lkst_event_record *record, uint32_t own)
{
	return record->pgrp && record->pid != 1 && record->pid != own;
}

static bool has_news(const struct lkst_run *run, bool late)
{
	uint32_t own = (uint32_t)getpid();
	unsigned int news = 0, enough = late ? 1 : FEW;

	for (size_t i = 0; i < run->num && news < enough; i++)
		news += is_news(&run->record[i], own);
	return news >= enough;
}

static bool is_worth_writing(const struct logd *logd, struct logd_writer *writer,
			     const struct lkst_run *run)
{
	uint64_t full = logd->opt->buffer_size / sizeof(*run->record) / FULL_SHARE;
	int64_t now = logd_now_ms();

	/* What can be read again at once is in a buffer that the CPU has left. */
	if (logd->draining || run->lost || run->recorded - run->first_recid >= full ||
	    now - writer->looked < LOOK_MS / 2 || has_news(run, now >= writer->late)) {
		writer->late = now + LATE_MS;
		return true;
	}
	writer->looked = now;
	return false;
}

/* ---- reading ---- */

static void take(struct logd *logd, const struct lkst_run *run)
{
	struct logd_writer *writer = &logd->writer[run->cpu];
	const struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	struct lkst_run wanted = *run;

	if (writer->blocked || (logd->draining && cpu->next >= writer->mark)) {
		writer->passed = true;
		return;
	}
	/* What came while nobody wanted it is no loss. */
	if (!cpu->writing)
		wanted.lost = 0;
	if (is_worth_writing(logd, writer, &wanted))
		logd_log_write(logd, writer, &wanted);
	else
		seek(logd, writer);
}

/* As lkst_stream_next(). After an error, reading rests. */
static int read_run(struct logd *logd)
{
	struct lkst_error err;
	struct lkst_run run;
	int ret = lkst_stream_next(logd->stream, &run, &err);

	if (ret > 0 && (uint32_t)run.cpu < logd->cpus)
		take(logd, &run);
	if (ret > 0 && lkst_stream_ahead(logd->stream, &err))
		ret = -1;
	if (ret < 0) {
		logd_trouble(logd, &err);
		logd->resting = true;
	}
	return ret;
}

/**
 * logd_read() - read what there is, but for no more than a moment
 * @logd: daemon, which writes
 */
void logd_read(struct logd *logd)
{
	int64_t until = logd_now_ms() + READ_MS;

	while (read_run(logd) > 0 && logd_now_ms() < until)
		;
}

/* ---- all up to now ---- */

static bool is_behind(const struct logd *logd)
{
	for (uint32_t i = 0; i < logd->cpus; i++)
		if (!logd->writer[i].blocked && logd->state->cpu[i].next < logd->writer[i].mark)
			return true;
	return false;
}

/* Returns whether there may be something to read. */
static bool wait_for_records(struct logd *logd)
{
	struct pollfd fd = { .fd = lkst_stream_fd(logd->stream), .events = POLLIN };

	return poll(&fd, 1, DRAIN_MS) > 0;
}

/* What cannot be written, and not even tried any more, is passed over. */
static void logd_read_unblock(struct logd *logd)
{
	for (uint32_t i = 0; i < logd->cpus; i++) {
		struct logd_writer *writer = &logd->writer[i];

		if (!writer->blocked && !writer->passed)
			continue;
		writer->blocked = false;
		seek(logd, writer);
	}
}

static int flush(struct logd *logd, struct lkst_error *err)
{
	for (uint32_t i = 0; i < logd->cpus; i++)
		if (logd_ring_end(logd->dev, (int32_t)i, &logd->writer[i].mark, err))
			return -1;
	return lkst_stream_flush(logd->stream, err);
}

/**
 * logd_drain() - write what was recorded by now, however much comes meanwhile
 * @logd: daemon
 *
 * Writers whose files cannot be written are blocked afterwards.
 */
void logd_drain(struct logd *logd)
{
	struct lkst_error err;
	int ret = 0;

	logd_read_unblock(logd);
	if (flush(logd, &err)) {
		logd_report_error(LOG_WARNING, "the newest events stay where they are", &err);
		return;
	}
	logd->draining = true;
	while (ret >= 0 && is_behind(logd)) {
		ret = read_run(logd);
		if (!ret && !wait_for_records(logd)) {
			logd_report(LOG_WARNING, "the newest events stay where they are");
			break;
		}
		logd_beat(logd);
	}
	logd->draining = false;
	for (uint32_t i = 0; i < logd->cpus; i++)
		if (logd->writer[i].passed && !logd->writer[i].blocked)
			seek(logd, &logd->writer[i]);
}

/**
 * logd_retry() - try again what has failed; to be called once a tick
 * @logd: daemon, which writes
 */
void logd_retry(struct logd *logd)
{
	bool blocked = false;
	struct lkst_error err;

	for (uint32_t i = 0; i < logd->cpus; i++) {
		struct logd_writer *writer = &logd->writer[i];

		/* What was left out with a damaged block is read again. */
		writer->passed |= logd->resting;
		blocked |= writer->blocked || writer->passed;
		/* Nothing has come that could be written. */
		if (writer->trouble && !writer->blocked &&
		    (writer->log || !logd_log_open(logd, writer, &err)))
			logd_log_no_trouble(logd, writer);
	}
	logd->resting = false;
	if (!blocked)
		return;
	logd_read_unblock(logd);
	if (lkst_stream_flush(logd->stream, &err))
		logd_trouble(logd, &err);
}
