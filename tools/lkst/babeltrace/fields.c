// SPDX-License-Identifier: LGPL-2.1
#include "fields.h"

#include <stdio.h>
#include <string.h>

#include "boot.h"
#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lib/text/context.h"
#include "lib/text/field.h"
#include "lib/text/names.h"
#include "lib/text/out.h"
#include "lib/text/values.h"

_Static_assert(FIELDS_TEXT >= OUT_ROOM, "a field must have room for any text");

static bt_field *fields_member(bt_field *structure, uint64_t index)
{
	return bt_field_structure_borrow_member_field_by_index(structure, index);
}

/*
 * Set a string. Each byte that is not part of valid UTF-8 becomes U+FFFD. bt_field_string_clear()
 * would not be enough: the field may have been used for an earlier event, whose string would remain
 * readable. source.ctf.fs of Babeltrace 2.0 has this bug: when it reads an empty string, it can
 * show the string of an earlier event. The trace may be converted to CTF, so the functions below
 * set an empty string only if LKST recorded one.
 */
static int fields_set_string(bt_field *to, const char *text, size_t len)
{
	static const char replacement[] = "\357\277\275";

	if (bt_field_string_set_value(to, ""))
		return -1;
	while (len) {
		size_t valid = put_utf8_length(text, len);

		if (valid && bt_field_string_append_with_length(to, text, valid))
			return -1;
		text += valid;
		len -= valid;
		if (!len)
			break;
		if (bt_field_string_append(to, replacement))
			return -1;
		text++;
		len--;
	}
	return 0;
}

/* ---- threads ---- */

#define FIELDS_COMM 32

/*
 * Return the name of a thread. @recorded is the beginning of the name in the event itself, or "".
 * If the trace has a longer name of the thread that begins with @recorded, return the longer name.
 * If the name is unknown, return the number of the thread, as lkstbuf prints it.
 */
static const char *fields_comm(const struct fields *fields, uint32_t tid, const char *recorded,
			       char made[FIELDS_COMM])
{
	const char *name = made;

	if (tid)
		name = lkst_names_get(fields->context->names, tid, fields->event->time_ns);
	else
		snprintf(made, FIELDS_COMM, "swapper/%d", fields->event->cpu);
	if (name && *name && !strncmp(name, recorded, strlen(recorded)))
		return name;
	if (*recorded)
		return recorded;
	snprintf(made, FIELDS_COMM, tid == UINT32_MAX ? "?" : "<%u>", tid);
	return made;
}

static int fields_set_comm(const struct fields *fields, bt_field *to, uint32_t tid,
			   const char *recorded)
{
	char made[FIELDS_COMM];
	const char *name = fields_comm(fields, tid, recorded, made);

	return fields_set_string(to, name, strlen(name));
}

static int fields_set_comm_of(const struct fields *fields, bt_field *to,
			      const struct plan_field *field)
{
	const struct lkst_field *thread = &fields->type->field[field->field];
	char recorded[FIELD_TEXT_SIZE] = "";

	if (field->text != PLAN_NO_FIELD)
		lkst_field_text(fields->event, &fields->type->field[field->text], recorded);
	return fields_set_comm(fields, to, (uint32_t)lkst_field_value(thread, fields->event),
			       recorded);
}

/* ---- values ---- */

static bool fields_is_signed(const bt_field *field)
{
	return bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER;
}

/* Set a number; a signed number of 32 bits is extended to 64 bits. */
static void fields_set_number(bt_field *to, uint64_t value)
{
	const bt_field_class *class = bt_field_borrow_class_const(to);
	bool is_short = bt_field_class_integer_get_field_value_range(class) <= 32;

	if (fields_is_signed(to))
		bt_field_integer_signed_set_value(to, is_short ? (int32_t)value : (int64_t)value);
	else
		bt_field_integer_unsigned_set_value(to, is_short ? (uint32_t)value : value);
}

static int64_t fields_prev_prio(const struct fields *fields, uint32_t tid)
{
	if (!fields->cpu->known || fields->cpu->tid != tid)
		return LTTNG_PRIO_UNKNOWN;
	return (int64_t)fields->cpu->prio - LTTNG_PRIO_BASE;
}

static uint64_t fields_operation(const struct fields *fields, uint64_t value)
{
	return lttng_rwbs(lkst_values_name(fields->context->values, LKST_FMT_BLKOP, value), value);
}

/* Convert @value, the value of a field of LKST, to the value that LTTng would record. */
static uint64_t fields_lttng_value(const struct fields *fields, enum lttng_how how, uint64_t value)
{
	switch (how) {
	case LTTNG_PRIO:
		return (uint64_t)((int32_t)value - (int64_t)LTTNG_PRIO_BASE);
	case LTTNG_PREV_PRIO:
		return (uint64_t)fields_prev_prio(fields, (uint32_t)value);
	case LTTNG_STATE:
		return lttng_state(value);
	case LTTNG_STATUS:
		return lttng_status(value);
	case LTTNG_SECTORS:
		return value / 512;
	case LTTNG_RWBS:
		return fields_operation(fields, value);
	case LTTNG_OWN_TID:
		return fields->event->tid;
	case LTTNG_OWN_PID:
		return fields->event->tgid;
	case LTTNG_OWN_CPU:
		return (uint64_t)fields->event->cpu;
	case LTTNG_MINUS_1:
		return UINT32_MAX;
	default:
		return value;
	}
}

