// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla diff: quantiles that are known from tables, how often a confidence interval contains the
 * true ratio, which changes are found in made-up traces with no change or with a known one, rows
 * beyond the limits, and failed allocations.
 */
#include <math.h>

#include "lkstla/diff/diff.h"
#include "tap.h"

#define WINDOW_NS 10000000000 /* 10 s */

static uint64_t state;
static int reallocs = -1; /* number of calls of realloc() until one fails; -1: none fails */
static struct diff_side sides[2];
static struct run run = { .end_ns = WINDOW_NS };

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_realloc(void *old, size_t size)
{
	if (!reallocs)
		return NULL;
	reallocs -= reallocs > 0;
	return __real_realloc(old, size);
}

static void init_sides(void)
{
	for (int i = 0; i < 2; i++) {
		sides[i] = (struct diff_side){ 0 };
		diff_side_init(&sides[i], &run);
		memset(sides[i].has, true, sizeof(sides[i].has));
	}
}

static void setup(void)
{
	reallocs = -1;
	state = 88172645463325252;
	init_sides();
}

static void teardown(void)
{
	for (int i = 0; i < 2; i++)
		diff_side_free(&sides[i]);
}

static void reset_sides(void)
{
	teardown();
	init_sides();
}

TESTS(.setup = setup, .teardown = teardown, .timeout = 60);

/* Return a random number between 0 and 1, excluding both. */
static double uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double exponential(double mean)
{
	return -log(uniform()) * mean;
}

/* From tables of the t distribution */
static const struct { double tail, freedom, t; } quantiles[] = {
	{ 0.05, 1, 6.3138 },	{ 0.025, 2, 4.3027 },  { 0.025, 10, 2.2281 }, { 0.0005, 5, 6.8688 },
	{ 0.001, 20, 3.5518 }, { 0.025, 60, 2.0003 }, { 0.025, 1e6, 1.9600 }, { 0.5, 7, 0 },
};

TEST_EACH(critical, quantiles)
{
	ck_assert_double_eq_tol(diff_critical(quantiles[_i].tail, quantiles[_i].freedom),
				quantiles[_i].t, 6e-5);
}

/*
 * The standard error of a sum. If all slices are equal, their variance is 0, unless the caller
 * requires a minimum.
 */
TEST(sum)
{
	double slice[DIFF_SLICES];
	struct diff_estimate sum;

	for (int i = 0; i < DIFF_SLICES; i++)
		slice[i] = 5;
	sum = diff_sum(slice, 0);
	ck_assert_double_eq(sum.value, 320);
	ck_assert_double_eq(sum.error, 0);
	sum = diff_sum(slice, 49);
	ck_assert_double_eq(sum.error, 7);
	/*
	 * The slices are equal within each half of the window. The variance is found because
	 * diff_sum() also compares blocks of several slices.
	 */
	for (int i = 0; i < DIFF_SLICES / 2; i++)
		slice[i] = 7;
	sum = diff_sum(slice, 0);
	ck_assert_double_eq_tol(sum.error, sqrt(8.0 * 64 * 8 / 7), 1e-9);
	ck_assert_double_eq(sum.freedom, 7);
}

/*
 * If the variance of one sum is nine times as large as that of independent events, the same is
 * assumed for the other sum.
 */
TEST(pool)
{
	const double floor[2] = { 4, 100 };
	struct diff_estimate sum[2] = { { 3, 2, 63 }, { 99, 30, 7 } };

	diff_pool(sum, floor);
	ck_assert_double_eq_tol(sum[0].error, 6, 1e-9);
	ck_assert_double_eq(sum[0].freedom, 7);
	ck_assert_double_eq(sum[1].error, 30);
	ck_assert_double_eq(sum[1].freedom, 7);
	/* A sum without events does not vary. */
	sum[0] = (struct diff_estimate){ 0, 0, 63 };
	diff_pool(sum, (const double[2]){ 0, 100 });
	ck_assert_double_eq(sum[0].error, 0);
}

/*
 * Fill slices with sums whose mean is @mean. The share @keep of each sum comes from the previous
 * sum. If @keep is 0, the sums are independent.
 */
static void fill(double slice[DIFF_SLICES], double mean, double keep)
{
	double level = exponential(mean);

	for (int i = 0; i < DIFF_SLICES; i++) {
		level = keep * level + (1 - keep) * exponential(mean);
		slice[i] = level;
	}
}

