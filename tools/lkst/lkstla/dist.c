// SPDX-License-Identifier: GPL-2.0
/*
 * Distributions of durations, as log-linear histograms. Group 0 has a bucket for each duration
 * below DIST_STEPS. Each later group g contains the durations from DIST_STEPS << (g - 1) up to
 * twice that, in DIST_STEPS buckets of equal width.
 */
#include <stdlib.h>
#include <string.h>

#include "dist.h"

#define STEPS_LOG2 6 /* DIST_STEPS is a power of two */

_Static_assert(DIST_STEPS == 1 << STEPS_LOG2, "log2 of DIST_STEPS");
_Static_assert(DIST_GROUPS == 64 - STEPS_LOG2 + 1, "each 64-bit number has a bucket");

static unsigned int dist_group(uint64_t ns)
{
	return ns < DIST_STEPS ? 0 : 64 - STEPS_LOG2 - (unsigned int)__builtin_clzll(ns);
}

/* Return the index of the bucket of a duration, within the group of that duration. */
static unsigned int dist_step(uint64_t ns)
{
	unsigned int group = dist_group(ns);

	return ns >> (group ? group - 1 : 0) & (DIST_STEPS - 1);
}

/*
 * Return the longest duration of a bucket. The last bucket ends at 2^64 - 1, because the shift
 * overflows to 0.
 */
static uint64_t dist_upper(unsigned int group, unsigned int step)
{
	if (!group)
		return step;
	return ((uint64_t)(DIST_STEPS + step + 1) << (group - 1)) - 1;
}

/* Make room for the buckets of @num groups. On failure, the distribution is unchanged. */
static int dist_cover(struct dist *dist, unsigned int first, unsigned int num)
{
	unsigned int end = first + num, old_end = dist->first + dist->groups;
	size_t group_size = DIST_STEPS * sizeof(*dist->bucket), shift;
	uint32_t *grown;

	if (dist->groups) {
		first = first < dist->first ? first : dist->first;
		end = end > old_end ? end : old_end;
	}
	if (end - first == dist->groups)
		return 0;
	grown = realloc(dist->bucket, (end - first) * group_size);
	if (!grown)
		return -1;
	dist->bucket = grown;
	shift = dist->groups ? dist->first - first : 0;
	memmove((char *)grown + shift * group_size, grown, dist->groups * group_size);
	memset(grown, 0, shift * group_size);
	memset((char *)grown + (shift + dist->groups) * group_size, 0,
	       (end - first - shift - dist->groups) * group_size);
	dist->first = (uint8_t)first;
	dist->groups = (uint8_t)(end - first);
	return 0;
}

static uint64_t dist_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Add to the count of a bucket. If the sum overflows, the count is UINT32_MAX. */
static void dist_count(uint32_t *bucket, uint32_t num)
{
	if (__builtin_add_overflow(*bucket, num, bucket))
		*bucket = UINT32_MAX;
}

/* Note a maximum. If several are equal, keep the one that was added first. */
static void dist_note_max(struct dist *dist, uint64_t max, int64_t at_ns)
{
	if (dist->count && max <= dist->max)
		return;
	dist->max = max;
	dist->max_at_ns = at_ns;
}

/**
 * dist_add() - add a duration
 * @dist: distribution
 * @duration_ns: duration. It can be negative if the clocks of CPUs differ; then it counts as 0
 * @at_ns: start or end of the duration, whichever the report shows for the longest one
 *
 * Return: 0; -1 if an allocation failed, and the distribution is unchanged.
 */
int dist_add(struct dist *dist, int64_t duration_ns, int64_t at_ns)
{
	uint64_t ns = duration_ns > 0 ? (uint64_t)duration_ns : 0;
	unsigned int group = dist_group(ns);

	/* For a group before the first one, the difference wraps around to a large number. */
	if (group - dist->first >= dist->groups && dist_cover(dist, group, 1))
		return -1;
	dist_count(&dist->bucket[(group - dist->first) * DIST_STEPS + dist_step(ns)], 1);
	dist_note_max(dist, ns, at_ns);
	dist->count++;
	dist->sum = dist_sum(dist->sum, ns);
	return 0;
}

/**
 * dist_merge() - add all durations of another distribution
 * @to: distribution
 * @from: the other distribution
 *
 * Return: 0; -1 if an allocation failed, and @to is unchanged.
 */
