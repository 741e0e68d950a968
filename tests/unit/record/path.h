/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code under test: the writer and the reader of kernel/lkst/ring/record.h, compiled as the
 * kernel compiles them, and the state of the one ring that they use here.
 */
#ifndef _RECORD_PATH_H
#define _RECORD_PATH_H

#include "shim/kernel.h"
#include <linux/lkst_buffer.h>

/* The results of a reader, with the values of enum lkst_ring_read. */
enum record_result {
	RECORD_READ,
	RECORD_PENDING,
	RECORD_LAPPED,
};

/* The results of a writer, with the values of enum lkst_ring_write. */
enum record_written {
	RECORD_WRITTEN,
	RECORD_LAP,
	RECORD_HALF,
	RECORD_CLOSED,
};

struct lkst_ring;

/*
 * The context that LKST_RECORD_CONTEXT() stores in a record. @count and @flags are the values that
 * lkst_context_count() and lkst_context_flags() return. lkst_clock_read() returns record_clock.
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
 * The code under test exists twice: "plain", as compiled, and "stepped", with a call to
 * record_hook() before each instruction. step.awk makes both from the same output of the compiler.
 */
record_writer record_plain_write, record_stepped_write;
record_reader record_plain_read, record_stepped_read;

/* Start and end of the plain code, for counting its instructions (trap.c). */
extern const char __start_text_record_plain[], __stop_text_record_plain[];

#define RECORD_SLOTS_MAX 64

/* Set up @slots empty slots, with a guard before and after them. @guarded is the first guard. */
void record_guard(struct lkst_event_record *guarded, unsigned long slots);
bool record_guards_intact(const struct lkst_event_record *guarded, unsigned long slots);

/* Initialize the ring as empty, with the next record at @lap and @slot. Return the ring. */
struct lkst_ring *record_ring_init(unsigned long slots, u64 lap, unsigned long slot);

/* Advance the ring by @laps laps without writing. @laps must be below half of record_lap_max(). */
void record_ring_jump(u64 laps);

u64 record_lap_max(void); /* the highest lap that fits in the lap bits of the index */
unsigned int record_depth(void);
u64 record_next(void); /* recid of the next record */
unsigned long record_index(u64 recid);
u64 record_dropped(void);
u64 record_overwritten(void); /* as BUFFER_LIST reports it */
bool record_was_dropped(u64 recid); /* @recid must be in the last lap */
bool record_in_bounds(void); /* whether only memory within the slots was written */

/* Marks the variables that hold a ring, the model it is compared with, and the clock. */
#define RECORD_STATE __attribute__((section("record_state")))
extern char __start_record_state[], __stop_record_state[];

#endif
