/* SPDX-License-Identifier: GPL-2.0 */
/* Distributions of durations. Their memory does not depend on the number of durations. */
#ifndef _LKSTLA_DIST_H
#define _LKSTLA_DIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The range from each power of two to the next is divided into this many buckets, so a percentile
 * is at most 1.6 % too high.
 */
#define DIST_STEPS	64
/*
 * There is a group of buckets for the durations below DIST_STEPS, and one for each further power of
 * two.
 */
#define DIST_GROUPS	(64 - 6 + 1)
/* A histogram has this many bars for the range from each power of two to the next. */
#define DIST_PARTS	4

/**
 * struct dist - distribution of durations in nanoseconds
 * @count: number of durations
 * @sum: sum of the durations, at most UINT64_MAX
 * @max: longest duration; 0: no durations
 * @max_at_ns: argument @at_ns of dist_add() for the longest duration
 * @bucket: number of durations in each bucket, from the first group with durations to the last one
 * @first: first group in @bucket
 * @groups: number of groups in @bucket
 *
 * Initialize it with zeros. It needs 256 bytes for each power of two from the shortest to the
 * longest duration, so an analysis can have a distribution for each thread.
 */
struct dist {
	uint64_t count;
	uint64_t sum;
	uint64_t max;
	int64_t max_at_ns;
	uint32_t *bucket;
	uint8_t first;
	uint8_t groups;
};

/**
 * struct dist_part - one bar of a histogram of a distribution
 * @from_ns: shortest duration that this bar covers
 * @to_ns: longest duration that this bar covers
 * @count: number of durations
 */
struct dist_part {
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t count;
};

int dist_add(struct dist *dist, int64_t duration_ns, int64_t at_ns);
int dist_merge(struct dist *to, const struct dist *from);
uint64_t dist_percentile(const struct dist *dist, double percent);
bool dist_next_part(const struct dist *dist, size_t *at, struct dist_part *part);
void dist_cumulate(const struct dist *dist, unsigned int first, size_t buckets, uint64_t *to);
uint64_t dist_bucket_end(unsigned int first, size_t bucket);
void dist_free(struct dist *dist);

#endif
