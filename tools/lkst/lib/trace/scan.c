// SPDX-License-Identifier: LGPL-2.1
/*
 * Scans a file once, chunk by chunk.
 *
 * While a file is being written, its contents may be overwritten at any time, and a read may return
 * a mixture of old and new bytes. The checksums detect this, and the scan tries again for
 * GROWING_TRIES ms. If it still finds no valid chunk header, the offset is in the middle of newer
 * data. This data is skipped without a report.
 */
#include <byteswap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "cursor.h"
#include "format.h"
#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "payload.h"
#include "reader.h"
#include "scan.h"
#include "source.h"
#include "swap.h"
#include "unpack.h"

#define GROWING_TRIES 20 /* number of tries, 1 ms apart; by then, a write should be complete */

static void scan_swap_chunk_header(struct lkst_chunk_header *h)
{
	TRACE_SWAP(h->magic);
	TRACE_SWAP(h->type);
	TRACE_SWAP(h->compression);
	TRACE_SWAP(h->length);
	TRACE_SWAP(h->raw_length);
	TRACE_SWAP(h->payload_checksum);
	TRACE_SWAP(h->checksum);
}

/**
 * trace_good_header() - read the header of a chunk
 * @swapped: the header has the opposite byte order
 * @raw: the header, at any alignment
 * @chunk: result, in the byte order of this machine
 *
 * Return: whether the magic and the checksum are correct.
 */
bool trace_good_header(bool swapped, const uint8_t *raw, struct lkst_chunk_header *chunk)
{
	memcpy(chunk, raw, sizeof(*chunk));
	if (swapped)
		scan_swap_chunk_header(chunk);
	return chunk->magic == LKST_CHUNK_MAGIC &&
	       chunk->checksum == lkst_crc32c(raw, offsetof(struct lkst_chunk_header, checksum));
}

bool trace_is_file_header(const uint8_t *raw)
{
	const size_t len = offsetof(struct trace_file_header, checksum);
	uint32_t plain, swapped;

	if (memcmp(raw, TRACE_MAGIC, sizeof(TRACE_MAGIC)))
		return false;
	memcpy(&plain, raw + len, sizeof(plain));
	swapped = bswap_32(plain);
	return plain == lkst_crc32c(raw, len) || swapped == lkst_crc32c(raw, len);
}

/*
 * Find the first chunk, or the start of another trace, at or after @offset. Returns its offset, or
 * the end of the file if nothing is found; -1 on error.
 */
static int64_t scan_find_chunk(struct source *source, uint64_t offset, struct lkst_error *err)
{
	uint8_t block[64 * 1024];
	struct lkst_chunk_header chunk;

	while (offset + sizeof(chunk) <= source->size) {
		ssize_t n = trace_read_at(source, block, sizeof(block), offset, err);
		size_t at;

		if (n < 0)
			return -1;
		if ((size_t)n < sizeof(chunk))
			break;
		for (at = 0; at + sizeof(chunk) <= (size_t)n; at += 8)
			if (trace_is_file_header(block + at) ||
			    trace_good_header(source->swapped, block + at, &chunk))
				return (int64_t)(offset + at);
		offset += at;
	}
	return (int64_t)source->size;
}

static bool scan_known_type(unsigned int type)
{
	return type >= TRACE_SYSTEM && type <= TRACE_RECORDS_LONG;
}

/*
 * Return the offset at which another trace begins within an invalid chunk, for example because a
 * trace was appended to a truncated one. Return @len if no trace begins there.
 */
static size_t scan_find_trace(const uint8_t *payload, size_t len)
{
	const uint8_t *p = payload;

	while ((p = memmem(p, len - (size_t)(p - payload), TRACE_MAGIC, sizeof(TRACE_MAGIC)))) {
		size_t at = (size_t)(p - payload);

		if (len - at >= sizeof(struct trace_file_header) && trace_is_file_header(p))
			return at;
		p++;
	}
	return len;
}

/*
 * Return whether a chunk is only checked, because its contents are not wanted. A reader of the
 * buffers does not want the records of the long rings. A reader of the long rings wants neither the
 * records of the buffers nor the list of lost ones.
 */
static bool scan_is_of_others(const struct lkst_trace *trace, const struct lkst_chunk_header *chunk)
{
	if (chunk->type == TRACE_LOSS)
		return trace->long_rings;
	return trace_type_has_records(chunk->type) &&
	       (chunk->type == TRACE_RECORDS_LONG) != trace->long_rings;
}

