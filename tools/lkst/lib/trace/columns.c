// SPDX-License-Identifier: LGPL-2.1
/*
 * Converts records to columns and back (Documentation/lkst/trace-file.rst).
 *
 * A record is a sequence of 8-byte words. A column consists of the same word of all records, with
 * the records sorted by event type. So each word is next to the same word of the previous event of
 * its type, and these two words are often similar. Clocks, times and recids, which increase, are
 * stored as differences from the previous record of the chunk. A column starts with the lowest byte
 * of each of its words, continues with the second byte of each word, and so on: most neighbouring
 * bytes are equal. The low bytes of clocks do not compress, and this order keeps them apart from
 * the other bytes.
 *
 * Records in a trace file are STD (struct lkst_log_record) or RAW (struct lkst_event_record, as in
 * a buffer of the kernel).
 */
#include <byteswap.h>
#include <endian.h>
#include <string.h>

#include "columns.h"
#include "format.h"

#define WORD sizeof(uint64_t)
#define KEYS LKST_ETYPE_NUM
#define MOST LKST_CHUNK_RECORDS

/* Layout of STD or RAW records. */
struct column_kind {
	size_t words;
	uint32_t rising; /* bitmap of the words stored as differences */
	uint32_t always; /* bitmap of the words that are restored in all records */
	size_t type; /* offset of the event type */
	size_t type_size;
};

static const struct column_kind *columns_kind_of(uint32_t record_size)
{
#define WORD_OF(type, member) (1u << offsetof(struct type, member) / WORD)
#define STD_RISING                                         \
	(WORD_OF(lkst_log_record, posix.log_recid) |       \
	 WORD_OF(lkst_log_record, posix.log_time.tv_sec) | \
	 WORD_OF(lkst_log_record, posix.log_time.tv_nsec))
#define RAW_RISING WORD_OF(lkst_event_record, clock)
	static const struct column_kind std = {
		.words = sizeof(struct lkst_log_record) / WORD,
		.rising = STD_RISING,
		.always = STD_RISING | WORD_OF(lkst_log_record, posix.log_event_type) |
			  WORD_OF(lkst_log_record, posix.log_processor),
		.type = offsetof(struct lkst_log_record, posix.log_event_type),
		.type_size = 4,
	};
	static const struct column_kind raw = {
		.words = sizeof(struct lkst_event_record) / WORD,
		.rising = RAW_RISING,
		.always = RAW_RISING | WORD_OF(lkst_event_record, event_type),
		.type = offsetof(struct lkst_event_record, event_type),
		.type_size = 2,
	};

	if (record_size == sizeof(struct lkst_log_record))
		return &std;
	return record_size == sizeof(struct lkst_event_record) ? &raw : NULL;
}

/*
 * Sort the records stably by event type. @place is set to their byte offsets in this order, and
 * @next to the number of records up to and including each event type.
 */
static void columns_sort(const uint16_t *key, size_t num, size_t step, uint32_t *place,
			 uint16_t next[KEYS])
{
	unsigned int sum = 0;

	memset(next, 0, KEYS * sizeof(*next));
	for (size_t i = 0; i < num; i++)
		next[key[i]]++;
	for (size_t k = 0; k < KEYS; k++) {
		unsigned int records = next[k];

		next[k] = (uint16_t)sum;
		sum += records;
	}
	for (size_t i = 0; i < num; i++)
		place[next[key[i]]++] = (uint32_t)(i * step);
}

static uint64_t columns_word_at(const uint8_t *record)
{
	uint64_t word;

	memcpy(&word, record, sizeof(word));
	return word;
}

static void columns_put_word(uint8_t *record, uint64_t word)
{
	memcpy(record, &word, sizeof(word));
}

/* Vectors of 16 bytes, with elements of 1, 2 or 4 bytes. The compiler selects the instructions. */
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint16_t pairs __attribute__((vector_size(16)));
typedef uint32_t fours __attribute__((vector_size(16)));

