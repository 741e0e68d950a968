/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Triggers of events, which become actions of rules in the maskset "events".
 * The caller holds lkst_tree_maskset_mutex.
 */
#ifndef _LKST_TREE_TRIGGER_H
#define _LKST_TREE_TRIGGER_H

#include <linux/types.h>

bool lkst_tree_has_triggers(int etype);
int lkst_tree_print_triggers(int etype, char *to, size_t size);
void lkst_tree_forget_triggers(int etype);
void lkst_tree_trigger_stop(void);

#endif
