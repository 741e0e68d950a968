// SPDX-License-Identifier: GPL-2.0

#include "format_case.h"
#include "lib/text/names.h"
#include "lib/text/out.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "sample.h"
#include "tap.h"

struct lkst_etypes *types;
struct lkst_context context;
struct lkst_format_options opt;
struct lkst_format_span spans[LKST_FORMAT_SPANS_MAX];
size_t spans_num;
void (*form)(struct lkst_format *format, const struct lkst_event *event) = lkst_format_event;

void format_setup(void)
{
	struct lkst_error err;

	types = lkst_etypes_embedded(&err);
	context = (struct lkst_context){ .names = lkst_names_new() };
	lkst_names_at_end(context.names, 100, "bash");
	lkst_names_at_end(context.names, 101, "my prog");
	lkst_names_finalize(context.names);
}

void format_teardown(void)
{
	lkst_etypes_free(types);
	lkst_names_free(context.names);
	lkst_values_free(context.values);
	lkst_symbols_free(context.symbols);
	opt = (struct lkst_format_options){ 0 };
	spans_num = 0;
	form = lkst_format_event;
}

/* Make the formatter use the event types that @text lists. @text has no header line. */
void format_use_types(const char *text)
{
	lkst_etypes_free(types);
	types = etypes_of(text);
}

/* Return the lines of @num events. If @dates is false, leave out the date line at the start. */
const char *format_events(const struct lkst_event *event, size_t num, bool dates)
{
	static char text[64 * 1024];
	struct lkst_format format;
	struct lkst_error err;
	struct lkst_out out;
	int pipefd[2];
	ssize_t n;
	char *line;

	ck_assert_int_eq(pipe(pipefd), 0);
	ck_assert_int_eq(lkst_out_open(&out, pipefd[1], &err), 0);
	lkst_format_init(&format, &out, types, &context, &opt);
	memcpy(format.span, spans, sizeof(spans));
	format.spans = spans_num;
	for (size_t i = 0; i < num; i++)
		form(&format, &event[i]);
	ck_assert_int_eq(lkst_out_flush(&out), 0);
	lkst_out_close(&out);
	n = read(pipefd[0], text, sizeof(text) - 1);
	ck_assert_int_gt(n, 0);
	text[n] = 0;
	close(pipefd[0]);
	close(pipefd[1]);
	line = text;
	while (!dates && *line == '#')
		line = strchr(line, '\n') + 1;
	return line;
}

/* Return the line of an event, without the date line. */
const char *format_line(struct lkst_event event)
{
	return format_events(&event, 1, false);
}

struct lkst_event event_of(uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	return (struct lkst_event){
		.time_ns = SAMPLE_NS + 123456789, .recid = 42, .arg = { a1, a2, a3, a4 },
		.type = type, .tid = 100, .tgid = 100, .pgrp = 99, .uid = 1000, .gid = 10, .cpu = 1,
		.machine = LKST_MACHINE_X86_64, .nth = LKST_NTH_UNKNOWN,
	};
}

/* Return the text of an event's arguments, which is the end of its line. */
const char *format_arguments(struct lkst_event event)
{
	static char text[64 * 1024];
	const char *line = format_line(event);
	size_t prefix = strlen("03:04:05.123456789 [001] ") + 25 + strlen(" ... ") + 21;

	ck_assert_uint_gt(strlen(line), prefix);
	strcpy(text, line + prefix + (line[prefix] == ' '));
	text[strcspn(text, "\n")] = 0;
	return text;
}
