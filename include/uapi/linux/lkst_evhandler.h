/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST event handlers, which LKST calls when an event occurs (specification
 * 4.2.1, 4.7.1.2.6, 4.7.1.2.7).
 */
#ifndef _UAPI_LINUX_LKST_EVHANDLER_H
#define _UAPI_LINUX_LKST_EVHANDLER_H

#include <linux/lkst.h>

/*
 * Built-in event handlers:
 *
 *	NONE		mask the event
 *	ENTRY_LOG	record it in the CPU's buffer
 *	BUFFER_SHIFT	shift to the next buffer, then record it there
 *	BUFFER_SHIFT_DW	as BUFFER_SHIFT, and wake the CPU's readers
 *	STATIC_LOG	record it in the static buffer
 *	STOP_AFTER	record it, and stop LKST after a number of further events
 *	BUFFER_JUMP	record it, and switch every CPU to another buffer
 *
 * Event handlers of modules and BPF programs have ids from USER_MIN to MAX.
 */
#define LKST_EVHANDLER_ID_NONE		0x000
#define LKST_EVHANDLER_ID_ENTRY_LOG	0x001
#define LKST_EVHANDLER_ID_BUFFER_SHIFT	0x002
#define LKST_EVHANDLER_ID_BUFFER_SHIFT_DW 0x003
#define LKST_EVHANDLER_ID_STATIC_LOG	0x004
#define LKST_EVHANDLER_ID_STOP_AFTER	0x005
#define LKST_EVHANDLER_ID_BUFFER_JUMP	0x006
#define LKST_EVHANDLER_ID_USER_MIN	0x020
#define LKST_EVHANDLER_ID_MAX		0xfff
#define LKST_EVHANDLER_ID_VOID		0x1000

#define LKST_EVHANDLER_NAME_LEN		32	/* including the terminating NUL */

struct lkst_evhandler_listent {
	lkst_evhandler_id id;
	char name[LKST_EVHANDLER_NAME_LEN];
};

/* Size of a list of n event handlers, in bytes. */
#define LKST_EVHANDLER_LISTENT_SIZE(n)	((n) * sizeof(struct lkst_evhandler_listent))

/* Argument of ioctl(LKST_IOC_EVHANDLER_LIST) (4.7.1.2.6). */
struct lkst_evhandler_listparam {
	__aligned_u64 listent_size;	/* size of the array in bytes */
	__aligned_u64 listent;		/* address of struct lkst_evhandler_listent[] */
};

/* Largest communication area of a control function, in bytes. */
#define LKST_EVHANDLER_CTRL_SIZE_MAX	65536

/**
 * struct lkst_evhandler_ctrl_param - call an event handler's control function
 *	(4.7.1.2.7)
 * @id: in: event handler
 * @ret: out: return value of the control function
 * @buf: in: address of the communication area, which the function reads and
 *	writes; 0 if @bufsize is 0
 * @bufsize: in: size of the area in bytes, up to LKST_EVHANDLER_CTRL_SIZE_MAX
 */
struct lkst_evhandler_ctrl_param {
	lkst_evhandler_id id;
	__s32 ret;
	__aligned_u64 buf;
	__aligned_u64 bufsize;
};

/**
 * struct lkst_evhandler_value - communication area of the built-in event
 *	handlers that have a control function
 * @set: in: 1 to set @value, 0 to query it
 * @value: in: new value, if @set is 1; out: current value. For
 *	LKST_EVHANDLER_ID_STOP_AFTER, the number of events to record after the
 *	one that called the handler, 0 to LKST_STOP_AFTER_MAX. For
 *	LKST_EVHANDLER_ID_BUFFER_JUMP, a buffer id, or LKST_BUFFER_ID_VOID for
 *	no jump
 */
struct lkst_evhandler_value {
	__u32 set;
	__u32 value;
};

#define LKST_STOP_AFTER_DEFAULT	1000
#define LKST_STOP_AFTER_MAX	0x7fffffff

/*
 * A BPF program as an event handler. The program has the type
 * BPF_PROG_TYPE_RAW_TRACEPOINT. Its context is an array of 12 numbers of 64
 * bits. LKST_BPF_* are the indices of the numbers that LKST sets. The others
 * are 0.
 */
