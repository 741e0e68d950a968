/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path of watch_table.c, which the callers inline. It handles a span
 * that is the only one in its bucket, and with which nothing is kept but its
 * time. This file also compiles in user space.
 */
#ifndef _LKST_RULES_WATCH_FAST_H
#define _LKST_RULES_WATCH_FAST_H

#include "watch_table.h"

#define LKST_WATCH_BUSY		0x01
#define LKST_WATCH_FULL		0x80

#define LKST_WATCH_VERSION	0x100000000ULL

/*
 * An odd number whose multiples spread well over the buckets, which are selected
 * by the bits from 32 on. Keys are often consecutive numbers, or addresses with
 * the same distance from each other. The number was found by trying random
 * ones. With 2^64 divided by the golden ratio, most of such keys share few
 * buckets of a large table.
 */
#define LKST_WATCH_HASH		0x057014720c59e61bULL

static __always_inline __u64 watch_hash(unsigned int keys, const __u64 *key)
{
	__u64 hash = key[0] * LKST_WATCH_HASH;
	unsigned int i;

	for (i = 1; i < keys; i++)
		hash = ((hash << 29 | hash >> 35) ^ key[i]) * LKST_WATCH_HASH;
	return hash;
}

/* Return the number of the bucket of a key. */
static __always_inline __u32 watch_bucket_of(const struct lkst_watch_table *table, __u64 hash)
{
	return hash >> 32 & table->mask;
}

static __always_inline struct lkst_watch_bucket *
watch_bucket(const struct lkst_watch_table *table, __u64 hash)
{
	return &table->bucket[watch_bucket_of(table, hash)];
}

static __always_inline __u32 watch_tag(__u64 hash)
{
	return hash >> 57 | LKST_WATCH_FULL;
}

/* Return the word that results if the state of a slot changes. */
static __always_inline __u64 watch_change(__u64 word, unsigned int slot, __u32 from, __u32 to)
{
	return word + LKST_WATCH_VERSION + ((__u64)((s64)to - from) << slot * 8);
}

/* The word of a bucket in which the only span, in the first slot, has ended. */
static __always_inline __u64 watch_emptied(__u64 word)
{
	/* Clears the lower half, and increments the version. */
	return (word | (LKST_WATCH_VERSION - 1)) + 1;
}

/*
 * Whether the first slot contains a span, and all other slots are free. Does
 * not compare the tag: in this case, the key alone decides.
 */
static __always_inline bool watch_alone(__u64 word)
{
	return (__u32)word - LKST_WATCH_FULL < LKST_WATCH_FULL;
}

/*
 * Whether a slot contains a key. The result may be wrong if the slot has got an
 * owner, but in this case the word of the bucket has changed.
 */
static __always_inline bool watch_is(unsigned int keys, const struct lkst_watch_bucket *bucket,
				     unsigned int slot, const __u64 *key)
{
	unsigned int i;

	for (i = 0; i < keys; i++)
		if (READ_ONCE(bucket->key[i][slot]) != key[i])
			return false;
	return true;
}

/* Write a span to a slot. The caller is the owner. */
static __always_inline void watch_fill(unsigned int keys, struct lkst_watch_bucket *bucket,
				       unsigned int slot, const __u64 *key, __u64 now)
{
	unsigned int i;

	for (i = 0; i < keys; i++)
		WRITE_ONCE(bucket->key[i][slot], key[i]);
	WRITE_ONCE(bucket->begin[slot], now);
}

/**
 * enum lkst_watch_first - result of lkst_watch_begin_first()
 * @LKST_WATCH_BEGUN: the span has begun
 * @LKST_WATCH_OTHERS: nothing has been done, because there are other spans in
 *	the bucket, or another context changes the bucket
 * @LKST_WATCH_CLAIMED: the span is in the first slot, but it is not visible,
 *	because another context has changed the bucket since: the caller must
 *	call lkst_watch_publish()
 */
enum lkst_watch_first {
	LKST_WATCH_BEGUN,
	LKST_WATCH_OTHERS,
	LKST_WATCH_CLAIMED,
};

