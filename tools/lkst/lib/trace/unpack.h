/* SPDX-License-Identifier: LGPL-2.1 */
/* Decompresses payloads of chunks. */
#ifndef _LKST_LIB_TRACE_UNPACK_H
#define _LKST_LIB_TRACE_UNPACK_H

#include "lib/lkst.h"

struct lkst_chunk_header;

#define TRACE_TEXT_MAX	(64u * 1024 * 1024) /* maximum length of a text chunk in bytes */

/* Decompressor, reused from chunk to chunk. Initially, all members except
 * @window_log are zero: nothing is allocated yet. */
struct unpacker {
	void *zstd;
	uint8_t *columns;
	int window_log; /* log2 of the maximum size of the window in bytes; 0: the largest, 27 */
	size_t length; /* of the last payload when decompressed, in bytes; columns not converted */
};

uint64_t trace_length_limit(unsigned int type);
bool trace_packed_limit(const struct lkst_chunk_header *chunk);

/* Returns whether the records of an event type are needed. */
typedef bool trace_wanted_fn(uint32_t type);

/* A compressed payload. */
struct packed {
	unsigned int compression;
	bool swapped;		/* from a machine with the opposite byte order */
	const uint8_t *data;
	size_t len;
	trace_wanted_fn *wanted; /* event types whose records trace_columns_to() must restore
				  * completely; NULL: all */
};

bool trace_unpacker_prepare(struct unpacker *unpacker, bool columns);
size_t trace_unpack(struct unpacker *unpacker, const struct packed *packed, uint8_t *raw,
		    size_t room, bool *whole);
void trace_unpacker_close(struct unpacker *unpacker);
uint8_t *trace_packed_room(struct lkst_trace *trace, uint64_t len);

#endif
