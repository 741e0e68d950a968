/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events, which become rules of the maskset "events" while the event
 * is on. The caller holds lkst_tree_maskset_mutex.
 */
#ifndef _LKST_TREE_FILTER_H
#define _LKST_TREE_FILTER_H

#include <linux/types.h>
#include <linux/lkst_maskset.h>

bool lkst_tree_has_filter(int etype);
int lkst_tree_write_filter(lkst_maskset_id id, int etype);
void lkst_tree_forget_filter(int etype);
void lkst_tree_filter_stop(void);

#endif
