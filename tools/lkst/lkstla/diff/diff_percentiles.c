// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates percentiles, and how precisely they are known.
 *
 * A percentile may be next to a gap: if about 1 % of the calls wait for a lock, the 99th percentile
 * is either very short or very long, and a standard error cannot describe that. But the share of
 * the calls that take at most a certain time does have a standard error. So the interval of that
 * share is computed. The percentiles at the ends of this interval are the ends of the interval of
 * the wanted percentile (Woodruff). The interval is asymmetric. The interval of a median is also
 * computed from the medians of the blocks, and the overlap of the two intervals is used.
 *
 * Adjacent blocks are not independent: groups of 1 and 2 blocks are tried, and the wider interval
 * is used.
 */
#include <math.h>
#include <stdlib.h>

#include "diff_stats.h"

/* Maximum number of blocks in a group */
#define GROUP_MAX 2
/*
 * Minimum number of durations in all blocks together for using the medians of the blocks. With
 * fewer durations, some blocks may have too few for a median.
 */
#define MEDIANS_MIN 100

/*
 * struct stats_blocks - the distributions of the blocks, as cumulative counts
 * @first: first group of buckets
 * @buckets: number of buckets
 * @count: for each block and bucket, the number of durations up to the end of the bucket
 */
struct stats_blocks {
	unsigned int first;
	size_t buckets;
	uint64_t *count;
};

static int stats_blocks_init(struct stats_blocks *blocks, const struct dist block[DIFF_BLOCKS])
{
	unsigned int end = 0;

	blocks->first = DIST_GROUPS;
	for (size_t i = 0; i < DIFF_BLOCKS; i++) {
		if (!block[i].count)
			continue;
		if (block[i].first < blocks->first)
			blocks->first = block[i].first;
		if (block[i].first + block[i].groups > end)
			end = block[i].first + block[i].groups;
	}
	blocks->buckets = end > blocks->first ? (end - blocks->first) * DIST_STEPS : 0;
	blocks->count = calloc(DIFF_BLOCKS * blocks->buckets + 1, sizeof(*blocks->count));
	if (!blocks->count)
		return -1;
	for (size_t i = 0; i < DIFF_BLOCKS; i++)
		dist_cumulate(&block[i], blocks->first, blocks->buckets,
			      blocks->count + i * blocks->buckets);
	return 0;
}

/* Return the number of durations in a bucket and in all buckets before it. */
static uint64_t stats_below(const struct stats_blocks *blocks, size_t bucket)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < DIFF_BLOCKS; i++)
		sum += blocks->count[i * blocks->buckets + bucket];
	return sum;
}

static uint64_t stats_all(const struct stats_blocks *blocks)
{
	return stats_below(blocks, blocks->buckets - 1);
}

/*
 * Return the first bucket that, together with all buckets before it, contains at least the given
 * share of the durations.
 */
