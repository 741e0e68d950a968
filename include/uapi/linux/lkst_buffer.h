/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST event buffers and what is in them (specification 4.1.1, 4.2.2, 4.7.1.3).
 */
#ifndef _UAPI_LINUX_LKST_BUFFER_H
#define _UAPI_LINUX_LKST_BUFFER_H

#include <linux/lkst.h>

#define LKST_BUFFER_ID_MAX	254
#define LKST_BUFFER_ID_VOID	255

/* What lkst_buffer_listparam.owner holds when nobody reads: PID_MAX_LIMIT + 1. */
#define LKST_BUFFER_OWNER_NONE	(4 * 1024 * 1024 + 1)

/*
 * One event as the buffers hold it: 64 bytes, aligned to 64. The recid and the CPU
 * follow from the place.
 *
 * @clock is written last and is the commit: 0 means that the record is not whole.
 * @flags holds LKST_RECORD_*; above LKST_RECORD_LAP_SHIFT the low bits of how often
 * the buffer had gone round in memory, and those of the recid in what read() returns.
 */
struct lkst_event_record {
	lkst_tsc_t clock;
	__u16 event_type;
	__u16 flags;
	__u32 thread;
	__u32 pid;
	__u32 pgrp;
	__u32 uid;
	__u32 gid;
	lkst_arg_t arg[4];
};

#define LKST_SIZEOF_LKST_EVENT_RECORD	64

#define LKST_RECORD_HARDIRQ		0x01
#define LKST_RECORD_SOFTIRQ		0x02
#define LKST_RECORD_NMI			0x04
#define LKST_RECORD_PREEMPT_OFF		0x08
#define LKST_RECORD_NEED_RESCHED	0x10
#define LKST_RECORD_FLAGS		0x1f
#define LKST_RECORD_LAP_SHIFT		5
#define LKST_RECORD_LAP_BITS		11

typedef __aligned_u64 posix_log_recid_t;
typedef __s32 posix_log_procid_t;
typedef __s32 posix_log_facility_t;
typedef __s32 posix_log_severity_t;

/* Fixed values of table 4-2. */
#define LKST_LOG_MAGIC		0xfeefface
#define LKST_LOG_SIZE		32	/* sizeof(lkst_arg_t) * 4 */
#define LKST_LOG_FORMAT		1	/* PXLOG_BINARY */
#define LKST_LOG_FACILITY	0	/* LOG_KERN */
#define LKST_LOG_SEVERITY	7	/* LOG_DEBUG */

/* log_flags: the first two as in POSIX 1003.25 event logging. */
#define LKST_LOG_TRUNCATE	0x0001
#define LKST_LOG_INTERRUPT	0x0010	/* recorded in a hard interrupt or an NMI */
#define LKST_LOG_HARDIRQ	0x0100
#define LKST_LOG_SOFTIRQ	0x0200
#define LKST_LOG_NMI		0x0400
#define LKST_LOG_PREEMPT_OFF	0x0800
#define LKST_LOG_NEED_RESCHED	0x1000
/* LKST_RECORD_* shifted by this are the LKST_LOG_* from HARDIRQ on. */
#define LKST_LOG_RECORD_SHIFT	8

struct posix_log_entry {
	__u32 log_magic;
	__s32 log_format;
	posix_log_recid_t log_recid;
	__aligned_u64 log_size;		/* of the four arguments, in bytes */
	__s32 log_event_type;
	posix_log_facility_t log_facility;
	posix_log_severity_t log_severity;
	__u32 log_uid;
	__u32 log_gid;
	__s32 log_pid;
	__s32 log_pgrp;
	__u32 log_flags;
	struct lkst_timespec log_time;	/* wall clock */
	__u32 log_thread;
	posix_log_procid_t log_processor;
};

struct lkst_log_record {
	struct posix_log_entry posix;
	lkst_arg_t log_arg1;
	lkst_arg_t log_arg2;
	lkst_arg_t log_arg3;
	lkst_arg_t log_arg4;
};

