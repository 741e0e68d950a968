/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations for the source files of "logfiles": reading a log file, and collecting what all
 * files of a CPU contain.
 */
#ifndef LOGFILES_H
#define LOGFILES_H

#include <stdio.h>

#include "lib/lkst.h"

#include "buffers.h"

#define CPUS_MAX 64

/* A log file. */
struct log_file {
	const char *path;
	/*
	 * Contents of the LOG chunk. @limit is the maximum size of the file in bytes, 0: no limit.
	 */
	int cpu;
	unsigned int serial;
	uint64_t limit;
	/* Size of the file in bytes, number of its chunks, number of its records. */
	uint64_t bytes, chunks, records;
	/* Numbers of compressed chunks and of SKIP chunks. A SKIP chunk fills unused space. */
	uint64_t compressed, skipped;
	uint64_t first, next; /* lowest recid, and one more than the highest */
	bool closed; /* has an END chunk */
	bool growing; /* its writer holds a lock on it */
	bool cut; /* the last chunk is incomplete */
};

void log_file_read(struct log_file *file);
bool log_file_grows(const char *path);

extern unsigned long damages;

/* Report damage to a file on standard error, and count it. */
#define damage(path, format, ...) \
	(damages++, fprintf(stderr, "%s: " format "\n", path, ##__VA_ARGS__))

/*
 * log_file_read() calls seen_record() for each record that has a timestamp, and seen_loss() for
 * each range of recids that the file reports as lost. After the last file, report_seen() prints
 * what these two have collected.
 */
void seen_record(int cpu, uint64_t recid, const struct lkst_event_record *record);
void seen_loss(int cpu, uint64_t first, uint64_t num);
void report_seen(bool killed);

#endif
