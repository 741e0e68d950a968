/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is tested: the writer and the reader of kernel/lkst/record.h, compiled as the
 * kernel compiles them, and the state of the one ring they work on here.
 */
#ifndef _RECORD_PATH_H
#define _RECORD_PATH_H

#include "shim/kernel.h"
#include <linux/lkst_buffer.h>

/* As enum lkst_ring_read. */
enum record_result {
	RECORD_READ,
	RECORD_PENDING,
	RECORD_LAPPED,
};

/* As enum lkst_ring_write. */
enum record_written {
	RECORD_WRITTEN,
	RECORD_LAP,
	RECORD_HALF,
	RECORD_CLOSED,
};

struct lkst_ring;

/*
 * What LKST_RECORD_CONTEXT() and lkst_clock_read() find; @count and @flags: what
 * lkst_context_count() and lkst_context_flags() are to return.
 */
struct record_context {
	u32 thread, pid, pgrp, uid, gid;
	u32 count;
	u16 flags;
};

extern const struct record_context *volatile record_current;
extern volatile u64 record_clock;

/* A writer or a reader of record.h. */
typedef enum record_written record_writer(struct lkst_ring *ring, u16 etype, u64 a1, u64 a2, u64 a3,
					  u64 a4);
typedef enum record_result record_reader(const struct lkst_ring *ring, unsigned long index,
					 struct lkst_event_record *out);

/*
 * The code twice: as it is, and with a call of record_hook() before each instruction
 * (record_step.awk makes the second from the compiler's output for the first).
 */
record_writer record_plain_write, record_stepped_write;
record_reader record_plain_read, record_stepped_read;

/* Where the first lies, for who steps through it with the trap flag. */
extern const char __start_text_record_plain[], __stop_text_record_plain[];

#define RECORD_SLOTS_MAX 64

/* The ring, empty, with the next record's place given. */
struct lkst_ring *record_ring_init(unsigned long slots, u64 lap, unsigned long slot);

/* As if it had gone round so often since, less than half as often as the index can count. */
void record_ring_jump(u64 laps);

u64 record_lap_max(void); /* the last one that the index has room for */
unsigned int record_depth(void);
u64 record_next(void); /* recid */
unsigned long record_index(u64 recid);
u64 record_dropped(void);
u64 record_overwritten(void); /* as BUFFER_LIST has it */
bool record_was_dropped(u64 recid); /* one of the last lap */
bool record_in_bounds(void); /* nothing was written outside of the slots */
u64 record_digest(void); /* of all that a reader can see */

#endif
