// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/trace/reader.h"
#include "tracedat_plan.h"

#define PLAN_FIRST_ID 300 /* above the numbers of events that trace-cmd knows by their number */
#define PLAN_COMMON   8 /* bytes of the members that all events have */

/**
 * dat_plans_new() - make an empty set of plans
 * @err: set if an allocation fails
 */
struct dat_plans *dat_plans_new(struct lkst_error *err)
{
	struct dat_plans *plans = calloc(1, sizeof(*plans));

	if (!plans)
		lkst_error_memory(err, "the event types");
	return plans;
}

/**
 * dat_plans_free() - free plans
 * @plans: may be NULL
 */
void dat_plans_free(struct dat_plans *plans)
{
	if (!plans)
		return;
	for (size_t i = 0; i < LKST_ETYPE_NUM; i++)
		for (struct dat_plan *plan = plans->of[i], *next; plan; plan = next) {
			next = plan->next;
			free(plan);
		}
	free(plans);
}

/* ---- members ---- */

/* Copy a name, so that it is a valid identifier. */
static void plan_copy_name(char *to, size_t size, const char *name)
{
	size_t len = 0;

	if (!isalpha((unsigned char)*name))
		to[len++] = '_';
	for (; *name && len + 1 < size; name++)
		to[len++] = isalnum((unsigned char)*name) ? *name : '_';
	to[len] = 0;
}

static bool plan_has_member(const struct dat_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->num; i++)
		if (!strcmp(plan->item[i].name, name))
			return true;
	return false;
}

static uint16_t plan_size_of(enum dat_kind kind)
{
	switch (kind) {
	case DAT_S64:
	case DAT_U64:
	case DAT_X64:
	case DAT_STATE:
	case DAT_ARGS:
		return 8;
	case DAT_COMM:
	case DAT_SELF_COMM:
		return DAT_COMM_SIZE;
	default:
		return 4;
	}
}

/* Add a member. The caller has made sure that there is room. */
static void plan_add(struct dat_plan *plan, const struct lkst_field *field, uint8_t arg,
		     enum dat_kind kind, const char *name)
{
	struct dat_item *item = &plan->item[plan->num];
	uint16_t size = plan_size_of(kind), align = size < 8 ? size : 8;

	plan_copy_name(item->name, sizeof(item->name), name);
	if (plan_has_member(plan, item->name))
		snprintf(item->name, sizeof(item->name), "member_%zu", plan->num);
	item->field = field;
	item->kind = kind;
	item->arg = field ? field->arg : arg;
	item->num = kind == DAT_ARGS ? 4 - item->arg : 1;
	item->size = size * item->num;
	item->offset = (uint16_t)((plan->size + align - 1) / align * align);
	plan->size = item->offset + item->size;
	plan->num++;
}

static const struct lkst_field *plan_field(const struct lkst_etype *type, const char *label)
{
	for (size_t i = 0; i < type->fields; i++)
		if (!strcmp(type->field[i].label, label))
			return &type->field[i];
	return NULL;
}

/* ---- events of the kernel ---- */

/*
 * Fill in a plan for an event of the kernel. Arguments that LKST's event does not have are left
 * out.
 */
static void plan_fill_native(struct dat_plan *plan, const struct dat_native *native)
{
	plan->system = native->system;
	plan->print = native->print;
	plan->value = native->value;
	if (native->choice)
		plan->choice = plan_field(plan->type, native->choice);
	snprintf(plan->name, sizeof(plan->name), "%s", native->name);
	for (size_t i = 0; i < DAT_NATIVE_ITEMS && native->item[i].label; i++) {
		const struct dat_native_item *item = &native->item[i];
		const struct lkst_field *field = plan_field(plan->type, item->label);

		if (field || !*item->label)
			plan_add(plan, *item->label ? field : NULL, 0, item->kind, item->name);
		else
			plan->print = NULL;
	}
}

/* ---- other events ---- */

/* Return the kind of an argument of an event that the kernel does not have. */
static enum dat_kind plan_kind_of(const struct lkst_field *field)
{
	bool whole = field->part == LKST_PART_WHOLE;