/*
 * The interval contains the true ratio as often as it claims, and nearly as often if each slice
 * depends on the previous one. If the interval always contained the ratio, it would be too wide.
 */
static const struct { double keep, tail, least, most; } coverages[] = {
	{ 0, 0.025, 0.94, 0.99 },
	{ 0, 0.1, 0.79, 0.93 },
	{ 0.5, 0.025, 0.91, 1 },
};

TEST_EACH(coverage_of_sums, coverages)
{
	const int trials = 1000;
	int within = 0;

	for (int i = 0; i < trials; i++) {
		double a[DIFF_SLICES], b[DIFF_SLICES];
		struct diff_estimate sum_a, sum_b;
		struct diff_ratio ratio;

		fill(a, 100, coverages[_i].keep);
		fill(b, 150, coverages[_i].keep);
		sum_a = diff_sum(a, 0);
		sum_b = diff_sum(b, 0);
		ratio = diff_ratio(&sum_a, &sum_b, coverages[_i].tail);
		within += ratio.from <= 1.5 && ratio.to >= 1.5;
	}
	ck_assert_double_ge(within / (double)trials, coverages[_i].least);
	ck_assert_double_le(within / (double)trials, coverages[_i].most);
}

static void fill_blocks(struct dist block[DIFF_BLOCKS], double mean)
{
	memset(block, 0, DIFF_BLOCKS * sizeof(*block));
	for (int i = 0; i < DIFF_BLOCKS; i++) {
		/* Each block is faster or slower as a whole. */
		double speed = 0.9 + 0.2 * uniform();

		for (int j = 0; j < 100; j++)
			ck_assert_int_eq(dist_add(&block[i], (int64_t)exponential(mean * speed), 0), 0);
	}
}

TEST(coverage_of_percentiles)
{
	static const double percent[] = { 50, 99 };
	const int trials = 120;
	int within[2] = { 0 };

	for (int i = 0; i < trials; i++) {
		struct dist block[2][DIFF_BLOCKS];
		struct diff_percentile of[2][2];

		for (int side = 0; side < 2; side++) {
			fill_blocks(block[side], side ? 200000 : 100000);
			ck_assert(diff_percentiles(block[side], 2, percent, 0.025, of[side]));
			for (int j = 0; j < DIFF_BLOCKS; j++)
				dist_free(&block[side][j]);
		}
		for (int j = 0; j < 2; j++) {
			struct diff_ratio ratio = diff_ratio_of_percentiles(&of[0][j], &of[1][j]);

			within[j] += ratio.from <= 2 && ratio.to >= 2;
		}
	}
	ck_assert_int_ge(within[0], trials * 91 / 100);
	ck_assert_int_lt(within[0], trials);
	ck_assert_int_ge(within[1], trials * 87 / 100);
}

/*
 * Durations that slowly get longer: nearly all of the median's error comes from the differences
 * between the blocks.
 */
TEST(drift)
{
	struct diff_percentile of;
	struct dist block[DIFF_BLOCKS] = { 0 };

	for (int i = 0; i < 300 * DIFF_BLOCKS; i++)
		ck_assert_int_eq(dist_add(&block[i / 300], 1500 + 50 * (i / 300), 0), 0);
	ck_assert(diff_percentiles(block, 1, &(double){ 50 }, 0.0001, &of));
	ck_assert_double_eq_tol(exp(of.log), 1875, 50);
	ck_assert_double_gt(of.from, log(1000));
	ck_assert_double_lt(of.to, log(3000));
	for (int i = 0; i < DIFF_BLOCKS; i++)
		dist_free(&block[i]);
}

/*
 * Of 300 calls in each block, some take much longer than the others. If about 1 % of the calls are
 * long, the 99th percentile may be short or long by chance, so the difference is noise.
 */
static const struct { int a, b; bool changed; } gaps[] = {
	{ 2, 4, false }, { 4, 2, false }, { 0, 10, true }, { 10, 0, true },
};