/**
 * struct lkst_log_buffer - read a buffer, oldest record first (4.7.1.3.1)
 * @cpu: in: the CPU that owns the buffer; -1 with @id VOID: the static buffer
 * @id: in: buffer
 * @read_size: in: bytes of struct lkst_log_record at @buffer
 * @result_read_size: out: bytes stored, whole records
 * @buffer: in: address of struct lkst_log_record[]
 * @xtime: out: wall clock when the buffer's clock showed @tsc
 * @tsc: out
 * @cpu_freq: out: rate of the buffer's clock, in kHz
 * @first_recid: out: recid of the first event that reached the buffer since a shift or jump last
 *	led there, or since it was created
 * @recorded: out: events that have reached it since; recids from @first_recid + @recorded
 *	on came too late for this read. With room for all of them, it is the sum of those
 *	read and the next three
 * @overwritten: out: of these, how many newer ones have overwritten, or would have
 *	before they were read
 * @dropped: out: of these, how many could not be stored because the record they
 *	would have overwritten was still being written
 * @unfinished: out: of these, how many were still being written; 0 while nothing is
 *	recorded
 * @clock: out: enum lkst_clock
 * @endian_big: out: 1: the records' byte order is big endian
 * @buf_ver: out: LKST_BUFFER_VERSION
 * @pad: must be 0
 * @arch: out: machine as uname -m has it
 */
struct lkst_log_buffer {
	__s32 cpu;
	lkst_buffer_id id;
	__aligned_u64 read_size;
	__aligned_u64 result_read_size;
	__aligned_u64 buffer;
	struct lkst_timeval xtime;
	lkst_tsc_t tsc;
	lkst_cpu_freq_t cpu_freq;
	__aligned_u64 first_recid;
	__aligned_u64 recorded;
	__aligned_u64 overwritten;
	__aligned_u64 dropped;
	__aligned_u64 unfinished;
	__u32 clock;
	__s32 endian_big;
	__s32 buf_ver;
	__u32 pad;
	char arch[LKST_ARCH_NAME_LEN];
};

/* What a buffer is being used for: struct lkst_buffer_listent.state. */
enum lkst_buffer_state {
	LKST_BUFFER_FREE	= 0,	/* nothing; what was in it can still be read */
	LKST_BUFFER_WRITTEN	= 1,	/* its CPU records there */
	LKST_BUFFER_QUEUED	= 2,	/* in the read queue */
	LKST_BUFFER_BEING_READ	= 3,	/* by read() */
};

/**
 * struct lkst_buffer_listent - one buffer (4.7.1.3.7)
 * @baseid: recid of slot 0, or what it would be; @baseid + @write_offset is the next recid
 * @size: bytes of records it holds
 * @write_offset: slot that the next record takes
 * @first_recid: recid of the first event since a shift or jump last led there
 * @overwritten: records that newer ones have overwritten since then
 * @dropped: records that could not be stored since then
 * @id: of this buffer
 * @next: where a shift leads, or LKST_BUFFER_ID_VOID; there may be no such buffer
 * @rq_prev: neighbour in the read queue, or LKST_BUFFER_ID_VOID
 * @rq_next: likewise
 * @clock: enum lkst_clock
 * @state: enum lkst_buffer_state
 */
struct lkst_buffer_listent {
	__s64 baseid __attribute__((aligned(8)));
	__aligned_u64 size;
	__aligned_u64 write_offset;
	__aligned_u64 first_recid;
	__aligned_u64 overwritten;
	__aligned_u64 dropped;
	lkst_buffer_id id;
	lkst_buffer_id next;
	lkst_buffer_id rq_prev;
	lkst_buffer_id rq_next;
	__u32 clock;
	__u32 state;
};

/**
 * struct lkst_buffer_listparam - list the buffers of a CPU (4.7.1.3.7)
 * @cpu: in
 * @listent_num: in: entries at @listent
 * @buffer_num: out: buffers this CPU has, also when @listent_num is less
 * @write_buf: out: the one being written, or LKST_BUFFER_ID_VOID
 * @read_buf: out: the one being read, or LKST_BUFFER_ID_VOID
 * @rq_head: out: head of the read queue, or LKST_BUFFER_ID_VOID
 * @rq_tail: out: tail of the read queue, or LKST_BUFFER_ID_VOID
 * @owner: out: process that reads, or LKST_BUFFER_OWNER_NONE
 * @read_pos: out: recid where the reader goes on in @read_buf
 * @listent: in: address of struct lkst_buffer_listent[]
 */
struct lkst_buffer_listparam {
	__s32 cpu;
	__s32 listent_num;
	__s32 buffer_num;
	lkst_buffer_id write_buf;
	lkst_buffer_id read_buf;
	lkst_buffer_id rq_head;
	lkst_buffer_id rq_tail;
	__s32 owner;
	__aligned_u64 read_pos;
	__aligned_u64 listent;
};

