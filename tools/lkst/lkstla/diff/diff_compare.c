// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla diff: compares the rows of two traces.
 *
 * A figure has changed if the whole confidence interval of the ratio of its values is beyond the
 * minimum change, in either direction. --confidence is the confidence of all intervals together.
 * There are many intervals, so each has a higher confidence (Bonferroni).
 *
 * The score is the time that the change costs or saves, times the logarithm of the factor. Without
 * the logarithm, small changes of the rows with the most time, such as sleeping, would come first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"

/*
 * Minimum number of occurrences, or of failures, in both traces together for comparing their rates.
 * Also the minimum number of occurrences in a trace for computing a mean.
 */
#define COUNT_MIN 20
/*
 * Minimum number of durations in each trace for comparing the 50th and the 99th percentile, and
 * minimum number of blocks with durations
 */
#define P50_MIN	   50
#define P99_MIN	   1000
#define BLOCKS_MIN 4
/*
 * Maximum logarithm (base 2) of a factor in the score. A figure that is 0 in one of the traces, for
 * example because that trace lacks the row, gets this value.
 */
#define FACTOR_MAX 10
/* In the score, each additional failure costs at least this much time, in ns. */
#define FAILURE_NS 100000
/* Weight of the time that a thread sleeps in a system call until an event or a signal */
#define SLEEP_WEIGHT 0.1

/**
 * struct compare - two rows that are compared
 * @side: the traces
 * @row: row in each of the traces; NULL: none
 * @limits: what counts as a change
 * @change: the compared figures so far
 * @num: number of figures
 * @failed: an allocation failed
 */
struct compare {
	struct diff_side *side[2];
	const struct diff_series *row[2];
	const struct diff_limits *limits;
	struct diff_change *change;
	size_t num;
	bool failed;
};

static const struct diff_series no_row;

static const struct diff_series *compare_row(const struct compare *compare, int side)
{
	return compare->row[side] ? compare->row[side] : &no_row;
}

/* Return the smaller of two numbers. If one of them is 0, return the other one. */
static double compare_less(double a, double b)
{
	if (a <= 0 || b <= 0)
		return a > 0 ? a : b;
	return a < b ? a : b;
}

/*
 * Compute the mean of a quantity per occurrence in both traces, and return the smaller mean. If one
 * of the traces has too few occurrences for a mean, return the mean of the trace with more
 * occurrences.
 */
static double compare_mean(const struct compare *compare, double of_a, double of_b)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);
	double mean_a = a->count ? of_a / (double)a->count : 0;
	double mean_b = b->count ? of_b / (double)b->count : 0;

	if (a->count >= COUNT_MIN && b->count >= COUNT_MIN)
		return compare_less(mean_a, mean_b);
	return a->count > b->count ? mean_a : mean_b;
}

/* Return how much time an occurrence costs. Time for which a system call sleeps is not a cost. */
static double compare_cost(const struct compare *compare)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);

	if ((a->count ? a : b)->kind == DIFF_CALL)
		return compare_mean(compare, a->busy_ns, b->busy_ns);
	return compare_mean(compare, a->total_ns, b->total_ns);
}

/*
 * Return which share of the time of this row counts in a score. It is computed from the trace in
 * which the row takes more time per second. Waits for locks do not count here if the rows of the
 * locks are compared, and sleep has a low weight.
 */
static double compare_share(const struct compare *compare)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);
	bool more_in_a = a->total_ns / compare->side[0]->seconds >
			 b->total_ns / compare->side[1]->seconds;
	const struct diff_series *most = more_in_a ? a : b;
	bool locks = compare->side[0]->has[DIFF_LOCK] && compare->side[1]->has[DIFF_LOCK];
	double without = (locks ? most->locked_ns : 0) + (1 - SLEEP_WEIGHT) * most->asleep_ns;

	return most->total_ns > without ? 1 - without / most->total_ns : 0;
}

/* Return the lower of the rates in the two traces. If one rate is 0, return the other rate. */
static double compare_rate(const struct compare *compare)
{
	double a = (double)compare_row(compare, 0)->count / compare->side[0]->seconds;
	double b = (double)compare_row(compare, 1)->count / compare->side[1]->seconds;

	return compare_less(a, b);
}

