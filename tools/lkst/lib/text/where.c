// SPDX-License-Identifier: LGPL-2.1
/* Evaluates a condition on the values of an event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "context.h"
#include "etypes.h"
#include "field.h"
#include "format.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "names.h"
#include "out.h"
#include "symbols.h"
#include "values.h"
#include "where.h"
#include "where_program.h"

/* Compare a text with == or ~; the caller handles !=. */
static bool where_is_text(const struct where_test *test, const char *text)
{
	const char *value = test->value.text;

	return test->op == WHERE_GLOB ? where_glob(value, text) : !strcmp(value, text);
}

/* Get a value that is a number. If @ref->kind is WHERE_SIGNED, sign-extend it. */
static uint64_t where_value(const struct where_ref *ref, const struct lkst_field *field,
			    const struct lkst_event *event)
{
	uint64_t value;

	switch (ref->member) {
	case WHERE_EVENT:
		return event->type;
	case WHERE_PID:
		return event->tgid;
	case WHERE_TID:
		return event->tid;
	case WHERE_UID:
		return event->uid;
	case WHERE_GID:
		return event->gid;
	case WHERE_CPU:
		return (uint64_t)event->cpu;
	case WHERE_FLAGS:
		return event->flags;
	default:
		value = lkst_field_value(field, event);
	}
	if (ref->kind == WHERE_SIGNED && field->part != LKST_PART_WHOLE)
		return (uint64_t)(int32_t)value;
	return value;
}

/*
 * Compare a value with the range of the operand. @below: the value is below the range. @above: it
 * is above the range. != is evaluated as ==, and the caller negates the result.
 */
static bool where_compare(enum where_op op, bool below, bool above)
{
	switch (op) {
	case WHERE_EQ:
	case WHERE_NE:
		return !below && !above;
	case WHERE_LT:
		return below;
	case WHERE_LE:
		return !above;
	case WHERE_GT:
		return above;
	default:
		return !below;
	}
}

static bool where_is_number(const struct where_test *test, const struct where_ref *ref,
			    uint64_t value)
{
	bool below = value < ref->low;
	bool above = value > ref->high;

	if (test->op == WHERE_AND)
		return value & ref->low;
	if (ref->kind == WHERE_SIGNED) {
		below = (int64_t)value < (int64_t)ref->low;
		above = (int64_t)value > (int64_t)ref->high;
	}
	return where_compare(test->op, below, above);
}

/* Compare with a name whose number depends on the kernel. */
static bool where_is_named(const struct where_test *test, struct where_ref *ref,
			   const struct lkst_values *values, uint64_t value)
{
	if (ref->values != values || !ref->bound) {
		ref->known = where_name_value(ref, values, test->value.text, &ref->low);
		ref->values = values;
		ref->bound = true;
	}
	return ref->known && (test->op == WHERE_AND ? value & ref->low : value == ref->low);
}

static bool where_is_call(const struct where_ref *ref, const struct lkst_event *event,
			  uint64_t value)
{
	uint64_t abi = ref->abi ? lkst_field_value(ref->abi, event) : 0;
	int table = constant_call_table((enum lkst_machine)event->machine, abi, &value);

	return table >= 0 && ref->call[table] >= 0 && value == (uint64_t)ref->call[table];
}

static bool where_is_cpu(const struct where_test *test, const struct where_ref *ref, uint64_t value)
{
	const struct where_cpus *cpus = ref->cpus;
	bool member = value < WHERE_CPUS_MAX && cpus->bits[value / 64] >> value % 64 & 1;

	return member && (test->op == WHERE_AND || cpus->num == 1);
}

static bool where_is_event(const struct where_test *test, const struct where_ref *ref,
			   const struct lkst_event *event)
{
	char text[64 + PUT_SPARE];

	if (ref->type)
		return where_is_text(test, ref->type->name);
	*format_unnamed(text, event->type) = 0;
	return where_is_text(test, text);
}

static bool where_is_thread(const struct where_test *test, const struct where_ref *ref,
			    const struct lkst_context *context, const struct lkst_event *event,
			    uint32_t tid)
{
	char text[512];
	const char *name = text;

	if (tid)
		name = lkst_names_get(context->names, tid, event->time_ns);
	else
		snprintf(text, sizeof(text), "swapper/%d", event->cpu);
	if (name && where_is_text(test, name))
		return true;
	if (ref->member == WHERE_COMM)
		return false;
	/* Also accept the form in which threads are printed: bash-100. */
	*lkst_put_process(text, context->names, tid, event->cpu, event->time_ns) = 0;
	return where_is_text(test, text);
}

static bool where_is_printed(const struct where_test *test, const struct where_ref *ref,
			     const struct lkst_field *field, const struct lkst_context *context,
			     const struct lkst_event *event)
{
	struct field_view view = {
		.context = context,
		.event = event,
		.type = ref->type,
		.bare = true,
	};
	char text[OUT_ROOM];

	*lkst_put_field(text, &view, field) = 0;
	return where_is_text(test, text);
}

