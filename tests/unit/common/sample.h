/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small sample traces for tests. In sample_*, a shell starts a program on each of two CPUs.
 * sample_oops_* has a kernel oops, names of values (such as flags), and symbols.
 */
#ifndef _SAMPLE_H
#define _SAMPLE_H

#include "lib/lkst.h"
#include "lib/trace/write.h"

/* 2026-01-02 03:04:05 UTC */
#define SAMPLE_SECOND	1767323045ll
#define SAMPLE_NS	(SAMPLE_SECOND * 1000000000)

#define SAMPLE_RECORDS	24	/* events in the sample, of both CPUs together */

#define SAMPLE_OOPS_RECORDS	13
#define SAMPLE_CODE	0xffffffff81000000	/* address of the functions in the sample oops */

uint64_t text8(const char *text);
struct lkst_etypes *etypes_of(const char *rows);

/* The same as pack(), but usable in initializers of static variables. */
#define PACK(high, low) ((uint64_t)(high) << 32 | (uint32_t)(low))

static inline uint64_t pack(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

struct lkst_log_record sample_record(int32_t cpu, uint64_t recid, int64_t time_ns,
				     uint32_t type, uint32_t tid, const uint64_t arg[4]);
struct lkst_log_buffer sample_buffer(int32_t cpu, lkst_buffer_id id);
int sample_write_etypes(struct lkst_trace_writer *writer, struct lkst_error *err);
int sample_write(struct lkst_trace_writer *writer, struct lkst_error *err);
int sample_fd(void);
int sample_oops_fd(void);

#endif
