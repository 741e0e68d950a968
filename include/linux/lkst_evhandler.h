/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST event handlers for kernel code (specification 4.7.2.3). Addresses in the structures
 * are those of kernel memory here.
 */
#ifndef _LINUX_LKST_EVHANDLER_H
#define _LINUX_LKST_EVHANDLER_H

#include <uapi/linux/lkst_evhandler.h>

/*
 * An event handler (4.7.2.3.3, *1). Runs where the event occurs: in any context, NMI
 * included, with preemption off and perhaps where RCU does not watch. Events that it causes
 * itself are recorded by the default handler.
 */
typedef void (*lkst_evhandler_func)(void *phookrec, int event_type, lkst_arg_t log_arg1,
				    lkst_arg_t log_arg2, lkst_arg_t log_arg3,
				    lkst_arg_t log_arg4);

/*
 * Its control function: the communication area, in kernel memory, and its bytes. Returns 0, or
 * what is to go to lkst_evhandler_ctrl_param.ret. May sleep.
 */
typedef int (*lkst_evhandler_ctrl_func)(void *buf, size_t bufsize);

int lkst_evhandler_list(struct lkst_evhandler_listparam *evhandler_listparam);
int lkst_evhandler_ctrl(struct lkst_evhandler_ctrl_param *evhandler_ctrl_param);

#endif
