// SPDX-License-Identifier: LGPL-2.1
/* The names of fields and of values that a condition can contain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "context.h"
#include "etypes.h"
#include "filter.h"
#include "lib/base/etype_ids.h"
#include "parse.h"
#include "values.h"
#include "where_program.h"

_Static_assert(WHERE_CALLS == CONSTANT_CALL_TABLES, "WHERE_CALLS");

#define ERRORS_MAX 600 /* greater than all errors that have a name */
#define FAILED	   UINT64_MAX /* page frame number of MEM_PAGEALLOC after a failure */

static const struct constant_flag where_record_flag[] = {
	{ LKST_LOG_HARDIRQ, "hardirq" },
	{ LKST_LOG_SOFTIRQ, "softirq" },
	{ LKST_LOG_NMI, "nmi" },
	{ LKST_LOG_PREEMPT_OFF, "preempt_off" },
	{ LKST_LOG_NEED_RESCHED, "need_resched" },
};

#define WHERE_RECORD_FLAGS (sizeof(where_record_flag) / sizeof(*where_record_flag))

/* Names of the values that every record has. */
static const char *const where_members[] = {
	[WHERE_EVENT] = "event", [WHERE_PID] = "pid", [WHERE_TID] = "tid", [WHERE_COMM] = "comm",
	[WHERE_UID] = "uid",	 [WHERE_GID] = "gid", [WHERE_CPU] = "cpu", [WHERE_FLAGS] = "flags",
};

/**
 * where_member_find() - find a value of the record
 * @name: name
 */
enum where_member where_member_find(const char *name)
{
	for (int i = WHERE_NOT_MEMBER + 1; i < WHERE_MEMBERS; i++)
		if (!strcmp(where_members[i], name))
			return (enum where_member)i;
	return WHERE_NOT_MEMBER;
}

/**
 * where_flag() - find a flag of the record
 * @text: name
 * @value: receives the flag
 */
bool where_flag(const char *text, uint64_t *value)
{
	for (size_t i = 0; i < WHERE_RECORD_FLAGS; i++)
		if (!strcmp(where_record_flag[i].name, text)) {
			*value = where_record_flag[i].flag;
			return true;
		}
	return false;
}

/* ---- constants that are the same on all kernels ---- */

/* Return a number that is greater than all constants of a format that have a name. */
static uint64_t where_constants(enum lkst_field_format format)
{
	return format == LKST_FMT_ETYPE ? 0x10000 : 0x400;
}

static bool where_error_number(const char *text, uint64_t *value)
{
	const char *name;

	for (uint64_t i = 1; *text == '-' && i < ERRORS_MAX; i++) {
		name = constant_error(i);
		if (name && !strcmp(name, text + 1)) {
			*value = -i;
			return true;
		}
	}
	return false;
}

/*
 * Parse the letter of a thread's state. "+" after the letter means that the thread was preempted.
 */
static bool where_state(const char *text, uint64_t *value)
{
	unsigned char letter = (unsigned char)*text;

	if (letter <= ' ' || letter >= 0x7f || (letter >= '0' && letter <= '9') ||
	    (text[1] && strcmp(text + 1, "+")))
		return false;
	*value = letter | (text[1] ? 0x100u : 0);
	return true;
}

/* Parse the numbers of a block device: MAJOR:MINOR. */
static bool where_device(const char *text, uint64_t *value)
{
	unsigned int major, minor;
	int end = 0;

	if (sscanf(text, "%5u:%7u%n", &major, &minor, &end) != 2 || text[end] || *text == '-' ||
	    strchr(text, '-') || strchr(text, '+'))
		return false;
	*value = (uint64_t)major << LKST_DEV_MINOR_BITS | minor;
	return minor < 1u << LKST_DEV_MINOR_BITS;
}

static bool where_constant_flag(enum lkst_field_format format, uint32_t type, const char *text,
				uint64_t *value)
{
	const struct constant_flags *flags = constant_flags(format, type);

	for (size_t i = 0; flags && i < flags->num; i++)
		if (!strcmp(flags->flag[i].name, text)) {
			*value = flags->flag[i].flag;
			return true;
		}
	return false;
}

