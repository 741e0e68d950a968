// SPDX-License-Identifier: GPL-2.0
/*
 * Convert records to columns (Documentation/lkst/trace-file.rst).
 *
 * A record is a sequence of 8-byte words. A column consists of the same word of
 * all records, sorted by event type. Clocks are stored as differences from the
 * previous record. A column starts with the lowest byte of each of its words,
 * continues with the second byte of each word, and so on. So most neighbouring
 * bytes are equal, which makes the columns compress well.
 *
 * The tools convert the columns back (tools/lkst/lib/trace/columns.c).
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "columns.h"

#define LKST_COLUMNS_WORDS	(sizeof(struct lkst_event_record) / sizeof(u64))

/* Number of words that are converted at a time. */
#define LKST_COLUMNS_BATCH	8

/* The word of a record that holds its clock. */
#define LKST_COLUMNS_CLOCK	(offsetof(struct lkst_event_record, clock) / sizeof(u64))

/* Indices and sums of records must fit in a u16. */
static_assert(LKST_CHUNK_RECORDS <= U16_MAX);

/*
 * Sort the records stably by event type: set @work->order from @work->key.
 */
static void lkst_columns_sort(struct lkst_columns *work, unsigned int num)
{
	unsigned int i, sum = 0;

	memset(work->next, 0, sizeof(work->next));
	for (i = 0; i < num; i++)
		work->next[work->key[i]]++;
	for (i = 0; i < LKST_ETYPE_NUM; i++) {
		unsigned int records = work->next[i];

		work->next[i] = sum;
		sum += records;
	}
	for (i = 0; i < num; i++)
		work->order[work->next[work->key[i]]++] = i;
}

/*
 * Exchange the bits of *@a above @shift, where @mask has bits, with the bits of
 * *@b in @mask.
 */
static __always_inline void lkst_columns_swap(u64 *a, u64 *b, unsigned int shift, u64 mask)
{
	u64 differ = (*a >> shift ^ *b) & mask;

	*a ^= differ << shift;
	*b ^= differ;
}

/*
 * Transpose an 8 x 8 matrix of bytes: byte i of word[b] becomes what was byte b
 * of word[i]. Byte 0 is the lowest one. The loops are unrolled by hand, so that
 * the words stay in registers.
 */
static __always_inline void lkst_columns_transpose(u64 word[LKST_COLUMNS_BATCH])
{
	u64 a = word[0], b = word[1], c = word[2], d = word[3];
	u64 e = word[4], f = word[5], g = word[6], h = word[7];

	lkst_columns_swap(&a, &e, 32, 0x00000000ffffffffULL);
	lkst_columns_swap(&b, &f, 32, 0x00000000ffffffffULL);
	lkst_columns_swap(&c, &g, 32, 0x00000000ffffffffULL);
	lkst_columns_swap(&d, &h, 32, 0x00000000ffffffffULL);
	lkst_columns_swap(&a, &c, 16, 0x0000ffff0000ffffULL);
	lkst_columns_swap(&b, &d, 16, 0x0000ffff0000ffffULL);
	lkst_columns_swap(&e, &g, 16, 0x0000ffff0000ffffULL);
	lkst_columns_swap(&f, &h, 16, 0x0000ffff0000ffffULL);
	lkst_columns_swap(&a, &b, 8, 0x00ff00ff00ff00ffULL);
	lkst_columns_swap(&c, &d, 8, 0x00ff00ff00ff00ffULL);
	lkst_columns_swap(&e, &f, 8, 0x00ff00ff00ff00ffULL);
	lkst_columns_swap(&g, &h, 8, 0x00ff00ff00ff00ffULL);
	word[0] = a;
	word[1] = b;
	word[2] = c;
	word[3] = d;
	word[4] = e;
	word[5] = f;
	word[6] = g;
	word[7] = h;
}

/*
 * Get word @k of the record with index @index, as its column stores it. The
 * first record has no predecessor.
 */
static __always_inline u64 lkst_columns_word(const struct lkst_event_record *records,
					     unsigned int index, unsigned int k)
{
	const u64 *from = (const u64 *)&records[index] + k;

	return k == LKST_COLUMNS_CLOCK && index ? *from - *(from - LKST_COLUMNS_WORDS) : *from;
}

/*
 * Store column @k at @to. One column at a time: its eight rows of bytes may be
 * 4096 bytes apart, and a cache has room for few lines with such a distance.
 */
static void lkst_columns_put(const struct lkst_columns *work,
			     const struct lkst_event_record *records, u8 *to, unsigned int num,
			     unsigned int k)
{
	u64 word[LKST_COLUMNS_BATCH];
	unsigned int at, i;

	for (at = 0; at + LKST_COLUMNS_BATCH <= num; at += LKST_COLUMNS_BATCH) {
		for (i = 0; i < LKST_COLUMNS_BATCH; i++)
			word[i] = lkst_columns_word(records, work->order[at + i], k);
		lkst_columns_transpose(word);
		for (i = 0; i < sizeof(u64); i++)
			put_unaligned_le64(word[i], to + i * num + at);
	}
	for (; at < num; at++)
		for (i = 0; i < sizeof(u64); i++)
			to[i * num + at] =
				lkst_columns_word(records, work->order[at], k) >> 8 * i;
}

/**
 * lkst_columns_make() - convert records to columns
 * @work: memory for this call
 * @header: header of the records, which is copied to @columns. @header->count
 *	is at most LKST_CHUNK_RECORDS
 * @records: the records
 * @columns: result, LKST_COLUMNS_LENGTH(@header->count) bytes
 *
 * Context: may sleep.
 *
 * Return: length of the result in bytes.
 */
size_t lkst_columns_make(struct lkst_columns *work, const struct lkst_records_header *header,
			 const struct lkst_event_record *records, u8 *columns)
{
	unsigned int num = header->count, i;
	u8 *keys = columns + sizeof(*header);

	memcpy(columns, header, sizeof(*header));
	for (i = 0; i < num; i++) {
		work->key[i] = records[i].event_type % LKST_ETYPE_NUM;
		keys[i] = work->key[i];
		keys[num + i] = work->key[i] >> 8;
	}
	lkst_columns_sort(work, num);
	for (i = 0; i < LKST_COLUMNS_WORDS; i++) {
		lkst_columns_put(work, records,
				 keys + num * (LKST_COLUMNS_KEY + i * sizeof(u64)), num, i);
		cond_resched();
	}
	return LKST_COLUMNS_LENGTH(num);
}
