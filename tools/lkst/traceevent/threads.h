/* SPDX-License-Identifier: LGPL-2.1 */
/* The filters of TraceEvent() that select events by process or by thread. */
#ifndef _TRACEEVENT_THREADS_H
#define _TRACEEVENT_THREADS_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/lkst_maskset.h>

enum {
	THREADS_ANY = -1, /* instead of a thread: all threads of the process */
};

void threads_limit(int type, pid_t pid, pid_t tid);
void threads_unlimit(int type);
bool threads_rule(int type, char text[LKST_RULE_TEXT_MAX]);

#endif
