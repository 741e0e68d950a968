// SPDX-License-Identifier: LGPL-2.1
/*
 * Masksets as text, which "lkstm read" writes and "lkstm write" reads. An entry is a line of
 * two words, event type and event handler; "#" begins a comment.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

#define BLANKS " \t"

static void put_description(FILE *to, const struct lkst_etype *type)
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

static void put_entry(FILE *to, const struct lkst_maskset_entry *entry,
		      const struct lkst_etypes *types, const struct lkst_maskset_style *style)
{
	const struct lkst_etype *type = lkst_etype(types, (uint32_t)entry->event_type);

	if (!type && (style->plain || !style->unregistered))
		return;
	fprintf(to, "0x%03x 0x%03x", (unsigned int)entry->event_type, (unsigned int)entry->id);
	if (!style->plain && type)
		put_description(to, type);
	else if (!style->plain)
		fputs("  # not registered", to);
	putc('\n', to);
}

/**
 * lkst_maskset_print() - a maskset as text
 * @to: where to
 * @id: of the maskset
 * @body: what it says
 * @types: to describe event types
 * @style: how
 */
void lkst_maskset_print(FILE *to, lkst_maskset_id id, const struct lkst_maskset_body *body,
			const struct lkst_etypes *types, const struct lkst_maskset_style *style)
{
	fprintf(to, "# maskset %d ", id);
	/* Kernel code may have chosen the name: it does not end the comment. */
	for (const char *p = body->name; *p; p++)
		putc(iscntrl((unsigned char)*p) ? '?' : *p, to);
	fputs("\n# event_type event_handler\n", to);
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		put_entry(to, &body->entry[i], types, style);
}

struct reader {
	const struct lkst_etypes *types;
	const struct lkst_evhandler_list *handlers;
	struct lkst_maskset_body *body;
	const char *origin;
	unsigned int number; /* of the line */
	char *line;
	char *rest; /* of it */
	unsigned int line_of[LKST_ETYPE_NUM]; /* with the entry of that event type */
};

/* Says where, before what the error says already. Returns -1. */
static int fail_at(const struct reader *reader, const char *place, struct lkst_error *err)
{
	struct lkst_error inner;

	if (!err)
		return -1;
	inner = *err;
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_AT, reader->origin, reader->number,
		       (unsigned int)(place - reader->line) + 1, inner.text);
	return -1;
}

/* A word goes up to a blank, or stands in double quotes. NULL: there is none on this line. */
static int take_word(struct reader *reader, char **word, struct lkst_error *err)
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
		return fail_at(reader, start, err);
	}
	reader->rest = end + !!*end;
	*end = 0;
	*word = start + quoted;
	return 0;
}

static int add_entry(struct reader *reader, const char *type, const char *handler,
		     struct lkst_error *err)
{
	int number = lkst_etypes_find(reader->types, type, err), id;

	if (number < 0)
		return fail_at(reader, type, err);
	if (reader->line_of[number]) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_TWICE, type, reader->line_of[number]);
		return fail_at(reader, type, err);
	}
	id = lkst_evhandler_find(reader->handlers, handler, err);
	if (id < 0)
		return fail_at(reader, handler, err);
	if (lkst_maskset_check_entry(reader->types, number, id, err))
		return fail_at(reader, type, err);
	reader->line_of[number] = reader->number;
	reader->body->entry[reader->body->len++] = (struct lkst_maskset_entry){
		.event_type = number,
		.id = id,
	};
	return 0;
}

static int read_line(struct reader *reader, struct lkst_error *err)
{
	char *type, *handler, *more;

	reader->rest = reader->line;
	if (take_word(reader, &type, err))
		return -1;
	if (!type)
		return 0;
	if (take_word(reader, &handler, err))
		return -1;
	if (!handler) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_NO_HANDLER_WORD, type);
		return fail_at(reader, reader->rest, err);
	}
	if (take_word(reader, &more, err))
		return -1;
	if (more) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_EXTRA_WORD, more);
		return fail_at(reader, more, err);
	}
	return add_entry(reader, type, handler, err);
}

static int read_lines(struct reader *reader, FILE *from, struct lkst_error *err)
{
	size_t size = 0, text;
	ssize_t len;

	while ((len = getline(&reader->line, &size, from)) >= 0) {
		reader->number++;
		text = strlen(reader->line);
		if (text < (size_t)len) {
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_NOT_TEXT);
			return fail_at(reader, reader->line + text, err);
		}
		while (text && strchr("\r\n", reader->line[text - 1]))
			reader->line[--text] = 0;
		if (read_line(reader, err))
			return -1;
	}
	if (!feof(from)) {
		lkst_error_system(err, errno, reader->origin, "read");
		return -1;
	}
	if (!reader->body->len) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_NO_ENTRIES, reader->origin);
		return -1;
	}
	return 0;
}

/**
 * lkst_maskset_parse() - a maskset from text
 * @from: the text
 * @origin: what it is called, for errors
 * @types: those of the kernel
 * @handlers: those of the kernel
 * @body: result; the name is none
 * @err: what is wrong, with line and column
 */
int lkst_maskset_parse(FILE *from, const char *origin, const struct lkst_etypes *types,
		       const struct lkst_evhandler_list *handlers, struct lkst_maskset_body *body,
		       struct lkst_error *err)
{
	struct reader reader = {
		.types = types,
		.handlers = handlers,
		.body = body,
		.origin = origin,
	};
	int ret;

	memset(body, 0, sizeof(*body));
	ret = read_lines(&reader, from, err);
	free(reader.line);
	return ret ? -1 : lkst_maskset_check_locks(types, body, err);
}
