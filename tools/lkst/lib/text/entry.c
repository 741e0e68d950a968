// SPDX-License-Identifier: LGPL-2.1
/* Stores strings in the arguments of an event that a program records. */
#include <string.h>

#include "entry.h"
#include "etypes.h"

#define ARG_BYTES 8

static bool entry_is_text(const struct lkst_field *field)
{
	return field->format == LKST_FMT_TEXT && field->part == LKST_PART_WHOLE;
}

/**
 * lkst_etype_text() - find a text field of an event type
 * @type: event type
 * @nth: index among the text fields, from 0
 *
 * Return: the field; NULL if the event type has no more than @nth text fields.
 */
const struct lkst_field *lkst_etype_text(const struct lkst_etype *type, unsigned int nth)
{
	for (unsigned int i = 0; i < type->fields; i++)
		if (entry_is_text(&type->field[i]) && !nth--)
			return &type->field[i];
	return NULL;
}

/**
 * lkst_entry_cut() - find out how much of a string fits without dividing a UTF-8 character
 * @text: string
 * @room: number of bytes that there is room for
 *
 * Return: number of bytes.
 */
size_t lkst_entry_cut(const char *text, size_t room)
{
	size_t len = strnlen(text, room + 1), end;

	if (len <= room)
		return len;
	for (end = room; end && ((unsigned char)text[end] & 0xc0) == 0x80; end--)
		;
	/* More than three continuation bytes: this is not UTF-8, so cut it anywhere. */
	return room - end < 4 && end ? end : room;
}

/**
 * lkst_entry_put_text() - store as much of a string as fits into an event
 * @args: event
 * @field: text field of its event type
 * @text: string
 *
 * Return: number of bytes of @text that fit. The rest of the field is 0.
 */
size_t lkst_entry_put_text(struct lkst_entry_args *args, const struct lkst_field *field,
			   const char *text)
{
	lkst_arg_t *const arg[] = { &args->log_arg1, &args->log_arg2, &args->log_arg3,
				    &args->log_arg4 };
	size_t len = lkst_entry_cut(text, field->args * ARG_BYTES);

	for (unsigned int i = 0; i < field->args; i++) {
		size_t at = i * ARG_BYTES, left = len > at ? len - at : 0;
		uint64_t word = 0;

		memcpy(&word, text + (left ? at : 0), left < ARG_BYTES ? left : ARG_BYTES);
		*arg[field->arg + i] = word;
	}
	return len;
}
