/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes whether two figures differ by more than their noise. This code does not depend on
 * traces.
 */
#ifndef _LKSTLA_DIFF_STATS_H
#define _LKSTLA_DIFF_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lkstla/dist.h"

/* The window is divided into this many slices of equal length. */
#define DIFF_SLICES 64
/* Maximum number of blocks into which the time from the first to the last duration is divided */
#define DIFF_BLOCKS 16

/**
 * struct diff_estimate - a figure of a trace, and its precision
 * @value: figure, not negative
 * @error: standard error of @value
 * @freedom: degrees of freedom of the standard error
 */
struct diff_estimate {
	double value;
	double error;
	double freedom;
};

/**
 * struct diff_percentile - logarithms of a percentile of a trace and of its confidence interval
 * @log: the percentile
 * @from: lower end of the interval
 * @to: upper end of the interval; infinite if the trace has too few durations
 */
struct diff_percentile {
	double log;
	double from;
	double to;
};

/**
 * struct diff_ratio - the ratio of two figures
 * @from: lower end of the interval
 * @to: upper end; infinite if the first figure may be 0
 */
struct diff_ratio {
	double from;
	double to;
};

double diff_critical(double tail, double freedom);
struct diff_estimate diff_sum(const double slice[DIFF_SLICES], double floor);
void diff_pool(struct diff_estimate sum[2], const double floor[2]);
bool diff_percentiles(const struct dist block[DIFF_BLOCKS], size_t num, const double *percent,
		      double tail, struct diff_percentile *to);
struct diff_ratio diff_ratio(const struct diff_estimate *a, const struct diff_estimate *b,
			     double tail);
struct diff_ratio diff_ratio_of_percentiles(const struct diff_percentile *a,
					    const struct diff_percentile *b);

#endif
