// SPDX-License-Identifier: LGPL-2.1
/*
 * Parses times that users enter: a time of day, a date, seconds since the epoch, or a time relative
 * to the oldest or newest event. Writes a time in the first of these forms.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/error.h"
#include "messages.h"
#include "timestamp.h"

#define SECOND_NS 1000000000ll
#define DAY_NS	  (86400 * SECOND_NS)
#define WHOLE_MAX 9000000000ll /* seconds; this many fit into 64 bits as nanoseconds */

/* Convert ".5" to nanoseconds. Digits after the ninth are ignored. */
static bool timestamp_parse_fraction(const char **text, int64_t *ns)
{
	int64_t unit = SECOND_NS / 10;

	*ns = 0;
	if (**text != '.')
		return true;
	if (!isdigit((unsigned char)*++*text))
		return false;
	for (; isdigit((unsigned char)**text); ++*text, unit /= 10)
		*ns += (**text - '0') * unit;
	return true;
}

/* Parse exactly @digits digits; 0: any number of digits. */
static bool timestamp_parse_digits(const char **text, int digits, int64_t max, int64_t *value)
{
	int n = 0;

	for (*value = 0; isdigit((unsigned char)**text) && (!digits || n < digits); n++) {
		*value = *value * 10 + (*(*text)++ - '0');
		if (*value > max)
			return false;
	}
	return digits ? n == digits : n > 0;
}

/* Parse "HH:MM" or "HH:MM:SS.frac", up to the end of the text. */
static bool timestamp_parse_clock(const char *text, int64_t *ns)
{
	int64_t hour, minute, second = 0, fraction = 0;
	const char *start = text;

	if (!timestamp_parse_digits(&text, 0, 23, &hour) || text - start > 2 || *text++ != ':' ||
	    !timestamp_parse_digits(&text, 2, 59, &minute))
		return false;
	if (*text == ':' && (++text, !timestamp_parse_digits(&text, 2, 59, &second) ||
					     !timestamp_parse_fraction(&text, &fraction)))
		return false;
	*ns = ((hour * 60 + minute) * 60 + second) * SECOND_NS + fraction;
	return !*text;
}

static int64_t timestamp_to_epoch(struct tm *tm, bool utc)
{
	tm->tm_isdst = -1;
	return (int64_t)(utc ? timegm(tm) : mktime(tm));
}

/* Return a time in ns, clamped to 64 bits: a damaged trace may contain any time. */
static int64_t timestamp_saturated(int64_t seconds, int64_t ns)
{
	int64_t sum;

	if (__builtin_mul_overflow(seconds, SECOND_NS, &sum) ||
	    __builtin_add_overflow(sum, ns, &sum))
		return seconds < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

/*
 * Return a time of day on the given day, in ns since the epoch. The C library converts the time,
 * because days on which daylight saving time changes do not have 24 hours.
 */
static int64_t timestamp_on_day(const struct tm *day, int64_t ns, bool utc)
{
	int64_t second = ns / SECOND_NS;
	struct tm tm = {
		.tm_year = day->tm_year,
		.tm_mon = day->tm_mon,
		.tm_mday = day->tm_mday,
		.tm_hour = (int)(second / 3600),
		.tm_min = (int)(second / 60 % 60),
		.tm_sec = (int)(second % 60),
	};

	return timestamp_saturated(timestamp_to_epoch(&tm, utc), ns % SECOND_NS);
}

/* Parse "YYYY-MM-DD", optionally followed by a space or "T" and a time of day. */
static bool timestamp_parse_date(const char *text, bool utc, int64_t *ns)
{
	int64_t year, month, day, clock = 0;
	struct tm tm, check;

	if (!timestamp_parse_digits(&text, 4, 2250, &year) || year < 1970 || *text++ != '-' ||
	    !timestamp_parse_digits(&text, 2, 12, &month) || !month || *text++ != '-' ||
	    !timestamp_parse_digits(&text, 2, 31, &day) || !day)
		return false;
	if (*text && ((*text != ' ' && *text != 'T') || !timestamp_parse_clock(text + 1, &clock)))
		return false;
	tm = (struct tm){ .tm_year = (int)year - 1900,
			  .tm_mon = (int)month - 1,
			  .tm_mday = (int)day };
	check = tm;
	timegm(&check);
	if (check.tm_mday != tm.tm_mday)
		return false; /* the month does not have this day */
	*ns = timestamp_on_day(&tm, clock, utc);
	return true;
}

/* Parse "5", "5s" or "1.5m", up to the end of the text; the default unit is the second. */
static bool timestamp_parse_span(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "", SECOND_NS },
		{ "s", SECOND_NS },
		{ "ms", 1000000 },
		{ "us", 1000 },
		{ "ns", 1 },
		{ "m", 60 * SECOND_NS },
		{ "h", 3600 * SECOND_NS },
		{ "d", DAY_NS },
	};
	int64_t whole, fraction, product;

	if (!timestamp_parse_digits(&text, 0, INT64_MAX / 20, &whole) ||
	    !timestamp_parse_fraction(&text, &fraction))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(text, units[i].name) != 0)
			continue;
		if (__builtin_mul_overflow(whole, units[i].ns, &product) ||
		    product > WHOLE_MAX * SECOND_NS)
			return false;
		*ns = product + (int64_t)((double)fraction / SECOND_NS * (double)units[i].ns);
		return true;
	}
	return false;
}

static bool timestamp_parse_epoch(const char *text, int64_t *ns)
{
	int64_t whole, fraction;

	if (!timestamp_parse_digits(&text, 0, WHOLE_MAX, &whole) ||
	    !timestamp_parse_fraction(&text, &fraction))
		return false;
	*ns = whole * SECOND_NS + fraction;
	return !*text;
}

