// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>
#include <json-c/printbuf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "lib/text/etypes.h"

static bool failed; /* an allocation has failed */

static struct json_object *json_made(struct json_object *value)
{
	failed |= !value;
	return value;
}

/**
 * json_new() - make an object without members
 */
struct json_object *json_new(void)
{
	return json_made(json_object_new_object());
}

/**
 * json_list() - make an array without elements
 */
struct json_object *json_list(void)
{
	return json_made(json_object_new_array());
}

/**
 * json_free() - free a value that will not be printed
 * @value: may be NULL
 */
void json_free(struct json_object *value)
{
	json_object_put(value);
}

/**
 * json_put() - add a member to an object
 * @object: object
 * @name: a constant, not copied
 * @value: value of the member, owned by the object from now on; NULL: null
 */
void json_put(struct json_object *object, const char *name, struct json_object *value)
{
	if (object &&
	    !json_object_object_add_ex(object, name, value, JSON_C_OBJECT_KEY_IS_CONSTANT))
		return;
	failed = true;
	json_object_put(value);
}

/**
 * json_put_copy() - add a member whose name is not a constant
 * @object: object
 * @name: copied
 * @value: value of the member, owned by the object from now on; NULL: null
 */
void json_put_copy(struct json_object *object, const char *name, struct json_object *value)
{
	if (object && !json_object_object_add(object, name, value))
		return;
	failed = true;
	json_object_put(value);
}

/**
 * json_add() - append an element to a list
 * @list: list
 * @value: value of the element, owned by the list from now on; NULL: null
 */
void json_add(struct json_object *list, struct json_object *value)
{
	if (list && !json_object_array_add(list, value))
		return;
	failed = true;
	json_object_put(value);
}

struct json_object *json_of_int(int64_t value)
{
	return json_made(json_object_new_int64(value));
}

struct json_object *json_of_uint(uint64_t value)
{
	return json_made(json_object_new_uint64(value));
}

void json_int(struct json_object *object, const char *name, int64_t value)
{
	json_put(object, name, json_of_int(value));
}

void json_uint(struct json_object *object, const char *name, uint64_t value)
{
	json_put(object, name, json_of_uint(value));
}

/**
 * json_of_real() - make a number with a fraction
 * @value: value
 *
 * Return: the number; NULL, printed as null, if @value is infinite or not a number.
 */
struct json_object *json_of_real(double value)
{
	char text[32];

	/*
	 * With 17 digits, 0.1 would be printed as 0.10000000000000001. The 15 digits that a double
	 * always preserves are enough.
	 */
	snprintf(text, sizeof(text), "%.15g", value);
	return isfinite(value) ? json_made(json_object_new_double_s(value, text)) : NULL;
}

/**
 * json_real() - add a member that is a number with a fraction
 * @object: object
 * @name: name of the member
 * @value: value; the member is null if @value is infinite or not a number
 */
void json_real(struct json_object *object, const char *name, double value)
{
	json_put(object, name, json_of_real(value));
}

/**
 * json_id() - add a member that is an id
 * @object: object
 * @name: name of the member
 * @id: id
 * @none: value of @id for which the member is null
 */
void json_id(struct json_object *object, const char *name, int32_t id, int32_t none)
{
	if (id == none)
		json_put(object, name, NULL);
	else
		json_int(object, name, id);
}

void json_flag(struct json_object *object, const char *name, bool value)
{
	json_put(object, name, json_made(json_object_new_boolean(value)));
}

static int json_put_string(struct json_object *value, struct printbuf *to, int level, int flags)
{
	const char *text = json_object_get_string(value);
	size_t len = (size_t)json_object_get_string_len(value);
	char *escaped = malloc(6 * len + 2), *p = escaped;

	(void)level;
	(void)flags;
	if (!escaped)
		return -1;
	p = put_char(put_json(put_char(p, '"'), text, len), '"');
	printbuf_memappend(to, escaped, (int)(p - escaped));
	free(escaped);
	return 0;
}

/* Make a string. @text may contain any bytes: json_put_string() replaces invalid UTF-8. */
struct json_object *json_of_text(const char *text)
{
	struct json_object *value = json_made(json_object_new_string(text));

	if (value)
		json_object_set_serializer(value, json_put_string, NULL, NULL);
	return value;
}

void json_text(struct json_object *object, const char *name, const char *text)
{
	json_put(object, name, json_of_text(text));
}

/**
 * json_etype() - add an event type: its number, and its name or null
 * @object: object to which the members "event_type" and "event_name" are added
 * @types: known event types
 * @type: number of the event type
 */
void json_etype(struct json_object *object, const struct lkst_etypes *types, uint32_t type)
{
	const struct lkst_etype *known = lkst_etype(types, type);

	json_int(object, "event_type", type);
	json_put(object, "event_name", known ? json_of_text(known->name) : NULL);
}

void json_add_text(struct json_object *list, const char *text)
{
	json_add(list, json_of_text(text));
}

/**
 * json_take_text() - write a value into memory
 * @value: value; it is freed
 *
 * Return: the text, which the caller frees; NULL if an allocation failed, here or before.
 */
char *json_take_text(struct json_object *value)
{
	const char *text = NULL;
	char *copy;

	if (!failed)
		text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE);
	copy = text ? strdup(text) : NULL;
	json_object_put(value);
	return copy;
}

/* Print a value with flags of json-c, and free it. */
static int json_print_with(struct json_object *value, int flags, struct lkst_error *err)
{
	const char *text = NULL;

	flags |= JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE;
	if (!failed)
		text = json_object_to_json_string_ext(value, flags);
	if (text)
		puts(text);
	else
		lkst_error_memory(err, "JSON");
	json_object_put(value);
	return text ? 0 : -1;
}

/**
 * json_print() - print a value on standard output, indented for readability
 * @value: value to print; it is freed
 * @err: set if an allocation fails
 */
int json_print(struct json_object *value, struct lkst_error *err)
{
	return json_print_with(value, JSON_C_TO_STRING_PRETTY, err);
}

/**
 * json_print_line() - print a value on a line of standard output
 * @value: value to print; it is freed
 * @err: set if an allocation fails
 */
int json_print_line(struct json_object *value, struct lkst_error *err)
{
	return json_print_with(value, 0, err);
}
