/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names that the kernel's own tracing gives to LKST's events and fields.
 */
#ifndef _LKST_TREE_ALIASES_H
#define _LKST_TREE_ALIASES_H

#include <linux/types.h>

/**
 * struct lkst_alias - the kernel's name of an event
 * @system: its system; "lkst" if the kernel has no such event
 * @name: its name in the system
 * @fields: the names of its fields, as in linux/lkst_aliases.h; NULL if they
 *	are the same as LKST's
 */
struct lkst_alias {
	const char *system;
	const char *name;
	const char *fields;
};

/**
 * struct lkst_alias_field - the names of a field
 * @kernel: the kernel's name
 * @kernel_len: its length
 * @lkst: LKST's name
 * @lkst_len: its length
 */
struct lkst_alias_field {
	const char *kernel;
	size_t kernel_len;
	const char *lkst;
	size_t lkst_len;
};

bool lkst_alias_of(int etype, struct lkst_alias *alias);
const char *lkst_alias_next_field(const char *at, struct lkst_alias_field *field);

#endif
