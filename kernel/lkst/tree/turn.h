/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turning events of the tree on and off.
 */
#ifndef _LKST_TREE_TURN_H
#define _LKST_TREE_TURN_H

#include <linux/types.h>
#include <linux/lkst_maskset.h>

#include "names.h"

/*
 * Serializes changes of the maskset "events". Protects the references to events
 * of programs, the filters, the triggers and the lists of threads.
 */
extern struct mutex lkst_tree_maskset_mutex;

int lkst_tree_turn(const struct lkst_tree_match *match, bool on);
int lkst_tree_turn_again(int etype);
int lkst_tree_turn_limited(void);
bool lkst_tree_is_on(int etype);
lkst_maskset_id lkst_tree_maskset(void);
int lkst_tree_turn_start(void);
void lkst_tree_turn_stop(void);

#endif