TEST_EACH(percentile_at_a_gap, gaps)
{
	const int slow[] = { gaps[_i].a, gaps[_i].b };
	struct diff_percentile of[2];
	struct diff_ratio ratio;

	for (int side = 0; side < 2; side++) {
		struct dist block[DIFF_BLOCKS] = { 0 };

		for (int i = 0; i < 300 * DIFF_BLOCKS; i++)
			ck_assert_int_eq(dist_add(&block[i % DIFF_BLOCKS],
						  i / DIFF_BLOCKS < slow[side] ? 200000 : 1500, 0), 0);
		ck_assert(diff_percentiles(block, 1, &(double){ 99 }, 0.0001, &of[side]));
		for (int i = 0; i < DIFF_BLOCKS; i++)
			dist_free(&block[i]);
	}
	ratio = diff_ratio_of_percentiles(&of[0], &of[1]);
	ck_assert(gaps[_i].changed == (ratio.from > 1.2 || ratio.to < 1 / 1.2));
}

/* A percentile has no upper limit if there are too few durations. */
TEST(percentile_of_few)
{
	struct dist block[DIFF_BLOCKS];
	struct diff_percentile few;

	fill_blocks(block, 1000000);
	ck_assert(diff_percentiles(block, 1, &(double){ 99.9 }, 0.0001, &few));
	ck_assert(isinf(few.to) && few.from < few.log);
	for (int i = 0; i < DIFF_BLOCKS; i++)
		dist_free(&block[i]);
}

/* The ratio has no upper limit if the first figure may be 0. */
TEST(from_nothing)
{
	const struct diff_estimate none = { 0, 1, 63 }, few = { 3, 2, 63 }, many = { 100, 10, 63 };
	struct diff_ratio ratio = diff_ratio(&none, &many, 0.025);

	ck_assert(isinf(ratio.to));
	ck_assert_double_gt(ratio.from, 30);
	ratio = diff_ratio(&none, &few, 0.025);
	ck_assert(isinf(ratio.to));
	ck_assert_double_eq(ratio.from, 0);
	ratio = diff_ratio(&many, &none, 0.025);
	ck_assert_double_eq(ratio.from, 0);
	ck_assert_double_lt(ratio.to, 0.03);
	ratio = diff_ratio(&(struct diff_estimate){ 0, 0, 63 }, &many, 0.025);
	ck_assert(isinf(ratio.from) && isinf(ratio.to));
	ratio = diff_ratio(&(struct diff_estimate){ 0, 0, 63 }, &few, 0.025);
	ck_assert(ratio.from == 0 && isinf(ratio.to));
}

/* ---- rows ---- */

static void name_row(struct diff_side *side, const void *of, char name[DIFF_NAME])
{
	(void)side;
	snprintf(name, DIFF_NAME, "%s", (const char *)of);
}

/* Add items that last about @ns, at random times and on average @rate times a second. */
static void add(struct diff_side *side, enum diff_kind kind, const char *name, double rate, double ns,
		double failures)
{
	const uint64_t id[2] = { diff_hash(name, 0) };
	struct diff_series *row;
	struct diff_item item = { .ended = true, .whole = true };

	for (double at = exponential(1e9 / rate); at < WINDOW_NS; at += exponential(1e9 / rate)) {
		item.begin_ns = (int64_t)at;
		item.time_ns = (int64_t)(ns * (0.5 + uniform()));
		item.end_ns = item.begin_ns + item.time_ns;
		item.failed = uniform() < failures;
		row = diff_row(side, kind, id, name_row, name);
		ck_assert_ptr_nonnull(row);
		row->busy_ns += (double)item.time_ns;
		ck_assert_int_eq(diff_add(side, row, &item), 0);
	}
}

/* Add a system in which nothing special happens. */
static void add_system(struct diff_side *side)
{
	char name[DIFF_NAME];

	for (int i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "thread %d", i);
		add(side, DIFF_RUN, name, 20 + 10 * i, 200000, 0);
		add(side, DIFF_WAIT, name, 20 + 10 * i, 20000 + 10000 * i, 0);
		snprintf(name, sizeof(name), "thread %d: read", i);
		add(side, DIFF_CALL, name, 10 + 15 * i, 50000, 0.1);
	}
}

static const struct diff_limits limits = { .factor = 1.2, .worth_ns = 0, .chance = 0.05 };

static struct diff_change *compare(size_t *num, size_t *changed)
{
	struct diff_change *change = diff_compare(&sides[0], &sides[1], &limits, num);

