/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU with buffers, set up for a test, and readers of these buffers. Include shim/lkst.h first.
 */
#ifndef _RECORD_CPU_BUFFERS_H
#define _RECORD_CPU_BUFFERS_H

#include "cpu_world.h"

#include "lkst/buffer/buffer.h"
#include "lkst/buffer/cursor.h"
#include "lkst/read/log.h"

#define FIRST_RECID 1000 /* the recid of the first record */

extern struct lkst_buffer cpu_buffers[];
extern unsigned int cpu_buffer_num;

/*
 * Set up the buffers, and let the CPU record into the first one. Each buffer is linked to the next,
 * and the last one to the first.
 */
void cpu_init(const struct cpu_start *start);

/* Advance the buffer after the current one by @laps laps, as if the CPU had recorded them in it. */
void cpu_age(u64 laps);

/* Make the slow reader take the buffer at the head of the queue, unless it already has a buffer. */
void cpu_take_slowly(void);

/*
 * Read the buffer that the slow reader has taken or, if it has taken no buffer, the one at the head
 * of the queue. Then mark the buffer as free, as read() does. Return false if the queue is empty,
 * or if a writer is active in the buffer at its head.
 */
bool cpu_read_queue(void);

/* Read a buffer, starting with its oldest record, unless a shift is opening it. */
void cpu_read_buffer(unsigned int id);

/* Read a buffer from its slots and its header pages alone, as a reader of a memory image does. */
void cpu_read_image(unsigned int id);

/*
 * The readers above call cpu_found() with the result for each record. It is defined in cpu_world.c.
 */
void cpu_found(u64 recid, enum record_result result, const struct lkst_event_record *record);

bool cpu_opening(unsigned int id); /* whether a shift is opening the buffer */
u64 cpu_next_recid(void); /* no operation may be in progress */
u64 cpu_oldest_recid(unsigned int id); /* recid of the oldest record that is left of the session */
u64 cpu_dropped(void);
bool cpu_in_bounds(void); /* whether only memory within the slots was written */

#endif
