/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes log files. A log file holds RAW records of one CPU, up to a size limit. A recid is the
 * number of an event: each CPU numbers its events from 0. A lap begins each time that the writer
 * returns to the start of the file to overwrite the oldest records.
 */
#ifndef _LKST_LIB_LIVE_LOG_H
#define _LKST_LIB_LIVE_LOG_H

#include "lib/lkst.h"

struct lkst_kallsyms;
struct lkst_log;
struct lkst_run;

/**
 * struct lkst_log_files - command lines and descriptors of the processes
 * @text: from live_files_text(); NULL: none
 * @len: length in bytes
 * @serial: number of the text; two texts never have the same number
 */
struct lkst_log_files {
	char *text;
	size_t len;
	uint64_t serial;
};

/**
 * struct lkst_log_options - properties of a log file
 * @cpu: CPU whose records the file holds
 * @serial: serial number of the file
 * @run: UUID from struct lkst_run.boot; NULL: unknown
 * @limit: size limit in bytes, at which new records overwrite the oldest ones; 0: no limit
 * @compress: compress with zstd
 * @kallsyms: symbols, which must outlive the log; several logs can share them. NULL: the log loads
 *	the symbols itself
 * @etypes_path: file with event types to use; NULL: use the running kernel's event types
 * @root: prefix for /proc and /sys when values and symbols are read; NULL: none
 * @files: returns the command lines and descriptors for the preamble of a lap, and for the end of
 *	the file; NULL: none
 * @files_ctx: passed to @files
 */
struct lkst_log_options {
	int32_t cpu;
	uint32_t serial;
	const uint8_t *run;
	uint64_t limit;
	bool compress;
	const struct lkst_kallsyms *kallsyms;
	const char *etypes_path;
	const char *root;
	const struct lkst_log_files *(*files)(void *ctx);
	void *files_ctx;
};

#define LKST_LOG_LIMIT_MIN	(256u * 1024)

/**
 * struct lkst_log_counts - how many events were kept, overwritten and lost
 * @kept: events in the file
 * @rewound: events that were overwritten, or dropped to make room for newer ones
 * @lost: number of lost events, according to the runs that were passed to lkst_log_write()
 * @next: recid after the last event that was written or reported as lost; 0 if there was none yet
 * @bytes: size of the file
 */
struct lkst_log_counts {
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
	uint64_t next;
	uint64_t bytes;
};

struct lkst_log *lkst_log_create(int dir, const char *name, const struct lkst_log_options *opt,
				 struct lkst_error *err);
int lkst_log_write(struct lkst_log *log, const struct lkst_run *run, struct lkst_error *err);
void lkst_log_counts(const struct lkst_log *log, struct lkst_log_counts *counts);
bool lkst_log_intact(const struct lkst_log *log);
int lkst_log_close(struct lkst_log *log, struct lkst_error *err);

#endif