#define SIXTEEN 16 /* number of values converted at a time */
#define AT_ONCE 64 /* number of records that are completed at a time: they fit into the cache */
#define BYTES_LOW(a, b) \
	__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define BYTES_HIGH(a, b) \
	__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define PAIRS_LOW(a, b)	 __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define PAIRS_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define FOURS_LOW(a, b)	 __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define FOURS_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)

/*
 * Read sixteen values of a column of @num values. The first round interleaves the lowest bytes of
 * the values with their second bytes, the third bytes with the fourth bytes, and so on. The second
 * round interleaves the resulting pairs of bytes, and the third round interleaves the low four
 * bytes with the high four bytes. When unrolled, this runs in registers.
 */
static inline void columns_get_sixteen(const uint8_t *from, size_t num, uint64_t value[SIXTEEN])
{
	bytes byte[8];
	pairs pair[2][4]; /* [i][b]: bytes 2b and 2b + 1 of the values 8i to 8i + 7 */
	fours four[2][4]; /* [0][i], [1][i]: low and high half of the values 4i to 4i + 3 */
	fours whole[8];

#pragma GCC unroll 8
	for (int b = 0; b < 8; b++)
		memcpy(&byte[b], from + (size_t)b * num, sizeof(byte[b]));
#pragma GCC unroll 4
	for (int b = 0; b < 4; b++) {
		pair[0][b] = (pairs)BYTES_LOW(byte[2 * b], byte[2 * b + 1]);
		pair[1][b] = (pairs)BYTES_HIGH(byte[2 * b], byte[2 * b + 1]);
	}
#pragma GCC unroll 2
	for (int half = 0; half < 2; half++)
#pragma GCC unroll 2
		for (int i = 0; i < 2; i++) {
			pairs low = pair[i][2 * half], high = pair[i][2 * half + 1];

			four[half][2 * i] = (fours)PAIRS_LOW(low, high);
			four[half][2 * i + 1] = (fours)PAIRS_HIGH(low, high);
		}
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++) {
		whole[2 * i] = FOURS_LOW(four[0][i], four[1][i]);
		whole[2 * i + 1] = FOURS_HIGH(four[0][i], four[1][i]);
	}
	memcpy(value, whole, sizeof(whole));
}

/*
 * The inverse of columns_get_sixteen(): eight vectors of two values each become the bytes of a
 * column. Regard the vectors as a row of 128 bytes. Each round shuffles the first half with the
 * second half, which rotates the bits of each byte's position left by one. After four rounds, the
 * high bits of the position are the byte's index in its value, and the low bits are the index of
 * the value.
 */
static inline void columns_put_sixteen(uint8_t *to, size_t num, const uint64_t value[SIXTEEN])
{
	bytes from[8], shuffled[8];

	memcpy(from, value, sizeof(from));
#pragma GCC unroll 4
	for (int round = 0; round < 4; round++) {
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++) {
			shuffled[2 * i] = BYTES_LOW(from[i], from[i + 4]);
			shuffled[2 * i + 1] = BYTES_HIGH(from[i], from[i + 4]);
		}
#pragma GCC unroll 8
		for (int i = 0; i < 8; i++)
			from[i] = shuffled[i];
	}
#pragma GCC unroll 8
	for (int b = 0; b < 8; b++)
		memcpy(to + (size_t)b * num, &from[b], sizeof(from[b]));
}

static void columns_put_one(uint8_t *to, size_t num, uint64_t value, size_t bytes)
{
	for (size_t b = 0; b < bytes; b++)
		to[b * num] = (uint8_t)(value >> 8 * b);
}

static uint64_t columns_get_one(const uint8_t *from, size_t num)
{
	uint64_t value = 0;

	for (size_t b = 0; b < WORD; b++)
		value |= (uint64_t)from[b * num] << 8 * b;
	return value;
}

