// SPDX-License-Identifier: LGPL-2.1
/*
 * Masksets as text, which "lkstm read" writes and "lkstm write" reads. A line has two words: event
 * types and their event handler. "#" begins a comment. A line names a single event type, or
 * several, for instance with a pattern. For each event type, the last line that names it applies.
 * It is an error if two lines name the same single event type, unless a line between them names it
 * together with other event types.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "etypes.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "maskset.h"
#include "messages.h"
#include "text.h"
#include "words.h"

#define BLANKS " \t"

static void maskset_text_put_description(FILE *to, const struct lkst_etype *type)
{
	const char *comma = "";

	fprintf(to, "  # %s(", type->name);
	for (int i = 0; i < type->fields; i++) {
		if (!*type->field[i].label)
			continue;
		fprintf(to, "%s%s", comma, type->field[i].label);
		comma = ", ";
	}
	putc(')', to);
}

/**
 * lkst_maskset_shows() - check whether an entry is printed
 * @types: known event types
 * @entry: entry of a maskset
 * @style: output style
 *
 * Omitted entries mask unregistered event types, so no information is lost.
 */
bool lkst_maskset_shows(const struct lkst_etypes *types, const struct lkst_maskset_entry *entry,
			const struct lkst_maskset_style *style)
{
	return lkst_etype(types, (uint32_t)entry->event_type) ||
	       entry->id != LKST_EVHANDLER_ID_NONE || (style->unregistered && !style->plain);
}

/**
 * lkst_maskset_complete() - add the missing entries, which mask their event types
 * @body: maskset, in LKST_MASKSET_SIZE_MAX bytes of memory
 */
void lkst_maskset_complete(struct lkst_maskset_body *body)
{
	lkst_evhandler_id handler[LKST_ETYPE_NUM] = { 0 };

	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if ((uint32_t)body->entry[i].event_type < LKST_ETYPE_NUM)
			handler[body->entry[i].event_type] = body->entry[i].id;
	for (int i = 0; i < LKST_ETYPE_NUM; i++)
		body->entry[i] = (struct lkst_maskset_entry){ .event_type = i, .id = handler[i] };
	body->len = LKST_ETYPE_NUM;
}

static void maskset_text_put_entry(FILE *to, const struct lkst_maskset_entry *entry,
				   const struct lkst_etypes *types,
				   const struct lkst_maskset_style *style)
{
	const struct lkst_etype *type = lkst_etype(types, (uint32_t)entry->event_type);

	fprintf(to, "0x%03x 0x%03x", (unsigned int)entry->event_type, (unsigned int)entry->id);
	if (!style->plain && type)
		maskset_text_put_description(to, type);
	else if (!style->plain)
		fputs("  # not registered", to);
	putc('\n', to);
}

/**
 * lkst_maskset_print() - print a maskset as text
 * @to: output
 * @id: id of the maskset
 * @body: contents of the maskset
 * @types: event types, for descriptions
 * @style: output style
 */
void lkst_maskset_print(FILE *to, lkst_maskset_id id, const struct lkst_maskset_body *body,
			const struct lkst_etypes *types, const struct lkst_maskset_style *style)
{
	fprintf(to, "# maskset %d %s\n# event_type event_handler\n", id,
		LKST_PRINTABLE(body->name));
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if (lkst_maskset_shows(types, &body->entry[i], style))
			maskset_text_put_entry(to, &body->entry[i], types, style);
}

struct place {
	unsigned int line; /* 0: none */
	unsigned int column; /* from 1 */
};

/**
 * struct text_entry - entry for an event type, according to the lines read so far
 * @at: place of the last word that names the event type
 * @alone: that word names no other event type
 * @handler: event handler of the event type
 */
struct text_entry {
	struct place at;
	bool alone;
	lkst_evhandler_id handler;
};

#define LINE_MAX_LEN 4095

struct reader {
	const struct lkst_etypes *types;
	const struct lkst_evhandler_list *handlers;
	const char *origin;
	struct lkst_etype_set *left_out;
	unsigned int number; /* of the current line */
	char *rest; /* of the current line */
	char line[LINE_MAX_LEN + 1];
	struct text_entry entry[LKST_ETYPE_NUM];
};

/* Prefix the error with the place. Returns -1. */
static int maskset_text_fail_at(const struct reader *reader, struct place at,
				struct lkst_error *err)
{
	struct lkst_error inner;
	size_t len;

	if (!err)
		return -1;
	inner = *err;
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_AT, reader->origin, at.line, at.column);
	len = strlen(err->text);
	memccpy(err->text + len, inner.text, 0, sizeof(err->text) - len);
	err->text[sizeof(err->text) - 1] = 0;
	return -1;
}

static struct place maskset_text_location(const struct reader *reader, const char *p)
{
	return (struct place){ reader->number, (unsigned int)(p - reader->line) + 1 };
}

/*
 * Get the next word, which ends at whitespace or is in double quotes. @word is set to NULL at the
 * end of the line or at a comment.
 */
static int maskset_text_take_word(struct reader *reader, char **word, struct lkst_error *err)
{
	char *start = reader->rest + strspn(reader->rest, BLANKS), *end;
	bool quoted = *start == '"';

	reader->rest = start;
	*word = NULL;
	if (!*start || *start == '#')
		return 0;
	end = quoted ? strchr(start + 1, '"') : start + strcspn(start, BLANKS);
	if (!end) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_QUOTE, start);
		return maskset_text_fail_at(reader, maskset_text_location(reader, start), err);
	}
	reader->rest = end + !!*end;
	*end = 0;
	*word = start + quoted;
	return 0;
}

static void maskset_text_set_entry(struct reader *reader, unsigned int number, struct place at,
				   bool alone, lkst_evhandler_id handler)
{
	reader->entry[number] = (struct text_entry){ at, alone, handler };
	lkst_etype_set_remove(reader->left_out, number);
}

