/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registered events of programs.
 */
#ifndef _LKST_USER_REGISTRY_H
#define _LKST_USER_REGISTRY_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/lkst_user_events.h>

#include "enabler.h"
#include "format.h"

/**
 * struct lkst_user_event - an event of programs
 * @etype: its event type, LKST_ETYPE_PROGRAM_MIN to LKST_ETYPE_PROGRAM_MAX
 * @chain: whether it is recorded as a chain
 * @min_size: minimum size of a payload, in bytes
 * @format: its fields
 * @refs: number of references, protected by lkst_user_lock. Each open file and
 *	each enabler holds one, and LKST_USER_PERSIST adds one. An event without
 *	references has ended
 * @flags: LKST_USER_PERSIST, LKST_USER_MULTI_FORMAT and LKST_USER_KERNEL; the
 *	first one is cleared when the event is deleted
 * @ended: position of the event in the order in which events have ended
 * @owner: the user who registered it
 * @privileged: whether @owner may use up all numbers
 * @node: in lkst_user_names
 * @label: name in LKST, such as "user_events:test"
 * @name: name that programs gave, or the same text as @label for an event of
 *	kernel code
 *
 * An event that has ended keeps its number, so that its records can still be
 * printed, until another event needs the number. If a program registers the
 * same event again before that, this structure is used again. All members
 * except @refs, @ended and @flags are constant. lkst_user_mutex protects
 * @flags, and is also needed to raise @refs from 0.
 */
struct lkst_user_event {
	u16 etype;
	bool chain;
	u32 min_size;
	const struct lkst_format *format;
	unsigned int refs;
	u32 flags;
	u64 ended;
	kuid_t owner;
	bool privileged;
	struct hlist_node node;
	const char *label;
	char name[];
};

/*
 * A flag of events that kernel code registers (added/). They have numbers and
 * descriptions like events of programs, but programs neither see nor delete
 * them. No program can register their names, which contain a colon.
 */
#define LKST_USER_KERNEL	BIT(31)

/* Return the name of an event without its system: the label after the colon. */
static inline const char *lkst_user_event_name(const struct lkst_user_event *event)
{
	return strchr(event->label, ':') + 1;
}

/**
 * struct lkst_user_who - the user who registers an event
 * @owner: the user
 * @privileged: whether the user may use up all numbers
 */
struct lkst_user_who {
	kuid_t owner;
	bool privileged;
};

struct lkst_user_event *lkst_user_register(char *command, u32 flags,
					   const struct lkst_user_who *who);
struct lkst_user_event *lkst_user_register_kernel(const char *label, const char *fields,
						  const struct lkst_user_who *who);
bool lkst_user_event_shared(const struct lkst_user_event *event);
int lkst_user_delete(const char *system, const char *name, const char *fields);
int lkst_user_for_each(int (*call)(const struct lkst_user_event *event, void *data), void *data);

int lkst_user_start(void);
void lkst_user_stop(void);

#endif
