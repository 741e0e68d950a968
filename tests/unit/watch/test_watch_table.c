// SPDX-License-Identifier: GPL-2.0
/*
 * The table of spans (kernel/lkst/rules/watch_table.c). Each access to a bucket may be interrupted:
 * the tests carry out further operations before each access of an operation, as an NMI or another
 * CPU could, and check that the results are those of some order of the operations. test_watch_mutants
 * runs these tests with each step of the table left out.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tap.h"

/*
 * These definitions replace those of watch_compat.h, which LKST_WATCH_WORLD leaves out. They call
 * watch_step() before each access to a bucket.
 */
#define LKST_WATCH_WORLD

typedef struct {
	long long counter;
} atomic64_t;

typedef long long s64;

static void watch_step(void);

#define notrace
#define noinline	       __attribute__((noinline))
#define READ_ONCE(x)	       (watch_step(), (x))
#define WRITE_ONCE(x, value)   (watch_step(), (x) = (value))
#define smp_wmb()	       do { } while (0)
#define smp_rmb()	       do { } while (0)

static inline s64 atomic64_read_acquire(const atomic64_t *v)
{
	watch_step();
	return v->counter;
}

static inline bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 new)
{
	watch_step();
	if (v->counter != *old) {
		*old = v->counter;
		return false;
	}
	v->counter = new;
	return true;
}

static inline void atomic64_add(s64 i, atomic64_t *v)
{
	watch_step();
	v->counter += i;
}

#ifndef WATCH_TABLE
#define WATCH_TABLE "rules/watch_table.c"
#endif
#include WATCH_TABLE

/* ---- a table with one bucket ---- */

static struct lkst_watch_bucket bucket;
#define VALUES 2
static __u64 values[LKST_WATCH_WAYS * VALUES];
static struct lkst_watch_table one = {
	.bucket = &bucket,
	.keys = LKST_WATCH_KEYS,
	.value = values,
};

/* watch_find() can tell keys with the same tag apart only by comparing the keys themselves. */
static __u64 keys[6][LKST_WATCH_KEYS];

static __u32 tag_of(const __u64 *key)
{
	return watch_tag(watch_hash(one.keys, key));
}

/*
 * Keys 0 to 3 have the same tag, and keys 4 and 5 have others. Each of the keys 1 to 5 differs from
 * key 0 in a single word.
 */
static void make_keys(void)
{
	memset(keys, 0, sizeof(keys));
	keys[0][0] = 7;
	for (int i = 1; i < 6; i++) {
		memcpy(keys[i], keys[0], sizeof(keys[i]));
		do
			keys[i][i % LKST_WATCH_KEYS]++;
		while ((tag_of(keys[i]) == tag_of(keys[0])) != (i < 4));
	}
}

static void setup(void)
{
	make_keys();
	memset(&bucket, 0, sizeof(bucket));
	one.values = VALUES;
}

TESTS(.setup = setup);

/* ---- operations ---- */

struct op {
	bool is_end;
	int key;
	__u64 time; /* of a begin */
	int result; /* of a begin: 0 or -1; of an end: enum lkst_watch_found */
	__u64 begin; /* of an end that matched */
	unsigned int abandoned;
};

/* Number of accesses since the latest operation began. A test fails if it reaches the limit. */
static int since_begin;
#define SINCE_BEGIN_MAX 1000000

/*
 * Begin a span, as watch.c does. The values that are kept with the span follow from its time. The
 * fast path keeps no values.
 */
static int begin_span(int key, __u64 time, unsigned int *abandoned)
{
	const __u64 value[VALUES] = { time + 1000, time + 2000 };
	enum lkst_watch_first first = LKST_WATCH_OTHERS;

	since_begin = 0;
	if (!one.values)
		first = lkst_watch_begin_first(&one, one.keys, keys[key], time);
	if (first == LKST_WATCH_BEGUN)
		return 0;
	if (first == LKST_WATCH_CLAIMED)
		return lkst_watch_publish(&one, keys[key], time, abandoned);
	return lkst_watch_begin(&one, keys[key], time, value, abandoned);
}

