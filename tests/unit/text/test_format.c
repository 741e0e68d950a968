// SPDX-License-Identifier: GPL-2.0
/* Formatting events as lines, CSV and JSON. */
#include <time.h>

#include "format_case.h"
#include "lib/text/names.h"
#include "lib/text/out.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "sample.h"
#include "tap.h"

TESTS(.setup = format_setup, .teardown = format_teardown);

static struct lkst_event trc_start(void)
{
	return event_of(LKST_ETYPE_LKST_TRC_START, 2, 0, 0, 0);
}

TEST(test_line)
{
	struct lkst_event event = trc_start();

	ck_assert_str_eq(format_line(event),
			 "03:04:05.123456789 [001] bash-100                  ... "
			 "lkst_trc_start        maskset=2\n");
	event.tgid = 90;
	event.flags = LKST_LOG_HARDIRQ | LKST_LOG_PREEMPT_OFF | LKST_LOG_NEED_RESCHED;
	event.cpu = 1000;
	ck_assert_str_eq(format_line(event),
			 "03:04:05.123456789 [1000] bash-100/90               hpN "
			 "lkst_trc_start        maskset=2\n");
}

#define INDENT "                                        "

/* Events, and their lines wrapped at 80 columns. */
static const struct {
	uint32_t type;
	uint64_t arg1, arg2;
	const char *text3, *text4;
	const char *lines;
} lines80[] = {
	{ 0x001, PACK(100, 'R'), PACK(101, 120), "bash", "my prog",
	  "process_contextswitch prev=bash-100\n" INDENT "prev_state=R next=my prog-101\n" INDENT
	  "next_prio=120\n" },
	/*
	 * The event holds only 8 bytes of each name. prev_name is not printed, because the full
	 * name of thread 102 begins with these bytes. next_name is printed, because thread 100 is
	 * called "bash" in the context.
	 */
	{ 0x001, PACK(102, 'S'), PACK(100, 120), "along-g1", "sh",
	  "process_contextswitch\n" INDENT "prev=along-g1-and-mo-102 prev_state=S\n" INDENT
	  "next=bash-100 next_prio=120 next_name=sh\n" },
	{ 0x001, PACK(0, 'R'), PACK(55, 120), "swapper/", "sh",
	  "process_contextswitch prev=swapper/1-0\n" INDENT
	  "prev_state=R next=<55> next_prio=120\n" INDENT "next_name=sh\n" },
	{ 0x002, PACK(100, 120), PACK(1, 0), "bash", "",
	  "process_wakeup thread=bash-100 prio=120\n" INDENT "target_cpu=1 new=0\n" },
	{ 0x0ff, 1, 2, "", "", "0x0ff arg1=0x1 arg2=0x2 arg3=0x0\n" INDENT "arg4=0x0\n" },
};

static const char *without_color(const char *text)
{
	static char plain[4096];
	char *p = plain;

	for (; *text; text++) {
		if (*text == '\033')
			text = strchr(text, 'm');
		else
			*p++ = *text;
	}
	*p = 0;
	return plain;
}

TEST_EACH(test_terminal, lines80)
{
	struct lkst_event event = event_of(lines80[_i].type, lines80[_i].arg1, lines80[_i].arg2,
					   text8(lines80[_i].text3), text8(lines80[_i].text4));
	char expected[512];

	lkst_names_at_end(context.names, 102, "along-g1-and-more");
	snprintf(expected, sizeof(expected), "03:04:05.123456   1 bash-100        ... %s",
		 lines80[_i].lines);
	opt.width = 80;
	ck_assert_str_eq(format_line(event), expected);
	opt.color = true;
	ck_assert_str_eq(without_color(format_line(event)), expected);
}

TEST(test_terminal_is_wide)
{
	struct lkst_event event = event_of(0x002, PACK(100, 120), PACK(1, 0), 0x68736162, 0);

	opt.width = 120;
	ck_assert_str_eq(format_line(event),
			 "03:04:05.123456789 [001] bash-100                  ... "
			 "process_wakeup        thread=bash-100 prio=120 target_cpu=1 new=0\n");
	opt.verbose = true;
	assert_contains(format_line(event), " new=0\n" INDENT
			"                                     name=bash | recid=42 ");
}

/*
 * A line never breaks within an argument, even if the argument contains spaces or is wider than the
 * line.
 */
