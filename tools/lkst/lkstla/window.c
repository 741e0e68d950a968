// SPDX-License-Identifier: GPL-2.0
/*
 * Determines the window: the time that an analysis covers.
 *
 * The buffers of the CPUs fill at different rates, so the records of one CPU may begin long before
 * those of another. By default, the window begins when all CPUs have records: before that, figures
 * for the whole machine would be wrong. If the first record of a CPU has the recid 0, no earlier
 * record of this CPU is missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis.h"
#include "cli/messages.h"
#include "lib/base/error.h"
#include "lib/trace/trace.h"
#include "messages.h"
#include "window.h"

#define WINDOW_CPUS 8192
#define SECOND_NS   1000000000

/* The oldest record of a CPU. In a damaged trace, a CPU may have several sequences of records. */
struct first_record {
	bool known;
	uint64_t recid;
	int64_t time_ns;
};

static void window_add_first(struct first_record first[WINDOW_CPUS], const struct lkst_event *event)
{
	struct first_record *of;

	/*
	 * Ignore the static buffer. All CPUs share it, so its recids do not count the events of a
	 * single CPU.
	 */
	if (event->cpu < 0 || event->cpu >= WINDOW_CPUS || event->buffer == LKST_BUFFER_ID_VOID)
		return;
	of = &first[event->cpu];
	if (!of->known || event->time_ns < of->time_ns)
		*of = (struct first_record){ true, event->recid, event->time_ns };
}

static int window_read_firsts(struct lkst_trace *trace, struct trace_bounds *bounds,
			      struct first_record first[WINDOW_CPUS], struct lkst_error *err)
{
	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err))
		return -1;
	for (size_t i = 0; i < lkst_trace_lanes(trace); i++) {
		struct lkst_event event;
		int ret = lkst_trace_lane_first(trace, i, &event, err);

		if (ret < 0)
			return -1;
		if (!ret || lkst_trace_boot(trace, event.source) != bounds->boot)
			continue;
		if (event.time_ns < bounds->oldest_ns)
			bounds->oldest_ns = event.time_ns;
		window_add_first(first, &event);
	}
	return 0;
}

/**
 * window_bounds() - find the times of the newest boot in a trace
 * @trace: trace; the caller must call lkst_trace_rewind() before it reads events
 * @bounds: result
 * @err: set on failure
 *
 * Return: 0; 1 if the trace is empty; -1 on error.
 */
int window_bounds(struct lkst_trace *trace, struct trace_bounds *bounds, struct lkst_error *err)
{
	struct first_record *first;
	struct lkst_event event;
	int ret;

	if (lkst_trace_rewind(trace, LKST_NEWEST_FIRST, err))
		return -1;
	ret = lkst_trace_next(trace, &event, err);
	if (ret <= 0)
		return ret ? ret : 1;
	bounds->boot = lkst_trace_boot(trace, event.source);
	bounds->newest_ns = bounds->oldest_ns = event.time_ns;
	first = calloc(WINDOW_CPUS, sizeof(*first));
	if (!first) {
		lkst_error_memory(err, "CPUs");
		return -1;
	}
	ret = window_read_firsts(trace, bounds, first, err);
	bounds->complete_ns = bounds->oldest_ns;
	for (size_t i = 0; i < WINDOW_CPUS; i++)
		if (first[i].known && first[i].recid && first[i].time_ns > bounds->complete_ns)
			bounds->complete_ns = first[i].time_ns;
	free(first);
	return ret;
}

/* Convert to local time, rounding down to seconds. */
static void window_local_time(int64_t ns, struct tm *tm)
{
	time_t second = (time_t)(ns / SECOND_NS - (ns % SECOND_NS < 0));

	*tm = (struct tm){ 0 };
	localtime_r(&second, tm);
}

