// SPDX-License-Identifier: LGPL-2.1
/* Decompresses payloads of chunks. The sizes in the chunk header are checked first. */
#include <stdlib.h>
#include <zstd.h>

#include "columns.h"
#include "cursor.h"
#include "format.h"
#include "reader.h"
#include "unpack.h"

/**
 * trace_length_limit() - get the maximum length of a payload in bytes
 * @type: enum trace_chunk_type
 */
uint64_t trace_length_limit(unsigned int type)
{
	if (trace_type_has_records(type))
		return TRACE_RECORDS_MAX + sizeof(struct lkst_records_header);
	return TRACE_TEXT_MAX;
}

/**
 * trace_packed_limit() - check whether the lengths in the header of a chunk are within the limits
 * @chunk: header
 */
bool trace_packed_limit(const struct lkst_chunk_header *chunk)
{
	uint64_t limit = trace_length_limit(chunk->type);

	if (chunk->compression == TRACE_COMPRESSION_NONE)
		return chunk->length <= limit;
	if (chunk->compression == TRACE_COMPRESSION_COLUMNS)
		limit = TRACE_COLUMNS_MAX;
	return chunk->raw_length <= limit && chunk->length <= ZSTD_COMPRESSBOUND(limit);
}

/**
 * trace_packed_room() - get memory for a payload as stored in the file
 * @trace: owns the memory, which is valid until the next call
 * @len: length in bytes
 *
 * Return: NULL if an allocation fails.
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

/*
 * Decompress into @raw. Returns the length of the result in bytes. Sets @whole to whether the input
 * is exactly one complete and valid frame.
 */
static size_t unpack_decompress(ZSTD_DCtx *zstd, const struct packed *packed, uint8_t *raw,
				size_t room, bool *whole)
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

/**
 * trace_unpacker_prepare() - allocate the decompressor
 * @unpacker: all zero except @window_log, or used before; the caller must close it even after an error
 * @columns: allocate memory for payloads in columns as well
 *
 * trace_unpack() allocates what is missing, but reports a failure as a damaged payload.
 *
 * Return: false if an allocation fails.
 */
bool trace_unpacker_prepare(struct unpacker *unpacker, bool columns)
{
	if (!unpacker->zstd) {
		unpacker->zstd = ZSTD_createDCtx();
		/*
		 * The window of a frame is allocated, so limit its size to 128 MB. A payload is at
		 * most 64 MB, but zstd uses a window of 128 MB at its highest levels if it does not
		 * know the size of the input.
		 */
		if (unpacker->zstd &&
		    ZSTD_isError(ZSTD_DCtx_setParameter(unpacker->zstd, ZSTD_d_windowLogMax,
							unpacker->window_log ?: 27)))
			trace_unpacker_close(unpacker);
	}
	if (columns && !unpacker->columns)
		unpacker->columns = malloc(TRACE_COLUMNS_MAX);
	return unpacker->zstd && (unpacker->columns || !columns);
}

/**
 * trace_unpack() - decompress a payload
 * @unpacker: decompressor
 * @packed: payload as stored in the file
 * @raw: result
 * @room: size of @raw in bytes
 * @whole: set to whether the payload is complete and valid
 *
 * Return: length of the result in bytes; if the input is truncated, as much as can be decompressed.
 */
size_t trace_unpack(struct unpacker *unpacker, const struct packed *packed, uint8_t *raw,
		    size_t room, bool *whole)
{
	bool columns = packed->compression == TRACE_COMPRESSION_COLUMNS;
	size_t len;

	*whole = false;
	if (!trace_unpacker_prepare(unpacker, columns))
		return 0;
	len = unpack_decompress(unpacker->zstd, packed, columns ? unpacker->columns : raw,
				columns ? TRACE_COLUMNS_MAX : room, whole);
	unpacker->length = len;
	if (!columns)
		return len;
	len = trace_columns_to(unpacker->columns, len, packed->swapped, packed->wanted, raw,
			       room);
	*whole &= len > sizeof(struct lkst_records_header);
	return len;
}

/**
 * trace_unpacker_close() - free the decompressor
 * @unpacker: all zero afterwards
 */
void trace_unpacker_close(struct unpacker *unpacker)
{
	ZSTD_freeDCtx(unpacker->zstd);
	free(unpacker->columns);
	*unpacker = (struct unpacker){ 0 };
}
