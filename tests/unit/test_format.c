// SPDX-License-Identifier: GPL-2.0
/* Formatting: the text line, CSV. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "lib/liblkst.h"
#include "format_case.h"
#include "sample.h"
#include "tap.h"

#define PACK(high, low) (U(high) << 32 | (uint32_t)(low))

START_TEST(test_line)
{
	struct lkst_event event = event_of(LKST_ETYPE_LKST_TRC_START, 2, 0, 0, 0);

	ck_assert_str_eq(format_events(&event, 1, false),
			 "03:04:05.123456789 [001] bash-100                  ... "
			 "lkst_trc_start        maskset=2\n");
	event.tgid = 90;
	event.flags = LKST_LOG_HARDIRQ | LKST_LOG_PREEMPT_OFF | LKST_LOG_NEED_RESCHED;
	event.cpu = 1000;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "03:04:05.123456789 [1000] bash-100/90               hpN "
			 "lkst_trc_start        maskset=2\n");
}
END_TEST

#define INDENT "                                        "

/* On a terminal: what an event's lines are at 80 columns. */
static const struct {
	uint32_t type;
	uint64_t arg1, arg2;
	const char *text3, *text4;
	const char *lines;
} lines80[] = {
	{ 0x001, PACK(100, 'R'), PACK(101, 120), "bash", "my prog",
	  "process_contextswitch prev=bash-100\n" INDENT "prev_state=R next=my prog-101\n" INDENT
	  "next_prio=120\n" },
	/* Of a name that fills its argument the rest is not known; another name is another one. */
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

START_TEST(test_terminal)
{
	struct lkst_event event = event_of(lines80[_i].type, lines80[_i].arg1, lines80[_i].arg2,
					   text8(lines80[_i].text3), text8(lines80[_i].text4));
	char wanted[512];

	lkst_names_at_end(context.names, 102, "along-g1-and-more");
	snprintf(wanted, sizeof(wanted), "03:04:05.123456   1 bash-100        ... %s",
		 lines80[_i].lines);
	opt.width = 80;
	ck_assert_str_eq(format_events(&event, 1, false), wanted);
	opt.color = true;
	ck_assert_str_eq(without_color(format_events(&event, 1, false)), wanted);
	opt.color = false;
	opt.width = 0;
}
END_TEST

START_TEST(test_terminal_is_wide)
{
	struct lkst_event event = event_of(0x002, PACK(100, 120), PACK(1, 0), 0x68736162, 0);

	opt.width = 120;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "03:04:05.123456789 [001] bash-100                  ... "
			 "process_wakeup        thread=bash-100 prio=120 target_cpu=1 new=0\n");
	opt.verbose = true;
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false),
				     " new=0\n" INDENT
				     "                                     name=bash | recid=42 "));
	opt.verbose = false;
	opt.width = 0;
}
END_TEST

/* An argument is not divided, neither at its blanks nor where no line has room for it. */
START_TEST(test_terminal_words)
{
	struct lkst_event event = event_of(0x100, 0x1111111111111111, text8("a \"b c d "),
					   text8(" e f g h"), text8(" i j k l"));

	format_use_types(
		"0x100 M U - present \"m\" \"first_number:hex\" \"t:text\" \"t:text\" \"t:text\"\n");
	opt.width = 80;
	ck_assert_str_eq(
		format_events(&event, 1, false),
		"03:04:05.123456   1 bash-100        ... m first_number=0x1111111111111111\n"
		"                                        t=\"a \\\"b c d e f g h i j k l\"\n");
	opt.width = 45;
	ck_assert_str_eq(
		format_events(&event, 1, false),
		"03:04:05.123456   1 bash-100        ... m\n"
		"              first_number=0x1111111111111111\n"
		"                t=\"a \\\"b c d e f g h i j k l\"\n");
	opt.width = 0;
}
END_TEST

