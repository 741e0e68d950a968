// SPDX-License-Identifier: LGPL-2.1
/*
 * Overwrites the oldest batches of a log file such that the file is a valid sequence of chunks
 * after each write. A failed write loses only the batches that it was about to overwrite.
 *
 * Functions that return an int return 0 or an errno.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/trace/format.h"
#include "lib/trace/pack.h"
#include "log_ring.h"

static struct log_batch *log_ring_nth(const struct log_ring *ring, size_t n)
{
	return &ring->batch[(ring->first + n) % ring->room];
}

static int log_ring_make_room(struct log_ring *ring)
{
	size_t room = ring->room ? ring->room * 2 : 64;
	struct log_batch *grown;

	if (ring->num < ring->room)
		return 0;
	grown = malloc(room * sizeof(*grown));
	if (!grown)
		return ENOMEM;
	for (size_t i = 0; i < ring->num; i++)
		grown[i] = *log_ring_nth(ring, i);
	free(ring->batch);
	ring->batch = grown;
	ring->first = 0;
	ring->room = room;
	return 0;
}

static void log_ring_drop(struct log_ring *ring, size_t num)
{
	for (; num--; ring->num--, ring->old--) {
		uint64_t records = log_ring_nth(ring, 0)->records;

		ring->kept -= records;
		ring->rewound += records;
		ring->first = (ring->first + 1) % ring->room;
	}
}

/*
 * Return the number of old batches that a new batch ending at @end, and the SKIP chunk after it,
 * would overlap.
 */
static size_t log_ring_overlapped(const struct log_ring *ring, uint64_t end)
{
	size_t n;

	for (n = 0; n < ring->old; n++) {
		uint64_t offset = log_ring_nth(ring, n)->offset;

		if (offset == end || offset >= end + LOG_RING_SKIP)
			break;
	}
	return n;
}

/*
 * Make the header of a SKIP chunk that covers the gap from @from to old batch @n. Returns the size
 * of the header in bytes; 0 if the batch does not exist, or there is no gap.
 */
static size_t log_ring_put_skip(const struct log_ring *ring, uint64_t from, size_t n,
				struct lkst_chunk_header *skip)
{
	uint64_t gap = n < ring->old ? log_ring_nth(ring, n)->offset - from : 0;

	if (!gap)
		return 0;
	memset(skip, 0, sizeof(*skip));
	skip->type = TRACE_SKIP;
	skip->length = skip->raw_length = gap - sizeof(*skip);
	trace_seal(skip, 0);
	return sizeof(*skip);
}

/*
 * Write at an offset of the file. Returns the number of bytes written; if that is less than @len,
 * errno is set.
 */
static size_t log_ring_write_at(const struct log_ring *ring, const uint8_t *data, size_t len,
				uint64_t offset)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pwrite(ring->fd, data + done, len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : ENOSPC;
			break;
		}
		done += (size_t)n;
	}
	return done;
}

static int log_ring_cut(struct log_ring *ring, uint64_t size)
{
	if (ring->size <= size)
		return 0;
	while (ftruncate(ring->fd, (off_t)size))
		if (errno != EINTR)
			return errno;
	ring->size = size;
	return 0;
}

/*
 * Make the file valid again when a write has failed after @written bytes: cover these bytes with a
 * SKIP chunk that ends at the next intact batch or, if no batch follows, truncate the file.
 */
static void log_ring_mend(struct log_ring *ring, size_t written)
{
	struct lkst_chunk_header skip;

	if (ring->size < ring->at + written)
		ring->size = ring->at + written;
	if (!written)
		return;
	log_ring_drop(ring, log_ring_overlapped(ring, ring->at + written));
	/* The SKIP header needs room before the next batch. */
	log_ring_drop(ring, log_ring_overlapped(ring, ring->at));
	if (!ring->old)
		log_ring_cut(ring, ring->at);
	else
		log_ring_write_at(ring, (uint8_t *)&skip,
				  log_ring_put_skip(ring, ring->at, 0, &skip), ring->at);
}

/**
 * log_ring_write_header() - write what precedes the ring; it is never overwritten
 * @ring: ring, still empty
 * @data: bytes
 * @len: length in bytes
 */
int log_ring_write_header(struct log_ring *ring, const void *data, size_t len)
{
	if (log_ring_write_at(ring, data, len, ring->at) < len)
		return errno;
	ring->at += len;
	ring->start = ring->size = ring->at;
	return 0;
}

/**
 * log_ring_has_room() - check whether a batch fits before the end of the ring
 * @ring: ring
 * @len: length in bytes
 */
bool log_ring_has_room(const struct log_ring *ring, size_t len)
{
	return len <= ring->end - ring->at;
}

/**
 * log_ring_lap() - return to the start of the ring
 * @ring: ring
 *
 * Batches that remain from the previous lap are dropped: they are the oldest, so they must not
 * outlive the batches at the start of the ring, which the next lap overwrites first.
 */
int log_ring_lap(struct log_ring *ring)
{
	int ret = log_ring_cut(ring, ring->at);

	if (ret)
		return ret;
	log_ring_drop(ring, ring->old);
	ring->at = ring->start;
	ring->old = ring->num;
	return 0;
}

static int log_ring_put(struct log_ring *ring, uint8_t *data, size_t len)
{
	uint64_t end = ring->at + len;
	size_t overlap = log_ring_overlapped(ring, end), written;
	struct lkst_chunk_header skip;
	size_t more = log_ring_put_skip(ring, end, overlap, &skip);

	memcpy(data + len, &skip, more);
	written = log_ring_write_at(ring, data, len + more, ring->at);
	if (written < len + more) {
		int failed = errno;

		log_ring_mend(ring, written);
		return failed;
	}
	log_ring_drop(ring, overlap);
	if (ring->size < end + more)
		ring->size = end + more;
	/*
	 * Truncation does not fail on a file that is open for writing. If it did, only the bytes
	 * that remain at the end would be invalid.
	 */
	if (!ring->old)
		log_ring_cut(ring, end);
	ring->at = end;
	return 0;
}

/**
 * log_ring_write() - write a batch
 * @ring: ring, which must have room for the batch
 * @data: chunks, with LOG_RING_SKIP bytes of room after them
 * @len: length of the chunks in bytes
 * @records: number of records in the batch
 */
int log_ring_write(struct log_ring *ring, uint8_t *data, size_t len, uint64_t records)
{
	uint64_t at = ring->at;
	int ret = log_ring_make_room(ring);

	if (!ret)
		ret = log_ring_put(ring, data, len);
	if (ret)
		return ret;
	ring->num++;
	*log_ring_nth(ring, ring->num - 1) = (struct log_batch){ at, records };
	ring->kept += records;
	return 0;
}

/**
 * log_ring_kept() - get the number of records that would remain after writing another @len bytes
 * @ring: ring
 * @len: length in bytes
 */
uint64_t log_ring_kept(const struct log_ring *ring, size_t len)
{
	uint64_t kept = ring->kept;

	for (size_t n = log_ring_overlapped(ring, ring->at + len); n-- > 0;)
		kept -= log_ring_nth(ring, n)->records;
	return kept;
}

/**
 * log_ring_end() - write the END chunk
 * @ring: ring
 * @data: chunk, with LOG_RING_SKIP bytes of room after it
 * @len: length in bytes; the caller has left room for it after @ring->end
 */
int log_ring_end(struct log_ring *ring, uint8_t *data, size_t len)
{
	return log_ring_put(ring, data, len);
}
