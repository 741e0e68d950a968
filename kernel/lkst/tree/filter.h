/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events. The caller holds lkst_tree_maskset_mutex.
 */
#ifndef _LKST_TREE_FILTER_H
#define _LKST_TREE_FILTER_H

const char *lkst_tree_filter_of(int etype);
void lkst_tree_forget_filter(int etype);
void lkst_tree_filter_stop(void);

#endif