static const struct {
	enum lkst_time_style style;
	const char *line;
} narrow_styles[] = {
	{ LKST_TIME_UTC, "03:04:05.123456   1 " },
	{ LKST_TIME_RELATIVE, "    1.000000000   1 " },
	{ LKST_TIME_DELTA, "    0.000000000   1 " },
	{ LKST_TIME_RAW, "1767323045123456789   1 " },
};

START_TEST(test_terminal_times)
{
	struct lkst_event event = event_of(LKST_ETYPE_LKST_TRC_START, 2, 0, 0, 0);
	const char *text;

	opt.width = 80;
	opt.time = narrow_styles[_i].style;
	opt.zero_ns = event.time_ns - 1000000000;
	text = format_events(&event, 1, false);
	ck_assert_msg(!strncmp(text, narrow_styles[_i].line, strlen(narrow_styles[_i].line)), "%s",
		      text);
	opt.time = LKST_TIME_LOCAL;
	opt.width = 0;
}
END_TEST

START_TEST(test_flags)
{
	static const struct {
		uint32_t flags;
		const char *text;
	} flags[] = {
		{ 0, " ... " },
		{ LKST_LOG_SOFTIRQ, " s.. " },
		{ LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT, " h.. " },
		{ LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ, " H.. " },
		{ LKST_LOG_NMI | LKST_LOG_HARDIRQ, " z.. " },
		{ LKST_LOG_PREEMPT_OFF, " .p. " },
		{ LKST_LOG_NEED_RESCHED, " ..N " },
	};
	struct lkst_event event = event_of(LKST_ETYPE_LKST_TRC_START, 2, 0, 0, 0);

	event.flags = flags[_i].flags;
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), flags[_i].text));
}
END_TEST

START_TEST(test_dates)
{
	struct lkst_event event[3];

	for (int i = 0; i < 3; i++)
		event[i] = event_of(LKST_ETYPE_LKST_TRC_START, 2, 0, 0, 0);
	event[2].time_ns += 86400ll * 1000000000;
	ck_assert_str_eq(
		format_events(event, 3, true),
		"# Fri 2026-01-02, UTC\n"
		"03:04:05.123456789 [001] bash-100                  ... lkst_trc_start        maskset=2\n"
		"03:04:05.123456789 [001] bash-100                  ... lkst_trc_start        maskset=2\n"
		"# Sat 2026-01-03, UTC\n"
		"03:04:05.123456789 [001] bash-100                  ... lkst_trc_start        maskset=2\n");
	setenv("TZ", "XYZ-5:30", 1);
	tzset();
	ck_assert_ptr_nonnull(strstr(format_events(event, 1, true),
				     "# Fri 2026-01-02, UTC+05:30 (XYZ)\n08:34:05.123456789 "));
	setenv("TZ", "UTC", 1);
	tzset();
}
END_TEST

START_TEST(test_odd_times)
{
	static const int64_t times[] = { 0, -1, INT64_MIN, INT64_MAX };
	struct lkst_event event = event_of(LKST_ETYPE_LKST_TRC_START, 2, 0, 0, 0);

	event.time_ns = times[_i];
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, true), "maskset=2"));
	if (!_i)
		ck_assert_ptr_nonnull(strstr(format_events(&event, 1, true),
					     "# Thu 1970-01-01, UTC\n00:00:00.000000000 "));
	if (_i == 1)
		ck_assert_ptr_nonnull(strstr(format_events(&event, 1, true),
					     "# Wed 1969-12-31, UTC\n23:59:59.999999999 "));
}
END_TEST

START_TEST(test_unknown_thread)
{
	struct lkst_event event = event_of(LKST_ETYPE_LKST_TRC_START, 2, 0, 0, 0);

	event.tid = event.tgid = 55;
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), "[001] <55>  "));
	event.tid = event.tgid = 0;
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), "[001] swapper/1-0  "));
}
END_TEST

