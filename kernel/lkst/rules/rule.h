/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules: a filter and actions for an event type in a maskset. Each rule has an
 * id. In the table of the maskset, this id replaces the id of the event
 * handler, which is stored in the rule instead. So an event without a rule
 * never reaches this code, and a single load of the table still decides what
 * happens to an event.
 */
#ifndef _LKST_RULE_H
#define _LKST_RULE_H

#include <linux/compiler.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/lkst_evhandler.h>

#include "../base/sync.h"
#include "action.h"
#include "filter_record.h"

struct lkst_limit;
struct lkst_watch;
struct lkst_watch_feed;

/* Ids of rules. They follow those of event handlers. */
#define LKST_RULE_ID_MIN	(LKST_EVHANDLER_ID_MAX + 1)
#define LKST_RULE_NUM		4096

/**
 * struct lkst_rule_gate - whether the events of a rule are recorded
 * @users: number of rules that share the gate
 * @open: whether events are recorded; may change in any context
 */
struct lkst_rule_gate {
	refcount_t users;
	bool open;
};

/*
 * The fast path of events with a simple rule. Each kind except
 * LKST_RULE_INDIRECT records the event.
 */
enum lkst_rule_direct {
	LKST_RULE_INDIRECT,	/* no fast path: evaluate the rule */
	LKST_RULE_RECORD,	/* only records the event */
	LKST_RULE_BEGIN_TID,	/* begins a span; the key is the running thread */
	LKST_RULE_BEGIN_ARG,	/* begins a span; the key is in an argument */
	LKST_RULE_END_TID,	/* ends a span; the key is the running thread */
	LKST_RULE_END_ARG,	/* ends a span; the key is in an argument */
	LKST_RULE_KIND = 7,	/* the bits of the kind */
	LKST_RULE_COMPARES = 8,	/* flag: evaluate lkst_rule.only first */
	LKST_RULE_FILTERS = 16,	/* flag: evaluate lkst_rule.filter first */
};

/**
 * struct lkst_rule - a rule
 * @handler: event handler for events that are recorded. When a handler is
 *	unregistered, the default handler replaces it here, under
 *	lkst_maskset_mutex. LKST_EVHANDLER_ID_NONE, with a gate: the maskset
 *	masks the event, but the default handler records the event while the
 *	gate is open
 * @id: id of the rule
 * @users: number of users: the masksets that contain the rule (several only
 *	while a maskset is replaced), and the code that is writing the rule. The
 *	only user of a rule without a program is its limit
 * @limit: limit of the masksets that contain the rule; NULL: none
 * @next: for a rule without a program, the next rule of the same limit
 * @deferred: the deferred call that drops a user
 * @program: its condition and its actions. Copies of the rule share it. NULL:
 *	the rule only applies the limit, and belongs to it.
 *	lkst_rule_no_program: the rule has neither a condition nor actions, and
 *	exists because of its gate
 * @gate: set if actions of other rules turn the recording of the event on and
 *	off, else NULL. Copies of the rule share it
 * @direct: enum lkst_rule_direct: whether events take a fast path. This is the
 *	case if the rule has the default event handler, no limit and no gate,
 *	and if @program has no actions besides "record" and at most one simple
 *	action watch(NAME): see lkst_rule_program.direct. Constant once a
 *	maskset contains the rule
 * @drops: for LKST_RULE_COMPARES and LKST_RULE_FILTERS: whether events that do
 *	not meet the condition are dropped
 * @watch: the watch, for the fast path
 * @key: how to get the key of the event, for the fast path
 * @only: for LKST_RULE_COMPARES: the only comparison
 * @filter: for LKST_RULE_FILTERS: the condition
 * @feed: the action, for the fast path
 */
struct lkst_rule {
	u16 handler;
	u16 id;
	refcount_t users;
	struct lkst_limit *limit;
	struct lkst_rule *next;
	struct lkst_deferred deferred;
	struct lkst_rule_program *program;
	struct lkst_rule_gate *gate;
	u8 direct;
	bool drops;
	const struct lkst_watch *watch;
	const struct lkst_filter_test *key;
	const struct lkst_filter_test *only;
	const struct lkst_rule_filter *filter;
	const struct lkst_watch_feed *feed;
};