static int fields_set_lttng(const struct fields *fields, bt_field *to,
			    const struct plan_field *field)
{
	const struct lkst_field *from = NULL;
	uint64_t value = 0;

	if (field->field != PLAN_NO_FIELD) {
		from = &fields->type->field[field->field];
		value = lkst_field_value(from, fields->event);
	}
	switch (field->lttng) {
	case LTTNG_TEXT:
		lkst_field_text(fields->event, from, fields->text);
		return fields_set_string(to, fields->text, strlen(fields->text));
	case LTTNG_COMM:
		return fields_set_comm_of(fields, to, field);
	case LTTNG_OWN_COMM:
		return fields_set_comm(fields, to, fields->event->tid, "");
	default:
		fields_set_number(to, fields_lttng_value(fields, field->lttng, value));
		return 0;
	}
}

/* ---- texts of numbers ---- */

static struct field_view fields_view(const struct fields *fields)
{
	return (struct field_view){ .context = fields->context,
				    .event = fields->event,
				    .type = fields->type,
				    .bare = true };
}

/*
 * Set the text of a number. For a register of an oops, the text begins with the name of the
 * register, because the same field has different registers in different records.
 */
static int fields_set_name(const struct fields *fields, bt_field *to, uint8_t index)
{
	const struct lkst_field *field = &fields->type->field[index];
	struct field_view view = fields_view(fields);
	const char *name = NULL;
	char *p = fields->text;

	if (field->format == LKST_FMT_REG)
		p = put_char(put_text(p, lkst_field_label(fields->event, field)), '=');
	p = lkst_put_field(p, &view, field);
	if (view.is_number)
		name = lkst_field_name(&view);
	return name ? fields_set_string(to, name, strlen(name)) :
		      fields_set_string(to, fields->text, (size_t)(p - fields->text));
}

static int fields_set_file(const struct fields *fields, bt_field *to, uint8_t index)
{
	const struct field_view view = fields_view(fields);
	const char *name = lkst_field_file(&view, &fields->type->field[index]);

	return name ? fields_set_string(to, name, strlen(name)) : fields_set_string(to, "-", 1);
}

/* ---- stacks ---- */

static int fields_set_stack(const struct fields *fields, bt_field *to, uint8_t index, bool names)
{
	const struct lkst_field *field = &fields->type->field[index];
	size_t num = lkst_field_frames(fields->event, field);
	struct field_view view = fields_view(fields);

	if (bt_field_array_dynamic_set_length(to, num))
		return -1;
	view.field = field;
	for (size_t i = 0; i < num; i++) {
		bt_field *frame = bt_field_array_borrow_element_field_by_index(to, i);
		uint64_t address = lkst_field_frame(fields->event, field, i);
		const char *end;

		if (!names) {
			bt_field_integer_unsigned_set_value(frame, address);
			continue;
		}
		end = lkst_put_frame(fields->text, &view, address);
		if (fields_set_string(frame, fields->text, (size_t)(end - fields->text)))
			return -1;
	}
	return 0;
}

/* ---- the event ---- */

static int fields_set(const struct fields *fields, bt_field *to, const struct plan_field *field)
{
	switch (field->how) {
	case PLAN_LTTNG:
		return fields_set_lttng(fields, to, field);
	case PLAN_NAME:
		return fields_set_name(fields, to, field->field);
	case PLAN_FILE:
		return fields_set_file(fields, to, field->field);
	case PLAN_STACK:
	case PLAN_STACK_NAMES:
		return fields_set_stack(fields, to, field->field, field->how == PLAN_STACK_NAMES);
	case PLAN_TYPE:
		fields_set_number(to, fields->event->type);
		return 0;
	case PLAN_ARG:
		fields_set_number(to, fields->event->arg[field->field]);
		return 0;
	}
	return -1;
}

static int fields_fill_context(const struct fields *fields, bt_field *to)
{
	const struct lkst_event *event = fields->event;
	uint32_t flags = event->flags;

	if (fields->type && lkst_is_cut(event, fields->type))
		flags |= LKST_LOG_TRUNCATE;
	bt_field_integer_signed_set_value(fields_member(to, BOOT_EVENT_PID), (int32_t)event->tgid);
	bt_field_integer_signed_set_value(fields_member(to, BOOT_EVENT_TID), (int32_t)event->tid);
	bt_field_integer_signed_set_value(fields_member(to, BOOT_EVENT_PGRP), (int32_t)event->pgrp);
	bt_field_integer_unsigned_set_value(fields_member(to, BOOT_EVENT_EUID), event->uid);
	bt_field_integer_unsigned_set_value(fields_member(to, BOOT_EVENT_EGID), event->gid);
	bt_field_integer_unsigned_set_value(fields_member(to, BOOT_EVENT_FLAGS), (uint16_t)flags);
	bt_field_integer_unsigned_set_value(fields_member(to, BOOT_EVENT_RECID), event->recid);
	return fields_set_comm(fields, fields_member(to, BOOT_EVENT_NAME), event->tid, "");
}

/**
 * fields_fill() - fill in the context and the payload of an event
 * @fields: event
 * @plan: fields of its event class
 * @to: event of Babeltrace
 *
 * Return: 0; -1 if an allocation fails.
 */
int fields_fill(const struct fields *fields, const struct plan *plan, bt_event *to)
{
	bt_field *payload = bt_event_borrow_payload_field(to);

	if (fields_fill_context(fields, bt_event_borrow_common_context_field(to)))
		return -1;
	for (size_t i = 0; i < plan->num; i++)
		if (fields_set(fields, fields_member(payload, i), &plan->field[i]))
			return -1;
	return 0;
}
