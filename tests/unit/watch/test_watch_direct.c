// SPDX-License-Identifier: GPL-2.0
/*
 * The fast path of watches (kernel/lkst/rules/watch_direct.h): which spans it counts, and which it
 * leaves to lkst_watch_end_other(). test_watch_mutants runs these tests with mutants of the file.
 */
#include "tap.h"

#ifndef WATCH_DIRECT
#define WATCH_DIRECT "rules/watch_direct.h"
#endif
#include WATCH_DIRECT

static struct task_struct thread;
struct task_struct *current = &thread;
unsigned int this_cpu, this_context;

#define WORD 7
#define CPUS 2

static struct lkst_watch_bucket bucket;
static struct lkst_watch_figures figures[CPUS];
static struct lkst_watch watch = { .table = { .bucket = &bucket, .keys = 1 }, .figures = figures };
static unsigned int crowded;

void lkst_watch_begin_crowded(const struct lkst_watch *in, u64 word, u64 now, bool claimed)
{
	(void)in;
	(void)word;
	(void)now;
	(void)claimed;
	crowded++;
}

/* Spans from 10 to 99 ns are plain. A tick of clock 0 takes 1 ns, and one of clock 1 takes 3 ns. */
static void setup(void)
{
	memset(&bucket, 0, sizeof(bucket));
	memset(figures, 0, sizeof(figures));
	for (unsigned int i = 0; i < CPUS; i++) {
		figures[i].context[0].plain_min = 10;
		figures[i].context[0].plain_num = 90;
	}
	watch.rate[0] = 1ULL << 32;
	watch.rate[1] = 3ULL << 32;
	for (unsigned int i = 0; i < LKST_WATCH_CLOCKS; i++)
		watch.ticks[i] = U64_MAX / watch.rate[i];
	this_cpu = this_context = crowded = 0;
}

TESTS(.setup = setup);

static bool end_plain(u64 from, u64 to, u64 *begin)
{
	*begin = LKST_WATCH_NOT_FOUND;
	lkst_watch_begin_word(&watch, WORD, from);
	return lkst_watch_end_plain(&watch, WORD, to, begin);
}

static u64 spans_in(const struct lkst_watch_stats *in)
{
	u64 spans = 0;

	for (unsigned int i = 0; i < LKST_WATCH_BUCKETS; i++)
		spans += in->bucket[i];
	return spans;
}

static const struct {
	u64 from, to;
	u64 ns; /* 0: the span is not counted */
} cases[] = {
	{ 1000, 1050, 50 },
	{ 1000, 1010, 10 },
	{ 1000, 1098, 98 },
	{ 1001, 1021, 60 },
	/* too short, and too long */
	{ 1000, 1008, 0 },
	{ 1000, 1100, 0 },
	{ 1001, 1035, 0 },
	/* the clocks differ */
	{ 1000, 1051, 0 },
	{ 1001, 1050, 0 },
	/* the counter of this CPU is behind */
	{ 1050, 1000, 0 },
};

TEST_EACH(only_plain_spans_are_counted, cases)
{
	u64 begin, word = WORD;

	ck_assert_int_eq(end_plain(cases[_i].from, cases[_i].to, &begin), cases[_i].ns != 0);
	ck_assert_uint_eq(spans_in(&figures[0].context[0]), cases[_i].ns != 0);
	ck_assert_uint_eq(figures[0].context[0].sum, cases[_i].ns);
	/* The span has been removed from the table in any case, so the caller needs its begin. */
	ck_assert_uint_eq(begin, cases[_i].from);
	ck_assert(!lkst_watch_end_first(&watch.table, 1, &word, &begin));
	ck_assert_uint_eq(crowded, 0);
}

