// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>
#include <json-c/printbuf.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "lib/messages.h"
#include "lib/put.h"

static bool failed; /* memory was missing somewhere */

static struct json_object *made(struct json_object *value)
{
	failed |= !value;
	return value;
}

/**
 * json_new() - an object without members
 */
struct json_object *json_new(void)
{
	return made(json_object_new_object());
}

/**
 * json_list() - an array without elements
 */
struct json_object *json_list(void)
{
	return made(json_object_new_array());
}

/**
 * json_free() - drop a value that is not going to be printed
 * @value: may be NULL
 */
void json_free(struct json_object *value)
{
	json_object_put(value);
}

/**
 * json_put() - a member of an object
 * @object: it belongs to
 * @name: a constant
 * @value: is given away; NULL: null
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
 * json_add() - an element of a list
 * @list: it is appended to
 * @value: is given away; NULL: null
 */
void json_add(struct json_object *list, struct json_object *value)
{
	if (list && !json_object_array_add(list, value))
		return;
	failed = true;
	json_object_put(value);
}

void json_int(struct json_object *object, const char *name, int64_t value)
{
	json_put(object, name, made(json_object_new_int64(value)));
}

void json_uint(struct json_object *object, const char *name, uint64_t value)
{
	json_put(object, name, made(json_object_new_uint64(value)));
}

/**
 * json_id() - an id, of which one value means that there is none
 * @object: it belongs to
 * @name: of the member
 * @id: any
 * @none: printed as null
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
	json_put(object, name, made(json_object_new_boolean(value)));
}

static int put_string(struct json_object *value, struct printbuf *to, int level, int flags)
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

/* Any bytes. */
static struct json_object *string(const char *text)
{
	struct json_object *value = made(json_object_new_string(text));

	if (value)
		json_object_set_serializer(value, put_string, NULL, NULL);
	return value;
}

void json_text(struct json_object *object, const char *name, const char *text)
{
	json_put(object, name, string(text));
}

/**
 * json_etype() - an event type: its number, and its name if it has one
 * @object: gets the members "event_type" and "event_name"
 * @types: those that are known
 * @type: number
 */
void json_etype(struct json_object *object, const struct lkst_etypes *types, uint32_t type)
{
	const struct lkst_etype *known = lkst_etype(types, type);

	json_int(object, "event_type", type);
	json_put(object, "event_name", known ? string(known->name) : NULL);
}

void json_add_int(struct json_object *list, int64_t value)
{
	json_add(list, made(json_object_new_int64(value)));
}

void json_add_text(struct json_object *list, const char *text)
{
	json_add(list, string(text));
}

/* Takes @value. */
static char *to_text(struct json_object *value, int flags, struct lkst_error *err)
{
	const char *text = NULL;
	char *copy = NULL;

	if (!failed)
		text = json_object_to_json_string_ext(value,
						      flags | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		copy = strdup(text);
	if (!copy)
		lkst_error_memory(err, "JSON");
	json_object_put(value);
	return copy;
}

/**
 * json_print() - print a value on standard output, for people to look at, too
 * @value: is given away
 * @err: no memory
 */
int json_print(struct json_object *value, struct lkst_error *err)
{
	char *text = to_text(value, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED, err);

	if (!text)
		return -1;
	puts(text);
	free(text);
	return 0;
}

/**
 * json_line() - a value on one line, without its end
 * @value: is given away
 * @err: no memory
 *
 * Return: text, to be freed.
 */
char *json_line(struct json_object *value, struct lkst_error *err)
{
	return to_text(value, JSON_C_TO_STRING_PLAIN, err);
}
