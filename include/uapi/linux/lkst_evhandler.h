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
 * Event handlers of modules have ids from USER_MIN to MAX.
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
 *	writes. May be 0 if @bufsize is 0
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

#define LKST_IOC_EVHANDLER_LIST	_IOWR(LKST_IOC_MAGIC, 0x18, struct lkst_evhandler_listparam)
#define LKST_IOC_EVHANDLER_CTRL	_IOWR(LKST_IOC_MAGIC, 0x19, struct lkst_evhandler_ctrl_param)

#endif /* _UAPI_LINUX_LKST_EVHANDLER_H */
