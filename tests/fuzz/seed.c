// SPDX-License-Identifier: GPL-2.0
/*
 * seed [-s] IN OUT LINES RECORDS [CHUNKS]: makes a small trace OUT from a large trace IN, as an
 * initial input for fuzzing.
 *
 * OUT has the first CHUNKS chunks of IN. Each of them has only the first LINES lines of its text,
 * or the first RECORDS of its records or processes. Compressed chunks are copied unchanged. With
 * "-s", OUT has the opposite byte order.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "lib/trace/format.h"
#include "swap.h"

#define CHUNKS_MAX 256
#define NUM(array) (sizeof(array) / sizeof(*(array)))

static size_t lines, records, chunks = CHUNKS_MAX;
static uint64_t kept; /* records kept in all chunks so far */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t cut_text(const uint8_t *text, size_t len)
{
	size_t at = 0, left = lines;

	while (at < len && left)
		left -= text[at++] == '\n';
	return at;
}

static size_t cut_records(unsigned int type, uint8_t *payload, size_t len)
{
	struct lkst_records_header header;

	memcpy(&header, payload, sizeof(header));
	header.count = least((size_t)header.count, records);
	memcpy(payload, &header, sizeof(header));
	if (type != TRACE_RECORDS_LONG)
		kept += header.count;
	return least(sizeof(header) + (size_t)header.count * header.record_size, len);
}

static size_t cut(const struct chunk *c, uint8_t *payload)
{
	size_t len = (size_t)c->header.length;

	if (c->header.compression)
		return len;
	switch (c->header.type) {
	case TRACE_ETYPES:
	case TRACE_VALUES:
	case TRACE_SYMBOLS:
	case TRACE_FILES:
		return cut_text(payload, len);
	case TRACE_RECORDS_STD:
	case TRACE_RECORDS_RAW:
	case TRACE_RECORDS_LONG:
		return cut_records(c->header.type, payload, len);
	case TRACE_PROCESSES:
		return least(records * sizeof(struct trace_process), len);
	case TRACE_END:
		if (kept)
			memcpy(payload, &kept, sizeof(kept));
		break;
	case TRACE_SKIP:
		return least(64, len);
	}
	return len;
}

static const char *const layouts[] = {
	[TRACE_PROCESSES] = "44..",	[TRACE_RECORDS_RAW] = SWAP_EVENT_RECORD,
	[TRACE_CLOCK] = "888844",	[TRACE_RECORDS_STD] = "448844444444" "88448888",
	[TRACE_LOG] = "448",		[TRACE_LOSS] = "4488",
	[TRACE_END] = "88",		[TRACE_RECORDS_LONG] = SWAP_EVENT_RECORD,
};

/* Change the byte order of a payload that is not compressed. */
static void swap_payload(const struct chunk *c, void *payload, size_t len)
{
	const char *layout = c->header.type < NUM(layouts) ? layouts[c->header.type] : NULL;
	void *end = (char *)payload + len;

	if (trace_type_has_records(c->header.type))
		payload = swap(payload, "4444" "888888888" ".." "44844");
	while (layout && payload < end)
		payload = swap(payload, layout);
}

static size_t make_seed(uint8_t *data, size_t size, bool other_order)
{
	static struct chunk chunk[CHUNKS_MAX];
	size_t n = chunks_of(data, size, chunk, chunks), at = sizeof(struct trace_file_header);

	for (size_t i = 0; i < n; i++) {
		struct chunk *c = &chunk[i];
		uint8_t *payload = data + at + sizeof(c->header);
		size_t len;

		memmove(payload, data + c->at + sizeof(c->header), (size_t)c->header.length);
		len = cut(c, payload);
		if (!c->header.compression)
			c->header.raw_length = len;
		c->header.length = len;
		c->at = at;
		memset(payload + len, 0, chunk_size(c) - sizeof(c->header) - len);
		if (other_order && !c->header.compression)
			swap_payload(c, payload, len);
		put_header(data, c);
		if (other_order)
			swap(data + at, SWAP_CHUNK_HEADER);
		at += chunk_size(c);
	}
	if (other_order)
		swap(data, ".422844");
	sign_files(data, at);
	return at;
}

int main(int argc, char **argv)
{
	static uint8_t data[1u << 26];
	bool other_order = argc > 1 && !strcmp(argv[1], "-s");
	FILE *from, *to;
	size_t size;

	argv += other_order;
	argc -= other_order;
	if (argc < 5 || argc > 6)
		errx(2, "usage: seed [-s] IN OUT LINES RECORDS [CHUNKS]");
	lines = strtoul(argv[3], NULL, 0);
	records = strtoul(argv[4], NULL, 0);
	if (argc == 6)
		chunks = least(strtoul(argv[5], NULL, 0), CHUNKS_MAX);
	from = fopen(argv[1], "r");
	to = fopen(argv[2], "w");
	size = from && to ? make_seed(data, fread(data, 1, sizeof(data), from), other_order) : 0;
	if (!size || fwrite(data, 1, size, to) != size || fclose(to))
		err(1, NULL);
	return 0;
}