/* Return how much more time per second B needs because of a change. */
static double compare_worth(const struct compare *compare, const struct diff_change *change)
{
	double more = change->b - change->a, cost;

	switch (change->measure) {
	case DIFF_RATE:
		return more * compare_cost(compare);
	case DIFF_ERRORS:
		cost = compare_cost(compare);
		return more * (cost > FAILURE_NS ? cost : FAILURE_NS);
	case DIFF_TOTAL:
		return more * compare_share(compare);
	case DIFF_P50:
		return more * compare_rate(compare) * compare_share(compare);
	case DIFF_P99:
		return more * compare_rate(compare) * compare_share(compare) / 100;
	default:
		return 0;
	}
}

static double compare_factor(const struct diff_change *change)
{
	double factor;

	if (change->a <= 0 || change->b <= 0)
		return change->a > 0 || change->b > 0 ? FACTOR_MAX : 0;
	factor = fabs(log2(change->b / change->a));
	return factor < FACTOR_MAX ? factor : FACTOR_MAX;
}

static void compare_add(struct compare *compare, enum diff_measure measure, double a, double b,
			const struct diff_ratio *ratio)
{
	const struct diff_series *of = compare->row[0] ? compare->row[0] : compare->row[1];
	struct diff_change *change = &compare->change[compare->num++];

	*change = (struct diff_change){
		.kind = of->kind,
		.name = of->name,
		.measure = measure,
		.only = !compare->row[1] ? 'A' :
			!compare->row[0] ? 'B' :
					   0,
		.a = a,
		.b = b,
		.ratio = *ratio,
	};
	change->worth_ns = compare_worth(compare, change);
	change->score = fabs(change->worth_ns) * compare_factor(change);
}

/* ---- sums ---- */

/* Compare sums over slices. @floor is the minimum variance of each sum. */
static void compare_sums(struct compare *compare, enum diff_measure measure, const double *slice[2],
			 const double floor[2], double tail)
{
	struct diff_estimate sum[2];
	struct diff_ratio ratio;

	for (int i = 0; i < 2; i++)
		sum[i] = diff_sum(slice[i], floor[i]);
	diff_pool(sum, floor);
	for (int i = 0; i < 2; i++) {
		sum[i].value /= compare->side[i]->seconds;
		sum[i].error /= compare->side[i]->seconds;
	}
	ratio = diff_ratio(&sum[0], &sum[1], tail);
	compare_add(compare, measure, sum[0].value, sum[1].value, &ratio);
}

/*
 * Each wake-up makes a thread wait and run once. So compare the rate of wake-ups, but not the rates
 * of waits and runs.
 */
static bool compare_has_rate(const struct compare *compare)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);
	enum diff_kind kind = (compare->row[0] ? a : b)->kind;

	return a->count + b->count >= COUNT_MIN && kind != DIFF_RUN && kind != DIFF_WAIT;
}

static bool compare_has_total(const struct compare *compare)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);

	return (compare->row[0] ? a : b)->kind != DIFF_WAKE && (a->total_ns > 0 || b->total_ns > 0);
}

static void compare_counts(struct compare *compare, double tail)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);

	/*
	 * The variance of the number of independent events is about equal to this number. Add 1,
	 * so that the variance is not 0.
	 */
	if (compare_has_rate(compare))
		compare_sums(compare, DIFF_RATE, (const double *[]){ a->counts, b->counts },
			     (const double[]){ (double)a->count + 1, (double)b->count + 1 }, tail);
	if (a->failed + b->failed >= COUNT_MIN)
		compare_sums(compare, DIFF_ERRORS, (const double *[]){ a->fails, b->fails },
			     (const double[]){ (double)a->failed + 1, (double)b->failed + 1 },
			     tail);
}

static void compare_times(struct compare *compare, double tail)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);

	if (compare_has_total(compare))
		compare_sums(compare, DIFF_TOTAL, (const double *[]){ a->times, b->times },
			     (const double[]){ a->squares, b->squares }, tail);
}

/* ---- percentiles ---- */

static bool compare_has_dist(const struct diff_series *row, uint64_t least)
{
	uint64_t durations = 0, blocks = 0;

	for (size_t i = 0; i < DIFF_BLOCKS; i++) {
		durations += row->block[i].count;
		blocks += row->block[i].count > 0;
	}
	return durations >= least && blocks >= BLOCKS_MIN;
}

static bool compare_has(const struct compare *compare, uint64_t least)
{
	/* Do not compare the durations of runs: other threads determine when a run ends. */
	return compare_row(compare, 0)->kind != DIFF_RUN &&
	       compare_has_dist(compare_row(compare, 0), least) &&
	       compare_has_dist(compare_row(compare, 1), least);
}

