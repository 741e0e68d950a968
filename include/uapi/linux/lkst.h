/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST, the Linux Kernel State Tracer: definitions for every user of /dev/lkst.
 *
 * Section numbers refer to the LKST 2.01 specification. All structures have the
 * same layout for 32-bit and 64-bit programs: 64-bit members are aligned to 8
 * bytes, and user addresses are passed in 64-bit members.
 *
 * In the descriptions of ioctl arguments, "in" marks members that the kernel
 * reads and "out" members that it writes.
 */
#ifndef _UAPI_LINUX_LKST_H
#define _UAPI_LINUX_LKST_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define LKST_IOC_MAGIC		0xBB

/*
 * Version of this interface, which LKST_IOC_VERSION returns. See
 * Documentation/lkst/abi.rst for what it guarantees.
 */
#define LKST_INTERFACE_VERSION	4

/* Version of the record format, in member buf_ver of the buffer structures. */
#define LKST_BUFFER_VERSION	3

#define LKST_ARCH_NAME_LEN	16

typedef __s32 lkst_maskset_id;
typedef __s32 lkst_evhandler_id;
typedef __s32 lkst_buffer_id;
typedef __aligned_u64 lkst_arg_t;	/* argument of an event */
typedef __aligned_u64 lkst_tsc_t;	/* reading of a buffer's clock */
typedef __aligned_u64 lkst_cpu_freq_t;	/* rate of a buffer's clock, in kHz */

/* Event types: 0x000 to 0xfff. */
#define LKST_ETYPE_NUM		0x1000
#define LKST_ETYPE_USER_MIN	0x100	/* 0x100 to 0x1ff: user-defined */
#define LKST_ETYPE_USER_MAX	0x1ff
#define LKST_ETYPE_PROGRAM_MIN	0x200	/* 0x200 to 0xefe: events of programs */
#define LKST_ETYPE_PROGRAM_MAX	0xefe
#define LKST_ETYPE_LKST_MIN	0xf00	/* 0xf00 to 0xfff: LKST itself */

struct lkst_timeval {
	__s64 tv_sec __attribute__((aligned(8)));
	__s64 tv_usec __attribute__((aligned(8)));
};

struct lkst_timespec {
	__s64 tv_sec __attribute__((aligned(8)));
	__s64 tv_nsec __attribute__((aligned(8)));
};

/* State of the recorder, see struct lkst_trc_status (4.7.1.1.1). */
enum lkst_trc_state {
	LKST_TRC_STOPPED	= 0,	/* until LKST_IOC_TRC_START */
	LKST_TRC_RUNNING	= 1,
};

/* The clock of a record. All records of a buffer have the same clock. */
enum lkst_clock {
	LKST_CLOCK_NS		= 0,	/* CLOCK_MONOTONIC in ns */
	LKST_CLOCK_TSC		= 1,	/* x86 time stamp counter */
};

/*
 * Error codes in LKST_ETYPE_LKST_ERROR events, which are recorded in the static
 * buffer, and the meaning of the second argument, "detail":
 *
 *	NO_BUFFER	there is no memory for a buffer; detail: CPU number
 *	BAD_PARAM	a boot parameter is invalid; detail: enum lkst_param
 *	SOURCE		an event cannot be enabled; detail: event type
 */
enum lkst_error_code {
	LKST_ERROR_NO_BUFFER	= 1,
	LKST_ERROR_BAD_PARAM	= 2,
	LKST_ERROR_SOURCE	= 3,
};

/* The kind of lockup in an LKST_ETYPE_OOPS_LOCKUP event. */
enum lkst_lockup {
	LKST_LOCKUP_SOFT	= 1,	/* a CPU does not schedule */
	LKST_LOCKUP_HARD	= 2,	/* a CPU does not take interrupts */
	LKST_LOCKUP_TASK	= 3,	/* a task does not run */
	LKST_LOCKUP_RCU		= 4,	/* an RCU grace period does not end */
};

/* The boot parameter that LKST_ERROR_BAD_PARAM refers to. */
enum lkst_param {
	LKST_PARAM_BUFFER_SIZE	= 1,
	LKST_PARAM_MASKSET	= 2,
	LKST_PARAM_MEMORY	= 3,
	LKST_PARAM_DUMP		= 4,
	LKST_PARAM_DUMP_EVENTS	= 5,
	LKST_PARAM_RESERVED	= 6,
	LKST_PARAM_BOOTS	= 7,
	LKST_PARAM_RULES	= 8,
	LKST_PARAM_LONG_SIZE	= 9,
	LKST_PARAM_LONG_EVENTS	= 10,
	LKST_PARAM_HISTORY_SIZE	= 11,
	LKST_PARAM_HISTORY_SHARE = 12,
};

