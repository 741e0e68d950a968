/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Reads chunks of the compressed history of a CPU (Documentation/lkst/history.rst), and adds them
 * to a trace. lib/live gets the chunks from the kernel, and lib/image finds them in an image.
 */
#ifndef _LKST_LIB_TRACE_HISTORY_H
#define _LKST_LIB_TRACE_HISTORY_H

#include "format.h"
#include "lib/device/run.h"
#include "lib/lkst.h"
#include "unpack.h"

struct lkst_trace_writer;

enum trace_history_header {
	TRACE_HISTORY_NOTHING, /* no header */
	TRACE_HISTORY_DAMAGED, /* a header with a wrong checksum or with impossible values */
	TRACE_HISTORY_CHUNK,
};

/* Memory to decompress a chunk, reused from chunk to chunk. All zero: not opened. */
struct trace_history_reader {
	struct unpacker unpacker;
	uint8_t *payload;
};

/**
 * struct trace_history_chunk - a chunk whose checksums and contents were checked
 * @run: its records, in this machine's byte order, valid until the next chunk is opened. A record
 *	with clock 0 is a hole: no event has this recid
 * @events: number of records that are not holes
 */
struct trace_history_chunk {
	struct lkst_run run;
	uint64_t events;
};

/**
 * struct trace_history_part - what a chunk contains
 * @first: recid of its first record
 * @end: recid after its last record
 * @events: number of records that are not holes
 * @buffer: id of the buffer that the records are from
 * @region: in an image: index of the region with the chunk
 * @length: size of the chunk in bytes, with its header and the padding
 * @offset: in an image: offset of the chunk in the region
 */
struct trace_history_part {
	uint64_t first;
	uint64_t end;
	uint64_t events;
	lkst_buffer_id buffer;
	uint32_t region;
	uint64_t length;
	uint64_t offset;
};

/* The parts of the history of a CPU. All zero: no parts. */
struct trace_history_parts {
	struct trace_history_part *part;
	size_t num;
	size_t room;
};

int trace_history_open(struct trace_history_reader *reader, struct lkst_error *err);
void trace_history_close(struct trace_history_reader *reader);
enum trace_history_header trace_history_header(const uint8_t *raw, bool swapped,
					       struct lkst_chunk_header *header);
uint64_t trace_history_size(const struct lkst_chunk_header *header);
bool trace_history_chunk(struct trace_history_reader *reader,
			 const struct lkst_chunk_header *header, const uint8_t *payload,
			 bool swapped, int32_t cpu, struct trace_history_chunk *chunk);
int trace_history_add(struct trace_history_parts *parts, const struct trace_history_part *part,
		      struct lkst_error *err);
void trace_history_free(struct trace_history_parts *parts);
size_t trace_history_after(const struct trace_history_parts *parts, uint64_t recid);
uint64_t trace_history_events(const struct trace_history_parts *parts, lkst_buffer_id buffer,
			      uint64_t first, uint64_t end);

#endif
