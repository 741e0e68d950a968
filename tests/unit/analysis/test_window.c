// SPDX-License-Identifier: GPL-2.0
/* The window of an analysis: which part of a trace it covers, and how it is shown. */
#include "lib/trace/trace.h"
#include "lib/trace/write.h"
#include "lib/base/temporary.h"
#include "lkstla/analysis.h"
#include "lkstla/window.h"
#include "must.h"
#include "sample.h"
#include "tap.h"

#define S 1000000000ll

static void setup(void)
{
	setenv("TZ", "UTC", 1);
}

TESTS(.setup = setup);

/*
 * The trace lasts from second 0 to 10, and all CPUs have records from second 4 on. @begin and @end
 * are in milliseconds. If @says is set, the window is refused with this message.
 */
static const struct {
	const char *name;
	bool any;
	const char *since, *until;
	int64_t last_s;
	int64_t begin, end;
	const char *says;
} windows[] = {
	{ "all", false, NULL, NULL, 0, 4000, 10000, NULL },
	{ "any", true, NULL, NULL, 0, 0, 10000, NULL },
	{ "since", false, "+5s", NULL, 0, 5000, 10000, NULL },
	{ "since, before all CPUs have records", false, "+1s", NULL, 0, 4000, 10000, NULL },
	{ "since with any", true, "+1s", NULL, 0, 1000, 10000, NULL },
	{ "since, a time of day", false, "03:04:12", NULL, 0, 7000, 10000, NULL },
	{ "since, before the trace", false, "2020-01-01", NULL, 0, 4000, 10000, NULL },
	{ "until", false, NULL, "-2s", 0, 4000, 8000, NULL },
	{ "until, after the trace", false, NULL, "2030-01-01", 0, 4000, 10000, NULL },
	{ "since and until", false, "+5s", "+5001ms", 0, 5000, 5001, NULL },
	{ "last", false, NULL, NULL, 3, 7000, 10000, NULL },
	{ "last, longer than the window", false, NULL, NULL, 9, 4000, 10000, NULL },
	{ "last with any", true, NULL, NULL, 9, 1000, 10000, NULL },
	{ "last, longer than the trace", true, NULL, NULL, 9000000000, 0, 10000, NULL },
	{ "last before until", false, NULL, "+6s", 1, 5000, 6000, NULL },
	{ "since, after the trace", false, "03:05", NULL, 0, 0, 0,
	  "--since \"03:05\" is later than the trace; "
	  "the trace is from 2026-01-02 03:04:05.000000 to "
	  "2026-01-02 03:04:15.000000\nAll CPUs have records from 2026-01-02 03:04:09.000000 on" },
	{ "until, before the trace", false, NULL, "2026-01-01", 0, 0, 0,
	  "--until \"2026-01-01\" is earlier than the trace; the trace is from " },
	{ "until, before all CPUs have records", false, NULL, "+3s", 0, 0, 0,
	  "the window is empty; the trace is from 2026-01-02 03:04:05.000000 to " },
	{ "since is until", false, "+5s", "+5s", 0, 0, 0, "the window is empty" },
	{ "since is the end", false, "-0s", NULL, 0, 0, 0, "the window is empty" },
	{ "since after until", false, "+6s", "+5s", 0, 0, 0,
	  "--since \"+6s\" is later than --until \"+5s\"" },
};

TEST_ROWS(test_choose, windows)
{
	const struct trace_bounds bounds = { 0, SAMPLE_NS, SAMPLE_NS + 4 * S, SAMPLE_NS + 10 * S };
	const struct common_arguments args = {
		.any = windows[_i].any,
		.times = { windows[_i].since, windows[_i].until, false },
		.last = windows[_i].last_s ? "" : NULL,
		.last_ns = windows[_i].last_s * S,
	};
	struct window window;
	int ret = window_choose(&args, &bounds, &window, &err);

	if (windows[_i].says) {
		ck_assert_int_eq(ret, -1);
		assert_begins(err.text, windows[_i].says);
		return;
	}
	assert_ok(ret);
	ck_assert_int_eq(window.begin_ns - SAMPLE_NS, windows[_i].begin * 1000000);
	ck_assert_int_eq(window.end_ns - SAMPLE_NS, windows[_i].end * 1000000);
}
END_TEST

TEST(test_one_event)
{
	const struct trace_bounds bounds = { 0, SAMPLE_NS, SAMPLE_NS, SAMPLE_NS };
	const struct common_arguments args = { .any = true };
	struct window window;

	ck_assert_int_eq(window_choose(&args, &bounds, &window, &err), -1);
	ck_assert_str_eq(err.text, "the window is empty; the trace is from "
				   "2026-01-02 03:04:05.000000 to 2026-01-02 03:04:05.000000");
}
END_TEST

