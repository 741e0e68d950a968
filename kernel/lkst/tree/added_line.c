// SPDX-License-Identifier: GPL-2.0
/*
 * Print added events as ftrace prints its dynamic events: "NAME: (PLACE)
 * FIELD=VALUE ...". A synthetic event has no place.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/lkst.h>

#include "../added/added.h"
#include "../user/files.h"
#include "../user/format.h"
#include "../user/registry.h"
#include "dynamic.h"
#include "file.h"
#include "line.h"
#include "trace_copy.h"

/* Read a number that is in the record, on a little-endian CPU. */
static u64 lkst_tree_read_number(const struct lkst_format_field *field, const char *at)
{
	u64 value = 0;

	memcpy(&value, at, min_t(u32, field->size, sizeof(value)));
	return field->is_signed ? sign_extend64(value, field->size * 8 - 1) : value;
}

/* @type: the type, as in lkst_format.text */
static void lkst_tree_show_value(struct seq_file *m, const struct lkst_format_field *field,
				 const char *type, u64 value)
{
	if (field->is_kernel && *type == 's')
		seq_printf(m, "%pS", (void *)(unsigned long)value);
	else if (field->is_kernel)
		seq_printf(m, "0x%llx", value);
	else
		seq_printf(m, field->is_signed ? "%lld" : "%llu", value);
}

/*
 * Print a string, or the part of it that was recorded. As in ftrace, there are
 * no quotation marks if the probe could not read the string.
 */
static void lkst_tree_show_quoted(struct seq_file *m, const struct lkst_format_field *field,
				  const struct lkst_tree_payload *payload)
{
	u32 offset, size;
	const char *text;

	if (!lkst_format_range(field, payload->at, U32_MAX, &offset, &size) ||
	    offset >= payload->bytes) {
		seq_puts(m, "...");
		return;
	}
	text = payload->at + offset;
	size = strnlen(text, min(size, payload->bytes - offset));
	if (size == strlen(LKST_ADDED_FAULT) && !memcmp(text, LKST_ADDED_FAULT, size)) {
		seq_puts(m, LKST_ADDED_FAULT);
		return;
	}
	seq_putc(m, '"');
	lkst_user_show_text(m, text, size);
	seq_putc(m, '"');
}

static void lkst_tree_show_added_field(struct seq_file *m, const struct lkst_format *format,
				       const struct lkst_format_field *field,
				       const struct lkst_tree_payload *payload)
{
	seq_printf(m, " %.*s=", field->name_len, format->text + field->name);
	if (field->offset + field->size > payload->bytes && field->kind != LKST_FIELD_CHARS)
		seq_puts(m, "...");
	else if (field->kind == LKST_FIELD_INTEGER)
		lkst_tree_show_value(m, field, format->text + field->type,
				     lkst_tree_read_number(field, payload->at + field->offset));
	else
		lkst_tree_show_quoted(m, field, payload);
}

/* Print the place of the probe. A synthetic event has none. */
static void lkst_tree_show_place(struct seq_file *m, const char *definition)
{
	const char *place = strchr(definition, ' ') + 1;
	size_t len = strcspn(place, "% ");
	bool returns = *definition == 'r' || place[len] == '%';

	if (*definition != *LKST_TREE_SYNTHETIC)
		seq_printf(m, " (%s%.*s)", returns ? "<- " : "", (int)len, place);
}

/**
 * struct lkst_tree_added_line - an event to print
 * @m: output
 * @trace: the copy that contains the event
 * @line: the event
 */
struct lkst_tree_added_line {
	struct seq_file *m;
	struct lkst_tree_trace *trace;
	const struct lkst_tree_event_line *line;
};

static int lkst_tree_show_added_line(const struct lkst_added_info *info, void *data)
{
	const struct lkst_tree_added_line *added = data;
	const struct lkst_event_record *record = &added->line->record;
	const struct lkst_format *format = info->event->format;
	struct lkst_tree_payload payload = {
		.at = (const char *)record->arg,
		.bytes = sizeof(record->arg),
	};
	unsigned int i;

	if (info->etype != record->event_type)
		return 0;
	if (format->chain)
		payload = lkst_tree_chain(added->trace, added->line);
	lkst_tree_show_string(added->m, lkst_user_event_name(info->event));
	seq_putc(added->m, ':');
	lkst_tree_show_place(added->m, info->text);
	for (i = 0; i < format->num; i++)
		lkst_tree_show_added_field(added->m, format, &format->field[i], &payload);
	return 1;
}

/**
 * lkst_tree_show_added_event() - print an added event
 * @m: output
 * @trace: the copy that contains the event
 * @line: the event, one of @trace->line
 *
 * Context: may sleep.
 *
 * Return: false if there is no such event; then, nothing has been printed.
 */
bool lkst_tree_show_added_event(struct seq_file *m, struct lkst_tree_trace *trace,
				const struct lkst_tree_event_line *line)
{
	struct lkst_tree_added_line added = { m, trace, line };

	return lkst_added_for_each(lkst_tree_show_added_line, &added) > 0;
}
