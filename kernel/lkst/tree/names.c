// SPDX-License-Identifier: GPL-2.0
/*
 * Go through the events of the tree: those of the kernel, by the names of
 * aliases.c, those of programs, and added events.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/lkst.h>

#include "../added/added.h"
#include "../added/fetch.h"
#include "../user/registry.h"
#include "aliases.h"
#include "names.h"

const char *const lkst_tree_user_systems[LKST_TREE_USER_SYSTEMS] = {
	"user_events", "user_events_multi",
};

static bool lkst_tree_matches(const struct lkst_tree_match *match,
			      const struct lkst_tree_name *event)
{
	if (match->etype)
		return event->etype == match->etype;
	return (!match->either || !strcmp(match->either, event->system) ||
		!strcmp(match->either, event->name)) &&
	       (!match->system || !strcmp(match->system, event->system)) &&
	       (!match->name || !strcmp(match->name, event->name));
}

/**
 * struct lkst_tree_walk - arguments of lkst_tree_for_each()
 * @match: which events
 * @call: function to call
 * @data: its argument
 */
struct lkst_tree_walk {
	const struct lkst_tree_match *match;
	int (*call)(const struct lkst_tree_name *event, void *data);
	void *data;
};

static int lkst_tree_walk_registered(const struct lkst_user_event *user, const char *system,
				     const struct lkst_tree_walk *walk)
{
	const struct lkst_tree_name event = {
		.etype = user->etype,
		.system = system,
		.name = lkst_user_event_name(user),
		.user = user,
	};

	return lkst_tree_matches(walk->match, &event) ? walk->call(&event, walk->data) : 0;
}

static int lkst_tree_walk_user(const struct lkst_user_event *user, void *data)
{
	bool multi = user->flags & LKST_USER_MULTI_FORMAT;

	return lkst_tree_walk_registered(user, lkst_tree_user_systems[multi], data);
}

static int lkst_tree_walk_added(const struct lkst_added_info *info, void *data)
{
	char system[LKST_FETCH_NAME];

	strscpy(system, info->label, min(sizeof(system), strcspn(info->label, ":") + 1));
	return lkst_tree_walk_registered(info->event, system, data);
}

/**
 * lkst_tree_for_each() - call a function for each event
 * @match: which events
 * @call: the function
 * @data: passed to @call
 *
 * Context: may sleep. For events of programs and added events, @call is called
 * under the mutex of the registry or the mutex of added events, so @call must
 * not register, add or delete such events.
 *
 * Return: 0; the result of @call if that is not 0, in which case the remaining
 * events are left out; -EINTR if a fatal signal arrives while this function
 * waits for one of these mutexes.
 */
int lkst_tree_for_each(const struct lkst_tree_match *match,
		       int (*call)(const struct lkst_tree_name *event, void *data), void *data)
{
	struct lkst_tree_walk walk = { match, call, data };
	struct lkst_alias alias;
	int etype, ret;

	for (etype = 0; etype < LKST_ETYPE_USER_MIN; etype++) {
		struct lkst_tree_name event = { .etype = etype };

		if (!lkst_alias_of(etype, &alias))
			continue;
		event.system = alias.system;
		event.name = alias.name;
		if (!lkst_tree_matches(match, &event))
			continue;
		ret = call(&event, data);
		if (ret)
			return ret;
	}
	ret = lkst_user_for_each(lkst_tree_walk_user, &walk);
	return ret ?: lkst_added_for_each(lkst_tree_walk_added, &walk);
}
