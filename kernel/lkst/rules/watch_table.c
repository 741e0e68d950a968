// SPDX-License-Identifier: GPL-2.0
/*
 * A hash table of spans, shared by all CPUs without locks.
 *
 * Each change of a bucket is one cmpxchg of its word, which fails if anything
 * in the bucket has changed since the word was read. So whatever a function
 * finds out about the bucket before the cmpxchg still holds at the cmpxchg. For
 * the word to become the same again, spans have to leave the bucket 2^32 times
 * in the meantime, which takes longer than any section with preemption off.
 *
 * To put a span into a slot, a CPU first becomes the owner of the slot, then
 * writes the key, the time and the values, and then replaces LKST_WATCH_BUSY
 * with the tag. Nobody waits for an owner: others ignore its slot. An NMI could
 * not wait, for instance, because the owner may be the context that it has
 * interrupted.
 */
#include "watch_fast.h"

/*
 * How many times a function tries again after another context has changed the
 * bucket. A context that interrupts this one, or another CPU, changes a bucket
 * at most three times for an event.
 */
#define LKST_WATCH_TRIES	16

#define LKST_WATCH_EACH		0x01010101U

/* The words that are kept with the span in a slot. */
static __always_inline __u64 *watch_value(const struct lkst_watch_table *table,
					  const struct lkst_watch_bucket *bucket,
					  unsigned int slot)
{
	return table->value +
	       ((bucket - table->bucket) * LKST_WATCH_WAYS + slot) * table->values;
}

static __always_inline unsigned int watch_state(__u64 word, unsigned int slot)
{
	return word >> slot * 8 & 0xff;
}

/*
 * Return a word with the highest bit set in each byte where @word is 0. If a
 * byte of @word is 0, the bit may also be set in higher bytes where @word is 1.
 */
static __always_inline __u32 watch_zeros(__u32 word)
{
	return (word - LKST_WATCH_EACH) & ~word & LKST_WATCH_FULL * LKST_WATCH_EACH;
}

/*
 * Find the slot with a key, given the word of the bucket. Returns a number
 * below 0 if none exists.
 */
static __always_inline int watch_find(const struct lkst_watch_table *table,
				      const struct lkst_watch_bucket *bucket, __u64 word,
				      __u32 tag, const __u64 *key)
{
	__u32 equal = watch_zeros((__u32)word ^ tag * LKST_WATCH_EACH);
	unsigned int slot;

	for (; unlikely(equal); equal &= equal - 1) {
		slot = __ffs(equal) / 8;
		if (watch_state(word, slot) == tag && watch_is(table->keys, bucket, slot, key))
			return slot;
	}
	return -1;
}

/*
 * Whether the keys that were read belong to @word. Without this check, a slot
 * might have been given to another span while the span that is looked for moved
 * to a slot that was free in @word.
 */
static __always_inline bool watch_unchanged(const struct lkst_watch_bucket *bucket, __u64 word)
{
	/*
	 * Read the keys first. Pairs with the full barrier in watch_claim(): a
	 * CPU that sees a new key also sees the new word.
	 */
	smp_rmb();
	return (__u64)atomic64_read_acquire(&bucket->word) == word;
}

/*
 * Choose a slot if none is free: the one with the same key, else the one with
 * the oldest span. Returns a number below 0 if all slots have owners.
 */
static noinline notrace int watch_evict(const struct lkst_watch_table *table,
					const struct lkst_watch_bucket *bucket, __u64 word,
					__u32 tag, const __u64 *key)
{
	int slot = watch_find(table, bucket, word, tag, key), oldest = -1;
	__u64 begin, first = 0;

	if (slot >= 0)
		return slot;
	for (slot = 0; slot < LKST_WATCH_WAYS; slot++) {
		if (watch_state(word, slot) == LKST_WATCH_BUSY)
			continue;
		begin = READ_ONCE(bucket->begin[slot]);
		if (oldest < 0 || (s64)(begin - first) < 0) {
			oldest = slot;
			first = begin;
		}
	}
	return oldest;
}

/*
 * Choose a slot for a span. As long as there is a free slot, the span with the
 * same key stays where it is until watch_publish() replaces it. So an event
 * that ends the span, and interrupts this function, still finds the span.
 */
static __always_inline int watch_choose(const struct lkst_watch_table *table,
					const struct lkst_watch_bucket *bucket, __u64 word,
					__u32 tag, const __u64 *key)
{
	__u32 zeros = watch_zeros(word);

	return likely(zeros) ? __ffs(zeros) / 8 : watch_evict(table, bucket, word, tag, key);
}

/*
 * Become the owner of a slot for a key. Returns the slot, or a number below 0.
 * @abandoned counts a span that was in the slot.
 */
