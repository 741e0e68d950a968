// SPDX-License-Identifier: LGPL-2.1
/*
 * Compiles expressions to the kernel's syntax.
 *
 * In the kernel's syntax, $argN is the Nth argument, and +OFFSET(ADDRESS) is the value in memory at
 * ADDRESS + OFFSET. If p is the first argument, a is at offset 8 of *p, and b is at offset 4 of a,
 * then "p->a.b" becomes "+12($arg1)". A struct fetch describes the part of the expression that has
 * been compiled so far. Each "->", "." and "[]" changes the struct fetch.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fetch.h"
#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "messages.h"
#include "types.h"

#define FETCH_ARRAY_MAX 64 /* limits of LKST in the kernel for arrays */
#define FETCH_CHARS_MAX 256
#define FETCH_NAMES_MAX 1024 /* names of members to be suggested */

/* Set an error with the declaration of the type of a value. */
static int fetch_wrong_type(const struct fetch *fetch, const char *format, struct lkst_error *err)
{
	char *name = btf_declaration(fetch->btf, fetch->type, "");

	if (name)
		lkst_error_set(err, LKST_ERR_ARGUMENT, format, name);
	else
		lkst_error_memory(err, "an expression");
	free(name);
	return -1;
}

/**
 * fetch_free() - free the members of a struct fetch
 * @fetch: the value
 */
void fetch_free(struct fetch *fetch)
{
	free(fetch->base);
	fetch->base = NULL;
}

/**
 * fetch_value() - write how to get a value, without its type
 * @fetch: the value
 * @err: set on failure
 *
 * Return: the text in the kernel's syntax, to be freed; NULL on error.
 */
char *fetch_value(const struct fetch *fetch, struct lkst_error *err)
{
	char *text;
	int ret;

	if (fetch->memory)
		ret = asprintf(&text, "%s%" PRId64 "(%s)", fetch->user ? "+u" : "+", fetch->offset,
			       fetch->base);
	else
		ret = asprintf(&text, "%s", fetch->base);
	if (ret >= 0)
		return text;
	lkst_error_memory(err, "an expression");
	return NULL;
}

/* Continue with what a pointer points to. */
static int fetch_follow(struct fetch *fetch, uint32_t target, struct lkst_error *err)
{
	char *base = fetch_value(fetch, err);

	if (!base)
		return -1;
	free(fetch->base);
	fetch->base = base;
	fetch->memory = true;
	fetch->user = btf_is_user_memory(fetch->btf, target);
	fetch->offset = 0;
	fetch->type = target;
	return 0;
}

/* ---- arguments ---- */

/*
 * Fail if a structure that is passed by value is among the arguments up to @index. Such an argument
 * takes two registers or a place on the stack, which changes the numbers of the arguments after it.
 */
static int fetch_check_structs(const struct btf_prototype *prototype, unsigned int index,
			       struct lkst_error *err)
{
	const struct btf_param *param = btf_params(prototype->type) + prototype->first;

	for (unsigned int i = 0; i <= index; i++) {
		uint32_t id = param[i].type;
		const struct btf_type *type = btf_plain(prototype->btf, &id);

		if (type && btf_is_composite(type)) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ARGUMENT_STRUCT,
				       btf__name_by_offset(prototype->btf, param[i].name_off));
			return -1;
		}
	}
	return 0;
}

/**
 * fetch_argument() - get an argument
 * @prototype: function or tracepoint
 * @index: its number, from 0
 * @fetch: receives the value, to be freed
 * @err: set on failure
 */
int fetch_argument(const struct btf_prototype *prototype, unsigned int index, struct fetch *fetch,
		   struct lkst_error *err)
{
	const struct btf_param *param = btf_params(prototype->type) + prototype->first + index;

	if (fetch_check_structs(prototype, index, err))
		return -1;
	*fetch = (struct fetch){ .btf = prototype->btf, .type = param->type };
	if (asprintf(&fetch->base, "$arg%u", index + 1) < 0) {
		fetch->base = NULL;
		lkst_error_memory(err, "an expression");
		return -1;
	}
	return 0;
}

