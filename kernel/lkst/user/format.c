// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of user events, by the rules of the kernel's user_events:
 *
 *	name[:flags] type name [size]; type name [size]; ...
 *
 * The kernel's parser accepts some texts that look wrong, such as a field with
 * an empty name. This parser accepts the same texts, so that a program behaves
 * the same with both. There is one exception, because the kernel's parser would
 * compute wrong sizes: here, a struct of 2 GB or more is invalid, and so are
 * fields of 2 GB or more in total.
 */
#ifdef __KERNEL__
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "format_compat.h"
#endif

#include "format.h"

/* Maximum number of elements of an array of char. */
#define FORMAT_ARRAY_MAX	1024

/* Maximum length of the text after '[' in a type: a number and ']'. */
#define FORMAT_ARRAY_TEXT	7

/* A part of a text. */
struct format_part {
	const char *at;
	size_t len;
};

static const struct {
	const char *name;
	__u8 size;
	bool is_signed;
	bool kernel;	/* only events of the kernel have this type */
} format_integers[] = {
	{ "s64", 8, true, false },
	{ "u64", 8, false, false },
	{ "s32", 4, true, false },
	{ "u32", 4, false, false },
	{ "int", 4, true, false },
	{ "unsigned int", 4, false, false },
	{ "s16", 2, true, false },
	{ "u16", 2, false, false },
	{ "short", 2, true, false },
	{ "unsigned short", 2, false, false },
	{ "s8", 1, true, false },
	{ "u8", 1, false, false },
	{ "char", 1, true, false },
	{ "unsigned char", 1, false, false },
	{ "x64", 8, false, true },
	{ "x32", 4, false, true },
	{ "x16", 2, false, true },
	{ "x8", 1, false, true },
	{ "symbol", 8, false, true },
};

/*
 * The beginnings of types that contain a space. If an entry begins with another
 * entry, the longer one comes first.
 */
static const char *const format_prefixes[] = {
	"unsigned ",
	"struct ",
	"__data_loc unsigned ",
	"__data_loc ",
	"__rel_loc unsigned ",
	"__rel_loc ",
};

static bool part_begins(struct format_part part, const char *prefix)
{
	size_t len = strlen(prefix);

	return part.len >= len && !memcmp(part.at, prefix, len);
}

static bool part_is(struct format_part part, const char *text)
{
	return part.len == strlen(text) && part_begins(part, text);
}

static bool part_contains(struct format_part part, const char *text)
{
	for (; part.len; part.at++, part.len--)
		if (part_begins(part, text))
			return true;
	return false;
}

/* Return the length of @part up to @c, or the whole length. */
static size_t part_until(struct format_part part, char c)
{
	const char *found = memchr(part.at, c, part.len);

	return found ? (size_t)(found - part.at) : part.len;
}

/* Return the value of a digit in a base of 8, 10 or 16, or -1. */
static int format_digit(char c, unsigned int base)
{
	int value = c >= '0' && c <= '9' ? c - '0' :
		    c >= 'a' && c <= 'f' ? c - 'a' + 10 :
		    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;

	return value < (int)base ? value : -1;
}

/* Choose the base of a number by its prefix, as kstrtouint() does. */
static unsigned int format_base(struct format_part part)
{
	if (!part.len || part.at[0] != '0')
		return 10;
	if (part.len > 1 && (part.at[1] == 'x' || part.at[1] == 'X'))
		return 16;
	return 8;
}

/*
 * Parse a number as the kernel's kstrtouint() does: with an optional '+' before
 * it and an optional newline after it. @base is 10, or 0 to choose the base by
 * the number's prefix. Without digits, the number is 0, which callers reject as
 * a size. Returns the number, or -EINVAL if it is not valid or over INT_MAX.
 */