#define LKST_BPF_TYPE		0	/* event type */
#define LKST_BPF_FLAGS		1	/* LKST_RECORD_* bits */
#define LKST_BPF_CLOCK		2	/* reading of the buffer's clock */
#define LKST_BPF_THREAD		3	/* as bpf_get_current_pid_tgid() */
#define LKST_BPF_ARG1		4	/* the four arguments of the event */

/*
 * What a BPF program returns. Any other value has the same effect as
 * LKST_BPF_RECORD.
 */
#define LKST_BPF_DROP		0	/* do not record the event */
#define LKST_BPF_RECORD		1	/* record it */
#define LKST_BPF_ACT		2	/* record it, and carry out the actions */

/**
 * struct lkst_evhandler_bpf_param - make a BPF program an event handler
 * @fd: in: descriptor of the program
 * @id: out: id of the event handler
 * @name: in: name of the event handler. If a BPF program has this name, the new
 *	program replaces it
 * @actions: in: address of the actions for LKST_BPF_ACT, a rule that begins
 *	with "do"; the text need not end with 0
 * @error: in: address for a message that says what is wrong with the actions;
 *	0: none
 * @actions_size: in: size of @actions in bytes, at most LKST_RULE_TEXT_MAX; 0:
 *	no actions
 * @error_size: in: size of the memory at @error in bytes;
 *	LKST_RULE_ERROR_LEN is enough
 * @error_at: out: position of the error in the actions, in bytes
 * @also: in: another event handler that is a BPF program; 0: none. An event is
 *	recorded only if neither of the two programs returns LKST_BPF_DROP
 */
struct lkst_evhandler_bpf_param {
	__s32 fd;
	lkst_evhandler_id id;
	char name[LKST_EVHANDLER_NAME_LEN];
	__aligned_u64 actions;
	__aligned_u64 error;
	__u32 actions_size;
	__u32 error_size;
	__u32 error_at;
	lkst_evhandler_id also;
};

/**
 * struct lkst_evhandler_bpf_info - describe an event handler that is a BPF
 *	program
 * @id: in: event handler
 * @program: out: id of the BPF program
 * @tag: out: tag of the BPF program, as "bpftool prog" prints it
 * @runs: out: number of times that the program has run
 * @drops: out: number of events that it has dropped
 * @acts: out: number of times that it has returned LKST_BPF_ACT
 * @nested: out: number of events that were recorded although the program did
 *	not run, because it was already running on the CPU
 * @unsafe: out: number of events that were recorded although the program did
 *	not run, because it must not run in their contexts
 * @actions: in: address for the actions, which do not end with 0; 0: they are
 *	not stored
 * @actions_size: in: size of the memory at @actions in bytes;
 *	LKST_RULE_TEXT_MAX is enough. out: size of the actions in bytes
 * @also: out: @also of struct lkst_evhandler_bpf_param; 0 if none was given, or
 *	if that event handler has been unregistered
 */
struct lkst_evhandler_bpf_info {
	lkst_evhandler_id id;
	__u32 program;
	__u8 tag[8];
	__aligned_u64 runs;
	__aligned_u64 drops;
	__aligned_u64 acts;
	__aligned_u64 nested;
	__aligned_u64 unsafe;
	__aligned_u64 actions;
	__u32 actions_size;
	lkst_evhandler_id also;
};

#define LKST_IOC_EVHANDLER_LIST	_IOWR(LKST_IOC_MAGIC, 0x18, struct lkst_evhandler_listparam)
#define LKST_IOC_EVHANDLER_CTRL	_IOWR(LKST_IOC_MAGIC, 0x19, struct lkst_evhandler_ctrl_param)
#define LKST_IOC_EVHANDLER_BPF	_IOWR(LKST_IOC_MAGIC, 0x1a, struct lkst_evhandler_bpf_param)
#define LKST_IOC_EVHANDLER_BPF_READ	_IOWR(LKST_IOC_MAGIC, 0x1b, struct lkst_evhandler_bpf_info)
/* Unregisters a BPF program. The argument is the id of the event handler. */
#define LKST_IOC_EVHANDLER_BPF_DELETE	_IO(LKST_IOC_MAGIC, 0x1c)

#endif /* _UAPI_LINUX_LKST_EVHANDLER_H */