TEST(test_terminal_words)
{
	struct lkst_event event = event_of(0x100, 0x1111111111111111, text8("a \"b c d "),
					   text8(" e f g h"), text8(" i j k l"));

	format_use_types(
		"0x100 M U - present \"m\" \"first_number:hex\" \"t:text\" \"t:text\" \"t:text\"\n");
	opt.width = 80;
	ck_assert_str_eq(format_line(event),
			 "03:04:05.123456   1 bash-100        ... m first_number=0x1111111111111111\n"
			 INDENT "t=\"a \\\"b c d e f g h i j k l\"\n");
	opt.width = 45;
	ck_assert_str_eq(format_line(event), "03:04:05.123456   1 bash-100        ... m\n"
					     "              first_number=0x1111111111111111\n"
					     "                t=\"a \\\"b c d e f g h i j k l\"\n");
}

/*
 * Time styles, and the expected time columns of two events. The first event is 1 s after the zero
 * time, and printed in 80 columns (narrow). The second one is 1.5 s later, and printed without a
 * limit on the width (wide).
 */
static const struct { enum lkst_time_style style; const char *narrow, *wide; } styles[] = {
	{ LKST_TIME_LOCAL, "03:04:05.123456   1 ", "03:04:06.623456789 [" },
	{ LKST_TIME_UTC, "03:04:05.123456   1 ", "03:04:06.623456789 [" },
	{ LKST_TIME_RELATIVE, "    1.000000000   1 ", "       2.500000000 [" },
	{ LKST_TIME_DELTA, "    0.000000000   1 ", "       1.500000000 [" },
	{ LKST_TIME_RAW, "1767323045123456789   1 ", "1767323046623456789 [" },
};

static const char *second_line(const struct lkst_event event[2])
{
	return strchr(format_events(event, 2, false), '\n') + 1;
}

TEST_EACH(test_time_styles, styles)
{
	struct lkst_event event[2] = { event_of(0x123, 1, 2, 3, 4), event_of(0x123, 1, 2, 3, 4) };

	event[1].time_ns += 1500000000;
	opt.time = styles[_i].style;
	opt.zero_ns = event[0].time_ns - 1000000000;
	assert_begins(second_line(event), styles[_i].wide);
	/* Now the second event is 1.5 s before the first one. */
	event[1].time_ns -= 3000000000;
	if (opt.time == LKST_TIME_DELTA)
		assert_begins(second_line(event), "      -1.500000000 [");
	opt.width = 80;
	assert_begins(format_line(event[0]), styles[_i].narrow);
}

static const struct { uint32_t flags; const char *text; } flags[] = {
	{ 0, " ... " },
	{ LKST_LOG_SOFTIRQ, " s.. " },
	{ LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT, " h.. " },
	{ LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ, " H.. " },
	{ LKST_LOG_NMI | LKST_LOG_HARDIRQ, " z.. " },
	{ LKST_LOG_PREEMPT_OFF, " .p. " },
	{ LKST_LOG_NEED_RESCHED, " ..N " },
};

TEST_EACH(test_flags, flags)
{
	struct lkst_event event = trc_start();

	event.flags = flags[_i].flags;
	assert_contains(format_line(event), flags[_i].text);
}

TEST(test_dates)
{
	struct lkst_event event[] = { trc_start(), trc_start(), trc_start() };

	event[2].time_ns += 86400ll * 1000000000;
#define LINE                                                   \
	"03:04:05.123456789 [001] bash-100                  ... " \
	"lkst_trc_start        maskset=2\n"
	ck_assert_str_eq(format_events(event, 3, true), "# Fri 2026-01-02, UTC\n" LINE LINE
							"# Sat 2026-01-03, UTC\n" LINE);
	setenv("TZ", "XYZ-5:30", 1);
	tzset();
	assert_begins(format_events(event, 1, true),
		      "# Fri 2026-01-02, UTC+05:30 (XYZ)\n08:34:05.123456789 ");
	setenv("TZ", "UTC", 1);
	tzset();
}

static const struct { int64_t ns; const char *line; } odd_times[] = {
	{ 0, "# Thu 1970-01-01, UTC\n00:00:00.000000000 " },
	{ -1, "# Wed 1969-12-31, UTC\n23:59:59.999999999 " },
	{ INT64_MIN, "# " },
	{ INT64_MAX, "# " },
};

TEST_EACH(test_odd_times, odd_times)
{
	struct lkst_event event = trc_start();

	event.time_ns = odd_times[_i].ns;
	assert_begins(format_events(&event, 1, true), odd_times[_i].line);
	assert_contains(format_events(&event, 1, true), "maskset=2");
}

TEST(test_unknown_thread)
{
	struct lkst_event event = trc_start();

	event.tid = event.tgid = 55;
	assert_contains(format_line(event), "[001] <55>  ");
	event.tid = event.tgid = 0;
	assert_contains(format_line(event), "[001] swapper/1-0  ");
}

