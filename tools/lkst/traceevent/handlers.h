/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The handlers of classes and events of TraceEvent(), which are BPF programs. Functions return 0, or
 * -1 with errno set.
 */
#ifndef _TRACEEVENT_HANDLERS_H
#define _TRACEEVENT_HANDLERS_H

#include <linux/lkst.h>

int handlers_load(int fd);
int handlers_add(int fd, int class, int event, int program);
int handlers_delete(int fd, int class, int event);
lkst_evhandler_id handlers_id(int type);

#endif
