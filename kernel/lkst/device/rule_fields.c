// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of an event, and the names of their values. The names of the
 * fields come from linux/lkst_etypes.h, or from the program that registered the
 * event.
 */
#ifdef __KERNEL__
#include <linux/errno.h>
#endif
#include "../rules/filter_compat.h"
#include "rule_fields.h"

/* ---- names of values ---- */

/* Take the next word of a line. Return its length. */
static size_t lkst_rule_word(const char **line, const char **word)
{
	*word = *line + strspn(*line, " ");
	*line = *word + strcspn(*word, "\n ");
	return *line - *word;
}

static bool lkst_rule_is_word(const char *line, size_t line_len, const char *word, size_t len)
{
	return line_len == len && !strncmp(line, word, len);
}

/**
 * lkst_rule_name_value() - find the value of a name
 * @names: lines "FIELD NAME VALUE", see struct lkst_rule_param; may be NULL
 * @field: the field
 * @name: the name
 * @name_len: its length
 * @value: receives the value
 *
 * Return: whether a line gives the name a valid value.
 */
bool lkst_rule_name_value(const char *names, const struct lkst_filter_field *field,
			  const char *name, size_t name_len, __u64 *value)
{
	char number[sizeof("0xffffffffffffffff")];
	const char *line = names, *word;
	size_t len;
	bool found;

	for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		len = lkst_rule_word(&line, &word);
		found = lkst_rule_is_word(word, len, field->name, field->name_len);
		len = lkst_rule_word(&line, &word);
		if (!found || !lkst_rule_is_word(word, len, name, name_len))
			continue;
		len = lkst_rule_word(&line, &word);
		if (len >= sizeof(number))
			return false;
		memcpy(number, word, len);
		number[len] = 0;
		return !kstrtoull(number, 0, value);
	}
	return false;
}

/* ---- fields ---- */

/* Return a new field, filled with zeros, or NULL if there are too many. */
static struct lkst_filter_field *lkst_rule_add_field(struct lkst_rule_fields *fields)
{
	if (fields->num == ARRAY_SIZE(fields->field))
		return NULL;
	return memset(&fields->field[fields->num++], 0, sizeof(*fields->field));
}

/* Whether the format of a field prints negative values with a minus sign. */
static bool lkst_rule_signed(const struct lkst_filter_field *field)
{
	static const char *const formats[] = {
		"dec", "err", "sys", "abi", "irq", "vec", "trap", "softirq", "blkop", "drop", "tcp",
		"af", "ipproto", "level", "detector", "lockup", "dump", "cpu", "clock", "mset",
		"buf", "code",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (lkst_rule_is_word(formats[i], strlen(formats[i]), field->format,
				      field->format_len))
			return true;
	return false;
}

/*
 * Add a field that is a number: "label:format", @len bytes at @text. The number
 * takes @size bytes of argument @arg, from bit @shift on.
 */
static void lkst_rule_add_number(struct lkst_rule_fields *fields, const char *text, size_t len,
				 unsigned int arg, unsigned int size, unsigned int shift)
{
	struct lkst_filter_field *field = lkst_rule_add_field(fields);
	size_t name_len = strcspn(text, ":,");

	if (!field)
		return;
	field->name = text;
	field->name_len = min(name_len, len);
	field->format = text + min(name_len + 1, len);
	field->format_len = text + len - field->format;
	field->load = LKST_LOAD_ARG1 + arg;
	field->size = size;
	field->shift = shift;
	field->is_signed = lkst_rule_signed(field);
}

/* Add the fields of an argument that is not text. */
static void lkst_rule_add_arg(struct lkst_rule_fields *fields, const char *text, unsigned int arg)
{
	size_t len = strcspn(text, ",");

	if (text[len]) {
		lkst_rule_add_number(fields, text, len, arg, sizeof(__u32), 32);
		text += len + 1;
		lkst_rule_add_number(fields, text, strlen(text), arg, sizeof(__u32), 0);
	} else {
		lkst_rule_add_number(fields, text, len, arg, sizeof(__u64), 0);
	}
}

static bool lkst_rule_has_format(const char *text, const char *format)
{
	const char *colon = strchr(text, ':');

	return colon && !strcmp(colon + 1, format);
}

/*
 * Add a string. Return the number of arguments that contain the string. The
 * last string of a chain extends to the end of the chain's payload.
 */
static unsigned int lkst_rule_add_text(struct lkst_rule_fields *fields, const char *const *args,
				       unsigned int arg, bool chain)
{
	struct lkst_filter_field *field = lkst_rule_add_field(fields);
	unsigned int num = 1;

	while (arg + num < 4 && !strcmp(args[arg + num], args[arg]))
		num++;
	if (!field)
		return num;
	field->name = args[arg];
	field->name_len = strcspn(args[arg], ":");
	if (chain && arg + num == 4) {
		field->text = LKST_TEXT_CHAIN;
		field->offset = (arg - 1) * sizeof(__u64);
	} else {
		field->text = LKST_TEXT_ARGS;
		field->offset = arg * sizeof(__u64);
		field->size = num * sizeof(__u64);
	}
	return num;
}

/**
 * lkst_rule_fields_of_args() - describe the fields of an event of the kernel
 * @fields: receives the fields
 * @args: descriptions of the four arguments, as in linux/lkst_etypes.h. The
 *	fields refer to them
 */
void lkst_rule_fields_of_args(struct lkst_rule_fields *fields, const char *const *args)
{
	bool chain = lkst_rule_has_format(args[0], "chain");
	unsigned int arg = chain;

	fields->num = 0;
	while (arg < 4) {
		if (lkst_rule_has_format(args[arg], "text")) {
			arg += lkst_rule_add_text(fields, args, arg, chain);
			continue;
		}
		/*
		 * Arguments with the addresses of a stack have the same
		 * description: add only one field for them.
		 */
		if (*args[arg] && (!arg || strcmp(args[arg], args[arg - 1])))
			lkst_rule_add_arg(fields, args[arg], arg);
		arg++;
	}
}

static void lkst_rule_add_user_field(struct lkst_rule_fields *fields,
				     const struct lkst_format_field *from)
{
	struct lkst_filter_field *field = lkst_rule_add_field(fields);

	if (!field)
		return;
	field->name = fields->format.text + from->name;
	field->name_len = from->name_len;
	field->offset = from->offset;
	field->size = from->size;
	switch (from->kind) {
	case LKST_FIELD_INTEGER:
		field->load = LKST_LOAD_DATA;
		field->is_signed = from->is_signed;
		break;
	case LKST_FIELD_CHARS:
		field->text = LKST_TEXT_DATA;
		break;
	case LKST_FIELD_DATA_LOC:
	case LKST_FIELD_REL_LOC:
		field->text = from->kind == LKST_FIELD_REL_LOC ? LKST_TEXT_REL_LOC :
								 LKST_TEXT_DATA_LOC;
		field->size = 0;
		field->is_opaque = !from->is_text;
		break;
	default:
		field->is_opaque = true;
		break;
	}
}

/**
 * lkst_rule_fields_of_format() - describe the fields of an event of a program
 * @fields: receives the fields
 * @text: the fields, as in struct lkst_etype_desc
 *
 * Return: 0, or a negative errno if the text is wrong.
 */
int lkst_rule_fields_of_format(struct lkst_rule_fields *fields, const char *text)
{
	int ret = lkst_format_parse(&fields->format, text);
	unsigned int i;

	fields->num = 0;
	for (i = 0; !ret && i < fields->format.num; i++)
		lkst_rule_add_user_field(fields, &fields->format.field[i]);
	return ret;
}
