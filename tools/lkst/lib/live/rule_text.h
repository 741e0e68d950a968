/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes rules as users type them, with the names of values of the running kernel. */
#ifndef _LKST_LIB_LIVE_RULE_TEXT_H
#define _LKST_LIB_LIVE_RULE_TEXT_H

#include "lib/lkst.h"

struct lkst_values;

/**
 * struct lkst_rule_system - what the texts of rules can refer to on the running kernel
 * @types: event types
 * @values: names of values
 * @machine: architecture, on which the numbers of system calls depend
 */
struct lkst_rule_system {
	struct lkst_etypes *types;
	struct lkst_values *values;
	enum lkst_machine machine;
};

int lkst_rule_system_load(struct lkst_rule_system *system, struct lkst_error *err);
void lkst_rule_system_free(struct lkst_rule_system *system);
int lkst_rule_write_text(struct lkst_device *dev, const struct lkst_rule_system *system,
			 lkst_maskset_id maskset, unsigned int etype, const char *text,
			 struct lkst_error *err);

#endif
