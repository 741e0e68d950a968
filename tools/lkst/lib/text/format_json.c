// SPDX-License-Identifier: LGPL-2.1
/*
 * Formats an event as a line of JSON. Values that are also in struct lkst_event_record or another
 * structure of the UAPI have the same names as the members there. "fields" contains the values of
 * the text output: decimal numbers as numbers, the buffer id "none" as null, the stack of a chain
 * as an array of strings, everything else as strings.
 */
#include <string.h>

#include "context.h"
#include "etypes.h"
#include "field.h"
#include "format.h"
#include "lib/base/put.h"
#include "names.h"
#include "out.h"

/* Return whether a byte needs no escape in a JSON string, regardless of the bytes next to it. */
static bool format_json_is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static char *format_json_put_string(char *p, const char *text)
{
	p = put_char(p, '"');
	while (format_json_is_plain((unsigned char)*text))
		p = put_char(p, *text++);
	return put_char(put_json(p, text, strlen(text)), '"');
}

/* Escape the text from @from to @p for a JSON string, in place. Returns the new end of the text. */
static char *format_json_escape(char *from, char *p)
{
	char text[OUT_ROOM];
	size_t len;

	while (from < p && format_json_is_plain((unsigned char)*from))
		from++;
	if (from == p)
		return p;
	len = (size_t)(p - from);
	memcpy(text, from, len);
	return put_json(from, text, len);
}

/* Write a comma, a member's name, and a colon. This is a macro so that the length is constant. */
#define put_name(p, name) put_text(p, ",\"" name "\":")

static char *format_json_put_time(char *p, struct lkst_format *format,
				  const struct lkst_event *event)
{
	uint32_t ns = format_set_time(format, event->time_ns);

	p = put_text(put_text(p, "{\"time\":\""), format->json_date);
	p = put_9_digits(put_bytes(p, format->clock_text, format->clock_len), ns);
	p = put_char(put_text(p, format->json_zone), '"');
	p = put_dec(put_name(p, "time_ns"), event->time_ns);
	return event->clock ? put_udec(put_name(p, "clock"), event->clock) : p;
}

static char *format_json_put_flags(char *p, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{ LKST_LOG_HARDIRQ, "\"hardirq\"" },
		{ LKST_LOG_SOFTIRQ, "\"softirq\"" },
		{ LKST_LOG_NMI, "\"nmi\"" },
		{ LKST_LOG_PREEMPT_OFF, "\"preempt_off\"" },
		{ LKST_LOG_NEED_RESCHED, "\"need_resched\"" },
	};
	char *first;

	first = p = put_char(put_name(p, "flags"), '[');
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!(flags & names[i].flag))
			continue;
		if (p > first)
			p = put_char(p, ',');
		p = put_text(p, names[i].name);
	}
	return put_char(p, ']');
}

/* Return whether the value is the buffer id that means "none". */
static bool json_is_no_id(const struct lkst_event *event, const struct lkst_field *field)
{
	return field->format == LKST_FMT_BUF &&
	       lkst_field_value(field, event) == LKST_BUFFER_ID_VOID;
}

/* Write a comma and "LABEL_name":"...", where LABEL is @label. */
static char *json_put_name_of(char *p, const char *label, const char *name)
{
	p = format_json_put_string(put_char(p, ','), label) - 1;
	return format_json_put_string(put_text(p, "_name\":"), name);
}

/* Write a stack as an array of strings, which can be longer than the longest line of text. */
static char *json_put_frames(char *p, struct lkst_out *out, struct field_view *view,
			     const struct lkst_field *field)
{
	size_t num = lkst_field_frames(view->event, field);
	char *from;

	p = put_char(put_char(format_json_put_string(p, field->label), ':'), '[');
	for (size_t i = 0; i < num; i++) {
		out_end(out, p);
		p = out_room(out);
		if (i)
			p = put_char(p, ',');
		from = put_char(p, '"');
		p = lkst_put_frame(from, view, lkst_field_frame(view->event, field, i));
		p = put_char(format_json_escape(from, p), '"');
	}
	return put_char(p, ']');
}

static char *json_put_field(char *p, struct field_view *view, const struct lkst_field *field)
{
	const char *label = field->format == LKST_FMT_REG ? lkst_field_label(view->event, field) :
							    field->label;
	const char *name;
	char *from;

	from = put_char(format_json_put_string(p, label), ':');
	if (json_is_no_id(view->event, field))
		return put_text(from, "null");
	/* Leave room for a quote before the value. */
	p = lkst_put_field(from + 1, view, field);
	if (!view->is_number) {
		*from = '"';
		p = put_char(format_json_escape(from + 1, p), '"');
		name = lkst_field_file(view, field);
		return name ? json_put_name_of(p, label, name) : p;
	}
	memmove(from, from + 1, (size_t)(p - from - 1));
	name = lkst_field_name(view);
	return name ? json_put_name_of(p - 1, label, name) : p - 1;
}

