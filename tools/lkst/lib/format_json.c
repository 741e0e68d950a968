// SPDX-License-Identifier: LGPL-2.1
/*
 * An event as a line of JSON. Members are called as in struct lkst_event_record and in the
 * UAPI; "fields" holds what the text has, in the same words.
 */
#include "format.h"

/* Bytes of the UTF-8 character at @text, 0 when it is none. */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t min;
	} forms[] = { { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };

	if (*text < 0x80)
		return 1;
	for (size_t form = 0; form < 3; form++) {
		uint32_t c = *text & ~(uint32_t)forms[form].mask & 0x7f;

		if ((*text & forms[form].mask) != forms[form].lead)
			continue;
		for (size_t i = 1; i <= form + 1; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			c = c << 6 | (text[i] & 0x3f);
		}
		if (c < forms[form].min || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
			return 0;
		return form + 2;
	}
	return 0;
}

static void put_string(struct lkst_out *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	out_char(out, '"');
	while (*p) {
		size_t len = utf8_length(p);

		/* Escaped it is longer than any line of text. */
		out_room(out);
		if (!len) {
			out_text(out, "\\ufffd");
			len = 1;
		} else if (*p < 0x20 || *p == 0x7f) {
			out_text(out, "\\u00");
			out_char(out, "0123456789abcdef"[*p >> 4]);
			out_char(out, "0123456789abcdef"[*p & 15]);
		} else {
			if (*p == '"' || *p == '\\')
				out_char(out, '\\');
			out_bytes(out, (const char *)p, len);
		}
		p += len;
	}
	out_char(out, '"');
}

static void put_name(struct lkst_out *out, const char *name)
{
	out_text(out, ",\"");
	out_text(out, name);
	out_text(out, "\":");
}

static void put_number(struct lkst_out *out, const char *name, int64_t value)
{
	put_name(out, name);
	out_dec(out, value);
}

static void put_time(struct lkst_format *format, const struct lkst_event *event)
{
	struct lkst_out *out = format->out;
	int64_t second;
	uint32_t ns = format_split_time(event->time_ns, &second);

	format_set_second(format, second);
	out_text(out, "{\"time\":\"");
	out_text(out, format->json_date);
	out_text(out, format->clock_text);
	out_digits(out, ns, 9);
	out_text(out, format->json_zone);
	out_char(out, '"');
	put_number(out, "time_ns", event->time_ns);
	if (event->clock) {
		put_name(out, "clock");
		out_udec(out, event->clock);
	}
}

static void put_flags(struct lkst_out *out, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{ LKST_LOG_HARDIRQ, "hardirq" },
		{ LKST_LOG_SOFTIRQ, "softirq" },
		{ LKST_LOG_NMI, "nmi" },
		{ LKST_LOG_PREEMPT_OFF, "preempt_off" },
		{ LKST_LOG_NEED_RESCHED, "need_resched" },
	};
	bool first = true;

	put_name(out, "flags");
	out_char(out, '[');
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!(flags & names[i].flag))
			continue;
		if (!first)
			out_char(out, ',');
		first = false;
		put_string(out, names[i].name);
	}
	out_char(out, ']');
}

/* What was put since @from becomes a string. */
static void make_string(struct lkst_out *out, size_t from)
{
	char text[OUT_ROOM];
	size_t len = out->len - from;

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	memcpy(text, out->buf + from, len);
	text[len] = 0;
	out->len = from;
	put_string(out, text);
}

static void put_field(struct lkst_format *format, const struct lkst_event *event,
		      const struct lkst_etype *type, const struct lkst_field *field, char before)
{
	struct lkst_out *out = format->out;
	size_t from;

	out_room(out);
	out_char(out, before);
	from = out->len;
	if (lkst_field_is_plain(field))
		out_bytes(out, field->label, field->label_len);
	else
		out_text(out, lkst_field_label(event, field));
	make_string(out, from);
	out_room(out);
	out_char(out, ':');
	from = out->len;
	out->bare = true;
	lkst_put_field(out, format->context, event, type, field);
	out->bare = false;
	make_string(out, from);
}

static void put_fields(struct lkst_format *format, const struct lkst_event *event,
		       const struct lkst_etype *type)
{
	char before = '{';

	put_name(format->out, "fields");
	for (unsigned int i = 0; i < type->fields; i++) {
		const struct lkst_field *field = &type->field[i];

		if (!field->label_len || (!format->opt.verbose && !lkst_field_is_plain(field) &&
					  lkst_field_is_void(event, field)))
			continue;
		put_field(format, event, type, field, before);
		before = ',';
	}
	if (before == '{')
		out_char(format->out, before);
	out_char(format->out, '}');
}

static void put_process(struct lkst_format *format, const struct lkst_event *event)
{
	struct lkst_out *out = format->out;
	const char *name = NULL;
	char idle[24];

	if (event->tid) {
		name = lkst_names_get(format->context->names, event->tid, event->time_ns);
	} else {
		snprintf(idle, sizeof(idle), "swapper/%d", event->cpu);
		name = idle;
	}
	put_number(out, "thread", event->tid);
	put_name(out, "name");
	if (name)
		put_string(out, name);
	else
		out_text(out, "null");
	put_number(out, "pid", event->tgid);
	put_number(out, "pgrp", event->pgrp);
	put_number(out, "uid", event->uid);
	put_number(out, "gid", event->gid);
}

/**
 * lkst_format_json() - an event as a line of JSON
 * @format: format
 * @event: event
 */
void lkst_format_json(struct lkst_format *format, const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(format->types, event->type);
	struct lkst_out *out = format->out;

	out_room(out);
	put_time(format, event);
	put_number(out, "cpu", event->cpu);
	put_name(out, "buffer");
	if (event->buffer == LKST_BUFFER_ID_VOID)
		out_text(out, "null");
	else
		out_dec(out, event->buffer);
	put_name(out, "recid");
	out_udec(out, event->recid);
	put_number(out, "event_type", event->type);
	put_name(out, "event_name");
	if (type)
		put_string(out, type->name);
	else
		out_text(out, "null");
	put_process(format, event);
	put_flags(out, event->flags);
	put_name(out, "arg");
	for (int i = 0; i < 4; i++) {
		out_char(out, i ? ',' : '[');
		out_udec(out, event->arg[i]);
	}
	out_char(out, ']');
	if (type)
		put_fields(format, event, type);
	out_text(out, "}\n");
}
