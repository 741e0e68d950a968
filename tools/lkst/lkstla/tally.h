/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for counting: durations and sums that do not overflow, and arrays that grow. */
#ifndef _LKSTLA_TALLY_H
#define _LKSTLA_TALLY_H

#include <stddef.h>
#include <stdint.h>

void *tally_cover(void *array, size_t *room, size_t index, size_t size);

/* Return the length of a span: 0 if it ends before its start, and at most INT64_MAX. */
static inline int64_t tally_length(int64_t begin_ns, int64_t end_ns)
{
	uint64_t length = (uint64_t)end_ns - (uint64_t)begin_ns;

	if (end_ns <= begin_ns)
		return 0;
	return length < INT64_MAX ? (int64_t)length : INT64_MAX;
}

/* Add two durations that are not negative; the sum is at most INT64_MAX. */
static inline int64_t tally_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

#endif