static void compare_percentiles(struct compare *compare, double tail)
{
	static const double percent[] = { 50, 99 };
	size_t num = compare_has(compare, P99_MIN) ? 2 : compare_has(compare, P50_MIN);
	struct diff_percentile of[2][2];

	if (!num)
		return;
	for (int i = 0; i < 2; i++)
		if (!diff_percentiles(compare_row(compare, i)->block, num, percent, tail, of[i])) {
			compare->failed = true;
			return;
		}
	for (size_t i = 0; i < num; i++) {
		struct diff_ratio ratio = diff_ratio_of_percentiles(&of[0][i], &of[1][i]);

		/* @log is the logarithm of the duration plus 1 ns. */
		compare_add(compare, DIFF_P50 + (int)i, exp(of[0][i].log) - 1,
			    exp(of[1][i].log) - 1, &ratio);
	}
}

/* ---- all rows ---- */

/* Return the number of figures of a pair of rows. One of the two rows may be missing. */
static size_t compare_count(const struct compare *compare)
{
	const struct diff_series *a = compare_row(compare, 0), *b = compare_row(compare, 1);
	size_t sums = compare_has_rate(compare) + (a->failed + b->failed >= COUNT_MIN) +
		      compare_has_total(compare);

	return sums + (compare_has(compare, P99_MIN) ? 2 : compare_has(compare, P50_MIN));
}

static void compare_one(struct compare *compare, double tail)
{
	compare_counts(compare, tail);
	compare_times(compare, tail);
	compare_percentiles(compare, tail);
}

/*
 * Return whether a row of a side can be compared. If the other side lacks the row, but some rows
 * did not fit into that side, the row may be one of those that did not fit. Then it cannot be
 * compared.
 */
static bool compare_is_comparable(const struct compare *compare, int side,
				  const struct diff_series *row, const struct diff_series *other)
{
	const struct diff_side *other_side = compare->side[!side];

	return other_side->has[row->kind] && row != diff_others(compare->side[side], row->kind) &&
	       (other || !diff_others(other_side, row->kind));
}

/* Compare each pair of rows. If @tail is 0, only count their figures. */
static size_t compare_each(struct compare *compare, double tail)
{
	size_t figures = 0;

	for (int side = 0; side < 2; side++) {
		struct diff_entry *entry;
		size_t at = 0;

		while ((entry = hash_next(&compare->side[side]->rows, &at)) != NULL) {
			const struct diff_series *other =
				diff_row_like(compare->side[!side], entry->series);

			if (!compare_is_comparable(compare, side, entry->series, other) ||
			    (side && other))
				continue;
			compare->row[side] = entry->series;
			compare->row[!side] = other;
			if (tail > 0)
				compare_one(compare, tail);
			else
				figures += compare_count(compare);
		}
	}
	return figures;
}

/* Order: highest score first. The other comparisons make the order unambiguous. */
static int compare_order(const void *pa, const void *pb)
{
	const struct diff_change *a = pa, *b = pb;
	int names;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	names = strcmp(a->name, b->name);
	return names ? names : (int)a->measure - (int)b->measure;
}

static bool compare_is_change(const struct diff_change *change, const struct diff_limits *limits)
{
	return fabs(change->worth_ns) >= limits->worth_ns &&
	       (change->ratio.from > limits->factor || change->ratio.to < 1 / limits->factor);
}

/**
 * diff_compare() - compare all figures of two traces
 * @a: first trace
 * @b: second trace
 * @limits: what counts as a change
 * @num: number of results
 *
 * Return: the figures, by descending score; NULL if an allocation fails. The caller frees the
 * array. The names in it belong to the sides.
 */
struct diff_change *diff_compare(struct diff_side *a, struct diff_side *b,
				 const struct diff_limits *limits, size_t *num)
{
	struct compare compare = { .side = { a, b }, .limits = limits };
	size_t figures = compare_each(&compare, 0);

	compare.change = calloc(figures + 1, sizeof(*compare.change));
	if (!compare.change)
		return NULL;
	/* Each interval has two ends. The chance is divided among the ends of all intervals. */
	if (figures)
		compare_each(&compare, limits->chance / 2 / (double)figures);
	if (compare.failed) {
		free(compare.change);
		return NULL;
	}
	for (size_t i = 0; i < compare.num; i++)
		compare.change[i].changed = compare_is_change(&compare.change[i], limits);
	qsort(compare.change, compare.num, sizeof(*compare.change), compare_order);
	*num = compare.num;
	return compare.change;
}
