// SPDX-License-Identifier: GPL-2.0
/* Which events are wanted: times as users write them, words for processes, all together. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/etype_ids.h"
#include "sample.h"
#include "tap.h"

#define S	 1000000000ll
#define HOUR	 (3600 * S)
#define MIDNIGHT ((SAMPLE_SECOND - 3 * 3600 - 4 * 60 - 5) * S)

/* A trace of ten minutes, up to 00:10:00; its day is that of the sample. */
#define OLDEST MIDNIGHT
#define NEWEST (MIDNIGHT + 600 * S)

static int64_t resolve(const char *text, bool utc, int64_t oldest_ns, int64_t newest_ns)
{
	struct lkst_error err = { 0 };
	struct lkst_timestamp when;

	ck_assert_msg(!lkst_timestamp_parse("--since", text, utc, &when, &err), "%s", err.text);
	return lkst_timestamp_resolve(&when, oldest_ns, newest_ns);
}

static const struct {
	const char *text;
	int64_t ns;
} times[] = {
	{ "2026-01-02 03:04:05", SAMPLE_NS },
	{ "2026-01-02T03:04:05", SAMPLE_NS },
	{ "2026-01-02 03:04:05.000000001", SAMPLE_NS + 1 },
	{ "2026-01-02 03:04:05.25", SAMPLE_NS + S / 4 },
	{ "2026-01-02 3:04", SAMPLE_NS - 5 * S },
	{ "2026-01-02", MIDNIGHT },
	{ "1970-01-01", 0 },
	{ "2000-02-29", 951782400 * S },
	{ "@0", 0 },
	{ "@1767323045", SAMPLE_NS },
	{ "@1767323045.5", SAMPLE_NS + S / 2 },
	{ "@1767323045.0000000019", SAMPLE_NS + 1 },
	{ "-0", NEWEST },
	{ "-5s", NEWEST - 5 * S },
	{ "-5", NEWEST - 5 * S },
	{ "-1.5s", NEWEST - S - S / 2 },
	{ "-0.5m", NEWEST - 30 * S },
	{ "-2m", NEWEST - 120 * S },
	{ "-1h", NEWEST - HOUR },
	{ "-1d", NEWEST - 24 * HOUR },
	{ "-10ms", NEWEST - S / 100 },
	{ "-10us", NEWEST - 10000 },
	{ "-10ns", NEWEST - 10 },
	{ "+5s", OLDEST + 5 * S },
	/* A time of day: on the day that is nearest */
	{ "00:05:00", MIDNIGHT + 300 * S },
	{ "0:05", MIDNIGHT + 300 * S },
	{ "00:05:00.000000001", MIDNIGHT + 300 * S + 1 },
	{ "00:20:00", MIDNIGHT + 1200 * S },
	{ "23:59:00", MIDNIGHT - 60 * S },
	{ "12:04:59", MIDNIGHT + 12 * HOUR + 299 * S },
	{ "12:05:01", MIDNIGHT - 12 * HOUR + 301 * S },
};

START_TEST(test_time)
{
	ck_assert_int_eq(resolve(times[_i].text, false, OLDEST, NEWEST), times[_i].ns);
	ck_assert_int_eq(resolve(times[_i].text, true, OLDEST, NEWEST), times[_i].ns);
}
END_TEST

/* The times of a damaged trace can be as far away as numbers go. */
START_TEST(test_far_away)
{
	struct lkst_error err;
	struct lkst_timestamp when;

	ck_assert_int_eq(lkst_timestamp_parse("--since", "23:59:59", _i, &when, &err), 0);
	ck_assert_int_eq(lkst_timestamp_resolve(&when, 0, INT64_MAX), INT64_MAX);
	ck_assert_int_eq(lkst_timestamp_parse("--since", "00:00", _i, &when, &err), 0);
	ck_assert_int_eq(lkst_timestamp_resolve(&when, INT64_MIN, INT64_MIN), INT64_MIN);
}
END_TEST

static const char *const bad_times[] = {
	"",
	"x",
	"now",
	"5",
	"5s",
	"24:00:00",
	"12:60:00",
	"12:00:60",
	"12:5:00",
	"123:00:00",
	"12:00:00 ",
	"12:00:00.",
	"12:00:00.x",
	"12",
	"12:",
	" 12:00",
	"2026-13-01",
	"2026-00-01",
	"2026-01-00",
	"2026-02-29",
	"2026-04-31",
	"2026-1-1",
	"26-01-01",
	"2026-01-02 ",
	"2026-01-02 x",
	"2026-01-02x",
	"2026-01-02 24:00:00",
	"1969-12-31",
	"2251-01-01",
	"@",
	"@x",
	"@-1",
	"@1x",
	"@1.",
	"@99999999999",
	"-",
	"-x",
	"-5y",
	"-5 s",
	"--5s",
	"-.5s",
	"-5s5",
	"-99999999999999999999s",
	"-9999999d",
	"+",
	"+5y",
};