static size_t stats_bucket(const struct stats_blocks *blocks, double share)
{
	double rank = share * (double)stats_all(blocks);
	size_t low = 0, high = blocks->buckets - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if ((double)stats_below(blocks, middle) < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static double stats_log(const struct stats_blocks *blocks, size_t bucket)
{
	return log((double)dist_bucket_end(blocks->first, bucket) + 1);
}

/*
 * Return the variance of the share of the durations up to a bucket if groups of @length blocks are
 * independent. @used is set to the number of groups with durations.
 */
static double stats_share_variance(const struct stats_blocks *blocks, size_t bucket, size_t length,
				   double below, double *used)
{
	double all = (double)stats_all(blocks), squares = 0;

	*used = 0;
	for (size_t i = 0; i < DIFF_BLOCKS; i += length) {
		double up_to = 0, of_block = 0;

		for (size_t j = i; j < i + length; j++) {
			const uint64_t *count = blocks->count + j * blocks->buckets;

			up_to += (double)count[bucket];
			of_block += (double)count[blocks->buckets - 1];
		}
		squares += (up_to - below * of_block) * (up_to - below * of_block);
		*used += of_block > 0;
	}
	return *used > 1 ? squares / (all * all) * *used / (*used - 1) : 0;
}

/*
 * Estimate how precisely the share of the durations up to a bucket is known, if its true value is
 * @share. Next to a gap in the distribution, the share in the trace is larger than @share, so the
 * variance is scaled to @share. The result is at least the variance of independent durations.
 */
static struct diff_estimate stats_share(const struct stats_blocks *blocks, size_t bucket,
					double share)
{
	double all = (double)stats_all(blocks), most = share * (1 - share) / all;
	double below = (double)stats_below(blocks, bucket) / all;
	struct diff_estimate of = { .value = share, .freedom = DIFF_SLICES - 1 };

	for (size_t length = 1; below < 1 && length <= GROUP_MAX; length *= 2) {
		double used, variance;

		variance = stats_share_variance(blocks, bucket, length, below, &used);
		variance *= share * (1 - share) / (below * (1 - below));
		if (variance <= most)
			continue;
		most = variance;
		of.freedom = used - 1;
	}
	of.error = sqrt(most);
	return of;
}

/*
 * Get the interval of a percentile from the interval of the share of the durations below the
 * percentile.
 */
static struct diff_percentile stats_from_share(const struct stats_blocks *blocks, double percent,
					       double tail)
{
	size_t bucket = stats_bucket(blocks, percent / 100);
	struct diff_estimate share = stats_share(blocks, bucket, percent / 100);
	double width = diff_critical(tail, share.freedom) * share.error;
	double from = share.value - width, to = share.value + width;

	/* If the percentile may be longer than any duration in the trace, it has no upper limit. */
	return (struct diff_percentile){
		.log = stats_log(blocks, bucket),
		.from = from > 0 ? stats_log(blocks, stats_bucket(blocks, from)) : -INFINITY,
		.to = to < 1 ? stats_log(blocks, stats_bucket(blocks, to)) : INFINITY,
	};
}

/*
 * Return the logarithm of the median of a group of blocks. @count is set to the number of durations
 * in the group.
 */
static double stats_median(const struct stats_blocks *blocks, size_t first, size_t length,
			   double *count)
{
	size_t bucket = 0;
	uint64_t all = 0;

	for (size_t i = first; i < first + length; i++)
		all += blocks->count[(i + 1) * blocks->buckets - 1];
	*count = (double)all;
	for (; bucket < blocks->buckets - 1; bucket++) {
		uint64_t below = 0;

		for (size_t i = first; i < first + length; i++)
			below += blocks->count[i * blocks->buckets + bucket];
		if (2 * below >= all)
			break;
	}
	return stats_log(blocks, bucket);
}

/*
 * Estimate the median as the mean of the medians of groups of blocks, each weighted by its
 * durations.
 */
static struct diff_estimate stats_mean_median(const struct stats_blocks *blocks, size_t length)
{
	double median[DIFF_BLOCKS], weight[DIFF_BLOCKS], squares = 0, used = 0;
	struct diff_estimate mean = { 0 };

	for (size_t i = 0; i < DIFF_BLOCKS / length; i++) {
		median[i] = stats_median(blocks, i * length, length, &weight[i]);
		weight[i] /= (double)stats_all(blocks);
		mean.value += weight[i] * median[i];
		used += weight[i] > 0;
	}
	for (size_t i = 0; i < DIFF_BLOCKS / length; i++)
		squares += pow(weight[i] * (median[i] - mean.value), 2);
	mean.freedom = used - 1;
	mean.error = used > 1 ? sqrt(squares * used / (used - 1)) : INFINITY;
	return mean;
}

/*
 * Narrow the interval of the median. If durations slowly get longer in the course of a trace, all
 * durations are below the median of the whole trace in some blocks, and above it in others. Then
 * the interval from stats_from_share() contains nearly all durations, even if they hardly differ.
 * The medians of the blocks show how little the durations differ.
 */
static void stats_narrow_median(const struct stats_blocks *blocks, double tail,
				struct diff_percentile *median)
{
	double from = median->log, to = median->log;

	for (size_t length = 1; length <= GROUP_MAX; length *= 2) {
		struct diff_estimate mean = stats_mean_median(blocks, length);
		double width;

		if (!(mean.freedom >= 1))
			return;
		width = diff_critical(tail, mean.freedom) * mean.error;
		from = fmin(from, mean.value - width);
		to = fmax(to, mean.value + width);
	}
	median->from = fmax(median->from, from);
	median->to = fmin(median->to, to);
}

static struct diff_percentile stats_percentile(const struct stats_blocks *blocks, double percent,
					       double tail)
{
	/* Durations of the same bucket differ by up to 1.6 %. */
	const double step = 0.016;
	bool narrow = percent == 50 && stats_all(blocks) >= MEDIANS_MIN;
	/* If two intervals are combined, each gets half of the probability. */
	double part = narrow ? tail / 2 : tail;
	struct diff_percentile of = stats_from_share(blocks, percent, part);

	if (narrow)
		stats_narrow_median(blocks, part, &of);
	of.from -= step;
	of.to += step;
	return of;
}

/**
 * diff_percentiles() - estimate percentiles
 * @block: distributions of the blocks, of which at least two are not empty
 * @num: number of percentiles
 * @percent: the percentiles, such as 99
 * @tail: probability that a percentile is below its interval; also the probability that it is above
 * @to: the results
 *
 * Return: false if an allocation fails.
 */
bool diff_percentiles(const struct dist block[DIFF_BLOCKS], size_t num, const double *percent,
		      double tail, struct diff_percentile *to)
{
	struct stats_blocks blocks;

	if (stats_blocks_init(&blocks, block))
		return false;
	for (size_t i = 0; i < num; i++)
		to[i] = stats_percentile(&blocks, percent[i], tail);
	free(blocks.count);
	return true;
}