static bool where_table_constant(enum lkst_field_format format, const char *text, uint64_t *value)
{
	for (uint64_t i = 0; i < where_constants(format); i++) {
		const char *name = constant_name(format, i);

		if (name && !strcmp(name, text)) {
			*value = i;
			return true;
		}
	}
	return false;
}

/**
 * where_constant() - find a constant that is the same on all kernels
 * @field: field that is compared with the constant
 * @type: number of the event type
 * @text: name, as it is printed
 * @value: receives the number
 */
bool where_constant(const struct lkst_field *field, uint32_t type, const char *text,
		    uint64_t *value)
{
	switch (field->format) {
	case LKST_FMT_ERR:
		return where_error_number(text, value);
	case LKST_FMT_STATE:
		return where_state(text, value);
	case LKST_FMT_DEV:
		return where_device(text, value);
	case LKST_FMT_MIGRATE:
		*value = UINT32_MAX;
		return !strcmp(text, "unknown");
	case LKST_FMT_BUF:
		*value = LKST_BUFFER_ID_VOID;
		return !strcmp(text, "none");
	case LKST_FMT_DEC:
		*value = FAILED;
		return type == LKST_ETYPE_MEM_PAGEALLOC && !field->arg && !strcmp(text, "failed");
	case LKST_FMT_CLONE:
		if (where_table_constant(LKST_FMT_SIG, text, value))
			return true;
		break;
	default:
		break;
	}
	return where_constant_flag(field->format, type, text, value) ||
	       where_table_constant(field->format, text, value);
}

/**
 * where_has_names() - check whether the values of a format have names that a trace lists
 * @format: format
 */
bool where_has_names(enum lkst_field_format format)
{
	switch (format) {
	case LKST_FMT_VEC:
	case LKST_FMT_SOFTIRQ:
	case LKST_FMT_FAULT:
	case LKST_FMT_GFP:
	case LKST_FMT_MIGRATE:
	case LKST_FMT_DEV:
	case LKST_FMT_BLKOP:
	case LKST_FMT_DROP:
	case LKST_FMT_TCP:
	case LKST_FMT_LCB:
	case LKST_FMT_DETECTOR:
	case LKST_FMT_DUMP:
		return true;
	default:
		return false;
	}
}

/**
 * where_captured() - find a constant that differs between kernels
 * @values: names of the values of a kernel; may be NULL
 * @format: format of the value
 * @text: name, as it is printed
 * @value: receives the number
 */
bool where_captured(const struct lkst_values *values, enum lkst_field_format format,
		    const char *text, uint64_t *value)
{
	const struct lkst_value *found;

	for (size_t i = 0; (found = lkst_values_at(values, format, i)) != NULL; i++)
		if (!strcmp(found->name, text)) {
			*value = found->value;
			return true;
		}
	return false;
}

/**
 * where_call() - find a system call
 * @name: name
 * @call: receives its number in each table of system calls; -1: it is not in the table
 */
bool where_call(const char *name, int16_t call[WHERE_CALLS])
{
	bool found = false;

	for (int table = 0; table < WHERE_CALLS; table++) {
		call[table] = -1;
		for (unsigned int i = 0; i < CONSTANT_CALLS_MAX; i++) {
			const char *known = constant_call(table, i);

			if (!known || strcmp(known, name))
				continue;
			call[table] = (int16_t)i;
			found = true;
			break;
		}
	}
	return found;
}

/* ---- near names ---- */

/* Names to suggest. If an allocation fails, there are fewer suggestions. */
struct where_list {
	char **name;
	size_t num;
	size_t room;
};

static void where_list_add(struct where_list *list, const char *prefix, const char *name)
{
	if (list->num == list->room) {
		size_t room = list->room ? list->room * 2 : 64;
		char **grown = realloc(list->name, room * sizeof(*grown));

		if (!grown)
			return;
		list->name = grown;
		list->room = room;
	}
	if (asprintf(&list->name[list->num], "%s%s", prefix, name) >= 0)
		list->num++;
}