START_TEST(test_time_bad)
{
	struct lkst_error err = { 0 };
	struct lkst_timestamp when;
	char wanted[128];

	ck_assert_int_eq(lkst_timestamp_parse("--until", bad_times[_i], false, &when, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	snprintf(wanted, sizeof(wanted), "--until \"%s\" is no time: HH:MM:SS", bad_times[_i]);
	ck_assert_msg(!strncmp(err.text, wanted, strlen(wanted)), "%s", err.text);
}
END_TEST

START_TEST(test_time_zone)
{
	/* West: it is 22:10 of the day before at the newest event. */
	setenv("TZ", "XYZ2", 1);
	tzset();
	ck_assert_int_eq(resolve("2026-01-02 03:04:05", false, OLDEST, NEWEST),
			 SAMPLE_NS + 2 * HOUR);
	ck_assert_int_eq(resolve("2026-01-02 03:04:05", true, OLDEST, NEWEST), SAMPLE_NS);
	ck_assert_int_eq(resolve("22:05:00", false, OLDEST, NEWEST), MIDNIGHT + 300 * S);
	ck_assert_int_eq(resolve("00:05:00", true, OLDEST, NEWEST), MIDNIGHT + 300 * S);
	ck_assert_int_eq(resolve("@1767323045", false, OLDEST, NEWEST), SAMPLE_NS);
	/* Where an hour is left out, days are 23 hours long. */
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	ck_assert_int_eq(resolve("2026-03-29 12:00:00", false, OLDEST, NEWEST) -
				 resolve("2026-03-28 12:00:00", false, OLDEST, NEWEST),
			 23 * HOUR);
	setenv("TZ", "UTC", 1);
	tzset();
}
END_TEST

START_TEST(test_time_of_long_trace)
{
	/* Of several days that it is on, the last one. */
	ck_assert_int_eq(resolve("03:00:00", false, MIDNIGHT - 100 * HOUR, MIDNIGHT + 4 * HOUR),
			 MIDNIGHT + 3 * HOUR);
	ck_assert_int_eq(resolve("05:00:00", false, MIDNIGHT - 100 * HOUR, MIDNIGHT + 4 * HOUR),
			 MIDNIGHT - 19 * HOUR);
	/* Beyond what there is nothing overflows. */
	ck_assert_int_eq(resolve("-1h", false, INT64_MIN, INT64_MIN + 1), INT64_MIN);
	ck_assert_int_eq(resolve("+1h", false, INT64_MAX - 1, INT64_MAX), INT64_MAX);
}
END_TEST

/* ---- processes ---- */

static struct lkst_names *names;

static void setup(void)
{
	names = lkst_names_new();
	lkst_names_at_end(names, 100, "bash");
	lkst_names_at_end(names, 101, "worker");
	lkst_names_at_end(names, 200, "cat");
	lkst_names_finalize(names);
}

static void teardown(void)
{
	lkst_names_free(names);
}

static const struct {
	const char *words;
	const char *shown; /* of the events below */
} processes[] = {
	{ "100", "ab" },
	{ "101", "b" },
	{ "200", "c" },
	{ "0x64", "" },
	{ "bash", "ab" },
	{ "worker", "b" },
	{ "ba*", "ab" },
	{ "[bc]a*", "abc" },
	{ "?at", "c" },
	{ "BASH", "" },
	{ "bash,200", "abc" },
	{ " bash , 200 ", "abc" },
	{ "!bash", "cde" },
	{ "!100,!200", "de" },
	{ "all", "abcde" },
	{ "all,!cat", "abde" },
	{ "!cat,all", "abcde" },
	{ "bash,!worker", "a" },
	{ "!worker,bash", "ab" },
	{ "0", "e" },
	{ "swapper/3", "e" },
	{ "swapper/*", "e" },
	{ "999", "d" },
	{ "*", "abce" },
	{ "!*", "d" },
	{ "none", "" },
	{ "! cat", "abde" },
};

START_TEST(test_processes)
{
	static const struct lkst_event events[] = {
		{ .tid = 100, .tgid = 100 }, /* bash */
		{ .tid = 101, .tgid = 100 }, /* a thread of it */
		{ .tid = 200, .tgid = 200 }, /* cat */
		{ .tid = 999, .tgid = 999 }, /* nobody knows */
		{ .tid = 0, .tgid = 0, .cpu = 3 },
	};
	struct lkst_error err = { 0 };
	struct lkst_processes *list = lkst_processes_new(&err);
	struct lkst_selection selection;
	char shown[8] = "", *to = shown;

	lkst_selection_init(&selection);
	ck_assert_int_eq(lkst_processes_add(list, processes[_i].words, &err), 0);
	selection.processes = list;
	for (int i = 0; i < 5; i++)
		if (lkst_selected(&selection, names, &events[i]))
			*to++ = (char)('a' + i);
	ck_assert_str_eq(shown, processes[_i].shown);
	lkst_processes_free(list);
}
END_TEST

/* What others do to a thread is about it; leaving a process out leaves out what it does. */
START_TEST(test_processes_about)
{
	static const struct lkst_event events[] = {
		/* bash wakes cat */
		{ .tid = 100,
		  .tgid = 100,
		  .type = LKST_ETYPE_PROCESS_WAKEUP,
		  .arg = { 200ull << 32 } },
		/* somebody wakes bash's worker */
		{ .tid = 999,
		  .tgid = 999,
		  .type = LKST_ETYPE_PROCESS_WAKEUP,
		  .arg = { 101ull << 32 } },
		/* the idle thread of CPU 3 gives way to cat */
		{ .cpu = 3,
		  .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH,
		  .arg = { 'R', 200ull << 32 | 120 } },
		/* a signal to cat */
		{ .tid = 999,
		  .tgid = 999,
		  .type = LKST_ETYPE_PROCESS_SIGSEND,
		  .arg = { 15ull << 32, 200ull << 32 } },
		/* a thread that is not known migrates to CPU 200 */
		{ .tid = 999,
		  .tgid = 999,
		  .type = LKST_ETYPE_PROCESS_MIGRATE,
		  .arg = { UINT32_MAX, 100ull << 32 | 200 } },
		/* cat does something */
		{ .tid = 200,
		  .tgid = 200,
		  .type = LKST_ETYPE_SYSCALL_ENTRY,
		  .arg = { 999ull << 32 } },
	};
	static const struct {
		const char *words, *shown, *only;
	} cases[] = {
		{ "200", "acdf", "f" },	      { "cat", "acdf", "f" },
		{ "100", "ab", "a" }, /* the process of the worker */
		{ "101", "b", "" },	      { "worker", "b", "" },
		{ "swapper/3", "c", "c" },    { "!cat", "abcde", "abcde" },
		{ "cat,!bash", "cdf", "f" }, /* the last word that an event matches counts */
		{ "!bash,cat", "acdf", "f" }, { "bash,!cat", "ab", "a" },
		{ "4294967295", "", "" },     { "all", "abcdef", "abcdef" },
	};
	struct lkst_error err = { 0 };
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_selection selection;

	lkst_names_belongs(names, 101, 100);
	lkst_selection_init(&selection);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lkst_processes *list = lkst_processes_new(&err);

		ck_assert_int_eq(lkst_processes_add(list, cases[i].words, &err), 0);
		selection.processes = list;
		for (int only = 0; only < 2; only++) {
			char shown[8] = "", *to = shown;

			selection.about = only ? NULL : types;
			for (int n = 0; n < 6; n++)
				if (lkst_selected(&selection, names, &events[n]))
					*to++ = (char)('a' + n);
			ck_assert_msg(!strcmp(shown, only ? cases[i].only : cases[i].shown),
				      "%s: %s", cases[i].words, shown);
		}
		lkst_processes_free(list);
	}
	lkst_etypes_free(types);
}
END_TEST

/* Of LKST's own commands, what is of interest to nobody else. */
START_TEST(test_own_work)
{
	static const struct {
		struct lkst_event event;
		bool own;
	} cases[] = {
		{ { .tid = 300, .type = LKST_ETYPE_SYSCALL_ENTRY }, true },
		{ { .tid = 301, .type = LKST_ETYPE_SYSCALL_ENTRY }, false }, /* lkstlogger */
		{ { .tid = 100, .type = LKST_ETYPE_SYSCALL_ENTRY }, false },
		{ { .tid = 999, .type = LKST_ETYPE_SYSCALL_ENTRY }, false },
		{ { .tid = 0, .type = LKST_ETYPE_CPU_IDLE_ENTRY }, false },
		{ { .tid = 300, .type = LKST_ETYPE_INT_IPI_ENTRY, .flags = LKST_LOG_HARDIRQ },
		  false },
		{ { .tid = 300, .type = LKST_ETYPE_OOPS_DIE }, false },
		{ { .tid = 300, .type = LKST_ETYPE_USER_MARK }, false },
		{ { .tid = 300, .type = LKST_ETYPE_LKST_TRC_STOP }, false },
		{ { .tid = 300, .type = LKST_ETYPE_LKST_TRC_STOP + 0x10000 }, false },
		/* it exits; it gives way to nobody; to bash */
		{ { .tid = 300, .type = LKST_ETYPE_PROCESS_EXIT, .arg = { 300ull << 32 } }, true },
		{ { .tid = 300,
		    .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH,
		    .arg = { 300ull << 32 | 'S', 120 } },
		  true },
		{ { .tid = 300,
		    .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH,
		    .arg = { 300ull << 32 | 'S', 100ull << 32 | 120 } },
		  false },
		{ { .tid = 300, .type = LKST_ETYPE_PROCESS_WAKEUP, .arg = { 100ull << 32 } },
		  false },
	};
	struct lkst_error err = { 0 };
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct lkst_selection selection;

	lkst_names_at_end(names, 300, "lkstbuf");
	lkst_names_at_end(names, 301, "lkstlogger");
	lkst_selection_init(&selection);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		selection.others = NULL;
		ck_assert(lkst_selected(&selection, names, &cases[i].event));
		selection.others = types;
		ck_assert_msg(lkst_selected(&selection, names, &cases[i].event) != cases[i].own,
			      "%zu", i);
	}
	lkst_etypes_free(types);
}
END_TEST

