/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks for record.h, which is compiled in hooked.c so that each barrier, and each access to memory
 * that another processor can see, calls one of these functions.
 */
#ifndef _RECORD_WEAK_H
#define _RECORD_WEAK_H

#include <stddef.h>

#include "path.h"

/* Functions that replace the accesses and barriers of record.h. */
void weak_store(const volatile void *at, size_t size, u64 value, bool release);
u64 weak_load(const volatile void *at, size_t size, bool acquire);
unsigned long weak_fetch_inc(unsigned long *at);
/* If @takes is true, a successful exchange reserves a slot. */
bool weak_try_cmpxchg(unsigned long *at, unsigned long *old, unsigned long new, bool takes);
void weak_clear_release(unsigned long *at, unsigned long bits);
u64 weak_clock(void);
void weak_wmb(void);
void weak_rmb(void);

/* Defined in hooked.c: a ring, and functions of record.h that use it. */
#define WEAK_SLOTS 3

extern unsigned long *const weak_index; /* the ring's index */
extern struct lkst_event_record weak_records[WEAK_SLOTS];

void weak_init(unsigned long slots);
record_writer weak_write;
void weak_close(void);
u64 weak_open(void); /* returns the position of the next record */
void weak_all_laps(void);

/* A reader calls these, in this order. Only a patient reader (check() in weak.c) calls all four. */
bool weak_begun(u64 position); /* whether the slot has been reserved, and not reused since */
bool weak_idle(void);
bool weak_was_dropped(u64 position);
enum record_result weak_read(u64 position, struct lkst_event_record *out);

#endif
