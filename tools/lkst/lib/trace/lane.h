/* SPDX-License-Identifier: LGPL-2.1 */
/* Returns the events of a lane. */
#ifndef _LKST_LIB_TRACE_LANE_H
#define _LKST_LIB_TRACE_LANE_H

#include "lib/lkst.h"

struct merge_lane;

int trace_lane_begin(struct lkst_trace *trace, struct merge_lane *lane, int64_t since_ns,
		     struct lkst_error *err);
bool trace_lane_ended(const struct lkst_trace *trace, const struct merge_lane *lane);
int64_t trace_lane_key(const struct lkst_trace *trace, const struct merge_lane *lane);
int trace_lane_next(struct lkst_trace *trace, struct merge_lane *lane, struct lkst_event *event,
		    struct lkst_error *err);
void trace_lane_close(struct merge_lane *lane);

#endif
