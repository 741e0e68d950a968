// SPDX-License-Identifier: GPL-2.0
/*
 * Turn events on and off. A change copies the selected maskset to the maskset
 * "lkst_tree", turns the events on or off in this copy, and selects it.
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
#include "turn.h"

#define LKST_TREE_MASKSET	"lkst_tree"

/*
 * The events that are on because the tree turned them on, else NULL. As in
 * tracefs, an event that is turned on must not disappear, so the tree has a
 * reference to it. Index: event type - LKST_ETYPE_PROGRAM_MIN.
 */
static struct lkst_user_event **lkst_tree_held;

/* Serializes changes of the maskset "lkst_tree". Protects lkst_tree_held. */
static DEFINE_MUTEX(lkst_tree_maskset_mutex);

const char *const lkst_tree_system_names[LKST_TREE_SYSTEMS] = {
	"user_events", "user_events_multi",
};

/**
 * struct lkst_tree_change - what is needed to turn events on or off
 * @filter: which events
 * @on: whether to turn them on
 * @found: whether the filter has matched an event
 * @chosen: bitmap of the events that this change turns on or off
 * @taken: bitmap of the chosen events to which this change has taken references
 * @body: the maskset, with room for LKST_MASKSET_SIZE_MAX bytes
 */
struct lkst_tree_change {
	const struct lkst_tree_filter *filter;
	bool on;
	bool found;
	DECLARE_BITMAP(chosen, LKST_ETYPE_PROGRAM_NUM);
	DECLARE_BITMAP(taken, LKST_ETYPE_PROGRAM_NUM);
	struct lkst_maskset_body body;
};

static bool lkst_tree_matches(const struct lkst_tree_filter *filter,
			      const struct lkst_user_event *event)
{
	const char *system = lkst_tree_system_names[!!(event->flags & LKST_USER_MULTI_FORMAT)];
	const char *name = lkst_user_event_name(event);

	if (filter->etype)
		return event->etype == filter->etype;
	return (!filter->either || !strcmp(filter->either, system) ||
		!strcmp(filter->either, name)) &&
	       (!filter->system || !strcmp(filter->system, system)) &&
	       (!filter->name || !strcmp(filter->name, name));
}

/*
 * Choose an event if the filter matches it, and take a reference to it, unless
 * the tree has one already. An event that is off need not be turned off.
 */
static int lkst_tree_choose(const struct lkst_user_event *event, void *data)
{
	struct lkst_tree_change *change = data;
	unsigned int i = event->etype - LKST_ETYPE_PROGRAM_MIN;

	if (!lkst_tree_matches(change->filter, event))
		return 0;
	change->found = true;
	if (!change->on && !lkst_tree_held[i] && !lkst_user_event_on(event))
		return 0;
	__set_bit(i, change->chosen);
	if (!lkst_tree_held[i]) {
		/* The event is not freed while lkst_user_for_each() runs. */
		lkst_tree_held[i] = (struct lkst_user_event *)event;
		lkst_user_event_get(lkst_tree_held[i]);
		__set_bit(i, change->taken);
	}
	return 0;
}

/* Drop the references to some events. */
static void lkst_tree_release(const unsigned long *events)
{
	unsigned int i;

	for_each_set_bit(i, events, LKST_ETYPE_PROGRAM_NUM) {
		lkst_user_event_put(lkst_tree_held[i]);
		lkst_tree_held[i] = NULL;
	}
}

/*
 * Turn the chosen events on or off: write a copy of the selected maskset with
 * these changes to the maskset "lkst_tree", and select it. The copy has entries
 * for the chosen events, because there are references to them.
 */
static int lkst_tree_select(struct lkst_tree_change *change)
{
	struct lkst_maskset_body *body = &change->body;
	struct lkst_maskset_param param = {
		.id = LKST_MASKSET_ID_VOID,
		.maskset_size = LKST_MASKSET_SIZE_MAX,
		.maskset = (unsigned long)body,
	};
	struct lkst_maskset_entry *entry;
	int ret;

	ret = lkst_maskset_read(&param);
	if (ret)
		return ret;
	for (entry = body->entry; entry < body->entry + body->len; entry++)
		if (lkst_etype_of_program(entry->event_type) &&
		    test_bit(entry->event_type - LKST_ETYPE_PROGRAM_MIN, change->chosen))
			entry->id = change->on ? LKST_EVHANDLER_ID_ENTRY_LOG :
						 LKST_EVHANDLER_ID_NONE;
	/* Do not keep the ID: root may delete the maskset and reuse its ID. */
	param.id = lkst_maskset_get_id(LKST_TREE_MASKSET);
	param.maskset_size = LKST_MASKSET_SIZE(body->len);
	strscpy_pad(body->name, LKST_TREE_MASKSET, sizeof(body->name));
	ret = lkst_maskset_write(&param);
	return ret ?: lkst_maskset_set_wait(param.id);
}

/*
 * Turn events on or off. As with tracefs, programs may expect that their bits
 * have changed when this function returns. So wait until the bits have changed,
 * except for bits in pages that are not present. Return 0, -ENOENT if @filter
 * matches no event, or another negative errno.
 */
int lkst_tree_turn(const struct lkst_tree_filter *filter, bool on)
{
	struct lkst_tree_change *change;
	int ret;

	change = kvzalloc(offsetof(struct lkst_tree_change, body) + LKST_MASKSET_SIZE_MAX,
			  GFP_KERNEL);
	if (!change)
		return -ENOMEM;
	change->filter = filter;
	change->on = on;
	ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	if (ret)
		goto free;
	ret = lkst_user_for_each(lkst_tree_choose, change);
	if (!ret && !change->found)
		ret = -ENOENT;
	if (!ret && !bitmap_empty(change->chosen, LKST_ETYPE_PROGRAM_NUM))
		ret = lkst_tree_select(change);
	lkst_enablers_update();
	lkst_enablers_flush();
	if (ret)
		lkst_tree_release(change->taken);
	else if (!on)
		lkst_tree_release(change->chosen);
	mutex_unlock(&lkst_tree_maskset_mutex);
free:
	kvfree(change);
	return ret;
}

/* Prepare for turning events on. Return 0 or -ENOMEM. */
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
		if (lkst_tree_held[i])
			lkst_user_event_put(lkst_tree_held[i]);
	kvfree(lkst_tree_held);
}
