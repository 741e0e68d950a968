/* SPDX-License-Identifier: LGPL-2.1 */
/* Parses times and spans of time that users enter, and writes times that users can enter. */
#ifndef _LKST_LIB_TEXT_TIMESTAMP_H
#define _LKST_LIB_TEXT_TIMESTAMP_H

#include "lib/lkst.h"

enum lkst_timestamp_from {
	LKST_TIMESTAMP_EPOCH,
	LKST_TIMESTAMP_DAY,		/* midnight of a day chosen by lkst_timestamp_resolve() */
	LKST_TIMESTAMP_NEWEST,	/* the newest event */
	LKST_TIMESTAMP_OLDEST,
};

/**
 * struct lkst_timestamp - a time that a user gave
 * @from: what the time is relative to
 * @utc: the day is in UTC, not in local time
 * @ns: nanoseconds after @from
 */
struct lkst_timestamp {
	enum lkst_timestamp_from from;
	bool utc;
	int64_t ns;
};

int lkst_timestamp_parse(const char *name, const char *text, bool utc,
			 struct lkst_timestamp *timestamp, struct lkst_error *err);
int lkst_span_parse(const char *name, const char *text, int64_t *ns, struct lkst_error *err);
int64_t lkst_timestamp_resolve(const struct lkst_timestamp *timestamp, int64_t oldest_ns, int64_t newest_ns);

#define LKST_TIMESTAMP_SIZE	sizeof("HH:MM:SS.uuuuuu")

const char *lkst_timestamp_text(int64_t time_ns, char text[LKST_TIMESTAMP_SIZE]);

#endif
