/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Reads new events of a CPU, and holds them until follow.c returns them. A lane holds the events of
 * one CPU. A chain is an event that takes several records: a head, and parts (linux/lkst_buffer.h).
 */
#ifndef _LKST_FOLLOW_LANE_H
#define _LKST_FOLLOW_LANE_H

#include "lib/lkst.h"
#include "lib/trace/chains.h"
#include "lib/trace/chunk.h"
#include "lib/trace/cursor.h"
#include "lib/trace/reader.h"
#include "lib/trace/source.h"

struct lkst_stream;

#define FOLLOW_WAIT_MAX 8192 /* a CPU's buffers are not read while this many of its events wait */

#define FOLLOW_CHAIN_POLLS 3 /* polls of a lane before it returns a head that still lacks parts */

/* A poll is a call to follow_lane_poll(), for any CPU. Polls are numbered from 1. */
struct follow_lane {
	int32_t cpu;
	struct lkst_stream *stream;
	bool begun; /* @next is set: a run has been read, or the lane starts with new records */
	uint64_t next; /* recid of the next record to read */
	bool full; /* the last poll stopped for lack of room: the buffers may hold more records */
	struct oops_regs oops; /* counts OOPS_REGS records, to know which registers they hold */
	uint64_t complete; /* number of the latest complete poll (see follow.c) */
	uint64_t polls; /* number of polls of this lane */
	int64_t latest; /* key of the last event read */
	/*
	 * Events that wait to be returned. @key of an item is its time, or a little more, see
	 * follow_lane_take(). @poll is the number of the poll that read it.
	 */
	struct chains waiting;
	uint64_t head; /* 1 + number of the item for which the lane waits; 0: none */
	uint64_t head_polls; /* @polls when the lane began to wait for @head */
};

/**
 * struct follow_reader - shared by the lanes
 * @dev: device
 * @poll: number of polls so far
 * @lost: number of events that were missed
 * @context: event types of the kernel; NULL: not known yet
 * @heads: bitmap of event types that are heads of chains
 * @keep_parts: return the parts of chains as well
 * @parts_skipped: number of parts without a head
 * @trace: holds the latest pairs of clock readings (lib/trace/clock.c) from LKST_SYNC_TIME records,
 *	for trace_date_raw()
 * @boot: the only boot of @trace
 * @source: the only source of @trace
 * @stream: the only stream of @trace
 * @cursor: the run that is being read
 */
struct follow_reader {
	struct lkst_device *dev;
	uint64_t poll;
	uint64_t lost;
	struct follow_context *context;
	uint64_t heads[HEADS_WORDS];
	bool keep_parts;
	uint64_t parts_skipped;
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
const struct chain_item *follow_lane_front(struct follow_lane *lane);
bool follow_lane_ready(struct follow_lane *lane);
int follow_lane_poll(struct follow_lane *lane, struct follow_reader *reader,
		     struct lkst_error *err);
void follow_lane_end(struct follow_lane *lane);

#endif
