// SPDX-License-Identifier: GPL-2.0
/*
 * A ring of chunks. One thread writes to it. Any number of readers copy chunks
 * out of it, without a lock, because a copy to user memory may take long.
 *
 * Chunks are aligned to 8 bytes. A chunk that does not fit before the end of
 * the memory starts at its beginning, so no chunk wraps.
 *
 * A tool may find the memory in an image. An image may be taken at any moment,
 * and does not say where the writer's variables are. So the tool searches for
 * the magic of chunks. Before the writer overwrites a chunk, it clears its
 * magic, and it writes the magic of the new chunk last.
 *
 * The writer				A reader
 *
 *	W1  first = number + 1			R1  load next
 *	    smp_wmb()				R2  load chunks[number]
 *	W2  clear the magic			    smp_rmb()
 *	    smp_wmb()				R3  load first, compare
 *	W3  write the payload			R4  copy the chunk
 *	    smp_wmb()				    smp_rmb()
 *	W4  write the header, the magic last	R5  load first, compare
 *	W5  write chunks[number]
 *	W6  store-release next
 *
 * W6 and the load-acquire R1 make a chunk and its description visible to a
 * reader that sees its number. If R2 or R4 has seen a part of a newer chunk (W2
 * to W5), W1 happened before, so R3 or R5 sees that @first has passed the
 * number. R3 is needed although R5 follows: a description that is a mix of two
 * chunks could make R4 copy bytes after the end of the memory.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "store.h"

/**
 * lkst_store_init() - set up an empty ring
 * @store: the ring
 * @data: zeroed memory for the chunks, aligned to 8 bytes
 * @size: size of @data in bytes, a multiple of 8
 * @chunks: memory for the descriptions of the chunks
 * @chunk_max: number of elements in @chunks: maximum number of chunks
 */
void lkst_store_init(struct lkst_store *store, void *data, size_t size,
		     struct lkst_store_chunk *chunks, unsigned int chunk_max)
{
	*store = (struct lkst_store) {
		.data = data,
		.size = size,
		.chunks = chunks,
		.chunk_max = chunk_max,
		.first = ATOMIC64_INIT(LKST_STORE_FIRST),
		.next = ATOMIC64_INIT(LKST_STORE_FIRST),
	};
}

static size_t lkst_store_offset(const struct lkst_store *store, u64 position)
{
	u64 offset;

	div64_u64_rem(position, store->size, &offset);
	return offset;
}

static struct lkst_store_chunk *lkst_store_chunk(const struct lkst_store *store, u64 number)
{
	u64 index;

	div64_u64_rem(number, store->chunk_max, &index);
	return &store->chunks[index];
}

/* Remove the oldest chunk. */
static void lkst_store_remove(struct lkst_store *store)
{
	u64 first = lkst_store_first(store);
	const struct lkst_store_chunk *chunk = lkst_store_chunk(store, first);
	struct lkst_chunk_header *header = (void *)lkst_store_chunk_data(store, chunk);

	store->used -= chunk->bytes;
	store->events -= chunk->events;
	store->overwritten += chunk->events;
	atomic64_set(&store->first, first + 1);
	/* W1 before W2, see above. */
	smp_wmb();
	WRITE_ONCE(header->magic, 0);
}

/**
 * lkst_store_reserve() - make room for a chunk
 * @store: the ring
 * @length: length of the payload in bytes. The chunk must fit in the ring
 *
 * The oldest chunks are removed. If the caller does not commit the chunk, the
 * next reservation gets the same room.
 *
 * Context: any, one writer at a time.
 *
 * Return: where to write the payload.
 */
