// SPDX-License-Identifier: GPL-2.0
#include "html_reader.h"
#include "must.h"

uint64_t html_read_number(struct html_reader *reader)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		MUST(reader->at < reader->len && shift < 64);
		byte = reader->data[reader->at++];
		value |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	return value;
}

int64_t html_read_signed(struct html_reader *reader)
{
	uint64_t value = html_read_number(reader);

	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* Return a reader of the next @len bytes, and skip these bytes in @reader. */
struct html_reader html_read_part(struct html_reader *reader, size_t len)
{
	struct html_reader part = { .data = reader->data + reader->at, .len = len };

	MUST(len <= reader->len - reader->at);
	reader->at += len;
	return part;
}
