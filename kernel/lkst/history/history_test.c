// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the history: the ring of chunks, the columns, and the chunks.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "../base/suite_test.h"
#include "columns.h"
#include "columns_test.h"
#include "pack.h"
#include "store.h"

/* --- The ring of chunks */

#define STORE_SIZE	1024
#define STORE_CHUNKS	16
#define HEADER		sizeof(struct lkst_chunk_header)

struct store_case {
	struct lkst_store store;
	u64 data[STORE_SIZE / sizeof(u64)];
	struct lkst_store_chunk chunks[STORE_CHUNKS];
};

/* Return an empty ring that holds at most @chunk_max chunks. */
static struct lkst_store *store_make(struct kunit *test, unsigned int chunk_max)
{
	struct store_case *c = test_alloc(test, sizeof(*c));

	lkst_store_init(&c->store, c->data, sizeof(c->data), c->chunks, chunk_max);
	return &c->store;
}

static u8 store_byte(u64 number, size_t i)
{
	return number * 31 + i;
}

/* Write the payload of the next chunk, without its header. */
static void *store_begin(struct lkst_store *store, size_t length)
{
	u64 number = lkst_store_next(store);
	u8 *payload = lkst_store_reserve(store, length);

	for (size_t i = 0; i < length; i++)
		payload[i] = store_byte(number, i);
	return payload;
}

/* Add a chunk. Its events and their time are computed from its number. */
static void store_add(struct lkst_store *store, size_t length)
{
	struct lkst_chunk_header header = {
		.magic = LKST_CHUNK_MAGIC,
		.type = LKST_CHUNK_RECORDS_RAW,
		.length = length,
		.raw_length = lkst_store_next(store),
	};

	store_begin(store, length);
	lkst_store_commit(store, &header, header.raw_length * 2, header.raw_length * 1000);
}

/* Return the number of chunks that a tool would find in an image. */
static unsigned int store_scan(const struct lkst_store *store)
{
	unsigned int found = 0;

	for (size_t at = 0; at + HEADER <= store->size; at += sizeof(u64))
		found += ((const struct lkst_chunk_header *)(store->data + at))->magic ==
			 LKST_CHUNK_MAGIC;
	return found;
}

/* Check all chunks in the ring, and what the ring knows about them. */
static void store_check(struct kunit *test, const struct lkst_store *store)
{
	u64 first = lkst_store_first(store), next = lkst_store_next(store), number;
	u64 used = 0, events = 0, all = 0, wrong = 0;
	struct lkst_store_chunk chunk;

	for (number = first; number < next; number++) {
		const struct lkst_chunk_header *header;
		const u8 *payload;

		KUNIT_ASSERT_TRUE(test, lkst_store_find(store, number, &chunk));
		header = lkst_store_chunk_data(store, &chunk);
		KUNIT_ASSERT_TRUE(test, (u8 *)header + chunk.bytes <= store->data + store->size);
		KUNIT_ASSERT_EQ(test, (size_t)chunk.bytes, lkst_store_bytes(header->length));
		KUNIT_EXPECT_EQ(test, header->magic, LKST_CHUNK_MAGIC);
		KUNIT_EXPECT_EQ(test, (u64)header->raw_length, number);
		KUNIT_EXPECT_EQ(test, chunk.since, (s64)number * 1000);
		payload = (const u8 *)(header + 1);
		for (size_t i = 0; i < chunk.bytes - HEADER; i++)
			wrong += payload[i] != (i < header->length ? store_byte(number, i) : 0);
		used += chunk.bytes;
		events += chunk.events;
	}
	for (number = 1; number < next; number++)
		all += number * 2;
	KUNIT_EXPECT_EQ(test, wrong, 0ULL);
	KUNIT_EXPECT_EQ(test, store->used, used);
	KUNIT_EXPECT_EQ(test, store->events, events);
	KUNIT_EXPECT_EQ(test, store->overwritten, all - events);
	KUNIT_EXPECT_EQ(test, store_scan(store), (unsigned int)(next - first));
}

/* Chunks overwrite the oldest ones, and no chunk wraps. */
static void store_wraps(struct kunit *test)
{
	static const struct {
		unsigned int chunk_max;
		size_t length, step;
		unsigned int held; /* chunks in the ring at the end */
	} rows[] = {
		{ STORE_CHUNKS, 224, 0, 4 },		/* four of them fill the ring */
		{ STORE_CHUNKS, 225, 0, 3 },		/* the rest of the ring is not used */
		{ STORE_CHUNKS, 1, 0, STORE_CHUNKS },	/* the number of chunks is the limit */
		{ 3, 100, 0, 3 },
		{ STORE_CHUNKS, STORE_SIZE - HEADER, 0, 1 },
		{ STORE_CHUNKS, 1, 37, 0 },		/* of different lengths */
	};

	for (int row = 0; row < ARRAY_SIZE(rows); row++) {
		struct lkst_store *store = store_make(test, rows[row].chunk_max);

		store_check(test, store);
		for (unsigned int i = 0; i < 200; i++) {
			store_add(store, (rows[row].length + i * rows[row].step) % STORE_SIZE %
						 (STORE_SIZE - HEADER + 1));
			store_check(test, store);
		}
		if (rows[row].held)
			KUNIT_EXPECT_EQ_MSG(test, store_scan(store), rows[row].held, "row %d", row);
	}
}