/* Handle a line that names a single event type, by a word that lkst_etypes_find() accepts. */
static int maskset_text_add_one(struct reader *reader, int number, const char *word,
				lkst_evhandler_id handler, struct lkst_error *err)
{
	const struct text_entry *before = &reader->entry[number];
	struct place at = maskset_text_location(reader, word);

	if (before->alone) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_TWICE, word, before->at.line);
		return maskset_text_fail_at(reader, at, err);
	}
	if (lkst_maskset_check_entry(reader->types, number, handler, err))
		return maskset_text_fail_at(reader, at, err);
	maskset_text_set_entry(reader, (unsigned int)number, at, true, handler);
	return 0;
}

/* Handle a line that may name several event types. It overrides the lines above it. */
static int maskset_text_add_set(struct reader *reader, const char *word, lkst_evhandler_id handler,
				struct lkst_error *err)
{
	struct lkst_maskset_change change = { 0 };
	struct place at = maskset_text_location(reader, word);

	if (lkst_maskset_select(reader->types, word, handler, &change, err))
		return maskset_text_fail_at(reader, at, err);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (lkst_etype_set_has(&change.set, i))
			maskset_text_set_entry(reader, i, at, false, handler);
		else if (lkst_etype_set_has(&change.left_out, i))
			lkst_etype_set_add(reader->left_out, i);
	}
	return 0;
}

static int maskset_text_add_entry(struct reader *reader, const char *type, const char *handler,
				  struct lkst_error *err)
{
	int number = lkst_etypes_find(reader->types, type, NULL), id;
	struct lkst_etype_set set;

	if (number < 0 && lkst_etypes_select(reader->types, type, &set, err))
		return maskset_text_fail_at(reader, maskset_text_location(reader, type), err);
	id = lkst_evhandler_find(reader->handlers, handler, err);
	if (id < 0)
		return maskset_text_fail_at(reader, maskset_text_location(reader, handler), err);
	return number < 0 ? maskset_text_add_set(reader, type, id, err) :
			    maskset_text_add_one(reader, number, type, id, err);
}

static int maskset_text_parse_line(struct reader *reader, struct lkst_error *err)
{
	char *type, *handler, *more;

	reader->rest = reader->line;
	if (maskset_text_take_word(reader, &type, err))
		return -1;
	if (!type)
		return 0;
	if (maskset_text_take_word(reader, &handler, err))
		return -1;
	if (!handler) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_NO_HANDLER_WORD, type);
		return maskset_text_fail_at(reader, maskset_text_location(reader, reader->rest),
					    err);
	}
	if (maskset_text_take_word(reader, &more, err))
		return -1;
	if (more) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_EXTRA_WORD, more);
		return maskset_text_fail_at(reader, maskset_text_location(reader, more), err);
	}
	return maskset_text_add_entry(reader, type, handler, err);
}

/* Read a line without its newline. Returns 1 if there is one; 0 at the end; -1 on error. */
static int maskset_text_read_line(struct reader *reader, FILE *from, struct lkst_error *err)
{
	size_t len = 0;
	int c;

	reader->number++;
	while ((c = getc(from)) != EOF && c != '\n') {
		if (c && len < LINE_MAX_LEN) {
			reader->line[len++] = (char)c;
			continue;
		}
		if (c)
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_LONG_LINE, LINE_MAX_LEN);
		else
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_NOT_TEXT);
		return maskset_text_fail_at(reader,
					    maskset_text_location(reader, reader->line + len), err);
	}
	if (ferror(from)) {
		lkst_error_system(err, errno, reader->origin, "read");
		return -1;
	}
	while (len && reader->line[len - 1] == '\r')
		len--;
	reader->line[len] = 0;
	return c != EOF || len;
}

static int maskset_text_fill_body(const struct reader *reader, struct lkst_maskset_body *body,
				  struct lkst_error *err)
{
	int offender;

	for (int i = 0; i < LKST_ETYPE_NUM; i++)
		if (reader->entry[i].at.line)
			body->entry[body->len++] = (struct lkst_maskset_entry){
				.event_type = i,
				.id = reader->entry[i].handler,
			};
	if (!body->len) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_NO_ENTRIES, reader->origin);
		return -1;
	}
	if (!lkst_maskset_check_locks(reader->types, body, &offender, err))
		return 0;
	return maskset_text_fail_at(reader, reader->entry[offender].at, err);
}

/**
 * lkst_maskset_parse() - parse a maskset
 * @from: text
 * @origin: name of the text, for error messages
 * @types: event types of the kernel
 * @handlers: event handlers of the kernel
 * @body: result, sorted by event type, with an empty name; the caller provides
 *	LKST_MASKSET_SIZE_MAX bytes
 * @left_out: set to the event types that were requested by a word for several event types, such as
 *	a pattern, but that are absent in this kernel
 * @err: set if the text is invalid; names line and column
 */
int lkst_maskset_parse(FILE *from, const char *origin, const struct lkst_etypes *types,
		       const struct lkst_evhandler_list *handlers, struct lkst_maskset_body *body,
		       struct lkst_etype_set *left_out, struct lkst_error *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	int ret;

	memset(body, 0, sizeof(*body));
	memset(left_out, 0, sizeof(*left_out));
	if (!reader) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	reader->types = types;
	reader->handlers = handlers;
	reader->origin = origin;
	reader->left_out = left_out;
	while ((ret = maskset_text_read_line(reader, from, err)) > 0 &&
	       !maskset_text_parse_line(reader, err))
		;
	ret = ret ? -1 : maskset_text_fill_body(reader, body, err);
	free(reader);
	return ret;
}
