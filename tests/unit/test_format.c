// SPDX-License-Identifier: GPL-2.0
/* Formatting: each value format, the text line, CSV. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "lib/liblkst.h"
#include "sample.h"
#include "tap.h"

static struct lkst_etypes *types;
static struct lkst_context context;
static struct lkst_format_options opt;
static bool csv;

static void setup(void)
{
	struct lkst_error err;

	types = lkst_etypes_embedded(&err);
	context.names = lkst_names_new();
	lkst_names_at_end(context.names, 100, "bash");
	lkst_names_at_end(context.names, 101, "my prog");
	lkst_names_settle(context.names);
}

static void teardown(void)
{
	lkst_etypes_free(types);
	lkst_names_free(context.names);
}

/* The events as the formatter writes them, without the date line. */
static const char *format_events(const struct lkst_event *event, size_t num, bool dates)
{
	static char text[8192];
	struct lkst_format format;
	struct lkst_error err;
	struct lkst_out out;
	int pipefd[2];
	ssize_t n;
	char *line;

	ck_assert_int_eq(pipe(pipefd), 0);
	ck_assert_int_eq(lkst_out_open(&out, pipefd[1], &err), 0);
	lkst_format_init(&format, &out, types, &context, &opt);
	for (size_t i = 0; i < num; i++) {
		if (csv)
			lkst_format_csv(&format, &event[i]);
		else
			lkst_format_event(&format, &event[i]);
	}
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

static struct lkst_event event_of(uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	return (struct lkst_event){
		.time_ns = SAMPLE_NS + 123456789,
		.recid = 42,
		.arg = { a1, a2, a3, a4 },
		.type = type,
		.tid = 100,
		.tgid = 100,
		.pgrp = 99,
		.uid = 1000,
		.gid = 10,
		.cpu = 1,
		.machine = LKST_MACHINE_X86_64,
	};
}

/* Only the arguments of the line. */
static const char *arguments(struct lkst_event event)
{
	static char text[8192];
	const char *line = format_events(&event, 1, false);
	size_t prefix = strlen("03:04:05.123456789 [001] ") + 25 + strlen(" ... ") + 21;

	ck_assert_uint_gt(strlen(line), prefix);
	strcpy(text, line + prefix + (line[prefix] == ' '));
	text[strcspn(text, "\n")] = 0;
	return text;
}

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

#define U(x) ((uint64_t)(x))

static const struct {
	const char *types; /* descriptions; NULL: as embedded for type */
	uint32_t type;
	uint64_t arg[4];
	const char *text;
} values[] = {
	{ NULL,
	  0x001,
	  { 0x6400000153, 0x78, 0x68736162, 0x2f72657070617773 },
	  "prev=bash-100 prev_state=S+ next=swapper/1-0 next_prio=120 prev_name=bash next_name=swapper/" },
	{ NULL,
	  0x001,
	  { 0x6400000252, 0x3700000078, 0x68736162, 0 },
	  "prev=bash-100 prev_state=0x252 next=<55> next_prio=120 prev_name=bash next_name=\"\"" },
	{ NULL,
	  0x003,
	  { 0x0900000000, 0xffffffff, 1, 0 },
	  "signal=SIGKILL code=0 target=swapper/1-0 result=-1 group=1 name=\"\"" },
	{ NULL,
	  0x003,
	  { U(34) << 32, 0, 0, 0 },
	  "signal=SIGRT2 code=0 target=swapper/1-0 result=0 group=0 name=\"\"" },
	{ NULL,
	  0x003,
	  { U(99) << 32 | 0xfffffffa, 0, 0, 0 },
	  "signal=99 code=-6 target=swapper/1-0 result=0 group=0 name=\"\"" },
	{ NULL,
	  0x007,
	  { 0x6400000000, 0x0100, 0, 0 },
	  "thread=bash-100 prio=0 status=exit(1) name=\"\"" },
	{ NULL,
	  0x007,
	  { 0x6400000000, 0x8b, 0, 0 },
	  "thread=bash-100 prio=0 status=killed(SIGSEGV,core) name=\"\"" },
	{ NULL,
	  0x005,
	  { 0x6400000064, 0x3d0f00, 0, 0 },
	  "child=bash-100 tgid=100 flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|"
	  "CLONE_THREAD|CLONE_SYSVSEM|CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID name=\"\"" },
	{ NULL, 0x005, { 0, 17, 0, 0 }, "child=swapper/1-0 tgid=0 flags=SIGCHLD name=\"\"" },
	{ NULL, 0x005, { 0, 0, 0, 0 }, "child=swapper/1-0 tgid=0 flags=0x0 name=\"\"" },
	{ NULL, 0x012, { 3, 0, 0, 0 }, "vector=NET_RX" },
	{ NULL, 0x012, { 10, 0, 0, 0 }, "vector=10" },
	{ NULL, 0x030, { 0, 3, 0, 0 }, "number=read arg1=0x3 arg2=0x0 arg3=0x0" },
	{ NULL,
	  0x030,
	  { U(3) << 32 | 1, 0, 0, 0 },
	  "number=read abi=ia32 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL,
	  0x030,
	  { U(0x40000001) << 32 | 2, 0, 0, 0 },
	  "number=write abi=x32 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL, 0x030, { U(99999) << 32, 0, 0, 0 }, "number=99999 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL, 0x030, { U(0xffffffff) << 32, 0, 0, 0 }, "number=-1 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL, 0x031, { 0, U(-2), 0, 0 }, "number=read result=-ENOENT" },
	{ NULL, 0x031, { 0, U(-512), 0, 0 }, "number=read result=-ERESTARTSYS" },
	{ NULL, 0x031, { 0, U(-516), 0, 0 }, "number=read result=-ERESTART_RESTARTBLOCK" },
	{ NULL, 0x031, { 0, U(-520), 0, 0 }, "number=read result=-520" },
	{ NULL, 0x031, { 0, 4096, 0, 0 }, "number=read result=4096" },
	{ NULL, 0x031, { 0, 0x7f0012345000, 0, 0 }, "number=read result=0x7f0012345000" },
	{ NULL, 0x031, { 0, U(-4096), 0, 0 }, "number=read result=0xfffffffffffff000" },
	{ NULL,
	  0xf01,
	  { 3, 4096, U(-1), 0 },
	  "buffer=3 overwritten=4096 first_recid=18446744073709551615" },
	{ NULL, 0xf02, { 0, 1, U(1) << 32, 0 }, "from=0 to=1 first_recid=4294967296" },
	{ NULL, 0xf09, { 0, 1, 0, 0 }, "from=ns to=tsc" },
	{ NULL, 0xf09, { 2, 0, 0, 0 }, "from=2 to=ns" },
	{ NULL, 0xf08, { 1, U(-3), 0, 0 }, "code=NO_BUFFER detail=-3" },
	{ NULL, 0xf08, { 77, 5, 0, 0 }, "code=77 detail=5" },
	{ NULL, 0xf08, { 2, 1, 0, 0 }, "code=BAD_PARAM detail=buffer_size" },
	{ NULL, 0xf08, { 2, 2, 0, 0 }, "code=BAD_PARAM detail=maskset" },
	{ NULL, 0xf08, { 2, 3, 0, 0 }, "code=BAD_PARAM detail=memory" },
	{ NULL, 0xf08, { 2, 4, 0, 0 }, "code=BAD_PARAM detail=4" },
	{ NULL, 0xf08, { 3, 1, 0, 0 }, "code=SOURCE detail=1" },
	{ NULL, 0x123, { 0, U(-1), 2, 3 }, "arg1=0x0 arg2=0xffffffffffffffff arg3=0x2 arg4=0x3" },
	{ "\"a:dec\" \"b:udec\" \"c\" \"d:what\"",
	  0x100,
	  { U(-1), U(-1), 16, 17 },
	  "a=-1 b=18446744073709551615 c=0x10 d=0x11" },
	{ "\"a:dec,b:udec\" \"\" \"p:ptr\" \"q:buf\"",
	  0x100,
	  { U(-1), 5, 0xffff888000000000, 255 },
	  "a=-1 b=4294967295 p=0xffff888000000000 q=none" },
	{ "\"t:text\" \"t:text\" \"u:text\" \"v:cpu\"",
	  0x100,
	  { 0x6867666564636261, 0x0a69, 0x2261, 7 },
	  "t=\"abcdefghi\\012\" u=\"a\\\"\" v=7" },
	{ "\"t:text\" \"t:text\" \"t:text\" \"t:text\"",
	  0x100,
	  { 0x6867666564636261, 0x6867666564636261, 0x6867666564636261, 0x6867666564636261 },
	  "t=abcdefghabcdefghabcdefghabcdefgh" },
	{ "\"x:err,y:err\" \"z:clone\" \"w:wstatus\" \"s:state\"",
	  0x100,
	  { U(0xfffffff5) << 32 | 5, 0x10000000000, 0x12345, 1 },
	  "x=-EAGAIN y=5 z=0x10000000000 w=0x12345 s=0x1" },
};

START_TEST(test_values)
{
	struct lkst_event event = event_of(values[_i].type, values[_i].arg[0], values[_i].arg[1],
					   values[_i].arg[2], values[_i].arg[3]);
	struct lkst_error err;
	char text[512];

	if (values[_i].types) {
		snprintf(text, sizeof(text), "# lkst_etypes 1\n0x%03x M UNDEF - present \"n\" %s\n",
			 values[_i].type, values[_i].types);
		lkst_etypes_free(types);
		types = lkst_etypes_parse(text, strlen(text), "text", &err);
		ck_assert_msg(types != NULL, "%s", err.text);
	}
	ck_assert_str_eq(arguments(event), values[_i].text);
}
END_TEST

START_TEST(test_other_machines)
{
	struct lkst_event event = event_of(0x030, 0, 0, 0, 0);

	event.machine = LKST_MACHINE_I386;
	event.arg[0] = pack(3, 0);
	ck_assert_str_eq(arguments(event), "number=read arg1=0x0 arg2=0x0 arg3=0x0");
	event.machine = LKST_MACHINE_OTHER;
	ck_assert_str_eq(arguments(event), "number=3 arg1=0x0 arg2=0x0 arg3=0x0");
	event = event_of(0x010, 9, __builtin_bswap64(text8("timer")), 0, 0);
	event.swapped = true;
	ck_assert_str_eq(arguments(event), "irq=9 name=timer");
}
END_TEST

START_TEST(test_verbose)
{
	opt.verbose = true;
	ck_assert_str_eq(arguments(event_of(0x030, 0, 3, 0, 0)),
			 "number=read abi=native arg1=0x3 arg2=0x0 arg3=0x0"
			 " | recid=42 buffer=0 pgrp=99 uid=1000 gid=10");
	ck_assert_str_eq(arguments(event_of(0x012, 1, 0, 5, 0)),
			 "vector=TIMER arg2=0x0 arg3=0x5 arg4=0x0"
			 " | recid=42 buffer=0 pgrp=99 uid=1000 gid=10");
	opt.verbose = false;
	ck_assert_str_eq(arguments(event_of(0x012, 1, 0, 5, 0)), "vector=TIMER");
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
	struct lkst_error err;
	const char *text = "# lkst_etypes 1\n"
			   "0x100 M UNDEF - present \"a, \\\"b\\\"\" \"x y\" \"\" \"\" \"\"\n";

	lkst_etypes_free(types);
	types = lkst_etypes_parse(text, strlen(text), "text", &err);
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

START_TEST(test_long_lines)
{
	/* The longest that a list of event types allows must fit into what out_room() gives. */
	struct lkst_event event = event_of(0x100, U(-1), U(-1), U(-1), U(-1));
	char text[4096], arg[256], name[256];
	struct lkst_error err;
	struct lkst_out out;
	struct lkst_format format;
	FILE *null = fopen("/dev/null", "w");

	memset(arg, ',', 255);
	memset(name, '\'', 255);
	arg[255] = name[255] = 0;
	snprintf(text, sizeof(text),
		 "# lkst_etypes 1\n0x100 M UNDEF - present \"%s\" \"%s\" \"%s\" \"%s\" \"%s\"\n",
		 name, arg, arg, arg, arg);
	lkst_etypes_free(types);
	types = lkst_etypes_parse(text, strlen(text), "text", &err);
	ck_assert_msg(types != NULL, "%s", err.text);
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

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_line);
	tcase_add_loop_test(tc, test_flags, 0, 7);
	tcase_add_test(tc, test_dates);
	tcase_add_loop_test(tc, test_odd_times, 0, 4);
	tcase_add_test(tc, test_unknown_thread);
	tcase_add_loop_test(tc, test_values, 0, sizeof(values) / sizeof(*values));
	tcase_add_test(tc, test_other_machines);
	tcase_add_test(tc, test_verbose);
	tcase_add_test(tc, test_csv);
	tcase_add_test(tc, test_csv_quotes);
	tcase_add_test(tc, test_color);
	tcase_add_test(tc, test_long_lines);
	tcase_add_test(tc, test_full_disk);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