static int format_number(struct format_part part, unsigned int base)
{
	unsigned long long value = 0;
	size_t i = 0;

	if (part.len && part.at[0] == '+') {
		part.at++;
		part.len--;
	}
	if (part.len && part.at[part.len - 1] == '\n')
		part.len--;
	if (!base) {
		base = format_base(part);
		i = base == 16 ? 2 : 0;
	}
	for (; i < part.len; i++) {
		int digit = format_digit(part.at[i], base);

		if (digit < 0)
			return -EINVAL;
		value = value * base + (unsigned int)digit;
		if (value > INT_MAX)
			return -EINVAL;
	}
	return (int)value;
}

/* Return the number of elements of an array type, or -EINVAL. */
static int format_array_size(struct format_part type)
{
	size_t start = part_until(type, '[') + 1, len;
	struct format_part rest = { type.at + start, type.len - start };
	int size;

	if (!rest.len || rest.len > FORMAT_ARRAY_TEXT)
		return -EINVAL;
	len = part_until(rest, ']');
	if (len == rest.len)
		return -EINVAL;
	rest.len = len;
	size = format_number(rest, 0);
	return size > FORMAT_ARRAY_MAX ? -EINVAL : size;
}

/*
 * Set the kind and the signedness of @field, whose type @type is not a struct.
 * Returns the size of the type, or -EINVAL if it is unknown. The type long is
 * unknown, because its size may differ between the kernel and the program.
 */
static int format_type_size(struct lkst_format_field *field, struct format_part type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(format_integers); i++) {
		if (!part_is(type, format_integers[i].name))
			continue;
		field->kind = LKST_FIELD_INTEGER;
		field->is_signed = format_integers[i].is_signed;
		field->is_kernel = format_integers[i].kernel;
		return format_integers[i].size;
	}
	if (part_begins(type, "char[") || part_begins(type, "unsigned char[")) {
		field->kind = LKST_FIELD_CHARS;
		return format_array_size(type);
	}
	if (part_begins(type, "__data_loc ")) {
		field->kind = LKST_FIELD_DATA_LOC;
		return sizeof(__u32);
	}
	if (part_begins(type, "__rel_loc ")) {
		field->kind = LKST_FIELD_REL_LOC;
		return sizeof(__u32);
	}
	return -EINVAL;
}

/* Append @part to the text of the format. Returns its position, or -EINVAL. */
static int format_append(struct lkst_format *format, struct format_part part)
{
	int at = format->text_len;

	if (part.len >= (size_t)LKST_FORMAT_TEXT_MAX - format->text_len)
		return -EINVAL;
	memcpy(format->text + at, part.at, part.len);
	format->text_len += part.len;
	format->text[format->text_len] = '\0';
	return at;
}

/* Append the size of a struct. */
static int format_append_size(struct lkst_format *format, __u32 size)
{
	char digits[11];
	size_t at = sizeof(digits);

	for (; size; size /= 10)
		digits[--at] = (char)('0' + size % 10);
	digits[--at] = ' ';
	return format_append(format,
			     (struct format_part){ digits + at, sizeof(digits) - at });
}

/*
 * Append the printed form of a field. Returns 0, or -EINVAL if it is too long.
 */
static int format_append_field(struct lkst_format *format, struct lkst_format_field *field,
			       struct format_part type, struct format_part name)
{
	int type_at, name_at;

	if (format->num && format_append(format, (struct format_part){ "; ", 2 }) < 0)
		return -EINVAL;
	type_at = format_append(format, type);
	if (type_at < 0 || format_append(format, (struct format_part){ " ", 1 }) < 0)
		return -EINVAL;
	name_at = format_append(format, name);
	if (name_at < 0)
		return -EINVAL;
	if (part_begins(type, "struct ") && format_append_size(format, field->size) < 0)
		return -EINVAL;
	field->type = type_at;
	field->type_len = type.len;
	field->name = name_at;
	field->name_len = name.len;
	return 0;
}

/* Return the length of the format_prefixes entry that begins @text, or 0. */
static size_t format_prefix(struct format_part text)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(format_prefixes); i++)
		if (part_begins(text, format_prefixes[i]))
			return strlen(format_prefixes[i]);
	return 0;
}

/*
 * Split @text, which is one field, at its spaces into a type, a name and, for a
 * struct, a size. Returns the number of parts, 1 to 3, or -EINVAL if there are
 * more.
 */