static int fetch_return(const struct btf_prototype *prototype, struct fetch *fetch,
			struct lkst_error *err)
{
	uint32_t id = prototype->type->type;
	const struct btf_type *type = btf_plain(prototype->btf, &id);

	if (!type) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NO_VALUE);
		return -1;
	}
	*fetch = (struct fetch){
		.btf = prototype->btf,
		.type = prototype->type->type,
		.base = strdup("$retval"),
	};
	if (fetch->base)
		return 0;
	lkst_error_memory(err, "an expression");
	return -1;
}

static const char *fetch_argument_name(void *ctx, size_t i)
{
	const struct btf_prototype *prototype = ctx;
	const struct btf_param *param = btf_params(prototype->type) + prototype->first + i;

	return btf__name_by_offset(prototype->btf, param->name_off);
}

/* List the names of the arguments, for a message. */
static void fetch_list_arguments(const struct btf_prototype *prototype, char *text, size_t size)
{
	unsigned int num = btf_prototype_arguments(prototype);
	size_t used;

	if (!num) {
		snprintf(text, size, MSG_NO_ARGUMENTS);
		return;
	}
	used = (size_t)snprintf(text, size, " (want ");
	for (unsigned int i = 0; i < num && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i == 0	      ? "" :
					 i + 1 == num ? " or " :
							", ",
					 fetch_argument_name((void *)prototype, i));
	if (used < size)
		snprintf(text + used, size - used, ")");
}

static int fetch_no_argument(const struct btf_prototype *prototype, const char *name, size_t len,
			     struct lkst_error *err)
{
	char known[256];

	fetch_list_arguments(prototype, known, sizeof(known));
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NO_ARGUMENT, (int)len, name, known);
	return -1;
}

/* Get the value with which an expression begins: an argument, by its name or number, or $retval. */
static int fetch_begin(const struct btf_prototype *prototype, enum fetch_place place,
		       const char *name, size_t len, struct fetch *fetch, struct lkst_error *err)
{
	unsigned int num = btf_prototype_arguments(prototype), index = 0;

	if (len == strlen("$retval") && !strncmp(name, "$retval", len)) {
		if (place == FETCH_RETURN)
			return fetch_return(prototype, fetch, err);
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_DEFINITION_NO_RETURN);
		return -1;
	}
	if (!strncmp(name, "$arg", strlen("$arg"))) {
		index = (unsigned int)strtoul(name + strlen("$arg"), NULL, 10) - 1;
	} else {
		while (index < num &&
		       (strncmp(fetch_argument_name((void *)prototype, index), name, len) ||
			fetch_argument_name((void *)prototype, index)[len]))
			index++;
	}
	return index < num ? fetch_argument(prototype, index, fetch, err) :
			     fetch_no_argument(prototype, name, len, err);
}

/* ---- members and elements ---- */

static const char *fetch_name_at(void *ctx, size_t i)
{
	return ((const char **)ctx)[i];
}

static int fetch_no_member(const struct fetch *fetch, const struct btf_type *type, const char *name,
			   size_t len, struct lkst_error *err)
{
	static const char *names[FETCH_NAMES_MAX];
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char word[64], similar[256], *of = btf_declaration(fetch->btf, fetch->type, "");
	size_t num = btf_member_names(fetch->btf, type, names, FETCH_NAMES_MAX);

	snprintf(word, sizeof(word), "%.*s", (int)len, name);
	num = lkst_suggest(word, fetch_name_at, names, num, suggestions);
	lkst_suggestions_text(suggestions, num, similar, sizeof(similar));
	if (of)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NO_MEMBER, (int)len, name, of, similar);
	else
		lkst_error_memory(err, "an expression");
	free(of);
	return -1;
}

/**
 * fetch_member() - continue with a member
 * @fetch: a structure or union in memory
 * @name: name of the member
 * @len: length of @name
 * @err: set on failure
 */
