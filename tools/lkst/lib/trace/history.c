// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads chunks of the compressed history. Such a chunk is a chunk of a trace file. The kernel
 * writes a chunk of at most LKST_HISTORY_CHUNK_MAX bytes, at a multiple of 8 bytes, with RAW records
 * of one CPU and one session.
 *
 * A chunk may be damaged, or not be a chunk at all. So nothing in it is used before it was checked.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "history.h"
#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "scan.h"

#define PAYLOAD_MAX \
	(sizeof(struct lkst_records_header) + LKST_CHUNK_RECORDS * LKST_SIZEOF_LKST_EVENT_RECORD)
/* A payload has less than 512 KB, so no more is needed. The window of a forged frame is allocated. */
#define WINDOW_LOG 20
#define SECONDS_MAX (INT64_MAX / 1000000000 - 1) /* so that the time in ns does not overflow */

_Static_assert(sizeof(struct lkst_chunk_header) + PAYLOAD_MAX == LKST_HISTORY_CHUNK_MAX, "same");

/**
 * trace_history_open() - allocate the memory to read chunks
 * @reader: result; the caller must close it even after an error
 * @err: set if an allocation fails
 */
int trace_history_open(struct trace_history_reader *reader, struct lkst_error *err)
{
	*reader = (struct trace_history_reader){
		.unpacker = { .window_log = WINDOW_LOG },
		.payload = malloc(PAYLOAD_MAX),
	};
	if (reader->payload && trace_unpacker_prepare(&reader->unpacker, true))
		return 0;
	lkst_error_memory(err, "the history");
	return -1;
}

/**
 * trace_history_close() - free the memory of a reader
 * @reader: opened, or all zero
 */
void trace_history_close(struct trace_history_reader *reader)
{
	trace_unpacker_close(&reader->unpacker);
	free(reader->payload);
	reader->payload = NULL;
}

/**
 * trace_history_size() - get the size of a chunk
 * @header: header that trace_history_header() has accepted
 *
 * Return: size in bytes, with the header and the padding.
 */
uint64_t trace_history_size(const struct lkst_chunk_header *header)
{
	return sizeof(*header) + trace_padded(header->length);
}

/**
 * trace_history_header() - read the header of a chunk
 * @raw: sizeof(*@header) bytes, at any alignment
 * @swapped: the chunk is from a machine with the opposite byte order
 * @header: result, in this machine's byte order
 *
 * The compressed payload of a chunk may contain the magic by chance. Bytes with a wrong checksum are
 * a damaged header only if their type and compression are possible.
 *
 * Return: whether it is a header.
 */
enum trace_history_header trace_history_header(const uint8_t *raw, bool swapped,
					       struct lkst_chunk_header *header)
{
	bool good = trace_good_header(swapped, raw, header);
	bool known = header->type == TRACE_RECORDS_RAW &&
		     header->compression <= TRACE_COMPRESSION_COLUMNS;

	if (header->magic != LKST_CHUNK_MAGIC || (!good && !known))
		return TRACE_HISTORY_NOTHING;
	if (!good || !known || !header->length || header->length > PAYLOAD_MAX ||
	    !trace_packed_limit(header))
		return TRACE_HISTORY_DAMAGED;
	return TRACE_HISTORY_CHUNK;
}

/* Return whether the header of the records is possible. @len: length of the payload in bytes. */
static bool trace_history_plausible(const struct lkst_records_header *info, size_t len, int32_t cpu)
{
	return info->cpu == cpu && info->buffer >= 0 && info->buffer <= LKST_BUFFER_ID_MAX &&
	       info->clock_kind <= LKST_CLOCK_TSC &&
	       info->record_size == sizeof(struct lkst_event_record) && info->count &&
	       info->count <= LKST_CHUNK_RECORDS &&
	       len == sizeof(*info) + info->count * sizeof(struct lkst_event_record) &&
	       info->first_recid <= UINT64_MAX - info->count && info->xtime_s >= 0 &&
	       info->xtime_s <= SECONDS_MAX && info->xtime_us >= 0 && info->xtime_us < 1000000 &&
	       info->xtime_ns < 1000;
}

/* Describe the records in @reader->payload. */
static void trace_history_describe(const struct trace_history_reader *reader,
				   const struct lkst_records_header *info,
				   struct trace_history_chunk *chunk)
{
	const struct lkst_event_record *record = (const void *)(reader->payload + sizeof(*info));

