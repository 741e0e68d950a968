// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the records of all CPUs and decides which to write now.
 *
 * A quarter of a buffer is always worth writing. Records that come from processes are worth writing
 * once they are a few seconds old. But writing itself generates events, and on an idle machine most
 * events come from writing. If these counted, each write would cause the next. So records that are
 * read because the timeout of the stream expired stay in the kernel, unless enough of them come
 * from processes other than the daemon and the threads that work on its behalf.
 *
 * Compressing a record takes ten times as long as reading it. So after each run that it writes, the
 * daemon reads ahead whatever is available. When writing begins, there may be many more old records
 * than fit into a ring. Without reading ahead, the CPUs would overrun their rings while the daemon
 * is still writing these old records.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "cli/logd_options.h"
#include "lib/device/run.h"
#include "lib/live/stream.h"
#include "log.h"
#include "logd.h"
#include "read.h"
#include "report.h"
#include "ring.h"
#include "state.h"

enum {
	ROOM_LEAST = 1024 * 1024, /* bytes */
	HEADER_SHARE = 64, /* at most 1 in 64 bytes read belongs to a block header */
	READ_MS = 100, /* read for at most this time, then handle signals, timer and status */
	CHECK_MS = 5000, /* timeout of the stream */
	LATE_MS = 60000, /* after this time without a write, a single record is worth writing */
	MIN_RECORDS = 64, /* records; about as many as a single wakeup of a process causes */
	FULL_SHARE = 4, /* a quarter of a buffer is always worth writing */
	DRAIN_MS = 5000, /* stop draining after this time without any new record */
};

/*
 * Return the maximum number of bytes to read ahead: as much as the kernel's buffers can hold. This
 * costs little, because memory is allocated only when it is first used.
 */
static size_t read_room_ahead(const struct logd *logd)
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
 * logd_open_stream() - open a stream of the records of all CPUs
 * @logd: daemon; @logd->stream is set to the new stream
 * @err: set on failure
 */
int logd_open_stream(struct logd *logd, struct lkst_error *err)
{
	logd->stream = lkst_stream_open(-1, read_room_ahead(logd), err);
	/* The address space may be limited: try again with less room. */
	if (!logd->stream)
		logd->stream = lkst_stream_open(-1, ROOM_LEAST, err);
	return logd->stream ? lkst_stream_timeout(logd->stream, CHECK_MS, err) : -1;
}

static void read_forget_position(struct logd_cpu *cpu)
{
	cpu->next = 0;
	cpu->writing = false;
}

/*
 * Read the UUID of this run of LKST from any block. If the positions in the state are from an
 * earlier run, discard them: recids restart at 0 when LKST's module is loaded again, so the daemon
 * would skip records of this run.
 */
static int read_find_run(struct logd *logd, struct lkst_error *err)
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
		read_forget_position(logd_cpu_of(logd, &logd->writer[i]));
	memcpy(logd->state->lkst, run.boot, sizeof(run.boot));
	return 0;
}

/* Continue reading the records of a CPU where its file ends. */
static void logd_read_seek(struct logd *logd, struct logd_writer *writer)
{
	struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	struct lkst_error err;

	writer->passed = false;
	if (!lkst_stream_seek(logd->stream, writer->cpu, cpu->next, &err))
		return;
	/*
	 * If LKST was reloaded and has recorded nothing yet, read_find_run() found no block
	 * and could not detect the reload. The position is then invalid.
	 */
	if (err.sys_errno == EINVAL && cpu->next) {
		read_forget_position(cpu);
		if (!lkst_stream_seek(logd->stream, writer->cpu, 0, &err))
			return;
	}
	logd_trouble(logd, &err);
}

/**
 * logd_begin_reading() - start reading after the last record in the file of each CPU
 * @logd: daemon
 *
 * Records that were read earlier but not written are read again.
 */
void logd_begin_reading(struct logd *logd)
{
	struct lkst_error err;

	if (read_find_run(logd, &err))
		logd_trouble(logd, &err);
	for (uint32_t i = 0; i < logd->cpus; i++)
		logd_read_seek(logd, &logd->writer[i]);
	if (lkst_stream_ahead(logd->stream, &err))
		logd_trouble(logd, &err);
}

/* ---- deciding what to write ---- */

/*
 * Return whether a record comes neither from the daemon nor from a thread that works on its behalf.
 * Kernel threads, some of which write the files, and the idle task have no process group. Process 1
 * receives the daemon's notifications.
 */
static bool read_is_news(const struct lkst_event_record *record, uint32_t own)
{
	return record->pgrp && record->pid != 1 && record->pid != own;
}

static bool read_has_news(const struct lkst_run *run, bool late)
{
	uint32_t own = (uint32_t)getpid();
	unsigned int news = 0, enough = late ? 1 : MIN_RECORDS;

	for (size_t i = 0; i < run->num && news < enough; i++)
		news += read_is_news(&run->record[i], own);
	return news >= enough;
}

static bool read_is_worth_writing(const struct logd *logd, struct logd_writer *writer,
				  const struct lkst_run *run)
{
	uint64_t full = logd->opt->buffer_size / sizeof(*run->record) / FULL_SHARE;
	int64_t now = logd_now_ms();

	/*
	 * Records that were left in the kernel are checked again after CHECK_MS. If they are read
	 * much earlier, the kernel has woken the daemon because their buffer is full. Write them,
	 * rather than read them again and again.
	 */
	if (logd->draining || run->lost || run->recorded - run->first_recid >= full ||
	    now - writer->checked < CHECK_MS / 2 || read_has_news(run, now >= writer->late)) {
		writer->late = now + LATE_MS;
		return true;
	}
	writer->checked = now;
	return false;
}

