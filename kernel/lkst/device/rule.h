/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules, as programs and the boot parameter write them.
 */
#ifndef _LKST_DEVICE_RULE_H
#define _LKST_DEVICE_RULE_H

#include <linux/lkst_maskset.h>

struct lkst_rule_program;
struct lkst_watch_values;

int lkst_rule_program_of(struct lkst_rule_param *param, struct lkst_watch_values *begin,
			 struct lkst_rule_program **program);
int lkst_rule_check(struct lkst_rule_param *param);
int lkst_rule_write(struct lkst_rule_param *param);
int lkst_rule_read(struct lkst_rule_param *param);
int lkst_rules_set(lkst_maskset_id id, const char *text);

#endif
