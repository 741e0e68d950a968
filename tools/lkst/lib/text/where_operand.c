// SPDX-License-Identifier: LGPL-2.1
/* Finds out what the operand of a comparison means for a field. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "etypes.h"
#include "lib/base/error.h"
#include "messages.h"
#include "values.h"
#include "where_binding.h"

/* Return whether negative values of a format are printed with a minus. */
static bool where_is_signed(enum lkst_field_format format)
{
	switch (format) {
	case LKST_FMT_DEC:
	case LKST_FMT_ERR:
	case LKST_FMT_SYS:
	case LKST_FMT_ABI:
	case LKST_FMT_IRQ:
	case LKST_FMT_VEC:
	case LKST_FMT_TRAP:
	case LKST_FMT_SOFTIRQ:
	case LKST_FMT_BLKOP:
	case LKST_FMT_DROP:
	case LKST_FMT_TCP:
	case LKST_FMT_AF:
	case LKST_FMT_IPPROTO:
	case LKST_FMT_LEVEL:
	case LKST_FMT_DETECTOR:
	case LKST_FMT_LOCKUP:
	case LKST_FMT_DUMP:
	case LKST_FMT_CPU:
	case LKST_FMT_CLOCK:
	case LKST_FMT_MSET:
	case LKST_FMT_BUF:
	case LKST_FMT_CODE:
		return true;
	default:
		return false;
	}
}

/* ---- numbers ---- */

enum where_parsed {
	WHERE_NO_NUMBER,
	WHERE_NUMBER,
	WHERE_TOO_NEGATIVE, /* the field is unsigned */
	WHERE_TOO_BIG,
};

/* Parse a number in decimal, in hexadecimal (0x) or in octal (0). */
static enum where_parsed where_number(const char *text, bool is_signed, uint64_t *value)
{
	bool negative = *text == '-';
	const char *digits = text + negative;
	unsigned long long number;
	char *end;

	if (*digits < '0' || *digits > '9')
		return WHERE_NO_NUMBER;
	errno = 0;
	number = strtoull(digits, &end, 0);
	if (*end)
		return WHERE_NO_NUMBER;
	if (errno || (is_signed && number > (uint64_t)INT64_MAX + negative))
		return WHERE_TOO_BIG;
	if (negative && number && !is_signed)
		return WHERE_TOO_NEGATIVE;
	*value = negative ? -(uint64_t)number : number;
	return WHERE_NUMBER;
}

/* Convert @text, a number or a name, to its value. @values: the names of values of a kernel. */
static bool where_part_value(const struct where_ref *ref, const struct lkst_values *values,
			     const char *text, uint64_t *value)
{
	if (where_number(text, false, value) == WHERE_NUMBER)
		return true;
	if (ref->member == WHERE_FLAGS)
		return where_flag(text, value);
	if (ref->member != WHERE_NOT_MEMBER)
		return false;
	return (where_has_names(ref->field->format) &&
		where_captured(values, ref->field->format, text, value)) ||
	       where_constant(ref->field, ref->type->number, text, value);
}

/**
 * where_name_value() - find the value of a name, or of several names of flags joined by "|"
 * @ref: values that are compared with the result
 * @values: names of the values of a kernel; may be NULL
 * @text: names
 * @value: receives the value
 */
bool where_name_value(const struct where_ref *ref, const struct lkst_values *values,
		      const char *text, uint64_t *value)
{
	uint64_t all = 0, one = 0;
	char part[64];

	if (!strchr(text, '|'))
		return where_part_value(ref, values, text, value);
	for (;; text++) {
		size_t len = strcspn(text, "|");

		if (len >= sizeof(part))
			return false;
		memcpy(part, text, len);
		part[len] = 0;
		if (!where_part_value(ref, values, part, &one))
			return false;
		all |= one;
		text += len;
		if (!*text)
			break;
	}
	*value = all;
	return true;
}

/* Return whether traces normally list names for the values of a format, but this trace does not. */
static bool where_lacks_names(const struct lkst_where_scope *scope, enum lkst_field_format format)
{
	for (size_t i = 0; i < scope->contexts; i++)
		if (lkst_values_at(scope->context[i]->values, format, 0))
			return false;
	return where_has_names(format);
}

static void where_refuse_value(struct where_binding *binding, const struct where_ref *ref,
			       const char *text)
{
	const struct where_word *value = &binding->test->value;
	char suggestions[256];
	const char *names;

	if (binding->failed)
		return;
	if (ref->field->format == LKST_FMT_SYM) {
		where_refuse(binding, value->at, MSG_WHERE_NO_FUNCTION, text, ref->field->label);
		return;
	}
	where_suggest_constant(binding->scope, binding->test->field.text, text, suggestions,
			       sizeof(suggestions));
	names = *suggestions ? suggestions :
		ref->member == WHERE_NOT_MEMBER &&
				where_lacks_names(binding->scope, ref->field->format) ?
			       MSG_WHERE_NO_NAMES :
			       "";
	where_refuse(binding, value->at, MSG_WHERE_NUMBER, text, ref->field->label,
		     *suggestions ? " or a name" : "", names);
}