	*chunk = (struct trace_history_chunk){
		.run = {
			.cpu = info->cpu,
			.buffer = info->buffer,
			.clock = info->clock_kind,
			.first_recid = info->first_recid,
			.num = info->count,
			.record = record,
			.monotonic_ns = info->flags & LKST_RECORDS_HAS_MONOTONIC ?
						info->monotonic_ns :
						INT64_MIN,
			.xtime_ns = info->xtime_s * 1000000000 + info->xtime_us * 1000 +
				    info->xtime_ns,
			.tsc = info->tsc,
			.freq_khz = info->freq_khz,
		},
	};
	memcpy(chunk->run.arch, info->arch, sizeof(chunk->run.arch));
	for (size_t i = 0; i < info->count; i++)
		chunk->events += record[i].clock != 0;
}

/**
 * trace_history_chunk() - check and decompress a chunk
 * @reader: opened
 * @header: header that trace_history_header() has accepted
 * @payload: the payload, @header->length bytes
 * @swapped: the chunk is from a machine with the opposite byte order
 * @cpu: CPU whose history contains the chunk
 * @chunk: result
 *
 * Return: false if the chunk is damaged.
 */
bool trace_history_chunk(struct trace_history_reader *reader,
			 const struct lkst_chunk_header *header, const uint8_t *payload,
			 bool swapped, int32_t cpu, struct trace_history_chunk *chunk)
{
	const struct packed packed = { header->compression, swapped, payload, header->length,
				       NULL };
	struct lkst_event_record *record =
		(void *)(reader->payload + sizeof(struct lkst_records_header));
	struct lkst_records_header info;
	size_t len = header->length, raw_length = len;
	bool whole = true;

	if (lkst_crc32c(payload, len) != header->payload_checksum)
		return false;
	if (header->compression == TRACE_COMPRESSION_NONE) {
		memcpy(reader->payload, payload, len);
	} else {
		len = trace_unpack(&reader->unpacker, &packed, reader->payload, PAYLOAD_MAX,
				   &whole);
		raw_length = reader->unpacker.length;
	}
	if (!whole || raw_length != header->raw_length || len < sizeof(info))
		return false;
	memcpy(&info, reader->payload, sizeof(info));
	if (swapped)
		trace_swap_buffer_header(&info);
	if (!trace_history_plausible(&info, len, cpu))
		return false;
	for (size_t i = 0; swapped && i < info.count; i++)
		trace_swap_raw(&record[i]);
	trace_history_describe(reader, &info, chunk);
	return true;
}

/**
 * trace_history_add() - add a part
 * @parts: parts
 * @part: part to add at the end
 * @err: set if an allocation fails
 */
int trace_history_add(struct trace_history_parts *parts, const struct trace_history_part *part,
		      struct lkst_error *err)
{
	if (parts->num == parts->room) {
		size_t room = parts->room ? parts->room * 2 : 64;
		struct trace_history_part *more = realloc(parts->part, room * sizeof(*more));

		if (!more) {
			lkst_error_memory(err, "the history");
			return -1;
		}
		parts->part = more;
		parts->room = room;
	}
	parts->part[parts->num++] = *part;
	return 0;
}

/**
 * trace_history_free() - free the parts
 * @parts: has no parts afterwards
 */
void trace_history_free(struct trace_history_parts *parts)
{
	free(parts->part);
	*parts = (struct trace_history_parts){ 0 };
}

/**
 * trace_history_events() - count the events of a buffer in the history
 * @parts: parts
 * @buffer: id of the buffer
 * @first: count only events with this recid or a greater one
 * @end: count only events with a smaller recid
 *
 * A part that is only partly in the range counts with as many events as it has recids in the range,
 * although some of the recids may be holes.
 */
uint64_t trace_history_events(const struct trace_history_parts *parts, lkst_buffer_id buffer,
			      uint64_t first, uint64_t end)
{
	uint64_t events = 0;

	for (size_t i = 0; i < parts->num; i++) {
		const struct trace_history_part *part = &parts->part[i];
		uint64_t from = part->first > first ? part->first : first;
		uint64_t to = part->end < end ? part->end : end;

		if (part->buffer == buffer && from < to)
			events += to - from < part->events ? to - from : part->events;
	}
	return events;
}

/**
 * trace_history_after() - find the parts that begin after a recid
 * @parts: parts in the order of their recids
 * @recid: recid
 *
 * Return: index of the first such part; the number of parts if all begin before. Only the part
 * before it can contain the event with this recid.
 */
size_t trace_history_after(const struct trace_history_parts *parts, uint64_t recid)
{
	size_t low = 0, high = parts->num;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (parts->part[middle].first <= recid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