/**
 * struct lkst_buffer_param - create a buffer (4.7.1.3.2)
 * @id: in: id of the new buffer, 0 to LKST_BUFFER_ID_MAX, or LKST_BUFFER_ID_VOID: the lowest
 *	that is free, with @cpu -1 on all CPUs; out: the id
 * @next: in: where a shift from it leads, or LKST_BUFFER_ID_VOID; need not exist yet
 * @cpu: in: the CPU that is to record there, or -1: a buffer for each that is online
 * @pad: must be 0
 * @size: in: bytes of records, rounded down to a multiple of 4 KB
 * @result_size: out: bytes of records it holds
 */
struct lkst_buffer_param {
	lkst_buffer_id id;
	lkst_buffer_id next;
	__s32 cpu;
	__u32 pad;
	__aligned_u64 size;
	__aligned_u64 result_size;
};

/* 4.7.1.3.4 ioctl(LKST_IOC_BUFFER_JUMP) */
struct lkst_buffer_jumpparam {
	__s32 cpu;
	lkst_buffer_id dest;
};

/* 4.7.1.3.5 ioctl(LKST_IOC_BUFFER_LINK) */
struct lkst_buffer_linkparam {
	__s32 cpu;
	lkst_buffer_id id;
	lkst_buffer_id next;		/* LKST_BUFFER_ID_VOID: id becomes a terminal buffer */
};

/* 4.7.1.3.6 ioctl(LKST_IOC_BUFFER_DELETE) */
struct lkst_buffer_delparam {
	__s32 cpu;
	lkst_buffer_id id;
};

/* What read() hands out: struct lkst_buffer_srmodparam.mode. */
enum lkst_read_mode {
	LKST_READ_MODE_STD	= 0,	/* struct lkst_log_record */
	LKST_READ_MODE_RAW	= 1,	/* struct lkst_event_record */
	LKST_READ_MODE_BLOCK	= 2,	/* struct lkst_block, each followed by its records */
};

#define LKST_BLOCK_MAGIC	0x4b4c424cU	/* "LBLK" on a little-endian machine */
#define LKST_BLOCK_VERSION	1
#define LKST_BLOCK_BOOT_LEN	16

/**
 * struct lkst_block - header of a block: what read() returns in LKST_READ_MODE_BLOCK
 * @magic: LKST_BLOCK_MAGIC, in the byte order of the records
 * @version: LKST_BLOCK_VERSION; a larger one has more members behind those below
 * @header_size: bytes from the start of the block to its first record, a multiple of 64
 * @size: bytes of the whole block, the header included: where the next block begins
 * @cpu: CPU that recorded
 * @buffer: buffer that the records are in
 * @clock: enum lkst_clock, of the records
 * @flags: 0; bits to come say something that may be ignored
 * @first_recid: recid of the first record; record n of the block has @first_recid + n
 * @count: records that follow the header, each a struct lkst_event_record as it is in memory;
 *	0: the block only reports what cannot be read
 * @lost: recids before @first_recid that were overwritten or deleted before this file read them
 * @dropped: recids before @first_recid whose records found their slot in use
 * @unfinished: recids before @first_recid whose writer did not finish its record
 * @recorded: recid of the CPU's next event, when the block was made
 * @tsc: a reading of @clock, of the jiffy in which the block was made
 * @cpu_freq: rate of @clock, in kHz
 * @wall: CLOCK_REALTIME at @tsc, in ns
 * @monotonic: CLOCK_MONOTONIC at @tsc, in ns
 * @boot: UUID of this run of LKST, as in LKST_IOC_PREVIOUS_LIST
 *
 * The file's previous block of the CPU, or where it began to read, ends at @first_recid - @lost -
 * @dropped - @unfinished. Of @flags of a record only LKST_RECORD_FLAGS mean something.
 */
struct lkst_block {
	__u32 magic;
	__u16 version;
	__u16 header_size;
	__aligned_u64 size;
	__s32 cpu;
	lkst_buffer_id buffer;
	__u32 clock;
	__u32 flags;
	__aligned_u64 first_recid;
	__aligned_u64 count;
	__aligned_u64 lost;
	__aligned_u64 dropped;
	__aligned_u64 unfinished;
	__aligned_u64 recorded;
	lkst_tsc_t tsc;
	lkst_cpu_freq_t cpu_freq;
	__s64 wall __attribute__((aligned(8)));
	__s64 monotonic __attribute__((aligned(8)));
	__u8 boot[LKST_BLOCK_BOOT_LEN];
};

