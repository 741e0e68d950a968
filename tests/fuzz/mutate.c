// SPDX-License-Identifier: GPL-2.0
/*
 * Mutations of trace files that move or change single chunks. Compressed chunks are decompressed
 * before the change, and compressed again after it. Finally the checksums are corrected, so that
 * the reader does not reject the changed chunk because of a wrong checksum.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "chunks.h"
#include "fuzz.h"
#include "lib/trace/columns.h"
#include "lib/trace/format.h"

#define CHUNKS_MAX  256
#define PAYLOAD_MAX (1u << 20)
#define GROWTH	    512

/* An input, and the file in it that is changed. If its size changes, the files after it move. */
struct place {
	uint8_t *data; /* the input */
	size_t size, max; /* size of the input, and how large it may become, in bytes */
	size_t begin, end; /* offsets of the file in data */
	struct chunk chunk[CHUNKS_MAX];
	size_t num;
};

static bool is_records(const struct chunk *chunk)
{
	return trace_type_has_records(chunk->header.type);
}

/* Replace @old bytes at offset @at of the file with @len bytes. Return false if they do not fit. */
static bool splice(struct place *p, size_t at, size_t old, const uint8_t *with, size_t len)
{
	size_t from = p->begin + at;

	if (p->size - old + len > p->max)
		return false;
	memmove(p->data + from + len, p->data + from + old, p->size - from - old);
	memcpy(p->data + from, with, len);
	p->size += len - old;
	p->end += len - old;
	return true;
}

static bool is_zstd(const struct chunk *c)
{
	return c->header.compression == TRACE_COMPRESSION_ZSTD ||
	       c->header.compression == TRACE_COMPRESSION_COLUMNS;
}

/*
 * Store the payload of a chunk at @to, decompressed but with columns still encoded. Return its
 * length in bytes, or 0 if it is empty, too long or cannot be decompressed.
 */
static size_t get_payload(const struct place *p, const struct chunk *c, uint8_t *to)
{
	const uint8_t *from = p->data + p->begin + c->at + sizeof(c->header);
	size_t len = (size_t)c->header.length;

	if (is_zstd(c)) {
		len = ZSTD_decompress(to, PAYLOAD_MAX, from, len);
		return ZSTD_isError(len) ? 0 : len;
	}
	if (len > PAYLOAD_MAX)
		return 0;
	memcpy(to, from, len);
	return len;
}

static void put_payload(struct place *p, struct chunk *c, const uint8_t *payload, size_t len)
{
	size_t room = ZSTD_compressBound(len) + 8, old = chunk_size(c), stored = len;
	uint8_t *buf = calloc(1, sizeof(c->header) + room), *to = buf + sizeof(c->header);

	MUST(buf);
	if (is_zstd(c))
		stored = ZSTD_compress(to, room, payload, len, 1);
	else
		memcpy(to, payload, len);
	if (!ZSTD_isError(stored) && c->at + old <= p->end - p->begin) {
		c->header.length = stored;
		c->header.raw_length = len;
		if (splice(p, c->at, old, buf, chunk_size(c)))
			put_header(p->data + p->begin, c);
	}
	free(buf);
}

/*
 * Let libFuzzer change up to 32 bytes of a payload. Return its length, which does not change, so
 * all other bytes keep their offsets.
 */
static size_t mutate_bytes(uint8_t *payload, size_t len)
{
	size_t at = (size_t)rand() % len / 8 * 8, n = len - at < 32 ? len - at : 32;

	LLVMFuzzerMutate(payload + at, n, n);
	return len;
}

static void mutate_payload(struct place *p, struct chunk *c)
{
	static uint8_t payload[PAYLOAD_MAX + GROWTH];
	size_t len = get_payload(p, c, payload);

	if (len) {
		len = is_records(c) && rand() % 4 ? mutate_bytes(payload, len) :
						    LLVMFuzzerMutate(payload, len, len + GROWTH);
		put_payload(p, c, payload, len);
	}
}

/*
 * Decode the columns in a payload into records, or encode its records as columns. Return the new
 * length of the payload in bytes, or 0 if the payload is not valid.
 */
static size_t change_columns(struct chunk *c, uint8_t *payload, size_t len)
{
	static uint8_t to[TRACE_COLUMNS_MAX];
	struct lkst_records_header header;
	size_t done = 0;

	if (len < sizeof(header) || len > TRACE_COLUMNS_MAX)
		return 0;
	memcpy(&header, payload, sizeof(header));
	if (c->header.compression == TRACE_COMPRESSION_COLUMNS) {
		done = trace_columns_to(payload, len, rand() % 2, NULL, to, TRACE_COLUMNS_MAX);
		c->header.compression = TRACE_COMPRESSION_NONE;
	} else if (header.count && header.count <= LKST_CHUNK_RECORDS &&
		   (header.record_size == sizeof(struct lkst_log_record) ||
		    header.record_size == sizeof(struct lkst_event_record)) &&
		   len == sizeof(header) + header.count * header.record_size) {
		done = trace_columns_from(&header, payload + sizeof(header), to);
		c->header.compression = TRACE_COMPRESSION_COLUMNS;
	}
	memcpy(payload, to, done);
	return done;
}

static void change_compression(struct place *p, struct chunk *c)
{
	static uint8_t payload[PAYLOAD_MAX];
	size_t len = get_payload(p, c, payload);

	if (len && is_records(c) && rand() % 2)
		len = change_columns(c, payload, len);
	else
		c->header.compression = !c->header.compression;
	if (len)
		put_payload(p, c, payload, len);
}

static void change_header(struct place *p, struct chunk *c)
{
	int member = rand() % 3;

	if (member == 0)
		c->header.type = (uint16_t)(rand() % (TRACE_RECORDS_LONG + 2));
	else if (member == 1)
		c->header.compression = (uint16_t)(rand() % 3);
	else
		LLVMFuzzerMutate((uint8_t *)&c->header.raw_length, 8, 8);
	put_header(p->data + p->begin, c);
}

/* Remove a chunk, or insert a copy of it before a random chunk. */
static void move_chunk(struct place *p, struct chunk *c)
{
	const struct chunk *to = &p->chunk[(size_t)rand() % p->num];
	size_t len = chunk_size(c);
	uint8_t *copy = calloc(1, len);

	MUST(copy);
	if (c->at + len <= p->end - p->begin) {
		memcpy(copy, p->data + p->begin + c->at, len);
		if (rand() % 2)
			splice(p, c->at, len, copy, 0);
		else
			splice(p, to->at, 0, copy, len);
	}
	free(copy);
}

static void choose_file(struct place *p)
{
	int skip = rand() % 4;

	p->begin = 0;
	p->end = file_end(p->data, p->size, 0);
	while (skip-- && p->end < p->size) {
		p->begin = p->end;
		p->end = file_end(p->data, p->size, p->begin);
	}
	p->num = chunks_of(p->data + p->begin, p->end - p->begin, p->chunk, CHUNKS_MAX);
}

/* Mutate an input that consists of trace files, one after the other. @seed is passed to srand(). */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	static void (*const mutate[])(struct place *p, struct chunk *c) = {
		change_compression, change_header, move_chunk,
		mutate_payload, mutate_payload, mutate_payload, mutate_payload, mutate_payload,
	};
	static struct place p;

	srand(seed);
	p.data = data;
	p.size = size;
	p.max = max;
	choose_file(&p);
	if (!p.num || !(rand() % 6))
		p.size = LLVMFuzzerMutate(data, size, max);
	else
		mutate[rand() % 8](&p, &p.chunk[(size_t)rand() % p.num]);
	sign_files(data, p.size);
	return p.size;
}