/* Return whether to skip a chunk because it is unused or unreadable. Report an unreadable chunk. */
static bool scan_skip_chunk(struct lkst_trace *trace, struct source *source,
			    const struct lkst_chunk_header *chunk, uint64_t offset)
{
	if (chunk->type == TRACE_SKIP) {
		source->previous_lap |= source->log;
		return true;
	}
	if (!scan_known_type(chunk->type)) {
		trace_report(trace, source,
			     "chunk of type %u at byte %llu: unknown to this version; skipped",
			     chunk->type, (unsigned long long)offset);
		return true;
	}
	if (chunk->compression > TRACE_COMPRESSION_COLUMNS ||
	    (chunk->compression == TRACE_COMPRESSION_COLUMNS && !trace_type_has_records(chunk->type))) {
		if (!source->compressed++)
			trace_report(trace, source,
				     "compressed in a way unknown to this version (%u): skipped",
				     chunk->compression);
		return true;
	}
	if (!trace_packed_limit(chunk)) {
		trace_report(trace, source,
			     "chunk of type %u at byte %llu: too long (%llu bytes), skipped",
			     chunk->type, (unsigned long long)offset,
			     (unsigned long long)(chunk->compression ? chunk->raw_length :
								       chunk->length));
		return true;
	}
	return false;
}

/* Process a chunk. @packed holds the part of its payload that is in the file. */
static int scan_take(struct lkst_trace *trace, struct source *source, struct cursor *c,
		     const struct chunk_place *place, uint8_t *packed, struct lkst_error *err)
{
	const struct lkst_chunk_header *chunk = place->chunk;
	const struct packed input = { chunk->compression, source->swapped, packed, place->present,
				      trace_payload_wanted(chunk->type) };
	uint8_t *raw;
	bool whole;
	size_t len;
	int ret = 0;

	if (chunk->compression == TRACE_COMPRESSION_NONE)
		return trace_payload(trace, source, c, place, packed, place->present, err);
	raw = malloc(chunk->raw_length + 1);
	if (!raw) {
		lkst_error_memory(err, source->name);
		return -1;
	}
	len = trace_unpack(&trace->unpacker, &input, raw, chunk->raw_length, &whole);
	/*
	 * With TRACE_COMPRESSION_COLUMNS, raw_length includes the column of event types, which the
	 * payload does not contain.
	 */
	whole &= len == chunk->raw_length || chunk->compression == TRACE_COMPRESSION_COLUMNS;
	if (whole || place->cut)
		ret = trace_payload(trace, source, c, place, raw, len, err);
	else
		trace_report(trace, source,
			     "chunk of type %u at byte %llu: damaged (zstd), skipped", chunk->type,
			     (unsigned long long)place->offset);
	free(raw);
	return ret;
}

/* Result of scanning a chunk. */
enum scanned {
	SCAN_ERROR = -1,
	SCAN_STOP, /* within the chunk, the file ends or another trace begins */
	SCAN_NEXT,
	SCAN_BAD, /* the header is invalid, or the checksum of the payload is wrong */
};

static enum scanned scan_chunk(struct lkst_trace *trace, struct source *source, struct cursor *c,
			       const struct lkst_chunk_header *chunk, uint64_t offset,
			       struct lkst_error *err)
{
	struct chunk_place place = { .chunk = chunk, .offset = offset };
	uint64_t present = source->size - offset;
	uint8_t *packed;
	size_t at;
	ssize_t n;

	if (present > chunk->length)
		present = chunk->length;
	if (scan_skip_chunk(trace, source, chunk, offset))
		return present == chunk->length ? SCAN_NEXT : SCAN_STOP;
	packed = trace_packed_room(trace, present);
	if (!packed) {
		lkst_error_memory(err, source->name);
		return SCAN_ERROR;
	}
	n = trace_read_at(source, packed, present, offset, err);
	if (n < 0)
		return SCAN_ERROR;
	place.present = (uint64_t)n;
	if ((uint64_t)n < chunk->length ||
	    lkst_crc32c(packed, (size_t)n) != chunk->payload_checksum) {
		at = scan_find_trace(packed, (size_t)n);
		if (at == chunk->length)
			return SCAN_BAD;
		/* If the file is still being written, the rest of the chunk will follow. */
		if (source->growing)
			return SCAN_STOP;
		if (at < (size_t)n)
			source->size = offset + at;
		place.present = at;
		place.cut = true;
	}
	/* A chunk that is not wanted was checked as well: another trace may begin within it. */
	if (!scan_is_of_others(trace, chunk) && scan_take(trace, source, c, &place, packed, err))
		return SCAN_ERROR;
	return place.cut ? SCAN_STOP : SCAN_NEXT;
}

