// SPDX-License-Identifier: LGPL-2.1
/* Builds chunks of a trace file in memory. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "columns.h"
#include "format.h"
#include "lib/base/crc32c.h"
#include "lib/device/run.h"
#include "pack.h"

/**
 * trace_packer_open() - set up an empty packer
 * @packer: result; the caller must close it even after an error
 * @level: TRACE_PACK_PLAIN, or the level at which each chunk is compressed, unless that makes the
 *	chunk longer
 *
 * Return: -1 if an allocation fails.
 */
int trace_packer_open(struct trace_packer *packer, int level)
{
	memset(packer, 0, sizeof(*packer));
	if (level == TRACE_PACK_PLAIN)
		return 0;
	packer->zstd = ZSTD_createCCtx();
	packer->columns = malloc(TRACE_COLUMNS_MAX);
	return packer->zstd && packer->columns &&
			       !ZSTD_isError(ZSTD_CCtx_setParameter(
				       packer->zstd, ZSTD_c_compressionLevel, level)) ?
		       0 :
		       -1;
}

/**
 * trace_packer_close() - free a packer
 * @packer: opened, or all zero
 */
void trace_packer_close(struct trace_packer *packer)
{
	ZSTD_freeCCtx(packer->zstd);
	free(packer->columns);
	free(packer->buf);
	memset(packer, 0, sizeof(*packer));
}

static int pack_make_room(struct trace_packer *packer, size_t more)
{
	size_t room = packer->room ? packer->room : 64 * 1024;
	uint8_t *grown;

	more += TRACE_PACK_SPARE;
	if (packer->len + more <= packer->room)
		return 0;
	while (room < packer->len + more)
		room *= 2;
	grown = realloc(packer->buf, room);
	if (!grown)
		return -1;
	packer->buf = grown;
	packer->room = room;
	return 0;
}

/*
 * Compress @header and @data as one frame. Returns the length of the frame in bytes; 0 if it would
 * be longer than @room bytes, or an error occurred.
 */
static size_t pack_compress(struct trace_packer *packer, uint8_t *to, size_t room,
			    const void *header, size_t header_len, const void *data, size_t len)
{
	ZSTD_inBuffer in[] = { { header, header_len, 0 }, { data, len, 0 } };
	ZSTD_outBuffer out = { to, room, 0 };
	size_t left;

	/* If @data is the only part, it is compressed without being copied. */
	if (!header_len) {
		left = ZSTD_compress2(packer->zstd, to, room, data, len);
		return ZSTD_isError(left) ? 0 : left;
	}
	ZSTD_CCtx_reset(packer->zstd, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(packer->zstd, header_len + len);
	left = ZSTD_compressStream2(packer->zstd, &out, &in[0], ZSTD_e_continue);
	if (!ZSTD_isError(left) && in[0].pos == in[0].size)
		left = ZSTD_compressStream2(packer->zstd, &out, &in[1], ZSTD_e_end);
	return left || in[1].pos < in[1].size ? 0 : out.pos;
}

/*
 * Compress the payload. If it contains records, first convert them to columns. Returns false if the
 * result would be longer than the payload, or if compression is off.
 */
static bool pack_shrink(struct trace_packer *packer, struct lkst_chunk_header *chunk, uint8_t *to,
			const void *header, size_t header_len, const void *data, size_t len)
{
	size_t most = header_len + len;

	if (!packer->zstd)
		return false;
	chunk->compression = TRACE_COMPRESSION_ZSTD;
	if (len && trace_type_has_records(chunk->type)) {
		chunk->compression = TRACE_COMPRESSION_COLUMNS;
		chunk->raw_length = trace_columns_from(header, data, packer->columns);
		header_len = 0;
		data = packer->columns;
		len = chunk->raw_length;
	}
	chunk->length = pack_compress(packer, to, most, header, header_len, data, len);
	return chunk->length;
}

/**
 * trace_seal() - fill in the magic and checksums of a chunk header
 * @chunk: header with all other members set
 * @payload_checksum: CRC-32C of the payload
 */
void trace_seal(struct lkst_chunk_header *chunk, uint32_t payload_checksum)
{
	chunk->magic = LKST_CHUNK_MAGIC;
	chunk->payload_checksum = payload_checksum;
	chunk->checksum = lkst_crc32c(chunk, offsetof(struct lkst_chunk_header, checksum));
}

/**
 * trace_pack() - append a chunk
 * @packer: packer
 * @type: enum trace_chunk_type
 * @header: first part of the payload
 * @header_len: length of @header in bytes
 * @data: second part of the payload
 * @len: length of @data in bytes
 *
 * Return: -1 if an allocation fails; nothing is appended in that case.
 */
int trace_pack(struct trace_packer *packer, unsigned int type, const void *header,
	       size_t header_len, const void *data, size_t len)
{
	struct lkst_chunk_header chunk = { .type = (uint16_t)type,
					    .raw_length = header_len + len };
	size_t most = header_len + len;
	uint8_t *payload;

	if (pack_make_room(packer, sizeof(chunk) + trace_padded(most)))
		return -1;
	payload = packer->buf + packer->len + sizeof(chunk);
	if (!pack_shrink(packer, &chunk, payload, header, header_len, data, len)) {
		if (header_len)
			memcpy(payload, header, header_len);
		if (len)
			memcpy(payload + header_len, data, len);
		chunk.compression = TRACE_COMPRESSION_NONE;
		chunk.length = chunk.raw_length = most;
	}
	trace_seal(&chunk, lkst_crc32c(payload, chunk.length));
	memcpy(packer->buf + packer->len, &chunk, sizeof(chunk));
	memset(payload + chunk.length, 0, trace_padded(chunk.length) - chunk.length);
	packer->len += sizeof(chunk) + trace_padded(chunk.length);
	return 0;
}

/**
 * trace_run_header() - make the buffer header for the records of a run
 * @run: run
 *
 * Return: header; the caller sets count, first_recid and the buffer's counters.
 */
struct lkst_records_header trace_run_header(const struct lkst_run *run)
{
	struct lkst_records_header header = {
		.cpu = run->cpu,
		.buffer = run->buffer,
		.clock_kind = run->clock,
		.record_size = sizeof(*run->record),
		.xtime_s = run->xtime_ns / 1000000000,
		.xtime_us = run->xtime_ns % 1000000000 / 1000,
		.xtime_ns = (uint32_t)(run->xtime_ns % 1000),
		.tsc = run->tsc,
		.freq_khz = run->freq_khz,
		.record_version = LKST_BUFFER_VERSION,
	};

	_Static_assert(sizeof(header.arch) == sizeof(run->arch), "same");
	memcpy(header.arch, run->arch, sizeof(header.arch));
	if (run->monotonic_ns != INT64_MIN) {
		header.flags = LKST_RECORDS_HAS_MONOTONIC;
		header.monotonic_ns = run->monotonic_ns;
	}
	return header;
}
