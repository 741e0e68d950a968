/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Layout of a trace file on disk, which Documentation/lkst/trace-file.rst describes.
 * linux/lkst_history.h has the layout of chunks and of the records in them, which the kernel's
 * compressed history shares.
 */
#ifndef _LKST_TRACE_FORMAT_H
#define _LKST_TRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/lkst_history.h>

#include "lib/lkst.h"

#define TRACE_MAGIC		"LKSTTRC"	/* including the terminating 0 */
#define TRACE_BYTE_ORDER	0x01020304u
#define TRACE_BYTE_ORDER_SWAPPED 0x04030201u
#define TRACE_VERSION		1

enum trace_chunk_type {
	TRACE_SYSTEM		= 1,
	TRACE_ETYPES		= 2,
	TRACE_PROCESSES		= 3,
	TRACE_CLOCK		= 4,
	TRACE_RECORDS_STD	= 5,
	TRACE_RECORDS_RAW	= LKST_CHUNK_RECORDS_RAW,
	TRACE_END		= 7,
	TRACE_VALUES		= 8,
	TRACE_SYMBOLS		= 9,
	TRACE_LOG		= 10,
	TRACE_SKIP		= 11,
	TRACE_LOSS		= 12,
	TRACE_FILES		= 13,
	TRACE_RECORDS_LONG	= 14,	/* as TRACE_RECORDS_RAW, from a long ring */
};

enum trace_compression {
	TRACE_COMPRESSION_NONE	= LKST_CHUNK_NONE,
	TRACE_COMPRESSION_ZSTD	= LKST_CHUNK_ZSTD,
	TRACE_COMPRESSION_COLUMNS = LKST_CHUNK_COLUMNS, /* see columns.c; compressed with zstd */
};

/* Return whether chunks of this type contain a buffer header and records. */
static inline bool trace_type_has_records(unsigned int type)
{
	return type == TRACE_RECORDS_STD || type == TRACE_RECORDS_RAW || type == TRACE_RECORDS_LONG;
}

struct trace_file_header {
	char magic[8];
	uint32_t byte_order;
	uint16_t version;
	uint16_t header_size;
	uint64_t reserved;
	uint32_t reserved2;
	uint32_t checksum;
};

struct trace_process {
	uint32_t tid;
	uint32_t tgid;
	char name[16];
};

struct trace_clock {
	uint64_t clock;
	int64_t monotonic_ns;
	int64_t wall_ns;
	uint64_t freq_khz;
	uint32_t clock_kind;
	int32_t cpu;
};

struct trace_end {
	uint64_t records;
	uint64_t chunks;
};

struct trace_log {
	int32_t cpu;
	uint32_t serial;
	uint64_t limit;
};

struct trace_loss {
	int32_t cpu;
	uint32_t reserved;
	uint64_t first_recid;
	uint64_t number;
};

_Static_assert(sizeof(struct trace_file_header) == 32, "file header");
_Static_assert(sizeof(struct lkst_chunk_header) == 32, "chunk header");
_Static_assert(sizeof(struct lkst_records_header) == 128, "buffer header");
_Static_assert(sizeof(struct trace_process) == 24, "process");
_Static_assert(sizeof(struct trace_clock) == 40, "clock");
_Static_assert(sizeof(struct trace_log) == 16, "log");
_Static_assert(sizeof(struct trace_loss) == 24, "loss");
_Static_assert(sizeof(struct lkst_log_record) == 112, "struct lkst_log_record");
_Static_assert(sizeof(struct lkst_event_record) == 64, "struct lkst_event_record");

static inline uint64_t trace_padded(uint64_t length)
{
	return (length + 7) & ~(uint64_t)7;
}

#endif /* _LKST_TRACE_FORMAT_H */