static void scan_progress(struct lkst_trace *trace, uint64_t done)
{
	if (trace->hooks.progress)
		trace->hooks.progress(trace->hooks.ctx, trace->done + done, trace->total);
}

/*
 * Report data that follows the trace. The data is not read, because it may repeat events of the
 * trace.
 */
static int scan_report_rest(struct lkst_trace *trace, struct source *source, uint64_t all,
			    struct lkst_error *err)
{
	uint8_t raw[sizeof(struct trace_file_header)];
	ssize_t n;

	if (source->size >= all)
		return 0;
	n = trace_read_at(source, raw, sizeof(raw), source->size, err);
	if (n < 0)
		return -1;
	if ((size_t)n == sizeof(raw) && trace_is_file_header(raw))
		trace_report(trace, source,
			     "another trace follows at byte %llu, which is not read: "
			     "print each trace from a file of its own",
			     (unsigned long long)source->size);
	else
		trace_report(trace, source,
			     "%llu bytes after the end of the trace are ignored",
			     (unsigned long long)(all - source->size));
	return 0;
}

/* scan_find_chunk() looks for file headers and chunk headers, which must have the same size. */
_Static_assert(sizeof(struct trace_file_header) == sizeof(struct lkst_chunk_header), "headers");

/* Wait a millisecond for a writer, and update the size of the file. Returns whether to retry. */
static bool scan_wait_for_writer(struct source *source, unsigned int *tries)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	if (!source->growing || ++*tries > GROWING_TRIES)
		return false;
	nanosleep(&ms, NULL);
	return !trace_resize(source, NULL);
}

/*
 * Skip bytes that are not a chunk, or the damaged chunk @bad. Returns the offset of the next chunk;
 * -1 on error.
 */
static int64_t scan_step_over(struct lkst_trace *trace, struct source *source, uint64_t offset,
			      const struct lkst_chunk_header *bad, struct lkst_error *err)
{
	int64_t next = scan_find_chunk(source, offset + 8, err);

	if (next < 0)
		return -1;
	if (bad)
		trace_report(trace, source,
			     "chunk of type %u at byte %llu: damaged (checksum), skipped",
			     bad->type, (unsigned long long)offset + sizeof(*bad));
	else if (!source->growing)
		trace_report(trace, source, "damaged from byte %llu to %llu, skipped",
			     (unsigned long long)offset, (unsigned long long)next);
	return next;
}

static int scan_chunks(struct lkst_trace *trace, struct source *source, struct cursor *c,
		       struct lkst_error *err)
{
	uint64_t offset = source->first_chunk;
	const uint64_t all = source->size;
	struct lkst_chunk_header chunk;
	uint8_t raw[sizeof(chunk)];
	unsigned int tries = 0;

	while (offset < source->size) {
		ssize_t n = trace_read_at(source, raw, sizeof(raw), offset, err);
		enum scanned scanned = SCAN_BAD;
		bool good = false;

		if (n < 0)
			return -1;
		if ((size_t)n < sizeof(raw))
			break;
		if (trace_is_file_header(raw)) {
			source->size = offset;
			break;
		}
		if (trace_good_header(source->swapped, raw, &chunk)) {
			good = true;
			scanned = scan_chunk(trace, source, c, &chunk, offset + sizeof(raw), err);
		}
		if (scanned == SCAN_ERROR)
			return -1;
		if (scanned == SCAN_STOP)
			break;
		if (scanned == SCAN_BAD) {
			int64_t next;

			if (scan_wait_for_writer(source, &tries))
				continue;
			tries = 0;
			next = scan_step_over(trace, source, offset, good ? &chunk : NULL, err);
			if (next < 0)
				return -1;
			offset = (uint64_t)next;
			continue;
		}
		tries = 0;
		source->chunks++;
		offset += sizeof(raw) + trace_padded(chunk.length);
		if (source->end && !source->log && offset < source->size)
			source->size = offset;
		scan_progress(trace, offset);
	}
	scan_progress(trace, source->size);
	return source->growing ? 0 : scan_report_rest(trace, source, all, err);
}

/*
 * Report the events that LOSS chunks count. In a trace that was made from an image, these are the
 * events of damaged or overwritten chunks of the history.
 */
