/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of chunks with one writer and readers that take no lock.
 */
#ifndef _LKST_STORE_H
#define _LKST_STORE_H

#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/lkst_history.h>

/* Number of the first chunk ever of each store. */
#define LKST_STORE_FIRST	1

/**
 * struct lkst_store_chunk - a chunk in a store
 * @position: position of its header: the number of bytes, since the store was
 *	created, that precede it
 * @since: CLOCK_REALTIME of its first record, in ns
 * @bytes: size with header and padding
 * @events: number of records
 */
struct lkst_store_chunk {
	u64 position;
	s64 since;
	u32 bytes;
	u32 events;
};

/**
 * struct lkst_store - a ring of chunks
 * @data: memory of the ring
 * @size: size of @data in bytes, a multiple of 8
 * @chunks: chunk number n is described by element n % @chunk_max
 * @chunk_max: number of elements in @chunks
 * @first: number of the oldest chunk. The first chunk ever has number
 *	LKST_STORE_FIRST
 * @next: number of the next chunk
 * @end: position after the newest chunk. For the writer only
 * @used: number of bytes of all chunks in the ring. This and the next two
 *	members are for the writer and for callers that exclude it
 * @events: number of records in these chunks
 * @overwritten: number of records whose chunks have been overwritten
 */
struct lkst_store {
	u8 *data;
	size_t size;
	struct lkst_store_chunk *chunks;
	unsigned int chunk_max;
	atomic64_t first;
	atomic64_t next;
	u64 end;
	u64 used;
	u64 events;
	u64 overwritten;
};

/* Return the size of a chunk whose payload has @length bytes. */
static inline size_t lkst_store_bytes(size_t length)
{
	return sizeof(struct lkst_chunk_header) + ALIGN(length, sizeof(u64));
}

void lkst_store_init(struct lkst_store *store, void *data, size_t size,
		     struct lkst_store_chunk *chunks, unsigned int chunk_max);
void *lkst_store_reserve(struct lkst_store *store, size_t length);
void lkst_store_commit(struct lkst_store *store, const struct lkst_chunk_header *header,
		       unsigned int events, s64 since);

u64 lkst_store_first(const struct lkst_store *store);
u64 lkst_store_next(const struct lkst_store *store);
bool lkst_store_intact(const struct lkst_store *store, u64 number);
bool lkst_store_find(const struct lkst_store *store, u64 number, struct lkst_store_chunk *chunk);
const void *lkst_store_chunk_data(const struct lkst_store *store,
				  const struct lkst_store_chunk *chunk);

#endif
