// SPDX-License-Identifier: GPL-2.0
/*
 * How trace files are changed: by the chunk, decompressed where it is compressed, and with
 * checksums that are right again, so that what is behind them is reached.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "chunks.h"
#include "mutate.h"
#include "trace_columns.h"

#define CHUNKS_MAX  256
#define PAYLOAD_MAX (1u << 20)
#define GROWTH	    512

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* A file of the input that is to be changed; what follows it moves. */
struct place {
	uint8_t *data;
	size_t size, max;
	size_t begin, end; /* of the file */
	struct chunk chunk[CHUNKS_MAX];
	size_t num;
};

static bool is_records(const struct chunk *chunk)
{
	return chunk->head.type == TRACE_RECORDS_STD || chunk->head.type == TRACE_RECORDS_RAW;
}

/* Put @len bytes in the place of @old bytes at @at of the file. */
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
	return c->head.compression == TRACE_COMPRESSION_ZSTD ||
	       c->head.compression == TRACE_COMPRESSION_COLUMNS;
}

/*
 * The payload as the reader gets to see it, or the columns that it makes one from. Returns its length,
 * 0 when there is none.
 */
static size_t get_payload(const struct place *p, const struct chunk *c, uint8_t *to)
{
	const uint8_t *from = p->data + p->begin + c->at + sizeof(c->head);
	size_t len;

	if (!is_zstd(c)) {
		len = (size_t)c->head.length;
		if (len > PAYLOAD_MAX)
			return 0;
		memcpy(to, from, len);
		return len;
	}
	len = ZSTD_decompress(to, PAYLOAD_MAX, from, (size_t)c->head.length);
	return ZSTD_isError(len) ? 0 : len;
}

static void put_payload(struct place *p, struct chunk *c, const uint8_t *payload, size_t len)
{
	size_t room = ZSTD_compressBound(len) + 8, old = chunk_size(c), stored = len;
	uint8_t *buf = calloc(1, sizeof(c->head) + room);
	uint8_t *to = buf ? buf + sizeof(c->head) : NULL;

	if (!buf)
		return;
	if (is_zstd(c))
		stored = ZSTD_compress(to, room, payload, len, 1);
	else
		memcpy(to, payload, len);
	if (!ZSTD_isError(stored) && c->at + old <= p->end - p->begin) {
		c->head.length = stored;
		c->head.raw_length = len;
		if (splice(p, c->at, old, buf, chunk_size(c)))
			put_head(p->data + p->begin, c);
	}
	free(buf);
}

/* Records keep their size: some bytes are changed where they are. */
static size_t mutate_bytes(uint8_t *payload, size_t len)
{
	uint8_t some[32];
	size_t at = (size_t)rand() % len / 8 * 8;
	size_t n = len - at < sizeof(some) ? len - at : sizeof(some);

	memcpy(some, payload + at, n);
	LLVMFuzzerMutate(some, n, n);
	memcpy(payload + at, some, n);
	return len;
}

static void mutate_payload(struct place *p, struct chunk *c)
{
	uint8_t *payload = malloc(PAYLOAD_MAX + GROWTH);
	size_t len = payload ? get_payload(p, c, payload) : 0;

	if (len) {
		len = is_records(c) && rand() % 4 ? mutate_bytes(payload, len) :
						    LLVMFuzzerMutate(payload, len, len + GROWTH);
		put_payload(p, c, payload, len);
	}
	free(payload);
}

/* Columns become records, and records columns, if they are good ones. */
static size_t change_columns(struct chunk *c, uint8_t *payload, size_t len)
{
	struct trace_buffer_header head;
	uint8_t *to = malloc(TRACE_COLUMNS_MAX);
	size_t done = 0;

	if (!to || len < sizeof(head) || len > TRACE_COLUMNS_MAX) {
		free(to);
		return 0;
	}
	memcpy(&head, payload, sizeof(head));
	if (c->head.compression == TRACE_COMPRESSION_COLUMNS) {
		done = trace_columns_to(payload, len, rand() % 2, to, TRACE_COLUMNS_MAX);
		c->head.compression = TRACE_COMPRESSION_NONE;
	} else if (head.count && head.count <= TRACE_CHUNK_RECORDS &&
		   (head.record_size == sizeof(struct lkst_log_record) ||
		    head.record_size == sizeof(struct lkst_event_record)) &&
		   len == sizeof(head) + head.count * head.record_size) {
		done = trace_columns_from(&head, payload + sizeof(head), to);
		c->head.compression = TRACE_COMPRESSION_COLUMNS;
	}
	memcpy(payload, to, done);
	free(to);
	return done;
}

static void change_compression(struct place *p, struct chunk *c)
{
	uint8_t *payload = malloc(PAYLOAD_MAX);
	size_t len = payload ? get_payload(p, c, payload) : 0;

	if (len && is_records(c) && rand() % 2)
		len = change_columns(c, payload, len);
	else
		c->head.compression = !c->head.compression;
	if (len)
		put_payload(p, c, payload, len);
	free(payload);
}

static void change_head(struct place *p, struct chunk *c)
{
	switch (rand() % 3) {
	case 0:
		c->head.type = (uint16_t)(rand() % 14);
		break;
	case 1:
		c->head.compression = (uint16_t)(rand() % 3);
		break;
	default:
		LLVMFuzzerMutate((uint8_t *)&c->head.raw_length, 8, 8);
	}
	put_head(p->data + p->begin, c);
}

/* Take the chunk away, or put it in another place, too. */
static void move_chunk(struct place *p, struct chunk *c)
{
	const struct chunk *to = &p->chunk[(size_t)rand() % p->num];
	size_t len = chunk_size(c);
	uint8_t *copy = calloc(1, len);

	if (copy && c->at + len <= p->end - p->begin) {
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

/**
 * mutate_trace() - change an input of trace files
 * @data: files, one after the other
 * @size: of all
 * @max: room at @data
 * @seed: of what is random in it
 *
 * Return: its size then.
 */
size_t mutate_trace(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	static struct place p;
	struct chunk *c;

	srand(seed);
	p.data = data;
	p.size = size;
	p.max = max;
	choose_file(&p);
	if (!p.num || !(rand() % 6)) {
		p.size = LLVMFuzzerMutate(data, size, max);
	} else {
		c = &p.chunk[(size_t)rand() % p.num];
		switch (rand() % 8) {
		case 0:
			change_compression(&p, c);
			break;
		case 1:
			change_head(&p, c);
			break;
		case 2:
			move_chunk(&p, c);
			break;
		default:
			mutate_payload(&p, c);
		}
	}
	sign_files(data, p.size);
	return p.size;
}
