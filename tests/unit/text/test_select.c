// SPDX-License-Identifier: GPL-2.0
/* Selecting events by time, by process, and by all criteria together. */
#include <time.h>

#include "lib/text/etypes.h"
#include "lib/text/filter.h"
#include "lib/text/names.h"
#include "lib/text/timestamp.h"
#include "lib/trace/select.h"
#include "sample.h"
#include "tap.h"

#define S	 1000000000ll
#define HOUR	 (3600 * S)
#define MIDNIGHT ((SAMPLE_SECOND - 3 * 3600 - 4 * 60 - 5) * S)

/* A trace of ten minutes that ends at 00:10:00, on the day of the sample. */
#define OLDEST MIDNIGHT
#define NEWEST (MIDNIGHT + 600 * S)

static int64_t resolve(const char *text, bool utc, int64_t oldest_ns, int64_t newest_ns)
{
	struct lkst_timestamp timestamp;

	assert_ok(lkst_timestamp_parse("--since", text, utc, &timestamp, &err));
	return lkst_timestamp_resolve(&timestamp, oldest_ns, newest_ns);
}

static const struct { const char *text; int64_t ns; } times[] = {
	{ "2026-01-02 03:04:05", SAMPLE_NS }, { "2026-01-02T03:04:05", SAMPLE_NS },
	{ "2026-01-02 03:04:05.000000001", SAMPLE_NS + 1 },
	{ "2026-01-02 03:04:05.25", SAMPLE_NS + S / 4 },
	{ "2026-01-02 3:04", SAMPLE_NS - 5 * S }, { "2026-01-02", MIDNIGHT }, { "1970-01-01", 0 },
	{ "2000-02-29", 951782400 * S }, { "@0", 0 }, { "@1767323045", SAMPLE_NS },
	{ "@1767323045.5", SAMPLE_NS + S / 2 }, { "@1767323045.0000000019", SAMPLE_NS + 1 },
	{ "-0", NEWEST }, { "-5s", NEWEST - 5 * S }, { "-5", NEWEST - 5 * S },
	{ "-1.5s", NEWEST - S - S / 2 }, { "-0.5m", NEWEST - 30 * S }, { "-2m", NEWEST - 120 * S },
	{ "-1h", NEWEST - HOUR }, { "-1d", NEWEST - 24 * HOUR }, { "-10ms", NEWEST - S / 100 },
	{ "-10us", NEWEST - 10000 }, { "-10ns", NEWEST - 10 }, { "+5s", OLDEST + 5 * S },
	/*
	 * A time of day is resolved to the day on which it is nearest to the trace: the day of the
	 * trace, the day before or the day after.
	 */
	{ "00:05:00", MIDNIGHT + 300 * S }, { "0:05", MIDNIGHT + 300 * S },
	{ "00:05:00.000000001", MIDNIGHT + 300 * S + 1 },
	{ "00:20:00", MIDNIGHT + 1200 * S }, { "23:59:00", MIDNIGHT - 60 * S },
	{ "12:04:59", MIDNIGHT + 12 * HOUR + 299 * S },
	{ "12:05:01", MIDNIGHT - 12 * HOUR + 301 * S },
};

TEST_EACH(test_time, times)
{
	ck_assert_int_eq(resolve(times[_i].text, false, OLDEST, NEWEST), times[_i].ns);
	ck_assert_int_eq(resolve(times[_i].text, true, OLDEST, NEWEST), times[_i].ns);
}

/* Times, and their text. The text is a time that --since accepts, rounded down to microseconds. */
static const struct { int64_t ns; const char *text; } time_texts[] = {
	{ SAMPLE_NS, "03:04:05.000000" }, { SAMPLE_NS + 1999, "03:04:05.000001" },
	{ SAMPLE_NS + 999999999, "03:04:05.999999" }, { 0, "00:00:00.000000" },
	{ -1, "23:59:59.999999" }, { INT64_MAX, "23:47:16.854775" },
	{ INT64_MIN, "00:12:43.145224" },
};