/* End a span, as watch.c does, and check that time and values belong to the same begin. */
static int end_span(int key, __u64 *begin)
{
	__u64 value[VALUES];
	int found;

	since_begin = 0;
	if (!one.values && lkst_watch_end_first(&one, one.keys, keys[key], begin))
		return LKST_WATCH_MATCHED;
	found = (int)lkst_watch_end(&one, keys[key], begin, value);
	if (found == LKST_WATCH_MATCHED)
		for (unsigned int i = 0; i < one.values; i++)
			ck_assert_uint_eq(value[i], *begin + 1000 * (i + 1));
	return found;
}

static void run_op(struct op *op)
{
	op->abandoned = 0;
	if (op->is_end)
		op->result = end_span(op->key, &op->begin);
	else
		op->result = begin_span(op->key, op->time, &op->abandoned);
}

/* Interruptions: op[i + 1] is carried out before access number at[i] of op[i]. */
#define OPS 3
static struct op ops[OPS];
static int at[OPS], accesses[OPS], num_ops, current = -1;

/* When another CPU changes the version of the bucket */
static enum { NO_STORM, EVERY_ACCESS, WHILE_BUSY } storm;

static void exceeds_step(void);
static void figures_step(void);

static void watch_step(void)
{
	int here = current;

	ck_assert_msg(since_begin++ < SINCE_BEGIN_MAX, "an operation does not end");
	exceeds_step();
	figures_step();
	if (storm == EVERY_ACCESS || (storm == WHILE_BUSY && (bucket.word.counter & 0xff) == 1))
		bucket.word.counter += 1LL << 32;
	if (here < 0 || accesses[here]++ != at[here] || here + 1 >= num_ops)
		return;
	current = here + 1;
	accesses[current] = 0;
	run_op(&ops[current]);
	current = here;
}

static void run_nested(void)
{
	current = 0;
	accesses[0] = 0;
	run_op(&ops[0]);
	current = -1;
}

/* ---- what the operations should do ---- */

struct model {
	__u64 begin[6]; /* 0: no span */
};

static void begin_before(struct model *model, int key, __u64 time)
{
	unsigned int abandoned = 0;

	ck_assert_int_eq(begin_span(key, time, &abandoned), 0);
	model->begin[key] = time;
}

static bool slot_has_key(unsigned int slot, const __u64 *key)
{
	for (unsigned int i = 0; i < LKST_WATCH_KEYS; i++)
		if (bucket.key[i][slot] != key[i])
			return false;
	return true;
}

static bool slots_have_same_key(unsigned int a, unsigned int b)
{
	__u64 key[LKST_WATCH_KEYS];

	for (unsigned int i = 0; i < LKST_WATCH_KEYS; i++)
		key[i] = bucket.key[i][a];
	return slot_has_key(b, key);
}

static void slots_are_sound(void)
{
	for (unsigned int i = 0; i < LKST_WATCH_WAYS; i++) {
		unsigned int state = watch_state((__u64)bucket.word.counter, i);

		ck_assert_uint_ne(state, LKST_WATCH_BUSY);
		for (unsigned int j = 0; state && j < i; j++)
			if (watch_state((__u64)bucket.word.counter, j))
				ck_assert(!slots_have_same_key(i, j));
	}
}

/* The time of the begin of a key in the table, or 0. */
static __u64 open_since(int key)
{
	for (unsigned int i = 0; i < LKST_WATCH_WAYS; i++)
		if (watch_state((__u64)bucket.word.counter, i) >= LKST_WATCH_FULL &&
		    slot_has_key(i, keys[key]))
			return bucket.begin[i];
	return 0;
}