/* ---- reading ---- */

static void logd_read_take(struct logd *logd, const struct lkst_run *run)
{
	struct logd_writer *writer = &logd->writer[run->cpu];
	const struct logd_cpu *cpu = logd_cpu_of(logd, writer);
	struct lkst_run counted = *run;

	if (writer->blocked || (logd->draining && cpu->next >= writer->mark)) {
		writer->passed = true;
		return;
	}
	/* Events that were recorded while writing was off do not count as lost. */
	if (!cpu->writing)
		counted.lost = 0;
	if (read_is_worth_writing(logd, writer, &counted))
		logd_log_write(logd, writer, &counted);
	else
		logd_read_seek(logd, writer);
}

/*
 * Read one run of records, and write it if it is worth writing. Returns the result of
 * lkst_stream_next(), or -1 on any error. After an error, reading pauses until the next tick.
 */
static int read_run(struct logd *logd)
{
	struct lkst_error err;
	struct lkst_run run;
	int ret = lkst_stream_next(logd->stream, &run, &err);

	if (ret > 0 && (uint32_t)run.cpu < logd->cpus)
		logd_read_take(logd, &run);
	if (ret > 0 && lkst_stream_ahead(logd->stream, &err))
		ret = -1;
	if (ret < 0) {
		logd_trouble(logd, &err);
		logd->paused = true;
	}
	return ret;
}

/**
 * logd_read() - read and write available records, for at most READ_MS
 * @logd: daemon; must be writing
 */
void logd_read(struct logd *logd)
{
	int64_t until = logd_now_ms() + READ_MS;

	while (read_run(logd) > 0 && logd_now_ms() < until)
		;
}

/* ---- draining ---- */

static bool read_is_behind(const struct logd *logd)
{
	for (uint32_t i = 0; i < logd->cpus; i++)
		if (!logd->writer[i].blocked && logd->state->cpu[i].next < logd->writer[i].mark)
			return true;
	return false;
}

/* Wait for records, at most DRAIN_MS. Returns whether there may be records to read. */
static bool read_wait_for_records(struct logd *logd)
{
	struct pollfd fd = { .fd = lkst_stream_fd(logd->stream), .events = POLLIN };

	return poll(&fd, 1, DRAIN_MS) > 0;
}

/* Let blocked writers try again, beginning with the first record that is not in their file. */
static void logd_read_unblock(struct logd *logd)
{
	for (uint32_t i = 0; i < logd->cpus; i++) {
		struct logd_writer *writer = &logd->writer[i];

		if (!writer->blocked && !writer->passed)
			continue;
		writer->blocked = false;
		logd_read_seek(logd, writer);
	}
}

static int logd_read_flush(struct logd *logd, struct lkst_error *err)
{
	for (uint32_t i = 0; i < logd->cpus; i++)
		if (logd_ring_end(logd->dev, (int32_t)i, &logd->writer[i].mark, err))
			return -1;
	return lkst_stream_flush(logd->stream, err);
}

/**
 * logd_drain() - write all records made before the call
 * @logd: daemon
 *
 * Records made during the call do not prolong it. Afterwards, each writer whose file cannot be
 * written is blocked.
 */
void logd_drain(struct logd *logd)
{
	struct lkst_error err;
	int ret = 0;

	logd_read_unblock(logd);
	if (logd_read_flush(logd, &err)) {
		logd_report_error(LOG_WARNING, "the newest events stay where they are", &err);
		return;
	}
	logd->draining = true;
	while (ret >= 0 && read_is_behind(logd)) {
		ret = read_run(logd);
		if (!ret && !read_wait_for_records(logd)) {
			logd_report(LOG_WARNING, "the newest events stay where they are");
			break;
		}
		logd_heartbeat(logd);
	}
	logd->draining = false;
	for (uint32_t i = 0; i < logd->cpus; i++)
		if (logd->writer[i].passed && !logd->writer[i].blocked)
			logd_read_seek(logd, &logd->writer[i]);
}

/**
 * logd_retry() - retry what has failed; called once a tick
 * @logd: daemon; must be writing
 */
void logd_retry(struct logd *logd)
{
	bool blocked = false;
	struct lkst_error err;

	for (uint32_t i = 0; i < logd->cpus; i++) {
		struct logd_writer *writer = &logd->writer[i];

		/*
		 * A failed read, for example of a damaged block, may have skipped records. Read
		 * them again.
		 */
		writer->passed |= logd->paused;
		blocked |= writer->blocked || writer->passed;
		/*
		 * If no record has arrived since the last tick, the write was not retried: check
		 * instead that the file can be opened.
		 */
		if (writer->trouble && !writer->blocked &&
		    (writer->log || !logd_log_open(logd, writer, &err)))
			logd_log_no_trouble(logd, writer);
	}
	logd->paused = false;
	if (!blocked)
		return;
	logd_read_unblock(logd);
	if (lkst_stream_flush(logd->stream, &err))
		logd_trouble(logd, &err);
}