/*
 * Write the values of an event, as an object. In JSON, they can together be longer than the longest
 * line of text, so call out_room() for each value.
 */
static char *json_put_fields(char *p, struct lkst_format *format, const struct lkst_event *event,
			     const struct lkst_etype *type)
{
	struct field_view view = {
		.context = format->context, .event = event, .type = type, .bare = true
	};
	char before = '{';

	for (unsigned int i = 0; i < type->fields; i++) {
		const struct lkst_field *field = &type->field[i];

		if (!field->label_len || lkst_field_is_left_out(event, field, format->opt.verbose))
			continue;
		out_end(format->out, put_char(p, before));
		p = out_room(format->out);
		p = lkst_field_is_stack(field) ? json_put_frames(p, format->out, &view, field) :
						 json_put_field(p, &view, field);
		before = ',';
	}
	if (before == '{')
		p = put_char(p, before);
	return put_char(p, '}');
}

static char *format_json_put_thread(char *p, const struct lkst_format *format,
				    const struct lkst_event *event)
{
	const char *name;

	p = put_dec(put_name(p, "thread"), event->tid);
	p = put_name(p, "name");
	if (event->tid) {
		name = lkst_names_get(format->context->names, event->tid, event->time_ns);
		p = name ? format_json_put_string(p, name) : put_text(p, "null");
	} else {
		p = put_char(put_dec(put_text(p, "\"swapper/"), event->cpu), '"');
	}
	p = put_dec(put_name(p, "pid"), event->tgid);
	p = put_dec(put_name(p, "pgrp"), event->pgrp);
	p = put_dec(put_name(p, "uid"), event->uid);
	return put_dec(put_name(p, "gid"), event->gid);
}

static char *format_json_put_spans(char *p, const struct lkst_format *format)
{
	char before = '[';

	if (!format->spans)
		return p;
	p = put_name(p, "spans");
	for (size_t i = 0; i < format->spans; i++) {
		const struct lkst_format_span *span = &format->span[i];

		p = put_text(put_text(put_char(p, before), "{\"name\":\""), span->name);
		p = put_udec(put_text(p, "\",\"ns\":"), span->ns);
		p = put_text(put_name(p, "ended"), span->ended ? "true}" : "false}");
		before = ',';
	}
	return put_char(p, ']');
}

/**
 * lkst_format_json() - write an event as a line of JSON
 * @format: formatter
 * @event: event
 */
void lkst_format_json(struct lkst_format *format, const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(format->types, event->type);
	char *p = format_json_put_time(out_room(format->out), format, event);

	p = put_dec(put_name(p, "cpu"), event->cpu);
	p = put_name(p, "buffer");
	if (event->buffer == LKST_BUFFER_ID_VOID)
		p = put_text(p, "null");
	else
		p = put_dec(p, event->buffer);
	p = put_udec(put_name(p, "recid"), event->recid);
	p = put_udec(put_name(p, "event_type"), event->type);
	p = put_name(p, "event_name");
	if (type)
		p = format_json_put_string(p, type->name);
	else if (lkst_etype_is_user(event->type))
		p = put_char(format_unnamed(put_char(p, '"'), event->type), '"');
	else
		p = put_text(p, "null");
	p = format_json_put_flags(format_json_put_thread(p, format, event), event->flags);
	p = put_name(p, "arg");
	for (int i = 0; i < 4; i++)
		p = put_udec(put_char(p, i ? ',' : '['), event->arg[i]);
	p = put_char(p, ']');
	if (event->parts_before)
		p = put_udec(put_name(p, "parts_before"), event->parts_before);
	if (type)
		p = json_put_fields(put_name(p, "fields"), format, event, type);
	if (type && (type->chain || lkst_is_cut(event, type)))
		p = put_text(put_name(p, "cut"), lkst_is_cut(event, type) ? "true" : "false");
	p = format_json_put_spans(p, format);
	out_end(format->out, put_text(p, "}\n"));
}

/**
 * lkst_format_json_fields() - write the values of an event as a JSON object, without a newline
 * @format: formatter
 * @event: event
 *
 * Return: false if the type of the event is unknown: then nothing is written.
 */
bool lkst_format_json_fields(struct lkst_format *format, const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(format->types, event->type);

	if (!type)
		return false;
	out_end(format->out, json_put_fields(out_room(format->out), format, event, type));
	return true;
}