static __always_inline int watch_claim(const struct lkst_watch_table *table,
				       struct lkst_watch_bucket *bucket, __u32 tag,
				       const __u64 *key, unsigned int *abandoned)
{
	unsigned int tries, state;
	__u64 word, new;
	s64 old;
	int slot;

	for (tries = 0; tries < LKST_WATCH_TRIES; tries++) {
		/*
		 * Pairs with watch_publish(): if the tag is visible, so is the
		 * key.
		 */
		word = atomic64_read_acquire(&bucket->word);
		old = word;
		slot = watch_choose(table, bucket, word, tag, key);
		if (slot < 0)
			return slot;
		state = watch_state(word, slot);
		new = watch_change(word, slot, state, LKST_WATCH_BUSY);
		/*
		 * A full barrier: the slot must have an owner before its key,
		 * time and values change. Pairs with the one in lkst_watch_end().
		 */
		if (likely(atomic64_try_cmpxchg(&bucket->word, &old, new))) {
			*abandoned += state != 0;
			return slot;
		}
	}
	return -1;
}

/*
 * Two spans have the same key: the new one in @slot, and another one in @twin.
 * Return the word in which only the span that began later is visible, and the
 * slot of the other span is free.
 */
static noinline notrace __u64 watch_replace(const struct lkst_watch_bucket *bucket, __u64 word,
					    unsigned int slot, unsigned int twin, __u32 tag,
					    __u64 now)
{
	if ((s64)(READ_ONCE(bucket->begin[twin]) - now) > 0)
		return watch_change(word, slot, LKST_WATCH_BUSY, 0);
	word = watch_change(word, twin, tag, 0);
	return watch_change(word, slot, LKST_WATCH_BUSY, tag);
}

/*
 * Make a span visible, whatever has become of the bucket. If the table already
 * has another span with the same key, the same cmpxchg removes the one of the
 * two spans that began earlier, so the key is never in two slots. The other
 * span may have begun later in a context that has interrupted this function, or
 * on another CPU. Returns whether the span became visible or was replaced.
 */
static notrace bool watch_publish(const struct lkst_watch_table *table,
				  struct lkst_watch_bucket *bucket, unsigned int slot, __u32 tag,
				  const __u64 *key, __u64 now, unsigned int *abandoned)
{
	unsigned int tries;
	__u64 word, new;
	s64 old;
	int twin;

	for (tries = 0; tries < LKST_WATCH_TRIES; tries++) {
		word = atomic64_read_acquire(&bucket->word);
		old = word;
		twin = watch_find(table, bucket, word, tag, key);
		if (likely(twin < 0))
			new = watch_change(word, slot, LKST_WATCH_BUSY, tag);
		else
			new = watch_replace(bucket, word, slot, twin, tag, now);
		/*
		 * A full barrier: a CPU that sees the tag must also see the
		 * key, the time and the values.
		 */
		if (likely(atomic64_try_cmpxchg(&bucket->word, &old, new))) {
			*abandoned += twin >= 0;
			return true;
		}
	}
	/*
	 * Only the owner changes LKST_WATCH_BUSY, so the slot can be freed
	 * whatever has become of the other slots.
	 */
	atomic64_add(watch_change(0, slot, LKST_WATCH_BUSY, 0), &bucket->word);
	return false;
}

/**
 * lkst_watch_publish() - make a span visible after LKST_WATCH_CLAIMED
 * @table: the table
 * @key: the key
 * @now: when the span began
 * @abandoned: as for lkst_watch_begin()
 *
 * Context: as for lkst_watch_begin(), which the caller must not call for this
 * span.
 *
 * Return: 0, or -1 if others have changed the bucket too often.
 */
notrace int lkst_watch_publish(const struct lkst_watch_table *table, const __u64 *key, __u64 now,
			       unsigned int *abandoned)
{
	__u64 hash = watch_hash(table->keys, key);

	return watch_publish(table, watch_bucket(table, hash), 0, watch_tag(hash), key, now,
			     abandoned) ? 0 : -1;
}

/**
 * lkst_watch_begin() - note that a span begins
 * @table: the table
 * @key: the key
 * @now: when it begins
 * @value: words that are kept with the span; ignored if the table has none
 * @abandoned: incremented for each span that is given up: an earlier one with
 *	this key, or the oldest one in the bucket if there is no free slot
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: 0, or -1 if there was no slot, or others have changed the bucket too
 * often.
 */