static int format_cut(struct format_part text, struct format_part part[3])
{
	size_t begin = format_prefix(text);
	int num = 0;

	for (;;) {
		struct format_part rest = { text.at + begin, text.len - begin };

		if (num == 3)
			return -EINVAL;
		part[num] = (struct format_part){ text.at, begin + part_until(rest, ' ') };
		text.at += part[num].len;
		text.len -= part[num].len;
		num++;
		if (!text.len)
			return num;
		text.at++;
		text.len--;
		begin = 0;
	}
}

/* Parse one field, which is not empty. Returns 0 or -EINVAL. */
static int format_parse_field(struct lkst_format *format, struct format_part text)
{
	struct lkst_format_field *field = &format->field[format->num];
	struct format_part part[3];
	int num = format_cut(text, part), size;

	if (num < 2 || format->num == LKST_FORMAT_FIELDS_MAX)
		return -EINVAL;
	memset(field, 0, sizeof(*field));
	if (part_begins(part[0], "struct ")) {
		field->kind = LKST_FIELD_STRUCT;
		size = num == 3 ? format_number(part[2], 10) : -EINVAL;
	} else {
		size = num == 2 ? format_type_size(field, part[0]) : -EINVAL;
	}
	if (size <= 0 || (__u32)size > INT_MAX - format->min_size)
		return -EINVAL;
	field->is_text = field->kind != LKST_FIELD_INTEGER && field->kind != LKST_FIELD_STRUCT &&
			 part_contains(part[0], "char");
	field->offset = format->min_size;
	field->size = size;
	if (format_append_field(format, field, part[0], part[1]))
		return -EINVAL;
	format->min_size += size;
	format->num++;
	format->kernel |= field->is_kernel;
	if (field->kind == LKST_FIELD_DATA_LOC || field->kind == LKST_FIELD_REL_LOC)
		format->chain = true;
	return 0;
}

/**
 * lkst_format_parse() - parse the fields of a user event
 * @format: set to the fields; undefined on error
 * @fields: the text after the name, "" for an event without fields
 *
 * Context: any.
 *
 * Return: 0 or -EINVAL.
 */
int lkst_format_parse(struct lkst_format *format, const char *fields)
{
	struct format_part rest = { fields, strlen(fields) };

	format->min_size = 0;
	format->num = 0;
	format->text_len = 0;
	format->chain = false;
	format->kernel = false;
	format->text[0] = '\0';
	for (;;) {
		struct format_part field = { rest.at, part_until(rest, ';') };
		size_t len = field.len;

		while (field.len && isspace((unsigned char)*field.at)) {
			field.at++;
			field.len--;
		}
		if (field.len && format_parse_field(format, field))
			return -EINVAL;
		if (len == rest.len)
			break;
		rest.at += len + 1;
		rest.len -= len + 1;
	}
	if (format->min_size > LKST_FORMAT_RECORD)
		format->chain = true;
	return 0;
}

/**
 * lkst_format_split() - split a command into the name and the fields
 * @command: "name[:flags] [fields]"; on return, it ends after the name
 * @fields: set to the fields in @command, which may be ""
 *
 * The kernel knows no flags, so all of them are invalid.
 *
 * Context: any.
 *
 * Return: 0, or -EINVAL if there are flags or the name is empty.
 */
int lkst_format_split(char *command, char **fields)
{
	char *space = strchr(command, ' ');

	*fields = command + strlen(command);
	if (space) {
		*space = '\0';
		*fields = space + 1;
	}
	return !*command || strchr(command, ':') ? -EINVAL : 0;
}

/*
 * Take the next word from *@text. A word ends at white space, or after ';'.
 * Returns false if no word is left.
 */
static bool format_word(const char **text, struct format_part *word)
{
	const char *at = *text;

	while (*at && isspace((unsigned char)*at))
		at++;
	word->at = at;
	while (*at && !isspace((unsigned char)*at) && *at != ';')
		at++;
	if (*at == ';')
		at++;
	word->len = (size_t)(at - word->at);
	*text = at;
	return word->len;
}

