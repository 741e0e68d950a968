/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST event handlers: what is done when an event occurs (specification 4.2.1,
 * 4.7.1.2.6, 4.7.1.2.7).
 */
#ifndef _UAPI_LINUX_LKST_EVHANDLER_H
#define _UAPI_LINUX_LKST_EVHANDLER_H

#include <linux/lkst.h>

#define LKST_EVHANDLER_ID_NONE		0x000	/* masked */
#define LKST_EVHANDLER_ID_ENTRY_LOG	0x001	/* record it in the CPU's buffer */
#define LKST_EVHANDLER_ID_BUFFER_SHIFT	0x002	/* shift to the next buffer, record it there */
#define LKST_EVHANDLER_ID_BUFFER_SHIFT_DW 0x003	/* the same, and wake who waits in read() */
#define LKST_EVHANDLER_ID_STATIC_LOG	0x004	/* record it in the static buffer */
#define LKST_EVHANDLER_ID_STOP_AFTER	0x005	/* record it, and stop so many events later */
#define LKST_EVHANDLER_ID_BUFFER_JUMP	0x006	/* record it; every CPU goes on in another buffer */
#define LKST_EVHANDLER_ID_USER_MIN	0x020	/* below: LKST's own */
#define LKST_EVHANDLER_ID_MAX		0xfff
#define LKST_EVHANDLER_ID_VOID		0x1000

#define LKST_EVHANDLER_NAME_LEN		32	/* the terminating 0 included */

struct lkst_evhandler_listent {
	lkst_evhandler_id id;
	char name[LKST_EVHANDLER_NAME_LEN];
};

/* Bytes of a list of n event handlers. */
#define LKST_EVHANDLER_LISTENT_SIZE(n)	((n) * sizeof(struct lkst_evhandler_listent))

/* 4.7.1.2.6 ioctl(LKST_IOC_EVHANDLER_LIST) */
struct lkst_evhandler_listparam {
	__aligned_u64 listent_size;	/* bytes at listent */
	__aligned_u64 listent;		/* address of struct lkst_evhandler_listent[] */
};

/* The most that a control function can be given, in bytes. */
#define LKST_EVHANDLER_CTRL_SIZE_MAX	65536

/**
 * struct lkst_evhandler_ctrl_param - call an event handler's control function (4.7.1.2.7)
 * @id: in: event handler
 * @ret: out: what the function returned
 * @buf: in: address of the communication area, which the function reads and writes; 0 with
 *	@bufsize 0: none
 * @bufsize: in: bytes at @buf, up to LKST_EVHANDLER_CTRL_SIZE_MAX
 */
struct lkst_evhandler_ctrl_param {
	lkst_evhandler_id id;
	__s32 ret;
	__aligned_u64 buf;
	__aligned_u64 bufsize;
};

/**
 * struct lkst_evhandler_value - communication area of LKST's own event handlers that have a
 *	control function
 * @set: in: 1: @value is to hold from now on; 0: leave it
 * @value: in: with @set; out: what holds. LKST_EVHANDLER_ID_STOP_AFTER: how many events are
 *	recorded after the one that had the handler, 0 to LKST_STOP_AFTER_MAX.
 *	LKST_EVHANDLER_ID_BUFFER_JUMP: id of a buffer, or LKST_BUFFER_ID_VOID: none
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
