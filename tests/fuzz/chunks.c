// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chunks.h"
#include "lib/base/crc32c.h"
#include "lib/trace/format.h"
#include "lib/trace/swap.h"
#include "swap.h"

/* If the byte at this offset of the file header is not 0, sign_files() does not sign the chunks. */
#define KEEP_CHECKSUMS offsetof(struct trace_file_header, reserved2)

size_t file_end(const uint8_t *data, size_t size, size_t at)
{
	const uint8_t *next = NULL;

	if (size - at > sizeof(TRACE_MAGIC))
		next = memmem(data + at + 1, size - at - 1, TRACE_MAGIC, sizeof(TRACE_MAGIC));
	return next ? (size_t)(next - data) : size;
}

static bool file_swapped(const uint8_t *data, size_t size)
{
	struct trace_file_header header;

	if (size < sizeof(header))
		return false;
	memcpy(&header, data, sizeof(header));
	return header.byte_order == TRACE_BYTE_ORDER_SWAPPED;
}

/* Store in @checksum, a member of the header @header, the checksum of all members before it. */
static void sign(const void *header, uint32_t *checksum, bool swapped)
{
	*checksum = lkst_crc32c(header, (size_t)((char *)checksum - (char *)header));
	if (swapped)
		TRACE_SWAP(*checksum);
}

size_t chunks_of(const uint8_t *data, size_t size, struct chunk *chunk, size_t max)
{
	bool swapped = file_swapped(data, size);
	size_t at = sizeof(struct trace_file_header), n = 0;

	while (n < max && at + sizeof(chunk->header) <= size) {
		struct chunk *c = &chunk[n];

		c->at = at;
		c->swapped = swapped;
		memcpy(&c->header, data + at, sizeof(c->header));
		if (swapped)
			swap(&c->header, SWAP_CHUNK_HEADER);
		if (c->header.length > size - at - sizeof(c->header))
			break;
		at += chunk_size(c);
		n++;
	}
	return n;
}

void put_header(uint8_t *data, struct chunk *chunk)
{
	struct lkst_chunk_header header = chunk->header;

	header.magic = LKST_CHUNK_MAGIC;
	header.payload_checksum =
		lkst_crc32c(data + chunk->at + sizeof(header), (size_t)header.length);
	if (chunk->swapped)
		swap(&header, SWAP_CHUNK_HEADER);
	sign(&header, &header.checksum, chunk->swapped);
	memcpy(data + chunk->at, &header, sizeof(header));
}

/*
 * Correct the checksums of all chunks. If the last chunk extends beyond the end of the file, only
 * the checksum of its header is corrected, so that the reader has to detect the wrong length of the
 * chunk.
 */
static void sign_chunks(uint8_t *data, size_t size)
{
	struct chunk chunk[256];
	size_t n = chunks_of(data, size, chunk, sizeof(chunk) / sizeof(*chunk)), end;
	struct lkst_chunk_header header;

	for (size_t i = 0; i < n; i++)
		put_header(data, &chunk[i]);
	end = n ? chunk[n - 1].at + chunk_size(&chunk[n - 1]) : sizeof(struct trace_file_header);
	if (end > size || size - end < sizeof(header))
		return;
	memcpy(&header, data + end, sizeof(header));
	sign(&header, &header.checksum, file_swapped(data, size));
	memcpy(data + end, &header, sizeof(header));
}

static void sign_file(uint8_t *data, size_t size)
{
	struct trace_file_header header;

	if (size < sizeof(header))
		return;
	if (!data[KEEP_CHECKSUMS])
		sign_chunks(data, size);
	memcpy(&header, data, sizeof(header));
	sign(&header, &header.checksum, file_swapped(data, size));
	memcpy(data, &header, sizeof(header));
}

void sign_files(uint8_t *data, size_t size)
{
	size_t end;

	for (size_t at = 0; at < size; at = end) {
		end = file_end(data, size, at);
		sign_file(data + at, end - at);
	}
}