/* Whether the operations have these results if they are carried out in this order. */
static bool order_explains(struct model model, const int *order)
{
	for (int i = 0; i < num_ops; i++) {
		const struct op *op = &ops[order[i]];
		__u64 *begin = &model.begin[op->key];

		if (!op->is_end) {
			if (op->result)
				return false;
			*begin = op->time;
			continue;
		}
		if (op->result != (*begin ? LKST_WATCH_MATCHED : LKST_WATCH_UNMATCHED) ||
		    (*begin && op->begin != *begin))
			return false;
		*begin = 0;
	}
	for (int key = 0; key < 6; key++)
		if (open_since(key) != model.begin[key])
			return false;
	return true;
}

static bool some_order_explains(const struct model *model)
{
	static const int orders[][OPS] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};

	for (int i = 0; i < NUM(orders); i++) {
		bool valid = true;

		for (int j = num_ops; j < OPS; j++)
			valid &= orders[i][j] == j;
		if (valid && order_explains(*model, orders[i]))
			return true;
	}
	return false;
}

/*
 * Number of begins = spans that ended + spans that were given up + spans that are open. Which of two
 * begins counts the other one as given up depends on their order, so check only the sum.
 */
static void begins_are_accounted_for(const struct model *model)
{
	unsigned int begins = 0, ended = 0, abandoned = 0;

	for (int key = 0; key < 6; key++)
		begins += model->begin[key] != 0;
	for (int i = 0; i < num_ops; i++) {
		begins += !ops[i].is_end && !ops[i].result;
		ended += ops[i].is_end && ops[i].result == LKST_WATCH_MATCHED;
		abandoned += ops[i].abandoned;
	}
	ck_assert_uint_eq(begins, ended + abandoned + lkst_watch_open(&one));
}

#define ACCESSES 40 /* the maximum number of accesses of an operation */
#define KINDS	 4 /* of operations: begin and end, with two keys */

/*
 * Begin spans of the keys whose bits are set in @before. Then run the operations on two keys that
 * @combination encodes. Each of them interrupts the previous one before the access whose number is
 * in at[]. If all of them ran, check the results. Return the number of operations that ran, or -1
 * if there might be no free slot.
 */
static int nest_once(int combination, unsigned int before)
{
	unsigned int spans = before % 2 + before / 2;
	struct model model = { 0 };
	int rest = combination;

	memset(&bucket, 0, sizeof(bucket));
	for (int key = 0; key < 2; key++)
		if (before & 1u << key)
			begin_before(&model, key, 10 + (unsigned int)key);
	for (int i = 0; i < num_ops; i++, rest /= KINDS) {
		ops[i] = (struct op){
			.is_end = rest & 1,
			.key = rest / 2 % 2,
			.time = 100 + (unsigned int)i,
		};
		spans += !ops[i].is_end;
	}
	if (spans > LKST_WATCH_WAYS)
		return -1;
	run_nested();
	for (int i = 0; i < num_ops; i++)
		ck_assert_int_lt(accesses[i], ACCESSES);
	for (int i = 0; i + 1 < num_ops; i++)
		if (accesses[i] <= at[i])
			return i + 1;
	slots_are_sound();
	begins_are_accounted_for(&model);
	ck_assert_msg(some_order_explains(&model), "operations %d, before %u, accesses %d %d",
		      combination, before, at[0], at[1]);
	return num_ops;
}

/*
 * Run all combinations of num operations, each operation interrupting the previous one at each of
 * its accesses.
 */
static void nest_all(int num, unsigned int before)
{
	int combinations = 1, ran = num;

	num_ops = num;
	at[2] = -1;
	for (int i = 0; i < num; i++)
		combinations *= KINDS;
	for (int c = 0; c < combinations; c++)
		for (at[0] = 0; at[0] < ACCESSES; at[0]++) {
			/* An operation that ends before access at[] has no later access either. */
			for (at[1] = 0; at[1] < (num > 2 ? ACCESSES : 1); at[1]++) {
				ran = nest_once(c, before);
				if (ran < num)
					break;
			}
			if (ran < 2)
				break;
		}
}