	if (field->user)
		whole = field->user->size == 8;
	switch (field->format) {
	case LKST_FMT_PTR:
	case LKST_FMT_HEX:
	case LKST_FMT_EVH:
		return whole ? DAT_X64 : DAT_X32;
	case LKST_FMT_UDEC:
	case LKST_FMT_SEC:
	case LKST_FMT_NSEC:
		return whole ? DAT_U64 : DAT_U32;
	case LKST_FMT_TID:
		return DAT_S32;
	case LKST_FMT_DEC:
	case LKST_FMT_CPU:
	case LKST_FMT_ERR:
	case LKST_FMT_IRQ:
	case LKST_FMT_MSET:
		return whole ? DAT_S64 : DAT_S32;
	default:
		return DAT_TEXT;
	}
}

/*
 * Return the name of an event. If it is a user event, such as "user_events:NAME", return only NAME,
 * and set @plan->system to "user_events", as in ftrace.
 */
static const char *plan_own_name(struct dat_plan *plan)
{
	static const char *const systems[] = { "user_events", "user_events_multi" };
	const char *name = plan->type->name;

	for (size_t i = 0; plan->type->list && i < sizeof(systems) / sizeof(*systems); i++) {
		size_t len = strlen(systems[i]);

		if (strncmp(name, systems[i], len) != 0 || name[len] != ':')
			continue;
		plan->system = systems[i];
		return name + len + 1;
	}
	return name;
}

/**
 * struct plan_alias - the kernel's names for an event of LKST that the kernel has as well
 * @type: LKST's event type
 * @mnemonic: its mnemonic
 * @system: group of the kernel's event
 * @name: name of the kernel's event
 * @fields: names of its members, see linux/lkst_aliases.h
 */
struct plan_alias {
	uint32_t type;
	const char *mnemonic;
	const char *system;
	const char *name;
	const char *fields;
};

/*
 * Find the kernel's names for an event type. Return NULL if none exist. Also return NULL if the
 * event type is in dat_natives: then another plan of this event type already has the kernel's
 * names, with other members.
 */
