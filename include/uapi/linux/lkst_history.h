/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The compressed history (Documentation/lkst/history.rst): older records of
 * each CPU, in chunks of the trace-file format.
 */
#ifndef _UAPI_LINUX_LKST_HISTORY_H
#define _UAPI_LINUX_LKST_HISTORY_H

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>

#define LKST_CHUNK_MAGIC	0x4b4e4843U

/* Maximum number of records in a chunk. */
#define LKST_CHUNK_RECORDS	4096

/* Values of struct lkst_chunk_header.type that the history contains. */
#define LKST_CHUNK_RECORDS_RAW	6	/* struct lkst_event_record[] */

/*
 * Values of struct lkst_chunk_header.compression. The payload of a chunk of
 * LKST_CHUNK_RECORDS_RAW is a struct lkst_records_header and the records:
 *
 *	NONE		uncompressed
 *	ZSTD		as one zstd frame
 *	COLUMNS		with the records as columns, as one zstd frame.
 *			Documentation/lkst/trace-file.rst describes the columns
 */
#define LKST_CHUNK_NONE		0
#define LKST_CHUNK_ZSTD		1
#define LKST_CHUNK_COLUMNS	2

/**
 * struct lkst_chunk_header - header of a chunk. The payload follows, padded
 *	with 0 to a multiple of 8 bytes
 * @magic: LKST_CHUNK_MAGIC, in the byte order of the records
 * @type: LKST_CHUNK_RECORDS_RAW, or another type of a trace file
 * @compression: LKST_CHUNK_NONE, LKST_CHUNK_ZSTD or LKST_CHUNK_COLUMNS
 * @length: length of the payload in bytes, without the padding
 * @raw_length: length of the uncompressed payload in bytes
 * @payload_checksum: CRC-32C of the payload
 * @checksum: CRC-32C of the members before this one
 */
struct lkst_chunk_header {
	__u32 magic;
	__u16 type;
	__u16 compression;
	__aligned_u64 length;
	__aligned_u64 raw_length;
	__u32 payload_checksum;
	__u32 checksum;
};

/* Flags of struct lkst_records_header. */
#define LKST_RECORDS_HAS_MONOTONIC	0x1	/* @monotonic_ns and @xtime_ns are valid */

/**
 * struct lkst_records_header - start of the payload of a chunk with records
 * @cpu: CPU that recorded the events
 * @buffer: id of the buffer that the records are from
 * @clock_kind: enum lkst_clock of the records
 * @record_size: size of a record in bytes
 * @count: number of records
 * @first_recid: recid of the first record
 * @recorded: as in struct lkst_log_buffer. In the history, @recorded,
 *	@overwritten, @dropped and @unfinished are 0: a gap in the recids shows
 *	that events are missing
 * @overwritten: as in struct lkst_log_buffer
 * @dropped: as in struct lkst_log_buffer
 * @xtime_s: CLOCK_REALTIME at @tsc, in s
 * @xtime_us: the rest of it, in us
 * @tsc: a reading of the clock of the records
 * @freq_khz: rate of this clock, in kHz
 * @arch: machine name, as in uname -m
 * @record_version: LKST_BUFFER_VERSION
 * @flags: LKST_RECORDS_HAS_MONOTONIC or 0
 * @monotonic_ns: CLOCK_MONOTONIC at @tsc, in ns
 * @xtime_ns: the rest of @xtime_us in ns, 0 to 999
 * @unfinished: as in struct lkst_log_buffer
 */
struct lkst_records_header {
	__s32 cpu;
	__s32 buffer;
	__u32 clock_kind;
	__u32 record_size;
	__aligned_u64 count;
	__aligned_u64 first_recid;
	__aligned_u64 recorded;
	__aligned_u64 overwritten;
	__aligned_u64 dropped;

	__s64 xtime_s __attribute__((aligned(8)));
	__s64 xtime_us __attribute__((aligned(8)));
	__aligned_u64 tsc;
	__aligned_u64 freq_khz;
	char arch[LKST_ARCH_NAME_LEN];
	__u32 record_version;
	__u32 flags;

