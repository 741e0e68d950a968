/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring, its writers, and a simple reference model of what the ring must hold. Every write goes
 * through record_world_write(), which updates the reference. The checks compare the ring with the
 * reference.
 */
#ifndef _RECORD_WORLD_H
#define _RECORD_WORLD_H

#include "case.h"
#include "path.h"
#include "step.h"

/* The state in which a test starts. */
struct record_start {
	const char *name;
	unsigned long slots;
	u64 lap; /* lap of the next record */
	unsigned long slot; /* slot of the next record; equals @slots if the lap is full */
	u64 clock; /* initial value of the clock */
	u64 tick; /* increment of the clock from writer to writer */
};

/* Return the state with index @n (starts.c), or NULL if @n is too large. Valid until the next call. */
const struct record_start *record_start(unsigned int n);

/* Set up a ring in the state @start. Its slots contain the records before the next one. */
void record_world_init(const struct record_start *start);

/*
 * Write one record with @writer. If @writer is the stepped one, interrupts occur in it. A call from
 * an interrupt is a nested writer. Return the number of executed instructions.
 */
long record_world_write(record_writer *writer, struct record_interrupt *interrupts);
/*
 * Read a record with @reader, and store the result. If @reader is the stepped one, interrupts occur
 * in it. Return the number of executed instructions.
 */
long record_world_read(record_reader *reader, u64 recid, struct record_interrupt *interrupts,
		       enum record_result *result, struct lkst_event_record *record);
/*
 * Read a record with the stepped reader, and check the result. @age is 1 for the newest record, 2
 * for the one before it, and so on. Do nothing if the ring has fewer than @age records. Dropped
 * records count.
 */
void record_world_read_nth(u64 age, struct record_interrupt *interrupts);
/* Write @num records with the plain writer. */
void record_world_write_many(u64 num);

/* Advance the ring by @laps laps. Only some laps are written, including the last one. */
void record_world_laps(u64 laps);

/* Update the reference with what the interrupted writer has done so far. */
void record_world_track(void);

/* Return the serial of a record of the last lap. */
u64 record_world_written(u64 recid);
/* Return the recids of the next record, and of the oldest one that the ring has room for. */
u64 record_world_next(void);
u64 record_world_oldest(void);

/* Read and check all records. Some writers may be interrupted at that time. */
void record_world_check_all(void);
/* Read and check all records and the counts of the ring. No writer may be active. */
void record_world_check_end(void);

/*
 * record_world_context() returns the context of write number @serial. record_world_fill() stores
 * the record of this write, whose event is not one of LKST's own.
 */
struct record_context record_world_context(u64 serial);
void record_world_fill(u64 serial, struct lkst_event_record *record);
/* Whether @record is the record of the write @serial, apart from the clock. */
bool record_world_whole(const struct lkst_event_record *record, u64 serial);
/* Return the serial that is stored in a record. */
u64 record_world_serial(const struct lkst_event_record *record);

/* Call @writer with the context and the arguments of @serial. */
enum record_written record_world_call(record_writer *writer, struct lkst_ring *ring, u64 serial);

#endif
