/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring, its writers, and beside it a simple reference that says what the ring must
 * hold. Every writer goes through record_world_write(), and whenever the ring is looked
 * at, it is compared with the reference.
 */
#ifndef _RECORD_WORLD_H
#define _RECORD_WORLD_H

#include "record_case.h"
#include "record_path.h"
#include "record_step.h"

/* Where a test begins. */
struct record_start {
	const char *name;
	unsigned long slots;
	u64 lap; /* of the next record */
	unsigned long slot; /* its slot; == slots: as the last of a lap leaves the index */
	u64 clock; /* what the clock says at first */
	u64 tick; /* how much it goes on from writer to writer */
};

/* What one write of the reference is about. */
struct record_entry {
	u64 recid;
	u64 serial; /* of the write: everything in its record follows from it */
	u64 clock_from, clock_to;
	bool done, stored;
};

/* A ring at @start, full of records but at recid 0. */
void record_world_init(const struct record_start *start);

/*
 * One more record, by @writer, with @num interrupts if it is the stepped one. A writer may be
 * nested in another, from an interrupt. Returns the instructions it took.
 */
long record_world_write(record_writer *writer, struct record_interrupt *interrupts,
			unsigned int num);
/* @num more by the plain writer. */
void record_world_write_many(u64 num);

/* @laps whole laps more: some of them are written, the last too, the others might have been. */
void record_world_laps(u64 laps);

/* Take note of what the writer that is interrupted has done. */
void record_world_look(void);

/* What the reference has for one of the last records, or NULL. */
const struct record_entry *record_world_entry(u64 recid);
/* The recid that the next record gets, and how many a ring holds. */
u64 record_world_next(void);
u64 record_world_oldest(void);

/*
 * Check what the reader got for @entry as it was when the read began. The world has gone
 * on since.
 */
void record_world_check_read(const struct record_entry *entry, enum record_result result,
			     const struct lkst_event_record *record);
/* Read everything with nothing else going on (but writers that are interrupted). */
void record_world_check_all(void);
/* That, and the counts; no writer is under way. */
void record_world_check_end(void);

/* What the writer of @serial is called with: never an event of LKST's own. */
struct record_context record_world_context(u64 serial);
void record_world_fill(u64 serial, struct lkst_event_record *record);
/* Whether @record is what the writer of @serial wrote, but for the clock. */
bool record_world_whole(const struct lkst_event_record *record, u64 serial);
/* The serial that a record claims. */
u64 record_world_serial(const struct lkst_event_record *record);

/* Call the writer @writer with what belongs to @serial. */
enum record_written record_world_call(record_writer *writer, struct lkst_ring *ring, u64 serial);

struct lkst_ring *record_world_ring(void);

#endif