int fetch_member(struct fetch *fetch, const char *name, size_t len, struct lkst_error *err)
{
	uint32_t id = fetch->type;
	const struct btf_type *type = btf_plain(fetch->btf, &id);
	struct btf_place place;

	if (type && btf_is_fwd(type))
		return fetch_wrong_type(fetch, MSG_UNKNOWN_STRUCT, err);
	if (!type || !btf_is_composite(type) || !fetch->memory)
		return fetch_wrong_type(fetch, MSG_NO_MEMBERS, err);
	if (!btf_find_member(fetch->btf, type, name, len, &place))
		return fetch_no_member(fetch, type, name, len, err);
	fetch->type = place.type;
	fetch->offset += (int64_t)(place.bit / 8);
	fetch->bit = place.bit % 8;
	fetch->bits = place.bits;
	return 0;
}

/**
 * fetch_arrow() - continue with what a pointer points to
 * @fetch: a pointer
 * @err: set on failure
 */
int fetch_arrow(struct fetch *fetch, struct lkst_error *err)
{
	uint32_t id = fetch->type;
	const struct btf_type *type = btf_plain(fetch->btf, &id);

	if (type && btf_is_ptr(type))
		return fetch_follow(fetch, type->type, err);
	if (!type || !btf_is_composite(type))
		return fetch_wrong_type(fetch, MSG_NO_MEMBERS, err);
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NOT_POINTER);
	return -1;
}

static int fetch_dot(const struct fetch *fetch, struct lkst_error *err)
{
	uint32_t id = fetch->type;
	const struct btf_type *type = btf_plain(fetch->btf, &id);

	if (type && btf_is_composite(type))
		return 0;
	if (!type || !btf_is_ptr(type))
		return fetch_wrong_type(fetch, MSG_NO_MEMBERS, err);
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NOT_STRUCT);
	return -1;
}

static int fetch_element(struct fetch *fetch, uint64_t index, struct lkst_error *err)
{
	uint32_t id = fetch->type;
	const struct btf_type *type = btf_plain(fetch->btf, &id);
	int64_t size;

	if (type && btf_is_ptr(type)) {
		if (fetch_follow(fetch, type->type, err))
			return -1;
	} else if (type && btf_is_array(type) && fetch->memory) {
		uint32_t num = btf_array(type)->nelems;

		/* The last member of a structure can be an array of 0 elements. */
		if (num && index >= num) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ARRAY_END, num, num - 1);
			return -1;
		}
		fetch->type = btf_array(type)->type;
	} else {
		return fetch_wrong_type(fetch, MSG_NOT_ARRAY, err);
	}
	size = btf__resolve_size(fetch->btf, fetch->type);
	if (size <= 0)
		return fetch_wrong_type(fetch, MSG_UNKNOWN_STRUCT, err);
	fetch->offset += size * (int64_t)index;
	return 0;
}

/* ---- parsing ---- */

static size_t fetch_name_length(const char *text, const char *end)
{
	const char *p = text;

	if (p < end && (isalpha((unsigned char)*p) || *p == '_' || *p == '$'))
		while (++p < end && (isalnum((unsigned char)*p) || *p == '_'))
			;
	return (size_t)(p - text);
}

/* Parse "[NUMBER]" at *@p. */
static int fetch_parse_element(struct fetch *fetch, const char **p, const char *end,
			       struct lkst_error *err)
{
	uint64_t index = 0;
	const char *digit = *p + 1;

	while (digit < end && isdigit((unsigned char)*digit) && index < UINT32_MAX / 10)
		index = 10 * index + (uint64_t)(*digit++ - '0');
	if (digit == *p + 1 || digit == end || *digit != ']') {
		*p += 1;
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EXPRESSION_INDEX);
		return -1;
	}
	if (fetch_element(fetch, index, err))
		return -1;
	*p = digit + 1;
	return 0;
}