/* Bits 0 and 1 of _i: the spans of keys 0 and 1 have begun before the operations. */
TEST_LOOP(two_operations_nested, 8)
{
	one.values = _i & 4 ? 0 : VALUES;
	nest_all(2, _i & 3);
}
END_TEST

TEST_LOOP(three_operations_nested, 8)
{
	one.values = _i & 4 ? 0 : VALUES;
	nest_all(3, _i & 3);
}
END_TEST

/* A begin that interrupts another one with the same key is the later one, and stays. */
TEST_LOOP(later_begin_stays, 2)
{
	one.values = _i ? 0 : VALUES;
	num_ops = 2;
	for (at[0] = 0; at[0] < ACCESSES; at[0]++) {
		memset(&bucket, 0, sizeof(bucket));
		ops[0] = (struct op){ .time = 100 };
		ops[1] = (struct op){ .time = 101 };
		at[1] = -1;
		run_nested();
		if (accesses[0] > at[0])
			ck_assert_uint_eq(open_since(0), 101);
	}
}
END_TEST

TEST(whole_key_is_compared)
{
	struct model model = { 0 };
	__u64 begin;

	for (int key = 0; key < 4; key++)
		begin_before(&model, key, 10 + (unsigned int)key);
	for (int key = 3; key >= 0; key--) {
		ck_assert_int_eq(end_span(key, &begin), LKST_WATCH_MATCHED);
		ck_assert_uint_eq(begin, 10 + (unsigned int)key);
		ck_assert_int_eq(end_span(key, &begin), LKST_WATCH_UNMATCHED);
	}
}
END_TEST

/* Distances between keys: numbers, addresses of objects and of pages, numbers in the upper half */
static const __u64 distances[] = { 1, 2, 3, 5, 7, 8, 16, 64, 192, 256, 1000, 4096, 1ULL << 32 };

/*
 * Keys with the same distance from each other, for half of the slots of a table: at most a tenth of
 * the keys find no room in their bucket.
 */
TEST_EACH(keys_spread, distances)
{
	static unsigned char spans[LKST_WATCH_SPANS_MAX / LKST_WATCH_WAYS];
	struct lkst_watch_table table = { .bucket = NULL, .keys = 1 };
	__u32 num = LKST_WATCH_SPANS_MIN / LKST_WATCH_WAYS, crowded;
	__u64 key;

	for (; num <= NUM(spans); num *= 2) {
		table.mask = num - 1;
		memset(spans, 0, num);
		crowded = 0;
		for (unsigned int i = 0; i < 2 * num; i++) {
			key = (i + 7) * distances[_i];
			crowded += spans[watch_bucket_of(&table, watch_hash(1, &key))]++ >=
				   LKST_WATCH_WAYS;
		}
		ck_assert_uint_le(crowded, 2 * num / 10);
	}
}
END_TEST

TEST(oldest_is_replaced)
{
	static const __u64 times[] = { 30, 10, 20, 40 };
	struct model model = { 0 };
	unsigned int abandoned = 0;
	__u64 begin;

	for (int key = 0; key < 4; key++)
		begin_before(&model, key, times[key]);
	ck_assert_int_eq(begin_span(4, 50, &abandoned), 0);
	ck_assert_uint_eq(abandoned, 1);
	ck_assert_int_eq(end_span(1, &begin), LKST_WATCH_UNMATCHED);
	ck_assert_int_eq(begin_span(5, 60, &abandoned), 0);
	ck_assert_uint_eq(abandoned, 2);
	ck_assert_int_eq(end_span(2, &begin), LKST_WATCH_UNMATCHED);
	ck_assert_int_eq(end_span(4, &begin), LKST_WATCH_MATCHED);
	ck_assert_uint_eq(lkst_watch_open(&one), 3);
}
END_TEST

