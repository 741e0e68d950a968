/* SPDX-License-Identifier: LGPL-2.1 */
/* The tables of descriptors that struct lkst_files consists of. */
#ifndef _LKST_LIB_TEXT_FILES_TABLE_H
#define _LKST_LIB_TEXT_FILES_TABLE_H

#include "file_calls.h"
#include "lib/lkst.h"

/*
 * All times are from the monotonic clock. An interval from @since to @until contains the times
 * after @since and up to @until. It is empty if @since is FILES_NEVER.
 */
#define FILES_NEVER INT64_MAX

struct files_interval {
	int64_t since;
	int64_t until;
};

/* Return the times that are in both intervals. */
static inline struct files_interval files_both(struct files_interval a, struct files_interval b)
{
	struct files_interval both = { a.since > b.since ? a.since : b.since,
				       a.until < b.until ? a.until : b.until };

	return both.since < both.until ? both : (struct files_interval){ FILES_NEVER, INT64_MIN };
}

/* A descriptor of a process. */
struct files_held {
	uint32_t fd;
	struct files_interval valid; /* when the descriptor certainly referred to @name */
	const char *name;
};

/* A process at the time when its descriptors were read. */
struct files_process {
	uint32_t tgid;
	bool fixed; /* the text of the table states the intervals, so events do not change them */
	int64_t begin; /* when reading the descriptors began */
	int64_t end; /* when reading them ended */
	struct files_interval program; /* when the process ran this program */
	struct files_interval covered; /* when the trace has all records of system calls */
	const char *command; /* NULL: unknown */
	struct files_held *held; /* sorted by descriptor */
	size_t num;
	const struct files_table *table;
};

/* The state of a CPU when a table was read. */
struct files_cpu {
	int32_t cpu;
	uint64_t recid; /* the CPU's next recid when all processes had been read */
};

/* A table: the contents of a FILES chunk, with the descriptors of all processes at one time. */
struct files_table {
	struct files_table *next;
	char *text; /* holds all strings */
	int64_t monotonic_ns;
	int64_t wall_ns;
	struct files_cpu *cpu;
	size_t cpus;
	struct files_held *held;
	size_t num;
	bool reached; /* on every CPU, the records in the trace reach files_cpu.recid */
};

/* A time in which records may be missing. */
struct files_break {
	int64_t from;
	int64_t to;
};

/* The records of a CPU in the trace. */
struct files_lane {
	int32_t cpu;
	uint64_t next_recid;
	int64_t latest;
};

struct lkst_files {
	struct file_calls calls;
	struct files_table *tables;
	size_t num_tables;
	size_t held; /* number of descriptors in all tables */
	struct files_process *process; /* sorted by process and time by lkst_files_start() */
	size_t num;
	bool derived; /* for some processes, events determine the intervals */
	int64_t offset_ns; /* wall clock minus monotonic clock */
	bool clock_set; /* the wall clock was set, so only monotonic times can be used */
	bool partial; /* the trace has only selected events */
	struct files_break *gap;
	size_t gaps;
	size_t gaps_room;
	struct files_lane *lane;
	size_t lanes;
};

/* A system call is assumed to take effect within this time after its entry or before its exit. */
#define FILES_MARGIN_NS 10000000

/* Limits, so that damaged input cannot take much memory or time */
#define FILES_TABLES_MAX    4096
#define FILES_PROCESSES_MAX (1u << 18) /* in all tables of a trace */
#define FILES_HELD_MAX	    (1u << 20) /* descriptors in all tables of a trace */
#define FILES_EACH_MAX	    4096 /* descriptors of a process in a table */
#define FILES_BREAKS_MAX    (1u << 20)

bool files_time(const struct lkst_files *files, const struct lkst_event *event, int64_t *time);
size_t files_after(const struct lkst_files *files, uint32_t tgid, int64_t time);
void files_near(const struct lkst_files *files, uint32_t tgid, int64_t time,
		struct files_process *near[2]);
struct files_held *files_find(const struct files_process *process, uint32_t fd);
int files_parse(struct lkst_files *files, struct files_table *table, struct lkst_error *err);

#endif
