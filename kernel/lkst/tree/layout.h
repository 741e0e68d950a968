/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of an event of the kernel, with the kernel's names.
 */
#ifndef _LKST_TREE_LAYOUT_H
#define _LKST_TREE_LAYOUT_H

#include <linux/types.h>

#include "../rules/filter.h"

#define LKST_TREE_COLUMNS	16

/**
 * struct lkst_tree_column - a field
 * @name: the kernel's name
 * @name_len: its length
 * @field: where the value is in a record
 */
struct lkst_tree_column {
	const char *name;
	size_t name_len;
	struct lkst_filter_field field;
};

/**
 * struct lkst_tree_layout - the fields of an event
 * @name: the kernel's name of the event
 * @num: number of fields
 * @column: the fields, in the order in which the kernel prints them
 */
struct lkst_tree_layout {
	const char *name;
	unsigned int num;
	struct lkst_tree_column column[LKST_TREE_COLUMNS];
};

struct lkst_tree_layout *lkst_tree_layout_new(int etype);

#endif