START_TEST(test_verbose)
{
	opt.verbose = true;
	ck_assert_str_eq(format_arguments(event_of(0x030, 0, 3, 0, 0)),
			 "number=read abi=native arg1=0x3 arg2=0x0 arg3=0x0"
			 " | recid=42 buffer=0 pgrp=99 uid=1000 gid=10");
	ck_assert_str_eq(format_arguments(event_of(0x012, 1, 0, 5, 0)),
			 "vector=TIMER arg2=0x0 arg3=0x5 arg4=0x0"
			 " | recid=42 buffer=0 pgrp=99 uid=1000 gid=10");
	opt.verbose = false;
	ck_assert_str_eq(format_arguments(event_of(0x012, 1, 0, 5, 0)), "vector=TIMER");
}
END_TEST

START_TEST(test_csv)
{
	struct lkst_event event = event_of(0x031, pack(1, 0), U(-2), 0, 0);

	form = lkst_format_csv;
	event.tgid = 90;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "system_call_exit,1,90,Fri,Jan,2,03:04:05,2026,"
			 "number:abi,0x00000000,0x00000001,result,0xfffffffe,0xffffffff\n");
	opt.epoch = true;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "system_call_exit,1,90,1767323045,123456,"
			 "number:abi,0x00000000,0x00000001,result,0xfffffffe,0xffffffff\n");
	opt.verbose = true;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "system_call_exit,1,90,1767323045,123456,"
			 "number:abi,0x00000000,0x00000001,result,0xfffffffe,0xffffffff,"
			 "arg3,0x00000000,0x00000000,arg4,0x00000000,0x00000000\n");
	opt.verbose = false;
	event.type = 0x2ab;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "0x2ab,1,90,1767323045,123456,arg1,0x00000000,0x00000001,"
			 "arg2,0xfffffffe,0xffffffff,arg3,0x00000000,0x00000000,"
			 "arg4,0x00000000,0x00000000\n");
	opt.epoch = false;
	form = lkst_format_event;
}
END_TEST

START_TEST(test_csv_quotes)
{
	struct lkst_event event = event_of(0x100, 1, 0, 0, 0);

	format_use_types("0x100 M UNDEF - present \"a, \\\"b\\\"\" \"x y\" \"\" \"\" \"\"\n");
	form = lkst_format_csv;
	opt.epoch = true;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "\"a, \"\"b\"\"\",1,100,1767323045,123456,x y,0x00000001,0x00000000\n");
	form = lkst_format_event;
	opt.epoch = false;
}
END_TEST

/* Bytes of the argument, and the string of JSON that they become. */
static const struct {
	const char *bytes, *json;
} strings[] = {
	{ "plain", "plain" },
	{ "a b", "a b" },
	{ "a\"b", "a\\\"b" },
	{ "a\\b", "a\\\\b" },
	{ "a\tb\n", "a\\u0009b\\u000a" },
	{ "\x7f", "\\u007f" },
	{ "\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac" },
	{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	{ "a\xff"
	  "b",
	  "a\\ufffdb" },
	{ "\xc3", "\\ufffd" },
	{ "\xc3(", "\\ufffd(" },
	{ "\xe2\x82", "\\ufffd\\ufffd" },
	{ "\xc0\xaf", "\\ufffd\\ufffd" }, /* too long a form */
	{ "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" }, /* half of a character */
	{ "\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd" },
};

START_TEST(test_json)
{
	struct lkst_event event = event_of(0x100, text8(strings[_i].bytes), 0, 0, 0);
	char wanted[128];

	format_use_types("0x100 T - - present \"t\" \"name:text\" \"\" \"\" \"\"\n");
	form = lkst_format_json;
	snprintf(wanted, sizeof(wanted), "\"fields\":{\"name\":\"%s\"}}\n", strings[_i].json);
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), wanted));
	form = lkst_format_event;
}
END_TEST

