// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the definitions of added events (kernel/lkst/added/fetch_parse.c).
 */
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "added/fetch.h"
#include "user/format.h"

static bool symbol(const char *name, __u64 *address)
{
	*address = (__u64)strlen(name) << 60;
	return *name == 'j';
}

static int reg(const char *name, size_t len)
{
	return len == 2 ? (unsigned char)*name : -ENOENT;
}

static bool parse(struct lkst_fetch_parser *parser, const char *text, char *shown,
		  unsigned int size)
{
	static const struct lkst_fetch_scope scope = { .symbol = symbol, .reg = reg, .args = 6 };

	memset(parser, 0, sizeof(*parser));
	parser->text = text;
	parser->scope = &scope;
	parser->shown = shown;
	parser->shown_size = size;
	return lkst_fetch_parse(parser);
}

/* Each field begins where the previous one ends, and can be fetched. */
static void check_fields(const struct lkst_fetch_parser *parser)
{
	unsigned int bytes = 0, strings = 0;

	for (unsigned int i = 0; i < parser->num; i++) {
		const struct lkst_fetch_field *field = &parser->field[i];

		MUST(field->offset == bytes && field->size);
		bytes += field->size;
		strings += field->kind == LKST_FETCH_STRING;
		MUST(field->derefs <= LKST_FETCH_DEREFS);
		MUST(field->kind == LKST_FETCH_NUMBER || field->derefs ||
		     field->source == LKST_FETCH_COMM_TEXT ||
		     parser->probe == LKST_FETCH_SYNTHETIC);
		MUST(field->kind == LKST_FETCH_CHARS_KIND || field->size <= 8);
		MUST(field->shift + field->bits <= 8 * field->size);
		MUST(field->source != LKST_FETCH_ARG || field->value < LKST_FETCH_ARGS);
	}
	MUST(bytes == parser->bytes && bytes <= LKST_FETCH_BYTES && strings == parser->strings);
}

/* The description of the fields has the syntax of user events, and describes the same payload. */
static void check_format(const struct lkst_fetch_parser *parser)
{
	static struct lkst_format format;

	MUST(!lkst_format_parse(&format, parser->fields));
	MUST(format.num == parser->num && format.min_size == parser->bytes);
	MUST(format.chain == lkst_fetch_is_chain(parser));
	for (unsigned int i = 0; i < format.num; i++)
		MUST(format.field[i].offset == parser->field[i].offset &&
		     format.field[i].size == parser->field[i].size);
}

/*
 * The definition that the kernel lists for the event, @shown, can be parsed again, and yields the
 * same event.
 */
static void check_shown(const struct lkst_fetch_parser *parser, const char *shown)
{
	static struct lkst_fetch_parser again;
	static char second[4096];

	MUST(parse(&again, shown, second, sizeof(second)));
	MUST(!strcmp(shown, second));
	MUST(again.num == parser->num && again.bytes == parser->bytes);
	MUST(!strcmp(again.fields, parser->fields));
	MUST(!memcmp(again.field, parser->field, parser->num * sizeof(*parser->field)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct lkst_fetch_parser parser;
	char *text = strndup((const char *)data, size);
	static char shown[4096];

	MUST(text);
	if (parse(&parser, text, shown, sizeof(shown))) {
		if (parser.probe != LKST_FETCH_REMOVE) {
			check_fields(&parser);
			check_format(&parser);
			check_shown(&parser, shown);
		}
	} else {
		MUST(*parser.error && parser.error_at <= strlen(text));
	}
	free(text);
	return 0;
}
