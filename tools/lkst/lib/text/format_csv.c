// SPDX-License-Identifier: LGPL-2.1
/* Formats an event as a line of CSV (specification 4.7.3.3.2, option -C). */
#include "etypes.h"
#include "field.h"
#include "format.h"
#include "lib/base/put.h"
#include "out.h"

static char *csv_put_argument(char *p, const char *name, unsigned int arg, uint64_t value)
{
	p = put_char(p, ',');
	p = *name ? put_csv(p, name) : format_argument_number(p, arg);
	p = put_hex(put_char(p, ','), (uint32_t)value, 8);
	return put_hex(put_char(p, ','), value >> 32, 8);
}

static char *csv_put_epoch(char *p, int64_t time_ns)
{
	int64_t second;
	uint32_t ns = format_split_time(time_ns, &second);

	return put_udec(put_char(put_dec(p, second), ','), ns / 1000);
}

/*
 * Write the value that continues in the other records of a chain: the label, the whole value as
 * text, and 1 if a part of the value is missing, otherwise 0.
 */
static char *csv_put_continued(char *p, const struct lkst_format *format,
			       const struct lkst_event *event, const struct lkst_etype *type)
{
	struct field_view view = {
		.context = format->context, .event = event, .type = type, .bare = true
	};
	const struct lkst_field *last = &type->field[type->fields - 1];
	char text[OUT_ROOM];

	if (!last->continues)
		return p;
	*lkst_put_field(text, &view, last) = 0;
	p = put_csv(put_char(put_csv(put_char(p, ','), last->label), ','), text);
	return put_char(put_char(p, ','), lkst_is_cut(event, type) ? '1' : '0');
}

/*
 * Write the fields of a user event: the label and the value of each field, and then 1 if a part of
 * the event is missing, otherwise 0.
 */
static char *csv_put_user_fields(char *p, const struct lkst_format *format,
			     const struct lkst_event *event, const struct lkst_etype *type)
{
	struct field_view view = {
		.context = format->context, .event = event, .type = type, .bare = true
	};
	char text[OUT_ROOM];

	for (unsigned int i = 0; i < type->fields; i++) {
		const struct lkst_field *field = &type->field[i];

		if (!field->user || lkst_field_is_left_out(event, field, false))
			continue;
		*lkst_put_field(text, &view, field) = 0;
		p = put_csv(put_char(put_csv(put_char(p, ','), field->label), ','), text);
	}
	return put_char(put_char(p, ','), lkst_is_cut(event, type) ? '1' : '0');
}

/**
 * lkst_format_csv() - write an event as a line of CSV
 * @format: formatter
 * @event: event
 */
void lkst_format_csv(struct lkst_format *format, const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(format->types, event->type);
	char *p = out_room(format->out);

	p = type ? put_csv(p, type->name) : format_unnamed(p, event->type);
	p = put_dec(put_char(p, ','), event->cpu);
	p = put_char(put_udec(put_char(p, ','), event->tgid), ',');
	if (format->opt.epoch) {
		p = csv_put_epoch(p, event->time_ns);
	} else {
		format_set_time(format, event->time_ns);
		p = put_text(p, format->csv_date);
	}
	if (type && type->user) {
		out_end(format->out, put_char(csv_put_user_fields(p, format, event, type), '\n'));
		return;
	}
	for (unsigned int i = 0; i < 4; i++)
		if (!type || *type->csv[i] || format->opt.verbose)
			p = csv_put_argument(p, type ? type->csv[i] : "", i, event->arg[i]);
	if (type && type->chain)
		p = csv_put_continued(p, format, event, type);
	out_end(format->out, put_char(p, '\n'));
}
