/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lists of threads to which events are limited. The caller holds
 * lkst_tree_maskset_mutex.
 */
#ifndef _LKST_TREE_PIDS_H
#define _LKST_TREE_PIDS_H

#include <linux/lkst_maskset.h>

/* The lists. inode->i_private of a file is one of these. */
#define LKST_TREE_PIDS_TRACED		0UL
#define LKST_TREE_PIDS_NOT_TRACED	1UL
#define LKST_TREE_PIDS			2

int lkst_tree_pids_write(lkst_maskset_id id);
void lkst_tree_pids_stop(void);

#endif
