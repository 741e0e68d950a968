// SPDX-License-Identifier: LGPL-2.1
/*
 * Derives the own fields of a tracepoint: those that ftrace records.
 *
 * ftrace fills them in with code of the tracepoint (TP_fast_assign()), which is not in BTF. By
 * convention, most fields have the name of what they contain. So the field F is derived from
 *
 * - the argument F
 * - else the argument A, which is a pointer, if F is Aaddr
 * - else the member M of the structure that the argument A points to, if F is A_M
 * - else the member F of the structure that an argument points to, if only one argument has it
 *
 * The field and its source must be of the same kind: both numbers, both pointers, or both strings
 * or arrays. There is one exception: if F is a number and its source is a pointer to a number, F is
 * the number that the pointer points to. If the code computes a field, the field cannot be derived.
 * If the code converts a value, for instance from network byte order, the derived field has another
 * value than in ftrace.
 *
 * The structure trace_event_raw_CLASS has the fields of a class of tracepoints, and the function
 * __bpf_trace_CLASS() its arguments. BTF does not say to which class a tracepoint belongs. Of the
 * classes whose arguments have the same types as the arguments of the tracepoint, it is taken to be
 *
 * - the class with the name of the tracepoint
 * - else a class with the fields that tracefs lists for the tracepoint
 * - else, if tracefs lists no fields, the only class whose arguments also have the same names
 * - else, if tracefs lists no fields, the only class
 *
 * The names of the arguments are taken from the class. They can differ from the names that the
 * tracepoint has for its arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fetch.h"
#include "lib/base/error.h"
#include "messages.h"
#include "own_fields.h"
#include "types.h"

#define CLASS_FUNCTION "__bpf_trace_"
#define CLASS_FIELDS   "trace_event_raw_"
#define OWN_FIELDS_MAX 128

enum own_kind {
	OWN_NUMBER,
	OWN_POINTER,
	OWN_OTHER /* a string, an array or a structure */
};

/**
 * struct own_field - a field that ftrace records
 * @name: its name
 * @len: length of @name
 * @kind: what it contains
 */
struct own_field {
	const char *name;
	size_t len;
	enum own_kind kind;
};

/**
 * struct own_list - the fields that ftrace records
 * @num: number of fields
 * @field: the fields
 * @text: contains the names; NULL: the names are in BTF
 */
struct own_list {
	size_t num;
	struct own_field field[OWN_FIELDS_MAX];
	char *text;
};

/* ---- the list of fields ---- */

static enum own_kind own_kind_of(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_plain(btf, &id);

	if (type && btf_is_ptr(type))
		return OWN_POINTER;
	return type && (btf_is_int(type) || btf_is_any_enum(type)) ? OWN_NUMBER : OWN_OTHER;
}

static void own_list_add(struct own_list *list, const char *name, size_t len, enum own_kind kind)
{
	if (list->num < OWN_FIELDS_MAX)
		list->field[list->num++] =
			(struct own_field){ .name = name, .len = len, .kind = kind };
}

/* List the members of a structure trace_event_raw_CLASS. */
static void own_list_members(struct own_list *list, const struct btf *btf,
			     const struct btf_type *type)
{
	static const char *const elsewhere[] = { "__data_loc_", "__rel_loc_" };

	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *member = btf_members(type) + i;
		const char *name = btf__name_by_offset(btf, member->name_off);
		enum own_kind kind = own_kind_of(btf, member->type);

		if (!strcmp(name, "ent") || !strcmp(name, "__data"))
			continue;
		for (size_t j = 0; j < sizeof(elsewhere) / sizeof(*elsewhere); j++) {
			if (!strncmp(name, elsewhere[j], strlen(elsewhere[j]))) {
				name += strlen(elsewhere[j]);
				kind = OWN_OTHER;
			}
		}
		own_list_add(list, name, strlen(name), kind);
	}
}

/* List the fields of a file "format", in lines such as "\tfield:char comm[16];\toffset:8;...". */
static void own_list_format(struct own_list *list)
{
	static const char start[] = "\tfield:";

	for (const char *line = list->text; (line = strstr(line, start)) != NULL;) {
		const char *name, *end, *array;

		line += strlen(start);
		end = line + strcspn(line, ";\n");
		array = memchr(line, '[', (size_t)(end - line));
		if (array && array[1] != ']')
			end = array;
		for (name = end; name > line && name[-1] != ' '; name--)
			;
		if (strncmp(name, "common_", strlen("common_")))
			own_list_add(list, name, (size_t)(end - name),
				     array				      ? OWN_OTHER :
				     memchr(line, '*', (size_t)(name - line)) ? OWN_POINTER :
										OWN_NUMBER);
	}
}

