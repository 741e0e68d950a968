/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record.h with every access to memory that another processor can see, and every
 * barrier, going through these.
 */
#ifndef _RECORD_WEAK_H
#define _RECORD_WEAK_H

#include <stddef.h>

#include "record_path.h"

/* What the accesses and barriers call. */
void weak_store(const volatile void *at, size_t size, u64 value, bool release);
u64 weak_load(const volatile void *at, size_t size, bool acquire);
unsigned long weak_fetch_inc(unsigned long *at);
/* @takes: it takes a slot. */
bool weak_try_cmpxchg(unsigned long *at, unsigned long *old, unsigned long new, bool takes);
void weak_clear_release(unsigned long *at, unsigned long bits);
u64 weak_clock(void);
void weak_wmb(void);
void weak_rmb(void);

/* record_hooked.c: a ring of its own, and record.h's functions on it. */
#define WEAK_SLOTS 3

struct weak_area {
	void *at;
	size_t size;
};

unsigned long *weak_index(void); /* of the ring */
struct weak_area weak_records_area(void);

void weak_init(unsigned long slots);
record_writer weak_write;
void weak_close(void);
u64 weak_open(void); /* position */
void weak_all_laps(void);

/* What a reader calls, in this order. */
bool weak_begun(u64 position); /* by lkst_ring_next(); and not overwritten */
bool weak_idle(void);
bool weak_was_dropped(u64 position);
enum record_result weak_read(u64 position, struct lkst_event_record *out);

#endif
