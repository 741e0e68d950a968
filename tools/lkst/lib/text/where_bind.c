// SPDX-License-Identifier: LGPL-2.1
/*
 * Binds a condition to the event types: determines, for each comparison and each event type, which
 * argument is compared, and what the operand means for this argument. Two types may have different
 * fields with the same name, such as "flags". A comparison is valid if it is valid for at least one
 * type.
 */
#include <stdlib.h>
#include <string.h>

#include "etypes.h"
#include "lib/base/error.h"
#include "messages.h"
#include "where_binding.h"

#define COMMON "common_" /* prefix of names in enum where_member, as in the kernel's filters */

/* The values that every record has (enum where_member), as fields. */
static const struct lkst_field where_member_fields[WHERE_MEMBERS] = {
	[WHERE_EVENT] = { .label = "event", .format = LKST_FMT_TEXT },
	[WHERE_PID] = { .label = "pid", .format = LKST_FMT_UDEC },
	[WHERE_TID] = { .label = "tid", .format = LKST_FMT_UDEC },
	[WHERE_COMM] = { .label = "comm", .format = LKST_FMT_TEXT },
	[WHERE_UID] = { .label = "uid", .format = LKST_FMT_UDEC },
	[WHERE_GID] = { .label = "gid", .format = LKST_FMT_UDEC },
	[WHERE_CPU] = { .label = "cpu", .format = LKST_FMT_CPU },
	[WHERE_FLAGS] = { .label = "flags", .format = LKST_FMT_UDEC },
};

/*
 * Find the field of a test in an event type. The fields of the type take precedence over those of
 * the record.
 */
static bool where_find_field(const struct where_test *test, const struct lkst_etype *type,
			     struct where_ref *ref)
{
	const char *name = test->field.text;
	size_t len = strlen(COMMON);

	if (!strncmp(name, COMMON, len)) {
		ref->fields = 1;
		ref->member = where_member_find(name + len);
		ref->field = &where_member_fields[ref->member];
		return ref->member != WHERE_NOT_MEMBER;
	}
	for (int i = 0; type && i < type->fields; i++) {
		const struct lkst_field *field = &type->field[i];

		if (strcmp(field->label, name))
			continue;
		if (!ref->fields)
			ref->field = field;
		/* Count the adjacent fields with the same name and format. */
		if (field == ref->field + ref->fields && field->format == ref->field->format)
			ref->fields++;
	}
	if (ref->field)
		return true;
	ref->fields = 1;
	ref->member = where_member_find(name);
	ref->field = &where_member_fields[ref->member];
	return ref->member != WHERE_NOT_MEMBER;
}

/* Find the ABI of the system call whose number is in a field. */
static const struct lkst_field *where_abi(const struct lkst_etype *type,
					  const struct lkst_field *field)
{
	for (int i = 0; type && i < type->fields; i++)
		if (type->field[i].format == LKST_FMT_ABI && type->field[i].arg == field->arg)
			return &type->field[i];
	return NULL;
}

/*
 * Bind the comparison to an event type. @type is LKST_ETYPE_NUM for events without a description.
 */
static void where_bind_type(struct where_binding *binding, struct where_ref *ref, unsigned int type)
{
	*ref = (struct where_ref){ .type = type < LKST_ETYPE_NUM ?
						   binding->scope->types->type[type] :
						   NULL };
	ref->kind = WHERE_ABSENT;
	if (!where_find_field(binding->test, ref->type, ref))
		return;
	ref->abi = where_abi(ref->type, ref->field);
	binding->found = true;
	if (where_take(binding, ref))
		binding->valid = true;
	else
		ref->kind = WHERE_ABSENT;
}

static void where_unknown_field(const struct where_binding *binding, struct lkst_error *err)
{
	const struct where_word *field = &binding->test->field;
	const struct lkst_etypes *types = binding->scope->types;
	char suggestions[256];

	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		for (int k = 0; types->type[i] && k < types->type[i]->fields; k++)
			if (!strcmp(types->type[i]->field[k].label, field->text)) {
				where_error(err, field->at, MSG_WHERE_FIELD_OF, field->text,
					    types->type[i]->name);
				return;
			}
	where_suggest_field(binding->scope, field->text, suggestions, sizeof(suggestions));
	where_error(err, field->at, MSG_WHERE_FIELD, field->text,
		    *suggestions ? suggestions : MSG_WHERE_FIELDS);
}

static bool where_has_cpus(const struct where_test *test)
{
	return !test->value.quoted &&
	       !strncmp(test->value.text, WHERE_CPUS_PREFIX, strlen(WHERE_CPUS_PREFIX));
}

static int where_bind_test(struct where_binding *binding, struct lkst_error *err)
{
	struct lkst_where *where = binding->where;

	if (!*binding->test->value.text && !where_is_text_op(binding->test)) {
		where_error(err, binding->test->value.at, MSG_WHERE_EMPTY,
			    binding->test->field.text);
		return -1;
	}
	if (where_has_cpus(binding->test)) {
		where->cpus[binding->index] = calloc(1, sizeof(*where->cpus[0]));
		if (!where->cpus[binding->index]) {
			lkst_error_memory(err, "the condition");
			return -1;
		}
		if (where_take_cpus(&binding->test->value, where->cpus[binding->index], err))
			return -1;
	}
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (where->of[i] && where_in_scope(binding->scope, i))
			where_bind_type(binding, &where->of[i][binding->index], i);
	where_bind_type(binding, &where->other[binding->index], LKST_ETYPE_NUM);
	if (!binding->found) {
		where_unknown_field(binding, err);
		return -1;
	}
	if (binding->valid)
		return 0;
	if (err)
		*err = binding->err;
	return -1;
}

/**
 * where_bind() - determine what the comparisons of a condition mean for each event type
 * @where: condition, parsed
 * @scope: what the names in the condition can refer to. The event types must exist as long as the
 *	condition
 * @err: set if a name is unknown, or an operator cannot be used with a field
 */
int where_bind(struct lkst_where *where, const struct lkst_where_scope *scope,
	       struct lkst_error *err)
{
	const unsigned int tests = where->program.tests;
	size_t types = 1;
	struct where_ref *next;

	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		types += scope->types->type[i] != NULL;
	next = where->refs = calloc(types * tests, sizeof(*next));
	if (!next) {
		lkst_error_memory(err, "the condition");
		return -1;
	}
	where->other = next;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (scope->types->type[i])
			where->of[i] = next += tests;
	for (unsigned int i = 0; i < tests; i++) {
		struct where_binding binding = {
			.where = where,
			.scope = scope,
			.test = &where->program.test[i],
			.index = i,
		};

		if (where_bind_test(&binding, err))
			return -1;
	}
	return 0;
}