TEST(test_verbose)
{
	ck_assert_str_eq(format_arguments(event_of(0x012, 1, 0, 5, 0)), "vector=TIMER");
	opt.verbose = true;
	ck_assert_str_eq(format_arguments(event_of(0x030, 0, 3, 0, 0)),
			 "number=read abi=native arg1=0x3 arg2=0x0 arg3=0x0"
			 " | recid=42 buffer=0 pgrp=99 uid=1000 gid=10");
	ck_assert_str_eq(format_arguments(event_of(0x012, 1, 0, 5, 0)),
			 "vector=TIMER arg2=0x0 arg3=0x5 arg4=0x0"
			 " | recid=42 buffer=0 pgrp=99 uid=1000 gid=10");
}

TEST(test_csv)
{
	struct lkst_event event = event_of(0x031, pack(1, 0), U(-2), 0, 0);

#define CALL   "number:abi,0x00000000,0x00000001,result,0xfffffffe,0xffffffff"
#define OTHERS "arg3,0x00000000,0x00000000,arg4,0x00000000,0x00000000\n"
	form = lkst_format_csv;
	event.tgid = 90;
	ck_assert_str_eq(format_line(event),
			 "system_call_exit,1,90,Fri,Jan,2,03:04:05,2026," CALL "\n");
	opt.epoch = true;
	ck_assert_str_eq(format_line(event), "system_call_exit,1,90,1767323045,123456," CALL "\n");
	opt.verbose = true;
	ck_assert_str_eq(format_line(event),
			 "system_call_exit,1,90,1767323045,123456," CALL "," OTHERS);
	opt.verbose = false;
	event.type = 0x2ab;
	ck_assert_str_eq(format_line(event),
			 "0x2ab,1,90,1767323045,123456,arg1,0x00000000,0x00000001,"
			 "arg2,0xfffffffe,0xffffffff," OTHERS);
}

TEST(test_csv_quotes)
{
	struct lkst_event event = event_of(0x100, 1, 0, 0, 0);

	format_use_types("0x100 M UNDEF - present \"a, \\\"b\\\"\" \"x y\" \"\" \"\" \"\"\n");
	form = lkst_format_csv;
	opt.epoch = true;
	ck_assert_str_eq(format_line(event),
			 "\"a, \"\"b\"\"\",1,100,1767323045,123456,x y,0x00000001,0x00000000\n");
}

/* The description of an argument, its value, and its members in the JSON object. */
static const struct { const char *described; uint64_t arg; const char *json; } values[] = {
	{ "n:dec", U(-5), "\"n\":-5" }, { "n:udec", UINT64_MAX, "\"n\":18446744073709551615" },
	{ "n:dec,m:dec", PACK(1, -1), "\"n\":1,\"m\":-1" },
	{ "n:cpu,m:mset", PACK(3, 4), "\"n\":3,\"m\":4" },
	{ "n:sec,m:nsec", PACK(5, 6), "\"n\":5,\"m\":6" }, { "r:err", 0, "\"r\":0" },
	{ "r:err", U(-2), "\"r\":\"-ENOENT\"" }, { "r:err", 1ull << 40, "\"r\":\"0x10000000000\"" },
	{ "n:sys,a:abi", PACK(1, 0), "\"n\":\"write\"" },
	{ "n:sys,a:abi", PACK(9999, 0), "\"n\":9999" }, { "s:sig", 9, "\"s\":\"SIGKILL\"" },
	{ "s:sig", 200, "\"s\":200" }, { "t:trap", 200, "\"t\":200" },
	{ "l:level", 99, "\"l\":99" }, { "b:buf,m:dec", PACK(7, 0), "\"b\":7,\"m\":0" },
	{ "b:buf,m:dec", PACK(LKST_BUFFER_ID_VOID, 0), "\"b\":null,\"m\":0" },
	{ "i:irq", 24, "\"i\":24,\"i_name\":\"17\"" }, { "i:irq", 25, "\"i\":25" },
	{ "v:vec", 3, "\"v\":\"18\"" }, { "v:vec", 4, "\"v\":4" },
	{ "d:dev", 8 << 20 | 1, "\"d\":\"8:1\"" }, { "x:hex", 16, "\"x\":\"0x10\"" },
	{ "p:ptr", 16, "\"p\":\"0x10\"" }, { "f:sym", 16, "\"f\":\"0x10\"" },
	{ "e:evh", 16, "\"e\":\"0x10\"" },
	{ "t:tid,m:dec", PACK(100, 0), "\"t\":\"bash-100\",\"m\":0" },
	{ "t:tid,m:dec", PACK(55, 0), "\"t\":\"<55>\",\"m\":0" },
	{ "w:wstatus", 256, "\"w\":\"exit(1)\"" }, { "n:text", 0x3231, "\"n\":\"12\"" },
	/* a"b, and a byte that is not UTF-8. test_put.c tests all kinds of bytes. */
	{ "n:text", 0xff622261, "\"n\":\"a\\\"b\\ufffd\"" },
};

