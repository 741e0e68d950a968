// SPDX-License-Identifier: LGPL-2.1
/*
 * Formats an event as a human-readable line.
 *
 *	10:55:40.123456789 [001] bash-1234            sp. system_call_entry  number=read ...
 *
 * Columns: time, CPU, thread, flags, event, arguments. If the time is a time of day, a line with
 * the date precedes the first event of each day.
 *
 * If the width of the terminal is known, arguments that do not fit on the line are put on further
 * lines, and an argument with the name of a thread is omitted if the argument for the thread
 * already shows this name. On a narrow terminal, the columns are narrower:
 *
 *	10:55:40.123456   1 bash-1234       sp. system_call_entry number=read ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "context.h"
#include "etypes.h"
#include "field.h"
#include "format.h"
#include "lib/base/put.h"
#include "out.h"

#define WIDE 120 /* a terminal with at least this many columns gets the same layout as a file */

/* Width of each column in characters. @digits: number of digits of the fraction of a second. */
struct format_layout {
	uint8_t time;
	uint8_t digits;
	uint8_t process;
	bool narrow; /* no brackets around the CPU, no padding before the arguments */
	const char *header;
};

static const struct format_layout wide = {
	.time = 18,
	.digits = 9,
	.process = 25,
	.header = "cpu   process-thread            flg event                 arguments\n",
};

static const struct format_layout narrow = {
	.time = 15,
	.digits = 6,
	.process = 15,
	.narrow = true,
	.header = "cpu process-thread  flg event arguments\n",
};

/**
 * lkst_format_init() - set up a formatter
 * @format: result
 * @out: output
 * @types: event types
 * @context: names and symbols of the kernel that recorded the events
 * @opt: options
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
	format->layout = opt->width && opt->width < WIDE ? &narrow : &wide;
}

/* Set the date, such as "Fri 2026-01-02, UTC" or "Fri 2026-01-02, UTC+01:00 (CET)". */
static void format_set_date(struct lkst_format *format, const struct tm *tm)
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

static void format_unknown_second(struct lkst_format *format)
{
	strcpy(format->clock_text, "??:??:??.");
	format->clock_len = (uint8_t)strlen(format->clock_text);
	strcpy(format->csv_date, "?,?,?,?,?");
	strcpy(format->date_text, "?");
	strcpy(format->json_date, "");
	strcpy(format->json_zone, "");
}

/* Prepare the strings that are the same for all events within a second. */
static void format_set_second(struct lkst_format *format, int64_t second)
{
	time_t t = (time_t)second;
	long minutes;
	struct tm tm;

	format->second_ns = (int64_t)((uint64_t)second * 1000000000u);
	format->valid = true;
	if (!(format->opt.time == LKST_TIME_UTC ? gmtime_r(&t, &tm) : localtime_r(&t, &tm)) ||
	    tm.tm_year > 9999) {
		format_unknown_second(format);
		return;
	}
	format->clock_len =
		(uint8_t)strftime(format->clock_text, sizeof(format->clock_text), "%H:%M:%S.", &tm);
	snprintf(format->csv_date, sizeof(format->csv_date), "%.3s,%.3s,%d,%02d:%02d:%02d,%d",
		 &"SunMonTueWedThuFriSat"[tm.tm_wday * 3],
		 &"JanFebMarAprMayJunJulAugSepOctNovDec"[tm.tm_mon * 3], tm.tm_mday, tm.tm_hour,
		 tm.tm_min, tm.tm_sec, tm.tm_year + 1900);
	strftime(format->json_date, sizeof(format->json_date), "%Y-%m-%dT", &tm);
	minutes = labs(tm.tm_gmtoff) / 60 % (100 * 60);
	snprintf(format->json_zone, sizeof(format->json_zone), "%c%02u:%02u",
		 tm.tm_gmtoff < 0 ? '-' : '+', (unsigned int)minutes / 60 % 100,
		 (unsigned int)minutes % 60);
	format_set_date(format, &tm);
}

/* Split a time into seconds since the epoch, rounded down, and nanoseconds. */
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

/* Slow path of format_set_time(): the time is not in the same second as the previous one. */
uint32_t format_next_second(struct lkst_format *format, int64_t time_ns)
{
	int64_t second;
	uint32_t ns = format_split_time(time_ns, &second);

	format_set_second(format, second);
	return ns;
}

