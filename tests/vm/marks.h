/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks (user_mark events) that the program "load" records and "logfiles" looks for. The first
 * argument of a mark holds the number of its writer and the number of the mark, counted from 1. The
 * other arguments are computed from the first, so that a corrupt mark can be recognized.
 */
#ifndef MARKS_H
#define MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../modules/pattern.h"

#define MARK_WRITERS 256u

static inline void mark_fill(__u64 args[4], unsigned int writer, uint64_t number)
{
	pattern_fill(args, (uint64_t)writer << 56 | number);
}

static inline unsigned int mark_writer(uint64_t arg)
{
	return arg >> 56;
}

static inline uint64_t mark_number(uint64_t arg)
{
	return arg & ~(0xffULL << 56);
}

static inline bool mark_is_whole(const __u64 args[4])
{
	__u64 expected[4];

	pattern_fill(expected, args[0]);
	return !memcmp(expected, args, sizeof(expected));
}

#endif
