// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds names of values. The names differ between kernels, so each kernel lists its own names in
 * /proc/lkst_values, and traces contain this list (Documentation/lkst/trace-file.rst).
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "etypes.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "text.h"
#include "values.h"

#define NAME_MAX_LEN 63 /* OUT_ROOM depends on it */
#define VALUES_MAX   (1u << 20)

#define SMALL 256 /* values below this are looked up directly */

/* Values of a format. Flags are in the order in which they are tested. Enumerations are sorted. */
struct value_list {
	bool flags;
	size_t num;
	size_t room;
	struct lkst_value *value;
	uint32_t small[SMALL]; /* 1 + index in @value; 0: no name */
};

struct lkst_values {
	char *text; /* text into which the names point */
	size_t num;
	struct value_list list[LKST_FMT_NUM];
};

static const char *add_value(struct lkst_values *values, struct value_list *list, uint64_t value,
			     const char *name)
{
	if (values->num++ == VALUES_MAX)
		return "too many values";
	if (list->num == list->room) {
		size_t room = list->room ? list->room * 2 : 16;
		struct lkst_value *grown = realloc(list->value, room * sizeof(*grown));

		if (!grown)
			return text_no_memory;
		list->value = grown;
		list->room = room;
	}
	list->value[list->num++] = (struct lkst_value){
		.value = value,
		.name = name,
		.len = (uint8_t)strlen(name),
		.plain = put_is_plain(name, strlen(name)),
	};
	return NULL;
}

/*
 * Return whether a name is valid. Names may be printed unescaped, so they must not contain
 * characters that control a terminal.
 */
static bool values_good_name(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0, n; i < len; i += n) {
		n = put_printable_length(name + i, len - i);
		if (!n || name[i] == '"' || name[i] == '\\')
			return false;
	}
	return len && len <= NAME_MAX_LEN;
}

/* Parse "FORMAT flags|enum VALUE NAME". */
static const char *values_parse_line(void *ctx, char *line)
{
	struct lkst_values *values = ctx;
	const char *format = text_word(&line), *kind = text_word(&line);
	const char *number = text_word(&line), *name = line + strspn(line, " \t");
	bool flags = !strcmp(kind, "flags");
	struct value_list *list;
	unsigned long long value;
	int index;
	char *end;

	if (!flags && strcmp(kind, "enum"))
		return "\"flags\" or \"enum\" expected";
	errno = 0;
	value = strtoull(number, &end, 0);
	if (!isdigit((unsigned char)*number) || *end || errno)
		return "value expected";
	if (!values_good_name(name))
		return "name of 1 to 63 bytes expected";
	index = lkst_field_format_find(format);
	if (index < 0)
		return NULL; /* unknown format of a newer kernel: ignore it */
	list = &values->list[index];
	if (list->num && list->flags != flags)
		return "a format cannot have both flags and other values";
	list->flags = flags;
	return add_value(values, list, value, name);
}

static int values_by_value(const void *pa, const void *pb)
{
	const struct lkst_value *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	/*
	 * If a value has several names, use the one that comes first in the parsed text. The names
	 * point into that text.
	 */
	return a->name < b->name ? -1 : a->name > b->name;
}

static void values_sort(struct value_list *list)
{
	qsort(list->value, list->num, sizeof(*list->value), values_by_value);
	for (size_t i = list->num; i-- > 0;)
		if (list->value[i].value < SMALL)
			list->small[list->value[i].value] = (uint32_t)i + 1;
}

/**
 * lkst_values_parse() - parse the names of values
 * @text: in the format of /proc/lkst_values, need not be 0-terminated
 * @len: length in bytes
 * @origin: file name, for error messages
 * @err: set if the text is invalid; names the line
 */
struct lkst_values *lkst_values_parse(const char *text, size_t len, const char *origin,
				      struct lkst_error *err)
{
	static const struct text_format format = { "a list of values", LKST_VALUES_HEADER,
						   values_parse_line };
	struct lkst_values *values = calloc(1, sizeof(*values));

	if (values)
		values->text = text_copy_spared(text, len, PUT_SPARE);
	if (!values || !values->text) {
		lkst_error_memory(err, "the names of values");
		goto fail;
	}
	if (text_parse(&format, values->text, origin, values, err))
		goto fail;
	for (int i = 0; i < LKST_FMT_NUM; i++) {
		struct value_list *list = &values->list[i];

		if (list->num && !list->flags)
			values_sort(list);
	}
	return values;

fail:
	lkst_values_free(values);
	return NULL;
}

/**
 * lkst_values_free() - free the names of values
 * @values: may be NULL
 */
void lkst_values_free(struct lkst_values *values)
{
	if (!values)
		return;
	for (int i = 0; i < LKST_FMT_NUM; i++)
		free(values->list[i].value);
	free(values->text);
	free(values);
}

/**
 * lkst_values_are_flags() - check whether a format is known and consists of flags
 * @values: may be NULL
 * @format: format
 */
bool lkst_values_are_flags(const struct lkst_values *values, enum lkst_field_format format)
{
	return values && values->list[format].flags;
}

/**
 * lkst_values_find() - find the name of an enumeration value
 * @values: may be NULL
 * @format: format
 * @value: value
 *
 * Return: the value with its name; NULL if it has no name, or the format consists of flags.
 */
const struct lkst_value *lkst_values_find(const struct lkst_values *values,
					  enum lkst_field_format format, uint64_t value)
{
	const struct value_list *list = values ? &values->list[format] : NULL;
	size_t low = 0, high;

	if (!list || list->flags)
		return NULL;
	if (value < SMALL)
		return list->small[value] ? &list->value[list->small[value] - 1] : NULL;
	/* Find the first value that is not less than @value. */
	for (high = list->num; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (list->value[mid].value < value)
			low = mid + 1;
		else
			high = mid;
	}
	return low < list->num && list->value[low].value == value ? &list->value[low] : NULL;
}

/**
 * lkst_values_at() - list the values of a format
 * @values: may be NULL
 * @format: format
 * @i: index, from 0
 *
 * Return: the value with its name; NULL if the format has at most @i values.
 */
const struct lkst_value *lkst_values_at(const struct lkst_values *values,
					enum lkst_field_format format, size_t i)
{
	return values && i < values->list[format].num ? &values->list[format].value[i] : NULL;
}

/**
 * lkst_values_take() - remove a flag from a value
 * @values: may be NULL
 * @format: format
 * @value: value; the flag's bits are cleared
 *
 * Return: name of the flag, or of several flags together; NULL if no remaining flag has a name.
 */
const char *lkst_values_take(const struct lkst_values *values, enum lkst_field_format format,
			     uint64_t *value)
{
	const struct value_list *list = values ? &values->list[format] : NULL;

	for (size_t i = 0; list && list->flags && i < list->num; i++) {
		uint64_t mask = list->value[i].value;

		if (mask && (*value & mask) == mask) {
			*value &= ~mask;
			return list->value[i].name;
		}
	}
	return NULL;
}