static char *format_put_color(char *p, const struct lkst_format *format, const char *code)
{
	if (!format->opt.color || !code)
		return p;
	return put_char(put_text(put_text(p, "\033["), code), 'm');
}

static const char *format_color_of(uint32_t event_type)
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

/* Return the width of the time column. Raw times, in ns since the epoch, have 19 digits. */
static size_t format_time_width(const struct lkst_format *format)
{
	return format->opt.time == LKST_TIME_RAW ? 19 : format->layout->time;
}

/**
 * lkst_format_header() - write the line that names the columns
 * @format: formatter
 */
void lkst_format_header(struct lkst_format *format)
{
	char *from = out_room(format->out), *p;

	p = put_blanks(put_text(from, "# time"), from + format_time_width(format) + 1);
	out_end(format->out, put_text(p, format->layout->header));
}

/*
 * Write three characters and a space. The characters show the context, whether preemption is off,
 * and need_resched.
 */
static char *text_format_put_flags(char *p, uint32_t flags)
{
	/* Index: hardirq 1 + softirq 2 + NMI 4 + preemption off 8 + need_resched 16. */
	static const char text[] =
		"... h.. s.. H.. z.. z.. z.. z.. .p. hp. sp. Hp. zp. zp. zp. zp. "
		"..N h.N s.N H.N z.N z.N z.N z.N .pN hpN spN HpN zpN zpN zpN zpN ";

	_Static_assert(LKST_LOG_HARDIRQ == 1 << LKST_LOG_RECORD_SHIFT &&
			       LKST_LOG_SOFTIRQ == 2 << LKST_LOG_RECORD_SHIFT &&
			       LKST_LOG_NMI == 4 << LKST_LOG_RECORD_SHIFT &&
			       LKST_LOG_PREEMPT_OFF == 8 << LKST_LOG_RECORD_SHIFT &&
			       LKST_LOG_NEED_RESCHED == 16 << LKST_LOG_RECORD_SHIFT,
		       "the flags that have a letter");
	return put_bytes(p, text + 4 * (flags >> LKST_LOG_RECORD_SHIFT & 31), 4);
}

char *format_argument_number(char *p, unsigned int arg)
{
	return put_char(put_text(p, "arg"), (char)('1' + arg));
}

static char *format_put_unknown_arguments(char *p, const struct lkst_event *event)
{
	for (unsigned int i = 0; i < 4; i++) {
		p = put_char(format_argument_number(put_char(p, ' '), i), '=');
		p = put_hex(p, event->arg[i], 1);
	}
	return p;
}

static char *format_put_label(char *p, const struct lkst_event *event,
			      const struct lkst_field *field)
{
	if (field->format != LKST_FMT_REG || !field->label_len)
		return put_spared(p, field->prefix, field->prefix_len);
	return put_char(put_text(put_char(p, ' '), lkst_field_label(event, field)), '=');
}

static char *format_put_arguments(char *p, const struct lkst_format *format,
				  const struct lkst_event *event, const struct lkst_etype *type)
{
	struct field_view view = { .context = format->context, .event = event, .type = type };
	const struct lkst_field *end = type->field + type->fields;
	const char *file;

	for (const struct lkst_field *field = type->field; field < end; field++) {
		if (lkst_field_is_left_out(event, field, format->opt.verbose))
			continue;
		if (format->opt.width && !format->opt.verbose &&
		    lkst_field_is_repeated(&view, field))
			continue;
		p = lkst_put_field(format_put_label(p, event, field), &view, field);
		file = lkst_field_file(&view, field);
		if (file)
			p = put_char(put_quoted(put_char(p, '('), file), ')');
	}
	return p;
}

/* Write a duration in the largest unit that gives at least 1, rounded down to 3 digits. */
static char *format_put_duration(char *p, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (ns >= units[i].ns) {
			p = put_char(put_udec(p, ns / units[i].ns), '.');
			p = put_3_digits(p, (uint32_t)(ns % units[i].ns / (units[i].ns / 1000)));
			return put_text(p, units[i].unit);
		}
	return put_text(put_udec(p, ns), "ns");
}