/* What an argument is described as, its value, and the members that it becomes. */
static const struct {
	const char *described;
	uint64_t arg;
	const char *json;
} values[] = {
	{ "n:dec", U(-5), "\"n\":-5" },
	{ "n:udec", UINT64_MAX, "\"n\":18446744073709551615" },
	{ "n:dec,m:dec", PACK(1, -1), "\"n\":1,\"m\":-1" },
	{ "n:cpu,m:mset", PACK(3, 4), "\"n\":3,\"m\":4" },
	{ "n:sec,m:nsec", PACK(5, 6), "\"n\":5,\"m\":6" },
	{ "r:err", 0, "\"r\":0" },
	{ "r:err", U(-2), "\"r\":\"-ENOENT\"" },
	{ "r:err", 1ull << 40, "\"r\":\"0x10000000000\"" },
	{ "n:sys,a:abi", PACK(1, 0), "\"n\":\"write\"" },
	{ "n:sys,a:abi", PACK(9999, 0), "\"n\":9999" },
	{ "s:sig", 9, "\"s\":\"SIGKILL\"" },
	{ "s:sig", 200, "\"s\":200" },
	{ "t:trap", 200, "\"t\":200" },
	{ "l:level", 99, "\"l\":99" },
	{ "b:buf,m:dec", PACK(7, 0), "\"b\":7,\"m\":0" },
	{ "b:buf,m:dec", PACK(LKST_BUFFER_ID_VOID, 0), "\"b\":null,\"m\":0" },
	{ "i:irq", 24, "\"i\":24,\"i_name\":\"17\"" },
	{ "i:irq", 25, "\"i\":25" },
	{ "v:vec", 3, "\"v\":\"18\"" },
	{ "v:vec", 4, "\"v\":4" },
	{ "d:dev", 8 << 20 | 1, "\"d\":\"8:1\"" },
	{ "x:hex", 16, "\"x\":\"0x10\"" },
	{ "p:ptr", 16, "\"p\":\"0x10\"" },
	{ "f:sym", 16, "\"f\":\"0x10\"" },
	{ "e:evh", 16, "\"e\":\"0x10\"" },
	{ "t:tid,m:dec", PACK(100, 0), "\"t\":\"bash-100\",\"m\":0" },
	{ "t:tid,m:dec", PACK(55, 0), "\"t\":\"<55>\",\"m\":0" },
	{ "w:wstatus", 256, "\"w\":\"exit(1)\"" },
	{ "n:text", 0x3231, "\"n\":\"12\"" },
};

START_TEST(test_json_values)
{
	static const char named[] = LKST_VALUES_HEAD "\nirq enum 0x18 17\nvec enum 0x3 18\n";
	struct lkst_event event = event_of(0x100, values[_i].arg, 0, 0, 0);
	char text[128], wanted[128];
	struct lkst_error err;

	context.values = lkst_values_parse(named, strlen(named), "values", &err);
	ck_assert_msg(context.values != NULL, "%s", err.text);
	snprintf(text, sizeof(text), "0x100 T - - present \"t\" \"%s\" \"\" \"\" \"\"\n",
		 values[_i].described);
	format_use_types(text);
	form = lkst_format_json;
	snprintf(wanted, sizeof(wanted), "\"fields\":{%s}}\n", values[_i].json);
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), wanted));
	form = lkst_format_event;
}
END_TEST

