// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the chunks of a CPU's history as they are added. Checks the checksums and the columns of
 * each chunk, its place among the chunks of its CPU, and the marks in it.
 */
#include <zstd.h>

#include "history.h"
#include "lib/base/crc32c.h"
#include "lib/trace/columns.h"
#include "marks.h"

static unsigned char area[4 * LKST_HISTORY_CHUNK_MAX];

struct lkst_history_status status_of(int cpu)
{
	struct lkst_history_status status = { .cpu = cpu };

	need(lkst(LKST_IOC_HISTORY_STATUS, &status), "HISTORY_STATUS");
	return status;
}

static void check_records(struct follower *f, const struct lkst_records_header *header,
			  const struct lkst_event_record *record)
{
	for (uint64_t i = 0; i < header->count; i++) {
		if (!record[i].clock || record[i].flags & ~LKST_RECORD_FLAGS)
			wrong("recid %llu: not a record", (ull)(header->first_recid + i));
		if (record[i].event_type != USER_MARK)
			continue;
		if (!mark_is_whole(record[i].arg))
			wrong("recid %llu: a damaged mark", (ull)(header->first_recid + i));
		f->missing += mark_number(record[i].arg[0]) - f->mark - 1;
		f->mark = mark_number(record[i].arg[0]);
		f->marks++;
	}
}

static void check_header(struct follower *f, const struct lkst_records_header *header)
{
	if (header->cpu != f->cpu || header->record_size != RECORD_SIZE || !header->count ||
	    header->count > LKST_CHUNK_RECORDS || header->record_version != LKST_BUFFER_VERSION ||
	    header->flags != LKST_RECORDS_HAS_MONOTONIC || header->xtime_us > 999999 ||
	    header->xtime_ns > 999 || !header->xtime_s || !header->freq_khz || !*header->arch)
		wrong("chunk from recid %llu: wrong header", (ull)header->first_recid);
	if (header->first_recid < f->end)
		wrong("chunk from recid %llu: follows recid %llu", (ull)header->first_recid, (ull)f->end);
	f->gaps += f->end ? header->first_recid - f->end : 0;
	f->end = header->first_recid + header->count;
	f->records += header->count;
	f->chunks++;
}

/* Check the chunk at @chunk, of which at most @room bytes are there. Return its size. */
uint64_t check_chunk(struct follower *f, const struct lkst_chunk_header *chunk, uint64_t room)
{
	static unsigned char columns[TRACE_COLUMNS_MAX];
	static _Alignas(8) unsigned char decoded[LKST_HISTORY_CHUNK_MAX];
	const void *payload = chunk + 1, *raw = payload;
	uint64_t bytes = sizeof(*chunk) + ((chunk->length + 7) & ~7ULL);

	if (room < sizeof(*chunk) || chunk->magic != LKST_CHUNK_MAGIC ||
	    chunk->type != LKST_CHUNK_RECORDS_RAW ||
	    chunk->checksum != lkst_crc32c(chunk, offsetof(struct lkst_chunk_header, checksum)) ||
	    bytes > room || bytes > LKST_HISTORY_CHUNK_MAX ||
	    chunk->payload_checksum != lkst_crc32c(payload, chunk->length)) {
		wrong("chunk %llu of CPU %d is damaged", (ull)f->chunks, f->cpu);
		return room;
	}
	if (chunk->compression == LKST_CHUNK_COLUMNS) {
		raw = decoded;
		if (ZSTD_decompress(columns, sizeof(columns), payload, chunk->length) != chunk->raw_length ||
		    !trace_columns_to(columns, chunk->raw_length, false, NULL, decoded, sizeof(decoded))) {
			wrong("chunk %llu of CPU %d cannot be decompressed", (ull)f->chunks, f->cpu);
			return bytes;
		}
	} else if (chunk->compression != LKST_CHUNK_NONE || chunk->raw_length != chunk->length) {
		wrong("chunk %llu of CPU %d has an unknown form", (ull)f->chunks, f->cpu);
		return bytes;
	}
	check_header(f, raw);
	check_records(f, raw, (const void *)((const char *)raw + sizeof(struct lkst_records_header)));
	return bytes;
}

/* Read and check all chunks that the follower has not read yet. */
void follow(struct follower *f)
{
	for (;;) {
		struct lkst_history_read param = {
			.cpu = f->cpu, .position = f->position,
			.buffer = (uintptr_t)area, .size = sizeof(area),
		};

		need(lkst(LKST_IOC_HISTORY_READ, &param), "HISTORY_READ");
		f->position = param.position;
		f->skipped += param.skipped;
		if (!param.result)
			return;
		for (uint64_t at = 0; at < param.result;)
			at += check_chunk(f, (void *)(area + at), param.result - at);
	}
}

/* Return the number of events that the history has taken or has counted as lost. */
uint64_t accounted(const struct lkst_history_status *status)
{
	return status->events + status->overwritten + status->lost;
}

/*
 * Read everything that is in the history, and return its state at that moment: no chunk has been
 * added since the last one that was read.
 */
struct lkst_history_status settle(struct follower *f)
{
	struct lkst_history_status now, last;

	do {
		last = status_of(f->cpu);
		follow(f);
		now = status_of(f->cpu);
	} while (accounted(&now) != accounted(&last));
	return now;
}