static char *format_put_spans(char *p, const struct lkst_format *format)
{
	for (size_t i = 0; i < format->spans; i++) {
		const struct lkst_format_span *span = &format->span[i];

		p = put_text(put_char(p, ' '), span->name);
		p = format_put_duration(put_char(p, span->ended ? '=' : '>'), span->ns);
	}
	return p;
}

static char *format_put_rest(char *p, const struct lkst_event *event)
{
	p = put_udec(put_text(p, " | recid="), event->recid);
	p = put_text(p, " buffer=");
	if (event->buffer == LKST_BUFFER_ID_VOID)
		p = put_text(p, "static");
	else
		p = put_dec(p, event->buffer);
	p = put_udec(put_text(p, " pgrp="), event->pgrp);
	p = put_udec(put_text(p, " uid="), event->uid);
	p = put_udec(put_text(p, " gid="), event->gid);
	return event->clock ? put_udec(put_text(p, " clock="), event->clock) : p;
}

/* Write a name for an event type that has no description. lkst_etypes_find() accepts this name. */
char *format_unnamed(char *p, uint32_t type)
{
	return put_hex(lkst_etype_is_user(type) ? put_text(p, LKST_USER_PREFIX) : p, type, 3);
}

static char *format_put_name(char *p, const struct lkst_format *format,
			     const struct lkst_event *event, const struct lkst_etype *type)
{
	char *end = p + (format->layout->narrow ? 0 : LKST_NAME_WIDTH);

	if (type && format->layout->narrow)
		return put_text(p, type->name);
	if (type)
		return put_spared(p, type->prefixes, type->name_width);
	return put_blanks(format_unnamed(p, event->type), end);
}

static char *format_put_cpu(char *p, const struct lkst_format *format, int32_t cpu)
{
	if (format->layout->narrow) {
		p = put_blanks(p, p + (cpu < 10 ? 2 : cpu < 100));
		return put_char(put_dec(p, cpu), ' ');
	}
	p = put_char(p, '[');
	p = cpu >= 0 && cpu < 1000 ? put_3_digits(p, (uint32_t)cpu) : put_dec(p, cpu);
	return put_text(p, "] ");
}

/*
 * Prepare the strings for the second that contains @time_ns. Write a date line before the first
 * event, and whenever the date has changed since the previous event.
 */
static char *format_put_date(char *p, struct lkst_format *format, int64_t time_ns)
{
	char before[sizeof(format->date_text)];
	bool first = !format->valid;

	memcpy(before, format->date_text, sizeof(before));
	format_next_second(format, time_ns);
	if (!first && !strcmp(before, format->date_text))
		return p;
	return put_char(put_text(put_text(p, "# "), format->date_text), '\n');
}

/* Write the time of day, after a date line if needed. */
static char *format_put_clock(char *p, struct lkst_format *format, int64_t time_ns)
{
	uint32_t ns;

	if (!format_same_second(format, time_ns, &ns)) {
		p = format_put_date(p, format, time_ns);
		ns = format_set_time(format, time_ns);
	}
	p = format_put_color(p, format, "2");
	memcpy(p, format->clock_text, sizeof(format->clock_text));
	return put_9_digits(p + format->clock_len, ns) - (9 - format->layout->digits);
}

/* Write the difference between two times, for example "       -1.000000001". */
static char *format_put_seconds(char *p, const struct lkst_format *format, int64_t from_ns,
				int64_t to_ns)
{
	bool minus = to_ns < from_ns;
	uint64_t ns = minus ? (uint64_t)from_ns - (uint64_t)to_ns :
			      (uint64_t)to_ns - (uint64_t)from_ns;
	char text[32 + PUT_SPARE], *end = text;
	size_t len;

	if (minus)
		end = put_char(end, '-');
	end = put_char(put_udec(end, ns / 1000000000), '.');
	end = put_9_digits(end, (uint32_t)(ns % 1000000000));
	p = format_put_color(p, format, "2");
	len = (size_t)(end - text);
	if (len < format->layout->time)
		p = put_blanks(p, p + format->layout->time - len);
	return put_spared(p, text, len);
}

