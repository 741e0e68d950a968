/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST event buffers and their records (specification 4.1.1, 4.2.2, 4.7.1.3).
 */
#ifndef _UAPI_LINUX_LKST_BUFFER_H
#define _UAPI_LINUX_LKST_BUFFER_H

#include <linux/lkst.h>

#define LKST_BUFFER_ID_MAX	254
#define LKST_BUFFER_ID_VOID	255
/*
 * The long ring of a CPU (Documentation/lkst/long-ring.rst). Programs can read
 * it, but they cannot create, link or delete it, or switch to it.
 */
#define LKST_BUFFER_ID_LONG	256

/*
 * Value of lkst_buffer_listparam.owner if there is no reader: PID_MAX_LIMIT +
 * 1.
 */
#define LKST_BUFFER_OWNER_NONE	(4 * 1024 * 1024 + 1)

/*
 * Format of an event in a buffer: 64 bytes, aligned to 64. The record does not
 * contain its CPU and its recid: they follow from the buffer and the position
 * in it. Each CPU numbers its records, and the number of a record is its recid.
 *
 * @clock is written last and commits the record: while it is 0, the record is
 * incomplete. @flags holds LKST_RECORD_* bits. While the record is in the
 * buffer, the bits from LKST_RECORD_LAP_SHIFT upwards are the low bits of its
 * lap, which counts how often the buffer has wrapped. In a record that read()
 * has returned in LKST_READ_MODE_RAW, they are the low bits of its recid.
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

/*
 * A chain: an event whose payload does not fit in one record. The head has the
 * type of the event. Its first argument describes the chain, and the others
 * hold the first LKST_CHAIN_BYTES of the payload, in memory order. The rest of
 * the payload is in the parts, records of type LKST_ETYPE_LKST_MORE, whose
 * arguments have the same layout. The CPU and the serial are the key of a
 * chain. Other records, including records of other chains, may lie between the
 * records of a chain.
 *
 *	bits of arg[0]	head			part
 *	63 to 32	serial			serial
 *	31 to 24	number of parts		number of this part, from 1
 *	23 to 16	LKST_CHAIN_* flags	payload bytes in this part
 *	15 to 0		payload bytes in all	0
 *
 * See Documentation/lkst/chains.rst.
 */
#define LKST_CHAIN_BYTES		24	/* payload bytes in a record */
#define LKST_CHAIN_PARTS_MAX		255
#define LKST_CHAIN_BYTES_MAX		(LKST_CHAIN_BYTES * (LKST_CHAIN_PARTS_MAX + 1))

/* Flag of a head: the end of the payload was not recorded. */
#define LKST_CHAIN_CUT			0x01

/* The number of parts that a payload of @bytes needs. */
#define LKST_CHAIN_PARTS_OF(bytes)	\
	((bytes) > LKST_CHAIN_BYTES ? ((bytes) - 1) / LKST_CHAIN_BYTES : 0)

/* Build the first argument of a head, and of a part. */
#define LKST_CHAIN_HEAD(serial, parts, flags, bytes)			\
	((__u64)(__u32)(serial) << 32 | (__u64)(__u8)(parts) << 24 |	\
	 (__u64)(__u8)(flags) << 16 | (__u64)(__u16)(bytes))
#define LKST_CHAIN_PART(serial, part, bytes)				\
	((__u64)(__u32)(serial) << 32 | (__u64)(__u8)(part) << 24 |	\
	 (__u64)(__u8)(bytes) << 16)

/* Get a member of the first argument: of any record, of a head, of a part. */
#define LKST_CHAIN_SERIAL(arg)		((__u32)((arg) >> 32))
#define LKST_CHAIN_HEAD_PARTS(arg)	((__u8)((arg) >> 24))
#define LKST_CHAIN_HEAD_FLAGS(arg)	((__u8)((arg) >> 16))
#define LKST_CHAIN_HEAD_BYTES(arg)	((__u16)(arg))
#define LKST_CHAIN_PART_NUMBER(arg)	((__u8)((arg) >> 24))
#define LKST_CHAIN_PART_BYTES(arg)	((__u8)((arg) >> 16))

typedef __aligned_u64 posix_log_recid_t;
typedef __s32 posix_log_procid_t;
typedef __s32 posix_log_facility_t;
typedef __s32 posix_log_severity_t;