static void scan_report_lost(struct lkst_trace *trace, struct source *source)
{
	size_t len;
	bool image = trace_system(source, "image", &len) && !trace_system(source, "selected", &len);

	if (source->lost)
		trace_notice(
			trace, source,
			image ? "%llu events are missing between those in the history and in the buffers" :
				"%llu events were lost while they were recorded or written to the file",
			(unsigned long long)source->lost);
}

static void scan_report_end(struct lkst_trace *trace, struct source *source)
{
	if (!trace->long_rings && source->end && source->end_records != UINT64_MAX &&
	    source->end_records != source->records)
		trace_report(trace, source, "%llu records are in the file, of %llu that were written",
			     (unsigned long long)source->records,
			     (unsigned long long)source->end_records);
	if (!source->end && !source->growing)
		trace_report(
			trace, source,
			"truncated after %llu bytes: %llu records were read, the rest is missing",
			(unsigned long long)source->size, (unsigned long long)source->records);
	scan_report_lost(trace, source);
}

#define SYSTEM_MAX (64 * 1024) /* maximum size of the text, compressed or not */

/* Read the text of a SYSTEM chunk, if its size is reasonable. */
static int scan_read_system(struct source *source, const struct lkst_chunk_header *chunk,
			    uint64_t offset, struct lkst_error *err)
{
	bool packed = chunk->compression == TRACE_COMPRESSION_ZSTD, whole;
	uint8_t *payload, *text;

	if (chunk->length > SYSTEM_MAX || (chunk->compression && !packed) ||
	    (packed && chunk->raw_length > SYSTEM_MAX))
		return 0;
	payload = calloc(1, chunk->length + 1);
	text = packed ? calloc(1, chunk->raw_length + 1) : payload;
	if (!payload || !text) {
		free(payload);
		lkst_error_memory(err, source->name);
		return -1;
	}
	if (trace_read_at(source, payload, chunk->length, offset, err) < 0) {
		free(payload);
		if (packed)
			free(text);
		return -1;
	}
	if (packed) {
		struct packed input = { chunk->compression, source->swapped, payload,
					chunk->length, NULL };
		struct unpacker unpacker = { 0 };

		trace_unpack(&unpacker, &input, text, chunk->raw_length, &whole);
		trace_unpacker_close(&unpacker);
		free(payload);
	}
	source->system = (char *)text;
	return 0;
}

/**
 * trace_find_boot() - find out which run of the kernel and of LKST a file is from
 * @source: file
 * @boot: result; the caller frees @boot->id
 * @err: set on failure
 *
 * Both UUIDs are in the SYSTEM chunk, which must be among the first 16 chunks of the file.
 */
int trace_find_boot(struct source *source, struct boot *boot, struct lkst_error *err)
{
	uint64_t offset = source->first_chunk;
	struct lkst_chunk_header chunk;
	uint8_t raw[sizeof(chunk)];
	const char *id, *lkst;
	size_t len = 0;

	for (int i = 0; i < 16 && offset < source->size; i++) {
		ssize_t n = trace_read_at(source, raw, sizeof(raw), offset, err);

		if (n < 0)
			return -1;
		if ((size_t)n < sizeof(raw) || !trace_good_header(source->swapped, raw, &chunk) ||
		    chunk.length > source->size)
			break;
		offset += sizeof(raw);
		if (chunk.type == TRACE_SYSTEM) {
			if (scan_read_system(source, &chunk, offset, err))
				return -1;
			break;
		}
		offset += trace_padded(chunk.length);
	}
	id = trace_system(source, "boot_id", &len);
	*boot = (struct boot){ .id = strndup(id ? id : "", len) };
	lkst = trace_system(source, "lkst", &len);
	if (lkst)
		snprintf(boot->lkst, sizeof(boot->lkst), "%.*s", (int)len, lkst);
	free(source->system);
	source->system = NULL;
	if (!boot->id)
		lkst_error_memory(err, source->name);
	return boot->id ? 0 : -1;
}

/**
 * trace_scan() - scan a file
 * @trace: trace
 * @source: file of the trace
 * @err: set on failure
 *
 * Checks every chunk, remembers where the records of each buffer are, and learns names and times.
 * Anything damaged, unknown or missing is reported and skipped.
 */
int trace_scan(struct lkst_trace *trace, struct source *source, struct lkst_error *err)
{
	struct cursor c = { .floor_ns = INT64_MIN };
	int ret;

	trace->oops.nth = LKST_NTH_UNKNOWN;
	ret = scan_chunks(trace, source, &c, err);
	trace_cursor_close(&c);
	if (!ret)
		scan_report_end(trace, source);
	return ret;
}
