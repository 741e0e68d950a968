/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of lkstlogd: a process that looks after everything, and a child for each CPU that
 * writes, since a process can be bound to one CPU's records only.
 */
#ifndef _LOGD_H
#define _LOGD_H

#include <limits.h>
#include <syslog.h>
#include <sys/types.h>
#include <time.h>

#include "lib/liblkst.h"

/* Milliseconds, of a clock that nobody sets. */
static inline int64_t logd_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- what was asked for: lkstlogd.c ---- */

/**
 * struct logd_options - the command line
 * @start: write from the beginning
 * @buffer_size: of each buffer of the ring
 * @limit: of a file
 * @total: of all files; 0: LOGD_TOTAL_FILES of them for each CPU
 * @number: of buffers in the ring
 * @name: of files, without CPU and serial
 * @compress: with zstd
 * @no_previous: leave alone what previous boots have left
 * @foreground: do not become a daemon
 * @version: only say which one this is
 */
struct logd_options {
	bool start;
	uint64_t buffer_size;
	uint64_t limit;
	uint64_t total;
	int64_t number;
	const char *name;
	bool compress;
	bool no_previous;
	bool foreground;
	bool version;
};

#define LOGD_TOTAL_FILES 10

/* ---- what outlives a process: logd_state.c ---- */

#define LOGD_STATE_DIR	"/run/lkst"
#define LOGD_STATE_FILE LOGD_STATE_DIR "/lkstlogd.state"
#define LOGD_RING_MAX	(LKST_BUFFER_ID_MAX + 1)

/**
 * struct logd_ring - the buffers that a CPU's records go round in
 * @num: how many; 0: there is no ring
 * @id: of each, in order
 * @old: those of an earlier ring, bit by bit, to be deleted once they were read
 * @before: where the CPU recorded before
 * @size: of each, as it was asked for
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
 * @next: recid after the last record that is in a file; 0: it does not matter
 * @kept: records in files, which the child writes, like the next three
 * @rewound: of them, how many newer ones have replaced
 * @lost: records that never came into a file
 * @file: being written, without its directory; "" for none
 * @trouble: what is in the child's way, "" for nothing
 * @answer: to the last question of the parent
 * @pid: of the child, or of the last one, written by the parent
 * @removed: events in files that were deleted, written by the parent
 * @removed_own: of these, how many are in @kept
 * @ring: of buffers, written by the parent
 */
struct logd_cpu {
	uint64_t next;
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
	char file[NAME_MAX + 1];
	char trouble[200];
	uint32_t answer;
	uint32_t pid;
	uint64_t removed;
	uint64_t removed_own;
	struct logd_ring ring;
};

/**
 * struct logd_previous - what became of previous boots, written by the process that saves them
 * @saved: that are in files
 * @unsaved: that could not be saved
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
 * struct logd_state - in a file that parent and children share, and who comes after them
 * @magic: LOGD_STATE_MAGIC
 * @cpus: entries at @cpu
 * @generation: which parent
 * @boot_id: the kernel that it is about
 * @maskset: lkstlogd's own, LKST_MASKSET_ID_VOID: none
 * @before: the one that it stands for
 * @previous: boots before this one
 * @cpu: by number
 */
struct logd_state {
	char magic[16];
	uint32_t cpus;
	uint32_t generation;
	char boot_id[64];
	int32_t maskset;
	int32_t before;
	struct logd_previous previous;
	struct logd_cpu cpu[];
};

int logd_state_dir(struct lkst_error *err);
struct logd_state *logd_state_open(uint32_t cpus, struct lkst_error *err);
void logd_state_end(struct logd_state *state);

/* ---- the pid file: logd_pid.c ---- */

int logd_lock(int fd, pid_t *holder);
int logd_pid_take(struct lkst_error *err);
void logd_pid_give_up(void);

/* ---- the kernel's side: logd_ring.c, logd_shift.c, logd_maskset.c ---- */

int logd_ring_create(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		     struct logd_ring *ring, struct lkst_error *err);
int logd_ring_enter(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring,
		    struct lkst_error *err);