	ck_assert_ptr_nonnull(change);
	*changed = 0;
	for (size_t i = 0; i < *num; i++)
		*changed += change[i].changed;
	return change;
}

TEST(same)
{
	size_t num, changed;

	add_system(&sides[0]);
	state = 88172645463325252;
	add_system(&sides[1]);
	free(compare(&num, &changed));
	ck_assert_uint_gt(num, 70);
	ck_assert_uint_eq(changed, 0);
}

/* Of 20 pairs of traces of the same system, about one may show a change. */
TEST(same_system)
{
	size_t num, changed, wrong = 0;

	for (int i = 0; i < 20; i++) {
		add_system(&sides[0]);
		add_system(&sides[1]);
		free(compare(&num, &changed));
		wrong += changed > 0;
		reset_sides();
	}
	ck_assert_uint_le(wrong, 2);
}

/* Distributions from which both traces of a pair get their durations */
enum shape { EXPONENTIAL, BIMODAL, LOG_NORMAL, BURSTS };

/* Return a duration in ns. With BURSTS, @level is the average duration in the burst. */
static double any_duration(enum shape shape, double level)
{
	switch (shape) {
	case EXPONENTIAL:
		return exponential(100000);
	case BIMODAL:
		return (uniform() < 0.5 ? 2000 : 500000) * (0.9 + 0.2 * uniform());
	case LOG_NORMAL:
		/* The sum of twelve uniform numbers is nearly normal, with variance 1. */
		level = -6;
		for (int i = 0; i < 12; i++)
			level += uniform();
		return exp(10 + 2 * level);
	default:
		return level * (0.5 + uniform());
	}
}

/* Add about @num durations. With BURSTS, about ten durations in a row are similar to each other. */
static void add_shape(struct diff_side *side, const char *name, enum shape shape, int num)
{
	const uint64_t id[2] = { diff_hash(name, 0) };
	struct diff_series *row = diff_row(side, DIFF_CALL, id, name_row, name);
	double mean = (double)WINDOW_NS / num, level = 0, left = 0;

	for (double at = exponential(mean); at < WINDOW_NS; at += exponential(mean)) {
		struct diff_item item = { .ended = true, .whole = true };

		if (shape == BURSTS && left-- <= 0) {
			level = 30000 * exp(exponential(1));
			left = exponential(10);
			at += exponential(9 * mean);
		} else if (shape == BURSTS) {
			at -= 0.9 * exponential(mean);
		}
		item.begin_ns = (int64_t)(at > 0 ? at : 0);
		item.time_ns = (int64_t)any_duration(shape, level);
		item.end_ns = item.begin_ns + item.time_ns;
		row->busy_ns += (double)item.time_ns;
		ck_assert_int_eq(diff_add(side, row, &item), 0);
	}
}

static const struct { enum shape shape; int num; } shapes[] = {
	{ EXPONENTIAL, 120 }, { BIMODAL, 120 }, { LOG_NORMAL, 120 }, { BURSTS, 120 },
	{ EXPONENTIAL, 400 },
};

/* Of 1,000 rows that are the same in both traces, at most one is shown as a change. */
TEST_EACH(false_alarms, shapes)
{
	const int pairs = 20, rows = 50;
	size_t num, changed, wrong = 0;

	for (int i = 0; i < pairs; i++) {
		for (int side = 0; side < 2; side++)
			for (int j = 0; j < rows; j++) {
				char name[DIFF_NAME];

				snprintf(name, sizeof(name), "row %d", j);
				add_shape(&sides[side], name, shapes[_i].shape, shapes[_i].num);
			}
		free(compare(&num, &changed));
		/* Each row has a rate and a total, and most rows also have a median. */
		ck_assert_uint_gt(num, (size_t)rows * 5 / 2);
		wrong += changed;
		reset_sides();
	}
	ck_assert_uint_le(wrong, 1);
}

/*
 * Rows that are added to the system in trace a and in trace b, and the figure whose change must be
 * found
 */
