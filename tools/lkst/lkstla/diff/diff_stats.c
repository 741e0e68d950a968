// SPDX-License-Identifier: GPL-2.0
/*
 * Computes whether two figures differ by more than their noise.
 *
 * Successive events in a trace are correlated, so the standard error is computed from sums over
 * slices of the window. Adjacent slices may be correlated, too. So blocks of 1, 2, 4 and 8 slices
 * are tried, and the largest standard error is used.
 *
 * The interval of a ratio of sums is computed by Fieller's method, which is correct even if the
 * denominator is small. The interval of a ratio of percentiles is combined from the intervals of
 * both on a logarithmic scale (MOVER, by Zou and Donner).
 */
#include <math.h>

#include "diff_stats.h"

/* Maximum number of slices in a block */
#define SLICES_MAX 8

/* ---- Student's t distribution ---- */

/* The continued fraction of the incomplete beta function, by the method of Lentz */
static double stats_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), result;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	result = d;
	for (int i = 1; i < 500; i++) {
		double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
		double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		result *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		result *= step;
		if (fabs(step - 1) < 1e-12)
			break;
	}
	return result;
}

/* The regularized incomplete beta function */
static double stats_beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * stats_fraction(x, a, b) / a;
	return 1 - front * stats_fraction(1 - x, b, a) / b;
}

/* Return the probability that a value of the t distribution exceeds @t, which is positive. */
static double stats_tail(double t, double freedom)
{
	return stats_beta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

/**
 * diff_critical() - find the value that the t distribution exceeds with a given probability
 * @tail: probability, more than 0 and at most 0.5
 * @freedom: degrees of freedom, at least 1
 */
double diff_critical(double tail, double freedom)
{
	double low = 0, high = 1;

	while (stats_tail(high, freedom) > tail && high < 1e12)
		high *= 2;
	for (int i = 0; i < 100 && high - low > 1e-9 * high; i++) {
		double middle = (low + high) / 2;

		if (stats_tail(middle, freedom) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* ---- standard errors ---- */

/* Return the variance of the sum of all slices if blocks of @length slices are independent. */
static double stats_variance(const double slice[DIFF_SLICES], size_t length, double sum)
{
	const size_t blocks = DIFF_SLICES / length;
	double mean = sum / (double)blocks, squares = 0;

	for (size_t i = 0; i < blocks; i++) {
		double block = 0;

		for (size_t j = 0; j < length; j++)
			block += slice[i * length + j];
		squares += (block - mean) * (block - mean);
	}
	return squares * (double)blocks / (double)(blocks - 1);
}

/**
 * diff_sum() - add up the slices
 * @slice: a sum for each slice
 * @floor: minimum of the variance of the total. If the total is the sum of few parts, the slices do
 *	not show how much the total varies
 */
struct diff_estimate diff_sum(const double slice[DIFF_SLICES], double floor)
{
	struct diff_estimate sum = { .freedom = DIFF_SLICES - 1 };
	double most = floor;

	for (size_t i = 0; i < DIFF_SLICES; i++)
		sum.value += slice[i];
	for (size_t length = 1; length <= SLICES_MAX; length *= 2) {
		double variance = stats_variance(slice, length, sum.value);

		if (variance <= most)
			continue;
		most = variance;
		sum.freedom = DIFF_SLICES / (double)length - 1;
	}
	sum.error = sqrt(most);
	return sum;
}

/**
 * diff_pool() - assume that dependence between events affects the errors of two sums equally
 * @sum: sums
 * @floor: variances of the sums if the events are independent
 *
 * A sum over events that occur in bursts varies more than a sum over independent events. If one of
 * the sums has too few events to show this, the other one may show it.
 */
void diff_pool(struct diff_estimate sum[2], const double floor[2])
{
	double factor[2];

	for (int i = 0; i < 2; i++)
		factor[i] = floor[i] > 0 ? sum[i].error * sum[i].error / floor[i] : 0;
	for (int i = 0; i < 2; i++) {
		if (factor[!i] <= factor[i])
			continue;
		sum[i].error = sqrt(floor[i] * factor[!i]);
		sum[i].freedom = sum[!i].freedom;
	}
}

/* ---- intervals ---- */

/* The degrees of freedom of the difference of two figures, after Welch and Satterthwaite */
static double stats_freedom(const struct diff_estimate *a, const struct diff_estimate *b,
			    double scale)
{
	double va = a->error * a->error * scale * scale, vb = b->error * b->error;
	double below = va * va / a->freedom + vb * vb / b->freedom;

	return below > 0 ? (va + vb) * (va + vb) / below : b->freedom;
}

/**
 * diff_ratio() - the interval of the ratio b / a
 * @a: first figure
 * @b: second figure
 * @tail: probability that the ratio is below the interval; also the probability that it is above
 */
struct diff_ratio diff_ratio(const struct diff_estimate *a, const struct diff_estimate *b,
			     double tail)
{
	double scale = a->value > 0 ? b->value / a->value : 0;
	double t = diff_critical(tail, stats_freedom(a, b, scale));
	/* The ends are the roots r of (b - r a)^2 = t^2 (error_b^2 + r^2 error_a^2). */
	double first = a->value * a->value - t * t * a->error * a->error;
	double last = b->value * b->value - t * t * b->error * b->error;
	double middle = a->value * b->value;
	double root = middle * middle - first * last;
	double q = middle + sqrt(root > 0 ? root : 0);

	return (struct diff_ratio){
		/* q is 0 if the first figure is exactly 0. */
		.from = last <= 0 ? 0 :
			q > 0	  ? last / q :
				    INFINITY,
		.to = first > 0 ? q / first : INFINITY,
	};
}

/**
 * diff_ratio_of_percentiles() - the interval of the ratio b / a
 * @a: first percentile
 * @b: second percentile
 */
struct diff_ratio diff_ratio_of_percentiles(const struct diff_percentile *a,
					    const struct diff_percentile *b)
{
	return (struct diff_ratio){
		.from = exp(b->log - a->log - hypot(b->log - b->from, a->to - a->log)),
		.to = exp(b->log - a->log + hypot(b->to - b->log, a->log - a->from)),
	};
}
