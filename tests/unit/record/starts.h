/* SPDX-License-Identifier: GPL-2.0 */
/* The states of the ring in which tests start. */
#ifndef _RECORD_STARTS_H
#define _RECORD_STARTS_H

#include <stddef.h>

#include "world.h"

/* Return the state with index @n, or NULL if @n is too large. Valid until the next call. */
const struct record_start *record_start(unsigned int n);

/*
 * Whether the tests that try all pairs or triples of instructions run from this state. These tests
 * take a long time, so they run from a few states only.
 */
bool record_start_for_pairs(const struct record_start *start);

/*
 * Return how many records may be written while one writer is active ("Limits" in record-path.rst).
 * Up to that number, the lap bits of records and of the index distinguish the laps of all records
 * in the slots.
 */
u64 record_nested_max(const struct record_start *start);

#endif
