/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares what the parts of lkstlogd share. One process reads the records of all CPUs in blocks,
 * and writes a file for each CPU. Tasks that may take a long time run in separate processes: saving
 * the records of previous boots, saving a snapshot, and counting the events in a deleted file that
 * has no END chunk, because its writer was killed.
 */
#ifndef _LKSTLOGD_LOGD_H
#define _LKSTLOGD_LOGD_H

#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "files.h"
#include "lib/live/log.h"
#include "lib/lkst.h"
#include "space.h"
#include "state.h"

struct lkst_kallsyms;
struct lkst_log;
struct lkst_stream;
struct logd_options;
struct logd_settings;

/* Return the time of the monotonic clock, in ms. */
static inline int64_t logd_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum {
	LOGD_TICK_MS = 1000
};

/**
 * struct logd_writer - the log file of a CPU
 * @cpu: CPU
 * @log: open file; NULL: none
 * @file: result of stat() for @log, to detect that the file was replaced
 * @serial: serial number of @log; if no file is open, the lowest that the next file may get
 * @kept: number of records in earlier files
 * @rewound: number of records that newer records have overwritten in earlier files
 * @lost: number of records that earlier files report as lost, or that could not be written before
 *	writing stopped
 * @mark: recid (number of a record) up to which logd_drain() writes records, even if they are few
 * @passed: the daemon skipped records, so the position in the stream is ahead of the file
 * @checked: time when the daemon last left records in the kernel because they were too few, in ms
 * @late: time after which a single record is enough to trigger a write, in ms
 * @blocked: a write failed; the daemon tries again at the next tick
 * @trouble: a write failed, and none has succeeded since
 * @lost_before: number of lost records when writing began to fail
 * @lost_reported: number of lost records when losses were last reported
 * @next_report: earliest time of the next report of losses, in ms
 */
struct logd_writer {
	int32_t cpu;
	struct lkst_log *log;
	struct stat file;
	uint32_t serial;
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
	uint64_t mark;
	bool passed;
	int64_t checked;
	int64_t late;
	bool blocked;
	bool trouble;
	uint64_t lost_before;
	uint64_t lost_reported;
	int64_t next_report;
};

/**
 * struct logd_names - command lines and open files of the processes
 * @files: text for the log files
 * @since: time at which the names were read, in ms
 * @taken: the names must stay the same until the files are closed
 * @reported: it was reported that some of the names cannot be read
 */
struct logd_names {
	struct lkst_log_files files;
	int64_t since;
	bool taken;
	bool reported;
};

/**
 * struct logd - the daemon
 * @settings: configuration and command line
 * @opt: options, part of @settings
 * @files: directory and base name of the log files
 * @dev: device
 * @state: state shared with the processes that the daemon forks, and inherited by the next daemon
 * @stream: stream of the records of all CPUs
 * @run_known: @state->lkst is the UUID of the current LKST run
 * @writer: indexed by CPU
 * @kallsyms: kernel symbols, shared by all files
 * @previous: process that saves the records of previous boots; 0: none
 * @snapshot: process that saves a snapshot; 0: none
 * @cpus: number of possible CPUs
 * @online: indexed by CPU: whether it was online at the last check
 * @signals: signalfd
 * @timer: timerfd
 * @since: start of the daemon, in seconds since the epoch
 * @serial: serial number of the current files
 * @next_serial: lowest serial number that the next files may get
 * @first_serial: serial number of the first files of this process
 * @names: hash of the file names when the total limit was last enforced
 * @heartbeat: time of the last logd_heartbeat() that updated the status, in ms
 * @enabled: whether the daemon writes records to files; SIGUSR1 toggles this
 * @draining: the daemon reads until each writer has reached its mark
 * @paused: a read failed; the daemon tries again at the next tick
 * @stopping: SIGTERM was received
 * @end_limit: time, in ms, when the daemon stops waiting for the process @previous
 * @trouble: current problem; "": none
 * @reported: number of configuration errors reported so far
 * @space: limits and recording rates
 * @process_names: command lines and open files of the processes
 */
struct logd {
	struct logd_settings *settings;
	const struct logd_options *opt;
	struct logd_files files;
	struct lkst_device *dev;
	struct logd_state *state;
	struct lkst_stream *stream;
	bool run_known;
	struct logd_writer *writer;
	struct lkst_kallsyms *kallsyms;
	pid_t previous;
	pid_t snapshot;
	uint32_t cpus;
	bool *online;
	int signals;
	int timer;
	int64_t since;
	uint32_t serial;
	uint32_t next_serial;
	uint32_t first_serial;
	uint64_t names;
	int64_t heartbeat;
	bool enabled;
	bool draining;
	bool paused;
	bool stopping;
	int64_t end_limit;
	char trouble[256];
	size_t reported;
	struct logd_space space;
	struct logd_names process_names;
};

static inline struct logd_cpu *logd_cpu_of(const struct logd *logd,
					   const struct logd_writer *writer)
{
	return &logd->state->cpu[writer->cpu];
}

void logd_block_signals(void);
struct logd *logd_begin(struct logd_settings *settings, struct lkst_error *err);
void logd_end(struct logd *logd);
int logd_enter_rings(struct logd *logd, struct lkst_error *err);
void logd_load_symbols(struct logd *logd);
void logd_init_child(void (*on_term)(int));

void logd_run(struct logd *logd);
void logd_heartbeat(struct logd *logd);

void logd_trouble(struct logd *logd, const struct lkst_error *err);
void logd_watch(struct logd *logd);

#endif
