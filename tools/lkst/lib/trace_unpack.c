// SPDX-License-Identifier: LGPL-2.1
/* Payloads of chunks that are compressed. What they claim to become is bounded beforehand. */
#include <stdlib.h>
#include <zstd.h>

#include "trace_columns.h"
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
	if (chunk->compression == TRACE_COMPRESSION_COLUMNS)
		limit = TRACE_COLUMNS_MAX;
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

/* Decompress into @raw. Returns its bytes; @whole: there is nothing else, and nothing wrong. */
static size_t decompress(ZSTD_DCtx *zstd, const struct packed *packed, uint8_t *raw, size_t room,
			 bool *whole)
{
	ZSTD_inBuffer in = { packed->data, packed->len, 0 };
	ZSTD_outBuffer out = { raw, room, 0 };
	size_t left, before;

	ZSTD_DCtx_reset(zstd, ZSTD_reset_session_only);
	do {
		before = in.pos + out.pos;
		left = ZSTD_decompressStream(zstd, &out, &in);
	} while (left && !ZSTD_isError(left) && in.pos + out.pos > before);
	*whole = !left && in.pos == in.size;
	return out.pos;
}

/* Have what it takes. */
static bool prepare(struct unpacker *unpacker, bool columns)
{
	if (!unpacker->zstd) {
		unpacker->zstd = ZSTD_createDCtx();
		/* No frame may ask for more memory than the greatest payload takes. */
		if (unpacker->zstd &&
		    ZSTD_isError(ZSTD_DCtx_setParameter(unpacker->zstd, ZSTD_d_windowLogMax, 27)))
			trace_unpacker_close(unpacker);
	}
	if (columns && !unpacker->columns)
		unpacker->columns = malloc(TRACE_COLUMNS_MAX);
	return unpacker->zstd && (unpacker->columns || !columns);
}

/**
 * trace_unpack() - decompress
 * @unpacker: what it takes
 * @packed: what is in the file
 * @raw: result
 * @room: bytes that it has room for
 * @whole: whether that is all, and nothing is wrong with it
 *
 * Return: bytes of the result; where the input is cut off, what can be had of it.
 */
size_t trace_unpack(struct unpacker *unpacker, const struct packed *packed, uint8_t *raw,
		    size_t room, bool *whole)
{
	bool columns = packed->compression == TRACE_COMPRESSION_COLUMNS;
	size_t len;

	*whole = false;
	if (!prepare(unpacker, columns))
		return 0;
	if (!columns)
		return decompress(unpacker->zstd, packed, raw, room, whole);
	len = decompress(unpacker->zstd, packed, unpacker->columns, TRACE_COLUMNS_MAX, whole);
	len = trace_columns_to(unpacker->columns, len, packed->swapped, raw, room);
	*whole &= len > sizeof(struct trace_buffer_header);
	return len;
}

/**
 * trace_unpacker_close() - free what unpacking took
 * @unpacker: all zeros then
 */
void trace_unpacker_close(struct unpacker *unpacker)
{
	ZSTD_freeDCtx(unpacker->zstd);
	free(unpacker->columns);
	*unpacker = (struct unpacker){ 0 };
}