START_TEST(test_json_event)
{
	struct lkst_event event = event_of(0x030, 3ull << 32, 1, 2, UINT64_MAX);

	form = lkst_format_json;
	event.flags = LKST_LOG_SOFTIRQ | LKST_LOG_NMI | LKST_LOG_NEED_RESCHED;
	event.buffer = LKST_BUFFER_ID_VOID;
	event.clock = UINT64_MAX;
	event.tid = 5;
	ck_assert_str_eq(
		format_events(&event, 1, false),
		"{\"time\":\"2026-01-02T03:04:05.123456789+00:00\",\"time_ns\":1767323045123456789,"
		"\"clock\":18446744073709551615,\"cpu\":1,\"buffer\":null,\"recid\":42,"
		"\"event_type\":48,\"event_name\":\"system_call_entry\",\"thread\":5,\"name\":null,"
		"\"pid\":100,\"pgrp\":99,\"uid\":1000,\"gid\":10,"
		"\"flags\":[\"softirq\",\"nmi\",\"need_resched\"],"
		"\"arg\":[12884901888,1,2,18446744073709551615],"
		"\"fields\":{\"number\":\"close\",\"arg1\":\"0x1\",\"arg2\":\"0x2\","
		"\"arg3\":\"0xffffffffffffffff\"}}\n");
	event.tid = 0;
	ck_assert_ptr_nonnull(
		strstr(format_events(&event, 1, false), "\"thread\":0,\"name\":\"swapper/1\""));
	form = lkst_format_event;
}
END_TEST

/* The column of the second event, 1.5 s after the first one. */
static const struct {
	enum lkst_time_style style;
	const char *time;
} styles[] = {
	{ LKST_TIME_LOCAL, "03:04:06.623456789 [" },	{ LKST_TIME_UTC, "03:04:06.623456789 [" },
	{ LKST_TIME_RELATIVE, "       2.500000000 [" }, { LKST_TIME_DELTA, "       1.500000000 [" },
	{ LKST_TIME_RAW, "1767323046623456789 [" },
};

START_TEST(test_time_styles)
{
	struct lkst_event event[2] = { event_of(0x123, 1, 2, 3, 4), event_of(0x123, 1, 2, 3, 4) };
	const char *text, *line;

	event[1].time_ns += 1500000000;
	opt.time = styles[_i].style;
	opt.zero_ns = event[0].time_ns - 1000000000;
	text = format_events(event, 2, false);
	line = strchr(text, '\n') + 1;
	ck_assert_msg(!strncmp(line, styles[_i].time, strlen(styles[_i].time)), "%s", line);
	/* The other way round */
	if (opt.time == LKST_TIME_DELTA) {
		event[1].time_ns -= 3000000000;
		line = strchr(format_events(event, 2, false), '\n') + 1;
		ck_assert_msg(!strncmp(line, "      -1.500000000 [", 20), "%s", line);
	}
	opt.time = LKST_TIME_LOCAL;
}
END_TEST

START_TEST(test_unnamed)
{
	static const struct {
		uint32_t type;
		const char *line, *csv, *json;
	} rows[] = {
		{ 0x0ff, " 0x0ff ", "0x0ff,", "\"event_name\":null," },
		{ 0x100, " user_0x100 ", "user_0x100,", "\"event_name\":\"user_0x100\"," },
		{ 0x1ff, " user_0x1ff ", "user_0x1ff,", "\"event_name\":\"user_0x1ff\"," },
		{ 0x200, " 0x200 ", "0x200,", "\"event_name\":null," },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct lkst_event event = event_of(rows[i].type, 1, 2, 3, 4);

		ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), rows[i].line));
		form = lkst_format_csv;
		ck_assert_int_eq(strncmp(format_events(&event, 1, false), rows[i].csv,
					 strlen(rows[i].csv)),
				 0);
		form = lkst_format_json;
		ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), rows[i].json));
		form = lkst_format_event;
	}
}
END_TEST

START_TEST(test_color)
{
	struct lkst_event event = event_of(0x030, 0, 0, 0, 0);

	ck_assert_ptr_null(strchr(format_events(&event, 1, false), '\033'));
	opt.color = true;
	ck_assert_ptr_nonnull(strstr(format_events(&event, 1, false), "\033[36msystem_call_entry"));
	opt.color = false;
}
END_TEST

