/* SPDX-License-Identifier: LGPL-2.1 */
/* What is new in the buffers of a CPU, and waits to be handed out (follow.c). */
#ifndef _LKST_FOLLOW_LANE_H
#define _LKST_FOLLOW_LANE_H

#include <time.h>

#include "trace_reader.h"

#define FOLLOW_WAIT_MAX 8192 /* events that wait, of a CPU */
#define FOLLOW_PIECE	2048 /* records of one read */

struct follow_waiting {
	struct lkst_event event;
	int64_t key; /* latest time that the CPU had reached */
	uint64_t look; /* that took it */
};

struct follow_lane {
	int32_t cpu;
	bool begun; /* next is the recid of the event that comes next */
	uint64_t next;
	int64_t waits_ms; /* since when a record is unfinished; 0: none is */
	bool full; /* at the last look: there was more in the buffers */
	struct run run; /* to tell the registers of an oops apart */
	uint64_t complete; /* the last look that left nothing in the buffers */
	int64_t latest; /* key of the last event taken */
	size_t first; /* of @num events that wait; goes round */
	size_t num;
	size_t room;
	struct follow_waiting *event;
};

/**
 * struct follow_reader - what the lanes share
 * @dev: device
 * @piece: room for FOLLOW_PIECE records
 * @look: looks at a CPU so far
 * @lost: recids that were missed
 */
struct follow_reader {
	struct lkst_device *dev;
	struct lkst_log_record *piece;
	uint64_t look;
	uint64_t lost;
};

static inline int64_t follow_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int follow_lane_begin(struct follow_lane *lane, int32_t cpu, bool history,
		      struct lkst_device *dev, struct lkst_error *err);
int follow_lane_look(struct follow_lane *lane, struct follow_reader *reader,
		     struct lkst_error *err);

#endif
