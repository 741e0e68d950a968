// SPDX-License-Identifier: GPL-2.0
/*
 * Look up the kernel's names of events and fields.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/lkst_etypes.h>

#include "../source/etype.h"
#include "aliases.h"

/*
 * The names in linux/lkst_aliases.h, and those of user_long_text, the event of
 * the file "trace_marker". linux/lkst_aliases.h lacks the latter, because in
 * the files that the tools export, the kernel's event "print" has other fields.
 * All these event types are below LKST_ETYPE_USER_MIN.
 */
static const struct lkst_alias lkst_aliases[LKST_ETYPE_USER_MIN] = {
#define LKST_ALIAS_DEF(mnemonic, system, name, fields)					\
	[LKST_ETYPE_##mnemonic] = { system, name, fields },
#include <linux/lkst_aliases.h>
#undef LKST_ALIAS_DEF
	[LKST_ETYPE_USER_LONG_TEXT] = { "ftrace", "print", "buf=text" },
};

/**
 * lkst_alias_of() - find the name of an event
 * @etype: event type
 * @alias: receives the name
 *
 * Return: false if there is no such event, or if it cannot occur. Events of
 * programs, of modules and of LKST itself are not in the table.
 */
bool lkst_alias_of(int etype, struct lkst_alias *alias)
{
	if (etype < 0 || etype >= LKST_ETYPE_USER_MIN || !lkst_etypes_builtin[etype] ||
	    !lkst_etype_present(etype))
		return false;
	*alias = lkst_aliases[etype];
	if (!alias->name)
		*alias = (struct lkst_alias){ "lkst", lkst_etypes_builtin[etype]->name, NULL };
	return true;
}

/**
 * lkst_alias_next_field() - take the next field from lkst_alias.fields
 * @at: the part of lkst_alias.fields that has not been taken yet
 * @field: receives the names of the field
 *
 * Return: the part after the field, or NULL if @at contains no field.
 */
const char *lkst_alias_next_field(const char *at, struct lkst_alias_field *field)
{
	size_t len;

	at += strspn(at, "; ");
	if (!*at)
		return NULL;
	len = strcspn(at, ";");
	field->kernel = at;
	field->kernel_len = min(strcspn(at, "="), len);
	field->lkst = at;
	field->lkst_len = len;
	if (field->kernel_len < len) {
		field->lkst += field->kernel_len + 1;
		field->lkst_len -= field->kernel_len + 1;
	}
	return at + len;
}
