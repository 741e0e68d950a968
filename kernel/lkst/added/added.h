/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that are added at run time: a tracepoint, a kprobe or a kretprobe, and
 * the fields that are fetched when it is reached.
 */
#ifndef _LKST_ADDED_ADDED_H
#define _LKST_ADDED_ADDED_H

#include <linux/types.h>
#include <linux/lkst_event.h>

/* Text of a string whose memory cannot be read, as with the kernel's probes */
#define LKST_ADDED_FAULT	"(fault)"

struct lkst_maskset;
struct lkst_user_event;

/**
 * struct lkst_added_error - what is wrong with a definition
 * @at: position in the definition, in bytes
 * @text: message, or "" if the definition is not wrong
 */
struct lkst_added_error {
	u32 at;
	char text[LKST_EVENT_ERROR_LEN];
};

/**
 * struct lkst_added_info - an added event, as listed
 * @event: its entry in the registry of events of programs
 * @etype: event type
 * @flags: LKST_EVENT_GONE and LKST_EVENT_ON
 * @hits: number of times that a kprobe or a kretprobe was called since the event
 *	was added; else 0
 * @missed: number of times that the probe could not be called
 * @faults: number of times that memory could not be read
 * @text: the definition
 * @label: name of the event, such as "kprobes:test"
 * @fields: its fields, in the syntax of user events
 */
struct lkst_added_info {
	const struct lkst_user_event *event;
	int etype;
	u32 flags;
	u64 hits;
	u64 missed;
	u64 faults;
	const char *text;
	const char *label;
	const char *fields;
};

int lkst_added_command(const char *text, struct lkst_added_error *error);
int lkst_added_remove_all(const char *kinds);
int lkst_added_for_each(int (*call)(const struct lkst_added_info *info, void *data), void *data);
int lkst_added_control(struct lkst_event_param *param);
int lkst_added_read(struct lkst_event_param *param);

void lkst_added_enable(const struct lkst_maskset *maskset);
void lkst_added_disable(const struct lkst_maskset *maskset, const struct lkst_maskset *next);

int lkst_added_start(void);
void lkst_added_stop(void);

#endif