notrace int lkst_watch_begin(const struct lkst_watch_table *table, const __u64 *key, __u64 now,
			     const __u64 *value, unsigned int *abandoned)
{
	__u64 hash = watch_hash(table->keys, key);
	struct lkst_watch_bucket *bucket = watch_bucket(table, hash);
	__u32 tag = watch_tag(hash);
	int slot = watch_claim(table, bucket, tag, key, abandoned);
	unsigned int i;

	if (slot < 0)
		return -1;
	watch_fill(table->keys, bucket, slot, key, now);
	for (i = 0; i < table->values; i++)
		WRITE_ONCE(watch_value(table, bucket, slot)[i], value[i]);
	return watch_publish(table, bucket, slot, tag, key, now, abandoned) ? 0 : -1;
}

/**
 * lkst_watch_end() - note that a span ends
 * @table: the table
 * @key: the key
 * @begin: receives when the span began
 * @value: receives the words that were kept with the span
 *
 * Context: any, NMI included, with preemption off.
 *
 * Return: enum lkst_watch_found.
 */
notrace enum lkst_watch_found lkst_watch_end(const struct lkst_watch_table *table,
					     const __u64 *key, __u64 *begin, __u64 *value)
{
	__u64 hash = watch_hash(table->keys, key);
	struct lkst_watch_bucket *bucket = watch_bucket(table, hash);
	__u32 tag = watch_tag(hash);
	unsigned int tries, i;
	__u64 word, new;
	s64 old;
	int slot;

	for (tries = 0; tries < LKST_WATCH_TRIES; tries++) {
		/*
		 * Pairs with watch_publish(): if the tag is visible, so is the
		 * key.
		 */
		word = atomic64_read_acquire(&bucket->word);
		old = word;
		slot = watch_find(table, bucket, word, tag, key);
		if (slot < 0 && watch_unchanged(bucket, word))
			return LKST_WATCH_UNMATCHED;
		if (slot < 0)
			continue;
		*begin = READ_ONCE(bucket->begin[slot]);
		for (i = 0; i < table->values; i++)
			value[i] = READ_ONCE(watch_value(table, bucket, slot)[i]);
		new = watch_change(word, slot, tag, 0);
		/*
		 * A full barrier: if the time or a value was already that of a
		 * later span, the claim of the slot must make this fail. Pairs
		 * with the one in watch_claim().
		 */
		if (likely(atomic64_try_cmpxchg(&bucket->word, &old, new)))
			return LKST_WATCH_MATCHED;
	}
	return LKST_WATCH_MISSED;
}

/**
 * lkst_watch_exceeds() - whether a span is longer than all before it
 * @longest: the longest length so far, which becomes @ns if the span is longer
 * @ns: length of the span
 *
 * Invariant: @longest never decreases, so of all spans for which this returns
 * true, each is longer than those before it, and the longest span is one of
 * them. No other data is published with @longest, so any ordering is
 * sufficient. Each time the cmpxchg fails, another context has raised @longest.
 *
 * Context: any, NMI included.
 */
notrace bool lkst_watch_exceeds(atomic64_t *longest, __u64 ns)
{
	s64 old = atomic64_read_acquire(longest);

	do {
		if (ns <= (__u64)old)
			return false;
	} while (!atomic64_try_cmpxchg(longest, &old, ns));
	return true;
}

/**
 * lkst_watch_open() - count the spans that have begun but not ended
 * @table: the table
 *
 * Return: their number, which may be changing.
 */
unsigned int lkst_watch_open(const struct lkst_watch_table *table)
{
	unsigned int num = 0, slot;
	__u64 bucket, word;

	for (bucket = 0; bucket <= table->mask; bucket++) {
		word = atomic64_read_acquire(&table->bucket[bucket].word);
		for (slot = 0; slot < LKST_WATCH_WAYS; slot++)
			num += watch_state(word, slot) >= LKST_WATCH_FULL;
	}
	return num;
}

/* ---- figures ---- */

/* Replace the shortest one of the worst spans with a longer span. */
static notrace void watch_replace_worst(struct lkst_watch_stats *stats,
					const struct lkst_watch_span *span)
{
	unsigned int i, least = 0;
	__u64 floor;

	for (i = 1; i < LKST_WATCH_WORST; i++)
		if (stats->worst[i].ns < stats->worst[least].ns)
			least = i;
	/*
	 * A reader that sees a part of the new span must also see that the
	 * sequence is odd, or has changed. Pairs with watch_copy().
	 */
	WRITE_ONCE(stats->sequence, stats->sequence + 1);
	/* See above. */
	smp_wmb();
	stats->worst[least] = *span;
	/* A reader that sees the new sequence must see the whole span. */
	smp_wmb();
	WRITE_ONCE(stats->sequence, stats->sequence + 1);
	floor = stats->worst[0].ns;
	for (i = 1; i < LKST_WATCH_WORST; i++)
		if (stats->worst[i].ns < floor)
			floor = stats->worst[i].ns;
	stats->floor = floor;
	if (span->ns > stats->max)
		WRITE_ONCE(stats->max, span->ns);
}

