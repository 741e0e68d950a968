/* SPDX-License-Identifier: GPL-2.0 */
/* The options --since and --until. */
#ifndef _TIMES_H
#define _TIMES_H

#include "lib/lkst.h"
#include "options.h"

/**
 * struct time_arguments - options that select a span of time
 * @since: argument of --since
 * @until: argument of --until
 * @utc: dates and times of day are in UTC
 */
struct time_arguments {
	const char *since;
	const char *until;
	bool utc;
};

/* Option rows; @type must have a member @member of type struct time_arguments. */
#define OPT_TIMES(type, member)								\
	OPT_TEXT(0, "since", "TIME", type, member.since,				\
		 "from HH:MM:SS, \"YYYY-MM-DD HH:MM\", @SECONDS on"),			\
	OPT_TEXT(0, "until", "TIME", type, member.until,				\
		 "up to TIME; -5s: before newest event, +5s: after oldest")

int times_check(const struct time_arguments *times, struct lkst_error *err);
int times_apply(const struct time_arguments *times, int64_t oldest_ns, int64_t newest_ns,
		int64_t *since_ns, int64_t *until_ns, struct lkst_error *err);

#endif
