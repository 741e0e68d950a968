/* SPDX-License-Identifier: GPL-2.0 */
/* The pid file. */
#ifndef _LKSTLOGD_PID_H
#define _LKSTLOGD_PID_H

#include "lib/lkst.h"

int logd_pid_take(struct lkst_error *err); /* pid.c */
void logd_pid_release(void);

#endif