/* Find the value of one end of a range, or of a whole operand. */
static bool where_take_value(struct where_binding *binding, const struct where_ref *ref,
			     const char *text, uint64_t *value)
{
	unsigned int at = binding->test->value.at;

	if (!binding->test->value.quoted) {
		switch (where_number(text, ref->kind == WHERE_SIGNED, value)) {
		case WHERE_NUMBER:
			return true;
		case WHERE_TOO_NEGATIVE:
			where_refuse(binding, at, MSG_WHERE_NEGATIVE, text, ref->field->label);
			return false;
		case WHERE_TOO_BIG:
			where_refuse(binding, at, MSG_WHERE_BIG, text);
			return false;
		case WHERE_NO_NUMBER:
			break;
		}
	}
	if (where_name_value(ref, NULL, text, value))
		return true;
	where_refuse_value(binding, ref, text);
	return false;
}

static bool where_is_less(const struct where_ref *ref, uint64_t a, uint64_t b)
{
	return ref->kind == WHERE_SIGNED ? (int64_t)a < (int64_t)b : a < b;
}

/* Take "FIRST..LAST". */
static bool where_take_range(struct where_binding *binding, struct where_ref *ref)
{
	const struct where_word *value = &binding->test->value;
	const char *dots = strstr(value->text, "..");
	char first[64];
	int len = (int)(dots - value->text);

	if (!where_is_equality(binding->test)) {
		where_refuse(binding, binding->test->operator_at, MSG_WHERE_RANGE_OP, value->text);
		return false;
	}
	snprintf(first, sizeof(first), "%.*s", len < 63 ? len : 63, value->text);
	if (!where_take_value(binding, ref, first, &ref->low) ||
	    !where_take_value(binding, ref, dots + 2, &ref->high))
		return false;
	if (!where_is_less(ref, ref->high, ref->low))
		return true;
	where_refuse(binding, value->at, MSG_WHERE_RANGE, value->text);
	return false;
}

/* ---- fields ---- */

/* Return whether the trace lists names for the values in @ref, and @text is such a name. */
static bool where_is_listed(const struct where_binding *binding, const struct where_ref *ref,
			    const char *text)
{
	uint64_t value;

	if (ref->member != WHERE_NOT_MEMBER || !where_has_names(ref->field->format))
		return false;
	for (size_t i = 0; i < binding->scope->contexts; i++)
		if (where_name_value(ref, binding->scope->context[i]->values, text, &value))
			return true;
	return false;
}

/*
 * Take a name that is compared with the printed form of a value. Returns false if the operand is
 * not such a name.
 */
static bool where_take_name(struct where_binding *binding, struct where_ref *ref)
{
	const char *text = binding->test->value.text;

	switch (ref->field->format) {
	case LKST_FMT_TID:
		ref->kind = WHERE_THREAD;
		return true;
	case LKST_FMT_IRQ:
		ref->kind = WHERE_HANDLER;
		return true;
	case LKST_FMT_WSTATUS:
		ref->kind = WHERE_PRINTED;
		return !strncmp(text, "exit(", 5) || !strncmp(text, "killed(", 7);
	case LKST_FMT_SYS:
		ref->kind = WHERE_CALL;
		return where_call(text, ref->call);
	default:
		return false;
	}
}

/* Bind a comparison with a field that is a number. */
static bool where_take_number(struct where_binding *binding, struct where_ref *ref)
{
	const struct where_test *test = binding->test;
	const struct where_word *value = &test->value;
	bool is_signed = where_is_signed(ref->field->format);
	uint64_t number;

	ref->kind = is_signed ? WHERE_SIGNED : WHERE_UNSIGNED;
	ref->cpus = binding->where->cpus[binding->index];
	if (ref->cpus) {
		ref->kind = WHERE_CPUS;
		if (where_is_equality(test) || test->op == WHERE_AND)
			return true;
		where_refuse(binding, test->operator_at, MSG_WHERE_CPUS_OP);
		return false;
	}
	if (!value->quoted && strstr(value->text, ".."))
		return where_take_range(binding, ref);
	if (value->quoted || where_number(value->text, is_signed, &number) == WHERE_NO_NUMBER) {
		if (where_is_listed(binding, ref, value->text)) {
			ref->kind = WHERE_NAMED;
			if (where_is_equality(test) || test->op == WHERE_AND)
				return true;
			where_refuse(binding, test->operator_at, MSG_WHERE_NAME_OP, value->text);
			return false;
		}
		if (where_take_name(binding, ref)) {
			if (where_is_equality(test))
				return true;
			where_refuse(binding, test->operator_at, MSG_WHERE_NAME_OP, value->text);
			return false;
		}
		ref->kind = is_signed ? WHERE_SIGNED : WHERE_UNSIGNED;
	}
	if (!where_take_value(binding, ref, value->text, &ref->low))
		return false;
	ref->high = ref->low;
	return true;
}