/* A reader notices that a chunk has been overwritten while it copied it. */
static void store_laps_reader(struct kunit *test)
{
	struct lkst_store *store = store_make(test, STORE_CHUNKS);
	struct lkst_store_chunk chunk;

	for (unsigned int i = 0; i < 4; i++)
		store_add(store, 224);
	KUNIT_ASSERT_TRUE(test, lkst_store_find(store, 1, &chunk));
	KUNIT_EXPECT_TRUE(test, lkst_store_intact(store, 1));
	/* The writer has only begun to overwrite the chunk. */
	store_begin(store, 8);
	KUNIT_EXPECT_FALSE(test, lkst_store_intact(store, 1));
	KUNIT_EXPECT_FALSE(test, lkst_store_find(store, 1, &chunk));
	KUNIT_EXPECT_TRUE(test, lkst_store_find(store, 2, &chunk));
	store_add(store, 8);
	KUNIT_EXPECT_TRUE(test, lkst_store_intact(store, 2));
	KUNIT_EXPECT_EQ(test, lkst_store_next(store), 6ULL);
}

/* A chunk without a header is invisible to readers, and in an image. */
static void store_hides_half_written(struct kunit *test)
{
	struct lkst_store *store = store_make(test, STORE_CHUNKS);
	void *payload;

	for (unsigned int i = 0; i < 4; i++)
		store_add(store, 224);
	payload = store_begin(store, 300);
	KUNIT_EXPECT_EQ(test, lkst_store_next(store), 5ULL);
	KUNIT_EXPECT_EQ(test, lkst_store_first(store), 3ULL);
	KUNIT_EXPECT_EQ(test, store_scan(store), 2U);
	store_check(test, store);
	/* The next chunk takes the same place. */
	KUNIT_EXPECT_PTR_EQ(test, store_begin(store, 200), payload);
	store_add(store, 200);
	KUNIT_EXPECT_EQ(test, store_scan(store), 3U);
	store_check(test, store);
}

/* --- Columns */

static void columns_are_those_of_the_tools(struct kunit *test)
{
	struct lkst_records *records = test_alloc(test, sizeof(*records));
	u8 *columns = test_alloc(test, LKST_COLUMNS_LENGTH(LKST_CHUNK_RECORDS));
	struct lkst_columns *work = test_alloc(test, sizeof(*work));

	for (int row = 0; row < ARRAY_SIZE(columns_vectors); row++) {
		unsigned int num = columns_vectors[row].num;
		size_t length;

		columns_vector_make(&records->header, records->record, num);
		length = lkst_columns_make(work, &records->header, records->record, columns);
		KUNIT_EXPECT_EQ_MSG(test, length, LKST_COLUMNS_LENGTH(num), "row %d", row);
		KUNIT_EXPECT_EQ_MSG(test, lkst_crc32c(columns, length),
				    columns_vectors[row].crc32c, "row %d", row);
	}
}

/* --- Chunks */

/* Pack @records, and check the header and its checksums. Return the payload. */
static const void *pack_checked(struct kunit *test, struct lkst_packer *packer,
				const struct lkst_records *records, struct lkst_chunk_header *chunk)
{
	const void *payload = lkst_pack(packer, records, chunk);

	KUNIT_EXPECT_EQ(test, chunk->magic, LKST_CHUNK_MAGIC);
	KUNIT_EXPECT_EQ(test, chunk->type, LKST_CHUNK_RECORDS_RAW);
	KUNIT_EXPECT_LE(test, lkst_store_bytes(chunk->length), LKST_HISTORY_CHUNK_MAX);
	KUNIT_EXPECT_EQ(test, chunk->payload_checksum, lkst_crc32c(payload, chunk->length));
	KUNIT_EXPECT_EQ(test, chunk->checksum,
			lkst_crc32c(chunk, offsetof(struct lkst_chunk_header, checksum)));
	return payload;
}

static void chunks_are_compressed(struct kunit *test)
{
	struct lkst_records *records = test_alloc(test, sizeof(*records));
	size_t num = LKST_CHUNK_RECORDS, raw = num * sizeof(*records->record);
	struct lkst_chunk_header chunk;
	struct lkst_packer *packer;
	u64 state = 1, *word;
	const void *payload;

	if (!lkst_pack_possible())
		kunit_skip(test, "the kernel has no zstd");
	packer = lkst_packer_open();
	KUNIT_ASSERT_NOT_NULL(test, packer);
	columns_vector_make(&records->header, records->record, num);
	pack_checked(test, packer, records, &chunk);
	KUNIT_EXPECT_EQ(test, chunk.compression, LKST_CHUNK_COLUMNS);
	KUNIT_EXPECT_EQ(test, (size_t)chunk.raw_length, LKST_COLUMNS_LENGTH(num));
	KUNIT_EXPECT_LT(test, (size_t)chunk.length, raw / 4);
	/* Random bytes do not become shorter, so they are stored unchanged. */
	for (word = (u64 *)records->record; word < (u64 *)(records->record + num); word++)
		*word = columns_vector_number(&state) ^ columns_vector_number(&state) << 32;
	payload = pack_checked(test, packer, records, &chunk);
	KUNIT_EXPECT_EQ(test, chunk.compression, LKST_CHUNK_NONE);
	KUNIT_EXPECT_EQ(test, (size_t)chunk.raw_length, sizeof(records->header) + raw);
	KUNIT_EXPECT_EQ(test, (u64)chunk.length, (u64)chunk.raw_length);
	KUNIT_EXPECT_EQ(test, memcmp(payload, records, chunk.length), 0);
	/* The memory is in order after a chunk that did not fit. */
	columns_vector_make(&records->header, records->record, 1);
	pack_checked(test, packer, records, &chunk);
	lkst_packer_close(packer);
}

static struct kunit_case history_cases[] = {
	KUNIT_CASE(store_wraps),
	KUNIT_CASE(store_laps_reader),
	KUNIT_CASE(store_hides_half_written),
	KUNIT_CASE(columns_are_those_of_the_tools),
	KUNIT_CASE(chunks_are_compressed),
	{}
};

LKST_TEST_SUITE("lkst_history", history_cases);
