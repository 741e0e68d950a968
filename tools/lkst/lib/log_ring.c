// SPDX-License-Identifier: LGPL-2.1
/*
 * Writing over the oldest pieces so that the file is a clean sequence of chunks after each
 * write. A write that fails leaves it as it was, but for what was overwritten by then.
 *
 * Functions return 0 or an errno.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log_ring.h"
#include "trace_pack.h"

static struct log_batch *nth(const struct log_ring *ring, size_t n)
{
	return &ring->piece[(ring->first + n) % ring->room];
}

static int make_room(struct log_ring *ring)
{
	size_t room = ring->room ? ring->room * 2 : 64;
	struct log_batch *grown;

	if (ring->num < ring->room)
		return 0;
	grown = malloc(room * sizeof(*grown));
	if (!grown)
		return ENOMEM;
	for (size_t i = 0; i < ring->num; i++)
		grown[i] = *nth(ring, i);
	free(ring->piece);
	ring->piece = grown;
	ring->first = 0;
	ring->room = room;
	return 0;
}

static void drop(struct log_ring *ring, size_t num)
{
	for (; num--; ring->num--, ring->old--) {
		uint64_t records = nth(ring, 0)->records;

		ring->kept -= records;
		ring->rewound += records;
		ring->first = (ring->first + 1) % ring->room;
	}
}

/* How many old pieces are in the way of one that ends there, and of the SKIP behind it. */
static size_t in_the_way(const struct log_ring *ring, uint64_t end)
{
	size_t n;

	for (n = 0; n < ring->old; n++) {
		uint64_t offset = nth(ring, n)->offset;

		if (offset == end || offset >= end + LOG_RING_SKIP)
			break;
	}
	return n;
}

/* What leads from @from to the old piece @n, if there is one. Returns its bytes. */
static size_t put_skip(const struct log_ring *ring, uint64_t from, size_t n,
		       struct trace_chunk_header *skip)
{
	uint64_t gap = n < ring->old ? nth(ring, n)->offset - from : 0;

	if (!gap)
		return 0;
	memset(skip, 0, sizeof(*skip));
	skip->type = TRACE_SKIP;
	skip->length = skip->raw_length = gap - sizeof(*skip);
	trace_seal(skip, 0);
	return sizeof(*skip);
}

/* Returns how much was written; less than @len with errno. */
static size_t write_at(const struct log_ring *ring, const uint8_t *data, size_t len,
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

static int cut(struct log_ring *ring, uint64_t size)
{
	if (ring->size <= size)
		return 0;
	while (ftruncate(ring->fd, (off_t)size))
		if (errno != EINTR)
			return errno;
	ring->size = size;
	return 0;
}

/* So much of a piece was written before it failed: lead over it to what is whole. */
static void log_ring_mend(struct log_ring *ring, size_t written)
{
	struct trace_chunk_header skip;

	if (ring->size < ring->at + written)
		ring->size = ring->at + written;
	if (!written)
		return;
	drop(ring, in_the_way(ring, ring->at + written));
	/* The header has to have room before what comes next. */
	drop(ring, in_the_way(ring, ring->at));
	if (!ring->old)
		cut(ring, ring->at);
	else
		write_at(ring, (uint8_t *)&skip, put_skip(ring, ring->at, 0, &skip), ring->at);
}

/**
 * log_ring_preface() - write what stays before the ring
 * @ring: ring in which nothing was written yet
 * @data: bytes
 * @len: how many
 */
int log_ring_preface(struct log_ring *ring, const void *data, size_t len)
{
	if (write_at(ring, data, len, ring->at) < len)
		return errno;
	ring->at += len;
	ring->start = ring->size = ring->at;
	return 0;
}

/**
 * log_ring_has_room() - whether a piece can be written before the end
 * @ring: ring
 * @len: bytes
 */
bool log_ring_has_room(const struct log_ring *ring, size_t len)
{
	return len <= ring->end - ring->at;
}

/**
 * log_ring_lap() - go back to the start
 * @ring: ring
 *
 * What is left of the lap before is older than all else, and what comes next would leave a
 * hole behind it: it goes.
 */
int log_ring_lap(struct log_ring *ring)
{
	int ret = cut(ring, ring->at);

	if (ret)
		return ret;
	drop(ring, ring->old);
	ring->at = ring->start;
	ring->old = ring->num;
	return 0;
}

static int put(struct log_ring *ring, uint8_t *data, size_t len)
{
	uint64_t end = ring->at + len;
	size_t way = in_the_way(ring, end), written;
	struct trace_chunk_header skip;
	size_t more = put_skip(ring, end, way, &skip);

	memcpy(data + len, &skip, more);
	written = write_at(ring, data, len + more, ring->at);
	if (written < len + more) {
		int failed = errno;

		log_ring_mend(ring, written);
		return failed;
	}
	drop(ring, way);
	if (ring->size < end + more)
		ring->size = end + more;
	/* It never fails on a file that is open for writing; if so, all but a rest is good. */
	if (!ring->old)
		cut(ring, end);
	ring->at = end;
	return 0;
}

/**
 * log_ring_write() - write a piece
 * @ring: ring, which has room for it
 * @data: chunks, with LOG_RING_SKIP bytes of room behind them
 * @len: bytes
 * @records: in it
 */
int log_ring_write(struct log_ring *ring, uint8_t *data, size_t len, uint64_t records)
{
	uint64_t at = ring->at;
	int ret = make_room(ring);

	if (!ret)
		ret = put(ring, data, len);
	if (ret)
		return ret;
	ring->num++;
	*nth(ring, ring->num - 1) = (struct log_batch){ at, records };
	ring->kept += records;
	return 0;
}

/**
 * log_ring_kept() - records that are left when so much more was written
 * @ring: ring
 * @len: bytes
 */
uint64_t log_ring_kept(const struct log_ring *ring, size_t len)
{
	uint64_t kept = ring->kept;

	for (size_t n = in_the_way(ring, ring->at + len); n-- > 0;)
		kept -= nth(ring, n)->records;
	return kept;
}

/**
 * log_ring_end() - write what says that nothing follows
 * @ring: ring
 * @data: chunk, with LOG_RING_SKIP bytes of room behind it
 * @len: bytes, room for which was always kept
 */
int log_ring_end(struct log_ring *ring, uint8_t *data, size_t len)
{
	return put(ring, data, len);
}