/* Parse "->NAME", ".NAME" or "[NUMBER]". On error, *@p is the position of the error. */
static int fetch_parse_step(struct fetch *fetch, const char **p, const char *end,
			    struct lkst_error *err)
{
	bool arrow = end - *p > 1 && !strncmp(*p, "->", 2);
	size_t len;

	if (**p == '[')
		return fetch_parse_element(fetch, p, end, err);
	if (!arrow && **p != '.') {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EXPRESSION_REST, (int)(end - *p), *p);
		return -1;
	}
	if (arrow ? fetch_arrow(fetch, err) : fetch_dot(fetch, err))
		return -1;
	*p += arrow ? 2 : 1;
	len = fetch_name_length(*p, end);
	if (!len) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EXPRESSION_MEMBER);
		return -1;
	}
	if (fetch_member(fetch, *p, len, err))
		return -1;
	*p += len;
	return 0;
}

/**
 * fetch_compile() - compile an expression
 * @prototype: function or tracepoint
 * @place: where in the function it is evaluated
 * @text: expression, without the type that may follow
 * @len: length of @text
 * @fetch: receives the value, to be freed
 * @wrong: set on failure
 */
int fetch_compile(const struct btf_prototype *prototype, enum fetch_place place, const char *text,
		  size_t len, struct fetch *fetch, struct fetch_error *wrong)
{
	const char *p = text, *end = text + len;
	size_t name = fetch_name_length(text, end);
	int ret = -1;

	*fetch = (struct fetch){ 0 };
	if (!name)
		lkst_error_set(&wrong->err, LKST_ERR_ARGUMENT, MSG_EXPRESSION_NAME);
	else
		ret = fetch_begin(prototype, place, text, name, fetch, &wrong->err);
	if (!ret)
		p += name;
	while (!ret && p < end)
		ret = fetch_parse_step(fetch, &p, end, &wrong->err);
	wrong->at = (size_t)(p - text);
	if (ret)
		fetch_free(fetch);
	return ret;
}

/* ---- types ---- */

static bool fetch_is_string(const char *type)
{
	return !strcmp(type, "string") || !strcmp(type, "ustring");
}

/*
 * Return the expression for a string in the kernel's syntax: the string that a pointer points to, or
 * an array. @kind is "string" or "ustring". Returns NULL on error.
 */
static char *fetch_string(const struct fetch *fetch, const char *kind, struct lkst_error *err)
{
	uint32_t id = fetch->type;
	const struct btf_type *type = btf_plain(fetch->btf, &id);
	char *value, *text = NULL;
	int ret;

	if (!type || !(btf_is_ptr(type) || (btf_is_array(type) && fetch->memory))) {
		fetch_wrong_type(fetch, MSG_NOT_STRING, err);
		return NULL;
	}
	value = fetch_value(fetch, err);
	if (!value)
		return NULL;
	ret = btf_is_ptr(type) ? asprintf(&text, "+0(%s):%s", value, kind) :
				 asprintf(&text, "%s:%s", value, kind);
	free(value);
	if (ret >= 0)
		return text;
	lkst_error_memory(err, "an expression");
	return NULL;
}

/* Write the kernel's name of a type that is a number. Returns false if the type is not a number. */
static bool fetch_number_type(const struct fetch *fetch, uint32_t id, char *name, size_t size)
{
	const struct btf_type *type = btf_plain(fetch->btf, &id), *target;
	uint32_t target_id;

	switch (type ? btf_kind(type) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
		snprintf(name, size, "%c%u", btf_int_encoding(type) & BTF_INT_SIGNED ? 's' : 'u',
			 8 * type->size);
		return type->size <= 8;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		snprintf(name, size, "%c%u", btf_kflag(type) ? 's' : 'u', 8 * type->size);
		return type->size <= 8;
	case BTF_KIND_PTR:
		target_id = type->type;
		target = btf_plain(fetch->btf, &target_id);
		if (target && btf_is_func_proto(target))
			snprintf(name, size, "symbol");
		else
			snprintf(name, size, "x%zu", 8 * btf__pointer_size(fetch->btf));
		return true;
	default:
		return false;
	}
}

