// SPDX-License-Identifier: GPL-2.0
/*
 * Find out which fields an event of the kernel has, and where they are in a
 * record.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "../device/rule_fields.h"
#include "../source/etype.h"
#include "aliases.h"
#include "layout.h"

static void lkst_tree_layout_add(struct lkst_tree_layout *layout, const char *name,
				 size_t name_len, const struct lkst_filter_field *field)
{
	struct lkst_tree_column *column = &layout->column[layout->num];

	if (layout->num == LKST_TREE_COLUMNS)
		return;
	*column = (struct lkst_tree_column){ name, name_len, *field };
	layout->num++;
}

static void lkst_tree_layout_alias(struct lkst_tree_layout *layout,
				   const struct lkst_rule_fields *fields, const char *at)
{
	const struct lkst_filter_field *field;
	struct lkst_alias_field alias;

	while ((at = lkst_alias_next_field(at, &alias)))
		for (field = fields->field; field < fields->field + fields->num; field++)
			if (field->name_len == alias.lkst_len &&
			    !strncmp(field->name, alias.lkst, alias.lkst_len))
				lkst_tree_layout_add(layout, alias.kernel, alias.kernel_len, field);
}

/**
 * lkst_tree_layout_new() - describe the fields of an event
 * @etype: type of an event of the kernel
 *
 * Return: the fields, which the caller frees with kfree(); -ENODEV if there is
 * no such event; or -ENOMEM.
 */
struct lkst_tree_layout *lkst_tree_layout_new(int etype)
{
	struct lkst_tree_layout *layout;
	struct lkst_rule_fields *fields;
	struct lkst_alias alias;
	unsigned int i;

	if (!lkst_alias_of(etype, &alias))
		return ERR_PTR(-ENODEV);
	layout = kzalloc_obj(*layout, GFP_KERNEL);
	fields = kvzalloc(sizeof(*fields), GFP_KERNEL);
	if (!layout || !fields) {
		kvfree(fields);
		kfree(layout);
		return ERR_PTR(-ENOMEM);
	}
	layout->name = alias.name;
	lkst_rule_fields_of_args(fields, lkst_etypes_builtin[etype]->args);
	if (alias.fields)
		lkst_tree_layout_alias(layout, fields, alias.fields);
	else
		for (i = 0; i < fields->num; i++)
			lkst_tree_layout_add(layout, fields->field[i].name,
					     fields->field[i].name_len, &fields->field[i]);
	kvfree(fields);
	return layout;
}
