/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of "logfiles" share: a log file as it is on the disk, and what the files of a CPU
 * hold together.
 */
#ifndef LOGFILES_H
#define LOGFILES_H

#include "../../tools/lkst/lib/trace_format.h"

#include "buffers.h"

#define CPUS_MAX 64

/* Recids, or numbers of marks; @to not included. */
struct range {
	uint64_t from, to;
};

struct ranges {
	struct range *range;
	size_t num, room;
};

void add_range(struct ranges *ranges, uint64_t from, uint64_t to);
uint64_t unite(struct ranges *ranges);

/**
 * struct log_file - one file
 * @path: of it
 * @cpu: whose records they are, as its LOG chunk says
 * @serial: likewise
 * @limit: likewise; 0: none
 * @bytes: of the file
 * @chunks: that it has
 * @records: in them
 * @compressed: chunks that are
 * @skipped: chunks that are what was left of others
 * @first: the lowest recid
 * @next: one more than the highest
 * @closed: it ends with END
 * @growing: it is locked by who writes it
 * @cut: what comes last is not whole
 */
struct log_file {
	const char *path;
	int cpu;
	unsigned int serial;
	uint64_t limit;
	uint64_t bytes;
	uint64_t chunks;
	uint64_t records;
	uint64_t compressed;
	uint64_t skipped;
	uint64_t first, next;
	bool closed, growing, cut;
};

/**
 * struct log_sink - who wants to know what is in the files
 * @record: a record, the recid of which is known
 * @loss: recids that are told to be lost
 */
struct log_sink {
	void (*record)(int cpu, uint64_t recid, const struct lkst_event_record *record);
	void (*loss)(int cpu, uint64_t first, uint64_t num);
};

void log_file_read(struct log_file *file, const struct log_sink *sink);
bool log_file_grows(const char *path);

/* A file is not what it must be: told on standard error. */
void __attribute__((format(printf, 2, 3))) damage(const char *path, const char *what, ...);
extern unsigned long damages;

void seen_record(int cpu, uint64_t recid, const struct lkst_event_record *record);
void seen_loss(int cpu, uint64_t first, uint64_t num);
void report_seen(bool killed);

#endif
