// SPDX-License-Identifier: GPL-2.0
/*
 * Prepare the rules of a maskset that replaces another one: keep the rules of
 * the old maskset, and add the entries that the limit and the actions need.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/refcount.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_private.h>

#include "../base/compat.h"
#include "evhandler.h"
#include "maskset.h"
#include "maskset_rules.h"
#include "../rules/limit.h"
#include "../rules/rule.h"

/*
 * Return the rule in an entry of a maskset's table, or NULL if the entry is an
 * event handler. A rule without a program only applies the limit of the
 * maskset, and belongs to the limit: for such a rule, return NULL, too.
 */
struct lkst_rule *lkst_maskset_rule(unsigned int entry)
{
	struct lkst_rule *rule = lkst_rule_is(entry) ? lkst_rule_find(entry) : NULL;

	return rule && rule->program ? rule : NULL;
}

/*
 * Drop a maskset's references to its rules. Called when no event can use the
 * maskset any longer.
 */
void lkst_maskset_put_rules(const struct lkst_maskset *maskset)
{
	struct lkst_rule *rule;
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		rule = lkst_maskset_rule(maskset->handler[etype]);
		if (rule)
			lkst_rule_put(rule);
	}
}

/*
 * Return the value to store in the table of @maskset for an event type that has
 * the event handler @handler and no condition: the handler or, if the maskset
 * has a limit, the id of a rule with this limit. Return a negative errno on
 * failure.
 */
int lkst_maskset_entry(const struct lkst_maskset *maskset, int etype, unsigned int handler)
{
	struct lkst_rule *rule;

	if (!maskset->limit || handler == LKST_EVHANDLER_ID_NONE || etype >= LKST_ETYPE_LKST_MIN)
		return handler;
	rule = lkst_limit_rule(maskset->limit, handler);
	return IS_ERR(rule) ? PTR_ERR(rule) : rule->id;
}

/* Whether an event type has a rule, other than one that only holds a gate. */
bool lkst_maskset_has_rule(const struct lkst_maskset *maskset, int etype)
{
	unsigned int entry = READ_ONCE(maskset->handler[etype]);
	const struct lkst_rule *rule = lkst_maskset_rule(entry);

	return rule && rule->program != &lkst_rule_no_program;
}

/*
 * Get the gate of an event type for a maskset that replaces @old, which may be
 * NULL. @handler is the event handler in the new maskset. If the event is
 * masked in only one of the two masksets, or had no gate, the gate is new.
 * Returns NULL if there is no memory.
 */
static struct lkst_rule_gate *lkst_maskset_get_gate(const struct lkst_maskset *old, int etype,
						    unsigned int handler)
{
	unsigned int entry = old ? old->handler[etype] : LKST_EVHANDLER_ID_NONE;
	struct lkst_rule *rule = lkst_rule_is(entry) ? lkst_rule_find(entry) : NULL;

	if (!rule || !rule->gate || !rule->handler != !handler)
		return lkst_rule_gate_new(handler != LKST_EVHANDLER_ID_NONE);
	refcount_inc(&rule->gate->users);
	return rule->gate;
}

/* Give an entry a gate. Return 0 or a negative errno. */
static int lkst_maskset_add_gate(struct lkst_maskset *new, const struct lkst_maskset *old,
				 int etype)
{
	unsigned int entry = new->handler[etype], handler = lkst_rule_handler(entry);
	struct lkst_rule *rule = lkst_maskset_rule(entry), *copy;
	struct lkst_rule_gate *gate = lkst_maskset_get_gate(old, etype, handler);

	if (!gate)
		return -ENOMEM;
	copy = lkst_rule_copy(rule, handler, new->limit, gate);
	lkst_rule_gate_put(gate);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	new->handler[etype] = copy->id;
	if (rule)
		lkst_rule_put(rule);
	return 0;
}

/* Remove the gate of an entry. Return 0 or a negative errno. */
static int lkst_maskset_remove_gate(struct lkst_maskset *new, int etype)
{
	struct lkst_rule *rule = lkst_rule_find(new->handler[etype]), *copy;
	int entry = lkst_maskset_entry(new, etype, rule->handler);

	if (entry < 0)
		return entry;
	if (rule->program != &lkst_rule_no_program) {
		copy = lkst_rule_copy(rule, rule->handler, new->limit, NULL);
		if (IS_ERR(copy))
			return PTR_ERR(copy);
		entry = copy->id;
	}
	new->handler[etype] = entry;
	lkst_rule_put(rule);
	return 0;
}