/* What trace_columns_to() decodes. */
struct columns_input {
	const uint8_t *column; /* the first column */
	size_t num; /* number of records */
	size_t words; /* in a record */
	const uint32_t *place; /* byte offset of each record */
};

/* Copy the words from @i to @end - 1 of column @k to the records. */
static void columns_get_words(const struct columns_input *in, size_t k, size_t i, size_t end,
			      uint8_t *records)
{
	const uint8_t *from = in->column + k * in->num * WORD;
	uint8_t *word = records + k * WORD;
	uint64_t value[SIXTEEN];

	for (; i + SIXTEEN <= end; i += SIXTEEN) {
		columns_get_sixteen(from + i, in->num, value);
		for (size_t n = 0; n < SIXTEEN; n++)
			columns_put_word(word + in->place[i + n], le64toh(value[n]));
	}
	for (; i < end; i++)
		columns_put_word(word + in->place[i], columns_get_one(from + i, in->num));
}

/* Copy the words from @i to @end - 1 of the columns in the bitmap @which to the records. */
static void columns_get_range(const struct columns_input *in, uint32_t which, size_t i, size_t end,
			      uint8_t *records)
{
	for (; i < end; i += AT_ONCE)
		for (size_t k = 0; k < in->words; k++)
			if (which >> k & 1)
				columns_get_words(in, k, i, i + AT_ONCE < end ? i + AT_ONCE : end,
						  records);
}

/*
 * Copy the words of the columns in the bitmap @which to the records whose event type is wanted.
 * @next is the number of records up to and including each event type.
 */
static void columns_get_wanted(const struct columns_input *in, uint32_t which,
			       const uint16_t next[KEYS], trace_wanted_fn *wanted, uint8_t *records)
{
	size_t begin = 0, end = 0;

	for (uint32_t type = 0; type < KEYS; type++) {
		if (next[type] == end)
			continue;
		if (!wanted(type)) {
			columns_get_range(in, which, begin, end, records);
			begin = next[type];
		}
		end = next[type];
	}
	columns_get_range(in, which, begin, end, records);
}

static uint16_t columns_key_of(const struct column_kind *kind, const uint8_t *record)
{
	uint32_t type = 0;
	uint16_t narrow;

	if (kind->type_size == sizeof(type)) {
		memcpy(&type, record + kind->type, sizeof(type));
	} else {
		memcpy(&narrow, record + kind->type, sizeof(narrow));
		type = narrow;
	}
	return (uint16_t)(type % KEYS);
}

/*
 * Store one word of each record as a column. @word points to this word in the first record. If
 * @back is 0, store the words themselves. Otherwise @back is the size of a record in bytes: store
 * the difference of each word from the same word in the previous record.
 */
static void columns_put_words(uint8_t *to, size_t num, const uint32_t *place, const uint8_t *word,
			      size_t back)
{
	uint64_t value[SIXTEEN];

	for (size_t i = 0; i < num; i += SIXTEEN) {
		size_t some = num - i < SIXTEEN ? num - i : SIXTEEN;

		for (size_t k = 0; k < some; k++)
			value[k] = columns_word_at(word + place[i + k]);
		/* The first record has no predecessor. */
		for (size_t k = 0; back && k < some; k++)
			value[k] -= place[i + k] ? columns_word_at(word + place[i + k] - back) : 0;
		if (some < SIXTEEN) {
			for (size_t k = 0; k < some; k++)
				columns_put_one(to + i + k, num, value[k], WORD);
			break;
		}
		for (size_t k = 0; k < SIXTEEN; k++)
			value[k] = htole64(value[k]);
		columns_put_sixteen(to + i, num, value);
	}
}

/**
 * trace_columns_from() - convert records to columns
 * @header: buffer header; has the size and number of the records
 * @records: records
 * @columns: result, TRACE_COLUMNS_MAX bytes
 *
 * Return: length of the result in bytes.
 */