/**
 * lkst_format_matches() - whether a registration has the fields of an event
 * @format: the fields of the event
 * @fields: the text after the name in the registration; it may be invalid
 *
 * Compare @fields, word by word, with the form in which @format is printed, as
 * the kernel's own user_events do. A ';' at the end may be missing or
 * redundant.
 *
 * Context: any.
 *
 * Return: true if they are equal.
 */
bool lkst_format_matches(const struct lkst_format *format, const char *fields)
{
	const char *at = format->text;
	struct format_part word;
	bool first = true;

	while (format_word(&fields, &word)) {
		if (!first && *at++ != ' ')
			return false;
		first = false;
		if (strncmp(at, word.at, word.len)) {
			/*
			 * format->text does not end in ';', so only the last
			 * word of @fields may differ by a ';'.
			 */
			return format->num && word.at[word.len - 1] == ';' &&
			       !strncmp(at, word.at, word.len - 1) && !at[word.len - 1] &&
			       !format_word(&fields, &word);
		}
		at += word.len;
	}
	return !*at;
}

/* Return a 32-bit number that may be unaligned. */
static __u32 format_location(const void *payload, __u32 offset)
{
	__u32 value;

	memcpy(&value, (const char *)payload + offset, sizeof(value));
	return value;
}

/**
 * lkst_format_range() - find the bytes of a field
 * @field: the field
 * @payload: the payload, which may be shorter than @min_size of the event's
 *	format
 * @bytes: size of the payload
 * @offset: set to the position of the field's bytes in the payload
 * @size: set to the number of the field's bytes; for a location, to the number
 *	of bytes to which it points, including the NUL of a text
 *
 * The upper half of a location is the size of the data. The lower half is the
 * position of the data: for __rel_loc relative to the end of the location, and
 * for __data_loc relative to the beginning of ftrace's header, which precedes
 * the payload and is not part of it. If a location with size 0 points into this
 * header, @offset is set to 0.
 *
 * Context: any.
 *
 * Return: false if a part of the field is outside the payload.
 */
bool lkst_format_range(const struct lkst_format_field *field, const void *payload, __u32 bytes,
		       __u32 *offset, __u32 *size)
{
	__u32 location, at;

	*offset = field->offset;
	*size = field->size;
	if (field->size > bytes || field->offset > bytes - field->size)
		return false;
	if (field->kind != LKST_FIELD_DATA_LOC && field->kind != LKST_FIELD_REL_LOC)
		return true;
	location = format_location(payload, field->offset);
	*size = location >> 16;
	at = location & 0xffff;
	if (field->kind == LKST_FIELD_DATA_LOC && at < LKST_FORMAT_ENTRY && *size)
		return false;
	if (field->kind == LKST_FIELD_DATA_LOC)
		at -= min(at, (__u32)LKST_FORMAT_ENTRY);
	else
		at += field->offset + sizeof(location);
	*offset = at;
	return at <= bytes && *size <= bytes - at;
}

/**
 * lkst_format_validate() - check the locations of a payload
 * @format: the fields of the event
 * @payload: the payload
 * @bytes: size of the payload, at least @format->min_size
 *
 * The data of a location must be in the payload, and text must end in NUL. For
 * text of size 0, the byte before it must be NUL, as in the kernel.
 *
 * Context: any.
 *
 * Return: 0 or -EFAULT.
 */
int lkst_format_validate(const struct lkst_format *format, const void *payload, __u32 bytes)
{
	const char *data = payload;
	__u32 offset, size;
	unsigned int i;

	for (i = 0; i < format->num; i++) {
		const struct lkst_format_field *field = &format->field[i];

		if (field->kind != LKST_FIELD_DATA_LOC && field->kind != LKST_FIELD_REL_LOC)
			continue;
		if (!lkst_format_range(field, payload, bytes, &offset, &size))
			return -EFAULT;
		if (field->is_text && offset + size && data[offset + size - 1])
			return -EFAULT;
	}
	return 0;
}
