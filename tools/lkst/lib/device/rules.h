/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes and reads rules: conditions under which the events of a maskset are recorded. */
#ifndef _LKST_LIB_DEVICE_RULES_H
#define _LKST_LIB_DEVICE_RULES_H

#include "lib/lkst.h"

/**
 * struct lkst_rule - a rule
 * @maskset: id of the maskset
 * @etype: number of the event type
 * @name: name of the event type, for messages
 * @text: condition; NULL in a call of lkst_rule_write(): delete the rule
 * @names: names of values in the condition, see struct lkst_rule_param; may be NULL
 */
struct lkst_rule {
	lkst_maskset_id maskset;
	unsigned int etype;
	const char *name;
	const char *text;
	const char *names;
};

int lkst_rule_write(struct lkst_device *dev, const struct lkst_rule *rule, struct lkst_error *err);
int lkst_rule_next(struct lkst_device *dev, lkst_maskset_id maskset, unsigned int *etype,
		   char **text, struct lkst_error *err);

#endif