TEST_EACH(test_json_values, values)
{
	static const char named[] = LKST_VALUES_HEADER "\nirq enum 0x18 17\nvec enum 0x3 18\n";
	struct lkst_event event = event_of(0x100, values[_i].arg, 0, 0, 0);
	char text[128], expected[128];

	context.values = lkst_values_parse(named, strlen(named), "values", &err);
	assert_made(context.values);
	snprintf(text, sizeof(text), "0x100 T - - present \"t\" \"%s\" \"\" \"\" \"\"\n",
		 values[_i].described);
	format_use_types(text);
	form = lkst_format_json;
	snprintf(expected, sizeof(expected), "\"fields\":{%s}}\n", values[_i].json);
	assert_contains(format_line(event), expected);
}

/*
 * The object of "fields" alone, for an event with fields, for one without fields, and for one of an
 * unknown type.
 */
TEST(test_json_fields)
{
	const struct lkst_format_options options = { .verbose = true };
	struct lkst_event event = event_of(0x100, 7, 8, 0, 0);
	struct lkst_format format;
	struct lkst_out out;

	format_use_types("0x100 T - - present \"t\" \"one:dec\" \"two:hex\" \"\" \"\"\n"
			 "0x101 U - - present \"u\" \"\" \"\" \"\" \"\"\n");
	assert_ok(lkst_out_open(&out, -1, &err));
	lkst_format_init(&format, &out, types, &context, &options);
	ck_assert(lkst_format_json_fields(&format, &event));
	out.buf[out.len] = 0;
	ck_assert_str_eq(out.buf, "{\"one\":7,\"two\":\"0x8\"}");
	event.type = 0x101;
	out.len = 0;
	ck_assert(lkst_format_json_fields(&format, &event));
	out.buf[out.len] = 0;
	ck_assert_str_eq(out.buf, "{}");
	event.type = 0x102;
	ck_assert(!lkst_format_json_fields(&format, &event));
	lkst_out_close(&out);
}

static const struct { uint64_t ns; const char *text; } durations[] = {
	{ 0, "0ns" }, { 999, "999ns" }, { 1000, "1.000us" }, { 1999, "1.999us" },
	{ 999999, "999.999us" }, { 1000000, "1.000ms" }, { 12345678, "12.345ms" },
	{ 999999999, "999.999ms" }, { 1000000000, "1.000s" }, { 90000999999, "90.000s" },
	{ UINT64_MAX, "18446744073.709s" },
};

TEST_EACH(test_duration, durations)
{
	struct lkst_event event = event_of(LKST_ETYPE_INT_SOFTIRQ_EXIT, 3, 0, 0, 0);
	char expected[256];

	spans[0] = (struct lkst_format_span){ "took", durations[_i].ns, true };
	spans[1] = (struct lkst_format_span){ "prev_sleep", durations[_i].ns, false };
	spans_num = 2;
	snprintf(expected, sizeof(expected), " vector=NET_RX took=%s prev_sleep>%s\n",
		 durations[_i].text, durations[_i].text);
	assert_contains(format_line(event), expected);
	form = lkst_format_json;
	snprintf(expected, sizeof(expected),
		 "},\"spans\":[{\"name\":\"took\",\"ns\":%llu,\"ended\":true},"
		 "{\"name\":\"prev_sleep\",\"ns\":%llu,\"ended\":false}]}\n",
		 (unsigned long long)durations[_i].ns, (unsigned long long)durations[_i].ns);
	assert_contains(format_line(event), expected);
}