TEST_EACH(test_time_text, time_texts)
{
	int64_t ns = time_texts[_i].ns;
	char text[LKST_TIMESTAMP_SIZE];

	ck_assert_str_eq(lkst_timestamp_text(ns, text), time_texts[_i].text);
	if (ns > INT64_MIN && ns < INT64_MAX)
		ck_assert_int_eq(resolve(text, false, ns, ns), ns - (ns % 1000 + 1000) % 1000);
}

/* The times of a damaged trace can be any numbers. The result must not overflow. */
TEST_LOOP(test_far_away, 2)
{
	ck_assert_int_eq(resolve("23:59:59", _i, 0, INT64_MAX), INT64_MAX);
	ck_assert_int_eq(resolve("00:00", _i, INT64_MIN, INT64_MIN), INT64_MIN);
	ck_assert_int_eq(resolve("-1h", _i, INT64_MIN, INT64_MIN + 1), INT64_MIN);
	ck_assert_int_eq(resolve("+1h", _i, INT64_MAX - 1, INT64_MAX), INT64_MAX);
}

static const char *const bad_times[] = {
	"", "x", "now", "5", "5s", "24:00:00", "12:60:00", "12:00:60", "12:5:00", "123:00:00",
	"12:00:00 ", "12:00:00.", "12:00:00.x", "12", "12:", " 12:00", "2026-13-01", "2026-00-01",
	"2026-01-00", "2026-02-29", "2026-04-31", "2026-1-1", "26-01-01", "2026-01-02 ",
	"2026-01-02 x", "2026-01-02x", "2026-01-02 24:00:00", "1969-12-31", "2251-01-01", "@", "@x",
	"@-1", "@1x", "@1.", "@99999999999", "-", "-x", "-5y", "-5 s", "--5s", "-.5s", "-5s5",
	"-99999999999999999999s", "-9999999d", "+", "+5y",
};