static const struct {
	const char *name;
	struct window window;
	const char *text;
} texts[] = {
	{ "seconds",
	  { SAMPLE_NS + 123456789, SAMPLE_NS + 6 * S + 323456789 },
	  "03:04:05.1 .. 03:04:11.3 (6.2 s" },
	{ "milliseconds",
	  { SAMPLE_NS, SAMPLE_NS + 12345678 },
	  "03:04:05.0000 .. 03:04:05.0123 (12.3 ms" },
	{ "microseconds",
	  { SAMPLE_NS, SAMPLE_NS + 11100 },
	  "03:04:05.0000000 .. 03:04:05.0000111 (11.1 us" },
	{ "nanoseconds",
	  { SAMPLE_NS, SAMPLE_NS + 7 },
	  "03:04:05.000000000 .. 03:04:05.000000007 (7 ns" },
	{ "days",
	  { SAMPLE_NS, SAMPLE_NS + 86400 * S },
	  "2026-01-02 03:04:05.0 .. 2026-01-03 03:04:05.0 (86400.0 s" },
	{ "before the epoch",
	  { -S / 2, S / 2 },
	  "1969-12-31 23:59:59.5 .. 1970-01-01 00:00:00.5 (1.0 s" },
	{ "everything",
	  { INT64_MIN, INT64_MAX },
	  "1677-09-21 00:12:43.1 .. 2262-04-11 23:47:16.8 (18446744073.7 s" },
};

TEST_ROWS(test_text, texts)
{
	char text[WINDOW_TEXT];

	window_text(&texts[_i].window, text);
	ck_assert_str_eq(text, texts[_i].text);
}
END_TEST

/* A record in a trace. Its time is in milliseconds. */
struct bounds_record {
	int32_t cpu;
	uint64_t recid;
	int64_t ms;
};

#define STATIC (-1) /* CPU of records in the static buffer */

static const struct {
	const char *name;
	struct bounds_record record[4];
	size_t num;
	int64_t oldest, complete, newest;
} bounds_rows[] = {
	{ "one CPU", { { 0, 7, 3 }, { 0, 8, 9 } }, 2, 3, 3, 9 },
	{ "two CPUs that lack records",
	  { { 0, 7, 1 }, { 0, 8, 9 }, { 1, 5, 4 }, { 1, 6, 8 } },
	  4,
	  1,
	  4,
	  9 },
	{ "a CPU that lacks nothing",
	  { { 0, 7, 1 }, { 0, 8, 9 }, { 1, 0, 4 }, { 1, 1, 8 } },
	  4,
	  1,
	  1,
	  9 },
	{ "no CPU lacks anything", { { 0, 0, 2 }, { 1, 0, 3 }, { 2, 0, 4 } }, 3, 2, 2, 4 },
	{ "the static buffer", { { 0, 0, 2 }, { 0, 1, 5 }, { STATIC, 9, 4 } }, 3, 2, 2, 5 },
};

static struct lkst_trace *make_trace(const struct bounds_record *record, size_t num, int *fd)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;

	*fd = lkst_temporary_file(&err);
	writer = lkst_trace_writer_temporary(*fd, &err);
	assert_made(writer);
	assert_ok(sample_write_etypes(writer, &err));
	for (size_t i = 0; i < num; i++) {
		const struct bounds_record *from = &record[i];
		int32_t cpu = from->cpu == STATIC ? 0 : from->cpu;
		struct lkst_log_buffer buffer =
			sample_buffer(from->cpu, from->cpu == STATIC ? LKST_BUFFER_ID_VOID : 0);
		struct lkst_log_record one = sample_record(cpu, from->recid,
							   SAMPLE_NS + from->ms * 1000000,
							   LKST_ETYPE_LKST_TRC_START, 1, NULL);

		assert_ok(lkst_trace_write_records(writer, &buffer, &one, 1, &err));
	}
	assert_ok(lkst_trace_write_end(writer, &err));
	assert_ok(lkst_trace_writer_commit(writer, &err));
	trace = lkst_trace_open_fd(*fd, "trace", NULL, &err);
	assert_made(trace);
	return trace;
}

TEST_ROWS(test_bounds, bounds_rows)
{
	struct trace_bounds bounds;
	struct lkst_trace *trace;
	struct lkst_event event;
	int fd;

	trace = make_trace(bounds_rows[_i].record, bounds_rows[_i].num, &fd);
	assert_ok(window_bounds(trace, &bounds, &err));
	ck_assert_int_eq(bounds.oldest_ns - SAMPLE_NS, bounds_rows[_i].oldest * 1000000);
	ck_assert_int_eq(bounds.complete_ns - SAMPLE_NS, bounds_rows[_i].complete * 1000000);
	ck_assert_int_eq(bounds.newest_ns - SAMPLE_NS, bounds_rows[_i].newest * 1000000);
	/* The trace can still be read from its start. */
	assert_ok(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err));
	for (size_t i = 0; i < bounds_rows[_i].num; i++)
		ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 1);
	ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 0);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

TEST(test_bounds_empty)
{
	struct trace_bounds bounds;
	struct lkst_trace *trace;
	int fd;

	trace = make_trace(NULL, 0, &fd);
	ck_assert_int_eq(window_bounds(trace, &bounds, &err), 1);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST
