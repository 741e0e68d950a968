// SPDX-License-Identifier: GPL-2.0
#include "lib/base/error.h"
#include "lib/text/timestamp.h"
#include "messages.h"
#include "times.h"

static int times_parse(const struct time_arguments *times, const char *name, const char *text,
		       struct lkst_timestamp *timestamp, struct lkst_error *err)
{
	return lkst_timestamp_parse(name, text, times->utc, timestamp, err);
}

/**
 * times_check() - check whether the arguments are times
 * @times: options
 * @err: set if an argument is invalid
 */
int times_check(const struct time_arguments *times, struct lkst_error *err)
{
	struct lkst_timestamp timestamp;

	if ((times->since && times_parse(times, "--since", times->since, &timestamp, err)) ||
	    (times->until && times_parse(times, "--until", times->until, &timestamp, err)))
		return -1;
	return 0;
}

/**
 * times_apply() - convert --since and --until
 * @times: options, checked
 * @oldest_ns: time of the oldest event
 * @newest_ns: time of the newest event
 * @since_ns: set to the time of --since; unchanged if that was not given
 * @until_ns: set to the time of --until; unchanged if that was not given
 * @err: set if --since is later than --until
 */
int times_apply(const struct time_arguments *times, int64_t oldest_ns, int64_t newest_ns,
		int64_t *since_ns, int64_t *until_ns, struct lkst_error *err)
{
	struct lkst_timestamp timestamp;

	if (times->since && !times_parse(times, "--since", times->since, &timestamp, err))
		*since_ns = lkst_timestamp_resolve(&timestamp, oldest_ns, newest_ns);
	if (times->until && !times_parse(times, "--until", times->until, &timestamp, err))
		*until_ns = lkst_timestamp_resolve(&timestamp, oldest_ns, newest_ns);
	if (!times->since || !times->until || *since_ns <= *until_ns)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SPAN, times->since, times->until);
	return -1;
}
