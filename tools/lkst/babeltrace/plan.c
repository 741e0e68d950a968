// SPDX-License-Identifier: LGPL-2.1
/*
 * The first fields of an event class are the fields of LTTng's event. The other values of LKST's
 * event follow, with the labels that they have in LKST. If the values of a number have names,
 * another field follows the number. This second field contains the text that "lkstbuf print" shows,
 * and its name ends with "_name".
 */
#include "plan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/field.h"

/* What a number of each format looks like. Formats that are not listed are unsigned and decimal. */
static const struct {
	bool is_signed;
	bool hex;
	bool named;
} formats[LKST_FMT_NUM] = {
	[LKST_FMT_HEX] = { .hex = true },
	[LKST_FMT_DEC] = { .is_signed = true },
	[LKST_FMT_PTR] = { .hex = true },
	[LKST_FMT_SYM] = { .hex = true, .named = true },
	[LKST_FMT_TID] = { .is_signed = true },
	[LKST_FMT_STATE] = { .hex = true, .named = true },
	[LKST_FMT_SIG] = { .is_signed = true, .named = true },
	[LKST_FMT_ERR] = { .is_signed = true, .named = true },
	[LKST_FMT_SYS] = { .named = true },
	[LKST_FMT_CLONE] = { .hex = true, .named = true },
	[LKST_FMT_WSTATUS] = { .hex = true, .named = true },
	[LKST_FMT_IRQ] = { .is_signed = true, .named = true },
	[LKST_FMT_VEC] = { .named = true },
	[LKST_FMT_TRAP] = { .named = true },
	[LKST_FMT_SOFTIRQ] = { .named = true },
	[LKST_FMT_PFCODE] = { .hex = true, .named = true },
	[LKST_FMT_FAULT] = { .hex = true, .named = true },
	[LKST_FMT_GFP] = { .hex = true, .named = true },
	[LKST_FMT_MIGRATE] = { .is_signed = true, .named = true },
	[LKST_FMT_DEV] = { .named = true },
	[LKST_FMT_BLKOP] = { .named = true },
	[LKST_FMT_ETYPE] = { .hex = true, .named = true },
	[LKST_FMT_DROP] = { .named = true },
	[LKST_FMT_TCP] = { .named = true },
	[LKST_FMT_AF] = { .named = true },
	[LKST_FMT_IPPROTO] = { .named = true },
	[LKST_FMT_IPCFLG] = { .hex = true, .named = true },
	[LKST_FMT_MSGFLG] = { .hex = true, .named = true },
	[LKST_FMT_SHMFLG] = { .hex = true, .named = true },
	[LKST_FMT_LCB] = { .hex = true, .named = true },
	[LKST_FMT_LEVEL] = { .named = true },
	[LKST_FMT_DETECTOR] = { .named = true },
	[LKST_FMT_LOCKUP] = { .named = true },
	[LKST_FMT_REG] = { .hex = true, .named = true },
	[LKST_FMT_DUMP] = { .named = true },
	[LKST_FMT_CPU] = { .is_signed = true },
	[LKST_FMT_CLOCK] = { .named = true },
	[LKST_FMT_EVH] = { .hex = true },
	[LKST_FMT_CODE] = { .named = true },
	[LKST_FMT_CHAIN] = { .hex = true },
};

/* A plan that is being made. @used is set for the fields of LKST that the plan already contains. */
struct planning {
	struct plan *plan;
	const struct lkst_etype *type;
	bool used[LKST_FIELDS_MAX];
};

/* ---- names ---- */

/* Copy a name, which may come from a damaged file, and make it an identifier. */
static void plan_identifier(char to[PLAN_NAME_MAX], const char *name, const char *end)
{
	char *p = to;

	snprintf(to, PLAN_NAME_MAX, "%s%s%s", isdigit((unsigned char)*name) ? "_" : "", name, end);
	for (; *p; p++)
		if (!isascii((unsigned char)*p) || !isalnum((unsigned char)*p))
			*p = '_';
}

static bool plan_has(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->num; i++)
		if (!strcmp(plan->field[i].name, name))
			return true;
	return false;
}

/* Add a field; its name, followed by @end, must be new. Returns whether it was added. */
static bool plan_add(struct plan *plan, const char *name, const char *end, struct plan_field field,
		     struct field_class class)
{
	struct plan_field *to = &plan->field[plan->num];

	if (plan->num == PLAN_FIELDS_MAX)
		return false;
	plan_identifier(field.name, name, end);
	if (plan_has(plan, field.name))
		return false;
	*to = field;
	plan->class[plan->num] = class;
	plan->class[plan->num++].name = to->name;
	return true;
}

