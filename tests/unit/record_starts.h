/* SPDX-License-Identifier: GPL-2.0 */
/* Where the tests begin. */
#ifndef _RECORD_STARTS_H
#define _RECORD_STARTS_H

#include <stddef.h>

#include "record_world.h"

/* The n-th, until the next is asked for, or NULL. */
const struct record_start *record_start(unsigned int n);

/* For tests that go through all pairs of instructions and more: a few. */
bool record_start_for_pairs(const struct record_start *start);

/*
 * The most records that may be written while one writer is under way ("Limits" in
 * record-path.rst): the laps of all that are in the slots then differ in their low bits, and
 * on 32-bit in all the bits that the index has.
 */
u64 record_nested_max(const struct record_start *start);

#endif