static const struct {
	const char *name;
	enum diff_kind kind;
	struct {
		double rate, ns, failures;
	} a, b;
	enum diff_measure first;
	char only;
} planted[] = {
	{ "slower", DIFF_CALL, { 100, 100000, 0 }, { 100, 400000, 0 }, DIFF_TOTAL, 0 },
	{ "faster", DIFF_CALL, { 100, 900000, 0 }, { 100, 90000, 0 }, DIFF_TOTAL, 0 },
	{ "more often", DIFF_CALL, { 100, 300000, 0 }, { 400, 300000, 0 }, DIFF_RATE, 0 },
	{ "longer wait", DIFF_LOCK, { 200, 20000, 0 }, { 200, 900000, 0 }, DIFF_TOTAL, 0 },
	{ "new wake-up", DIFF_WAKE, { 0, 0, 0 }, { 300, 50000, 0 }, DIFF_RATE, 'B' },
	{ "vanished", DIFF_RUN, { 300, 500000, 0 }, { 0, 0, 0 }, DIFF_TOTAL, 'A' },
	{ "failing", DIFF_CALL, { 200, 20000, 0.1 }, { 200, 20000, 0.9 }, DIFF_ERRORS, 0 },
	{ "handler", DIFF_IRQ, { 200, 20000, 0 }, { 200, 300000, 0 }, DIFF_TOTAL, 0 },
};

TEST_EACH(planted_change, planted)
{
	size_t num, changed;
	struct diff_change *change;
	bool found = false;

	for (int i = 0; i < 2; i++) {
		add_system(&sides[i]);
		if ((i ? planted[_i].b.rate : planted[_i].a.rate) > 0)
			add(&sides[i], planted[_i].kind, planted[_i].name,
			    i ? planted[_i].b.rate : planted[_i].a.rate,
			    i ? planted[_i].b.ns : planted[_i].a.ns,
			    i ? planted[_i].b.failures : planted[_i].a.failures);
	}
	change = compare(&num, &changed);
	ck_assert_uint_ge(changed, 1);
	for (size_t i = 0; i < num && change[i].changed; i++) {
		/* All changes are in the row that was added. */
		ck_assert_str_eq(change[i].name, planted[_i].name);
		ck_assert_int_eq(change[i].only, planted[_i].only);
		found |= change[i].measure == planted[_i].first;
	}
	ck_assert_str_eq(change[0].name, planted[_i].name);
	ck_assert(change[0].changed && found);
	free(change);
}

/* Add a row of calls that last @ns, all in the first hundredth of the window. Return the row. */
static struct diff_series *add_short_run(struct diff_side *side, int64_t ns)
{
	const uint64_t id[2] = { diff_hash("dd: read", 0) };
	struct diff_series *row = diff_row(side, DIFF_CALL, id, name_row, "dd: read");

	for (int64_t at = 0; at < WINDOW_NS / 100; at += ns + 1000) {
		const struct diff_item item = { .begin_ns = at, .end_ns = at + ns, .time_ns = ns,
						.ended = true, .whole = true };

		ck_assert_int_eq(diff_add(side, row, &item), 0);
	}
	return row;
}

/* The blocks of the distributions cover the time in which something happens, not the window. */
TEST(short_run)
{
	const struct diff_series *row[2] = { add_short_run(&sides[0], 1700),
					     add_short_run(&sides[1], 70000) };
	struct diff_change *change;
	size_t num, changed;
	bool found = false;

	for (int i = 0; i < 2; i++) {
		uint64_t durations = 0, used = 0;
		size_t groups = 0;

		for (int j = 0; j < DIFF_BLOCKS; j++) {
			durations += row[i]->block[j].count;
			used += row[i]->block[j].count > 0;
			groups += row[i]->block[j].groups;
		}
		ck_assert_uint_eq(durations, row[i]->count);
		ck_assert_uint_ge(used, DIFF_BLOCKS / 2);
		ck_assert_uint_eq(groups, sides[i].groups);
	}
	change = compare(&num, &changed);
	for (size_t i = 0; i < num && change[i].changed; i++)
		found |= change[i].measure == DIFF_P50 && change[i].ratio.from > 30;
	ck_assert(found);
	free(change);
}

/*
 * If both traces have rows of locks, these show the waits for locks, and the rows of the calls do
 * not count them again. If one of the traces has no rows of locks, the rows of the calls count the
 * waits.
 */
