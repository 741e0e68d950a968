/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event handlers: functions that are called when an event occurs.
 */
#ifndef _LKST_EVHANDLER_H
#define _LKST_EVHANDLER_H

#include <linux/types.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_private.h>

struct lkst_rule_fired;

/* What becomes of an event. */
enum lkst_verdict {
	LKST_VERDICT_DROP	= 0,
	LKST_VERDICT_RECORD	= 1,
	LKST_VERDICT_ACT	= 2,	/* record it, and carry out actions */
};

/**
 * struct lkst_evhandler_event - an event, for an event handler that decides
 * @etype: event type
 * @depth: how many times LKST itself has disabled preemption
 * @arg: arguments of the event
 */
struct lkst_evhandler_event {
	int etype;
	unsigned int depth;
	u64 arg[4];
};

/**
 * struct lkst_evhandler_decider - an event handler that decides whether an
 *	event is recorded, and leaves the recording to the caller
 * @decide: returns enum lkst_verdict. @data is the handler's own. Context: as
 *	for lkst_evhandler_func
 * @act: called after @decide has returned LKST_VERDICT_ACT, with the values of
 *	the event in @fired. Sets the actions that the caller must carry out
 * @nested: called instead of @decide for an event that an event handler has
 *	caused in the same context. Such an event is always recorded
 * @takes_locks: whether the handler must not be used for lock events, because
 *	it takes locks itself
 */
struct lkst_evhandler_decider {
	unsigned int (*decide)(void *data, const struct lkst_evhandler_event *event);
	void (*act)(void *data, struct lkst_rule_fired *fired);
	void (*nested)(void *data);
	bool takes_locks;
};

/*
 * An event handler has either @func or @decider. LKST_EVHANDLER_ID_NONE has
 * neither.
 */
struct lkst_evhandler {
	char name[LKST_EVHANDLER_NAME_LEN];
	lkst_evhandler_func func;
	lkst_evhandler_ctrl_func ctrl;
	const struct lkst_evhandler_decider *decider;
	void *data;
};

/*
 * The event handlers, by id. Unused entries are NULL. To handle an event, a CPU
 * reads an entry only once, with preemption off. So to free a handler, remove
 * its entry and call lkst_synchronize() first. LKST's own handlers are always
 * present.
 */
extern const struct lkst_evhandler *lkst_evhandlers[LKST_EVHANDLER_ID_MAX + 1];

/* Whether there is a handler with this id. @id may be any number. */
static inline bool lkst_evhandler_registered(int id)
{
	return id >= 0 && id <= LKST_EVHANDLER_ID_MAX && READ_ONCE(lkst_evhandlers[id]);
}

bool lkst_evhandler_takes_locks(int id);
int lkst_evhandler_register_decider(const char *name, const struct lkst_evhandler_decider *decider,
				    void *data);
int lkst_evhandler_num(void);
int lkst_evhandler_list_num(struct lkst_evhandler_listparam *evhandler_listparam);

#endif
