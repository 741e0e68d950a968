/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Carrying out the actions of rules.
 */
#ifndef _LKST_DISPATCH_ACTION_H
#define _LKST_DISPATCH_ACTION_H

#include "../rules/rule.h"

/* The kinds of actions; ends with a row without a name. */
extern const struct lkst_action_type lkst_action_types[];

bool lkst_actions_running(void);
bool lkst_actions_allow(void);
void lkst_actions_disallow(void);
void lkst_actions_run(enum lkst_action_when when, int etype, const struct lkst_rule_fired *fired);

#endif
