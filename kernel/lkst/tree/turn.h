/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turning events of the tree on and off.
 */
#ifndef _LKST_TREE_TURN_H
#define _LKST_TREE_TURN_H

#include <linux/types.h>

#define LKST_TREE_SYSTEMS	2

/* Index: whether the event has LKST_USER_MULTI_FORMAT. */
extern const char *const lkst_tree_system_names[LKST_TREE_SYSTEMS];

/**
 * struct lkst_tree_filter - which events to turn on or off
 * @etype: type of the only such event, or 0 to choose by names
 * @either: name of a system or an event; NULL: any
 * @system: name of a system; NULL: any
 * @name: name of an event in its system; NULL: any
 */
struct lkst_tree_filter {
	int etype;
	const char *either;
	const char *system;
	const char *name;
};

int lkst_tree_turn(const struct lkst_tree_filter *filter, bool on);
int lkst_tree_turn_start(void);
void lkst_tree_turn_stop(void);

#endif