/* The clock may wrap around. */
TEST(oldest_after_wrap)
{
	static const __u64 times[] = { 5, (__u64)-20, (__u64)-10, 1 };
	struct model model = { 0 };
	unsigned int abandoned = 0;
	__u64 begin;

	for (int key = 0; key < 4; key++)
		begin_before(&model, key, times[key]);
	ck_assert_int_eq(begin_span(4, 50, &abandoned), 0);
	ck_assert_int_eq(end_span(1, &begin), LKST_WATCH_UNMATCHED);
}
END_TEST

TEST(no_room_if_all_slots_have_owners)
{
	unsigned int abandoned = 0;
	__u64 begin;

	bucket.word.counter = LKST_WATCH_EACH * LKST_WATCH_BUSY;
	ck_assert_int_eq(begin_span(0, 1, &abandoned), -1);
	ck_assert_uint_eq(abandoned, 0);
	ck_assert_int_eq(end_span(0, &begin), LKST_WATCH_UNMATCHED);
}
END_TEST

/* A slot that another operation owns is left alone, even if its key is the one looked for. */
TEST(slots_of_owners_are_left_alone)
{
	struct model model = { 0 };
	unsigned int abandoned = 0;
	__u64 begin;

	begin_before(&model, 0, 10);
	bucket.word.counter = (s64)watch_change((__u64)bucket.word.counter, 0,
						 watch_state((__u64)bucket.word.counter, 0),
						 LKST_WATCH_BUSY);
	ck_assert_int_eq(end_span(0, &begin), LKST_WATCH_UNMATCHED);
	for (int key = 1; key < 5; key++)
		ck_assert_int_eq(begin_span(key, 20, &abandoned), 0);
	ck_assert_uint_eq(abandoned, 1);
	ck_assert_uint_eq(watch_state((__u64)bucket.word.counter, 0), LKST_WATCH_BUSY);
}
END_TEST

TEST_LOOP(gives_up_after_some_tries, 2)
{
	struct model model = { 0 };
	unsigned int abandoned = 0, state;
	__u64 begin;

	one.values = _i ? 0 : VALUES;
	begin_before(&model, 1, 10);
	storm = EVERY_ACCESS;
	ck_assert_int_eq(end_span(1, &begin), LKST_WATCH_MISSED);
	ck_assert_int_eq(begin_span(0, 1, &abandoned), -1);
	storm = NO_STORM;
	/* A begin that gives up after it has claimed a slot must free this slot again. */
	bucket.word.counter = 0;
	storm = WHILE_BUSY;
	ck_assert_int_eq(begin_span(0, 1, &abandoned), -1);
	storm = NO_STORM;
	for (unsigned int i = 0; i < LKST_WATCH_WAYS; i++) {
		state = watch_state((__u64)bucket.word.counter, i);
		ck_assert_uint_eq(state, 0);
	}
}
END_TEST

/* ---- the longest span ---- */

/* The length of the span that ends before access number @exceeds_at of another one */
static __u64 exceeds_length;
static int exceeds_at = -1;
static bool exceeds_nested;
static atomic64_t longest;

static void exceeds_step(void)
{
	if (exceeds_at >= 0 && exceeds_at-- == 0)
		exceeds_nested = lkst_watch_exceeds(&longest, exceeds_length);
}

/*
 * A span is reported only if it is longer than all spans that ended before it. The longest span is
 * always reported.
 */
TEST(longest_span_is_reported)
{
	for (__u64 length = 1; length < 8; length++)
		for (__u64 nested = 1; nested < 8; nested++)
			for (int step = 0; step < 4; step++) {
				bool outer;

				longest.counter = 3;
				exceeds_length = nested;
				exceeds_at = step;
				exceeds_nested = false;
				outer = lkst_watch_exceeds(&longest, length);
				if (exceeds_at >= 0)
					continue;
				ck_assert_int_eq(exceeds_nested, nested > 3);
				ck_assert_int_eq(outer, length > 3 && length > nested);
				ck_assert_int_eq(longest.counter, length > 3 || nested > 3 ?
						 (s64)(length > nested ? length : nested) : 3);
			}
	exceeds_at = -1;
}
END_TEST

/* ---- figures ---- */

