/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describe the fields of an event to the parser of conditions. This file and
 * rule_fields.c also compile in user space.
 */
#ifndef _LKST_DEVICE_RULE_FIELDS_H
#define _LKST_DEVICE_RULE_FIELDS_H

#include "../rules/filter.h"
#include "../user/format.h"

/**
 * struct lkst_rule_fields - the fields of an event
 * @num: number of fields
 * @field: the fields
 * @format: fields of an event of a program
 */
struct lkst_rule_fields {
	unsigned int num;
	struct lkst_filter_field field[LKST_FORMAT_FIELDS_MAX];
	struct lkst_format format;
};

void lkst_rule_fields_of_args(struct lkst_rule_fields *fields, const char *const *args);
int lkst_rule_fields_of_format(struct lkst_rule_fields *fields, const char *text);
bool lkst_rule_name_value(const char *names, const struct lkst_filter_field *field,
			  const char *name, size_t name_len, __u64 *value);

#endif
