// SPDX-License-Identifier: GPL-2.0
/*
 * The directories of systems of events. The directory of a group of added
 * events exists while the group has events.
 */
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "event.h"
#include "system.h"

/* All groups. The callers of the functions below serialize the calls. */
static LIST_HEAD(lkst_tree_groups);

/**
 * lkst_tree_system() - create the directory of a system
 * @parent: the directory in which to create it
 * @system: name of the system, which must stay valid while the directory exists
 *
 * Context: may sleep.
 *
 * Return: the directory.
 */
struct dentry *lkst_tree_system(struct dentry *parent, const char *system)
{
	struct dentry *dir = debugfs_create_dir(system, parent);
	void *name = (void *)system;

	debugfs_create_file("enable", 0640, dir, name, &lkst_tree_enable_all_fops);
	debugfs_create_file("filter", 0640, dir, name, &lkst_tree_filter_all_fops);
	return dir;
}

/* Return the group with a name, or NULL. */
static struct lkst_tree_group *lkst_tree_group_find(const char *name)
{
	struct lkst_tree_group *group;

	list_for_each_entry(group, &lkst_tree_groups, node)
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static struct lkst_tree_group *lkst_tree_group_new(struct dentry *parent, const char *name)
{
	struct lkst_tree_group *group = kzalloc_obj(*group, GFP_KERNEL);

	if (!group)
		return NULL;
	strscpy(group->name, name, sizeof(group->name));
	group->dir = debugfs_lookup(name, parent);
	/*
	 * A file may have the name of the group, such as "enable". debugfs must
	 * not look up names in it, so the events of such a group get no
	 * directories.
	 */
	if (group->dir && !d_is_dir(group->dir)) {
		dput(group->dir);
		group->dir = NULL;
	}
	group->shared = group->dir;
	if (!group->shared)
		group->dir = lkst_tree_system(parent, group->name);
	list_add(&group->node, &lkst_tree_groups);
	return group;
}

/**
 * lkst_tree_group_get() - find or create the directory of a group
 * @parent: the directory of all systems
 * @label: name of an added event, "GROUP:EVENT"
 *
 * Context: may sleep.
 *
 * Return: the group, to which the event has been added; NULL without memory.
 */
struct lkst_tree_group *lkst_tree_group_get(struct dentry *parent, const char *label)
{
	char name[LKST_FETCH_NAME];
	struct lkst_tree_group *group;

	strscpy(name, label, min(sizeof(name), strcspn(label, ":") + 1));
	group = lkst_tree_group_find(name) ?: lkst_tree_group_new(parent, name);
	if (group)
		group->events++;
	return group;
}

/**
 * lkst_tree_group_put() - remove an event from a group
 * @group: the group, or NULL. The group is removed with its last event
 *
 * Context: may sleep.
 */
void lkst_tree_group_put(struct lkst_tree_group *group)
{
	if (!group || --group->events)
		return;
	if (group->shared)
		dput(group->dir);
	else
		debugfs_remove(group->dir);
	list_del(&group->node);
	kfree(group);
}
