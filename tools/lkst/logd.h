/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of lkstlogd: one process that reads all CPUs in blocks, and writes a file for each. Two
 * things that may take long have processes of their own: saving previous boots, and counting the
 * events in a deleted file that has no end.
 */
#ifndef _LOGD_H
#define _LOGD_H

#include <limits.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <syslog.h>
#include <time.h>

#include "lib/liblkst.h"
#include "logd_options.h"

/* Milliseconds, of a clock that nobody sets. */
static inline int64_t logd_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#define LOGD_TOTAL_FILES 10 /* for each CPU: limit on all files where only that on one is given */

/* ---- what outlives the process: logd_state.c ---- */

#define LOGD_STATE_DIR	"/run/lkst"
#define LOGD_STATE_FILE LOGD_STATE_DIR "/lkstlogd.state"
#define LOGD_RING_MAX	(LKST_BUFFER_ID_MAX + 1)

/**
 * struct logd_ring - the ring of buffers that a CPU records in
 * @num: buffers; 0: there is no ring
 * @before: the buffer that the CPU recorded in before
 * @size: of each buffer, as the options have it
 * @old: bitmap: buffers of an earlier ring, to be deleted once what they hold is in a file
 * @id: of each buffer, in order
 */
struct logd_ring {
	uint32_t num;
	int32_t before;
	uint64_t size;
	uint64_t old[LOGD_RING_MAX / 64 + 1];
	uint8_t id[LOGD_RING_MAX];
};

/**
 * struct logd_cpu - what is known of a CPU
 * @next: recid after the last record that is in a file; 0: none is
 * @writing: what is missing from @next on counts as lost
 * @kept: records in files
 * @rewound: records in files that newer ones have replaced
 * @lost: records that never came into a file
 * @file: being written, without its directory; "" for none
 * @trouble: why it cannot be written, "" for nothing
 * @removed: events in files that were deleted
 * @removed_own: of these, how many are in @kept
 * @ring: of buffers
 */
struct logd_cpu {
	uint64_t next;
	uint32_t writing;
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
	char file[NAME_MAX + 1];
	char trouble[200];
	uint64_t removed;
	uint64_t removed_own;
	struct logd_ring ring;
};

/**
 * struct logd_previous - what became of previous boots, written by the process that saves them
 * @saved: boots that are in files
 * @unsaved: boots that could not be saved
 * @file: of the one saved last, without its directory; "" for none
 * @trouble: why one could not be saved, "" for nothing
 */
struct logd_previous {
	uint32_t saved;
	uint32_t unsaved;
	char file[NAME_MAX + 1];
	char trouble[200];
};

/**
 * struct logd_state - a file that the daemon maps, and that the next one finds
 * @magic: LOGD_STATE_MAGIC
 * @cpus: entries at @cpu
 * @boot_id: the kernel that it is about
 * @lkst: UUID of the run of LKST whose recids are in @cpu; all 0: none yet
 * @maskset: lkstlogd's own, LKST_MASKSET_ID_VOID: none
 * @before: the one that it stands for
 * @previous: boots before this one
 * @cpu: by number
 */
struct logd_state {
	char magic[16];
	uint32_t cpus;
	char boot_id[64];
	uint8_t lkst[LKST_BLOCK_BOOT_LEN];
	int32_t maskset;
	int32_t before;
	struct logd_previous previous;
	struct logd_cpu cpu[];
};

int logd_state_dir(struct lkst_error *err);
int logd_state_lock(struct lkst_error *err);
void logd_state_unlock(void);
struct logd_state *logd_state_open(uint32_t cpus, struct lkst_error *err);
void logd_state_close(struct logd_state *state);

int logd_pid_take(struct lkst_error *err); /* logd_pid.c */
void logd_pid_give_up(void);

/* ---- the kernel's side: logd_ring.c, logd_maskset.c ---- */

int logd_ring_create(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		     struct logd_ring *ring, struct lkst_error *err);
int logd_ring_enter(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring,
		    struct lkst_error *err);
int logd_ring_back(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		   struct logd_ring *ring, struct lkst_error *err);
void logd_ring_tidy(struct lkst_device *dev, int32_t cpu, struct logd_cpu *state);
bool logd_ring_has(const struct logd_ring *ring, lkst_buffer_id id);
int logd_ring_end(struct lkst_device *dev, int32_t cpu, uint64_t *end, struct lkst_error *err);
void logd_ring_remove(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring);

