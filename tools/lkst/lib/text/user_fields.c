// SPDX-License-Identifier: LGPL-2.1
/*
 * Parses the list of a user event's fields, and gets values from a payload. The payload may be
 * incomplete or damaged, so every access is checked against its size.
 */
#include "user_fields.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "etypes.h"
#include "payload.h"

/* ---- the list of fields ---- */

#define WORDS_MAX 5 /* "__data_loc unsigned TYPE NAME" has 4; a fifth word is an error */
#define SIZE_MOST 65535

static const struct user_number {
	const char *name;
	uint8_t size;
	bool is_signed;
	bool may_be_unsigned; /* "unsigned" may precede the type */
	uint8_t format; /* unless the number is signed */
} numbers[] = {
	{ "s8", 1, true, false, LKST_FMT_UDEC },
	{ "u8", 1, false, false, LKST_FMT_UDEC },
	{ "s16", 2, true, false, LKST_FMT_UDEC },
	{ "u16", 2, false, false, LKST_FMT_UDEC },
	{ "s32", 4, true, false, LKST_FMT_UDEC },
	{ "u32", 4, false, false, LKST_FMT_UDEC },
	{ "s64", 8, true, false, LKST_FMT_UDEC },
	{ "u64", 8, false, false, LKST_FMT_UDEC },
	{ "char", 1, true, true, LKST_FMT_UDEC },
	{ "short", 2, true, true, LKST_FMT_UDEC },
	{ "int", 4, true, true, LKST_FMT_UDEC },
	/* Only events of the kernel have these types. */
	{ "x8", 1, false, false, LKST_FMT_HEX },
	{ "x16", 2, false, false, LKST_FMT_HEX },
	{ "x32", 4, false, false, LKST_FMT_HEX },
	{ "x64", 8, false, false, LKST_FMT_HEX },
	{ "symbol", 8, false, false, LKST_FMT_SYM },
};

/* Return the value of a digit in a base of 8, 10 or 16, or that base if the digit is not valid. */
static uint32_t user_digit(char c, uint32_t base)
{
	uint32_t value = c >= '0' && c <= '9' ? (uint32_t)(c - '0') :
			 c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10 :
			 c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10 :
						base;

	return value < base ? value : base;
}

/*
 * Parse the number before @end as the kernel does: with an optional "+" before it. @base is 10, or
 * 0 to choose the base by the number's prefix. Returns 0 if it is not a valid size.
 */
static uint32_t user_size(const char *digits, const char *end, uint32_t base)
{
	uint32_t size = 0;

	digits += digits < end && *digits == '+';
	if (!base) {
		bool hex = end - digits > 1 && digits[0] == '0' && (digits[1] | 0x20) == 'x';

		base = hex ? 16 : digits < end && *digits == '0' ? 8 : 10;
		digits += hex ? 2 : 0;
	}
	for (; digits < end; digits++) {
		uint32_t digit = user_digit(*digits, base);

		if (digit == base)
			return 0;
		size = size * base + digit;
		if (size > SIZE_MOST)
			return 0;
	}
	return size;
}

static int user_take_number(struct user_field *user, struct lkst_field *field, const char *type,
			    bool is_unsigned)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const struct user_number *number = &numbers[i];

		if (strcmp(number->name, type) != 0 || (is_unsigned && !number->may_be_unsigned))
			continue;
		user->size = number->size;
		user->is_signed = number->is_signed && !is_unsigned;
		field->format = user->is_signed ? LKST_FMT_DEC : number->format;
		return 0;
	}
	return -1;
}

/* Parse the type of a field, such as "char[16]". The caller has parsed the words before it. */
static int user_take_type(struct user_field *user, struct lkst_field *field, const char *type,
			  bool is_unsigned)
{
	bool text = !strncmp(type, "char[", 5);
	const char *end;

	if (user->place != USER_FIXED) {
		user->size = 4;
		field->format = text ? LKST_FMT_TEXT : LKST_FMT_BYTES;
		return 0;
	}
	if (!text)
		return user_take_number(user, field, type, is_unsigned);
	/* Like the kernel, ignore what follows the bracket. */
	end = strchr(type, ']');
	user->size = end ? user_size(type + 5, end, 0) : 0;
	field->format = LKST_FMT_TEXT;
	return user->size ? 0 : -1;
}

