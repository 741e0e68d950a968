// SPDX-License-Identifier: LGPL-2.1
/*
 * An event as a line of text, for people.
 *
 *	10:55:40.123456789 [001] bash-1234            sp. system_call_entry  number=read ...
 *
 * Time; CPU; thread; flags; event; arguments. Where the time is one of day, the date stands in
 * a line of its own wherever it changes.
 */
#include <stdlib.h>
#include <time.h>

#include "format.h"

#define COLUMN_TIME    18
#define COLUMN_PROCESS 25
#define COLUMN_EVENT   21

/**
 * lkst_format_init() - begin to format
 * @format: to set up
 * @out: where to
 * @types: event types
 * @context: what is known of the kernel that recorded
 * @opt: how
 */
void lkst_format_init(struct lkst_format *format, struct lkst_out *out,
		      const struct lkst_etypes *types, const struct lkst_context *context,
		      const struct lkst_format_options *opt)
{
	memset(format, 0, sizeof(*format));
	format->out = out;
	format->types = types;
	format->context = context;
	format->opt = *opt;
}

/* "Fri 2026-01-02, UTC" or "Fri 2026-01-02, UTC+01:00 (CET)" */
static void set_date(struct lkst_format *format, const struct tm *tm)
{
	long minutes = labs(tm->tm_gmtoff) / 60;
	size_t size = sizeof(format->date_text), len;

	len = (size_t)snprintf(format->date_text, size, "%.3s %d-%02d-%02d, UTC",
			       &"SunMonTueWedThuFriSat"[tm->tm_wday * 3], tm -> tm_year + 1900,
			       tm -> tm_mon + 1, tm -> tm_mday);
	if (tm->tm_gmtoff)
		snprintf(format->date_text + len, size - len, "%c%02ld:%02ld (%.20s)",
			 tm->tm_gmtoff < 0 ? '-' : '+', minutes / 60, minutes % 60, tm->tm_zone);
}

static void unknown_second(struct lkst_format *format)
{
	strcpy(format->clock_text, "??:??:??.");
	strcpy(format->csv_date, "?,?,?,?,?");
	strcpy(format->date_text, "?");
	strcpy(format->json_date, "");
	strcpy(format->json_zone, "");
}

/* The second's texts; events of the same second are many. */
void format_set_second(struct lkst_format *format, int64_t second)
{
	time_t t = (time_t)second;
	long minutes;
	struct tm tm;

	if (format->valid && format->second == second)
		return;
	format->second = second;
	format->valid = true;
	if (!(format->opt.time == LKST_TIME_UTC ? gmtime_r(&t, &tm) : localtime_r(&t, &tm)) ||
	    tm.tm_year > 9999) {
		unknown_second(format);
		return;
	}
	strftime(format->clock_text, sizeof(format->clock_text), "%H:%M:%S.", &tm);
	snprintf(format->csv_date, sizeof(format->csv_date), "%.3s,%.3s,%d,%02d:%02d:%02d,%d",
		 &"SunMonTueWedThuFriSat"[tm.tm_wday * 3],
		 &"JanFebMarAprMayJunJulAugSepOctNovDec"[tm.tm_mon * 3], tm.tm_mday, tm.tm_hour,
		 tm.tm_min, tm.tm_sec, tm.tm_year + 1900);
	strftime(format->json_date, sizeof(format->json_date), "%Y-%m-%dT", &tm);
	minutes = labs(tm.tm_gmtoff) / 60 % (100 * 60);
	snprintf(format->json_zone, sizeof(format->json_zone), "%c%02u:%02u",
		 tm.tm_gmtoff < 0 ? '-' : '+', (unsigned int)minutes / 60 % 100,
		 (unsigned int)minutes % 60);
	set_date(format, &tm);
}

/* Seconds since the epoch, rounded down, and nanoseconds. */
uint32_t format_split_time(int64_t time_ns, int64_t *second)
{
	int64_t s = time_ns / 1000000000, ns = time_ns % 1000000000;

	if (ns < 0) {
		ns += 1000000000;
		s--;
	}
	*second = s;
	return (uint32_t)ns;
}

static void put_color(struct lkst_format *format, const char *code)
{
	if (format->opt.color && code) {
		out_text(format->out, "\033[");
		out_text(format->out, code);
		out_char(format->out, 'm');
	}
}

static const char *color_of(uint32_t event_type)
{
	switch (event_type >> 4) {
	case 0x00:
		return "32"; /* processes: green */
	case 0x01:
		return "33"; /* interrupts: yellow */
	case 0x02:
		return "35"; /* exceptions: magenta */
	case 0x03:
		return "36"; /* system calls: cyan */
	case 0x0b:
		return "1;31"; /* oops: red */
	}
	return event_type >= LKST_ETYPE_LKST_MIN ? "34" : NULL;
}

/**
 * lkst_format_head() - the line that names the columns
 * @format: format
 */
void lkst_format_head(struct lkst_format *format)
{
	bool raw = format->opt.time == LKST_TIME_RAW;

	out_room(format->out);
	out_text(format->out, raw ? "# time              " : "# time             ");
	out_text(format->out, "cpu   process-thread            flg event"
			      "                 arguments\n");
}

/* Context, preemption, reschedule: one letter each, a dot for nothing. */
static void put_flags(struct lkst_out *out, uint32_t flags)
{
	char context = '.';

	if (flags & LKST_LOG_NMI)
		context = 'z';
	else if (flags & LKST_LOG_HARDIRQ)
		context = flags & LKST_LOG_SOFTIRQ ? 'H' : 'h';
	else if (flags & LKST_LOG_SOFTIRQ)
		context = 's';
	out_char(out, context);
	out_char(out, flags & LKST_LOG_PREEMPT_OFF ? 'p' : '.');
	out_char(out, flags & LKST_LOG_NEED_RESCHED ? 'N' : '.');
}