TEST(waits_for_locks)
{
	static const struct diff_limits worthy = { .factor = 1.2, .worth_ns = 100000, .chance = 0.05 };

	for (int both = 0; both < 2; both++) {
		bool found = false;
		size_t num;

		for (int i = 0; i < 2; i++) {
			const uint64_t id[2] = { diff_hash("logger: write", 0) };
			struct diff_series *row = diff_row(&sides[i], DIFF_CALL, id, name_row,
							   "logger: write");

			if (!both)
				add(&sides[i], DIFF_CALL, "logger: write", 50, i ? 9000000 : 50000, 0);
			row->locked_ns = row->total_ns;
			sides[i].has[DIFF_LOCK] = i || both;
		}
		struct diff_change *change = diff_compare(&sides[0], &sides[1], &worthy, &num);

		for (size_t i = 0; i < num; i++)
			found |= change[i].changed && change[i].measure == DIFF_P50;
		ck_assert_int_eq(found, !both);
		free(change);
	}
}

/* A row of a kind that one trace does not have is not compared. */
TEST(not_recorded)
{
	size_t num, changed;

	add(&sides[1], DIFF_LOCK, "mutex", 1000, 1000000, 0);
	sides[0].has[DIFF_LOCK] = false;
	free(compare(&num, &changed));
	ck_assert_uint_eq(num, 0);
}

/* A few events that are long are noise. */
TEST(few)
{
	size_t num, changed;

	add(&sides[0], DIFF_CALL, "fsync", 5, 1000, 0);
	add(&sides[1], DIFF_CALL, "fsync", 5, 1000, 0);
	for (int i = 0; i < 2; i++) {
		const struct diff_item item = { (i + 1) * 1000000000ll, (i + 1) * 1000000000ll + 90000000,
						90000000, true, true, false };
		const uint64_t id[2] = { diff_hash("fsync", 0) };

		diff_add(&sides[1], diff_row(&sides[1], DIFF_CALL, id, name_row, "fsync"), &item);
	}
	free(compare(&num, &changed));
	ck_assert_uint_ge(num, 2);
	ck_assert_uint_eq(changed, 0);
}

/* The time of an item is divided among the slices during which the item lasted. */
TEST(slices)
{
	const struct diff_item item = { .begin_ns = 100, .end_ns = WINDOW_NS, .ended = true,
					.time_ns = WINDOW_NS - 100 };
	const uint64_t id[2] = { 1 };
	struct diff_series *row = diff_row(&sides[0], DIFF_RUN, id, name_row, "all");
	double sum = 0;

	ck_assert_int_eq(diff_add(&sides[0], row, &item), 0);
	for (int i = 0; i < DIFF_SLICES; i++) {
		ck_assert_double_eq_tol(row->times[i], WINDOW_NS / 64.0, 101);
		sum += row->times[i];
	}
	ck_assert_double_eq_tol(sum, WINDOW_NS - 100, 1);
	ck_assert_double_eq(row->counts[DIFF_SLICES - 1], 1);
}

/* Beyond the maximum number of rows, all items of a kind share a row. */
TEST(many_rows)
{
	const struct diff_item item = { .ended = true };
	char name[32];

	for (uint64_t i = 0; i < 70000; i++) {
		const uint64_t id[2] = { i };

		snprintf(name, sizeof(name), "row %d", (int)i);
		ck_assert_int_eq(diff_add(&sides[0],
					  diff_row(&sides[0], (enum diff_kind)(i % 2), id, name_row, name),
					  &item), 0);
	}
	ck_assert_uint_eq(sides[0].rows.num, 8192 + 2);
	ck_assert_uint_eq(diff_row(&sides[0], DIFF_WAKE, (uint64_t[2]){ 80000 }, name_row, "more")->count,
			  (70000 - 8192) / 2);
}

/* A row that does not fit into the table of one trace is not shown as missing in that trace. */
TEST(rows_that_do_not_fit)
{
	const struct diff_item item = { .ended = true };
	size_t num, changed;
	char name[32];

	for (uint64_t i = 0; i < 9000; i++) {
		snprintf(name, sizeof(name), "row %d", (int)i);
		diff_add(&sides[0], diff_row(&sides[0], DIFF_CALL, (uint64_t[2]){ i }, name_row, name),
			 &item);
	}
	add(&sides[0], DIFF_LOCK, "mutex", 1000, 1000000, 0);
	for (int i = 0; i < 2; i++)
		add(&sides[i], DIFF_CALL, "row 8500", 1000, 1000000, 0);
	free(compare(&num, &changed));
	ck_assert_uint_eq(num, 0);
	ck_assert_ptr_nonnull(diff_others(&sides[0], DIFF_CALL));
	ck_assert_ptr_nonnull(diff_others(&sides[0], DIFF_LOCK));
	ck_assert_ptr_null(diff_others(&sides[1], DIFF_CALL));
}

