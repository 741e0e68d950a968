/* SPDX-License-Identifier: LGPL-2.1 */
/* Layout of a trace file on disk, which Documentation/lkst/trace-file.rst describes. */
#ifndef _LKST_TRACE_FORMAT_H
#define _LKST_TRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/lkst.h"

#define TRACE_MAGIC		"LKSTTRC"	/* including the terminating 0 */
#define TRACE_BYTE_ORDER	0x01020304u
#define TRACE_BYTE_ORDER_SWAPPED 0x04030201u
#define TRACE_VERSION		1
#define TRACE_CHUNK_MAGIC	0x4b4e4843u
#define TRACE_CHUNK_RECORDS	4096

enum trace_chunk_type {
	TRACE_SYSTEM		= 1,
	TRACE_ETYPES		= 2,
	TRACE_PROCESSES		= 3,
	TRACE_CLOCK		= 4,
	TRACE_RECORDS_STD	= 5,
	TRACE_RECORDS_RAW	= 6,
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
	TRACE_COMPRESSION_NONE	= 0,
	TRACE_COMPRESSION_ZSTD	= 1,
	TRACE_COMPRESSION_COLUMNS = 2,	/* records as columns (columns.c), compressed with zstd */
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

struct trace_chunk_header {
	uint32_t magic;
	uint16_t type;
	uint16_t compression;
	uint64_t length;
	uint64_t raw_length;
	uint32_t payload_checksum;
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

/* Flags of a buffer header. */
#define TRACE_HAS_MONOTONIC	0x1	/* monotonic_ns and xtime_ns are valid */

struct trace_buffer_header {
	int32_t cpu;
	int32_t buffer;
	uint32_t clock_kind;
	uint32_t record_size;
	uint64_t count;
	uint64_t first_recid;
	uint64_t recorded;
	uint64_t overwritten;
	uint64_t dropped;
	int64_t xtime_s;
	int64_t xtime_us;
	uint64_t tsc;
	uint64_t freq_khz;
	char arch[16];
	uint32_t record_version;
	uint32_t flags;
	int64_t monotonic_ns;
	uint32_t xtime_ns;	/* 0 to 999, in addition to xtime_us */
	uint32_t unfinished;
};

_Static_assert(sizeof(struct trace_file_header) == 32, "file header");
_Static_assert(sizeof(struct trace_chunk_header) == 32, "chunk header");
_Static_assert(sizeof(struct trace_buffer_header) == 128, "buffer header");
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