void format_argument_number(struct lkst_out *out, unsigned int arg)
{
	out_text(out, "arg");
	out_char(out, (char)('1' + arg));
}

static void put_arguments(struct lkst_format *format, const struct lkst_event *event,
			  const struct lkst_etype *type)
{
	struct lkst_out *out = format->out;

	for (unsigned int i = 0; !type && i < 4; i++) {
		out_char(out, ' ');
		format_argument_number(out, i);
		out_char(out, '=');
		out_hex(out, event->arg[i], 1);
	}
	for (unsigned int i = 0; type && i < type->fields; i++) {
		const struct lkst_field *field = &type->field[i];

		bool plain = lkst_field_is_plain(field);

		if (!format->opt.verbose &&
		    (!field->label_len || (!plain && lkst_field_is_void(event, field))))
			continue;
		out_char(out, ' ');
		if (field->label_len && plain)
			out_bytes(out, field->label, field->label_len);
		else if (field->label_len)
			out_text(out, lkst_field_label(event, field));
		else
			format_argument_number(out, field->arg);
		out_char(out, '=');
		lkst_put_field(out, format->context, event, type, field);
	}
}

static void put_rest(struct lkst_out *out, const struct lkst_event *event)
{
	out_text(out, " | recid=");
	out_udec(out, event->recid);
	out_text(out, " buffer=");
	if (event->buffer == LKST_BUFFER_ID_VOID)
		out_text(out, "static");
	else
		out_dec(out, event->buffer);
	out_text(out, " pgrp=");
	out_udec(out, event->pgrp);
	out_text(out, " uid=");
	out_udec(out, event->uid);
	out_text(out, " gid=");
	out_udec(out, event->gid);
	if (event->clock) {
		out_text(out, " clock=");
		out_udec(out, event->clock);
	}
}

static void put_event_name(struct lkst_out *out, const struct lkst_event *event,
			   const struct lkst_etype *type)
{
	if (type)
		out_text(out, type->name);
	else
		out_hex(out, event->type, 3);
}

static void put_cpu(struct lkst_out *out, int32_t cpu)
{
	out_char(out, '[');
	if (cpu >= 0 && cpu < 1000)
		out_digits(out, (uint64_t)cpu, 3);
	else
		out_dec(out, cpu);
	out_text(out, "] ");
}

/* Time of day, below its date. */
static void put_clock(struct lkst_format *format, int64_t time_ns)
{
	struct lkst_out *out = format->out;
	char date[sizeof(format->date_text)];
	int64_t second, before = format->second;
	bool first = !format->valid;
	uint32_t ns = format_split_time(time_ns, &second);

	if (first || second != before) {
		memcpy(date, format->date_text, sizeof(date));
		format_set_second(format, second);
		if (first || strcmp(date, format->date_text)) {
			out_text(out, "# ");
			out_text(out, format->date_text);
			out_char(out, '\n');
		}
	}
	put_color(format, "2");
	out_text(out, format->clock_text);
	out_digits(out, ns, 9);
}

/* "       -1.000000001" */
static void put_seconds(struct lkst_format *format, int64_t from_ns, int64_t to_ns)
{
	bool minus = to_ns < from_ns;
	uint64_t ns = minus ? (uint64_t)from_ns - (uint64_t)to_ns :
			      (uint64_t)to_ns - (uint64_t)from_ns;
	struct lkst_out *out = format->out;
	char text[32];

	put_color(format, "2");
	snprintf(text, sizeof(text), "%s%llu.%09llu", minus ? "-" : "",
		 (unsigned long long)ns / 1000000000, (unsigned long long)ns % 1000000000);
	for (size_t len = strlen(text); len < COLUMN_TIME; len++)
		out_char(out, ' ');
	out_text(out, text);
}

static void put_time(struct lkst_format *format, int64_t time_ns)
{
	switch (format->opt.time) {
	case LKST_TIME_RELATIVE:
		put_seconds(format, format->opt.zero_ns, time_ns);
		break;
	case LKST_TIME_DELTA:
		put_seconds(format, format->any ? format->before_ns : time_ns, time_ns);
		break;
	case LKST_TIME_RAW:
		put_color(format, "2");
		out_dec(format->out, time_ns);
		break;
	default:
		put_clock(format, time_ns);
	}
	put_color(format, "0");
	format->any = true;
	format->before_ns = time_ns;
}

/**
 * lkst_format_event() - an event as a line for people
 * @format: format
 * @event: event
 */
void lkst_format_event(struct lkst_format *format, const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(format->types, event->type);
	struct lkst_out *out = format->out;
	size_t from;

	out_room(out);
	put_time(format, event->time_ns);
	out_char(out, ' ');
	put_cpu(out, event->cpu);
	from = out->len;
	lkst_put_process(out, format->context->names, event->tid, event->cpu, event->time_ns);
	if (event->tgid != event->tid) {
		out_char(out, '/');
		out_udec(out, event->tgid);
	}
	out_pad(out, from, COLUMN_PROCESS);
	out_char(out, ' ');
	put_flags(out, event->flags);
	out_char(out, ' ');
	put_color(format, color_of(event->type));
	from = out->len;
	put_event_name(out, event, type);
	out_pad(out, from, COLUMN_EVENT);
	if (color_of(event->type))
		put_color(format, "0");
	put_arguments(format, event, type);
	if (format->opt.verbose)
		put_rest(out, event);
	out_char(out, '\n');
}
