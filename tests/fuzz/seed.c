// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a small trace of a big one, to begin fuzzing with: seed IN OUT LINES RECORDS [CHUNKS]
 *
 * So many chunks are kept, of each chunk of text so many lines, of each chunk of records so many
 * records, of processes as many; compressed ones stay as they are. With "-s" before IN, the other
 * byte order.
 */
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "lib/trace_reader.h"

#define CHUNKS_MAX 256

static size_t lines, records, chunks = CHUNKS_MAX;
static uint64_t kept; /* records in the chunks so far */

static size_t cut_text(const uint8_t *text, size_t len)
{
	size_t at = 0, left = lines;

	while (at < len && left)
		left -= text[at++] == '\n';
	return at;
}

static size_t cut_records(uint8_t *payload, size_t len)
{
	struct trace_buffer_header head;

	memcpy(&head, payload, sizeof(head));
	if (head.count > records)
		head.count = records;
	memcpy(payload, &head, sizeof(head));
	kept += head.count;
	return sizeof(head) + (size_t)head.count * head.record_size < len ?
		       sizeof(head) + (size_t)head.count * head.record_size :
		       len;
}

static size_t cut(const struct chunk *c, uint8_t *payload)
{
	size_t len = (size_t)c->head.length;

	if (c->head.compression)
		return len;
	switch (c->head.type) {
	case TRACE_ETYPES:
	case TRACE_VALUES:
	case TRACE_SYMBOLS:
		return cut_text(payload, len);
	case TRACE_RECORDS_STD:
	case TRACE_RECORDS_RAW:
		return cut_records(payload, len);
	case TRACE_PROCESSES:
		return len < records * sizeof(struct trace_process) ?
			       len :
			       records * sizeof(struct trace_process);
	case TRACE_END:
		if (kept)
			memcpy(payload, &kept, sizeof(kept));
		break;
	case TRACE_SKIP:
		return len < 64 ? len : 64;
	}
	return len;
}

/* So many bytes each turned round, again and again. */
static void turn(uint8_t *data, size_t len, const uint8_t *sizes)
{
	for (size_t at = 0; at < len;) {
		for (const uint8_t *size = sizes; *size && at + *size <= len; at += *size++)
			for (size_t i = 0; i < *size / 2u; i++) {
				uint8_t byte = data[at + i];

				data[at + i] = data[at + *size - 1 - i];
				data[at + *size - 1 - i] = byte;
			}
		if (at + *sizes > len)
			break;
	}
}

static const uint8_t file_sizes[] = { 1, 1, 1, 1, 1, 1, 1, 1, 4, 2, 2, 8, 4, 4, 0 };
static const uint8_t head_sizes[] = { 4, 2, 2, 8, 8, 4, 4, 0 };
static const uint8_t process_sizes[] = { 4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0 };
static const uint8_t buffer_sizes[] = { 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1, 1, 1, 1, 1,
					1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 8, 4, 4, 0 };
static const uint8_t std_sizes[] = { 4, 4, 8, 8, 4, 4, 4, 4, 4, 4, 4, 4, 8, 8, 4, 4, 8, 8, 8, 8, 0 };
static const uint8_t raw_sizes[] = { 8, 2, 2, 4, 4, 4, 4, 4, 8, 8, 8, 8, 0 };
static const uint8_t clock_sizes[] = { 8, 8, 8, 8, 4, 4, 0 };
static const uint8_t log_sizes[] = { 4, 4, 8, 0 };
static const uint8_t loss_sizes[] = { 4, 4, 8, 8, 0 };
static const uint8_t end_sizes[] = { 8, 0 };

static void turn_records(uint8_t *payload, size_t len, const uint8_t *sizes)
{
	const size_t head = sizeof(struct trace_buffer_header);

	turn(payload, head, buffer_sizes);
	turn(payload + head, len - head, sizes);
}

static void swap_payload(const struct chunk *c, uint8_t *payload, size_t len)
{
	switch (c->head.type) {
	case TRACE_PROCESSES:
		turn(payload, len, process_sizes);
		break;
	case TRACE_RECORDS_RAW:
		turn_records(payload, len, raw_sizes);
		break;
	case TRACE_RECORDS_STD:
		turn_records(payload, len, std_sizes);
		break;
	case TRACE_CLOCK:
		turn(payload, len, clock_sizes);
		break;
	case TRACE_LOG:
		turn(payload, len, log_sizes);
		break;
	case TRACE_LOSS:
		turn(payload, len, loss_sizes);
		break;
	case TRACE_END:
		turn(payload, len, end_sizes);
		break;
	}
}

static size_t make_seed(uint8_t *data, size_t size, bool other_order)
{
	static struct chunk chunk[CHUNKS_MAX];
	size_t n = chunks_of(data, size, chunk, chunks), at = sizeof(struct trace_file_header);

	for (size_t i = 0; i < n; i++) {
		struct chunk *c = &chunk[i];
		uint8_t *payload = data + at + sizeof(c->head);
		size_t len;

		memmove(payload, data + c->at + sizeof(c->head), (size_t)c->head.length);
		len = cut(c, payload);
		if (!c->head.compression)
			c->head.raw_length = len;
		c->head.length = len;
		c->at = at;
		memset(payload + len, 0, chunk_size(c) - sizeof(c->head) - len);
		if (other_order)
			swap_payload(c, payload, len);
		put_head(data, c);
		if (other_order)
			turn(data + at, sizeof(c->head), head_sizes);
		at += chunk_size(c);
	}
	if (other_order)
		turn(data, sizeof(struct trace_file_header), file_sizes);
	sign_files(data, at);
	return at;
}

int main(int argc, char **argv)
{
	bool other_order = argc > 1 && !strcmp(argv[1], "-s");
	uint8_t *data = malloc(1u << 26);
	FILE *from, *to;
	size_t size;

	argv += other_order;
	argc -= other_order;
	if (argc < 5 || argc > 6 || !data) {
		fprintf(stderr, "usage: seed [-s] IN OUT LINES RECORDS [CHUNKS]\n");
		return 2;
	}
	lines = strtoul(argv[3], NULL, 0);
	records = strtoul(argv[4], NULL, 0);
	if (argc == 6 && strtoul(argv[5], NULL, 0) < CHUNKS_MAX)
		chunks = strtoul(argv[5], NULL, 0);
	from = fopen(argv[1], "r");
	to = fopen(argv[2], "w");
	if (!from || !to) {
		perror("seed");
		return 1;
	}
	size = fread(data, 1, 1u << 26, from);
	size = make_seed(data, size, other_order);
	if (fwrite(data, 1, size, to) != size || fclose(to)) {
		perror("seed");
		return 1;
	}
	fclose(from);
	free(data);
	return 0;
}