static struct lkst_watch_stats stats;
static struct lkst_watch_result result;
static __u64 attend = UINT64_MAX; /* spans of this length, and longer ones, are not plain */

static void add(__u64 ns)
{
	const struct lkst_watch_span span = { .ns = ns, .time = ns + 1, .key = { ns } };

	since_begin = 0;
	if (lkst_watch_is_plain(&stats, ns))
		lkst_watch_add(&stats, ns);
	else
		lkst_watch_keep(&stats, &span, attend);
}

static __u64 lower(unsigned int i)
{
	return i < LKST_WATCH_FINE ? i : (__u64)(8 + i % 8) << (i / 8 - 1);
}

TEST(buckets_have_documented_bounds)
{
	for (unsigned int i = 0; i < LKST_WATCH_BUCKETS; i++) {
		ck_assert_uint_eq(watch_index(lower(i)), i);
		if (i)
			ck_assert_uint_eq(watch_index(lower(i) - 1), i - 1);
	}
	ck_assert_uint_eq(watch_index(UINT64_MAX), LKST_WATCH_BUCKETS - 1);
}
END_TEST

TEST(sums_and_limits)
{
	memset(&stats, 0, sizeof(stats));
	memset(&result, 0, sizeof(result));
	lkst_watch_merge(&result, &stats);
	ck_assert_uint_eq(result.count, 0);
	ck_assert_uint_eq(result.worst_num, 0);
	add(500);
	add(20);
	add(1000);
	lkst_watch_merge(&result, &stats);
	ck_assert_uint_eq(result.count, 3);
	ck_assert_uint_eq(result.sum, 1520);
	ck_assert_uint_eq(result.min, 20);
	ck_assert_uint_eq(result.max, 1000);
	ck_assert_uint_eq(result.bucket[watch_index(20)], 1);
	ck_assert_uint_eq(result.worst_num, 3);
	ck_assert_uint_eq(result.worst[0].ns, 1000);
	ck_assert_uint_eq(result.worst[0].key[0], 1000);
	ck_assert_uint_eq(result.worst[2].ns, 20);
	/* Figures of another CPU */
	memset(&stats, 0, sizeof(stats));
	add(7);
	add(5000);
	lkst_watch_merge(&result, &stats);
	ck_assert_uint_eq(result.count, 5);
	ck_assert_uint_eq(result.min, 7);
	ck_assert_uint_eq(result.max, 5000);
	ck_assert_uint_eq(result.worst[0].ns, 5000);
	ck_assert_uint_eq(result.worst_num, 5);
}
END_TEST

/* The length of the only span. 0: do not read the figures while they change. */
static __u64 only_span;

/* Whether to check before each access to the figures which spans are plain. */
static bool plain_checked;
#define PLAIN_LENGTHS 200

/* Number of accesses before an interrupt counts a span of the length KEPT; -1: none */
static int keep_at = -1;
#define KEPT 50

static bool is_plain(__u64 ns)
{
	since_begin = 0;
	return lkst_watch_is_plain(&stats, ns);
}

/*
 * An interrupt may count a plain span at any time. So at any time, a span is plain only if it is
 * not shorter than the shortest one, and not longer than the shortest of the worst ones.
 */
static void plain_step(void)
{
	plain_checked = false;
	for (__u64 ns = 0; ns < PLAIN_LENGTHS; ns++)
		if (is_plain(ns))
			ck_assert_msg(ns >= ~stats.not_min && ns <= stats.floor && ns < attend,
				      "%llu is plain: from %llu to %llu", ns, ~stats.not_min,
				      stats.floor);
	plain_checked = true;
}

/* Read the figures before each access to them, as another CPU could. */
static void figures_step(void)
{
	static bool reading;

	if (plain_checked)
		plain_step();
	if (keep_at >= 0 && !keep_at--)
		add(KEPT);
	if (reading || !only_span)
		return;
	reading = true;
	memset(&result, 0, sizeof(result));
	lkst_watch_merge(&result, &stats);
	reading = false;
	if (result.count)
		ck_assert_msg(result.min == only_span && result.max == only_span,
			      "a span of %llu: from %llu to %llu", only_span, result.min, result.max);
}