TEST_EACH(test_time_bad, bad_times)
{
	struct lkst_timestamp timestamp;
	char expected[128];

	ck_assert_int_eq(lkst_timestamp_parse("--until", bad_times[_i], false, &timestamp, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	snprintf(expected, sizeof(expected), "--until \"%s\" is not a valid time: HH:MM:SS",
		 bad_times[_i]);
	assert_begins(err.text, expected);
}

static void use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

TEST(test_time_zone)
{
	/* A time zone west of UTC. The time of the newest event is 22:10 on the previous day. */
	use_zone("XYZ2");
	ck_assert_int_eq(resolve("2026-01-02 03:04:05", false, OLDEST, NEWEST),
			 SAMPLE_NS + 2 * HOUR);
	ck_assert_int_eq(resolve("2026-01-02 03:04:05", true, OLDEST, NEWEST), SAMPLE_NS);
	ck_assert_int_eq(resolve("22:05:00", false, OLDEST, NEWEST), MIDNIGHT + 300 * S);
	ck_assert_int_eq(resolve("00:05:00", true, OLDEST, NEWEST), MIDNIGHT + 300 * S);
	ck_assert_int_eq(resolve("@1767323045", false, OLDEST, NEWEST), SAMPLE_NS);
	/* Daylight saving time begins between these two noons, so they are 23 hours apart. */
	use_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	ck_assert_int_eq(resolve("2026-03-29 12:00:00", false, OLDEST, NEWEST) -
				 resolve("2026-03-28 12:00:00", false, OLDEST, NEWEST),
			 23 * HOUR);
	use_zone("UTC");
}

/* If a trace contains a time of day on several days, the last of these days is used. */
TEST(test_time_of_long_trace)
{
	const int64_t oldest = MIDNIGHT - 100 * HOUR, newest = MIDNIGHT + 4 * HOUR;

	ck_assert_int_eq(resolve("03:00:00", false, oldest, newest), MIDNIGHT + 3 * HOUR);
	ck_assert_int_eq(resolve("05:00:00", false, oldest, newest), MIDNIGHT - 19 * HOUR);
}

/* ---- processes ---- */

static struct lkst_names *names;
static struct lkst_etypes *types;
static struct lkst_selection selection;
static struct lkst_processes *list;

static void setup(void)
{
	types = lkst_etypes_embedded(&err);
	names = lkst_names_new();
	lkst_names_at_end(names, 100, "bash");
	lkst_names_at_end(names, 101, "worker");
	lkst_names_at_end(names, 200, "cat");
	lkst_names_finalize(names);
	list = lkst_processes_new(&err);
	lkst_selection_init(&selection);
}

static void teardown(void)
{
	lkst_processes_free(list);
	lkst_names_free(names);
	lkst_etypes_free(types);
}

static bool selected(const struct lkst_event *event)
{
	const struct lkst_context context = { .names = names };

	return lkst_selected(&selection, &context, event);
}

/* Return a letter for each selected event: "a" for the first event, "b" for the second, ... */
static const char *letters(const struct lkst_event *events, int num)
{
	static char text[8];
	char *to = text;

	for (int i = 0; i < num; i++)
		if (selected(&events[i]))
			*to++ = (char)('a' + i);
	*to = 0;
	return text;
}

static void select_processes(const char *words)
{
	assert_ok(lkst_processes_add(list, words, &err));
	selection.processes = list;
}

TESTS(.setup = setup, .teardown = teardown);

static const struct {
	const char *words;
	const char *shown; /* the letters of the events below that are shown */
} processes[] = {
	{ "100", "ab" }, { "101", "b" }, { "200", "c" }, { "0x64", "" }, { "bash", "ab" },
	{ "worker", "b" }, { "ba*", "ab" }, { "[bc]a*", "abc" }, { "?at", "c" }, { "BASH", "" },
	{ "bash,200", "abc" }, { " bash , 200 ", "abc" }, { "!bash", "cde" }, { "!100,!200", "de" },
	{ "all", "abcde" }, { "all,!cat", "abde" }, { "!cat,all", "abcde" },
	{ "bash,!worker", "a" }, { "!worker,bash", "ab" }, { "0", "e" }, { "swapper/3", "e" },
	{ "swapper/*", "e" }, { "999", "d" }, { "*", "abce" }, { "!*", "d" }, { "none", "" },
	{ "! cat", "abde" },
};

TEST_EACH(test_processes, processes)
{
	static const struct lkst_event events[] = {
		{ .tid = 100, .tgid = 100 }, /* bash */
		{ .tid = 101, .tgid = 100 }, /* a thread of bash, called worker */
		{ .tid = 200, .tgid = 200 }, /* cat */
		{ .tid = 999, .tgid = 999 }, /* unknown */
		{ .tid = 0, .tgid = 0, .cpu = 3 },
	};

	select_processes(processes[_i].words);
	ck_assert_str_eq(letters(events, NUM(events)), processes[_i].shown);
}

/*
 * Naming a process selects the events that it generates and the events about it, no matter which
 * thread generates them. Excluding a process excludes only the events that it generates.
 */
static const struct {
	const char *words, *shown, *only; /* events selected with and without selection.about */
} about[] = {
	{ "200", "acdf", "f" }, { "cat", "acdf", "f" }, { "101", "b", "" }, { "worker", "b", "" },
	{ "100", "ab", "a" }, /* the process that the worker belongs to */
	{ "swapper/3", "c", "c" }, { "!cat", "abcde", "abcde" },
	{ "cat,!bash", "cdf", "f" }, /* the last matching word counts */
	{ "!bash,cat", "acdf", "f" }, { "bash,!cat", "ab", "a" }, { "4294967295", "", "" },
	{ "all", "abcdef", "abcdef" },
};

#define UNKNOWN .tid = 999, .tgid = 999

static const struct lkst_event causes[] = {
	/* bash wakes cat, and an unknown thread wakes bash's worker */
	{ .tid = 100, .tgid = 100, .type = LKST_ETYPE_PROCESS_WAKEUP, .arg = { PACK(200, 0) } },
	{ UNKNOWN, .type = LKST_ETYPE_PROCESS_WAKEUP, .arg = { PACK(101, 0) } },
	/* CPU 3 switches from its idle thread to cat */
	{ .cpu = 3, .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH, .arg = { 'R', PACK(200, 120) } },
	/* an unknown thread sends a signal to cat */
	{ UNKNOWN, .type = LKST_ETYPE_PROCESS_SIGSEND, .arg = { PACK(15, 0), PACK(200, 0) } },
	/* an unknown thread migrates between CPUs 100 and 200, which are not tids */
	{ UNKNOWN, .type = LKST_ETYPE_PROCESS_MIGRATE, .arg = { UINT32_MAX, PACK(100, 200) } },
	/* cat makes a system call */
	{ .tid = 200, .tgid = 200, .type = LKST_ETYPE_SYSCALL_ENTRY, .arg = { PACK(999, 0) } },
};

TEST_EACH(test_processes_about, about)
{
	lkst_names_belongs(names, 101, 100);
	select_processes(about[_i].words);
	selection.about = types;
	ck_assert_str_eq(letters(causes, NUM(causes)), about[_i].shown);
	selection.about = NULL;
	ck_assert_str_eq(letters(causes, NUM(causes)), about[_i].only);
}

/* Events that other threads or interrupts generate, and that are about cat */
static const struct { const char *name; struct lkst_event event; } kinds[] = {
	{ "waking", { .type = LKST_ETYPE_PROCESS_WAKING, .arg = { PACK(200, 120), 1 } } },
	{ "wake-up", { .type = LKST_ETYPE_PROCESS_WAKEUP, .arg = { PACK(200, 120) } } },
	{ "signal", { .type = LKST_ETYPE_PROCESS_SIGSEND, .arg = { PACK(9, 0), PACK(200, 0) } } },
	{ "switch to it", { .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH,
			    .arg = { PACK(0, 'R'), PACK(200, 120) } } },
	{ "switch from it", { .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH,
			      .arg = { PACK(200, 'S'), PACK(0, 120) } } },
	{ "migration", { .type = LKST_ETYPE_PROCESS_MIGRATE, .arg = { 200, PACK(0, 1) } } },
	{ "fork by its parent", { .type = LKST_ETYPE_PROCESS_FORK, .arg = { PACK(200, 200) } } },
	{ "state dump", { .type = LKST_ETYPE_PROCESS_STATE, .arg = { PACK(200, 200), 'S' } } },
	{ "OOM kill", { .type = LKST_ETYPE_MEM_OOMKILL, .arg = { 200 } } },
	{ "hang", { .type = LKST_ETYPE_OOPS_LOCKUP, .arg = { 200, LKST_LOCKUP_TASK } } },
};

TEST_ROWS(test_processes_kinds, kinds)
{
	struct lkst_event event = kinds[_i].event;

	event.tid = event.tgid = 999;
	select_processes("200");
	selection.about = types;
	ck_assert(selected(&event));
	selection.about = NULL;
	ck_assert(!selected(&event));
	/* Now the event is about another thread, which is not selected. */
	for (int i = 0; i < 2; i++) {
		if (event.arg[i] >> 32 == 200)
			event.arg[i] += 1ull << 32;
		if (event.arg[i] == 200)
			event.arg[i]++;
	}
	selection.about = types;
	ck_assert(!selected(&event));
}

/* Events, and whether they only show LKST's own commands at work. Thread 300 is lkstbuf. */
static const struct { struct lkst_event event; bool own; } work[] = {
	{ { .tid = 300, .type = LKST_ETYPE_SYSCALL_ENTRY }, true },
	{ { .tid = 301, .type = LKST_ETYPE_SYSCALL_ENTRY }, false }, /* lkstlogger */
	{ { .tid = 100, .type = LKST_ETYPE_SYSCALL_ENTRY }, false },
	{ { .tid = 999, .type = LKST_ETYPE_SYSCALL_ENTRY }, false },
	{ { .tid = 0, .type = LKST_ETYPE_CPU_IDLE_ENTRY }, false },
	{ { .tid = 300, .type = LKST_ETYPE_INT_IPI_ENTRY, .flags = LKST_LOG_HARDIRQ }, false },
	{ { .tid = 300, .type = LKST_ETYPE_OOPS_DIE }, false },
	{ { .tid = 300, .type = LKST_ETYPE_USER_MARK }, false },
	{ { .tid = 300, .type = LKST_ETYPE_LKST_TRC_STOP }, false },
	{ { .tid = 300, .type = LKST_ETYPE_LKST_TRC_STOP + 0x10000 }, false },
	/* Separate events: lkstbuf exits, switches to idle, switches to bash, wakes bash */
	{ { .tid = 300, .type = LKST_ETYPE_PROCESS_EXIT, .arg = { PACK(300, 0) } }, true },
	{ { .tid = 300, .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH, .arg = { PACK(300, 'S'), 120 } },
	  true },
	{ { .tid = 300, .type = LKST_ETYPE_PROCESS_CONTEXTSWITCH,
	    .arg = { PACK(300, 'S'), PACK(100, 120) } }, false },
	{ { .tid = 300, .type = LKST_ETYPE_PROCESS_WAKEUP, .arg = { PACK(100, 0) } }, false },
};

TEST_EACH(test_own_work, work)
{
	lkst_names_at_end(names, 300, "lkstbuf");
	lkst_names_at_end(names, 301, "lkstlogger");
	ck_assert(selected(&work[_i].event));
	selection.others = types;
	ck_assert(selected(&work[_i].event) != work[_i].own);
}

TEST(test_processes_go_on)
{
	selection.processes = list;
	ck_assert(selected(&(struct lkst_event){ .tid = 5, .tgid = 5 }));
	select_processes("bash");
	select_processes("!100");
	ck_assert(!selected(&(struct lkst_event){ .tid = 100, .tgid = 100 }));
	lkst_processes_free(NULL);
}

static const struct { const char *words, *message; } bad[] = {
	{ "", "empty process name in \"\"" }, { "!", "empty process name in \"!\"" },
	{ "a,,b", "empty process name in \"a,,b\"" },
	{ "a,", "empty process name in \"a,\"" },
	{ "4294967296", "process \"4294967296\" is out of range: 0 to 4294967295" },
	{ "a,99999999999999999999", "process \"99999999999999999999\" is out of range" },
};

TEST_EACH(test_processes_bad, bad)
{
	ck_assert_int_eq(lkst_processes_add(list, bad[_i].words, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	assert_begins(err.text, bad[_i].message);
}

/* ---- all criteria together ---- */

static const struct { int32_t cpu; int64_t since_ns, until_ns; bool selected; } ranges[] = {
	{ -1, INT64_MIN, INT64_MAX, true }, { 1, INT64_MIN, INT64_MAX, true },
	{ 0, INT64_MIN, INT64_MAX, false },
	/* An event at since_ns or until_ns is selected, too. */
	{ -1, 1000, 1000, true }, { -1, 1001, 1000, false }, { -1, 1001, INT64_MAX, false },
	{ -1, INT64_MIN, 999, false },
};

TEST(test_selection)
{
	struct lkst_event event = { .time_ns = 1000, .cpu = 1, .type = 0x030, .tid = 5, .tgid = 5 };
	struct lkst_filter filter;

	ck_assert(selected(&event));
	for (int i = 0; i < NUM(ranges); i++) {
		selection.cpu = ranges[i].cpu;
		selection.since_ns = ranges[i].since_ns;
		selection.until_ns = ranges[i].until_ns;
		ck_assert_msg(selected(&event) == ranges[i].selected, "range %d", i);
	}
	lkst_selection_init(&selection);
	lkst_filter_init(&filter);
	selection.filter = &filter;
	ck_assert(selected(&event));
	filter.show[0x030] = false;
	ck_assert(!selected(&event));
}