/* Format a time of day, with the date if @date is true, and with @decimals digits of the second. */
static void window_moment_text(int64_t ns, bool date, int decimals, char *text, size_t size)
{
	int64_t part = (ns % SECOND_NS + SECOND_NS) % SECOND_NS;
	char digits[16];
	struct tm tm;
	size_t len;

	window_local_time(ns, &tm);
	len = strftime(text, size, date ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	snprintf(digits, sizeof(digits), "%09lld", (long long)part);
	snprintf(text + len, size - len, ".%.*s", decimals, digits);
}

/* Return the number of decimals of a second that are suitable for times in a window. */
static int window_decimals(uint64_t length_ns)
{
	return length_ns >= SECOND_NS	     ? 1 :
	       length_ns >= SECOND_NS / 1000 ? 4 :
	       length_ns >= 1000	     ? 7 :
					       9;
}

static bool window_same_day(int64_t a_ns, int64_t b_ns)
{
	struct tm x, y;

	window_local_time(a_ns, &x);
	window_local_time(b_ns, &y);
	return x.tm_year == y.tm_year && x.tm_yday == y.tm_yday;
}

/**
 * window_time_text() - format a time with as many decimals as the start and the end of the window
 * @window: window
 * @ns: time
 * @text: result
 */
void window_time_text(const struct window *window, int64_t ns, char text[48])
{
	window_moment_text(ns, !window_same_day(window->begin_ns, window->end_ns),
			   window_decimals((uint64_t)window->end_ns - (uint64_t)window->begin_ns),
			   text, 48);
}

/**
 * window_length_text() - format the length of a window or of a part of it
 * @ns: length
 * @text: result, such as "6.2 s"
 * @size: size of @text
 */
void window_length_text(uint64_t ns, char *text, size_t size)
{
	double length = (double)ns;

	if (ns >= SECOND_NS)
		snprintf(text, size, "%.1f s", length / 1e9);
	else if (ns >= SECOND_NS / 1000)
		snprintf(text, size, "%.1f ms", length / 1e6);
	else if (ns >= 1000)
		snprintf(text, size, "%.1f us", length / 1e3);
	else
		snprintf(text, size, "%.0f ns", length);
}

/**
 * window_text() - format the start and the end of a window, and its length
 * @window: window
 * @text: result, such as "22:52:05.1 .. 22:52:11.3 (6.2 s". The caller adds ")"
 */
void window_text(const struct window *window, char text[WINDOW_TEXT])
{
	char begin[48], end[48], size[32];

	window_time_text(window, window->begin_ns, begin);
	window_time_text(window, window->end_ns, end);
	window_length_text((uint64_t)window->end_ns - (uint64_t)window->begin_ns, size,
			   sizeof(size));
	snprintf(text, WINDOW_TEXT, "%s .. %s (%s", begin, end, size);
}

static void window_refuse(const char *what, const struct trace_bounds *bounds,
			  struct lkst_error *err)
{
	char oldest[48], complete[48], newest[48];

	window_moment_text(bounds->oldest_ns, true, 6, oldest, sizeof(oldest));
	window_moment_text(bounds->complete_ns, true, 6, complete, sizeof(complete));
	window_moment_text(bounds->newest_ns, true, 6, newest, sizeof(newest));
	if (bounds->complete_ns == bounds->oldest_ns)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NOTHING, what, oldest, newest);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WINDOW, what, oldest, newest, complete);
}

/* Limit the window to the time that --since, --until and --last select. */
static int window_narrow(const struct common_arguments *args, const struct trace_bounds *bounds,
			 struct window *window, struct lkst_error *err)
{
	int64_t since = INT64_MIN, until = INT64_MAX;
	char what[128];

	if (times_apply(&args->times, bounds->oldest_ns, bounds->newest_ns, &since, &until, err))
		return -1;
	if (since > bounds->newest_ns) {
		snprintf(what, sizeof(what), MSG_SINCE_LATE, args->times.since);
		window_refuse(what, bounds, err);
		return -1;
	}
	if (until < bounds->oldest_ns) {
		snprintf(what, sizeof(what), MSG_UNTIL_EARLY, args->times.until);
		window_refuse(what, bounds, err);
		return -1;
	}
	if (until < window->end_ns)
		window->end_ns = until;
	if (args->last && __builtin_sub_overflow(window->end_ns, args->last_ns, &since))
		since = INT64_MIN;
	if (since > window->begin_ns)
		window->begin_ns = since;
	return 0;
}

/**
 * window_choose() - determine the window
 * @args: the common options
 * @bounds: the times of the trace
 * @window: result
 * @err: set if the window is empty or outside of the trace. The message contains the times of the
 *	trace
 */
int window_choose(const struct common_arguments *args, const struct trace_bounds *bounds,
		  struct window *window, struct lkst_error *err)
{
	window->begin_ns = args->any ? bounds->oldest_ns : bounds->complete_ns;
	window->end_ns = bounds->newest_ns;
	if (window_narrow(args, bounds, window, err))
		return -1;
	if (window->begin_ns < window->end_ns)
		return 0;
	window_refuse(MSG_WINDOW_EMPTY, bounds, err);
	return -1;
}