/* ---- the fields of LKST ---- */

static uint8_t plan_find(const struct lkst_etype *type, const char *label)
{
	for (uint8_t i = 0; label && i < type->fields; i++)
		if (!strcmp(type->field[i].label, label))
			return i;
	return PLAN_NO_FIELD;
}

static void plan_use(struct planning *on, uint8_t field)
{
	if (field != PLAN_NO_FIELD)
		on->used[field] = true;
}

static struct field_class plan_number(const struct lkst_field *field)
{
	if (field->user)
		return (struct field_class){
			.kind = field->user->is_signed ? FIELD_SIGNED : FIELD_UNSIGNED,
			.bits = (uint8_t)(8 * field->user->size),
		};
	return (struct field_class){
		.kind = formats[field->format].is_signed ? FIELD_SIGNED : FIELD_UNSIGNED,
		.bits = field->part == LKST_PART_WHOLE && field->format != LKST_FMT_TID ? 64 :
											       32,
		.hex = formats[field->format].hex,
	};
}

/*
 * Add the text of a number. Do not add it for an interrupt if the event has a field with the name
 * of the handler, nor for a system call if the name of the event contains the name of the call.
 */
static void plan_add_name(struct planning *on, const char *name, uint8_t index)
{
	const struct lkst_field *field = &on->type->field[index];

	if (!formats[field->format].named ||
	    (field->format == LKST_FMT_IRQ && on->type->has_name) ||
	    (field->format == LKST_FMT_SYS && (on->type->number == LKST_ETYPE_SYSCALL_ENTRY ||
					       on->type->number == LKST_ETYPE_SYSCALL_EXIT)))
		return;
	plan_add(on->plan, name, "_name",
		 (struct plan_field){ .how = PLAN_NAME, .field = index, .text = PLAN_NO_FIELD },
		 (struct field_class){ .kind = FIELD_STRING });
}

static void plan_add_file(struct planning *on, const char *name, uint8_t index)
{
	if (on->type->number == LKST_ETYPE_SYSCALL_ENTRY && on->type->field[index].arg == 1)
		plan_add(on->plan, name, "_name",
			 (struct plan_field){ .how = PLAN_FILE, .field = index },
			 (struct field_class){ .kind = FIELD_STRING });
}

static void plan_add_stack(struct planning *on, uint8_t index)
{
	const char *label = on->type->field[index].label;

	plan_add(on->plan, label, "", (struct plan_field){ .how = PLAN_STACK, .field = index },
		 (struct field_class){ .kind = FIELD_NUMBERS, .bits = 64, .hex = true });
	plan_add(on->plan, label, "_name",
		 (struct plan_field){ .how = PLAN_STACK_NAMES, .field = index },
		 (struct field_class){ .kind = FIELD_STRINGS });
}

static bool plan_is_text(const struct lkst_field *field)
{
	return field->format == LKST_FMT_TEXT && field->part == LKST_PART_WHOLE;
}

/* Add a field of LKST under a name. */
static void plan_add_own(struct planning *on, const char *name, uint8_t index)
{
	const struct lkst_field *field = &on->type->field[index];
	struct plan_field own = {
		.how = PLAN_LTTNG, .lttng = LTTNG_VALUE, .field = index, .text = PLAN_NO_FIELD
	};

	plan_use(on, index);
	if (lkst_field_is_stack(field)) {
		plan_add_stack(on, index);
	} else if (field->format == LKST_FMT_BYTES) {
		plan_add(on->plan, name, "",
			 (struct plan_field){
				 .how = PLAN_NAME, .field = index, .text = PLAN_NO_FIELD },
			 (struct field_class){ .kind = FIELD_STRING });
	} else if (plan_is_text(field)) {
		own.lttng = LTTNG_TEXT;
		plan_add(on->plan, name, "", own, (struct field_class){ .kind = FIELD_STRING });
	} else if (plan_add(on->plan, name, "", own, plan_number(field))) {
		plan_add_name(on, name, index);
		plan_add_file(on, name, index);
	}
}

/*
 * Add the fields of LKST that no field of LTTng contains. If the value of a field is a thread, also
 * add the name of the thread, unless the event has a field "name".
 */
static void plan_add_rest(struct planning *on)
{
	for (uint8_t i = 0; i < on->type->fields; i++) {
		const struct lkst_field *field = &on->type->field[i];

		if (on->used[i] || !field->label_len || field->format == LKST_FMT_CHAIN)
			continue;
		plan_add_own(on, field->label, i);
		if (field->format == LKST_FMT_TID && !on->type->has_name)
			plan_add(on->plan, field->label, "_name",
				 (struct plan_field){ .how = PLAN_LTTNG,
						      .lttng = LTTNG_COMM,
						      .field = i,
						      .text = PLAN_NO_FIELD },
				 (struct field_class){ .kind = FIELD_STRING });
	}
}