void *lkst_store_reserve(struct lkst_store *store, size_t length)
{
	size_t bytes = lkst_store_bytes(length), offset = lkst_store_offset(store, store->end);
	u64 next = lkst_store_next(store);

	if (offset + bytes > store->size) {
		store->end += store->size - offset;
		offset = 0;
	}
	while (lkst_store_first(store) < next &&
	       (lkst_store_chunk(store, lkst_store_first(store))->position + store->size <
			store->end + bytes ||
		next - lkst_store_first(store) == store->chunk_max))
		lkst_store_remove(store);
	/* W2 before W3, see above. */
	smp_wmb();
	return store->data + offset + sizeof(struct lkst_chunk_header);
}

/**
 * lkst_store_commit() - add the chunk whose payload has been written
 * @store: the ring
 * @header: header of the chunk. @header->length was passed to
 *	lkst_store_reserve()
 * @events: number of records in the chunk
 * @since: CLOCK_REALTIME of the first of them, in ns
 *
 * Context: any, one writer at a time.
 */
void lkst_store_commit(struct lkst_store *store, const struct lkst_chunk_header *header,
		       unsigned int events, s64 since)
{
	struct lkst_chunk_header *to = (void *)store->data + lkst_store_offset(store, store->end);
	size_t bytes = lkst_store_bytes(header->length);
	struct lkst_chunk_header unfinished = *header;
	u64 next = lkst_store_next(store);

	memset((void *)(to + 1) + header->length, 0, bytes - sizeof(*to) - header->length);
	unfinished.magic = 0;
	/* W3 before W4, see above. */
	smp_wmb();
	*to = unfinished;
	/* W4: the magic last, see above. */
	smp_wmb();
	WRITE_ONCE(to->magic, header->magic);
	*lkst_store_chunk(store, next) = (struct lkst_store_chunk) {
		.position = store->end,
		.since = since,
		.bytes = bytes,
		.events = events,
	};
	store->end += bytes;
	store->used += bytes;
	store->events += events;
	/* W6. Pairs with lkst_store_next(). */
	atomic64_set_release(&store->next, next + 1);
}

/**
 * lkst_store_first() - get the number of the oldest chunk
 * @store: the ring
 *
 * Context: any.
 *
 * Return: the number; it equals lkst_store_next() if the ring is empty.
 */
u64 lkst_store_first(const struct lkst_store *store)
{
	return atomic64_read(&store->first);
}

/**
 * lkst_store_next() - get the number of the next chunk
 * @store: the ring
 *
 * Context: any.
 *
 * Return: the number. All chunks with smaller numbers have been committed.
 */
u64 lkst_store_next(const struct lkst_store *store)
{
	/* R1. Pairs with lkst_store_commit(). */
	return atomic64_read_acquire(&store->next);
}

/**
 * lkst_store_intact() - check that a chunk that was copied has not been
 *	overwritten in the meantime
 * @store: the ring
 * @number: number of the chunk
 *
 * Context: any.
 *
 * Return: true if the copy is valid.
 */
bool lkst_store_intact(const struct lkst_store *store, u64 number)
{
	/* R4 before R5, and R2 before R3, see above. */
	smp_rmb();
	return lkst_store_first(store) <= number;
}

/**
 * lkst_store_find() - get the description of a chunk
 * @store: the ring
 * @number: number of the chunk, less than lkst_store_next()
 * @chunk: receives the description
 *
 * Context: any.
 *
 * Return: true if the chunk is still in the ring. The caller must check
 * lkst_store_intact() after it has copied the chunk.
 */
bool lkst_store_find(const struct lkst_store *store, u64 number, struct lkst_store_chunk *chunk)
{
	*chunk = data_race(*lkst_store_chunk(store, number)); /* checked below */
	return lkst_store_intact(store, number);
}

/**
 * lkst_store_chunk_data() - get the address of a chunk
 * @store: the ring
 * @chunk: from lkst_store_find()
 *
 * Context: any.
 *
 * Return: address of the header, @chunk->bytes bytes.
 */
const void *lkst_store_chunk_data(const struct lkst_store *store,
				  const struct lkst_store_chunk *chunk)
{
	return store->data + lkst_store_offset(store, chunk->position);
}
