// SPDX-License-Identifier: LGPL-2.1
/* An event as a line of CSV (specification 4.7.3.3.2, option -C). */
#include "format.h"

static void put_argument(struct lkst_out *out, const char *name, unsigned int arg, uint64_t value)
{
	out_char(out, ',');
	if (*name)
		out_csv(out, name);
	else
		format_argument_number(out, arg);
	out_char(out, ',');
	out_hex(out, (uint32_t)value, 8);
	out_char(out, ',');
	out_hex(out, value >> 32, 8);
}

/**
 * lkst_format_csv() - an event as a line of CSV
 * @format: format
 * @event: event
 */
void lkst_format_csv(struct lkst_format *format, const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(format->types, event->type);
	struct lkst_out *out = format->out;
	int64_t second;
	uint32_t ns = format_split_time(event->time_ns, &second);

	out_room(out);
	if (type)
		out_csv(out, type->name);
	else
		out_hex(out, event->type, 3);
	out_char(out, ',');
	out_dec(out, event->cpu);
	out_char(out, ',');
	out_udec(out, event->tgid);
	out_char(out, ',');
	if (format->opt.epoch) {
		out_dec(out, second);
		out_char(out, ',');
		out_udec(out, ns / 1000);
	} else {
		format_set_second(format, second);
		out_text(out, format->csv_date);
	}
	for (unsigned int i = 0; i < 4; i++)
		if (!type || *type->csv[i] || format->opt.verbose)
			put_argument(out, type ? type->csv[i] : "", i, event->arg[i]);
	out_char(out, '\n');
}
