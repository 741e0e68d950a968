/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Log files for tests. The contents of a record depend only on its CPU and recid, so that a test
 * can check any record that it reads.
 */
#ifndef _LOG_CASE_H
#define _LOG_CASE_H

#include "dir.h"
#include "lib/device/run.h"
#include "lib/live/log.h"
#include "trace_case.h"

#define LOG_SECOND	1767323045ll
#define LOG_BOOT_NS	(LOG_SECOND * 1000000000) /* wall clock time at boot */
#define LOG_RUN_MAX	5000
#define LOG_CODE	0xffffffff81000000 /* address of do_it (0x100 bytes); do_more follows */

extern int log_dir_fd;
/*
 * Text with the command lines and open files of processes, which is written to the logs. By default
 * there is no text, and nothing is written.
 */
extern struct lkst_log_files log_files;

void log_setup(void);
void log_teardown(void);

bool log_is_hole(uint64_t recid);
struct lkst_event_record log_record(int32_t cpu, uint64_t recid);
struct lkst_run log_run(int32_t cpu, uint64_t first_recid, size_t num);
struct lkst_log *log_create(const char *name, int32_t cpu, uint64_t limit, bool compress);
void log_write(struct lkst_log *log, const struct lkst_run *run);
void log_close(struct lkst_log *log);
void log_open(const char *name);
void log_check_event(const struct lkst_event *event);
uint64_t log_holes(uint64_t from, uint64_t to);
void log_load(const char *name);
size_t log_read_open(void);
size_t log_read(const char *name);

#endif