/*
 * Begin a span in an empty bucket, where it gets the first slot. @keys is
 * @table->keys, which the caller may know to be 1. The other parameters are as
 * for lkst_watch_begin().
 */
static __always_inline enum lkst_watch_first
lkst_watch_begin_first(const struct lkst_watch_table *table, unsigned int keys, const __u64 *key,
		       __u64 now)
{
	__u64 hash = watch_hash(keys, key), word;
	struct lkst_watch_bucket *bucket = watch_bucket(table, hash);
	s64 old;

	word = atomic64_read_acquire(&bucket->word);
	if (unlikely((__u32)word))
		return LKST_WATCH_OTHERS;
	old = word;
	/*
	 * The version stays the same here and below, because no span leaves the
	 * bucket: see struct lkst_watch_bucket. A full barrier, as in
	 * watch_claim().
	 */
	if (unlikely(!atomic64_try_cmpxchg(&bucket->word, &old, word + LKST_WATCH_BUSY)))
		return LKST_WATCH_OTHERS;
	watch_fill(keys, bucket, 0, key, now);
	/*
	 * A full barrier, as in watch_publish(). If this succeeds, no
	 * span with the same key has begun since the bucket was empty.
	 */
	old = word + LKST_WATCH_BUSY;
	if (likely(atomic64_try_cmpxchg(&bucket->word, &old, word + watch_tag(hash))))
		return LKST_WATCH_BEGUN;
	return LKST_WATCH_CLAIMED;
}

/*
 * End a span that is alone in its bucket. @keys is as for
 * lkst_watch_begin_first(), and the other parameters as for lkst_watch_end().
 * Returns false if nothing has been done: the bucket is empty, contains another
 * span, or another context changes it.
 */
static __always_inline bool lkst_watch_end_first(const struct lkst_watch_table *table,
						 unsigned int keys, const __u64 *key,
						 __u64 *begin)
{
	struct lkst_watch_bucket *bucket = watch_bucket(table, watch_hash(keys, key));
	__u64 word;
	s64 old;

	/* Pairs with watch_publish(): if the tag is visible, so is the key. */
	word = atomic64_read_acquire(&bucket->word);
	if (unlikely(!watch_alone(word) || !watch_is(keys, bucket, 0, key)))
		return false;
	*begin = READ_ONCE(bucket->begin[0]);
	old = word;
	/* A full barrier, as in lkst_watch_end() */
	return likely(atomic64_try_cmpxchg(&bucket->word, &old, watch_emptied(word)));
}

/* The index of a length in lkst_watch_stats.bucket; see LKST_WATCH_BUCKETS. */
static __always_inline unsigned int watch_index(__u64 ns)
{
	/* The lengths below LKST_WATCH_FINE are not shifted. */
	unsigned int shift = watch_highest(ns | LKST_WATCH_FINE) - __builtin_ctz(LKST_WATCH_FINE);

	return shift * LKST_WATCH_FINE + (ns >> shift);
}

/* Whether a span of this length is plain, see struct lkst_watch_stats. */
static __always_inline bool lkst_watch_is_plain(const struct lkst_watch_stats *stats, __u64 ns)
{
	__u64 num = READ_ONCE(stats->plain_num);

	/*
	 * Load the number first. If an interrupt calls lkst_watch_keep() after
	 * that, this is the old number with the new minimum, and such a range
	 * is a part of the new one.
	 */
	barrier();
	return ns - READ_ONCE(stats->plain_min) < num;
}

/**
 * lkst_watch_add() - count a span
 * @stats: figures of this CPU in this kind of context
 * @ns: its length. Callers must pass a span that is not plain to
 *	lkst_watch_keep(), which calls this function
 *
 * Context: any, NMI included, with preemption off.
 */
static __always_inline void lkst_watch_add(struct lkst_watch_stats *stats, __u64 ns)
{
	watch_local_add(&stats->sum, ns);
	watch_local_add(&stats->bucket[watch_index(ns)], 1);
}

#endif