/*
 * Prepare a maskset for the actions of a rule: set in @gates the event types
 * that need a gate, and unmask the event types that the actions record.
 */
static void lkst_maskset_note_actions(struct lkst_maskset *new,
				      const struct lkst_rule_program *program,
				      unsigned long *gates)
{
	const struct lkst_rule_program *inner;
	unsigned int i;

	for (i = 0; i < program->actions; i++) {
		const struct lkst_action *action = &program->action[i];
		unsigned int records = action->type->records;

		if (action->target >= 0)
			__set_bit(action->target, gates);
		if (action->type->when == LKST_ACTION_START)
			new->starts = true;
		if (records && new->handler[records] == LKST_EVHANDLER_ID_NONE)
			new->handler[records] = LKST_EVHANDLER_ID_ENTRY_LOG;
		/* Inner actions have no inner actions: recurse only once. */
		inner = action->type->inner ? action->type->inner(action->private) : NULL;
		if (inner)
			lkst_maskset_note_actions(new, inner, gates);
	}
}

/*
 * Prepare @new for the actions of its rules. @old is the maskset that @new
 * replaces, or NULL. Return 0 or a negative errno. Even after an error, all
 * entries of @new are valid.
 */
int lkst_maskset_apply_actions(struct lkst_maskset *new, const struct lkst_maskset *old)
{
	DECLARE_BITMAP(gates, LKST_ETYPE_NUM) = {};
	int etype, ret = 0;

	new->starts = false;
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_maskset_rule(new->handler[etype]))
			lkst_maskset_note_actions(new, lkst_rule_find(new->handler[etype])->program,
						  gates);
	for (etype = 0; !ret && etype < LKST_ETYPE_NUM; etype++) {
		unsigned int entry = new->handler[etype];
		bool gated = lkst_rule_is(entry) && lkst_rule_find(entry)->gate;

		if (test_bit(etype, gates) && !gated)
			ret = lkst_maskset_add_gate(new, old, etype);
		else if (gated && !test_bit(etype, gates))
			ret = lkst_maskset_remove_gate(new, etype);
	}
	if (!ret && !lkst_maskset_pairing_allowed(new->handler))
		ret = -EINVAL;
	return ret;
}

/*
 * Keep a rule when a maskset is written: replace the event handler in @entry
 * with the rule, which gets this event handler. @overwritten says whether the
 * rule belongs to the maskset that is overwritten. If not, the rule is copied,
 * because a rule can belong to only one maskset. Return 0 or a negative errno.
 */
static int lkst_maskset_keep_rule(u16 *entry, struct lkst_rule *rule, bool overwritten)
{
	struct lkst_rule *copy = rule;

	if (!overwritten || READ_ONCE(rule->handler) != *entry)
		copy = lkst_rule_copy(rule, *entry, rule->limit, NULL);
	else
		lkst_rule_get(rule);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	*entry = copy->id;
	return 0;
}

/*
 * Give @new the rules of @from, which may be NULL, for the events that @new does
 * not mask. The caller has set the id of @new, and has given @new the limit of
 * @from. Return 0, or a negative errno, after which @new may hold references to
 * some of these rules.
 */
int lkst_maskset_keep_rules(struct lkst_maskset *new, const struct lkst_maskset *from)
{
	struct lkst_rule *rule;
	int etype, ret = 0;

	for (etype = 0; from && !ret && etype < LKST_ETYPE_NUM; etype++) {
		rule = lkst_maskset_rule(from->handler[etype]);
		if (lkst_maskset_has_rule(from, etype) &&
		    new->handler[etype] != LKST_EVHANDLER_ID_NONE)
			ret = lkst_maskset_keep_rule(&new->handler[etype], rule,
						     from->id == new->id);
	}
	return ret;
}

/*
 * Apply the limit of @new to the event types without a rule: each of them gets
 * a rule with the limit. Rules that users have written already have this limit.
 * Return 0 or a negative errno.
 */
int lkst_maskset_apply_limit(struct lkst_maskset *new)
{
	int etype, entry;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		if (lkst_maskset_rule(new->handler[etype]))
			continue;
		entry = lkst_maskset_entry(new, etype, lkst_rule_handler(new->handler[etype]));
		if (entry < 0)
			return entry;
		new->handler[etype] = entry;
	}
	/* lkst_maskset_renew_begin() needs this rule and must not fail. */
	entry = lkst_maskset_entry(new, LKST_ETYPE_USER_EVENTS_NEW,
				   lkst_rule_handler(new->handler[LKST_ETYPE_USER_EVENTS_NEW]));
	return min(entry, 0);
}