static char *text_format_put_time(char *p, struct lkst_format *format, int64_t time_ns)
{
	switch (format->opt.time) {
	case LKST_TIME_RELATIVE:
		p = format_put_seconds(p, format, format->opt.zero_ns, time_ns);
		break;
	case LKST_TIME_DELTA:
		p = format_put_seconds(p, format, format->any ? format->before_ns : time_ns,
				       time_ns);
		break;
	case LKST_TIME_RAW:
		p = put_dec(format_put_color(p, format, "2"), time_ns);
		break;
	default:
		p = format_put_clock(p, format, time_ns);
	}
	format->any = true;
	format->before_ns = time_ns;
	return format_put_color(p, format, "0");
}

static char *text_format_put_thread(char *p, const struct lkst_format *format,
				    const struct lkst_event *event)
{
	char *end = p + format->layout->process;

	p = lkst_put_process(p, format->context->names, event->tid, event->cpu, event->time_ns);
	if (event->tgid != event->tid)
		p = put_udec(put_char(p, '/'), event->tgid);
	return put_blanks(p, end);
}

/* Count the columns of a string. Its only control characters are in sequences that set colours. */
static size_t format_columns_of(const char *p, const char *end)
{
	size_t columns = 0;

	while (p < end) {
		if (*p == '\033')
			p = memchr(p, 'm', (size_t)(end - p));
		else if (((unsigned char)*p & 0xc0) != 0x80)
			columns++;
		p++;
	}
	return columns;
}

/*
 * Return the end of the argument after the space at @p. A space in quotes is part of an argument.
 */
static const char *format_argument_end(const char *p, const char *end)
{
	bool quoted = false;

	for (p++; p < end && (quoted || *p != ' '); p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (*p == '\\' && quoted)
			p++;
	}
	return p < end ? p : end;
}

/* Return the column in which the second and later lines of an event start. */
static size_t format_indent_of(const struct lkst_format *format)
{
	const struct format_layout *layout = format->layout;
	size_t flags =
		format_time_width(format) + 1 + (layout->narrow ? 4 : 6) + layout->process + 1;

	return flags + 4 + (layout->narrow ? 0 : LKST_NAME_WIDTH + 1);
}

/*
 * Return the column in which an argument of @columns characters starts on its own line: @indent, or
 * less if it does not fit there.
 */
static size_t text_format_begin_of(size_t columns, size_t indent, size_t width)
{
	if (indent + columns <= width)
		return indent;
	return columns < width ? width - columns : 0;
}

/* Break the line before each argument that does not fit on it. An argument is never divided. */
static char *text_format_wrap(const struct lkst_format *format, const char *line, char *arguments,
			      char *p)
{
	const size_t indent = format_indent_of(format), len = (size_t)(p - arguments);
	size_t column = format_columns_of(*line == '#' ? strchr(line, '\n') + 1 : line, arguments);
	char text[OUT_ROOM];
	const char *at = text, *end = text + len, *next;

	memcpy(text, arguments, len);
	for (p = arguments; at < end; at = next) {
		size_t columns;

		next = format_argument_end(at, end);
		columns = format_columns_of(at, next);
		if (column + columns > format->opt.width && column > indent) {
			at++;
			columns--;
			column = text_format_begin_of(columns, indent, format->opt.width);
			memset(put_char(p, '\n'), ' ', column);
			p += 1 + column;
		}
		p = put_bytes(p, at, (size_t)(next - at));
		column += columns;
	}
	return p;
}

/**
 * lkst_format_event() - format an event as a human-readable line
 * @format: formatter
 * @event: event
 */
void lkst_format_event(struct lkst_format *format, const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(format->types, event->type);
	const char *color = format_color_of(event->type);
	char *line = out_room(format->out), *p, *arguments;

	p = put_char(text_format_put_time(line, format, event->time_ns), ' ');
	p = format_put_cpu(p, format, event->cpu);
	p = put_char(text_format_put_thread(p, format, event), ' ');
	p = text_format_put_flags(p, event->flags);
	p = format_put_name(format_put_color(p, format, color), format, event, type);
	if (color)
		p = format_put_color(p, format, "0");
	arguments = p;
	p = type ? format_put_arguments(p, format, event, type) :
		   format_put_unknown_arguments(p, event);
	if (type && lkst_is_cut(event, type))
		p = put_text(p, " [cut]");
	p = format_put_spans(p, format);
	if (format->opt.verbose)
		p = format_put_rest(p, event);
	if (format->opt.width)
		p = text_format_wrap(format, line, arguments, p);
	out_end(format->out, put_char(p, '\n'));
}
