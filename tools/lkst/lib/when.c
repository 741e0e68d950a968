// SPDX-License-Identifier: LGPL-2.1
/* Moments as users write them: a time of day, a date, seconds of the epoch, or so long ago. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "messages.h"

#define SECOND_NS 1000000000ll
#define DAY_NS	  (86400 * SECOND_NS)
#define WHOLE_MAX 9000000000ll /* seconds that 64 bits of nanoseconds have room for */

/* ".5" to nanoseconds; what is finer than those is left out. */
static bool parse_fraction(const char **text, int64_t *ns)
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

/* Exactly so many digits, or 0: any number of them. */
static bool parse_digits(const char **text, int digits, int64_t max, int64_t *value)
{
	int n = 0;

	for (*value = 0; isdigit((unsigned char)**text) && (!digits || n < digits); n++) {
		*value = *value * 10 + (*(*text)++ - '0');
		if (*value > max)
			return false;
	}
	return digits ? n == digits : n > 0;
}

/* "HH:MM" or "HH:MM:SS.frac", up to the end. */
static bool parse_clock(const char *text, int64_t *ns)
{
	int64_t hour, minute, second = 0, fraction = 0;
	const char *start = text;

	if (!parse_digits(&text, 0, 23, &hour) || text - start > 2 || *text++ != ':' ||
	    !parse_digits(&text, 2, 59, &minute))
		return false;
	if (*text == ':' &&
	    (++text, !parse_digits(&text, 2, 59, &second) || !parse_fraction(&text, &fraction)))
		return false;
	*ns = ((hour * 60 + minute) * 60 + second) * SECOND_NS + fraction;
	return !*text;
}

static int64_t to_epoch(struct tm *tm, bool utc)
{
	tm->tm_isdst = -1;
	return (int64_t)(utc ? timegm(tm) : mktime(tm));
}

/* What a damaged trace has the wrong time for is as far away as can be. */
static int64_t timestamp_saturated(int64_t seconds, int64_t ns)
{
	int64_t sum;

	if (__builtin_mul_overflow(seconds, SECOND_NS, &sum) ||
	    __builtin_add_overflow(sum, ns, &sum))
		return seconds < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

/* Nanoseconds of a day, whose hours are not always 24. */
static int64_t on_day(const struct tm *day, int64_t ns, bool utc)
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

	return timestamp_saturated(to_epoch(&tm, utc), ns % SECOND_NS);
}

/* "YYYY-MM-DD", alone or with a time of day after a blank or "T". */
static bool parse_date(const char *text, bool utc, int64_t *ns)
{
	int64_t year, month, day, clock = 0;
	struct tm tm, check;

	if (!parse_digits(&text, 4, 2250, &year) || year < 1970 || *text++ != '-' ||
	    !parse_digits(&text, 2, 12, &month) || !month || *text++ != '-' ||
	    !parse_digits(&text, 2, 31, &day) || !day)
		return false;
	if (*text && ((*text != ' ' && *text != 'T') || !parse_clock(text + 1, &clock)))
		return false;
	tm = (struct tm){ .tm_year = (int)year - 1900,
			  .tm_mon = (int)month - 1,
			  .tm_mday = (int)day };
	check = tm;
	timegm(&check);
	if (check.tm_mday != tm.tm_mday)
		return false; /* no such day in that month */
	*ns = on_day(&tm, clock, utc);
	return true;
}

/* "5", "5s", "1.5m", up to the end: a number of seconds or of something else. */
static bool parse_span(const char *text, int64_t *ns)
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

	if (!parse_digits(&text, 0, INT64_MAX / 20, &whole) || !parse_fraction(&text, &fraction))
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

static bool parse_epoch(const char *text, int64_t *ns)
{
	int64_t whole, fraction;

	if (!parse_digits(&text, 0, WHOLE_MAX, &whole) || !parse_fraction(&text, &fraction))
		return false;
	*ns = whole * SECOND_NS + fraction;
	return !*text;
}

