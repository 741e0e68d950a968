// SPDX-License-Identifier: GPL-2.0
/*
 * Turn events on and off. A change copies the selected maskset to the maskset
 * "events", turns the events on or off in this copy, and selects the copy.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_maskset.h>
#include <linux/lkst_private.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../dispatch/maskset.h"
#include "../user/enabler.h"
#include "../user/registry.h"
#include "names.h"
#include "pids.h"
#include "rule.h"
#include "turn.h"

#define LKST_TREE_MASKSET	"events"

/*
 * The events of programs that are on because the tree turned them on; NULL for
 * other event types. As in tracefs, an event that is on must not disappear, so
 * each pointer holds a reference. Index: event type - LKST_ETYPE_PROGRAM_MIN.
 */
static struct lkst_user_event **lkst_tree_held;

/* See turn.h. */
DEFINE_MUTEX(lkst_tree_maskset_mutex);

/*
 * The events that are off but have triggers, because of which the maskset
 * "events" does not mask them.
 */
static DECLARE_BITMAP(lkst_tree_dropped, LKST_ETYPE_NUM);

/**
 * lkst_tree_is_on() - whether an event is on
 * @etype: event type
 *
 * Context: may sleep.
 */
bool lkst_tree_is_on(int etype)
{
	return lkst_maskset_unmasks(etype) &&
	       !(test_bit(etype, lkst_tree_dropped) &&
		 lkst_maskset_wanted() == lkst_tree_maskset());
}

/**
 * struct lkst_tree_change - what is needed to turn events on or off
 * @on: whether to turn them on
 * @found: whether any event matches, even if it is skipped
 * @copied: whether another maskset is copied to the maskset "events"
 * @chosen: bitmap of the events that this change turns on or off
 * @taken: bitmap of the chosen events of programs to which this change has
 *	taken references
 * @after: bitmap of the events that are on after the change
 * @body: the maskset, with room for LKST_MASKSET_SIZE_MAX bytes
 */
struct lkst_tree_change {
	bool on;
	bool found;
	bool copied;
	DECLARE_BITMAP(chosen, LKST_ETYPE_NUM);
	DECLARE_BITMAP(taken, LKST_ETYPE_PROGRAM_NUM);
	DECLARE_BITMAP(after, LKST_ETYPE_NUM);
	struct lkst_maskset_body body;
};

static struct lkst_tree_change *lkst_tree_change_new(bool on)
{
	struct lkst_tree_change *change;

	change = kvzalloc(offsetof(struct lkst_tree_change, body) + LKST_MASKSET_SIZE_MAX,
			  GFP_KERNEL);
	if (change)
		change->on = on;
	return change;
}

/*
 * Choose an event. If it belongs to a program, take a reference to it, unless
 * the tree has one already. When events are turned off, skip those that are off
 * already, unless the tree has a reference that must be dropped.
 */
static int lkst_tree_choose(const struct lkst_tree_name *event, void *data)
{
	struct lkst_tree_change *change = data;
	unsigned int i = event->etype - LKST_ETYPE_PROGRAM_MIN;

	change->found = true;
	if (!change->on && !lkst_tree_is_on(event->etype) &&
	    lkst_maskset_gate(event->etype) <= 0 && !(event->user && lkst_tree_held[i]))
		return 0;
	__set_bit(event->etype, change->chosen);
	if (event->user && !lkst_tree_held[i]) {
		/* The event is not freed while lkst_tree_for_each() runs. */
		lkst_tree_held[i] = (struct lkst_user_event *)event->user;
		lkst_user_event_get(lkst_tree_held[i]);
		__set_bit(i, change->taken);
	}
	return 0;
}

static void lkst_tree_release(unsigned int i)
{
	if (!lkst_tree_held[i])
		return;
	lkst_user_event_put(lkst_tree_held[i]);
	lkst_tree_held[i] = NULL;
}

/* Drop the references that a change has taken. */
static void lkst_tree_release_taken(const struct lkst_tree_change *change)
{
	unsigned int i;

	for_each_set_bit(i, change->taken, LKST_ETYPE_PROGRAM_NUM)
		lkst_tree_release(i);
}

/* Drop the references that the tree has to the chosen events. */
static void lkst_tree_release_chosen(const struct lkst_tree_change *change)
{
	unsigned int etype;

	for_each_set_bit(etype, change->chosen, LKST_ETYPE_NUM)
		if (lkst_etype_of_program(etype))
			lkst_tree_release(etype - LKST_ETYPE_PROGRAM_MIN);
}

/*
 * Change an entry of the maskset, and note in change->after whether its event
 * is on afterwards.
 */
static void lkst_tree_change_entry(struct lkst_tree_change *change,
				   struct lkst_maskset_entry *entry)
{
	bool chosen = test_bit(entry->event_type, change->chosen);
	bool on = chosen ? change->on : lkst_tree_is_on(entry->event_type);

	if (on)
		__set_bit(entry->event_type, change->after);
	/* If the event needs a rule, writing it later unmasks the event. */
	if (!chosen || lkst_tree_has_rule(entry->event_type, on))
		return;
	entry->id = on ? LKST_EVHANDLER_ID_ENTRY_LOG : LKST_EVHANDLER_ID_NONE;
}

/*
 * Write the filters and triggers of the chosen events as rules. If a chosen
 * event has neither, delete the rule that the copied maskset has for it. If
 * another maskset was copied to the maskset "events", also write the filters
 * and triggers of all other events, because the copy does not contain them.
 */
