/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adding and removing added events.
 */
#ifndef _LKST_TREE_DYNAMIC_H
#define _LKST_TREE_DYNAMIC_H

#include <linux/fs.h>

/* The first letter of the definitions of synthetic events */
#define LKST_TREE_SYNTHETIC	"s"

int lkst_tree_added_execute(const char *text);
int lkst_tree_remove_events(const char *kinds, char *text);
int lkst_tree_open_added(struct file *file, const char *kinds);

#endif
