/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules of a maskset that is being written. The callers hold lkst_maskset_mutex,
 * except for lkst_maskset_put_rules().
 */
#ifndef _LKST_MASKSET_RULES_H
#define _LKST_MASKSET_RULES_H

#include <linux/types.h>

struct lkst_maskset;
struct lkst_rule;

struct lkst_rule *lkst_maskset_rule(unsigned int entry);
void lkst_maskset_put_rules(const struct lkst_maskset *maskset);
int lkst_maskset_entry(const struct lkst_maskset *maskset, int etype, unsigned int handler);
bool lkst_maskset_has_rule(const struct lkst_maskset *maskset, int etype);
int lkst_maskset_apply_actions(struct lkst_maskset *new, const struct lkst_maskset *old);
int lkst_maskset_keep_rules(struct lkst_maskset *new, const struct lkst_maskset *from);
int lkst_maskset_apply_limit(struct lkst_maskset *new);

#endif