/**
 * lkst_timestamp_parse() - parse a moment
 * @what: it is, for the error
 * @text: "HH:MM:SS.frac", "YYYY-MM-DD HH:MM:SS.frac", "@SECONDS.frac" of the epoch, "-5s" before
 *	the newest event, "+5s" after the oldest one; ms, us, ns, m, h and d are other units
 * @utc: dates and times of day are in UTC, not in local time
 * @when: result
 * @err: what is wrong with it
 */
int lkst_timestamp_parse(const char *what, const char *text, bool utc, struct lkst_timestamp *when,
		    struct lkst_error *err)
{
	bool good;

	*when = (struct lkst_timestamp){ .utc = utc };
	switch (*text) {
	case '@':
		good = parse_epoch(text + 1, &when->ns);
		break;
	case '-':
		when->from = LKST_TIMESTAMP_NEWEST;
		good = parse_span(text + 1, &when->ns);
		when->ns = -when->ns;
		break;
	case '+':
		when->from = LKST_TIMESTAMP_OLDEST;
		good = parse_span(text + 1, &when->ns);
		break;
	default:
		good = parse_date(text, utc, &when->ns);
		if (!good) {
			when->from = LKST_TIMESTAMP_DAY;
			good = parse_clock(text, &when->ns);
		}
	}
	if (!good)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_TIMESTAMP, what, text);
	return good ? 0 : -1;
}

static uint64_t distance(int64_t ns, int64_t oldest_ns, int64_t newest_ns)
{
	if (ns < oldest_ns)
		return (uint64_t)oldest_ns - (uint64_t)ns;
	return ns > newest_ns ? (uint64_t)ns - (uint64_t)newest_ns : 0;
}

/* On the day that brings it into the trace, the last one if there are several, or nearest to it. */
static int64_t nearest_day(const struct lkst_timestamp *when, int64_t oldest_ns, int64_t newest_ns)
{
	time_t second = (time_t)(newest_ns / SECOND_NS);
	int64_t best = 0;
	struct tm day;

	if (!(when->utc ? gmtime_r(&second, &day) : localtime_r(&second, &day)))
		return when->ns;
	day.tm_mday++;
	for (int i = 0; i < 3; i++, day.tm_mday--) {
		int64_t ns = on_day(&day, when->ns, when->utc);

		if (!i || distance(ns, oldest_ns, newest_ns) < distance(best, oldest_ns, newest_ns))
			best = ns;
	}
	return best;
}

/**
 * lkst_timestamp_resolve() - the moment in a trace
 * @when: from lkst_timestamp_parse()
 * @oldest_ns: time of the trace's oldest event
 * @newest_ns: time of its newest event
 *
 * Return: nanoseconds since the epoch.
 */
int64_t lkst_timestamp_resolve(const struct lkst_timestamp *when, int64_t oldest_ns, int64_t newest_ns)
{
	int64_t ns;

	switch (when->from) {
	case LKST_TIMESTAMP_NEWEST:
		if (__builtin_add_overflow(newest_ns, when->ns, &ns))
			ns = INT64_MIN;
		return ns;
	case LKST_TIMESTAMP_OLDEST:
		if (__builtin_add_overflow(oldest_ns, when->ns, &ns))
			ns = INT64_MAX;
		return ns;
	case LKST_TIMESTAMP_DAY:
		return nearest_day(when, oldest_ns, newest_ns);
	default:
		return when->ns;
	}
}

/**
 * lkst_span_parse() - a span of time as users write it
 * @what: names it in errors
 * @text: "1ms", "2.5s"; without a unit, seconds
 * @ns: result, more than 0
 * @err: why not
 */
int lkst_span_parse(const char *what, const char *text, int64_t *ns, struct lkst_error *err)
{
	if (parse_span(text, ns) && *ns > 0)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SPAN_TEXT, what, text);
	return -1;
}
