/* SPDX-License-Identifier: LGPL-2.1 */
/* What TraceEvent() does with /dev/lkst. Functions return 0, or -1 with errno set. */
#ifndef _TRACEEVENT_RECORDER_H
#define _TRACEEVENT_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/lkst_maskset.h>

/* A maskset with room for all event types. */
union recorder_maskset {
	struct lkst_maskset_body body;
	char room[LKST_MASKSET_SIZE_MAX];
};

/**
 * struct recorder_change - a change of the maskset of TraceEvent()
 * @prepare: called before the maskset is read. @fd is the device. Returns 0, or -1 with errno set
 * @apply: changes the entries of @body; @all is the maskset "all"
 * @rule: called for each event type that is recorded after the change. If the event type gets
 *	another rule, stores it, or "" for no rule, and returns true
 * @on: true: add events, record them in wide mode, limit them to @pid and @tid, let @program handle
 *	them, or let full buffers wrap; false: the opposite. @apply determines which of these
 * @class: class; _NTO_TRACE_EMPTY: all
 * @event: event; CLASSES_ANY: all of the class
 * @pid: process
 * @tid: thread of the process; THREADS_ANY: all
 * @program: descriptor of a BPF program
 */
struct recorder_change {
	int (*prepare)(int fd, const struct recorder_change *change);
	void (*apply)(const struct recorder_change *change, struct lkst_maskset_body *body,
		      const struct lkst_maskset_body *all);
	bool (*rule)(const struct recorder_change *change, int type, bool was_on,
		     char text[LKST_RULE_TEXT_MAX]);
	bool on;
	int class;
	int event;
	pid_t pid;
	pid_t tid;
	int program;
};

int recorder_call(int fd, unsigned long request, void *arg);
int recorder_number(int fd, unsigned long request, long number);
int recorder_start(bool state);
int recorder_stop(void);
int recorder_change(const struct recorder_change *change);
int recorder_alloc(unsigned int buffers);
int recorder_dealloc(void);
int recorder_flush(void);
int recorder_count(void);
int recorder_stop_at_once(void);
int recorder_set_memory(uint64_t address, uint64_t size);

#endif
