/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds the names of values that the condition of a rule contains. */
#ifndef _LKST_LIB_TEXT_RULE_NAMES_H
#define _LKST_LIB_TEXT_RULE_NAMES_H

#include "lib/lkst.h"

struct lkst_etype;
struct lkst_values;

char *lkst_rule_names(const struct lkst_etype *type, const struct lkst_values *values,
		      enum lkst_machine machine, const char *condition, struct lkst_error *err);

#endif