static const struct btf_type *own_structure(const struct btf *btf, const char *class)
{
	char name[256];
	int32_t id;

	snprintf(name, sizeof(name), CLASS_FIELDS "%s", class);
	id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	return id > 0 ? btf__type_by_id(btf, (uint32_t)id) : NULL;
}

/* Return whether the arguments of a class have the same types as the arguments of a tracepoint. */
static bool own_same_types(const struct btf_prototype *prototype, const struct btf_type *type)
{
	const struct btf_param *a = btf_params(prototype->type), *b;

	if (!type || !btf_is_func_proto(type) || btf_vlen(type) != btf_vlen(prototype->type))
		return false;
	b = btf_params(type);
	for (unsigned int i = prototype->first; i < btf_vlen(type); i++)
		if (a[i].type != b[i].type)
			return false;
	return true;
}

/* Return whether the arguments of a class have the same names as the arguments of a tracepoint. */
static bool own_same_names(const struct btf_prototype *prototype, const struct btf_type *type)
{
	const struct btf_param *a = btf_params(prototype->type), *b = btf_params(type);

	for (unsigned int i = prototype->first; i < btf_vlen(type); i++)
		if (strcmp(btf__name_by_offset(prototype->btf, a[i].name_off),
			   btf__name_by_offset(prototype->btf, b[i].name_off)))
			return false;
	return true;
}

/* Return whether a class has the fields that tracefs lists. */
static bool own_same_fields(const struct own_list *listed, const struct btf *btf,
			    const struct btf_type *structure)
{
	static struct own_list list;

	list.num = 0;
	own_list_members(&list, btf, structure);
	if (list.num != listed->num)
		return false;
	for (size_t i = 0; i < list.num; i++)
		if (list.field[i].len != listed->field[i].len ||
		    strncmp(list.field[i].name, listed->field[i].name, list.field[i].len))
			return false;
	return true;
}

/* What shows that a tracepoint belongs to a class, from the weakest to the strongest evidence */
enum own_match {
	OWN_NONE,
	OWN_TYPES,
	OWN_NAMES,
	OWN_FIELDS,
	OWN_SAME_NAME
};

static enum own_match own_match(const struct btf_prototype *prototype,
				const struct own_list *listed, const char *class,
				const struct btf_type *type, const struct btf_type *structure)
{
	if (!structure)
		return OWN_NONE;
	if (!strcmp(class, prototype->name))
		return OWN_SAME_NAME;
	if (listed->text)
		return own_same_fields(listed, prototype->btf, structure) ? OWN_FIELDS : OWN_NONE;
	return own_same_names(prototype, type) ? OWN_NAMES : OWN_TYPES;
}

/**
 * struct own_class - the class of a tracepoint
 * @structure: its fields
 * @type: its arguments
 * @match: what shows that the tracepoint belongs to this class
 * @num: number of classes that match equally well
 */
struct own_class {
	const struct btf_type *structure;
	const struct btf_type *type;
	enum own_match match;
	unsigned int num;
};

static void own_class_consider(struct own_class *best, const struct btf_prototype *prototype,
			       const struct own_list *listed, const struct btf_type *function)
{
	const char *class =
		btf__name_by_offset(prototype->btf, function->name_off) + strlen(CLASS_FUNCTION);
	const struct btf_type *type = btf__type_by_id(prototype->btf, function->type), *structure;
	enum own_match match;

	if (!own_same_types(prototype, type))
		return;
	structure = own_structure(prototype->btf, class);
	match = own_match(prototype, listed, class, type, structure);
	if (match == best->match)
		best->num++;
	if (match > best->match)
		*best = (struct own_class){
			.structure = structure,
			.type = type,
			.match = match,
			.num = 1,
		};
}

/* Find the class of a tracepoint. In the result, num is 1 only if the class was found. */
static struct own_class own_class_find(const struct btf_prototype *prototype,
				       const struct own_list *listed)
{
	struct own_class best = { .match = OWN_NONE };

	for (uint32_t id = 1; id < btf__type_cnt(prototype->btf); id++) {
		const struct btf_type *type = btf__type_by_id(prototype->btf, id);
		const char *name = btf__name_by_offset(prototype->btf, type->name_off);

		if (btf_is_func(type) && !strncmp(name, CLASS_FUNCTION, strlen(CLASS_FUNCTION)))
			own_class_consider(&best, prototype, listed, type);
	}
	/*
	 * If several classes have the same fields and types, it does not matter which one is used.
	 */
	if (best.match == OWN_NONE)
		best.num = 0;
	else if (best.match == OWN_FIELDS)
		best.num = 1;
	return best;
}