	__s64 monotonic_ns __attribute__((aligned(8)));
	__u32 xtime_ns;
	__u32 unfinished;
};

/* Maximum size of a chunk of the history in bytes, with header and padding. */
#define LKST_HISTORY_CHUNK_MAX						\
	(sizeof(struct lkst_chunk_header) + sizeof(struct lkst_records_header) + \
	 LKST_CHUNK_RECORDS * LKST_SIZEOF_LKST_EVENT_RECORD)

/**
 * struct lkst_history_read - copy chunks from the history of a CPU
 * @cpu: in: CPU number
 * @pad: must be 0
 * @position: in: position of the next chunk, from a previous call; 0: the
 *	oldest chunk. out: position after the last chunk that was copied or, if
 *	none was, of the next chunk. It is never 0. If the chunk at the position
 *	has been overwritten, the call continues with the oldest chunk
 * @buffer: in: address to copy the chunks to
 * @size: in: size of the memory at @buffer, in bytes. LKST_HISTORY_CHUNK_MAX is
 *	always enough for one chunk
 * @result: out: number of bytes that were copied, whole chunks only; 0: there
 *	is no chunk at @position or later
 * @skipped: out: number of chunks from @position on that were overwritten
 *	before this call could copy them
 *
 * The chunks of a CPU are in the order of their recids. Each of them has
 * checksums that the caller should check.
 *
 * Fails with EINVAL if there is no such CPU, if @position is not from a
 * previous call, or if the memory cannot be written; with ENOBUFS if @size is
 * too small for the next chunk; with ENODATA if there is no history.
 */
struct lkst_history_read {
	__s32 cpu;
	__u32 pad;
	__aligned_u64 position;
	__aligned_u64 buffer;
	__aligned_u64 size;
	__aligned_u64 result;
	__aligned_u64 skipped;
};

/* Flags of struct lkst_history_status. */
#define LKST_HISTORY_ON		0x1	/* CPUs have a history */
#define LKST_HISTORY_WAITING	0x2	/* no compression now: memory is short */

/**
 * struct lkst_history_status - the state of the history of a CPU
 * @cpu: in: CPU number
 * @flags: out: LKST_HISTORY_ON and LKST_HISTORY_WAITING. If LKST_HISTORY_ON is
 *	not set, all members that follow are 0
 * @size: out: capacity in bytes. 0: the CPU has no history, because LKST has
 *	read no record of it, or because memory was short
 * @used: out: number of bytes that the chunks in the history take
 * @chunks: out: number of chunks in the history
 * @events: out: number of events in these chunks
 * @lost: out: number of events that are in no chunk, since the history of the
 *	CPU began: they were overwritten in the buffers before they could be
 *	compressed, they were dropped, or their records were not finished in time
 * @overwritten: out: number of events whose chunks were overwritten
 * @since: out: CLOCK_REALTIME of the oldest record in the history, in ns; 0 if
 *	there is no chunk
 * @cpu_ns: out: CPU time that the compression of all CPUs has taken, in ns
 * @backoffs: out: number of times that the compression of all CPUs began to
 *	wait because memory was short
 */
struct lkst_history_status {
	__s32 cpu;
	__u32 flags;
	__aligned_u64 size;
	__aligned_u64 used;
	__aligned_u64 chunks;
	__aligned_u64 events;
	__aligned_u64 lost;
	__aligned_u64 overwritten;

	__s64 since __attribute__((aligned(8)));
	__aligned_u64 cpu_ns;
	__aligned_u64 backoffs;
};

#define LKST_IOC_HISTORY_READ	_IOWR(LKST_IOC_MAGIC, 0x2d, struct lkst_history_read)
#define LKST_IOC_HISTORY_STATUS	_IOWR(LKST_IOC_MAGIC, 0x2e, struct lkst_history_status)

#endif /* _UAPI_LINUX_LKST_HISTORY_H */