int logd_maskset_select(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err);
int logd_maskset_watch(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err);
void logd_maskset_restore(struct lkst_device *dev, struct logd_state *state);

/* ---- names of files and their limit: logd_files.c ---- */

/**
 * struct logd_files - where they are
 * @dir: absolute
 * @base: of their names
 */
struct logd_files {
	char dir[PATH_MAX];
	char base[NAME_MAX + 1];
};

#define LOGD_PREVIOUS	-1 /* in place of a CPU: a file of a previous boot */
#define LOGD_SERIAL_MAX (UINT32_MAX - 1) /* so that the one after it is a number, too */

int logd_files_init(struct logd_files *files, const char *name, struct lkst_error *err);
int logd_files_dir(const struct logd_files *files, struct lkst_error *err);
int logd_files_serial(const struct logd_files *files, int32_t cpu, uint32_t *serial,
		      struct lkst_error *err);
uint64_t logd_files_bytes(const struct logd_files *files);
void logd_files_name(const struct logd_files *files, int32_t cpu, uint32_t serial,
		     char name[NAME_MAX + 1]);
void logd_files_limit(const struct logd_files *files, uint64_t closed_max, uint32_t first_serial,
		      struct logd_state *state);

/* logd_remove.c */
bool logd_remove(const char *path, struct logd_cpu *cpu, bool own);

/* ---- previous boots: logd_previous.c, logd_previous_save.c ---- */

/**
 * struct logd_previous_args - what the process that saves previous boots needs to know
 * @opt: options
 * @files: where it writes
 * @state: shared
 * @serial: of its next file
 * @max: bytes that its files may have, so that the limit on all files does not delete it at once
 * @stop: set by a signal: give up
 */
struct logd_previous_args {
	const struct logd_options *opt;
	const struct logd_files *files;
	struct logd_state *state;
	uint32_t serial;
	uint64_t max;
	const volatile int *stop;
};

int logd_previous_start(const struct logd_previous_args *args, pid_t *pid, struct lkst_error *err);
bool logd_previous_reap(pid_t pid);
int logd_previous_save(struct logd_previous_args *args, struct lkst_device *dev,
		       const struct lkst_previous_listent *boot, struct lkst_error *err);

/* ---- the configuration: logd_conf.c ---- */

struct logd;

void logd_conf_report(struct logd *logd);
void logd_conf_masksets(struct logd *logd);
void logd_conf_reload(struct logd *logd);

/* ---- how much files may take, and what that comes to in time: logd_space.c ---- */

/**
 * struct logd_rate - what a CPU records
 * @seen: events that were in its files at the last look
 * @per_second: events; 0: not known yet
 */
struct logd_rate {
	uint64_t seen;
	double per_second;
};

/**
 * struct logd_space - what is known of it
 * @shared: nobody has given a limit: the file system is shared with others
 * @rate: by CPU
 * @begin: ms, of the first look since writing began; 0: not yet
 * @last: ms, of the last look
 * @seconds: that the file of the busiest CPU holds when it is full; 0: not known yet
 * @told: users have heard of it
 */
struct logd_space {
	bool shared;
	struct logd_rate *rate;
	int64_t begin;
	int64_t last;
	uint64_t seconds;
	bool told;
};

void logd_space_limits(struct logd *logd);
void logd_space_watch(struct logd *logd);

/* ---- the daemon: logd_setup.c, logd_loop.c ---- */

enum {
	LOGD_TICK_MS = 1000
};

