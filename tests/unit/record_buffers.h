/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The buffers of one CPU, on which record_cpu.c works: their state, and readers of them. Whatever
 * is called here of event.c, shift.c and read.c is stepped through.
 */
#ifndef _RECORD_BUFFERS_H
#define _RECORD_BUFFERS_H

#include "record_path.h"

#define RECORD_BUFFERS_MAX 3

/* What becomes of LKST's own events. */
enum record_own {
	RECORD_OWN, /* recorded */
	RECORD_OWN_SHIFT, /* recorded, and the one that says that a buffer is full shifts */
	RECORD_OWN_MASKED,
};

/*
 * @num buffers of @slots, each leads to the next, and the last to the first. They have gone
 * round @lap times. The CPU records to the first, and the next record's recid is @recid.
 */
void init_buffers(unsigned int num, unsigned long slots, u64 lap, u64 recid,
			 enum record_own own);
/* As if the CPU had come to the buffer after the current one @laps times more, and left it. */
void record_buffers_age(u64 laps);

/* What a CPU does. */
void record_buffers_event(u16 etype, const u64 *arg);
int record_buffers_shift(void); /* lkst_buffer_shift() */
int record_buffers_jump(unsigned int id); /* lkst_buffer_jump() */
void record_buffers_stop(void); /* lkst_shift_nowhere() */
void stop_and_continue(void); /* lkst_event_time() */
void lkst_emit_time(void); /* lkst_shift_rewrite_header() */

/* Gets what a reader makes of each record. */
typedef void record_found(u64 recid, enum record_result result,
			  const struct lkst_event_record *record);

/*
 * Read the buffer at the head of the queue, as read() does; it is free then. Returns whether
 * there was one, and nobody at work in it.
 */
bool read_queue(record_found *found);
/* Begin with it, so that the next time that is gone on with. */
void record_buffers_take(void);
/* Read a buffer from its oldest record on, unless a shift is about to begin with it. */
void record_buffers_read(unsigned int id, record_found *found);
/* Where a ring says that all is done with, each record is whole, or dropped where it says so. */
void check_quiescent(unsigned int id);
/* With lkst_buffer_read(): into @records; returns how many there are. */
unsigned int record_buffers_read_log(unsigned int id, struct lkst_log_record *records,
				     unsigned int max, struct lkst_log_buffer *counts);

/*
 * Read a buffer as who has nothing but an image of memory does: from its slots and what is noted in
 * the header pages.
 */
void record_buffers_image(unsigned int id, record_found *found);

unsigned int record_buffers_current(void); /* id */
unsigned long record_buffers_left(void); /* slots of the current buffer, up to the last */
bool record_buffers_shifting(void);
u64 record_buffers_next(void); /* recid, while nothing is under way */
u64 record_buffers_lost(void); /* events that found no buffer */
u64 all_dropped(void);
u64 record_buffers_first(unsigned int id); /* recid of what came first to the buffer */
u64 record_buffers_oldest(unsigned int id); /* recid of what is not overwritten */
bool opening(unsigned int id); /* a shift is about to begin with it */
bool in_bounds(void);

#endif
