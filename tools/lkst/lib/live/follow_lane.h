/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads new events of a CPU, and holds them until follow.c returns them. */
#ifndef _LKST_FOLLOW_LANE_H
#define _LKST_FOLLOW_LANE_H

#include "lib/lkst.h"
#include "lib/trace/chunk.h"
#include "lib/trace/cursor.h"
#include "lib/trace/reader.h"
#include "lib/trace/source.h"

struct lkst_stream;

#define FOLLOW_WAIT_MAX 8192 /* a CPU's buffers are not read while this many of its events wait */

/*
 * An event that waits to be returned. A poll is a call to follow_lane_poll(), for any CPU. Polls
 * are numbered from 1.
 */
struct follow_waiting {
	struct lkst_event event;
	int64_t key; /* sort key: @event.time_ns, or a little more, see follow_lane_take() */
	uint64_t poll; /* number of the poll that read the event */
};

struct follow_lane {
	int32_t cpu;
	struct lkst_stream *stream;
	bool begun; /* @next is set: a run has been read, or the lane starts with new records */
	uint64_t next; /* recid of the next record to read */
	bool full; /* the last poll stopped for lack of room: the buffers may hold more records */
	struct oops_regs oops; /* counts OOPS_REGS records, to know which registers they hold */
	uint64_t complete; /* number of the latest complete poll (see follow.c) */
	int64_t latest; /* key of the last event read */
	size_t first; /* @event is a ring: index of the first of @num waiting events */
	size_t num;
	size_t room;
	struct follow_waiting *event;
};

/**
 * struct follow_reader - shared by the lanes
 * @dev: device
 * @poll: number of polls so far
 * @lost: number of events that were missed
 * @trace: holds the latest time pairs from LKST_SYNC_TIME records, for trace_date_raw()
 * @boot: the only boot of @trace
 * @source: the only source of @trace
 * @stream: the only stream of @trace
 * @cursor: the run that is being read
 */
struct follow_reader {
	struct lkst_device *dev;
	uint64_t poll;
	uint64_t lost;
	struct lkst_trace trace;
	struct boot boot;
	struct source source;
	struct file_buffer stream;
	struct cursor cursor;
};

int follow_reader_open(struct follow_reader *reader, struct lkst_device *dev,
		       struct lkst_error *err);
void follow_reader_close(struct follow_reader *reader);
int follow_lane_begin(struct follow_lane *lane, int32_t cpu, bool history,
		      struct follow_reader *reader, struct lkst_error *err);
int follow_lane_poll(struct follow_lane *lane, struct follow_reader *reader,
		     struct lkst_error *err);
void follow_lane_end(struct follow_lane *lane);

#endif