static const char *where_list_at(void *ctx, size_t i)
{
	return ((const struct where_list *)ctx)->name[i];
}

/* Write '; did you mean ...?' for the word, and free the list. */
static void where_list_suggest(struct where_list *list, const char *word, char *text, size_t size)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	size_t n = lkst_suggest(word, where_list_at, list, list->num, suggestions);

	lkst_suggestions_text(suggestions, n, text, size);
	for (size_t i = 0; i < list->num; i++)
		free(list->name[i]);
	free(list->name);
}

static void where_list_constants(struct where_list *list, enum lkst_field_format format,
				 uint32_t type)
{
	const struct constant_flags *flags = constant_flags(format, type);

	for (uint64_t i = 0; i < where_constants(format); i++) {
		const char *name = format == LKST_FMT_ERR ? constant_error(i) :
							    constant_name(format, i);

		if (name)
			where_list_add(list, format == LKST_FMT_ERR ? "-" : "", name);
	}
	for (size_t i = 0; flags && i < flags->num; i++)
		where_list_add(list, "", flags->flag[i].name);
	for (int table = 0; format == LKST_FMT_SYS && table < WHERE_CALLS; table++)
		for (unsigned int i = 0; i < CONSTANT_CALLS_MAX; i++)
			if (constant_call(table, i))
				where_list_add(list, "", constant_call(table, i));
}

static void where_list_captured(struct where_list *list, const struct lkst_where_scope *scope,
				enum lkst_field_format format)
{
	const struct lkst_value *value;

	for (size_t i = 0; i < scope->contexts; i++)
		for (size_t k = 0; (value = lkst_values_at(scope->context[i]->values, format, k));
		     k++)
			where_list_add(list, "", value->name);
}

/**
 * where_in_scope() - check whether the condition will be applied to events of a type
 * @scope: scope of the condition
 * @type: number of the event type
 */
bool where_in_scope(const struct lkst_where_scope *scope, unsigned int type)
{
	const struct lkst_filter *filter = scope->filter;

	return scope->types->type[type] && (!filter || lkst_filter_shows(filter, type) ||
					    (filter->calls && (type == LKST_ETYPE_SYSCALL_ENTRY ||
							       type == LKST_ETYPE_SYSCALL_EXIT)));
}

/**
 * where_suggest_constant() - suggest names for an unknown value
 * @scope: scope of the condition
 * @label: field that is compared with the value
 * @word: the unknown value
 * @text: receives '; did you mean ...?', or ""
 * @size: size of @text in bytes
 */
void where_suggest_constant(const struct lkst_where_scope *scope, const char *label,
			    const char *word, char *text, size_t size)
{
	bool done[LKST_FMT_NUM] = { false };
	struct where_list list = { 0 };

	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = scope->types->type[i];

		if (!where_in_scope(scope, i))
			continue;
		for (int k = 0; k < type->fields; k++) {
			enum lkst_field_format format = type->field[k].format;

			if (strcmp(type->field[k].label, label) || done[format])
				continue;
			done[format] = true;
			where_list_constants(&list, format, i);
			if (where_has_names(format))
				where_list_captured(&list, scope, format);
		}
	}
	for (size_t i = 0; !strcmp(label, "flags") && i < WHERE_RECORD_FLAGS; i++)
		where_list_add(&list, "", where_record_flag[i].name);
	where_list_suggest(&list, word, text, size);
}

/**
 * where_suggest_field() - suggest names for an unknown field
 * @scope: scope of the condition
 * @word: the unknown name
 * @text: receives '; did you mean ...?', or ""
 * @size: size of @text in bytes
 */
void where_suggest_field(const struct lkst_where_scope *scope, const char *word, char *text,
			 size_t size)
{
	struct where_list list = { 0 };

	for (int i = WHERE_NOT_MEMBER + 1; i < WHERE_MEMBERS; i++)
		where_list_add(&list, "", where_members[i]);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		for (int k = 0; where_in_scope(scope, i) && k < scope->types->type[i]->fields; k++)
			where_list_add(&list, "", scope->types->type[i]->field[k].label);
	where_list_suggest(&list, word, text, size);
}