static void own_arguments_text(const struct btf_prototype *prototype, char *text, size_t size)
{
	char names[256] = "";
	size_t used = 0;

	for (unsigned int i = 0; i < btf_prototype_arguments(prototype); i++) {
		const struct btf_param *param = btf_params(prototype->type) + prototype->first + i;

		if (used < sizeof(names))
			used += (size_t)snprintf(
				names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
				btf__name_by_offset(prototype->btf, param->name_off));
	}
	if (*names)
		snprintf(text, size, MSG_ARGUMENTS_ARE, names);
	else
		snprintf(text, size, MSG_ARGUMENTS_NONE);
}

/* List the fields, and replace the names of the arguments in @prototype with those in the class. */
static int own_list_find(struct own_list *list, struct btf_prototype *prototype,
			 const struct tracefs *tracefs, struct lkst_error *err)
{
	struct own_class class;
	char arguments[300];

	list->text = tracefs_format(tracefs, prototype->name);
	if (list->text)
		own_list_format(list);
	class = own_class_find(prototype, list);
	if (class.num == 1) {
		list->num = 0;
		own_list_members(list, prototype->btf, class.structure);
		prototype->type = class.type;
		return 0;
	}
	if (list->text)
		return 0;
	own_arguments_text(prototype, arguments, sizeof(arguments));
	if (class.num && !tracefs_exists(tracefs))
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OWN_FIELDS_UNKNOWN, prototype->name,
			       tracefs_directory(tracefs), arguments);
	else
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NO_OWN_FIELDS, prototype->name,
			       arguments);
	return -1;
}

/* ---- derivation ---- */

/* Get a member of the structure that an argument points to. */
static bool own_member_of(const struct btf_prototype *prototype, unsigned int argument,
			  const char *name, size_t len, struct fetch *fetch)
{
	const struct btf_param *param = btf_params(prototype->type) + prototype->first + argument;
	uint32_t id = param->type;
	const struct btf_type *type = btf_plain(prototype->btf, &id);
	struct btf_place place;

	if (!type || !btf_is_ptr(type))
		return false;
	id = type->type;
	type = btf_plain(prototype->btf, &id);
	if (!type || !btf_is_composite(type) ||
	    !btf_find_member(prototype->btf, type, name, len, &place) ||
	    fetch_argument(prototype, argument, fetch, NULL))
		return false;
	if (!fetch_arrow(fetch, NULL) && !fetch_member(fetch, name, len, NULL))
		return true;
	fetch_free(fetch);
	return false;
}

static bool own_from_argument(const struct btf_prototype *prototype, const struct own_field *field,
			      struct fetch *fetch)
{
	for (unsigned int i = 0; i < btf_prototype_arguments(prototype); i++) {
		const struct btf_param *param = btf_params(prototype->type) + prototype->first + i;
		const char *name = btf__name_by_offset(prototype->btf, param->name_off);
		size_t len = strlen(name);

		if (len == field->len && !strncmp(name, field->name, len))
			return !fetch_argument(prototype, i, fetch, NULL);
	}
	return false;
}

/* Get the pointer that a field such as "skbaddr" contains: the argument "skb". */
static bool own_from_address(const struct btf_prototype *prototype, const struct own_field *field,
			     struct fetch *fetch)
{
	static const char suffix[] = "addr";
	struct own_field argument = *field;
	uint32_t id;

	if (field->len <= strlen(suffix))
		return false;
	argument.len -= strlen(suffix);
	if (strncmp(field->name + argument.len, suffix, strlen(suffix)) ||
	    !own_from_argument(prototype, &argument, fetch))
		return false;
	id = fetch->type;
	if (btf_plain(fetch->btf, &id) && btf_is_ptr(btf_plain(fetch->btf, &id)))
		return true;
	fetch_free(fetch);
	return false;
}

static bool own_from_prefix(const struct btf_prototype *prototype, const struct own_field *field,
			    struct fetch *fetch)
{
	for (unsigned int i = 0; i < btf_prototype_arguments(prototype); i++) {
		const struct btf_param *param = btf_params(prototype->type) + prototype->first + i;
		const char *name = btf__name_by_offset(prototype->btf, param->name_off);
		size_t len = strlen(name);

		if (len && len < field->len && !strncmp(name, field->name, len) &&
		    field->name[len] == '_' &&
		    own_member_of(prototype, i, field->name + len + 1, field->len - len - 1, fetch))
			return true;
	}
	return false;
}

