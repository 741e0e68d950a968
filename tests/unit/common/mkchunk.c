// SPDX-License-Identifier: GPL-2.0
#include <byteswap.h>
#include <string.h>
#include <zstd.h>

#include "lib/base/crc32c.h"
#include "lib/lkst.h"
#include "mkchunk.h"
#include "must.h"
#include "swap.h"

#define CHUNK_HEADER   "4228844"
#define RECORDS_HEADER "4444" "888888888" ".." "44" "844"

static const size_t header_size = sizeof(struct lkst_chunk_header);

void mkchunk_sign(uint8_t *chunk, bool swapped)
{
	struct lkst_chunk_header *header = (void *)chunk;

	if (swapped)
		swap(header, CHUNK_HEADER);
	header->payload_checksum = lkst_crc32c(header + 1, header->length);
	if (swapped) {
		swap(header, CHUNK_HEADER);
		header->checksum = bswap_32(lkst_crc32c(header, header_size - 4));
	} else {
		header->checksum = lkst_crc32c(header, header_size - 4);
	}
}

#define RECORD	  sizeof(struct lkst_event_record)
#define WORDS	  (RECORD / 8)
#define PLAIN_MAX (sizeof(struct lkst_records_header) + LKST_CHUNK_RECORDS * (RECORD + 2))

/* Return a word of a record as the kernel's machine reads it from its memory. */
static uint64_t word_of(const struct mkchunk *make, size_t i, size_t word)
{
	struct lkst_event_record record = make->record[i];
	uint64_t number;

	if (make->swapped)
		swap(&record, SWAP_EVENT_RECORD);
	memcpy(&number, (uint8_t *)&record + word * 8, 8);
	return make->swapped ? bswap_64(number) : number;
}

/*
 * Store the records as columns, as trace-file.rst describes them: the event types, then the words of
 * the records in the order of their event types. Return the length in bytes.
 */
static size_t put_columns(uint8_t *to, const struct mkchunk *make)
{
	static uint32_t order[LKST_CHUNK_RECORDS];
	const uint64_t num = make->num;
	uint64_t placed = 0;

	for (uint32_t type = 0; type < LKST_ETYPE_NUM && placed < num; type++)
		for (uint32_t i = 0; i < num; i++)
			if (make->record[i].event_type % LKST_ETYPE_NUM == type)
				order[placed++] = i;
	for (uint64_t i = 0; i < num; i++) {
		to[i] = (uint8_t)make->record[i].event_type;
		to[num + i] = make->record[i].event_type >> 8 & 0xf;
	}
	for (size_t word = 0; word < WORDS; word++) {
		for (uint64_t i = 0; i < num; i++) {
			uint32_t nth = order[i];
			uint64_t value = word_of(make, nth, word);

			if (!word && nth)
				value -= word_of(make, nth - 1, word);
			for (size_t byte = 0; byte < 8; byte++)
				to[(2 + word * 8 + byte) * num + i] = (uint8_t)(value >> 8 * byte);
		}
	}
	return num * (RECORD + 2);
}

/* Store the records. Return their length in bytes. */
static size_t put_records(uint8_t *to, const struct mkchunk *make)
{
	memcpy(to, make->record, make->num * RECORD);
	for (uint64_t i = 0; i < make->num && make->swapped; i++)
		swap(to + i * RECORD, SWAP_EVENT_RECORD);
	return make->num * RECORD;
}

/* Store the payload before it is compressed. Return its length in bytes. */
static size_t put_plain(uint8_t *to, const struct mkchunk *make)
{
	struct lkst_records_header header = {
		.cpu = make->cpu,
		.buffer = make->buffer,
		.clock_kind = make->clock,
		.record_size = RECORD,
		.count = make->num,
		.first_recid = make->first_recid,
		.xtime_s = make->wall / 1000000000,
		.xtime_us = make->wall % 1000000000 / 1000,
		.xtime_ns = (uint32_t)(make->wall % 1000),
		.tsc = make->tsc,
		.freq_khz = make->khz,
		.arch = "x86_64",
		.record_version = LKST_BUFFER_VERSION,
		.flags = LKST_RECORDS_HAS_MONOTONIC,
		.monotonic_ns = make->monotonic,
	};

	if (make->change)
		make->change(&header);
	if (make->swapped)
		swap(&header, RECORDS_HEADER);
	memcpy(to, &header, sizeof(header));
	return sizeof(header) + (make->compression == LKST_CHUNK_COLUMNS ?
					 put_columns(to + sizeof(header), make) :
					 put_records(to + sizeof(header), make));
}

/* Compress as one zstd frame. Return its length in bytes. */
static size_t put_frame(uint8_t *to, size_t room, const uint8_t *plain, size_t len, int window_log)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	ZSTD_outBuffer out = { to, room, 0 };
	ZSTD_inBuffer in = { plain, len, 0 };

	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 1);
	if (window_log) {
		/* While zstd does not know the length, it does not reduce the window. */
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window_log);
		MUST(!ZSTD_isError(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_continue)));
	}
	MUST(!ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_end));
	ZSTD_freeCCtx(zstd);
	return out.pos;
}

size_t mkchunk(uint8_t *to, const struct mkchunk *make)
{
	static uint8_t plain[PLAIN_MAX];
	size_t len = put_plain(plain, make), stored = len, room = LKST_HISTORY_CHUNK_MAX - header_size;
	struct lkst_chunk_header header = {
		.magic = LKST_CHUNK_MAGIC,
		.type = LKST_CHUNK_RECORDS_RAW,
		.compression = (uint16_t)make->compression,
		.raw_length = len,
	};

	if (make->compression == LKST_CHUNK_NONE)
		memcpy(to + header_size, plain, len);
	else
		stored = put_frame(to + header_size, room, plain, len, make->window_log);
	header.length = stored;
	for (len = stored; len % 8; len++)
		to[header_size + len] = 0;
	if (make->swapped)
		swap(&header, CHUNK_HEADER);
	memcpy(to, &header, header_size);
	mkchunk_sign(to, make->swapped);
	return header_size + len;
}