/* Split a field into words, in place. Returns how many there are; at most WORDS_MAX. */
static unsigned int user_split(char *text, char *word[WORDS_MAX])
{
	unsigned int num = 0;
	char *rest = text, *next;

	while (num < WORDS_MAX && (next = strsep(&rest, " \t")) != NULL)
		if (*next)
			word[num++] = next;
	return num;
}

/* Parse a field, such as "u32 code" or "__rel_loc char[] msg". */
static int user_take_field(struct user_field *user, struct lkst_field *field, char *word[WORDS_MAX],
			   unsigned int num)
{
	unsigned int i = 0;
	bool is_unsigned;

	if (!strcmp(word[0], "struct")) {
		if (num != 4)
			return -1;
		field->label = word[2];
		field->format = LKST_FMT_BYTES;
		user->size = user_size(word[3], word[3] + strlen(word[3]), 10);
		return user->size ? 0 : -1;
	}
	user->place = !strcmp(word[0], "__data_loc") ? USER_DATA_LOC :
		      !strcmp(word[0], "__rel_loc")  ? USER_REL_LOC :
						       USER_FIXED;
	i = user->place != USER_FIXED;
	is_unsigned = i < num && !strcmp(word[i], "unsigned");
	i += is_unsigned;
	if (num != i + 2)
		return -1;
	field->label = word[i + 1];
	return user_take_type(user, field, word[i], is_unsigned);
}

/**
 * user_fields_parse() - add the fields of a user event to an event type
 * @type: event type, with room for USER_FIELDS_MAX more fields
 * @text: list of fields; the labels of the fields will point into it
 *
 * Return: 0; 1 if the list is not valid, after which @type has the same fields as before; -1 if an
 * allocation fails.
 */
int user_fields_parse(struct lkst_etype *type, char *text)
{
	const uint8_t before = type->fields;
	char *rest = text, *next, *word[WORDS_MAX];
	uint32_t offset = 0;

	type->user = calloc(USER_FIELDS_MAX, sizeof(*type->user));
	if (!type->user)
		return -1;
	while ((next = strsep(&rest, ";")) != NULL) {
		struct lkst_field *field = &type->field[type->fields];
		unsigned int num = user_split(next, word), index = type->fields - before;
		struct user_field *user = &type->user[index];

		if (!num)
			continue;
		if (index == USER_FIELDS_MAX)
			goto invalid;
		*field = (struct lkst_field){ .user = user, .part = LKST_PART_WHOLE };
		*user = (struct user_field){ .offset = offset, .chain = type->chain };
		if (user_take_field(user, field, word, num))
			goto invalid;
		field->label_len = (uint16_t)strlen(field->label);
		offset += user->size;
		type->fields++;
	}
	return 0;

invalid:
	type->fields = before;
	free(type->user);
	type->user = NULL;
	return 1;
}

/* ---- the payload ---- */

/**
 * struct user_payload - the bytes of an event that its fields describe
 * @data: bytes
 * @size: number of bytes
 * @head: memory for @data
 */
struct user_payload {
	const uint8_t *data;
	size_t size;
	union {
		struct payload_head head;
		uint64_t word[4];
	};
};

static void user_payload_get(struct user_payload *payload, const struct user_field *user,
			     const struct lkst_event *event)
{
	if (user->chain) {
		const struct lkst_payload *of = payload_of(event, &payload->head);

		payload->data = of->data;
		payload->size = of->size;
		return;
	}
	payload->data = (const uint8_t *)event->arg;
	payload->size = sizeof(event->arg);
	/* The reader has swapped the arguments, but the payload is a string of bytes. */
	if (event->swapped) {
		for (int i = 0; i < 4; i++)
			payload->word[i] = bswap_64(event->arg[i]);
		payload->data = (const uint8_t *)payload->word;
	}
}

/* Get a number of 1, 2, 4 or 8 bytes. */
static uint64_t user_number_at(const struct user_payload *payload, const struct lkst_event *event,
			       uint32_t offset, uint32_t size)
{
	const uint8_t *at = payload->data + offset;
	uint16_t half;
	uint32_t word;
	uint64_t all;

	switch (size) {
	case 1:
		return *at;
	case 2:
		memcpy(&half, at, sizeof(half));
		return event->swapped ? bswap_16(half) : half;
	case 4:
		memcpy(&word, at, sizeof(word));
		return event->swapped ? bswap_32(word) : word;
	default:
		memcpy(&all, at, sizeof(all));
		return event->swapped ? bswap_64(all) : all;
	}
}

