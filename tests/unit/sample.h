/* SPDX-License-Identifier: GPL-2.0 */
/* A small trace with something of everything, for the tests. */
#ifndef _SAMPLE_H
#define _SAMPLE_H

#include "lib/liblkst.h"

/* 2026-01-02 03:04:05 UTC */
#define SAMPLE_SECOND	1767323045ll
#define SAMPLE_NS	(SAMPLE_SECOND * 1000000000)

#define SAMPLE_RECORDS	24	/* events in the sample, on both CPUs together */

#define SAMPLE_OOPS_RECORDS	13
#define SAMPLE_CODE	0xffffffff81000000	/* where code begins in the oops */

uint64_t text8(const char *text);

static inline uint64_t pack(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

struct lkst_log_record sample_record(int32_t cpu, uint64_t recid, int64_t time_ns,
				     uint32_t type, uint32_t tid, const uint64_t arg[4]);
struct lkst_log_buffer sample_buffer(int32_t cpu, lkst_buffer_id id);
int sample_write(struct lkst_trace_writer *writer, struct lkst_error *err);
int sample_fd(void);
int sample_oops_write(struct lkst_trace_writer *writer, struct lkst_error *err);
int sample_oops_fd(void);

#endif