TEST(test_json_event)
{
	struct lkst_event event = event_of(0x030, 3ull << 32, 1, 2, UINT64_MAX);

	form = lkst_format_json;
	event.flags = LKST_LOG_SOFTIRQ | LKST_LOG_NMI | LKST_LOG_NEED_RESCHED;
	event.buffer = LKST_BUFFER_ID_VOID;
	event.clock = UINT64_MAX;
	event.tid = 5;
	ck_assert_str_eq(
		format_line(event),
		"{\"time\":\"2026-01-02T03:04:05.123456789+00:00\",\"time_ns\":1767323045123456789,"
		"\"clock\":18446744073709551615,\"cpu\":1,\"buffer\":null,\"recid\":42,"
		"\"event_type\":48,\"event_name\":\"system_call_entry\",\"thread\":5,\"name\":null,"
		"\"pid\":100,\"pgrp\":99,\"uid\":1000,\"gid\":10,"
		"\"flags\":[\"softirq\",\"nmi\",\"need_resched\"],"
		"\"arg\":[12884901888,1,2,18446744073709551615],"
		"\"fields\":{\"number\":\"close\",\"arg1\":\"0x1\",\"arg2\":\"0x2\","
		"\"arg3\":\"0xffffffffffffffff\"}}\n");
	event.tid = 0;
	assert_contains(format_line(event), "\"thread\":0,\"name\":\"swapper/1\"");
}

static const struct { uint32_t type; const char *line, *csv, *json; } unnamed[] = {
	{ 0x0ff, " 0x0ff ", "0x0ff,", "\"event_name\":null," },
	{ 0x100, " user_0x100 ", "user_0x100,", "\"event_name\":\"user_0x100\"," },
	{ 0x1ff, " user_0x1ff ", "user_0x1ff,", "\"event_name\":\"user_0x1ff\"," },
	{ 0x200, " 0x200 ", "0x200,", "\"event_name\":null," },
};

TEST_EACH(test_unnamed, unnamed)
{
	struct lkst_event event = event_of(unnamed[_i].type, 1, 2, 3, 4);

	assert_contains(format_line(event), unnamed[_i].line);
	form = lkst_format_csv;
	assert_begins(format_line(event), unnamed[_i].csv);
	form = lkst_format_json;
	assert_contains(format_line(event), unnamed[_i].json);
}

TEST(test_color)
{
	struct lkst_event event = event_of(0x030, 0, 0, 0, 0);

	ck_assert_ptr_null(strchr(format_line(event), '\033'));
	opt.color = true;
	assert_contains(format_line(event), "\033[36msystem_call_entry");
}

/*
 * Format @event with a name and labels of the maximum length. @fmt ends the description of each
 * argument. The lines must fit into the room that out_room() guarantees.
 */
static void format_long(const char *fmt, struct lkst_event event)
{
	char text[4096], arg[256], name[256];
	struct lkst_format format;
	struct lkst_out out;
	FILE *null = fopen("/dev/null", "w");
	int label = 255 - (int)strlen(fmt);

	memset(arg, 'a', sizeof(arg));
	memset(name, '\'', 255);
	name[255] = 0;
	snprintf(text, sizeof(text),
		 "0x100 M UNDEF - present \"%s\" \"%.*s%s\" \"%.*s%s\" \"%.*s%s\" \"%.*s%s\"\n",
		 name, label, arg, fmt, label, arg, fmt, label, arg, fmt, label, arg, fmt);
	format_use_types(text);
	ck_assert_int_eq(lkst_out_open(&out, fileno(null), &err), 0);
	opt.verbose = true;
	opt.width = 80;
	lkst_format_init(&format, &out, types, &context, &opt);
	for (int i = 0; i < 2000; i++) {
		lkst_format_event(&format, &event);
		lkst_format_csv(&format, &event);
		/* lkst_format_json() makes room as needed and is slow, so format fewer lines. */
		if (i % 20 == 0)
			lkst_format_json(&format, &event);
	}
	ck_assert_int_eq(lkst_out_flush(&out), 0);
	lkst_out_close(&out);
	fclose(null);
}

TEST_LOOP(test_long_lines, 10)
{
	static const char *const formats[] = {
		"", ",,", ":text", ":gfp", ":gfp,b:gfp", ":gfp,", ":sym", ":clone", ":reg", ":irq",
	};
	char text[64 * 100], *p = text;

	/* Give each bit, and the function at each address, the longest possible name. */
	p += sprintf(p, LKST_VALUES_HEADER "\n");
	for (int i = 0; i < 64; i++)
		p += sprintf(p, "gfp flags 0x%llx %062d\n", 1ull << i, i);
	p += sprintf(p, "irq enum 0xffffffffffffffff %063d\n", 0);
	context.values = lkst_values_parse(text, strlen(text), "values", &err);
	assert_made(context.values);
	snprintf(text, sizeof(text), "# lkst_symbols 1\n1 ffffffffffffffff %0511d [%063d]\n", 1, 2);
	context.symbols = lkst_symbols_parse(text, strlen(text), "symbols", &err);
	assert_made(context.symbols);

	format_long(formats[_i], event_of(0x100, U(-1), U(-1), U(-1), U(-1)));
	format_long(formats[_i], event_of(0x100, U(-2), U(-2), U(-2), U(-2)));
}