static const struct plan_alias *plan_find_alias(const struct lkst_etype *etype, uint32_t type)
{
	static const struct plan_alias aliases[] = {
#define LKST_ALIAS_DEF(mnemonic, system, name, fields)                             \
	{ LKST_ETYPE_##mnemonic, #mnemonic, system, name, fields },
#include "linux/lkst_aliases.h"
#undef LKST_ALIAS_DEF
	};

	for (const struct dat_native *native = dat_natives; native->type; native++)
		if (native->type == type)
			return NULL;
	for (size_t i = 0; etype && i < sizeof(aliases) / sizeof(*aliases); i++)
		if (aliases[i].type == type && !strcmp(etype->mnemonic, aliases[i].mnemonic))
			return &aliases[i];
	return NULL;
}

/*
 * Copy the kernel's name of the member @label: in @alias->fields, the name precedes "=" and the
 * label. If the label is missing there, or if @alias is NULL, the name is @label itself.
 */
static void plan_member_name(char *to, size_t size, const struct plan_alias *alias,
			     const char *label)
{
	const char *at = alias ? alias->fields : "", *equals;
	size_t len;

	for (; *at; at += len, at += strspn(at, "; ")) {
		len = strcspn(at, ";");
		equals = memchr(at, '=', len);
		if (equals && strlen(label) == len - (size_t)(equals + 1 - at) &&
		    !strncmp(equals + 1, label, strlen(label))) {
			snprintf(to, size, "%.*s", (int)(equals - at), at);
			return;
		}
	}
	snprintf(to, size, "%s", label);
}

static void plan_fill_own(struct dat_plan *plan, uint32_t type)
{
	static const char *const labels[] = { "arg1", "arg2", "arg3", "arg4" };
	const struct plan_alias *alias = plan_find_alias(plan->type, type);
	char name[sizeof(plan->name)];
	const char *own;

	plan->system = alias ? alias->system : "lkst";
	if (!plan->type) {
		snprintf(plan->name, sizeof(plan->name), "%s0x%03x",
			 lkst_etype_is_user(type) ? LKST_USER_PREFIX : "event_", type);
		for (uint8_t i = 0; i < 4; i++)
			plan_add(plan, NULL, i, DAT_X64, labels[i]);
		return;
	}
	own = alias ? alias->name : plan_own_name(plan);
	plan_copy_name(name, sizeof(name), own);
	memcpy(plan->name, name, sizeof(name));
	for (size_t i = 0; i < plan->type->fields; i++) {
		const struct lkst_field *field = &plan->type->field[i];

		if (!field->label_len || field->shown == LKST_SHOWN_VERBOSE)
			continue;
		plan_member_name(name, sizeof(name), alias, field->label);
		plan_add(plan, field, 0, plan_kind_of(field), name);
	}
}

/* ---- finding a plan ---- */

/* Find a plan of another event type for the same event of the kernel; NULL: none. */
static const struct dat_plan *plan_twin(const struct dat_plans *plans, const struct dat_plan *plan,
					uint32_t type)
{
	for (uint32_t i = 0; i < LKST_ETYPE_NUM; i++)
		for (const struct dat_plan *other = plans->of[i]; other; other = other->next)
			if (i != type && !strcmp(other->system, plan->system) &&
			    !strcmp(other->name, plan->name) && other->num == plan->num &&
			    other->size == plan->size)
				return other;
	return NULL;
}

/* Add a plan to the plans of its type, which stay in the order in which they were added. */
static struct dat_plan *plan_new(struct dat_plans *plans, const struct lkst_etype *etype,
				 uint32_t type, const struct dat_native *native)
{
	struct dat_plan *plan = calloc(1, sizeof(*plan)), **last = &plans->of[type];
	const struct dat_plan *twin;

	if (!plan)
		return NULL;
	plan->type = etype;
	plan->size = PLAN_COMMON;
	if (native)
		plan_fill_native(plan, native);
	else
		plan_fill_own(plan, type);
	twin = native ? plan_twin(plans, plan, type) : NULL;
	plan->id = twin ? twin->id : (uint16_t)(PLAN_FIRST_ID + plans->num++);
	while (*last)
		last = &(*last)->next;
	*last = plan;
	return plan;
}

/*
 * Make the plans for an event type: one for each of the kernel's own trace events to which events
 * of this type can correspond (dat_natives), and one for the other events of this type. Returns 0;
 * -1 if an allocation failed.
 */
static int plans_add(struct dat_plans *plans, const struct lkst_etype *etype, uint32_t type)
{
	for (const struct dat_native *native = dat_natives; native->type && etype; native++)
		if (native->type == type && !plan_new(plans, etype, type, native))
			return -1;
	return plan_new(plans, etype, type, NULL) ? 0 : -1;
}

static struct dat_plan *plans_find(const struct dat_plans *plans, const struct lkst_etype *etype,
				   uint32_t type, const struct lkst_event *event)
{
	struct dat_plan *plan = plans->of[type];

	for (; plan; plan = plan->next)
		if (lkst_etype_is_same(plan->type, etype) &&
		    (!plan->choice || lkst_field_value(plan->choice, event) == plan->value))
			return plan;
	return NULL;
}

/**
 * dat_plans_get() - find the plan of an event
 * @plans: plans, which own the result
 * @types: event types of the kernel that recorded the event; they must exist as long as @plans
 * @event: event
 * @err: set on failure
 */
struct dat_plan *dat_plans_get(struct dat_plans *plans, const struct lkst_etypes *types,
			       const struct lkst_event *event, struct lkst_error *err)
{
	const struct lkst_etype *etype = lkst_etype(types, event->type);
	uint32_t type = event->type < LKST_ETYPE_NUM ? event->type : 0;
	struct dat_plan *plan = plans_find(plans, etype, type, event);

	if (plan)
		return plan;
	/* A type has at most three plans. */
	if (plans->num > UINT16_MAX - PLAN_FIRST_ID - 3) {
		lkst_error_set(err, LKST_ERR_FORMAT,
			       "too many event types (export the files one by one)");
		return NULL;
	}
	if (plans_add(plans, etype, type)) {
		lkst_error_memory(err, "the event types");
		return NULL;
	}
	return plans_find(plans, etype, type, event);
}