static bool own_from_member(const struct btf_prototype *prototype, const struct own_field *field,
			    struct fetch *fetch)
{
	struct fetch other;
	bool found = false;

	for (unsigned int i = 0; i < btf_prototype_arguments(prototype); i++) {
		if (!own_member_of(prototype, i, field->name, field->len, &other))
			continue;
		if (found) {
			fetch_free(&other);
			fetch_free(fetch);
			return false;
		}
		found = true;
		*fetch = other;
	}
	return found;
}

/*
 * Return whether a value is of the kind that the field has in ftrace. If the field is a number, and
 * the value points to one, follow the pointer.
 */
static bool own_fits(const struct own_field *field, struct fetch *fetch)
{
	enum own_kind kind = own_kind_of(fetch->btf, fetch->type);
	uint32_t id = fetch->type;
	const struct btf_type *type = btf_plain(fetch->btf, &id);

	if (kind != OWN_POINTER)
		return kind == field->kind;
	if (field->kind == OWN_OTHER)
		return btf_is_text(fetch->btf, type->type);
	if (field->kind == OWN_POINTER)
		return true;
	return !btf_is_text(fetch->btf, type->type) && !fetch_arrow(fetch, NULL) &&
	       own_kind_of(fetch->btf, fetch->type) == OWN_NUMBER;
}

/* Derive a field. Returns its text, to be freed; NULL if that is not possible. */
static char *own_field_text(const struct btf_prototype *prototype, const struct own_field *field)
{
	struct fetch fetch;
	char *value = NULL, *text = NULL;

	if (!own_from_argument(prototype, field, &fetch) &&
	    !own_from_address(prototype, field, &fetch) &&
	    !own_from_prefix(prototype, field, &fetch) &&
	    !own_from_member(prototype, field, &fetch))
		return NULL;
	if (own_fits(field, &fetch))
		value = fetch_text(&fetch, NULL, NULL);
	fetch_free(&fetch);
	if (value && asprintf(&text, "%.*s=%s", (int)field->len, field->name, value) < 0)
		text = NULL;
	free(value);
	return text;
}

/**
 * own_fields_free() - free the members of a struct own_fields
 * @fields: the fields
 */
void own_fields_free(struct own_fields *fields)
{
	for (size_t i = 0; i < fields->num; i++)
		free(fields->field[i]);
	free(fields->field);
	free(fields->missing);
	*fields = (struct own_fields){ 0 };
}

static int own_fields_add(struct own_fields *fields, const struct btf_prototype *prototype,
			  const struct own_list *list)
{
	size_t size;
	FILE *missing = open_memstream(&fields->missing, &size);

	fields->field = calloc(list->num + 1, sizeof(*fields->field));
	if (!fields->field || !missing) {
		if (missing)
			fclose(missing);
		return -1;
	}
	for (size_t i = 0; i < list->num; i++) {
		char *text = own_field_text(prototype, &list->field[i]);

		if (text)
			fields->field[fields->num++] = text;
		else
			fprintf(missing, "%s%.*s", ftello(missing) ? ", " : "",
				(int)list->field[i].len, list->field[i].name);
	}
	return fclose(missing) ? -1 : 0;
}

/**
 * own_fields_derive() - derive the own fields of a tracepoint
 * @prototype: arguments of the tracepoint
 * @tracefs: events of ftrace
 * @fields: receives the fields, to be freed
 * @err: set on failure
 */
int own_fields_derive(const struct btf_prototype *prototype, const struct tracefs *tracefs,
		      struct own_fields *fields, struct lkst_error *err)
{
	struct btf_prototype class = *prototype;
	struct own_list list = { 0 };
	char arguments[300];
	int ret = own_list_find(&list, &class, tracefs, err);

	*fields = (struct own_fields){ 0 };
	if (!ret && own_fields_add(fields, &class, &list)) {
		lkst_error_memory(err, "the fields of a tracepoint");
		ret = -1;
	}
	free(list.text);
	if (!ret && !fields->num && *fields->missing) {
		own_arguments_text(prototype, arguments, sizeof(arguments));
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NONE_DERIVED, prototype->name,
			       fields->missing, arguments);
		ret = -1;
	}
	if (ret)
		own_fields_free(fields);
	return ret;
}
