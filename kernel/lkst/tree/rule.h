/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of the maskset "events": the filters and the triggers of events.
 * The caller holds lkst_tree_maskset_mutex.
 */
#ifndef _LKST_TREE_RULE_H
#define _LKST_TREE_RULE_H

#include <linux/types.h>
#include <linux/lkst_maskset.h>

bool lkst_tree_has_rule(int etype, bool on);
int lkst_tree_write_rule(lkst_maskset_id id, int etype, bool on);
int lkst_tree_check_condition(struct lkst_rule_param *param, const char *text,
			      char **translated);

#endif
