/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of the tree, and how programs name them.
 */
#ifndef _LKST_TREE_NAMES_H
#define _LKST_TREE_NAMES_H

#include <linux/types.h>

struct lkst_user_event;

/**
 * struct lkst_tree_name - an event of the tree
 * @etype: event type
 * @system: name of its system
 * @name: name of the event in its system
 * @user: an event of a program or an added event: its entry in the registry,
 *	else NULL
 */
struct lkst_tree_name {
	int etype;
	const char *system;
	const char *name;
	const struct lkst_user_event *user;
};

/**
 * struct lkst_tree_match - chooses events
 * @etype: type of the only event that is chosen, or 0 to choose by names
 * @either: name of a system or an event; NULL: any
 * @system: name of a system; NULL: any
 * @name: name of an event in its system; NULL: any
 */
struct lkst_tree_match {
	int etype;
	const char *either;
	const char *system;
	const char *name;
};

#define LKST_TREE_USER_SYSTEMS	2

/*
 * The systems of events of programs. Index: whether an event has
 * LKST_USER_MULTI_FORMAT.
 */
extern const char *const lkst_tree_user_systems[LKST_TREE_USER_SYSTEMS];

int lkst_tree_for_each(const struct lkst_tree_match *match,
		       int (*call)(const struct lkst_tree_name *event, void *data), void *data);

#endif
