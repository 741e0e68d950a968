// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parser of the fields of user events, and the validators of payloads. The input is a
 * text and, after a NUL, a payload.
 */
#include <string.h>

#include "fuzz.h"
#include "user/format.h"

/* Parsing the printed form of the fields yields the same fields. */
static void check_printed(const struct lkst_format *format)
{
	static struct lkst_format again;

	MUST(format->text_len == strlen(format->text));
	MUST(!lkst_format_parse(&again, format->text));
	MUST(again.num == format->num && again.min_size == format->min_size);
	MUST(again.chain == format->chain);
	MUST(!strcmp(again.text, format->text));
	MUST(!memcmp(again.field, format->field, format->num * sizeof(*format->field)));
}

/*
 * The fields follow each other without gaps. In the text, the type of each field comes before its
 * name, and both are within the text.
 */
static void check_fields(const struct lkst_format *format)
{
	uint32_t offset = 0;

	for (unsigned int i = 0; i < format->num; i++) {
		const struct lkst_format_field *field = &format->field[i];

		MUST(field->offset == offset && field->size);
		offset += field->size;
		MUST(field->type_len && field->type + field->type_len < field->name);
		MUST(field->name + field->name_len <= format->text_len);
	}
	MUST(offset == format->min_size);
}

/* No field of a valid payload extends beyond the end of the payload. */
static void check_payload(const struct lkst_format *format, const uint8_t *data, size_t size)
{
	uint8_t *payload = malloc(size ? size : 1); /* so that AddressSanitizer finds overruns */
	int valid;

	MUST(payload);
	memcpy(payload, data, size);
	valid = size >= format->min_size && !lkst_format_validate(format, payload, (uint32_t)size);
	for (unsigned int i = 0; i < format->num; i++) {
		uint32_t at, bytes;

		if (lkst_format_range(&format->field[i], payload, (uint32_t)size, &at, &bytes))
			MUST(at <= size && bytes <= size - at);
		else
			MUST(!valid);
	}
	free(payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct lkst_format format;
	char *text = strndup((const char *)data, size), *fields;
	size_t len;

	MUST(text);
	len = strlen(text);
	if (!lkst_format_split(text, &fields) && !lkst_format_parse(&format, fields)) {
		check_printed(&format);
		check_fields(&format);
		lkst_format_matches(&format, text);
		lkst_format_matches(&format, fields);
		if (len < size)
			check_payload(&format, data + len + 1, size - len - 1);
	}
	free(text);
	return 0;
}
