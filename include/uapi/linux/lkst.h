/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST, the Linux Kernel State Tracer: what every user of /dev/lkst needs.
 *
 * Section numbers are those of the LKST function specifications 2.01. All
 * structures have the same layout for 32-bit and 64-bit programs: 64-bit members
 * are aligned to 8, and a user address is carried in a 64-bit member.
 */
#ifndef _UAPI_LINUX_LKST_H
#define _UAPI_LINUX_LKST_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define LKST_IOC_MAGIC		0xBB

/*
 * Version of this interface, which LKST_IOC_VERSION returns. Documentation/lkst/abi.rst says what
 * it promises.
 */
#define LKST_INTERFACE_VERSION	3

/* Version of the record, the member buf_ver of the buffer structures. */
#define LKST_BUFFER_VERSION	3

#define LKST_ARCH_NAME_LEN	16

typedef __s32 lkst_maskset_id;
typedef __s32 lkst_evhandler_id;
typedef __s32 lkst_buffer_id;
typedef __aligned_u64 lkst_arg_t;	/* an argument acquired at a trace point */
typedef __aligned_u64 lkst_tsc_t;	/* a reading of a buffer's clock */
typedef __aligned_u64 lkst_cpu_freq_t;	/* rate of that clock in kHz */

/* Event types: 0x000 to 0xfff. */
#define LKST_ETYPE_NUM		0x1000
#define LKST_ETYPE_USER_MIN	0x100	/* 0x100 to 0x1ff: for users */
#define LKST_ETYPE_USER_MAX	0x1ff
#define LKST_ETYPE_LKST_MIN	0xf00	/* 0xf00 to 0xfff: LKST itself */

struct lkst_timeval {
	__s64 tv_sec __attribute__((aligned(8)));
	__s64 tv_usec __attribute__((aligned(8)));
};

struct lkst_timespec {
	__s64 tv_sec __attribute__((aligned(8)));
	__s64 tv_nsec __attribute__((aligned(8)));
};

/* 4.7.1.1.1 ioctl(LKST_IOC_TRC_STATUS) */
enum lkst_trc_state {
	LKST_TRC_STOPPED	= 0,	/* by LKST_IOC_TRC_STOP */
	LKST_TRC_RUNNING	= 1,
};

/*
 * The clocks a buffer can be stamped with. One buffer has one clock.
 */
enum lkst_clock {
	LKST_CLOCK_NS		= 0,	/* CLOCK_MONOTONIC in ns */
	LKST_CLOCK_TSC		= 1,	/* x86 time stamp counter */
};

/* What LKST_ETYPE_LKST_ERROR reports in the static buffer, with a detail. */
enum lkst_error_code {
	LKST_ERROR_NO_BUFFER	= 1,	/* no memory for a buffer; the CPU */
	LKST_ERROR_BAD_PARAM	= 2,	/* a boot parameter was not understood; enum lkst_param */
	LKST_ERROR_SOURCE	= 3,	/* an event's source cannot be enabled; the event type */
};

/* What LKST_ETYPE_OOPS_LOCKUP reports. */
enum lkst_lockup {
	LKST_LOCKUP_SOFT	= 1,	/* a CPU that does not schedule */
	LKST_LOCKUP_HARD	= 2,	/* a CPU that takes no interrupts */
	LKST_LOCKUP_TASK	= 3,	/* a task that does not run */
	LKST_LOCKUP_RCU		= 4,	/* a grace period that does not end */
};

enum lkst_param {
	LKST_PARAM_BUFFER_SIZE	= 1,
	LKST_PARAM_MASKSET	= 2,
	LKST_PARAM_MEMORY	= 3,
	LKST_PARAM_DUMP		= 4,
	LKST_PARAM_DUMP_EVENTS	= 5,
	LKST_PARAM_RESERVED	= 6,
	LKST_PARAM_BOOTS	= 7,
};

/**
 * struct lkst_trc_status - what LKST is doing (4.7.1.1.1)
 * @online_cpu: in: address of a bitmap, 64-bit words, bit 0 of word 0 is CPU 0. May be 0: not
 *	wanted, and @online_cpu_len is not looked at
 * @write_buf: in: address of @cpu_num buffer ids, the one being written on each CPU;
 *	LKST_BUFFER_ID_VOID where a CPU has none. May be 0: not wanted
 * @read_buf: in: likewise, the one being read
 * @static_buffer_recid: out: recid that the static buffer's next record gets
 * @static_buffer_size: out: size of the static buffer in bytes
 * @lost: out: events that found no buffer on their CPU, since boot; or were interrupted by others
 *	whenever they were about to be recorded; or whose function a probe missed, counted when the
 *	probe is taken away
 * @memory: out: bytes that buffers and masksets take
 * @memory_max: out: the most they may take
 * @online_cpu_len: in: bytes at @online_cpu, a multiple of 8; out: bytes the whole
 *	bitmap takes
 * @cpu_num: in: entries at @write_buf and @read_buf; out: CPUs there can be. Not looked at
 *	when both are 0
 * @current_maskset_id: out: selected maskset
 * @saved_maskset_id: out: the one that LKST_IOC_TRC_START goes back to, while stopped;
 *	else LKST_MASKSET_ID_VOID
 * @maskset_num: out: registered masksets
 * @evhandler_num: out: registered event handlers
 * @state: out: enum lkst_trc_state
 * @clock: out: enum lkst_clock, what new buffers are stamped with
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

/* 4.7.1.4.1 ioctl(LKST_IOC_ENTRY_LOG) */
struct lkst_entry_args {
	__s32 event_type;
	__u32 pad;			/* must be 0 */
	lkst_arg_t log_arg1;
	lkst_arg_t log_arg2;
	lkst_arg_t log_arg3;
	lkst_arg_t log_arg4;
};

#define LKST_IOC_TRC_STATUS	_IOWR(LKST_IOC_MAGIC, 0x00, struct lkst_trc_status)
#define LKST_IOC_TRC_START	_IO(LKST_IOC_MAGIC, 0x01)
#define LKST_IOC_TRC_STOP	_IO(LKST_IOC_MAGIC, 0x02)
/* Record a PROCESS_STATE event for every thread. No argument. */
#define LKST_IOC_TRC_STATEDUMP	_IO(LKST_IOC_MAGIC, 0x03)
/* Returns LKST_INTERFACE_VERSION. No argument; ENOTTY: the interface is older than version 3. */
#define LKST_IOC_VERSION	_IO(LKST_IOC_MAGIC, 0x04)
#define LKST_IOC_ENTRY_LOG	_IOW(LKST_IOC_MAGIC, 0x30, struct lkst_entry_args)

#endif /* _UAPI_LINUX_LKST_H */
