/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Masksets: which events are recorded, and by which event handler.
 */
#ifndef _LKST_MASKSET_H
#define _LKST_MASKSET_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#include "../base/sync.h"
#include "../rules/rule.h"

struct lkst_limit;

/**
 * struct lkst_maskset - an event handler for each event type
 * @id: 0 to LKST_MASKSET_ID_MAX
 * @name: unique name
 * @starts: whether a rule has the action "on"
 * @handler: event handler of each event type; LKST_EVHANDLER_ID_NONE: masked;
 *	from LKST_RULE_ID_MIN: a rule, which contains the event handler. Single
 *	entries change, under lkst_maskset_mutex, when an event handler
 *	or an event type is registered or unregistered
 * @limit: limit of the maskset; NULL: none. In a limited maskset, the entry of
 *	each event that is not masked is a rule with this limit. LKST's own
 *	events are not limited
 * @deferred: the deferred call that frees the maskset
 */
struct lkst_maskset {
	lkst_maskset_id id;
	char name[LKST_MASKSET_NAME_LEN];
	bool starts;
	u16 handler[LKST_ETYPE_NUM];
	struct lkst_limit *limit;
	struct lkst_deferred deferred;
};

/*
 * lkst_maskset_current is the selected maskset. lkst_maskset_dispatch is the
 * table that events read, with preemption off. The two differ only during a
 * countdown of events. What happens to an event is decided by a single load of
 * a table entry: from lkst_maskset_dispatch or, during a countdown, from
 * lkst_maskset_current. So no event is handled by a mix of two masksets. Both
 * pointers may change in any context, see maskset_select.c.
 */
extern const struct lkst_maskset *lkst_maskset_current;
extern const struct lkst_maskset *lkst_maskset_dispatch;

/*
 * During a countdown and a pause, every entry of lkst_maskset_dispatch has this
 * value instead of an event handler's id. It means: call lkst_select_count(),
 * and look up the handler in lkst_maskset_current. Like the id of a rule, it is
 * greater than LKST_EVHANDLER_ID_MAX.
 */
#define LKST_EVHANDLER_COUNTED	0xffff

/*
 * Return the selected maskset's entry for an event type: the id of an event
 * handler or of a rule. Pairs with the release in lkst_select_publish().
 */
static __always_inline unsigned int lkst_maskset_handler(unsigned long etype)
{
	return READ_ONCE(READ_ONCE(lkst_maskset_current)->handler[etype]);
}

/*
 * Return how to handle an event: the id of a handler or of a rule, or
 * LKST_EVHANDLER_COUNTED.
 */
static __always_inline unsigned int lkst_maskset_dispatched(unsigned long etype)
{
	return READ_ONCE(READ_ONCE(lkst_maskset_dispatch)->handler[etype]);
}

/*
 * Whether the default event handler handles events of this type. Compiles to
 * one comparison with memory. The entry is a single word, so the compiler
 * cannot tear the load.
 */
static __always_inline bool lkst_maskset_records(unsigned long etype)
{
	/* The load cannot be torn, see above. */
	return data_race(READ_ONCE(lkst_maskset_dispatch)->handler[etype] ==
			 LKST_EVHANDLER_ID_ENTRY_LOG);
}

/**
 * struct lkst_maskset_client - functions that query event types, and turn
 *	sources on and off
 * @registered: whether an event type is registered; takes any number
 * @known: whether an event type is registered, or has been
 * @present: whether the event can occur in this kernel
 * @find: find an event type by name, mnemonic or number; returns -ENODEV if
 *	there is none
 * @enable: turn on the sources of a maskset
 * @disable: turn off the sources that neither of two masksets needs
 *
 * Masksets call these functions. There is one client, source/source.c. The
 * functions that turn sources on and off may sleep.
 */
struct lkst_maskset_client {
	bool (*registered)(int etype);
	bool (*known)(int etype);
	bool (*present)(int etype);
	int (*find)(const char *word, size_t len);
	void (*enable)(const struct lkst_maskset *maskset);
	void (*disable)(const struct lkst_maskset *maskset, const struct lkst_maskset *next);
};

extern const struct lkst_maskset_client lkst_maskset_client;

struct lkst_trc_status;

void lkst_maskset_init(void);
int lkst_maskset_by_word(const char *word);
int lkst_maskset_list_num(struct lkst_maskset_listparam *maskset_listparam);
void lkst_trc_begin(lkst_maskset_id id);
void lkst_trc_begin_late(void);
void lkst_trc_end(void);
void lkst_trc_pause(void);
int lkst_trc_pause_wait(void);
void lkst_maskset_end(void);
void lkst_maskset_free(struct lkst_maskset *maskset);
void lkst_maskset_status(struct lkst_trc_status *status);
bool lkst_maskset_waking_causes(int etype);
bool lkst_maskset_pairing_allowed(const u16 *handler);

/*
 * Variants of lkst_maskset_set(), lkst_trc_start() and lkst_trc_stop() which
 * also wait for the worker that turns sources on and off.
 * lkst_maskset_set_wait() and lkst_trc_start_wait() select the maskset after
 * the sources that it needs have been turned on. lkst_maskset_set_wait() and
 * lkst_trc_stop_wait() return after the sources that are no longer needed have
 * been turned off.
 */
int lkst_maskset_set_wait(lkst_maskset_id id);
int lkst_maskset_set_wanted(lkst_maskset_id id);
int lkst_trc_start_wait(void);
int lkst_trc_stop_wait(void);

lkst_maskset_id lkst_maskset_wanted(void);
bool lkst_maskset_wants(int etype);
bool lkst_maskset_unmasks(int etype);
int lkst_maskset_gate(int etype);
void lkst_maskset_set_gate(int etype, bool open);
unsigned long lkst_maskset_described(void);
int lkst_maskset_write_copy(struct lkst_maskset_param *maskset_param, lkst_maskset_id from);
int lkst_maskset_set_rule(lkst_maskset_id id, int etype, struct lkst_rule *rule,
			  unsigned long generation);
const struct lkst_rule *lkst_maskset_next_rule(lkst_maskset_id id, int *etype);
int lkst_maskset_set_limit(lkst_maskset_id id, struct lkst_limit *limit);
const struct lkst_limit *lkst_maskset_limit(lkst_maskset_id id, bool *found);

/* Replace a removed event handler with the default handler in all masksets. */
void lkst_maskset_forget_evhandler(lkst_evhandler_id id);

/* Make "all" record a new event type; mask a removed one in all masksets. */
void lkst_maskset_add_etype(int etype);
void lkst_maskset_forget_etype(int etype);
int lkst_maskset_renew_begin(int etype);
void lkst_maskset_renew_end(void);

#endif