/* ---- the fields of LTTng ---- */

/* Find the recorded name of a thread: "next_name" for the label "next", otherwise "name". */
static uint8_t plan_find_comm(const struct lkst_etype *type, const char *label)
{
	char name[PLAN_NAME_MAX];
	uint8_t found;

	snprintf(name, sizeof(name), "%s_name", label);
	found = plan_find(type, name);
	if (found == PLAN_NO_FIELD)
		found = plan_find(type, "name");
	return found != PLAN_NO_FIELD && plan_is_text(&type->field[found]) ? found : PLAN_NO_FIELD;
}

static struct field_class plan_class(enum lttng_how how)
{
	static const struct field_class classes[] = {
		[LTTNG_U32] = { .kind = FIELD_UNSIGNED, .bits = 32 },
		[LTTNG_COMM] = { .kind = FIELD_STRING },
		[LTTNG_PRIO] = { .kind = FIELD_SIGNED, .bits = 32 },
		[LTTNG_PREV_PRIO] = { .kind = FIELD_SIGNED, .bits = 32 },
		[LTTNG_STATE] = { .kind = FIELD_SIGNED, .bits = 64 },
		[LTTNG_STATUS] = { .kind = FIELD_SIGNED, .bits = 32 },
		[LTTNG_SECTORS] = { .kind = FIELD_UNSIGNED, .bits = 32 },
		[LTTNG_RWBS] = { .kind = FIELD_UNSIGNED, .bits = 32 },
		[LTTNG_OWN_COMM] = { .kind = FIELD_STRING },
		[LTTNG_OWN_TID] = { .kind = FIELD_SIGNED, .bits = 32 },
		[LTTNG_OWN_PID] = { .kind = FIELD_SIGNED, .bits = 32 },
		[LTTNG_OWN_CPU] = { .kind = FIELD_SIGNED, .bits = 32 },
		[LTTNG_MINUS_1] = { .kind = FIELD_UNSIGNED, .bits = 32 },
	};

	return classes[how];
}

/* Add a field of LTTng, unless the kernel that recorded the events does not record its value. */
static void plan_add_lttng(struct planning *on, const struct lttng_field *from)
{
	struct plan_field field = {
		.how = PLAN_LTTNG,
		.lttng = from->how,
		.field = plan_find(on->type, from->from),
		.text = PLAN_NO_FIELD,
	};

	if (from->from && field.field == PLAN_NO_FIELD)
		return;
	if (from->how == LTTNG_VALUE || from->how == LTTNG_TEXT) {
		plan_add_own(on, from->name, field.field);
		return;
	}
	if (from->how == LTTNG_COMM)
		field.text = plan_find_comm(on->type, from->from);
	plan_use(on, field.text);
	plan_add(on->plan, from->name, "", field, plan_class(from->how));
	/*
	 * In these three cases, the field of LTTng contains the whole value. In all other cases,
	 * the field of LKST is not marked as used, and follows under its own name.
	 */
	if (from->how == LTTNG_U32 || from->how == LTTNG_PRIO || from->how == LTTNG_STATE)
		plan_use(on, field.field);
	if (from->how == LTTNG_STATE)
		plan_add_name(on, from->name, field.field);
}

static void plan_make_unknown(struct plan *plan)
{
	static const char *const args[] = { "arg1", "arg2", "arg3", "arg4" };

	plan_add(plan, "event_type", "", (struct plan_field){ .how = PLAN_TYPE },
		 (struct field_class){ .kind = FIELD_UNSIGNED, .bits = 32, .hex = true });
	for (uint8_t i = 0; i < 4; i++)
		plan_add(plan, args[i], "", (struct plan_field){ .how = PLAN_ARG, .field = i },
			 (struct field_class){ .kind = FIELD_UNSIGNED, .bits = 64, .hex = true });
}

/**
 * plan_make() - choose the fields of an event class
 * @plan: result
 * @type: event type; NULL: the trace does not describe it
 * @known: the corresponding event of LTTng; NULL: none
 */
void plan_make(struct plan *plan, const struct lkst_etype *type, const struct lttng_event *known)
{
	struct planning on = { .plan = plan, .type = type };

	plan->num = 0;
	if (!type) {
		plan_make_unknown(plan);
		return;
	}
	for (const struct lttng_field *from = known ? known->field : NULL; from && from->name;
	     from++)
		plan_add_lttng(&on, from);
	plan_add_rest(&on);
}
