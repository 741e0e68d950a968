// SPDX-License-Identifier: LGPL-2.1
/* Payloads of chunks that are compressed. What they claim to become is bounded beforehand. */
#include <stdlib.h>
#include <zstd.h>

#include "trace_reader.h"

/**
 * trace_length_limit() - bytes that a payload may have
 * @type: enum trace_chunk_type
 */
uint64_t trace_length_limit(unsigned int type)
{
	if (type == TRACE_RECORDS_STD || type == TRACE_RECORDS_RAW)
		return TRACE_RECORDS_MAX + sizeof(struct trace_buffer_header);
	return TRACE_TEXT_MAX;
}

/**
 * trace_packed_limit() - whether a chunk has no more bytes than may be
 * @chunk: header
 */
bool trace_packed_limit(const struct trace_chunk_header *chunk)
{
	uint64_t limit = trace_length_limit(chunk->type);

	if (chunk->compression == TRACE_COMPRESSION_NONE)
		return chunk->length <= limit;
	return chunk->raw_length <= limit && chunk->length <= ZSTD_COMPRESSBOUND(limit);
}

/**
 * trace_packed_room() - room for a payload as it is in the file
 * @trace: keeps it; good until the next call
 * @len: bytes
 *
 * Return: NULL when there is no memory.
 */
uint8_t *trace_packed_room(struct lkst_trace *trace, uint64_t len)
{
	if (len > trace->packed_room || !trace->packed) {
		free(trace->packed);
		trace->packed = malloc(len + 1);
		trace->packed_room = trace->packed ? len : 0;
	}
	return trace->packed;
}

/**
 * trace_unpack() - decompress
 * @packed: bytes in the file
 * @packed_len: how many
 * @raw: result
 * @room: bytes that it has room for
 * @whole: whether that is all, and nothing is wrong with it
 *
 * Return: bytes of the result; where the input is cut off, what can be had of it.
 */
size_t trace_unpack(const uint8_t *packed, size_t packed_len, uint8_t *raw, size_t room,
		    bool *whole)
{
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	ZSTD_inBuffer in = { packed, packed_len, 0 };
	ZSTD_outBuffer out = { raw, room, 0 };
	size_t left = 1;

	*whole = false;
	/* No frame may ask for more memory than the greatest payload takes. */
	if (zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, 27))) {
		size_t before;

		do {
			before = in.pos + out.pos;
			left = ZSTD_decompressStream(zstd, &out, &in);
		} while (left && !ZSTD_isError(left) && in.pos + out.pos > before);
		*whole = !left && in.pos == in.size && out.pos == room;
	}
	ZSTD_freeDCtx(zstd);
	return out.pos;
}