static int lkst_tree_write_rules(const struct lkst_tree_change *change, lkst_maskset_id id)
{
	unsigned int etype;
	int ret = 0;

	for (etype = 0; !ret && etype < LKST_ETYPE_NUM; etype++) {
		bool on = test_bit(etype, change->after);
		bool rule = lkst_tree_has_rule(etype, on);

		if (!test_bit(etype, change->chosen) && !(change->copied && rule))
			continue;
		if (on || rule)
			ret = lkst_tree_write_rule(id, etype, on);
		if (!ret)
			__assign_bit(etype, lkst_tree_dropped, rule && !on);
	}
	return ret;
}

/*
 * Turn the chosen events on or off: write a copy of the selected maskset with
 * these changes to the maskset "events", and select that maskset. A copy has an
 * entry for each event that exists. The chosen events exist, because
 * lkst_tree_choose() has taken references, so none of them can end meanwhile.
 */
static int lkst_tree_select(struct lkst_tree_change *change)
{
	struct lkst_maskset_body *body = &change->body;
	struct lkst_maskset_param param = {
		.id = lkst_maskset_wanted(),
		.maskset_size = LKST_MASKSET_SIZE_MAX,
		.maskset = (unsigned long)body,
	};
	struct lkst_maskset_entry *entry;
	lkst_maskset_id from;
	int ret;

	ret = lkst_maskset_read(&param);
	if (ret)
		return ret;
	for (entry = body->entry; entry < body->entry + body->len; entry++)
		lkst_tree_change_entry(change, entry);
	/*
	 * Look up the ID each time, because root may delete the maskset and
	 * reuse its ID.
	 */
	from = param.id;
	change->copied = from != lkst_tree_maskset();
	param.id = lkst_tree_maskset();
	param.maskset_size = LKST_MASKSET_SIZE(body->len);
	strscpy_pad(body->name, LKST_TREE_MASKSET, sizeof(body->name));
	ret = lkst_maskset_write_copy(&param, from);
	return ret ?: lkst_tree_write_rules(change, param.id) ?:
	       lkst_tree_pids_write(param.id) ?: lkst_maskset_set_wanted(param.id);
}

/*
 * Triggers turn an event on and off by a gate, without changing the maskset. So
 * set the gates of the chosen events as well.
 */
static void lkst_tree_set_gates(const struct lkst_tree_change *change)
{
	unsigned int etype;

	for_each_set_bit(etype, change->chosen, LKST_ETYPE_NUM)
		lkst_maskset_set_gate(etype, change->on);
}

/**
 * lkst_tree_turn() - turn events on or off
 * @match: which events
 * @on: whether to turn them on
 *
 * A program can register a bit in its memory that shows whether its event is
 * on. As with tracefs, programs may expect that these bits have changed when
 * this function returns. So it waits until the bits have changed, except for
 * bits in pages that are not present.
 *
 * Context: may sleep.
 *
 * Return: 0, -ENOENT if there is no such event, or another negative errno.
 */
int lkst_tree_turn(const struct lkst_tree_match *match, bool on)
{
	struct lkst_tree_change *change;
	int ret;

	change = lkst_tree_change_new(on);
	if (!change)
		return -ENOMEM;
	ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	if (ret)
		goto free;
	ret = lkst_tree_for_each(match, lkst_tree_choose, change);
	if (!ret && !change->found)
		ret = -ENOENT;
	if (!ret && !bitmap_empty(change->chosen, LKST_ETYPE_NUM))
		ret = lkst_tree_select(change);
	if (!ret)
		lkst_tree_set_gates(change);
	lkst_enablers_update();
	lkst_enablers_flush();
	if (ret)
		lkst_tree_release_taken(change);
	else if (!on)
		lkst_tree_release_chosen(change);
	mutex_unlock(&lkst_tree_maskset_mutex);
free:
	kvfree(change);
	return ret;
}

/**
 * lkst_tree_turn_again() - let a new filter or trigger of an event take effect
 * @etype: event type
 *
 * If the event is off and has no triggers, there is nothing to do.
 *
 * Context: may sleep. The caller holds lkst_tree_maskset_mutex.
 *
 * Return: 0 or a negative errno.
 */
int lkst_tree_turn_again(int etype)
{
	bool on = lkst_tree_is_on(etype);
	struct lkst_tree_change *change;
	int ret;

	if (!on && !lkst_tree_has_rule(etype, on) && !test_bit(etype, lkst_tree_dropped))
		return 0;
	change = lkst_tree_change_new(on);
	if (!change)
		return -ENOMEM;
	__set_bit(etype, change->chosen);
	ret = lkst_tree_select(change);
	kvfree(change);
	return ret;
}

/**
 * lkst_tree_turn_limited() - let new lists of threads take effect
 *
 * Context: may sleep. The caller holds lkst_tree_maskset_mutex.
 *
 * Return: 0 or a negative errno.
 */
int lkst_tree_turn_limited(void)
{
	struct lkst_tree_change *change = lkst_tree_change_new(false);
	int ret;

	if (!change)
		return -ENOMEM;
	ret = lkst_tree_select(change);
	kvfree(change);
	return ret;
}

/**
 * lkst_tree_maskset() - find the maskset of the tree
 *
 * Return: the id, or LKST_MASKSET_ID_VOID if there is no such maskset.
 */
lkst_maskset_id lkst_tree_maskset(void)
{
	return lkst_maskset_get_id(LKST_TREE_MASKSET);
}

/* Allocate the memory for turning events on. Return 0 or -ENOMEM. */
int __init lkst_tree_turn_start(void)
{
	lkst_tree_held = kvcalloc(LKST_ETYPE_PROGRAM_NUM, sizeof(*lkst_tree_held), GFP_KERNEL);
	return lkst_tree_held ? 0 : -ENOMEM;
}

/* Drop all references to events. The files of the tree have been removed. */
void __lkst_exit lkst_tree_turn_stop(void)
{
	unsigned int i;

	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++)
		lkst_tree_release(i);
	kvfree(lkst_tree_held);
}
