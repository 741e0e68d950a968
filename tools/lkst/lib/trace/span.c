// SPDX-License-Identifier: LGPL-2.1
#include "trace.h"

/**
 * lkst_trace_span() - find the times of the oldest and the newest event
 * @trace: trace; call lkst_trace_rewind() before reading on
 * @oldest_ns: result
 * @newest_ns: result
 * @err: set on failure
 *
 * Return: 0; 1 if the trace is empty; -1 on error.
 */
int lkst_trace_span(struct lkst_trace *trace, int64_t *oldest_ns, int64_t *newest_ns,
		    struct lkst_error *err)
{
	struct lkst_event event;
	int ret;

	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err))
		return -1;
	ret = lkst_trace_next(trace, &event, err);
	if (ret <= 0)
		return ret ? ret : 1;
	*oldest_ns = event.time_ns;
	if (lkst_trace_rewind(trace, LKST_NEWEST_FIRST, err) ||
	    lkst_trace_next(trace, &event, err) < 0)
		return -1;
	*newest_ns = event.time_ns;
	return 0;
}