/* Spans that are not counted even if all lengths are plain. */
static const struct {
	u64 from, to;
} refused[] = {
	/* a negative length */
	{ 1050, 1000 },
	{ 1051, 1001 },
	/* The number of nanoseconds times 2^32 does not fit. */
	{ 0, 1ULL << 32 },
	{ 1, (1ULL << 31) + 1 },
	/* the clocks differ */
	{ 1000, 1051 },
};

TEST_EACH(spans_that_are_refused, refused)
{
	u64 begin;

	figures[0].context[0].plain_min = 0;
	figures[0].context[0].plain_num = U64_MAX;
	ck_assert(!end_plain(refused[_i].from, refused[_i].to, &begin));
	ck_assert_uint_eq(spans_in(&figures[0].context[0]), 0);
	ck_assert_uint_eq(begin, refused[_i].from);
}

TEST(end_without_begin)
{
	u64 begin = LKST_WATCH_NOT_FOUND;

	ck_assert(!lkst_watch_end_plain(&watch, WORD, 1000, &begin));
	ck_assert_uint_eq(begin, LKST_WATCH_NOT_FOUND);
	ck_assert_uint_eq(spans_in(&figures[0].context[0]), 0);
}

/* The second span in a bucket is left to lkst_watch_begin_crowded(). */
TEST(second_begin_is_crowded)
{
	lkst_watch_begin_word(&watch, WORD, 1000);
	ck_assert_uint_eq(crowded, 0);
	lkst_watch_begin_word(&watch, WORD + 1, 1010);
	ck_assert_uint_eq(crowded, 1);
}

/*
 * Plain spans are counted in the figures of tasks, whatever the context is. Other figures belong to
 * the context.
 */
TEST(figures_of_this_cpu)
{
	u64 begin;

	this_cpu = 1;
	ck_assert(end_plain(1000, 1050, &begin));
	this_context = 2;
	ck_assert(end_plain(1000, 1060, &begin));
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		for (unsigned int context = 0; context < LKST_WATCH_CONTEXTS; context++)
			ck_assert_uint_eq(spans_in(&figures[cpu].context[context]),
					  cpu == 1 && context == 0 ? 2 : 0);
	ck_assert_uint_eq(figures[1].context[0].sum, 110);

	/* A span that is plain only in this context */
	ck_assert(!end_plain(1000, 1200, &begin));
	figures[1].context[2].plain_min = 150;
	figures[1].context[2].plain_num = 100;
	ck_assert(end_plain(1000, 1200, &begin));
	ck_assert(!end_plain(1000, 1260, &begin));
	ck_assert_uint_eq(figures[1].context[2].sum, 200);
	ck_assert_uint_eq(figures[1].context[0].sum, 110);
	ck_assert_ptr_eq(lkst_watch_stats(&watch), &figures[1].context[2]);
	this_context = 0;
	ck_assert_ptr_eq(lkst_watch_stats(&watch), &figures[1].context[0]);
}

TEST(keys)
{
	struct lkst_filter_test test = { .shift = 8, .mask = 0xff };

	for (test.load = 0; test.load < 4; test.load++)
		ck_assert_uint_eq(lkst_watch_word(&test, LKST_WATCH_ARG, 0x1245, 0x2345, 0x3445,
						  0x4545),
				  0x12 + 0x11 * test.load);
	thread.pid = 77;
	ck_assert_uint_eq(lkst_watch_word(&test, LKST_WATCH_TID, 1, 2, 3, 4), 77);
	/* The idle threads of all CPUs have the same number. */
	thread.pid = 0;
	ck_assert_uint_eq(lkst_watch_word(&test, LKST_WATCH_TID, 1, 2, 3, 4), 1ULL << 32);
	this_cpu = 1;
	ck_assert_uint_eq(lkst_watch_word(&test, LKST_WATCH_TID, 1, 2, 3, 4), (1ULL << 32) + 1);
	ck_assert_uint_eq(lkst_watch_time(1001, 0), 1000);
	ck_assert_uint_eq(lkst_watch_time(1000, 1), 1001);
}