/* The longest that a trace can say must fit into what out_room() gives. */
static void format_long(const char *fmt, struct lkst_event event)
{
	char text[4096], arg[256], name[256];
	struct lkst_format format;
	struct lkst_error err;
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
	opt.verbose = false;
	opt.width = 0;
	for (int i = 0; i < 2000; i++) {
		lkst_format_event(&format, &event);
		lkst_format_csv(&format, &event);
		/* It takes its time, and makes room for itself. */
		if (i % 20 == 0)
			lkst_format_json(&format, &event);
	}
	ck_assert_int_eq(lkst_out_flush(&out), 0);
	lkst_out_close(&out);
	fclose(null);
}

START_TEST(test_long_lines)
{
	static const char *const formats[] = {
		"", ",,", ":text", ":gfp", ":gfp,b:gfp", ":gfp,", ":sym", ":clone", ":reg", ":irq",
	};
	char text[64 * 100], *p = text;
	struct lkst_error err;

	/* Each bit has the longest name; so has the function at each address. */
	p += sprintf(p, LKST_VALUES_HEAD "\n");
	for (int i = 0; i < 64; i++)
		p += sprintf(p, "gfp flags 0x%llx %062d\n", 1ull << i, i);
	p += sprintf(p, "irq enum 0xffffffffffffffff %063d\n", 0);
	context.values = lkst_values_parse(text, strlen(text), "values", &err);
	ck_assert_msg(context.values != NULL, "%s", err.text);
	snprintf(text, sizeof(text), "# lkst_symbols 1\n1 ffffffffffffffff %0511d [%063d]\n", 1, 2);
	context.symbols = lkst_symbols_parse(text, strlen(text), "symbols", &err);
	ck_assert_msg(context.symbols != NULL, "%s", err.text);

	format_long(formats[_i], event_of(0x100, U(-1), U(-1), U(-1), U(-1)));
	format_long(formats[_i], event_of(0x100, U(-2), U(-2), U(-2), U(-2)));
}
END_TEST

START_TEST(test_full_disk)
{
	struct lkst_event event = event_of(0x100, 1, 2, 3, 4);
	struct lkst_format format;
	struct lkst_error err;
	struct lkst_out out;
	FILE *full = fopen("/dev/full", "w");

	ck_assert_int_eq(lkst_out_open(&out, fileno(full), &err), 0);
	lkst_format_init(&format, &out, types, &context, &opt);
	for (int i = 0; i < 10000; i++)
		lkst_format_event(&format, &event);
	ck_assert_int_eq(lkst_out_flush(&out), ENOSPC);
	lkst_out_close(&out);
	fclose(full);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("format");
	TCase *tc = tcase_create("format");

	tcase_add_checked_fixture(tc, format_setup, format_teardown);
	check_id(tc, test_line);
	tcase_add_loop_test(tc, test_terminal, 0, (int)(sizeof(lines80) / sizeof(*lines80)));
	check_id(tc, test_terminal_is_wide);
	check_id(tc, test_terminal_words);
	tcase_add_loop_test(tc, test_terminal_times, 0, 4);
	tcase_add_loop_test(tc, test_flags, 0, 7);
	check_id(tc, test_dates);
	tcase_add_loop_test(tc, test_odd_times, 0, 4);
	check_id(tc, test_unknown_thread);
	check_id(tc, test_verbose);
	check_id(tc, test_csv);
	check_id(tc, test_csv_quotes);
	tcase_add_loop_test(tc, test_json, 0, (int)(sizeof(strings) / sizeof(*strings)));
	tcase_add_loop_test(tc, test_json_values, 0, (int)(sizeof(values) / sizeof(*values)));
	check_id(tc, test_json_event);
	tcase_add_loop_test(tc, test_time_styles, 0, (int)(sizeof(styles) / sizeof(*styles)));
	check_id(tc, test_unnamed);
	check_id(tc, test_color);
	tcase_add_loop_test(tc, test_long_lines, 0, 10);
	check_id(tc, test_full_disk);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
