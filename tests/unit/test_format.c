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

	csv = true;
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
	csv = false;
}
END_TEST

START_TEST(test_csv_quotes)
{
	struct lkst_event event = event_of(0x100, 1, 0, 0, 0);

	format_use_types("0x100 M UNDEF - present \"a, \\\"b\\\"\" \"x y\" \"\" \"\" \"\"\n");
	csv = opt.epoch = true;
	ck_assert_str_eq(format_events(&event, 1, false),
			 "\"a, \"\"b\"\"\",1,100,1767323045,123456,x y,0x00000001,0x00000000\n");
	csv = opt.epoch = false;
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
	lkst_format_init(&format, &out, types, &context, &opt);
	opt.verbose = false;
	for (int i = 0; i < 2000; i++) {
		lkst_format_event(&format, &event);
		lkst_format_csv(&format, &event);
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
	tcase_add_test(tc, test_line);
	tcase_add_loop_test(tc, test_flags, 0, 7);
	tcase_add_test(tc, test_dates);
	tcase_add_loop_test(tc, test_odd_times, 0, 4);
	tcase_add_test(tc, test_unknown_thread);
	tcase_add_test(tc, test_verbose);
	tcase_add_test(tc, test_csv);
	tcase_add_test(tc, test_csv_quotes);
	tcase_add_test(tc, test_color);
	tcase_add_loop_test(tc, test_long_lines, 0, 10);
	tcase_add_test(tc, test_full_disk);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