/**
 * lkst_watch_keep() - count a span that is not plain
 * @stats: figures of this CPU in this kind of context
 * @span: the span
 * @attend_ns: spans of this length, and longer ones, are never plain
 *
 * Invariant: a plain span is not shorter than all spans so far, not longer than
 * @stats->floor, and shorter than @attend_ns.
 *
 * The span is counted last. So a reader that counts the span also sees values
 * of @stats->not_min and @stats->max that include it.
 *
 * Context: any, NMI included, with preemption off.
 */
notrace void lkst_watch_keep(struct lkst_watch_stats *stats, const struct lkst_watch_span *span,
			     __u64 attend_ns)
{
	__u64 end;

	if (~span->ns > stats->not_min)
		WRITE_ONCE(stats->not_min, ~span->ns);
	if (span->ns > stats->floor)
		watch_replace_worst(stats, span);
	end = stats->floor < attend_ns ? stats->floor + 1 : attend_ns;
	/*
	 * An interrupt may see the new minimum with the old number. The range
	 * of plain spans is empty at first. After that, its minimum never rises
	 * and its end never falls. So the range that the interrupt sees is a
	 * part of the new range.
	 */
	WRITE_ONCE(stats->plain_min, ~stats->not_min);
	/* Store the minimum first: see above. */
	barrier();
	WRITE_ONCE(stats->plain_num, end > stats->plain_min ? end - stats->plain_min : 0);
	/* Store the limits before the count. Pairs with lkst_watch_merge(). */
	smp_wmb();
	lkst_watch_add(stats, span->ns);
}

/* How often a reader tries to copy the worst spans while they change. */
#define LKST_WATCH_COPIES	1000

/* Copy one of the worst spans. */
static void watch_copy(struct lkst_watch_span *span, const struct lkst_watch_stats *stats,
		       unsigned int i)
{
	unsigned int tries, sequence;

	for (tries = 0; tries < LKST_WATCH_COPIES; tries++) {
		sequence = READ_ONCE(stats->sequence);
		/* Read the sequence before the span: see watch_replace_worst(). */
		smp_rmb();
		/* If the span changes meanwhile, the sequence shows this. */
		data_race(memcpy(span, &stats->worst[i], sizeof(*span)));
		/* Read the span before the sequence again. */
		smp_rmb();
		if (!(sequence & 1) && READ_ONCE(stats->sequence) == sequence)
			return;
	}
	/* The spans kept changing: give up, and leave out this one. */
	span->time = 0;
}

/* Insert a span into the worst ones of a result, the longest one first. */
static void watch_insert(struct lkst_watch_result *result, const struct lkst_watch_span *span)
{
	unsigned int i = result->worst_num;

	if (i == LKST_WATCH_WORST && span->ns <= result->worst[i - 1].ns)
		return;
	if (i == LKST_WATCH_WORST)
		i--;
	else
		result->worst_num++;
	for (; i && result->worst[i - 1].ns < span->ns; i--)
		result->worst[i] = result->worst[i - 1];
	result->worst[i] = *span;
}

/**
 * lkst_watch_merge() - add figures to a result
 * @result: the result, which is 0 at first
 * @stats: figures, which may be changing
 */
void lkst_watch_merge(struct lkst_watch_result *result, const struct lkst_watch_stats *stats)
{
	__u64 count = 0, not_min, spans;
	struct lkst_watch_span span;
	unsigned int i;

	for (i = 0; i < LKST_WATCH_BUCKETS; i++) {
		spans = READ_ONCE(stats->bucket[i]);
		result->bucket[i] += spans;
		count += spans;
	}
	/* Read the count before the limits: see lkst_watch_keep(). */
	smp_rmb();
	not_min = READ_ONCE(stats->not_min);
	if (not_min && (!result->count || ~not_min < result->min))
		result->min = ~not_min;
	if (READ_ONCE(stats->max) > result->max)
		result->max = READ_ONCE(stats->max);
	result->count += count;
	result->sum += READ_ONCE(stats->sum);
	result->late += READ_ONCE(stats->late);
	result->unmatched += READ_ONCE(stats->unmatched);
	result->abandoned += READ_ONCE(stats->abandoned);
	result->missed += READ_ONCE(stats->missed);
	for (i = 0; i < LKST_WATCH_WORST; i++) {
		watch_copy(&span, stats, i);
		if (span.time)
			watch_insert(result, &span);
	}
}