/*
 * Write the kernel's name of the type of a bitfield: its size and offset in bits, and the size of
 * the number that contains it. On little-endian machines, Linux counts the offset from the lowest
 * bit.
 */
static void fetch_bitfield_type(struct fetch *fetch, char *name, size_t size)
{
	unsigned int container = 8, bit = fetch->bit;

	while (container < 64 && bit + fetch->bits > container) {
		container *= 2;
		/* Keep the number aligned. */
		bit = fetch->bit + 8 * (unsigned int)(fetch->offset % (container / 8));
	}
	fetch->offset -= fetch->offset % (container / 8);
	snprintf(name, size, "b%u@%u/%u", fetch->bits, bit, container);
}

static char *fetch_with_type(const struct fetch *fetch, const char *type, struct lkst_error *err)
{
	char *value = fetch_value(fetch, err), *text = NULL;

	if (value && asprintf(&text, "%s:%s", value, type) < 0) {
		text = NULL;
		lkst_error_memory(err, "an expression");
	}
	free(value);
	return text;
}

/*
 * Write an array of char. If the size of the array is known and not large, use the type char[SIZE]
 * instead of string: the event then takes fewer records.
 */
static char *fetch_text_array(const struct fetch *fetch, const struct btf_array *array,
			      struct lkst_error *err)
{
	char name[32];

	if (fetch->user || !array->nelems || array->nelems > FETCH_CHARS_MAX)
		return fetch_string(fetch, fetch->user ? "ustring" : "string", err);
	snprintf(name, sizeof(name), "char[%u]", array->nelems);
	return fetch_with_type(fetch, name, err);
}

static char *fetch_array(const struct fetch *fetch, const struct btf_array *array,
			 struct lkst_error *err)
{
	char element[16], name[32];

	if (btf_is_text(fetch->btf, array->type))
		return fetch_text_array(fetch, array, err);
	if (!fetch_number_type(fetch, array->type, element, sizeof(element)) || !array->nelems ||
	    array->nelems > FETCH_ARRAY_MAX) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_IS_ARRAY, array->nelems,
			       FETCH_ARRAY_MAX);
		return NULL;
	}
	snprintf(name, sizeof(name), "%s[%u]", element, array->nelems);
	return fetch_with_type(fetch, name, err);
}

/* Write a value with the type that BTF says it has. */
static char *fetch_own_type(const struct fetch *fetch, struct lkst_error *err)
{
	uint32_t id = fetch->type;
	const struct btf_type *type = btf_plain(fetch->btf, &id);
	struct fetch field = *fetch;
	char name[32];

	if (fetch->bits) {
		fetch_bitfield_type(&field, name, sizeof(name));
		return fetch_with_type(&field, name, err);
	}
	if (type && btf_is_ptr(type) && btf_is_text(fetch->btf, type->type))
		return fetch_string(
			fetch, btf_is_user_memory(fetch->btf, type->type) ? "ustring" : "string",
			err);
	if (type && btf_is_array(type) && fetch->memory)
		return fetch_array(fetch, btf_array(type), err);
	if (type && fetch_number_type(fetch, id, name, sizeof(name)))
		return fetch_with_type(fetch, name, err);
	fetch_wrong_type(fetch, type && btf_is_composite(type) ? MSG_IS_STRUCT : MSG_IS_OTHER, err);
	return NULL;
}

/**
 * fetch_text() - write how to get a value, and its type
 * @fetch: the value
 * @type: type that the user named; NULL: that of the value
 * @err: set on failure
 *
 * Return: the text in the kernel's syntax, to be freed; NULL on error.
 */
char *fetch_text(const struct fetch *fetch, const char *type, struct lkst_error *err)
{
	if (!type)
		return fetch_own_type(fetch, err);
	if (fetch_is_string(type))
		return fetch_string(fetch, type, err);
	if (!fetch->bits)
		return fetch_with_type(fetch, type, err);
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BITFIELD_TYPE, type);
	return NULL;
}