extern struct lkst_rule_program lkst_rule_no_program;

/*
 * For a variable on the stack that is written before it is read. The kernel may
 * be compiled with an option that sets all variables to 0 first; this attribute
 * exempts the variable.
 */
#if defined(__has_attribute) && __has_attribute(__uninitialized__)
#define LKST_UNSET	__attribute__((__uninitialized__))
#else
#define LKST_UNSET
#endif

/**
 * struct lkst_rule_fired - the actions of a rule that an event causes
 * @record: values of the event
 * @actions: a bit for each action of @program
 * @program: set if @actions is not 0. Valid while preemption is off
 * @blocked: whether the event causes no actions, because it occurs while
 *	actions are carried out
 */
struct lkst_rule_fired {
	struct lkst_filter_record record;
	u32 actions;
	bool blocked;
	struct lkst_rule_program *program;
};

/*
 * The rules, by id. To handle an event, a CPU reads an entry with preemption
 * off. A rule is freed, and its id used again, once no event can have read its
 * id from the table of a maskset.
 */
extern struct lkst_rule *lkst_rules[LKST_RULE_NUM];

static __always_inline bool lkst_rule_is(unsigned int id)
{
	return id - LKST_RULE_ID_MIN < LKST_RULE_NUM;
}

/* The rule with an id that a table of a maskset contains. */
static __always_inline struct lkst_rule *lkst_rule_find(unsigned int id)
{
	return READ_ONCE(lkst_rules[id - LKST_RULE_ID_MIN]);
}

/*
 * The event handler that an entry of a maskset's table stands for. The caller
 * holds lkst_maskset_mutex or rcu_read_lock(), or has disabled preemption.
 */
static inline unsigned int lkst_rule_handler(unsigned int id)
{
	return lkst_rule_is(id) ? READ_ONCE(lkst_rule_find(id)->handler) : id;
}

/* Whether lkst_rule.only is true for the arguments of an event. */
static __always_inline bool lkst_rule_only_matches(const struct lkst_filter_test *only, u64 a1,
						   u64 a2, u64 a3, u64 a4)
{
	return (lkst_filter_in_range(only, lkst_filter_argument(only, a1, a2, a3, a4)) ?
		only->yes : only->no) == LKST_FILTER_TRUE;
}

bool lkst_rule_meets(const struct lkst_rule_filter *filter,
		     const struct lkst_filter_record *record);
bool lkst_rule_fire(struct lkst_rule_program *program, bool met, struct lkst_rule_fired *fired);
unsigned int lkst_rule_apply(unsigned int id, int etype, struct lkst_rule_fired *fired);
void lkst_rule_act(struct lkst_rule_program *program, struct lkst_rule_fired *fired);
bool lkst_rule_passes(unsigned int id, int etype, const struct lkst_filter_record *record);
bool lkst_rule_number(const struct lkst_filter_test *field,
		      const struct lkst_filter_record *record, u64 *value);
const char *lkst_rule_string(const struct lkst_filter_test *field,
			     const struct lkst_filter_record *record, u32 *size);
void lkst_rule_string_done(const struct lkst_filter_test *field);
int lkst_rule_prepare(const struct lkst_rule_program *program);
struct lkst_rule *lkst_rule_new(struct lkst_rule_program *program);
struct lkst_rule *lkst_rule_new_limited(struct lkst_limit *limit, unsigned int handler);
void lkst_rule_assign(struct lkst_rule *rule, unsigned int handler, struct lkst_limit *limit);
struct lkst_rule *lkst_rule_copy(const struct lkst_rule *rule, unsigned int handler,
				 struct lkst_limit *limit, struct lkst_rule_gate *gate);
struct lkst_rule_gate *lkst_rule_gate_new(bool open);
void lkst_rule_gate_put(struct lkst_rule_gate *gate);
void lkst_rule_get(struct lkst_rule *rule);
void lkst_rule_put(struct lkst_rule *rule);
void lkst_rule_put_later(struct lkst_rule *rule);
void lkst_rules_end(void);

#endif