#define LKST_SIZEOF_LKST_BLOCK	128

/**
 * struct lkst_block_seekparam - where a file in LKST_READ_MODE_BLOCK reads on
 * @cpu: in: CPU that the file reads
 * @pad: must be 0
 * @recid: in: the next record that is wanted; 0: the oldest that is still there.
 *	Records between it and the oldest that is still there count as lost, unless it is 0.
 *	LKST_BLOCK_RECID_END: only what is recorded from now on
 */
struct lkst_block_seekparam {
	__s32 cpu;
	__u32 pad;
	__aligned_u64 recid;
};

#define LKST_BLOCK_RECID_END	(~0ULL)

/**
 * struct lkst_block_waitparam - when a file in LKST_READ_MODE_BLOCK becomes readable
 * @timeout: in: ms that a record may wait at most before read() and poll() return it;
 *	0: it waits until its half of the buffer is full
 * @pad: must be 0
 */
struct lkst_block_waitparam {
	__u32 timeout;
	__u32 pad;
};

#define LKST_BLOCK_TIMEOUT_DEFAULT	1000

/**
 * struct lkst_buffer_srmodparam - bind this process to a CPU's read queue (4.7.1.3.9)
 * @cpu: in
 * @mode: in: enum lkst_read_mode
 * @xtime: out: wall clock when the clock of the buffer that is read next showed @tsc
 * @tsc: out
 * @cpu_freq: out: rate of that clock, in kHz
 * @clock: out: enum lkst_clock. A read() returns records of one clock only
 * @endian_big: out: 1: the records' byte order is big endian
 * @buf_ver: out: LKST_BUFFER_VERSION
 * @pad: must be 0
 * @arch: out: machine as uname -m has it
 */
struct lkst_buffer_srmodparam {
	__s32 cpu;
	__s32 mode;
	struct lkst_timeval xtime;
	lkst_tsc_t tsc;
	lkst_cpu_freq_t cpu_freq;
	__u32 clock;
	__s32 endian_big;
	__s32 buf_ver;
	__u32 pad;
	char arch[LKST_ARCH_NAME_LEN];
};

#define LKST_IOC_BUFFER_READ	_IOWR(LKST_IOC_MAGIC, 0x20, struct lkst_log_buffer)
#define LKST_IOC_BUFFER_CREATE	_IOWR(LKST_IOC_MAGIC, 0x21, struct lkst_buffer_param)
#define LKST_IOC_BUFFER_SHIFT	_IO(LKST_IOC_MAGIC, 0x22)	/* the CPU itself */
#define LKST_IOC_BUFFER_JUMP	_IOW(LKST_IOC_MAGIC, 0x23, struct lkst_buffer_jumpparam)
#define LKST_IOC_BUFFER_LINK	_IOW(LKST_IOC_MAGIC, 0x24, struct lkst_buffer_linkparam)
#define LKST_IOC_BUFFER_DELETE	_IOW(LKST_IOC_MAGIC, 0x25, struct lkst_buffer_delparam)
#define LKST_IOC_BUFFER_LIST	_IOWR(LKST_IOC_MAGIC, 0x26, struct lkst_buffer_listparam)
/* Retired (4.7.1.3.8): answered with ENOTTY. LKST_IOC_BUFFER_LINK makes rings. */
#define LKST_IOC_BUFFER_RING	_IO(LKST_IOC_MAGIC, 0x27)
#define LKST_IOC_BUFFER_SETRMOD	_IOWR(LKST_IOC_MAGIC, 0x28, struct lkst_buffer_srmodparam)
#define LKST_IOC_BLOCK_SEEK	_IOW(LKST_IOC_MAGIC, 0x29, struct lkst_block_seekparam)
#define LKST_IOC_BLOCK_WAIT	_IOW(LKST_IOC_MAGIC, 0x2a, struct lkst_block_waitparam)
/* What is recorded by now can be read at once, without a shift. No argument. */
#define LKST_IOC_BLOCK_FLUSH	_IO(LKST_IOC_MAGIC, 0x2b)

#endif /* _UAPI_LINUX_LKST_BUFFER_H */