static bool where_is_handler(const struct where_test *test, const struct lkst_context *context,
			     uint64_t value)
{
	const char *name = lkst_values_name(context->values, LKST_FMT_IRQ, value);

	return name && where_is_text(test, name);
}

static bool where_is_symbol(const struct where_test *test, const struct lkst_context *context,
			    uint64_t address)
{
	struct lkst_symbol symbol;

	return lkst_symbols_find(context->symbols, address, &symbol) &&
	       where_is_text(test, symbol.name);
}

/* For a stack, return whether any of its functions has the name. */
static bool where_is_function(const struct where_test *test, const struct lkst_field *field,
			      const struct lkst_context *context, const struct lkst_event *event,
			      uint64_t value)
{
	if (!lkst_field_is_stack(field))
		return where_is_symbol(test, context, value - lkst_address_back(event->type));
	for (size_t i = lkst_field_frames(event, field); i-- > 0;)
		if (where_is_symbol(test, context,
				    lkst_field_frame(event, field, i) - LKST_STACK_BACK))
			return true;
	return false;
}

static bool where_is_string(const struct where_test *test, const struct lkst_field *field,
			    const struct lkst_event *event)
{
	char text[FIELD_TEXT_SIZE];

	lkst_field_text(event, field, text);
	return where_is_text(test, text);
}

/* Evaluate a comparison for one field; != is evaluated as ==. */
static bool where_is(const struct where_test *test, struct where_ref *ref,
		     const struct lkst_field *field, const struct lkst_context *context,
		     const struct lkst_event *event)
{
	uint64_t value;

	if (ref->kind == WHERE_TEXT)
		return where_is_string(test, field, event);
	value = ref->member == WHERE_COMM ? event->tid : where_value(ref, field, event);
	switch (ref->kind) {
	case WHERE_SIGNED:
	case WHERE_UNSIGNED:
		return where_is_number(test, ref, value);
	case WHERE_NAMED:
		return where_is_named(test, ref, context->values, value);
	case WHERE_CALL:
		return where_is_call(ref, event, value);
	case WHERE_EVENT_NAME:
		return where_is_event(test, ref, event);
	case WHERE_CPUS:
		return where_is_cpu(test, ref, value);
	case WHERE_THREAD:
		return where_is_thread(test, ref, context, event, (uint32_t)value);
	case WHERE_HANDLER:
		return where_is_handler(test, context, value);
	case WHERE_PRINTED:
		return where_is_printed(test, ref, field, context, event);
	case WHERE_FUNCTION:
		return where_is_function(test, field, context, event, value);
	default:
		return false;
	}
}

static bool where_test(const struct where_test *test, struct where_ref *ref,
		       const struct lkst_context *context, const struct lkst_event *event)
{
	bool any = false;

	if (ref->kind == WHERE_ABSENT)
		return false;
	if (ref->field->user && !user_field_exists(ref->field, event))
		return false;
	/* Fields of the same name are next to each other. */
	for (unsigned int i = 0; !any && i < ref->fields; i++)
		any = where_is(test, ref, ref->field + i, context, event);
	return any != (test->op == WHERE_NE);
}

/**
 * lkst_where_holds() - check whether an event meets a condition
 * @where: condition
 * @context: names and symbols of the kernel that recorded the event
 * @event: event
 */
bool lkst_where_holds(const struct lkst_where *where, const struct lkst_context *context,
		      const struct lkst_event *event)
{
	const struct where_program *program = &where->program;
	struct where_ref *refs = event->type < LKST_ETYPE_NUM ? where->of[event->type] : NULL;
	unsigned int i = 0;

	if (!refs)
		refs = where->other;
	while (i < program->tests)
		i = where_test(&program->test[i], &refs[i], context, event) ? program->test[i].yes :
									      program->test[i].no;
	return i == WHERE_TRUE;
}

/**
 * lkst_where_new() - compile a condition
 * @text: condition
 * @scope: what the names in the condition can refer to. The event types must exist as long as the
 *	condition
 * @err: set if the condition is invalid; names the position of the error
 */
struct lkst_where *lkst_where_new(const char *text, const struct lkst_where_scope *scope,
				  struct lkst_error *err)
{
	struct lkst_where *where = calloc(1, sizeof(*where));

	if (!where) {
		lkst_error_memory(err, "the condition");
		return NULL;
	}
	if (!where_parse(text, &where->program, err) && !where_bind(where, scope, err))
		return where;
	lkst_where_free(where);
	return NULL;
}

/**
 * lkst_where_free() - free a condition
 * @where: may be NULL
 */
void lkst_where_free(struct lkst_where *where)
{
	if (!where)
		return;
	for (size_t i = 0; i < WHERE_TESTS_MAX; i++)
		free(where->cpus[i]);
	free(where->refs);
	free(where->program.words);
	free(where);
}
