/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST event handlers for kernel code (specification 4.7.2.3). The structures
 * are the same as in the ioctls, but their addresses point to kernel memory.
 */
#ifndef _LINUX_LKST_EVHANDLER_H
#define _LINUX_LKST_EVHANDLER_H

#include <uapi/linux/lkst_evhandler.h>

/*
 * The type of an event handler (4.7.2.3.3, *1). LKST calls it where the event
 * occurs: in any context, NMI included, with preemption disabled, and possibly
 * while RCU is not watching. If an event handler itself causes an event, the
 * default handler records that event.
 */
typedef void (*lkst_evhandler_func)(void *phookrec, int event_type, lkst_arg_t log_arg1,
				    lkst_arg_t log_arg2, lkst_arg_t log_arg3,
				    lkst_arg_t log_arg4);

/*
 * The type of an event handler's control function. @buf is a kernel copy of the
 * communication area, and @bufsize is its size in bytes. The caller of the
 * ioctl gets the return value in lkst_evhandler_ctrl_param.ret; 0 means
 * success. May sleep.
 */
typedef int (*lkst_evhandler_ctrl_func)(void *buf, size_t bufsize);

int lkst_evhandler_list(struct lkst_evhandler_listparam *evhandler_listparam);
int lkst_evhandler_ctrl(struct lkst_evhandler_ctrl_param *evhandler_ctrl_param);

#endif
