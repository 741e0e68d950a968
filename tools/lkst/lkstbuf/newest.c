// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out whether the buffers of the kernel contain the newest events, so that lkstbuf print need
 * not read the history.
 */
#include <limits.h>

#include "lib/live/capture.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "print.h"

/*
 * Find the time after which the buffers have all events. Returns 1; 0 if there is no such time; -1
 * on error.
 */
static int newest_begin(struct lkst_trace *trace, const struct lkst_capture_older *older,
			int64_t *begin_ns, struct lkst_error *err)
{
	unsigned int found = 0;

	*begin_ns = INT64_MIN;
	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err))
		return -1;
	for (size_t i = 0; i < lkst_trace_lanes(trace); i++) {
		struct lkst_event event;
		int ret = lkst_trace_lane_first(trace, i, &event, err);

		if (ret < 0)
			return -1;
		if (!ret || event.cpu < 0 || event.cpu >= LKST_TRACE_CPUS ||
		    !(older->cpus[event.cpu / 64] & 1ULL << event.cpu % 64))
			continue;
		found++;
		if (event.time_ns > *begin_ns)
			*begin_ns = event.time_ns;
	}
	return found == older->num && !older->several;
}

/**
 * newest_lacks() - check whether a trace without the history lacks events to print
 * @trace: trace of the buffers
 * @opt: which events to print, newest first; @opt->max is the number of events if @older is set
 * @older: which histories were left out; NULL: none
 * @err: set on failure
 *
 * Return: 1 if the histories may have some of the newest events; 0 if not; -1 on error.
 */
int newest_lacks(struct lkst_trace *trace, const struct print_options *opt,
		 const struct lkst_capture_older *older, struct lkst_error *err)
{
	const struct lkst_context *context = lkst_trace_context(trace);
	struct lkst_event event;
	uint64_t found = 0;
	int64_t begin_ns;
	int ret;

	if (!older || !older->num)
		return 0;
	ret = newest_begin(trace, older, &begin_ns, err);
	if (ret <= 0)
		return ret < 0 ? -1 : 1;
	if (lkst_trace_rewind(trace, LKST_NEWEST_FIRST, err))
		return -1;
	while (found < opt->max && (ret = lkst_trace_next(trace, &event, err)) > 0) {
		if (event.time_ns <= begin_ns)
			return 1;
		found += lkst_selected(&opt->selection, context, &event);
	}
	return ret < 0 ? -1 : found < opt->max;
}