START_TEST(test_processes_go_on)
{
	struct lkst_error err = { 0 };
	struct lkst_processes *list = lkst_processes_new(&err);
	struct lkst_selection selection;

	lkst_selection_init(&selection);
	selection.processes = list;
	ck_assert(lkst_selected(&selection, names, &(struct lkst_event){ .tid = 5, .tgid = 5 }));
	ck_assert_int_eq(lkst_processes_add(list, "bash", &err), 0);
	ck_assert_int_eq(lkst_processes_add(list, "!100", &err), 0);
	ck_assert(
		!lkst_selected(&selection, names, &(struct lkst_event){ .tid = 100, .tgid = 100 }));
	lkst_processes_free(list);
	lkst_processes_free(NULL);
}
END_TEST

START_TEST(test_processes_bad)
{
	static const struct {
		const char *words, *says;
	} bad[] = {
		{ "", "empty name of a process in \"\"" },
		{ "!", "empty name of a process in \"!\"" },
		{ "a,,b", "empty name of a process in \"a,,b\"" },
		{ "a,", "empty name of a process in \"a,\"" },
		{ "4294967296", "process \"4294967296\" is out of range: 0 to 4294967295" },
		{ "a,99999999999999999999", "process \"99999999999999999999\" is out of range" },
	};
	struct lkst_error err = { 0 };
	struct lkst_processes *list = lkst_processes_new(&err);

	ck_assert_int_eq(lkst_processes_add(list, bad[_i].words, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	ck_assert_msg(!strncmp(err.text, bad[_i].says, strlen(bad[_i].says)), "%s", err.text);
	lkst_processes_free(list);
}
END_TEST

/* ---- all together ---- */

START_TEST(test_selection)
{
	struct lkst_event event = { .time_ns = 1000, .cpu = 1, .type = 0x030, .tid = 5, .tgid = 5 };
	struct lkst_filter *filter = malloc(sizeof(*filter));
	struct lkst_selection selection;

	lkst_selection_init(&selection);
	ck_assert(lkst_selected(&selection, names, &event));
	selection.cpu = 1;
	ck_assert(lkst_selected(&selection, names, &event));
	selection.cpu = 0;
	ck_assert(!lkst_selected(&selection, names, &event));
	selection.cpu = -1;
	/* Both ends belong to the span. */
	selection.since_ns = selection.until_ns = 1000;
	ck_assert(lkst_selected(&selection, names, &event));
	selection.since_ns = 1001;
	ck_assert(!lkst_selected(&selection, names, &event));
	selection.since_ns = INT64_MIN;
	selection.until_ns = 999;
	ck_assert(!lkst_selected(&selection, names, &event));
	selection.until_ns = INT64_MAX;
	lkst_filter_init(filter);
	selection.filter = filter;
	ck_assert(lkst_selected(&selection, names, &event));
	filter->show[0x030] = false;
	ck_assert(!lkst_selected(&selection, names, &event));
	free(filter);
}
END_TEST

#define NUM(a) ((int)(sizeof(a) / sizeof(*(a))))

int main(void)
{
	Suite *suite = suite_create("select");
	TCase *tc = tcase_create("select");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_time, 0, NUM(times));
	tcase_add_loop_test(tc, test_time_bad, 0, NUM(bad_times));
	tcase_add_loop_test(tc, test_far_away, 0, 2);
	check_id(tc, test_time_zone);
	check_id(tc, test_time_of_long_trace);
	tcase_add_loop_test(tc, test_processes, 0, NUM(processes));
	check_id(tc, test_processes_about);
	check_id(tc, test_own_work);
	check_id(tc, test_processes_go_on);
	tcase_add_loop_test(tc, test_processes_bad, 0, 6);
	check_id(tc, test_selection);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