static bool where_take_glob(struct where_binding *binding, struct where_ref *ref)
{
	if (ref->member != WHERE_NOT_MEMBER) {
		where_refuse(binding, binding->test->operator_at, MSG_WHERE_GLOB,
			     ref->field->label);
		return false;
	}
	ref->kind = ref->field->format == LKST_FMT_TID ? WHERE_THREAD :
		    ref->field->format == LKST_FMT_IRQ ? WHERE_HANDLER :
							 WHERE_PRINTED;
	return true;
}

static bool where_is_chain(const struct lkst_etype *type)
{
	return type->fields && type->field[0].format == LKST_FMT_CHAIN;
}

/* Return the maximum length, in bytes, of a string field with this name. */
static unsigned int where_longest(const struct lkst_where_scope *scope, const char *label)
{
	unsigned int longest = 0;

	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = scope->types->type[i];

		for (int k = 0; where_in_scope(scope, i) && k < type->fields; k++)
			if (!strcmp(type->field[k].label, label) && type->field[k].args > longest)
				longest = type->field[k].args;
	}
	return 8 * longest;
}

static bool where_take_text(struct where_binding *binding, struct where_ref *ref)
{
	const struct where_test *test = binding->test;

	ref->kind = ref->member == WHERE_COMM ? WHERE_THREAD : WHERE_TEXT;
	if (!where_is_text_op(test)) {
		where_refuse(binding, test->operator_at, MSG_WHERE_TEXT_OP, test->field.text);
		return false;
	}
	if (ref->kind == WHERE_TEXT && where_is_equality(test) && !ref->field->user &&
	    !where_is_chain(ref->type) && strlen(test->value.text) > 8u * ref->field->args) {
		where_refuse(binding, test->value.at, MSG_WHERE_LONG, test->value.text,
			     ref->field->label, where_longest(binding->scope, ref->field->label));
		return false;
	}
	return true;
}

static bool where_take_function(struct where_binding *binding, struct where_ref *ref)
{
	const struct where_test *test = binding->test;

	ref->kind = WHERE_FUNCTION;
	if (ref->field->format != LKST_FMT_SYM) {
		where_refuse(binding, test->field.at, MSG_WHERE_FUNCTION, test->field.text);
		return false;
	}
	if (where_is_text_op(test))
		return true;
	where_refuse(binding, test->operator_at, MSG_WHERE_FUNCTION_OP);
	return false;
}

/* Bind a comparison with the printed form of an array or structure of a user event. */
static bool where_take_bytes(struct where_binding *binding, struct where_ref *ref)
{
	const struct where_test *test = binding->test;

	ref->kind = WHERE_PRINTED;
	if (where_is_text_op(test))
		return true;
	where_refuse(binding, test->operator_at, MSG_WHERE_TEXT_OP, test->field.text);
	return false;
}

/* Take the name of an event. */
static bool where_take_event(struct where_binding *binding, struct where_ref *ref)
{
	const struct where_test *test = binding->test;
	struct lkst_error err;
	int number;

	if (!where_is_text_op(test)) {
		where_refuse(binding, test->operator_at, MSG_WHERE_TEXT_OP, test->field.text);
		return false;
	}
	if (test->op == WHERE_GLOB) {
		ref->kind = WHERE_EVENT_NAME;
		return true;
	}
	number = lkst_etypes_find(binding->scope->types, test->value.text, &err);
	if (number < 0) {
		where_refuse(binding, test->value.at, "%s", err.text);
		return false;
	}
	ref->kind = WHERE_UNSIGNED;
	ref->low = ref->high = (uint64_t)number;
	return true;
}

/**
 * where_take() - find out how to evaluate a comparison for events of a type
 * @binding: comparison; receives the error
 * @ref: the caller has set the field; receives the other members
 *
 * Return: false if the comparison is not valid for the field.
 */
bool where_take(struct where_binding *binding, struct where_ref *ref)
{
	const struct where_test *test = binding->test;

	if (test->function)
		return where_take_function(binding, ref);
	if (ref->member == WHERE_EVENT)
		return where_take_event(binding, ref);
	if (ref->member == WHERE_COMM ||
	    (ref->member == WHERE_NOT_MEMBER && ref->field->format == LKST_FMT_TEXT &&
	     ref->field->part == LKST_PART_WHOLE))
		return where_take_text(binding, ref);
	if (ref->field->format == LKST_FMT_BYTES)
		return where_take_bytes(binding, ref);
	if (test->op == WHERE_GLOB)
		return where_take_glob(binding, ref);
	return where_take_number(binding, ref);
}
