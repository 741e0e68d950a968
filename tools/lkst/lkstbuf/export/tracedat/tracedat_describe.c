// SPDX-License-Identifier: GPL-2.0
/* Describes an event type, as the files "format" of the kernel's tracing directory do. */
#include <stdio.h>

#include "tracedat.h"

/* How members of each kind are described, and how they are printed if the plan has no print fmt. */
static const struct {
	const char *type;
	const char *format;
	bool is_signed;
} kinds[] = {
	[DAT_S32] = { "int", "%d", true },
	[DAT_U32] = { "unsigned int", "%u", false },
	[DAT_X32] = { "unsigned int", "0x%x", false },
	[DAT_S64] = { "s64", "%lld", true },
	[DAT_U64] = { "u64", "%llu", false },
	[DAT_X64] = { "u64", "0x%llx", false },
	[DAT_TEXT] = { "__data_loc char[]", "%s", true },
	[DAT_COMM] = { "char", "%s", true },
	[DAT_STATE] = { "s64", "%lld", true },
	[DAT_SECTORS] = { "unsigned int", "%u", false },
	[DAT_ARGS] = { "unsigned long", "0x%llx", false },
	[DAT_SELF] = { "pid_t", "%d", true },
	[DAT_SELF_COMM] = { "char", "%s", true },
	[DAT_CPU] = { "unsigned int", "%u", false },
	[DAT_NOT_IDLE] = { "unsigned int", "%u", false },
	[DAT_NO_PRIO] = { "int", "%d", true },
};

static char *describe_member(char *p, const char *type, const char *name, unsigned int offset,
			     unsigned int size, bool is_signed)
{
	return p + sprintf(p, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", type, name,
			   offset, size, is_signed);
}

static char *describe_item(char *p, const struct dat_item *item)
{
	char name[sizeof(item->name) + 8];

	if (item->kind == DAT_ARGS)
		snprintf(name, sizeof(name), "%s[%u]", item->name, item->num);
	else if (item->kind == DAT_COMM || item->kind == DAT_SELF_COMM)
		snprintf(name, sizeof(name), "%s[%u]", item->name, DAT_COMM_SIZE);
	else
		snprintf(name, sizeof(name), "%s", item->name);
	return describe_member(p, kinds[item->kind].type, name, item->offset, item->size,
			       kinds[item->kind].is_signed);
}

/* Write how to print an event: all members with their names. */
static char *describe_print(char *p, const struct dat_plan *plan)
{
	p = put_char(p, '"');
	for (size_t i = 0; i < plan->num; i++)
		p += sprintf(p, "%s%s=%s", i ? " " : "", plan->item[i].name,
			     kinds[plan->item[i].kind].format);
	p = put_char(p, '"');
	for (size_t i = 0; i < plan->num; i++) {
		const struct dat_item *item = &plan->item[i];

		if (item->kind == DAT_TEXT)
			p += sprintf(p, ", __get_str(%s)", item->name);
		else
			p += sprintf(p, ", REC->%s", item->name);
	}
	return p;
}

/**
 * dat_describe() - write the description of an event type
 * @p: destination, with room for DAT_DESCRIPTION bytes
 * @plan: members of the events
 *
 * Return: end of the description.
 */
char *dat_describe(char *p, const struct dat_plan *plan)
{
	p += sprintf(p, "name: %s\nID: %u\nformat:\n", plan->name, plan->id);
	p = describe_member(p, "unsigned short", "common_type", 0, 2, false);
	p = describe_member(p, "unsigned char", "common_flags", 2, 1, false);
	p = describe_member(p, "unsigned char", "common_preempt_count", 3, 1, false);
	p = describe_member(p, "int", "common_pid", 4, 4, true);
	p = put_char(p, '\n');
	for (size_t i = 0; i < plan->num; i++)
		p = describe_item(p, &plan->item[i]);
	p = put_text(p, "\nprint fmt: ");
	p = plan->print ? put_text(p, plan->print) : describe_print(p, plan);
	return put_char(p, '\n');
}
