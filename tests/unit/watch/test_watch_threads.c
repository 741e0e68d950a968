// SPDX-License-Identifier: GPL-2.0
/*
 * The table of spans (kernel/lkst/rules/watch_table.c), while several threads begin and end spans with
 * the same keys.
 */
#include <pthread.h>
#include <stdint.h>

#include "tap.h"

#include "rules/watch_fast.h"

#define THREADS 4
#define ROUNDS	300000
#define KEYS	12

static struct lkst_watch_bucket buckets[2] __attribute__((aligned(64)));
static __u64 values[NUM(buckets) * LKST_WATCH_WAYS];
static struct lkst_watch_table table = { .bucket = buckets, .mask = NUM(buckets) - 1,
					  .keys = LKST_WATCH_KEYS, .value = values };

/* Begin a span, as watch.c does. The fast path keeps no value. Returns whether it has begun. */
static bool begin_span(const __u64 *key, __u64 now, unsigned int *abandoned)
{
	enum lkst_watch_first first = LKST_WATCH_OTHERS;
	__u64 value = ~now;

	if (!table.values)
		first = lkst_watch_begin_first(&table, table.keys, key, now);
	if (first == LKST_WATCH_CLAIMED)
		return !lkst_watch_publish(&table, key, now, abandoned);
	return first == LKST_WATCH_BEGUN || !lkst_watch_begin(&table, key, now, &value, abandoned);
}

/* End a span, as watch.c does. Returns whether there was a span. */
static bool end_span(const __u64 *key, __u64 *begin, __u64 *value)
{
	if (!table.values && lkst_watch_end_first(&table, table.keys, key, begin))
		return true;
	return lkst_watch_end(&table, key, begin, value) == LKST_WATCH_MATCHED;
}

struct work {
	pthread_t thread;
	unsigned int number;
	uint64_t begins, ended, abandoned, failed, wrong;
};

/*
 * Each begin stores its key in its time, and the inverted time as its value. So the end of a span
 * can check that it gets the time and the value of a begin with its key.
 */
static void *work(void *arg)
{
	struct work *my = arg;
	unsigned int random = my->number * 2654435761u + 1, abandoned;
	__u64 begin, value;

	for (uint64_t i = 1; i <= ROUNDS; i++) {
		__u64 key[LKST_WATCH_KEYS] = { 0 };

		random = random * 1664525u + 1013904223u;
		key[(random >> 28) % LKST_WATCH_KEYS] = 1 + (random >> 16) % (KEYS / LKST_WATCH_KEYS);
		if (random >> 15 & 1) {
			abandoned = 0;
			begin = i << 16 | (key[0] | key[1] << 4 | key[2] << 8 | key[3] << 12);
			if (begin_span(key, begin, &abandoned))
				my->begins++;
			else
				my->failed++;
			my->abandoned += abandoned;
		} else if (end_span(key, &begin, &value)) {
			my->ended++;
			my->wrong += (table.values && value != ~begin) ||
				     (begin & 0xffff) != (key[0] | key[1] << 4 | key[2] << 8 |
							  key[3] << 12);
		}
	}
	return NULL;
}

static bool have_same_key(const struct lkst_watch_bucket *bucket, unsigned int a, unsigned int b)
{
	for (unsigned int i = 0; i < LKST_WATCH_KEYS; i++)
		if (bucket->key[i][a] != bucket->key[i][b])
			return false;
	return true;
}

TEST_LOOP(no_span_is_lost_or_mixed_up, 2)
{
	struct work all = { 0 }, works[THREADS] = { 0 };

	memset(buckets, 0, sizeof(buckets));
	table.values = (unsigned int)_i;
	for (unsigned int i = 0; i < THREADS; i++) {
		works[i].number = i;
		ck_assert_int_eq(pthread_create(&works[i].thread, NULL, work, &works[i]), 0);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(works[i].thread, NULL);
		all.begins += works[i].begins;
		all.ended += works[i].ended;
		all.abandoned += works[i].abandoned;
		all.wrong += works[i].wrong;
	}
	ck_assert_uint_eq(all.wrong, 0);
	ck_assert_uint_gt(all.ended, 0);
	ck_assert_uint_eq(all.begins, all.ended + all.abandoned + lkst_watch_open(&table));
	for (unsigned int b = 0; b < NUM(buckets); b++)
		for (unsigned int i = 0; i < LKST_WATCH_WAYS; i++)
			for (unsigned int j = 0; j < i; j++)
				if (buckets[b].word.counter >> i * 8 & buckets[b].word.counter >> j * 8 & 0x80)
					ck_assert(!have_same_key(&buckets[b], i, j));
}
END_TEST

/* ---- the worst spans ---- */

static struct lkst_watch_stats stats;
static int stop;

static void *add(void *arg)
{
	struct lkst_watch_span span = { 0 };

	for (__u64 i = 1; i <= ROUNDS; i++) {
		span.ns = span.time = span.key[0] = span.key[3] = i;
		lkst_watch_keep(&stats, &span, UINT64_MAX);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	return arg;
}

TEST(worst_spans_are_never_torn)
{
	static struct lkst_watch_result result;
	pthread_t thread;
	unsigned int reads = 0;

	ck_assert_int_eq(pthread_create(&thread, NULL, add, NULL), 0);
	do {
		memset(&result, 0, sizeof(result));
		lkst_watch_merge(&result, &stats);
		reads++;
		/* The first span is the shortest one. No span is counted before its length is known. */
		ck_assert(!result.count || result.min == 1);
		ck_assert_uint_ge(result.max, result.count);
		for (unsigned int i = 0; i < result.worst_num; i++) {
			const struct lkst_watch_span *span = &result.worst[i];

			ck_assert_uint_eq(span->ns, span->time);
			ck_assert_uint_eq(span->ns, span->key[0]);
			ck_assert_uint_eq(span->ns, span->key[3]);
		}
	} while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE));
	pthread_join(thread, NULL);
	ck_assert_uint_gt(reads, 0);
	memset(&result, 0, sizeof(result));
	lkst_watch_merge(&result, &stats);
	ck_assert_uint_eq(result.count, ROUNDS);
	ck_assert_uint_eq(result.worst[0].ns, ROUNDS);
	ck_assert_uint_eq(result.worst[LKST_WATCH_WORST - 1].ns, ROUNDS - LKST_WATCH_WORST + 1);
}
END_TEST
