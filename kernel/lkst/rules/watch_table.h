/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The spans that have begun but not ended, and what is known about those that
 * have ended. This file and watch_table.c also compile in user space.
 */
#ifndef _LKST_RULES_WATCH_TABLE_H
#define _LKST_RULES_WATCH_TABLE_H

#include <linux/types.h>
#include <linux/lkst_watch.h>

#include "watch_compat.h"

#define LKST_WATCH_WAYS		4	/* slots in a bucket */

/**
 * struct lkst_watch_bucket - spans whose keys have the same hash
 * @word: state of the slots, and version of the bucket
 * @begin: for each slot, when the span began
 * @key: the first words of the keys in all slots, then the second words and so
 *	on. The first word of a key is in the same cache line as @word and
 *	@begin, except in the last slot
 * @pad: makes the size a multiple of that of a cache line
 *
 * The lower 32 bits of @word contain a byte for each slot. 0 means that the
 * slot is free. LKST_WATCH_BUSY means that it has an owner, which is the only
 * one to write @begin, @key and the values of the slot. Any other value is the
 * tag of a key, seven bits of its hash with LKST_WATCH_FULL, and means that a
 * span is in the slot. The upper 32 bits are the version.
 *
 * Two changes keep the version: a free slot gets an owner, and a slot with an
 * owner gets a tag. All other changes increment it: a span leaves its slot, or
 * an owner gives its slot up. So for @word to become the same again, the
 * version has to wrap.
 *
 * Invariant: at any time, at most one slot with a tag contains a given key.
 */
struct lkst_watch_bucket {
	atomic64_t word;
	__u64 begin[LKST_WATCH_WAYS];
	__u64 key[LKST_WATCH_KEYS][LKST_WATCH_WAYS];
	__u64 pad[3];
};

/**
 * struct lkst_watch_table - spans that have begun
 * @bucket: the buckets
 * @mask: number of buckets, a power of two, minus 1
 * @keys: number of words of a key
 * @values: number of words that are kept with each span
 * @value: for each slot of each bucket, these words; NULL if @values is 0
 *
 * All CPUs share the table. All functions work in any context, NMI included,
 * and neither wait nor take a lock.
 */
struct lkst_watch_table {
	struct lkst_watch_bucket *bucket;
	__u32 mask;
	__u32 keys;
	__u32 values;
	__u64 *value;
};

/**
 * enum lkst_watch_found - result of lkst_watch_end()
 * @LKST_WATCH_UNMATCHED: there is no span with this key
 * @LKST_WATCH_MATCHED: the span has been removed from the table
 * @LKST_WATCH_MISSED: others have changed the bucket too often
 */
enum lkst_watch_found {
	LKST_WATCH_UNMATCHED,
	LKST_WATCH_MATCHED,
	LKST_WATCH_MISSED,
};

int lkst_watch_begin(const struct lkst_watch_table *table, const __u64 *key, __u64 now,
		     const __u64 *value, unsigned int *abandoned);
int lkst_watch_publish(const struct lkst_watch_table *table, const __u64 *key, __u64 now,
		       unsigned int *abandoned);
enum lkst_watch_found lkst_watch_end(const struct lkst_watch_table *table, const __u64 *key,
				     __u64 *begin, __u64 *value);
bool lkst_watch_exceeds(atomic64_t *longest, __u64 ns);
unsigned int lkst_watch_open(const struct lkst_watch_table *table);

/**
 * struct lkst_watch_stats - figures of a CPU in one kind of context
 * @sum: total length of all spans in ns
 * @plain_min: length in ns of the shortest plain span
 * @plain_num: number of lengths of plain spans: a span is plain if it is at
 *	least @plain_min and less than @plain_min + @plain_num. Such a span
 *	changes nothing but @sum and @bucket, and causes no actions
 * @not_min: length of the shortest span in ns, with all bits inverted; 0: there
 *	was no span
 * @floor: length in ns that a span must exceed to become one of the worst
 * @max: length of the longest span in ns
 * @late: number of spans that exceeded the limit
 * @unmatched: number of ends without a begin
 * @abandoned: number of begins without an end
 * @missed: number of events that were not taken into account
 * @sequence: odd while @worst is being changed
 * @worst: the longest spans, in no order
 * @bucket: number of spans by length
 *
 * Task, softirq, hardirq and NMI of a CPU each have their own struct. On the
 * fast path (watch_direct.h), all contexts of the CPU count plain spans in the
 * struct of tasks, with watch_local_add(). Apart from that, only an exception
 * in the same context can change a struct while one of its figures is being
 * changed. lkst_watch_feed() explains why no atomic operations are needed.
 * Readers on other CPUs may see a figure that is about to change.
 */
struct lkst_watch_stats {
	__u64 sum;
	__u64 plain_min;
	__u64 plain_num;
	__u64 not_min;
	__u64 floor;
	__u64 max;
	__u64 late;
	__u64 unmatched;
	__u64 abandoned;
	__u64 missed;
	unsigned int sequence;
	struct lkst_watch_span worst[LKST_WATCH_WORST];
	__u64 bucket[LKST_WATCH_BUCKETS];
};

void lkst_watch_keep(struct lkst_watch_stats *stats, const struct lkst_watch_span *span,
		     __u64 attend_ns);
void lkst_watch_merge(struct lkst_watch_result *result, const struct lkst_watch_stats *stats);

#endif