int dist_merge(struct dist *to, const struct dist *from)
{
	uint32_t *bucket;

	if (!from->count)
		return 0;
	if (dist_cover(to, from->first, from->groups))
		return -1;
	bucket = to->bucket + (from->first - to->first) * DIST_STEPS;
	for (size_t i = 0; i < (size_t)from->groups * DIST_STEPS; i++)
		dist_count(&bucket[i], from->bucket[i]);
	dist_note_max(to, from->max, from->max_at_ns);
	to->count += from->count;
	to->sum = dist_sum(to->sum, from->sum);
	return 0;
}

/* Return @percent percent of @count, rounded up: at least 1, and at most @count. */
static uint64_t dist_rank(uint64_t count, double percent)
{
	/* A percentage such as 99.9 is not exact: its error must not increase the rank. */
	double exact = percent * (double)count / 100 - 1e-6;
	uint64_t rank;

	if (!(exact > 0))
		return 1;
	if (exact >= (double)count)
		return count;
	rank = (uint64_t)exact;
	return rank + ((double)rank < exact);
}

/**
 * dist_percentile() - find the duration that a share of the durations does not exceed
 * @dist: distribution
 * @percent: share in percent: 50 for the median
 *
 * Return: the upper end of the bucket that contains the duration, at most the maximum: 0 to 1.6 %
 * above the exact duration. 0 if there are no durations.
 */
uint64_t dist_percentile(const struct dist *dist, double percent)
{
	uint64_t rank = dist_rank(dist->count, percent), seen = 0;

	for (unsigned int group = 0; group < dist->groups; group++)
		for (unsigned int step = 0; step < DIST_STEPS; step++) {
			uint64_t upper = dist_upper(dist->first + group, step);

			seen += dist->bucket[group * DIST_STEPS + step];
			if (seen >= rank)
				return upper < dist->max ? upper : dist->max;
		}
	return dist->max;
}

/**
 * dist_next_part() - get the next part of a distribution, except parts without durations
 * @dist: distribution
 * @at: position, 0 at first
 * @part: result; the parts are in order of duration, the shortest first
 *
 * Return: false after the last part.
 */
bool dist_next_part(const struct dist *dist, size_t *at, struct dist_part *part)
{
	for (; *at < (size_t)dist->groups * DIST_PARTS; ++*at) {
		unsigned int group = dist->first + (unsigned int)(*at / DIST_PARTS);
		unsigned int step = *at % DIST_PARTS * (DIST_STEPS / DIST_PARTS);
		const uint32_t *bucket = dist->bucket + *at * (DIST_STEPS / DIST_PARTS);

		part->count = 0;
		for (unsigned int i = 0; i < DIST_STEPS / DIST_PARTS; i++)
			part->count += bucket[i];
		if (!part->count)
			continue;
		part->from_ns = step ? dist_upper(group, step - 1) + 1 :
				group ? dist_upper(group - 1, DIST_STEPS - 1) + 1 : 0;
		part->to_ns = dist_upper(group, step + DIST_STEPS / DIST_PARTS - 1);
		++*at;
		return true;
	}
	return false;
}

/**
 * dist_cumulate() - count the durations up to the end of each bucket
 * @dist: distribution
 * @first: group with which @to begins, at most the first group of @dist
 * @buckets: number of elements of @to, which must include all buckets of @dist
 * @to: result: the counts
 */
void dist_cumulate(const struct dist *dist, unsigned int first, size_t buckets, uint64_t *to)
{
	size_t before = dist->groups ? (size_t)(dist->first - first) * DIST_STEPS : 0, from;
	uint64_t sum = 0;

	for (size_t i = 0; i < buckets; i++) {
		from = i - before;
		if (i >= before && from < (size_t)dist->groups * DIST_STEPS)
			sum += dist->bucket[from];
		to[i] = sum;
	}
}

/**
 * dist_bucket_end() - find the longest duration of a bucket
 * @first: group of the first bucket
 * @bucket: index of the bucket, counted from the first bucket of that group
 */
uint64_t dist_bucket_end(unsigned int first, size_t bucket)
{
	return dist_upper(first + (unsigned int)(bucket / DIST_STEPS), bucket % DIST_STEPS);
}

/**
 * dist_free() - free the buckets, after which the distribution is empty
 * @dist: distribution
 */
void dist_free(struct dist *dist)
{
	free(dist->bucket);
	*dist = (struct dist){ 0 };
}
