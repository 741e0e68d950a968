/* SPDX-License-Identifier: GPL-2.0 */
/* Finding the chunks of trace files in memory, and correcting their checksums after a change. */
#ifndef _CHUNKS_H
#define _CHUNKS_H

#include "lib/trace/format.h"

struct chunk {
	size_t at; /* offset of the chunk's header in the file, in bytes */
	bool swapped; /* the byte order of the file is not that of this machine */
	struct lkst_chunk_header header; /* in the byte order of this machine */
};

#define SWAP_CHUNK_HEADER "4228844"

/*
 * Return the offset of the end of the file that begins at offset @at. An input may consist of
 * several files, one after the other. A file ends where the magic of trace files appears again.
 */
size_t file_end(const uint8_t *data, size_t size, size_t at);
/* List up to @max chunks of a file, stopping at a truncated one. Return their number. */
size_t chunks_of(const uint8_t *data, size_t size, struct chunk *chunk, size_t max);
/* Write the header of a chunk with valid checksums. The payload must already be in @data. */
void put_header(uint8_t *data, struct chunk *chunk);
/* Correct the checksums of all files in an input. */
void sign_files(uint8_t *data, size_t size);

static inline size_t chunk_size(const struct chunk *chunk)
{
	return sizeof(chunk->header) + (size_t)trace_padded(chunk->header.length);
}

#endif