/* Constant members of a struct posix_log_entry (table 4-2). */
#define LKST_LOG_MAGIC		0xfeefface
#define LKST_LOG_SIZE		32	/* sizeof(lkst_arg_t) * 4 */
#define LKST_LOG_FORMAT		1	/* PXLOG_BINARY */
#define LKST_LOG_FACILITY	0	/* LOG_KERN */
#define LKST_LOG_SEVERITY	7	/* LOG_DEBUG */

/* Bits of log_flags. The first two are those of POSIX 1003.25 event logging. */
#define LKST_LOG_TRUNCATE	0x0001
#define LKST_LOG_INTERRUPT	0x0010	/* recorded in a hard interrupt or an NMI */
#define LKST_LOG_HARDIRQ	0x0100
#define LKST_LOG_SOFTIRQ	0x0200
#define LKST_LOG_NMI		0x0400
#define LKST_LOG_PREEMPT_OFF	0x0800
#define LKST_LOG_NEED_RESCHED	0x1000
/*
 * LKST_LOG_HARDIRQ and the flags after it are the LKST_RECORD_* flags, shifted
 * left by this number of bits.
 */
#define LKST_LOG_RECORD_SHIFT	8

struct posix_log_entry {
	__u32 log_magic;
	__s32 log_format;
	posix_log_recid_t log_recid;
	__aligned_u64 log_size;		/* size of the arguments in bytes */
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
 * @cpu: in: the CPU that owns the buffer. If this is -1 and @id is
 *	LKST_BUFFER_ID_VOID, the static buffer is read
 * @id: in: id of the buffer. LKST_BUFFER_ID_LONG reads the long ring of @cpu,
 *	see below
 * @read_size: in: size of the memory at @buffer, in bytes
 * @result_read_size: out: number of bytes stored, whole records only
 * @buffer: in: address of struct lkst_log_record[]
 * @xtime: out: wall clock at @tsc
 * @tsc: out: reading of the buffer's clock
 * @cpu_freq: out: rate of the buffer's clock, in kHz
 * @first_recid: out: recid of the first event in the buffer's session, which
 *	began when a shift or jump last switched to the buffer, or when the
 *	buffer was created
 * @recorded: out: number of events in the session so far. This read does not
 *	cover later events, whose recids are @first_recid + @recorded or
 *	greater. If @buffer had room for all records, this is the number of
 *	records read plus @overwritten, @dropped and @unfinished
 * @overwritten: out: number of these events that newer events overwrote, or
 *	that were skipped because they were about to be overwritten
 * @dropped: out: number of these events that were not stored, because their
 *	slot held a record that was still being written
 * @unfinished: out: number of these events that were still being written; 0 if
 *	nothing is being recorded
 * @clock: out: enum lkst_clock
 * @endian_big: out: 1 if the records are big-endian, else 0
 * @buf_ver: out: LKST_BUFFER_VERSION
 * @pad: must be 0
 * @arch: out: machine name, as in uname -m
 *
 * A long ring is stored as struct lkst_event_record[] with consecutive recids.
 * A record with clock 0 is a hole: the event was dropped, is still being
 * written, or was overwritten during the read. The recid after that of the last
 * record stored is @first_recid + @recorded. If the memory is too small for all
 * records, the oldest ones are left out.
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

/**
 * struct lkst_long_status - the state of a CPU's long ring
 * @cpu: in: CPU number
 * @pad: must be 0
 * @size: out: capacity for records, in bytes. 0: the CPU has no long ring, and
 *	the following members are 0
 * @records: out: number of records that the ring holds
 * @left_out: out: number of events that exceeded the CPU's budget, since the
 *	start of LKST
 * @since: out: CLOCK_REALTIME of the oldest record in the ring, in ns. If the
 *	ring has no record: of the creation of the ring
 */
struct lkst_long_status {
	__s32 cpu;
	__u32 pad;
	__aligned_u64 size;
	__aligned_u64 records;
	__aligned_u64 left_out;
	__s64 since __attribute__((aligned(8)));
};

/* Values of struct lkst_buffer_listent.state. */
enum lkst_buffer_state {
	LKST_BUFFER_FREE	= 0,	/* unused; old records can be read */
	LKST_BUFFER_WRITTEN	= 1,	/* its CPU is recording to it */
	LKST_BUFFER_QUEUED	= 2,	/* in the read queue */
	LKST_BUFFER_BEING_READ	= 3,	/* being read or deleted */
};

/**
 * struct lkst_buffer_listent - one buffer (4.7.1.3.7)
 * @baseid: recid of slot 0 in the current lap; may be negative. The next record
 *	has recid @baseid + @write_offset
 * @size: capacity for records, in bytes
 * @write_offset: slot of the next record
 * @first_recid: recid of the first event in the session, which began when a
 *	shift or jump last switched to this buffer
 * @overwritten: number of records of the session that newer records have
 *	overwritten
 * @dropped: number of records of the session that could not be stored
 * @id: buffer id
 * @next: buffer that a shift switches to, or LKST_BUFFER_ID_VOID; need not
 *	exist
 * @rq_prev: previous buffer in the read queue, or LKST_BUFFER_ID_VOID
 * @rq_next: next buffer in the read queue, or LKST_BUFFER_ID_VOID
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
 * @cpu: in: CPU number
 * @listent_num: in: number of entries for which @listent has room
 * @buffer_num: out: number of buffers of the CPU, even if @listent_num is less
 * @write_buf: out: buffer being written, or LKST_BUFFER_ID_VOID
 * @read_buf: out: buffer being read, or LKST_BUFFER_ID_VOID
 * @rq_head: out: head of the read queue, or LKST_BUFFER_ID_VOID
 * @rq_tail: out: tail of the read queue, or LKST_BUFFER_ID_VOID
 * @owner: out: pid of the reader, or LKST_BUFFER_OWNER_NONE
 * @read_pos: out: recid in @read_buf that the reader reads next
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
 * @id: in: id of the new buffer, 0 to LKST_BUFFER_ID_MAX, or
 *	LKST_BUFFER_ID_VOID for the lowest free id (with @cpu -1, the lowest
 *	that is free on all CPUs); out: the id
 * @next: in: buffer that a shift from the new one switches to, or
 *	LKST_BUFFER_ID_VOID; need not exist yet
 * @cpu: in: CPU that owns the buffer, or -1 to create one for each online CPU
 * @pad: must be 0
 * @size: in: capacity in bytes, rounded down to a multiple of 4 KB
 * @result_size: out: actual capacity, in bytes
 */
struct lkst_buffer_param {
	lkst_buffer_id id;
	lkst_buffer_id next;
	__s32 cpu;
	__u32 pad;
	__aligned_u64 size;
	__aligned_u64 result_size;
};

/* Argument of ioctl(LKST_IOC_BUFFER_JUMP) (4.7.1.3.4). */
struct lkst_buffer_jumpparam {
	__s32 cpu;
	lkst_buffer_id dest;
};

/* Argument of ioctl(LKST_IOC_BUFFER_LINK) (4.7.1.3.5). */
struct lkst_buffer_linkparam {
	__s32 cpu;
	lkst_buffer_id id;
	lkst_buffer_id next;		/* LKST_BUFFER_ID_VOID: no next buffer */
};

/* Argument of ioctl(LKST_IOC_BUFFER_DELETE) (4.7.1.3.6). */
struct lkst_buffer_delparam {
	__s32 cpu;
	lkst_buffer_id id;
};

/*
 * Values of struct lkst_buffer_srmodparam.mode, and the structure that read()
 * returns in each mode.
 */
enum lkst_read_mode {
	LKST_READ_MODE_STD	= 0,	/* struct lkst_log_record */
	LKST_READ_MODE_RAW	= 1,	/* struct lkst_event_record */
	LKST_READ_MODE_BLOCK	= 2,	/* struct lkst_block with records */
};

#define LKST_BLOCK_MAGIC	0x4b4c424cU	/* "LBLK" on a little-endian machine */
#define LKST_BLOCK_VERSION	1
#define LKST_BLOCK_BOOT_LEN	16

/**
 * struct lkst_block - header of a block: what read() returns in
 *	LKST_READ_MODE_BLOCK
 * @magic: LKST_BLOCK_MAGIC, in the byte order of the records
 * @version: LKST_BLOCK_VERSION. Later versions add members at the end
 * @header_size: bytes from the start of the block to its first record, a
 *	multiple of 64
 * @size: size of the whole block in bytes, including the header; the next block
 *	follows
 * @cpu: CPU that recorded the events
 * @buffer: id of the buffer with the records
 * @clock: enum lkst_clock of the records
 * @flags: 0. Programs may ignore flags that are added later
 * @first_recid: recid of the first record; record n has recid @first_recid + n
 * @count: number of struct lkst_event_record after the header. 0 if the block
 *	only reports records that cannot be read
 * @lost: number of recids before @first_recid whose records were overwritten or
 *	deleted before they could be read from this open file
 * @dropped: number of recids before @first_recid whose records were dropped
 *	because their slot was in use
 * @unfinished: number of recids before @first_recid that were skipped because
 *	their records were not finished in time
 * @recorded: recid of the CPU's next event at the time the block was created
 * @tsc: a reading of @clock, from the jiffy in which the block was created or,
 *	if LKST no longer trusts @clock, from the start of the session
 * @cpu_freq: rate of @clock, in kHz
 * @wall: CLOCK_REALTIME at @tsc, in ns
 * @monotonic: CLOCK_MONOTONIC at @tsc, in ns
 * @boot: UUID of this boot, as in LKST_IOC_PREVIOUS_LIST
 *
 * The blocks of one CPU that are read from an open file leave no gap:
 * @first_recid - @lost - @dropped - @unfinished is the end of the previous
 * block, or the position where reading began. In the @flags of a record, only
 * the bits of LKST_RECORD_FLAGS are valid.
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
 * struct lkst_block_seekparam - set the position of a file in
 *	LKST_READ_MODE_BLOCK
 * @cpu: in: CPU. The file must be bound to it or to all CPUs
 * @pad: must be 0
 * @recid: in: recid to continue at. If the oldest record in the buffers has a
 *	greater recid, the records in between count as lost. 0 starts at the
 *	oldest record, and counts no record as lost. LKST_BLOCK_RECID_END skips
 *	everything recorded so far
 */
struct lkst_block_seekparam {
	__s32 cpu;
	__u32 pad;
	__aligned_u64 recid;
};

#define LKST_BLOCK_RECID_END	(~0ULL)

/**
 * struct lkst_block_waitparam - set how soon the records of a file in
 *	LKST_READ_MODE_BLOCK become readable
 * @timeout: in: longest time, in ms, that a record waits before read() returns
 *	it and poll() reports the file as readable. If this is 0, the record
 *	waits until its half of the buffer is full
 * @pad: must be 0
 */
struct lkst_block_waitparam {
	__u32 timeout;
	__u32 pad;
};

#define LKST_BLOCK_TIMEOUT_DEFAULT	1000

/**
 * struct lkst_buffer_srmodparam - set the mode of read(), and the CPU to read
 *	(4.7.1.3.9)
 * @cpu: in: CPU number. In LKST_READ_MODE_BLOCK also -1 for all CPUs
 * @mode: in: enum lkst_read_mode
 * @xtime: out: wall clock at @tsc
 * @tsc: out: reading of the clock of the buffer that is read next
 * @cpu_freq: out: rate of that clock, in kHz
 * @clock: out: enum lkst_clock of that buffer. All records that one read()
 *	returns have the same clock
 * @endian_big: out: 1 if the records are big-endian, else 0
 * @buf_ver: out: LKST_BUFFER_VERSION
 * @pad: must be 0
 * @arch: out: machine name, as in uname -m
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
#define LKST_IOC_BUFFER_SHIFT	_IO(LKST_IOC_MAGIC, 0x22)	/* arg: CPU number */
#define LKST_IOC_BUFFER_JUMP	_IOW(LKST_IOC_MAGIC, 0x23, struct lkst_buffer_jumpparam)
#define LKST_IOC_BUFFER_LINK	_IOW(LKST_IOC_MAGIC, 0x24, struct lkst_buffer_linkparam)
#define LKST_IOC_BUFFER_DELETE	_IOW(LKST_IOC_MAGIC, 0x25, struct lkst_buffer_delparam)
#define LKST_IOC_BUFFER_LIST	_IOWR(LKST_IOC_MAGIC, 0x26, struct lkst_buffer_listparam)
/*
 * Retired request of the specification (4.7.1.3.8): it fails with ENOTTY. Use
 * LKST_IOC_BUFFER_LINK to link buffers in a ring.
 */
#define LKST_IOC_BUFFER_RING	_IO(LKST_IOC_MAGIC, 0x27)
#define LKST_IOC_BUFFER_SETRMOD	_IOWR(LKST_IOC_MAGIC, 0x28, struct lkst_buffer_srmodparam)
#define LKST_IOC_BLOCK_SEEK	_IOW(LKST_IOC_MAGIC, 0x29, struct lkst_block_seekparam)
#define LKST_IOC_BLOCK_WAIT	_IOW(LKST_IOC_MAGIC, 0x2a, struct lkst_block_waitparam)
/*
 * Makes everything recorded so far readable immediately, without a shift. No
 * argument.
 */
#define LKST_IOC_BLOCK_FLUSH	_IO(LKST_IOC_MAGIC, 0x2b)
#define LKST_IOC_LONG_STATUS	_IOWR(LKST_IOC_MAGIC, 0x2c, struct lkst_long_status)

#endif /* _UAPI_LINUX_LKST_BUFFER_H */