/**
 * struct logd_writer - the file of a CPU
 * @cpu: CPU
 * @log: NULL: there is no file
 * @file: its inode
 * @serial: of the file, or the lowest that the next one may have
 * @kept: records in earlier files
 * @rewound: records in earlier files that newer ones have replaced
 * @lost: told as lost in earlier files, or when the daemon gave up
 * @mark: recid; what precedes it is written, however little it is
 * @passed: runs were left out, so the stream is ahead of what is written
 * @looked: ms, when what came was last left where it is, because it was not worth writing
 * @late: ms, from when on anything is worth writing
 * @blocked: writing has failed; the next attempt is a tick later
 * @trouble: it has failed, and has not succeeded since
 * @lost_before: what was lost when the trouble began
 * @lost_reported: what was lost when that was last reported
 * @next_report: ms, when more losses may be reported
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
	int64_t looked;
	int64_t late;
	bool blocked;
	bool trouble;
	uint64_t lost_before;
	uint64_t lost_reported;
	int64_t next_report;
};

/**
 * struct logd - the daemon
 * @settings: configuration and command line
 * @opt: options, of @settings
 * @files: where they are
 * @dev: device
 * @state: shared with the processes that it forks, and with the next daemon
 * @stream: records of all CPUs
 * @run_known: @state->lkst is the UUID of the LKST that is running
 * @writer: by CPU
 * @kallsyms: for all files
 * @previous: process that saves previous boots; 0: there is none
 * @cpus: that there can be
 * @online: by CPU, at the last look
 * @signals: signalfd
 * @timer: timerfd
 * @since: second of the epoch
 * @serial: of the files now
 * @next_serial: the lowest that the next ones may have
 * @first_serial: of the first files of this process
 * @names: hash of the names of files when the limit on all files was last seen to
 * @beat: ms, when others were last told how it is
 * @want: events are to be written
 * @draining: until the marks of the writers
 * @resting: reading has failed; the next attempt is a tick later
 * @ending: SIGTERM
 * @end_limit: ms, when it is not waited any longer
 * @trouble: what is in the way, "" for nothing
 * @reported: errors of the configuration that were reported
 * @space: how long files last
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
	uint32_t cpus;
	bool *online;
	int signals;
	int timer;
	int64_t since;
	uint32_t serial;
	uint32_t next_serial;
	uint32_t first_serial;
	uint64_t names;
	int64_t beat;
	bool want;
	bool draining;
	bool resting;
	bool ending;
	int64_t end_limit;
	char trouble[256];
	size_t reported;
	struct logd_space space;
};

static inline struct logd_cpu *logd_cpu_of(const struct logd *logd,
					   const struct logd_writer *writer)
{
	return &logd->state->cpu[writer->cpu];
}

/* logd_setup.c */
void logd_block_signals(void);
struct logd *logd_begin(struct logd_settings *settings, struct lkst_error *err);
void logd_end(struct logd *logd);
int logd_enter_rings(struct logd *logd, struct lkst_error *err);
void logd_load_symbols(struct logd *logd);
void logd_become_child(void (*on_term)(int));

/* logd_loop.c */
void logd_run(struct logd *logd);
void logd_beat(struct logd *logd);

/* logd_watch.c */
void logd_trouble(struct logd *logd, const struct lkst_error *err);
void logd_watch(struct logd *logd);

/* logd_read.c */
int logd_open_stream(struct logd *logd, struct lkst_error *err);
void logd_begin_reading(struct logd *logd);
void logd_read(struct logd *logd);
void logd_drain(struct logd *logd);
void logd_retry(struct logd *logd);

/* logd_writing.c */
uint32_t logd_rings(const struct logd *logd);
uint64_t logd_total(const struct logd *logd);
void logd_watch_files(struct logd *logd);
void logd_new_serial(struct logd *logd);
void logd_open_file(struct logd *logd, struct logd_writer *writer);
void logd_open_files(struct logd *logd);
void logd_close_files(struct logd *logd);
void logd_begin_writing(struct logd *logd);
void logd_end_writing(struct logd *logd);
void logd_begin_previous(struct logd *logd);

/* logd_log.c */
int logd_log_open(struct logd *logd, struct logd_writer *writer, struct lkst_error *err);
void logd_log_close(struct logd *logd, struct logd_writer *writer);
void logd_log_check(struct logd *logd, struct logd_writer *writer);
void logd_log_write(struct logd *logd, struct logd_writer *writer, const struct lkst_run *run);
void logd_log_give_up(struct logd *logd, struct logd_writer *writer);
void logd_log_trouble(struct logd *logd, struct logd_writer *writer, const struct lkst_error *err);
void logd_log_no_trouble(struct logd *logd, struct logd_writer *writer);

/* ---- what users hear: logd_report.c ---- */

void logd_report_begin(bool daemon);
void logd_report(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
void logd_report_error(int priority, const char *before, const struct lkst_error *err);
void logd_report_cut(char *to, size_t size, const char *text);
void logd_notify(const char *format, ...) __attribute__((format(printf, 1, 2)));
void logd_report_status(const struct logd *logd, const char *word);

#endif
