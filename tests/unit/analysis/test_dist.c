// SPDX-License-Identifier: GPL-2.0
/*
 * Distributions of durations: compared with sorted arrays, at the limits, and if allocations fail.
 */
#include "lkstla/dist.h"
#include "tap.h"

static struct dist dist, other;
static bool no_memory;

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_realloc(void *old, size_t size)
{
	return no_memory ? NULL : __real_realloc(old, size);
}

static void teardown(void)
{
	no_memory = false;
	dist_free(&dist);
	dist_free(&other);
}

TESTS(.teardown = teardown);

/* Return the next number of a fixed sequence (xorshift64). */
static uint64_t dist_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static int by_size(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

#define SAMPLES_MAX 20000

/* Random durations of up to @bits bits, spread evenly over the powers of two or over the range. */
static const struct { const char *name; unsigned int num, bits; bool by_power; } randoms[] = {
	{ "one duration", 1, 40, false }, { "two durations", 2, 30, true },
	{ "exact ones", 1000, 6, false }, { "microseconds", SAMPLES_MAX, 20, false },
	{ "all sizes", SAMPLES_MAX, 63, true }, { "the longest", 999, 63, false },
	{ "a thousand", 1000, 36, true },
};

static const double percents[] = { 0, 0.1, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100 };

/* The parts of @dist are in order, and each contains the durations between its ends. */
static void check_parts(const uint64_t *ns, size_t num)
{
	struct dist_part part;
	uint64_t before = 0;
	size_t at = 0, seen = 0;

	while (dist_next_part(&dist, &at, &part)) {
		ck_assert(!seen || part.from_ns > before);
		ck_assert_uint_ge(part.to_ns, part.from_ns);
		/*
		 * The durations between two powers of two are divided into DIST_PARTS ranges. For
		 * the shortest durations, a range may have up to 16 ns.
		 */
		ck_assert_uint_le(part.to_ns - part.from_ns, part.from_ns / DIST_PARTS + 16);
		ck_assert_uint_gt(part.count, 0);
		for (uint64_t i = 0; i < part.count; i++, seen++)
			if (seen == num || ns[seen] < part.from_ns || ns[seen] > part.to_ns)
				ck_abort_msg("duration %zu is not in its part", seen);
		before = part.to_ns;
	}
	ck_assert_uint_eq(seen, num);
}

/* Check @dist against its durations, which are sorted. */
static void check_sorted(const uint64_t *ns, size_t num)
{
	check_parts(ns, num);
	ck_assert_uint_eq(dist.count, num);
	ck_assert_uint_eq(dist.max, ns[num - 1]);
	for (int i = 0; i < NUM(percents); i++) {
		/* The percentages are multiples of 0.01, so integers can express them exactly. */
		size_t hundredths = (size_t)(percents[i] * 100 + 0.5);
		size_t rank = (hundredths * num + 9999) / 10000;
		uint64_t exact = ns[rank ? rank - 1 : 0], got = dist_percentile(&dist, percents[i]);

		ck_assert_msg(got >= exact && got - exact <= exact / 64 && got <= dist.max &&
				      (exact >= 64 || got == exact),
			      "p%g of %zu: %llu, exactly %llu", percents[i], num,
			      (unsigned long long)got, (unsigned long long)exact);
	}
}

TEST_ROWS(test_random, randoms)
{
	static uint64_t ns[SAMPLES_MAX];
	uint64_t sum = 0;
	size_t num = randoms[_i].num;

	for (size_t i = 0; i < num; i++) {
		unsigned int bits = randoms[_i].bits;

		if (randoms[_i].by_power)
			bits = 1 + (unsigned int)(dist_random() % bits);
		ns[i] = dist_random() >> (64 - bits);
		if (__builtin_add_overflow(sum, ns[i], &sum))
			sum = UINT64_MAX;
		/*
		 * Add every third duration to another distribution, which is merged into @dist
		 * below.
		 */
		ck_assert_int_eq(dist_add(i % 3 ? &dist : &other, (int64_t)ns[i], 0), 0);
	}
	ck_assert_int_eq(dist_merge(&dist, &other), 0);
	qsort(ns, num, sizeof(*ns), by_size);
	check_sorted(ns, num);
	if (randoms[_i].bits < 40)
		ck_assert_uint_eq(dist.sum, sum);
}

/*
 * A single duration, from 0 to 4096, is also the maximum. So the median is exactly this duration.
 */
TEST(test_single)
{
	for (int64_t ns = 0; ns <= 4096; ns++) {
		ck_assert_int_eq(dist_add(&dist, ns, -ns), 0);
		ck_assert_uint_eq(dist_percentile(&dist, 50), (uint64_t)ns);
		ck_assert_uint_eq(dist.max, (uint64_t)ns);
		ck_assert_int_eq(dist.max_at_ns, -ns);
		dist_free(&dist);
		ck_assert_uint_eq(dist.count, 0);
	}
}

/* A duration and a much longer one: the median is the upper end of the first duration's bucket. */
static const struct { int64_t ns; uint64_t upper; } ends[] = {
	{ 0, 0 }, { 1, 1 }, { 63, 63 }, { 64, 64 }, { 127, 127 }, { 128, 129 }, { 129, 129 },
	{ 130, 131 }, { 255, 255 }, { 256, 259 }, { 1 << 20, (1 << 20) + (1 << 14) - 1 },
	{ (1 << 20) - 1, (1 << 20) - 1 }, { -5, 0 }, { INT64_MIN, 0 },
	{ (1ll << 62) - 1, (1ull << 62) - 1 }, { 1ll << 62, (1ull << 62) + (1ull << 56) - 1 },
};

TEST_EACH(test_end, ends)
{
	ck_assert_int_eq(dist_add(&dist, INT64_MAX, 1), 0);
	ck_assert_int_eq(dist_add(&dist, ends[_i].ns, 2), 0);
	ck_assert_uint_eq(dist_percentile(&dist, 50), ends[_i].upper);
	ck_assert_uint_eq(dist_percentile(&dist, 100), INT64_MAX);
	ck_assert_uint_eq(dist.count, 2);
	ck_assert_uint_eq(dist.sum, (uint64_t)INT64_MAX + (ends[_i].ns > 0 ? ends[_i].ns : 0));
	ck_assert_int_eq(dist.max_at_ns, 1);
}

TEST(test_empty)
{
	ck_assert_uint_eq(dist_percentile(&dist, 99), 0);
	ck_assert_int_eq(dist_merge(&dist, &other), 0);
	ck_assert_uint_eq(dist.count, 0);
	ck_assert_ptr_null(dist.bucket);
}

/* A percentage outside of 0 to 100 means the shortest or the longest duration. */
TEST(test_percent_out_of_range)
{
	for (int64_t ns = 1; ns <= 10; ns++)
		ck_assert_int_eq(dist_add(&dist, ns, 0), 0);
	ck_assert_uint_eq(dist_percentile(&dist, -1e300), 1);
	ck_assert_uint_eq(dist_percentile(&dist, __builtin_nan("")), 1);
	ck_assert_uint_eq(dist_percentile(&dist, 1e300), 10);
}

TEST(test_sum_saturates)
{
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(dist_add(&dist, INT64_MAX, 0), 0);
	ck_assert_uint_eq(dist.sum, UINT64_MAX);
	ck_assert_int_eq(dist_merge(&other, &dist), 0);
	ck_assert_uint_eq(other.sum, UINT64_MAX);
}

/*
 * If several durations are the maximum, max_at_ns is the time of the first one, even after merging.
 */
TEST(test_max_at)
{
	dist_add(&dist, 0, 7);
	ck_assert_int_eq(dist.max_at_ns, 7);
	dist_add(&dist, 500, 8);
	dist_add(&dist, 500, 9);
	dist_add(&dist, 499, 10);
	ck_assert_int_eq(dist.max_at_ns, 8);
	dist_add(&other, 0, 11);
	ck_assert_int_eq(dist_merge(&dist, &other), 0);
	ck_assert_int_eq(dist.max_at_ns, 8);
	ck_assert_int_eq(dist_merge(&other, &dist), 0);
	ck_assert_int_eq(other.max_at_ns, 8);
	ck_assert_uint_eq(other.max, 500);
}

/* A failed allocation changes nothing. Durations whose buckets exist need no allocation. */
TEST(test_no_memory)
{
	struct dist before;
	uint64_t median;

	no_memory = true;
	ck_assert_int_eq(dist_add(&dist, 5, 1), -1);
	ck_assert_uint_eq(dist.count, 0);
	no_memory = false;
	dist_add(&dist, 1000, 1);
	dist_add(&other, 1 << 20, 2);
	dist_add(&other, 3, 3);
	before = dist;
	median = dist_percentile(&dist, 50);
	no_memory = true;
	ck_assert_int_eq(dist_add(&dist, 1 << 20, 2), -1);
	ck_assert_int_eq(dist_add(&dist, 1, 2), -1);
	ck_assert_int_eq(dist_merge(&dist, &other), -1);
	ck_assert_mem_eq(&dist, &before, sizeof(dist));
	ck_assert_uint_eq(dist_percentile(&dist, 50), median);
	ck_assert_int_eq(dist_add(&dist, 1001, 4), 0);
	ck_assert_uint_eq(dist.count, 2);
}