size_t trace_columns_from(const struct lkst_records_header *header, const void *records,
			  uint8_t *columns)
{
	const struct column_kind *kind = columns_kind_of(header->record_size);
	const size_t num = header->count;
	const size_t step = header->record_size;
	uint16_t key[MOST];
	uint32_t place[MOST];
	uint16_t next[KEYS];
	uint8_t *to = columns;

	memcpy(to, header, sizeof(*header));
	to += sizeof(*header);
	if (!num)
		return sizeof(*header);
	for (size_t i = 0; i < num; i++) {
		key[i] = columns_key_of(kind, (const uint8_t *)records + i * step);
		columns_put_one(to + i, num, key[i], TRACE_COLUMNS_KEY);
	}
	to += num * TRACE_COLUMNS_KEY;
	columns_sort(key, num, step, place, next);
	for (size_t k = 0; k < kind->words; k++, to += num * WORD)
		columns_put_words(to, num, place, (const uint8_t *)records + k * WORD,
				  kind->rising >> k & 1 ? step : 0);
	return (size_t)(to - columns);
}

/* Replace the differences in one word of each record with their running sums. */
static void columns_accumulate(uint8_t *word, size_t num, size_t step)
{
	uint64_t sum = 0;

	for (; num--; word += step)
		columns_put_word(word, sum += columns_word_at(word));
}

/* Convert the words back to the byte order of the machine that recorded them. */
static void columns_swap_words(uint8_t *records, size_t len)
{
	for (size_t i = 0; i < len; i += WORD)
		columns_put_word(records + i, bswap_64(columns_word_at(records + i)));
}

/**
 * trace_columns_to() - convert columns to a payload
 * @columns: columns, possibly truncated
 * @len: length in bytes
 * @swapped: the columns are from a machine with the opposite byte order
 * @wanted: selects event types; NULL: all. The other records have only their event type, CPU, time
 *	and recid, and are 0 otherwise
 * @payload: result
 * @room: size of @payload in bytes
 *
 * Return: length of the result in bytes. If the columns are truncated or contain no records, the
 * result is only the buffer header. 0 if the columns are invalid.
 */
size_t trace_columns_to(const uint8_t *columns, size_t len, bool swapped, trace_wanted_fn *wanted,
			uint8_t *payload, size_t room)
{
	struct lkst_records_header header;
	uint16_t key[MOST], next[KEYS];
	uint32_t place[MOST];
	const struct column_kind *kind;
	uint8_t *records = payload + sizeof(header);
	struct columns_input in;
	const uint8_t *from;
	size_t num, step;

	if (len < sizeof(header) || room < sizeof(header))
		return 0;
	memcpy(payload, columns, sizeof(header));
	memcpy(&header, columns, sizeof(header));
	num = swapped ? bswap_64(header.count) : header.count;
	kind = columns_kind_of(swapped ? bswap_32(header.record_size) : header.record_size);
	if (!kind || num > MOST)
		return 0;
	step = kind->words * WORD;
	if (!num || len != sizeof(header) + num * (step + TRACE_COLUMNS_KEY))
		return sizeof(header);
	if (room < sizeof(header) + num * step)
		return 0;
	from = columns + sizeof(header);
	for (size_t i = 0; i < num; i++) {
		key[i] = (uint16_t)(from[i] | from[num + i] << 8);
		if (key[i] >= KEYS)
			return 0;
	}
	columns_sort(key, num, step, place, next);
	in = (struct columns_input){ from + num * TRACE_COLUMNS_KEY, num, kind->words, place };
	if (!wanted) {
		columns_get_range(&in, UINT32_MAX, 0, num, records);
	} else {
		memset(records, 0, num * step);
		columns_get_range(&in, kind->always, 0, num, records);
		columns_get_wanted(&in, ~kind->always, next, wanted, records);
	}
	for (size_t k = 0; k < kind->words; k++)
		if (kind->rising >> k & 1)
			columns_accumulate(records + k * WORD, num, step);
	if (swapped)
		columns_swap_words(records, num * step);
	return sizeof(header) + num * step;
}
