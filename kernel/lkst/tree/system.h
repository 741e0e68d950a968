/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directories of systems of events, and of groups of added events.
 */
#ifndef _LKST_TREE_SYSTEM_H
#define _LKST_TREE_SYSTEM_H

#include <linux/list.h>
#include <linux/types.h>

#include "../added/fetch.h"

struct dentry;

/**
 * struct lkst_tree_group - the directory of a group of added events
 * @node: in the list of all groups
 * @dir: the directory
 * @shared: whether the kernel's events or those of programs have a system with
 *	this name, so that the directory is that of the system
 * @events: number of added events in it
 * @name: name of the group
 */
struct lkst_tree_group {
	struct list_head node;
	struct dentry *dir;
	bool shared;
	unsigned int events;
	char name[LKST_FETCH_NAME];
};

struct dentry *lkst_tree_system(struct dentry *parent, const char *system);
struct lkst_tree_group *lkst_tree_group_get(struct dentry *parent, const char *label);
void lkst_tree_group_put(struct lkst_tree_group *group);

#endif
