/* SPDX-License-Identifier: GPL-2.0 */
/* Trace files in memory, by their chunks: so that what was changed in one is signed again. */
#ifndef _CHUNKS_H
#define _CHUNKS_H

#include "lib/trace_format.h"

/**
 * struct chunk - a chunk of a trace file in memory
 * @at: offset of its header
 * @swapped: the file has the other byte order
 * @head: its header, in the byte order of this machine
 */
struct chunk {
	size_t at;
	bool swapped;
	struct trace_chunk_header head;
};

size_t file_end(const uint8_t *data, size_t size, size_t at);
bool file_swapped(const uint8_t *data, size_t size);
size_t chunks_of(const uint8_t *data, size_t size, struct chunk *chunk, size_t max);
void put_head(uint8_t *data, struct chunk *chunk);
void sign_files(uint8_t *data, size_t size);

static inline size_t chunk_size(const struct chunk *chunk)
{
	return sizeof(chunk->head) + (size_t)trace_padded(chunk->head.length);
}

#endif
