// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chunks.h"
#include "lib/crc32c.h"
#include "lib/trace_reader.h"

/* Of the file header: not 0 where the chunks are to keep the checksums that they have. */
#define KEEP_CHECKSUMS offsetof(struct trace_file_header, reserved2)

/**
 * file_end() - where a file ends that others may follow
 * @data: files, one after the other
 * @size: of all
 * @at: where the file begins
 *
 * Each begins with the magic of trace files, and nothing else does.
 */
size_t file_end(const uint8_t *data, size_t size, size_t at)
{
	const uint8_t *next = NULL;

	if (size - at > sizeof(TRACE_MAGIC))
		next = memmem(data + at + 1, size - at - 1, TRACE_MAGIC, sizeof(TRACE_MAGIC));
	return next ? (size_t)(next - data) : size;
}

/**
 * file_swapped() - has a file the other byte order?
 * @data: file
 * @size: of it
 */
bool file_swapped(const uint8_t *data, size_t size)
{
	struct trace_file_header head;

	if (size < sizeof(head))
		return false;
	memcpy(&head, data, sizeof(head));
	return head.byte_order == TRACE_BYTE_ORDER_SWAPPED;
}

static void swap_head(struct trace_chunk_header *head)
{
	TRACE_SWAP(head->magic);
	TRACE_SWAP(head->type);
	TRACE_SWAP(head->compression);
	TRACE_SWAP(head->length);
	TRACE_SWAP(head->raw_length);
	TRACE_SWAP(head->payload_checksum);
	TRACE_SWAP(head->checksum);
}

/**
 * chunks_of() - the chunks of a file, up to the first that does not fit in
 * @data: file
 * @size: of it
 * @chunk: result
 * @max: as many at most
 */
size_t chunks_of(const uint8_t *data, size_t size, struct chunk *chunk, size_t max)
{
	bool swapped = file_swapped(data, size);
	size_t at = sizeof(struct trace_file_header), n = 0;

	while (n < max && at + sizeof(chunk->head) <= size) {
		struct chunk *c = &chunk[n];

		c->at = at;
		c->swapped = swapped;
		memcpy(&c->head, data + at, sizeof(c->head));
		if (swapped)
			swap_head(&c->head);
		if (c->head.length > size - at - sizeof(c->head))
			break;
		at += chunk_size(c);
		n++;
	}
	return n;
}

/**
 * put_head() - write a chunk's header, with checksums that are right
 * @data: file
 * @chunk: which; its payload is in the file
 */
void put_head(uint8_t *data, struct chunk *chunk)
{
	struct trace_chunk_header head = chunk->head;

	head.magic = TRACE_CHUNK_MAGIC;
	head.payload_checksum = lkst_crc32c(data + chunk->at + sizeof(head), (size_t)head.length);
	if (chunk->swapped)
		swap_head(&head);
	head.checksum = lkst_crc32c(&head, offsetof(struct trace_chunk_header, checksum));
	if (chunk->swapped)
		TRACE_SWAP(head.checksum);
	memcpy(data + chunk->at, &head, sizeof(head));
}

/* One that does not fit in is signed, too: its length must not be believed all the same. */
static void sign_chunks(uint8_t *data, size_t size)
{
	struct chunk chunk[256];
	size_t n = chunks_of(data, size, chunk, sizeof(chunk) / sizeof(*chunk)), end;
	struct trace_chunk_header head;

	for (size_t i = 0; i < n; i++)
		put_head(data, &chunk[i]);
	end = n ? chunk[n - 1].at + chunk_size(&chunk[n - 1]) : sizeof(struct trace_file_header);
	if (end > size || size - end < sizeof(head))
		return;
	memcpy(&head, data + end, sizeof(head));
	head.checksum = lkst_crc32c(&head, offsetof(struct trace_chunk_header, checksum));
	if (file_swapped(data, size))
		TRACE_SWAP(head.checksum);
	memcpy(data + end, &head, sizeof(head));
}

static void sign_file(uint8_t *data, size_t size)
{
	struct trace_file_header head;

	if (size < sizeof(head))
		return;
	if (!data[KEEP_CHECKSUMS])
		sign_chunks(data, size);
	memcpy(&head, data, sizeof(head));
	head.checksum = lkst_crc32c(&head, offsetof(struct trace_file_header, checksum));
	if (file_swapped(data, size))
		TRACE_SWAP(head.checksum);
	memcpy(data, &head, sizeof(head));
}

/**
 * sign_files() - make the checksums right
 * @data: files, one after the other
 * @size: of all
 */
void sign_files(uint8_t *data, size_t size)
{
	size_t end;

	for (size_t at = 0; at < size; at = end) {
		end = file_end(data, size, at);
		sign_file(data + at, end - at);
	}
}
