/* SPDX-License-Identifier: LGPL-2.1 */
/* What is new in the buffers of a CPU, and waits to be handed out (follow.c). */
#ifndef _LKST_FOLLOW_LANE_H
#define _LKST_FOLLOW_LANE_H

#include "trace_reader.h"

#define FOLLOW_WAIT_MAX 8192 /* events that wait, of a CPU: no more are read then */

struct follow_waiting {
	struct lkst_event event;
	int64_t key; /* latest time that the CPU had reached */
	uint64_t look; /* that took it */
};

struct follow_lane {
	int32_t cpu;
	struct lkst_stream *stream;
	bool begun; /* something was read, or is not wanted */
	uint64_t next; /* recid that comes next */
	bool full; /* at the last look: there may be more in the buffers */
	struct run run; /* to tell the registers of an oops apart */
	uint64_t complete; /* the last look that took all that had been recorded before it */
	int64_t latest; /* key of the last event taken */
	size_t first; /* of @num events that wait; wraps */
	size_t num;
	size_t room;
	struct follow_waiting *event;
};

/**
 * struct follow_reader - what the lanes share
 * @dev: device
 * @look: looks at a CPU so far
 * @lost: recids that were missed
 * @trace: of the last times that records of LKST_SYNC_TIME told, for trace_date_raw()
 * @boot: of @trace
 * @source: of @trace
 * @stream: of @trace
 * @cursor: the run that is taken
 */
struct follow_reader {
	struct lkst_device *dev;
	uint64_t look;
	uint64_t lost;
	struct lkst_trace trace;
	struct boot boot;
	struct source source;
	struct stream stream;
	struct cursor cursor;
};

int follow_reader_open(struct follow_reader *reader, struct lkst_device *dev,
		       struct lkst_error *err);
void follow_reader_close(struct follow_reader *reader);
int follow_lane_begin(struct follow_lane *lane, int32_t cpu, bool history,
		      struct follow_reader *reader, struct lkst_error *err);
int follow_lane_look(struct follow_lane *lane, struct follow_reader *reader,
		     struct lkst_error *err);
void follow_lane_end(struct follow_lane *lane);

#endif