int logd_ring_back(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		   struct logd_ring *ring, struct lkst_error *err);
void logd_ring_tidy(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring);
bool logd_ring_has(const struct logd_ring *ring, lkst_buffer_id id);
const struct lkst_buffer_listent *logd_ring_find(const struct lkst_buffer_list *list, int id);
void logd_ring_remove(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring);

int logd_ring_end(struct lkst_device *dev, int32_t cpu, uint64_t *end, struct lkst_error *err);

int logd_maskset_select(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err);
int logd_maskset_watch(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err);
void logd_maskset_restore(struct lkst_device *dev, struct logd_state *state);

/* ---- files: logd_files.c ---- */

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
void logd_files_name(const struct logd_files *files, int32_t cpu, uint32_t serial,
		     char name[NAME_MAX + 1]);
void logd_files_limit(const struct logd_files *files, uint64_t closed_max, uint32_t first_serial,
		      struct logd_state *state);

bool logd_remove(const char *path, struct logd_cpu *cpu, bool own); /* logd_remove.c */

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

/* ---- a child: logd_child.c ---- */

enum logd_command {
	LOGD_STOP = 1, /* write what there is up to now, and end */
	LOGD_QUIT, /* end; what is in the kernel stays there */
	LOGD_NEW_FILE, /* write what there is up to now, and go on in another file */
	LOGD_DRAIN, /* write what there is up to now, and go on */
	LOGD_CHECK, /* answer; and is the file still there? */
};

struct logd_message {
	uint32_t command;
	uint32_t serial; /* of the new file */
	uint32_t question; /* to be stored as the answer */
};

/**
 * struct logd_child_args - what a child needs to know
 * @opt: options
 * @files: where it writes
 * @state: shared
 * @cpu: its CPU
 * @serial: of its first file
 * @kallsyms: the kernel's symbols, NULL: each file has to look for itself
 * @parent: messages come from there; its end is the parent's end
 */
struct logd_child_args {
	const struct logd_options *opt;
	const struct logd_files *files;
	struct logd_state *state;
	int32_t cpu;
	uint32_t serial;
	const struct lkst_kallsyms *kallsyms;
	int parent;
};

int logd_child(const struct logd_child_args *args);

/* ---- the parent: logd_parent.c ---- */

struct logd_parent;

void logd_parent_block_signals(void);
struct logd_parent *logd_parent_begin(const struct logd_options *opt, struct lkst_error *err);
int logd_parent_run(struct logd_parent *parent, struct lkst_error *err);
void logd_parent_end(struct logd_parent *parent);

/* ---- the children: logd_children.c ---- */

struct logd_children;

struct logd_children *logd_children_new(uint32_t cpus, struct lkst_error *err);
void logd_children_free(struct logd_children *children);
bool logd_children_any(const struct logd_children *children);
bool logd_children_has(const struct logd_children *children, int32_t cpu);
uint32_t logd_children_num(const struct logd_children *children);
bool logd_children_owes(const struct logd_children *children, int32_t cpu);
bool logd_children_owe_any(const struct logd_children *children);
bool logd_children_due(const struct logd_children *children, int32_t cpu);
int logd_children_start(struct logd_children *children, const struct logd_child_args *args,
			struct lkst_error *err);
void logd_children_tell(struct logd_children *children, int32_t cpu, enum logd_command command,
			uint32_t serial);
void logd_children_tell_all(struct logd_children *children, enum logd_command command,
			    uint32_t serial);
bool logd_children_ask(struct logd_children *children, struct logd_state *state);
bool logd_children_silent(const struct logd_children *children, int32_t cpu);
void logd_children_reap(struct logd_children *children);
void logd_children_kill(struct logd_children *children);
void logd_become_child(void (*on_term)(int));

/* ---- what users get to hear: logd_report.c ---- */

void logd_report_begin(bool daemon);
void logd_report(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
void logd_report_error(int priority, const char *before, const struct lkst_error *err);
void logd_report_cut(char *to, size_t size, const char *text);
void logd_notify(const char *format, ...) __attribute__((format(printf, 1, 2)));
void logd_report_status(const struct logd_state *state, const char *word, int64_t since,
			const char *trouble, const char *dir);

#endif