TEST(no_span_is_counted_before_its_length_is_known)
{
	memset(&stats, 0, sizeof(stats));
	only_span = 100;
	add(only_span);
	only_span = 0;
	memset(&result, 0, sizeof(result));
	lkst_watch_merge(&result, &stats);
	ck_assert_uint_eq(result.count, 1);
	ck_assert_uint_eq(result.min, 100);
}
END_TEST

/*
 * A span is plain only if it is not the shortest one, not one of the worst, and not so long that it
 * causes actions.
 */
TEST_LOOP(plain_spans_change_only_sums, 3)
{
	static const __u64 limits[] = { 0, 105, UINT64_MAX };

	memset(&stats, 0, sizeof(stats));
	attend = limits[_i];
	ck_assert(!is_plain(0));
	ck_assert(!is_plain(UINT64_MAX));
	for (unsigned int i = 0; i < LKST_WATCH_WORST; i++)
		add(109 - i);
	/* The worst spans are those from 102 to 109. */
	add(100);
	for (__u64 ns = 0; ns < 200; ns++)
		ck_assert_int_eq(is_plain(ns),
				 ns >= 100 && ns <= 102 && ns < attend);
	ck_assert(!is_plain(UINT64_MAX));
	add(104);
	for (__u64 ns = 0; ns < 200; ns++)
		ck_assert_int_eq(is_plain(ns),
				 ns >= 100 && ns <= 103 && ns < attend);
	for (__u64 ns = 110; ns < 120; ns++)
		add(ns);
	for (__u64 ns = 0; ns < 200; ns++)
		ck_assert_int_eq(is_plain(ns),
				 ns >= 100 && ns <= 112 && ns < attend);
	attend = UINT64_MAX;
}
END_TEST

TEST(no_interrupt_counts_a_span_that_is_not_plain)
{
	memset(&stats, 0, sizeof(stats));
	plain_checked = true;
	for (unsigned int i = 0; i < PLAIN_LENGTHS / 2; i++)
		add(10 + i * 7919 % (PLAIN_LENGTHS / 2));
	for (__u64 ns = 9; ns; ns--)
		add(ns);
	plain_checked = false;
}
END_TEST

/* A span that is longer than the worst ones is never plain, even while an interrupt changes the limits. */
TEST_LOOP(limits_change_while_they_are_read, 3)
{
	memset(&stats, 0, sizeof(stats));
	for (unsigned int i = 0; i < LKST_WATCH_WORST; i++)
		add(109 - i);
	add(100);
	for (__u64 ns = 0; ns < PLAIN_LENGTHS; ns++) {
		struct lkst_watch_stats before = stats;

		keep_at = _i;
		if (is_plain(ns))
			ck_assert_msg(ns >= KEPT && ns <= stats.floor, "%llu is plain", ns);
		keep_at = -1;
		stats = before;
	}
}
END_TEST

TEST(worst_are_kept)
{
	memset(&stats, 0, sizeof(stats));
	memset(&result, 0, sizeof(result));
	for (unsigned int i = 0; i < 1000; i++)
		add(i * 7919 % 1000 + 1);
	lkst_watch_merge(&result, &stats);
	ck_assert_uint_eq(result.worst_num, LKST_WATCH_WORST);
	for (unsigned int i = 0; i < LKST_WATCH_WORST; i++)
		ck_assert_uint_eq(result.worst[i].ns, 1000 - i);
	/* Another CPU with shorter spans changes nothing. */
	memset(&stats, 0, sizeof(stats));
	add(3);
	lkst_watch_merge(&result, &stats);
	ck_assert_uint_eq(result.worst[LKST_WATCH_WORST - 1].ns, 1000 - LKST_WATCH_WORST + 1);
}
END_TEST
