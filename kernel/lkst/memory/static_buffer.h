/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The static buffer, which exists before any other. It is for events that occur
 * while LKST starts, and for LKST's own errors.
 */
#ifndef _LKST_STATIC_BUFFER_H
#define _LKST_STATIC_BUFFER_H

#include <linux/types.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>

#define LKST_STATIC_SLOTS	512

/**
 * struct lkst_static_copy - a record copied from the static buffer
 * @recid: recid of the record, from 0
 * @cpu: CPU that wrote the record
 * @clock: enum lkst_clock, clock of @record
 * @record: the record
 */
struct lkst_static_copy {
	unsigned long recid;
	int cpu;
	unsigned int clock;
	struct lkst_event_record record;
};

/**
 * struct lkst_static_counts - counts of the static buffer's records
 * @recorded: number of events so far
 * @dropped: number of records that were not written, because their slot was in
 *	use
 * @overwritten: number of records that have been overwritten
 */
struct lkst_static_counts {
	u64 recorded;
	u64 dropped;
	u64 overwritten;
};

int lkst_static_buffer_start(void);
void lkst_static_buffer_end(void);
void lkst_static_buffer_discard(void);
void lkst_static_buffer_write(unsigned int depth, int etype, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_error(enum lkst_error_code code, u64 detail);
u64 lkst_static_buffer_next(void);
size_t lkst_static_buffer_size(void);
int lkst_static_buffer_copy(struct lkst_static_copy *copies, struct lkst_static_counts *counts);

#endif