/**
 * struct user_extent - the bytes of a value
 * @start: offset of the first byte in the payload
 * @len: number of bytes
 * @present: number of bytes that the payload contains, from @start on
 * @known: whether @start and @len are known: the payload contains the field, and the field is valid
 */
struct user_extent {
	uint32_t start;
	uint32_t len;
	uint32_t present;
	bool known;
};

static struct user_extent user_extent_of(const struct user_payload *payload,
					 const struct user_field *user,
					 const struct lkst_event *event)
{
	struct user_extent extent = { .start = user->offset, .len = user->size, .known = true };

	if (user->place != USER_FIXED) {
		uint32_t loc;

		extent.known = payload->size >= user->offset + 4;
		if (!extent.known)
			return extent;
		loc = (uint32_t)user_number_at(payload, event, user->offset, 4);
		extent.len = loc >> 16;
		extent.start = loc & 0xffff;
		if (user->place == USER_REL_LOC)
			extent.start += user->offset + 4;
		else if (extent.start >= USER_HEADER)
			extent.start -= USER_HEADER;
		else if (!extent.len) /* The kernel allows an empty value to point into ftrace's header. */
			extent.start = 0;
		else
			extent.known = false;
	}
	if (extent.known && payload->size > extent.start) {
		size_t left = payload->size - extent.start;

		extent.present = left < extent.len ? (uint32_t)left : extent.len;
	}
	return extent;
}

static bool user_extent_is_whole(const struct user_extent *extent)
{
	return extent->known && extent->present == extent->len;
}

/**
 * user_field_value() - get the value of a field that is a number
 * @field: field of a user event
 * @event: event
 *
 * Return: the number, extended to 64 bits; 0 if the field is not a number, or the payload ends
 * before it.
 */
uint64_t user_field_value(const struct lkst_field *field, const struct lkst_event *event)
{
	const struct user_field *user = field->user;
	struct user_payload payload;
	unsigned int unused;
	uint64_t value;

	if (field->format == LKST_FMT_TEXT || field->format == LKST_FMT_BYTES)
		return 0;
	user_payload_get(&payload, user, event);
	if (payload.size < user->offset + user->size)
		return 0;
	value = user_number_at(&payload, event, user->offset, user->size);
	unused = 64 - 8 * user->size;
	return user->is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

/**
 * user_field_exists() - check whether the payload contains a value, or the beginning of a string
 * @field: field of a user event
 * @event: event
 */
bool user_field_exists(const struct lkst_field *field, const struct lkst_event *event)
{
	struct user_payload payload;
	struct user_extent extent;

	user_payload_get(&payload, field->user, event);
	extent = user_extent_of(&payload, field->user, event);
	if (field->format != LKST_FMT_TEXT && field->format != LKST_FMT_BYTES)
		return user_extent_is_whole(&extent);
	return extent.known && (extent.present || !extent.len);
}

/**
 * user_fields_are_cut() - check whether a part of any field is missing
 * @type: user event
 * @event: event of this type
 */
bool user_fields_are_cut(const struct lkst_etype *type, const struct lkst_event *event)
{
	for (unsigned int i = 0; i < type->fields; i++) {
		const struct user_field *user = type->field[i].user;
		struct user_payload payload;
		struct user_extent extent;

		if (!user)
			continue;
		user_payload_get(&payload, user, event);
		extent = user_extent_of(&payload, user, event);
		if (!user_extent_is_whole(&extent))
			return true;
	}
	return false;
}

/**
 * user_field_bytes() - get the bytes of a string, an array or a structure
 * @field: field of a user event
 * @event: event
 * @bytes: result
 *
 * Return: number of bytes that the payload contains.
 */
size_t user_field_bytes(const struct lkst_field *field, const struct lkst_event *event,
			char bytes[LKST_CHAIN_BYTES_MAX])
{
	struct user_payload payload;
	struct user_extent extent;

	user_payload_get(&payload, field->user, event);
	extent = user_extent_of(&payload, field->user, event);
	if (extent.present)
		memcpy(bytes, payload.data + extent.start, extent.present);
	return extent.present;
}