/**
 * lkst_timestamp_parse() - parse a time
 * @name: name of the time, for the error message
 * @text: "HH:MM:SS.frac", "YYYY-MM-DD HH:MM:SS.frac", "@SECONDS.frac" since the epoch, "-5s" before
 *	the newest event, or "+5s" after the oldest one; ms, us, ns, m, h and d are other units
 * @utc: dates and times of day are in UTC, not in local time
 * @timestamp: result
 * @err: set if the text is invalid
 */
int lkst_timestamp_parse(const char *name, const char *text, bool utc,
			 struct lkst_timestamp *timestamp, struct lkst_error *err)
{
	bool good;

	*timestamp = (struct lkst_timestamp){ .utc = utc };
	switch (*text) {
	case '@':
		good = timestamp_parse_epoch(text + 1, &timestamp->ns);
		break;
	case '-':
		timestamp->from = LKST_TIMESTAMP_NEWEST;
		good = timestamp_parse_span(text + 1, &timestamp->ns);
		timestamp->ns = -timestamp->ns;
		break;
	case '+':
		timestamp->from = LKST_TIMESTAMP_OLDEST;
		good = timestamp_parse_span(text + 1, &timestamp->ns);
		break;
	default:
		good = timestamp_parse_date(text, utc, &timestamp->ns);
		if (!good) {
			timestamp->from = LKST_TIMESTAMP_DAY;
			good = timestamp_parse_clock(text, &timestamp->ns);
		}
	}
	if (!good)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_TIMESTAMP, name, text);
	return good ? 0 : -1;
}

static uint64_t timestamp_distance(int64_t ns, int64_t oldest_ns, int64_t newest_ns)
{
	if (ns < oldest_ns)
		return (uint64_t)oldest_ns - (uint64_t)ns;
	return ns > newest_ns ? (uint64_t)ns - (uint64_t)newest_ns : 0;
}

/*
 * Choose the day for a time without a date: the last day on which that time is within the trace or,
 * failing that, the day that puts it closest to the trace. Returns ns since the epoch.
 */
static int64_t timestamp_nearest_day(const struct lkst_timestamp *timestamp, int64_t oldest_ns,
				     int64_t newest_ns)
{
	time_t second = (time_t)(newest_ns / SECOND_NS);
	int64_t best = 0;
	struct tm day;

	if (!(timestamp->utc ? gmtime_r(&second, &day) : localtime_r(&second, &day)))
		return timestamp->ns;
	day.tm_mday++;
	for (int i = 0; i < 3; i++, day.tm_mday--) {
		int64_t ns = timestamp_on_day(&day, timestamp->ns, timestamp->utc);

		if (!i || timestamp_distance(ns, oldest_ns, newest_ns) <
				  timestamp_distance(best, oldest_ns, newest_ns))
			best = ns;
	}
	return best;
}

/**
 * lkst_timestamp_resolve() - convert a parsed time to a time in a trace
 * @timestamp: from lkst_timestamp_parse()
 * @oldest_ns: time of the oldest event of the trace
 * @newest_ns: time of the newest event
 *
 * Return: nanoseconds since the epoch.
 */
int64_t lkst_timestamp_resolve(const struct lkst_timestamp *timestamp, int64_t oldest_ns, int64_t newest_ns)
{
	int64_t ns;

	switch (timestamp->from) {
	case LKST_TIMESTAMP_NEWEST:
		if (__builtin_add_overflow(newest_ns, timestamp->ns, &ns))
			ns = INT64_MIN;
		return ns;
	case LKST_TIMESTAMP_OLDEST:
		if (__builtin_add_overflow(oldest_ns, timestamp->ns, &ns))
			ns = INT64_MAX;
		return ns;
	case LKST_TIMESTAMP_DAY:
		return timestamp_nearest_day(timestamp, oldest_ns, newest_ns);
	default:
		return timestamp->ns;
	}
}

/**
 * lkst_span_parse() - parse a span of time
 * @name: name of the span, for the error message
 * @text: "1ms", "2.5s"; without a unit, seconds
 * @ns: result, greater than 0
 * @err: set if the text is invalid
 */
int lkst_span_parse(const char *name, const char *text, int64_t *ns, struct lkst_error *err)
{
	if (timestamp_parse_span(text, ns) && *ns > 0)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SPAN_TEXT, name, text);
	return -1;
}

/**
 * lkst_timestamp_text() - write a local time of day that lkst_timestamp_parse() accepts
 * @time_ns: nanoseconds since the epoch. They are rounded down, so that "--since" with this time
 *	includes an event of @time_ns
 * @text: result
 *
 * Return: @text.
 */
const char *lkst_timestamp_text(int64_t time_ns, char text[LKST_TIMESTAMP_SIZE])
{
	int64_t second = time_ns / SECOND_NS, ns = time_ns % SECOND_NS;
	struct tm tm = { 0 };
	time_t t;

	if (ns < 0) {
		ns += SECOND_NS;
		second--;
	}
	t = (time_t)second;
	localtime_r(&t, &tm); /* cannot fail: 64 bits of nanoseconds end in the year 2262 */
	snprintf(text, LKST_TIMESTAMP_SIZE, "%02u:%02u:%02u.%06u", (unsigned int)tm.tm_hour % 24,
		 (unsigned int)tm.tm_min % 60, (unsigned int)tm.tm_sec % 60,
		 (unsigned int)(ns / 1000) % 1000000);
	return text;
}