/**
 * struct lkst_trc_status - status of the recorder (4.7.1.1.1)
 * @online_cpu: in: address of a bitmap of 64-bit words for the online CPUs; bit
 *	0 of word 0 is CPU 0. If the address is 0, the bitmap is not stored, and
 *	@online_cpu_len is not read
 * @write_buf: in: address of an array of @cpu_num buffer ids. The kernel stores
 *	the buffer that each CPU writes to, or LKST_BUFFER_ID_VOID for a CPU
 *	without one. If the address is 0, nothing is stored
 * @read_buf: in: address of an array of @cpu_num buffer ids. For each CPU, the
 *	kernel stores the buffer that is being read, or LKST_BUFFER_ID_VOID if
 *	there is none. If the address is 0, nothing is stored
 * @static_buffer_recid: out: recid of the static buffer's next record
 * @static_buffer_size: out: size of the static buffer, in bytes
 * @lost: out: number of events lost since boot for one of these reasons: their
 *	CPU had no buffer; other events interrupted every attempt to record
 *	them; a kprobe missed a call of its function (counted when the kprobe
 *	is removed)
 * @memory: out: number of bytes used by buffers, masksets and LKST_IMAGE_TEXTS,
 *	not counting reserved memory
 * @memory_max: out: limit of @memory, in bytes
 * @online_cpu_len: in: size of the memory at @online_cpu in bytes, a multiple
 *	of 8; out: size of the whole bitmap in bytes
 * @cpu_num: in: number of entries at @write_buf and at @read_buf, ignored if
 *	both addresses are 0; out: number of possible CPUs
 * @current_maskset_id: out: selected maskset
 * @saved_maskset_id: out: while stopped, the maskset that LKST_IOC_TRC_START
 *	selects; else LKST_MASKSET_ID_VOID
 * @maskset_num: out: number of registered masksets
 * @evhandler_num: out: number of registered event handlers
 * @state: out: enum lkst_trc_state
 * @clock: out: enum lkst_clock, the clock of new buffers
 * @version: out: LKST_INTERFACE_VERSION
 * @pad: out: 0
 */
struct lkst_trc_status {
	__aligned_u64 online_cpu;
	__aligned_u64 write_buf;
	__aligned_u64 read_buf;
	__aligned_u64 static_buffer_recid;
	__aligned_u64 static_buffer_size;
	__aligned_u64 lost;
	__aligned_u64 memory;
	__aligned_u64 memory_max;
	__u32 online_cpu_len;
	__u32 cpu_num;
	lkst_maskset_id current_maskset_id;
	lkst_maskset_id saved_maskset_id;
	__s32 maskset_num;
	__s32 evhandler_num;
	__u32 state;
	__u32 clock;
	__u32 version;
	__u32 pad;
};

/* Argument of ioctl(LKST_IOC_ENTRY_LOG) (4.7.1.4.1). */
struct lkst_entry_args {
	__s32 event_type;
	__u32 pad;			/* must be 0 */
	lkst_arg_t log_arg1;
	lkst_arg_t log_arg2;
	lkst_arg_t log_arg3;
	lkst_arg_t log_arg4;
};

/**
 * struct lkst_entry_text - argument of ioctl(LKST_IOC_ENTRY_TEXT)
 * @text: in: address of the text, which need not end with 0
 * @size: in: number of bytes, at most LKST_CHAIN_BYTES_MAX
 * @pad: must be 0
 */
struct lkst_entry_text {
	__aligned_u64 text;
	__u32 size;
	__u32 pad;
};

#define LKST_IOC_TRC_STATUS	_IOWR(LKST_IOC_MAGIC, 0x00, struct lkst_trc_status)
#define LKST_IOC_TRC_START	_IO(LKST_IOC_MAGIC, 0x01)
#define LKST_IOC_TRC_STOP	_IO(LKST_IOC_MAGIC, 0x02)
/* Records a PROCESS_STATE event for every thread. No argument. */
#define LKST_IOC_TRC_STATEDUMP	_IO(LKST_IOC_MAGIC, 0x03)
/*
 * Returns LKST_INTERFACE_VERSION. No argument. Fails with ENOTTY before version
 * 3 of the interface.
 */
#define LKST_IOC_VERSION	_IO(LKST_IOC_MAGIC, 0x04)
#define LKST_IOC_ENTRY_LOG	_IOW(LKST_IOC_MAGIC, 0x30, struct lkst_entry_args)
/*
 * Records a text in a USER_LONG_TEXT event, which is a chain. Kernels that lack
 * this event type fail with ENOTTY.
 */
#define LKST_IOC_ENTRY_TEXT	_IOW(LKST_IOC_MAGIC, 0x31, struct lkst_entry_text)

#endif /* _UAPI_LINUX_LKST_H */