/* The memory of all distributions is limited. Rows beyond the limit have no percentiles. */
TEST(many_durations)
{
	size_t without = 0, at = 0;
	struct diff_entry *entry;

	for (uint64_t i = 0; i < 400; i++)
		for (int slice = 0; slice < DIFF_BLOCKS; slice++)
			for (int bits = 0; bits < 62; bits += 6) {
				struct diff_item item = { .ended = true, .whole = true };
				char name[32];

				item.end_ns = item.begin_ns = slice * (WINDOW_NS / DIFF_BLOCKS) + 1;
				item.time_ns = 1ll << bits;
				snprintf(name, sizeof(name), "row %d", (int)i);
				ck_assert_int_eq(
					diff_add(&sides[0],
						 diff_row(&sides[0], DIFF_CALL,
							  (uint64_t[2]){ i }, name_row, name),
						 &item), 0);
			}
	while ((entry = hash_next(&sides[0].rows, &at)) != NULL)
		without += entry->series->no_dist;
	ck_assert_uint_gt(without, 0);
	ck_assert_uint_lt(without, 400);
	ck_assert_uint_le(sides[0].groups, (1u << 18));
}

static int add_duration(struct diff_series *row, int64_t at_ns, int64_t ns)
{
	const struct diff_item item = { .begin_ns = at_ns, .end_ns = at_ns, .time_ns = ns,
					.ended = true, .whole = true };

	return diff_add(&sides[0], row, &item);
}

/*
 * The first durations fill all blocks. The next one doubles the length of the blocks, which
 * requires an allocation for each of them. If one of these allocations fails, the row loses its
 * percentiles but keeps its other figures.
 */
TEST_LOOP(no_memory_for_longer_blocks, DIFF_BLOCKS / 2)
{
	struct diff_series *row = diff_row(&sides[0], DIFF_CALL, (uint64_t[2]){ 1 }, name_row, "read");
	size_t used = 0;

	ck_assert_ptr_nonnull(row);
	ck_assert_int_eq(add_duration(row, 0, 1), 0);
	for (int i = 1; i < DIFF_BLOCKS; i++)
		ck_assert_int_eq(add_duration(row, i * row->block_ns, i % 2 ? 1 << 20 : 1), 0);
	for (int i = 0; i < DIFF_BLOCKS; i++)
		used += row->block[i].count == 1;
	ck_assert_uint_eq(used, DIFF_BLOCKS);
	reallocs = _i;
	ck_assert_int_eq(add_duration(row, DIFF_BLOCKS * row->block_ns, 1), -1);
	reallocs = -1;
	ck_assert(row->no_dist);
	ck_assert_uint_eq(sides[0].groups, 0);
	for (int i = 0; i < DIFF_BLOCKS; i++)
		ck_assert_uint_eq(row->block[i].count + row->block[i].groups, 0);
	ck_assert_int_eq(add_duration(row, WINDOW_NS - 1, 1), 0);
	ck_assert_uint_eq(row->count, DIFF_BLOCKS + 2);
	ck_assert_uint_eq(sides[0].groups, 0);
}

static const struct { const char *name, *group; } groups[] = {
	{ "mysqld", "mysqld" },		  { "python3", "python3" },
	{ "ksoftirqd/1", "ksoftirqd/*" }, { "kworker/0:1H", "kworker/*" },
	{ "kworker/u4:1-ev", "kworker/*" }, { "pool-12-thread-", "pool-*-thread-" },
	{ "CPU 0/KVM", "CPU */KVM" },	  { "1", "1" },
	{ "", "" },			  { "rcuop/10", "rcuop/*" },
};

TEST_EACH(group, groups)
{
	char group[LKST_COMM_LEN + 8];

	diff_group_name(groups[_i].name, group);
	ck_assert_str_eq(group, groups[_i].group);
}
