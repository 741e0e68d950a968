/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for tests that write, change and read trace files. */
#ifndef _TRACE_CASE_H
#define _TRACE_CASE_H

#include "lib/trace/format.h"
#include "lib/trace/trace.h"
#include "lib/trace/write.h"
#include "sample.h"
#include "tap.h"

#define EVENTS_MAX	40000
#define REPORTS_MAX	8192

extern struct lkst_trace *trace; /* the open trace, or NULL */
extern struct lkst_event *events; /* the events that read_all() has read, at most EVENTS_MAX */
extern char reports[REPORTS_MAX]; /* the reports about the trace, one on each line */
extern const struct lkst_trace_hooks hooks; /* append each report to reports[] */

/* The bytes of a trace file, which tests can change. */
extern struct file {
	uint8_t *data;
	size_t size;
} file;

/* Each function that opens a trace closes the previous one. */
bool try_open(int fd);
void open_trace(int fd);
void open_long(int fd);
void open_paths(const char *const *path, size_t num);
void close_trace(void);

size_t read_all(enum lkst_order order);
void check_events(void (*describe)(const struct lkst_event *event, char *text),
		  const char *expected);

void load_file(int fd);
int new_file(const void *data, size_t size);
void open_file(void);
struct lkst_chunk_header *find_chunk(int type, int n);
void sign(struct lkst_chunk_header *chunk);
void swap_file(void);

extern struct lkst_trace_writer *writer;

void begin_trace(const char *path);
void put_records(int32_t cpu, lkst_buffer_id buffer, const struct lkst_log_record *record,
		 size_t num);
int commit_trace(void);
int end_trace(void);
int write_many(int32_t cpus, uint64_t records);

#endif
