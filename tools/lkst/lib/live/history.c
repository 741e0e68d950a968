// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads the compressed history of the CPUs from the kernel, and writes its chunks to a trace
 * unchanged. A recid is the number of an event: each CPU numbers its events from 0.
 */
#include <stdlib.h>
#include <sys/types.h>

#include "history.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/text/addresses.h"
#include "lib/trace/write.h"

#define ROOM (1 << 20) /* bytes to read in one call */

_Static_assert(ROOM >= LKST_HISTORY_CHUNK_MAX, "room for any chunk");

/**
 * live_history_open() - allocate the memory to read histories
 * @history: the caller sets @dev, @writer, @addresses, @fill and @ctx, and closes it even after an
 *	error
 * @err: set if an allocation fails
 */
int live_history_open(struct live_history *history, struct lkst_error *err)
{
	history->area = malloc(ROOM);
	if (!history->area) {
		lkst_error_memory(err, "the history");
		return -1;
	}
	return trace_history_open(&history->reader, err);
}

/**
 * live_history_close() - free the memory
 * @history: opened, or all zero
 */
void live_history_close(struct live_history *history)
{
	trace_history_close(&history->reader);
	trace_history_free(&history->parts);
	free(history->area);
	history->area = NULL;
}

/**
 * live_history_begin() - begin to read the history of a CPU
 * @history: opened
 * @cpu: CPU
 */
void live_history_begin(struct live_history *history, int32_t cpu)
{
	trace_history_free(&history->parts);
	history->cpu = cpu;
	history->position = 0;
	history->bytes = 0;
	history->next = 0;
}

/*
 * Write a chunk. If records are missing before it, write first what the buffers still hold of them,
 * and then how many are lost.
 */
static int live_history_write(struct live_history *history, const uint8_t *raw, uint64_t size,
			      const struct trace_history_chunk *chunk, struct lkst_error *err)
{
	const struct lkst_run *run = &chunk->run;
	const struct trace_history_part part = {
		.first = run->first_recid,
		.end = run->first_recid + run->num,
		.events = chunk->events,
		.buffer = run->buffer,
		.length = size,
	};

	if (part.first > history->next) {
		int ret = history->fill(history->ctx, part.first, err);

		if (ret)
			return ret < 0 ? -1 : 0;
	}
	if (history->parts.num && part.first > history->next &&
	    lkst_trace_write_loss(history->writer, history->cpu, history->next,
				  part.first - history->next, err))
		return -1;
	if (lkst_trace_write_chunk(history->writer, raw, size, chunk->events, err) ||
	    (history->addresses &&
	     lkst_addresses_add_raw(history->addresses, run->record, run->num, err)))
		return -1;
	history->next = part.end;
	return trace_history_add(&history->parts, &part, err);
}

/*
 * Write the chunks in the first @len bytes of the area. Damaged chunks are left out and counted. If
 * the header of a chunk is damaged, its size is unknown, so all bytes up to the next valid header
 * count as one damaged chunk.
 */
static int live_history_take(struct live_history *history, size_t len, struct lkst_error *err)
{
	struct trace_history_chunk chunk;
	struct lkst_chunk_header header;
	bool lost = false;
	uint64_t size;

	for (size_t at = 0; len - at >= sizeof(header); at += size) {
		const uint8_t *raw = history->area + at;

		size = 8;
		if (trace_history_header(raw, false, &header) != TRACE_HISTORY_CHUNK ||
		    trace_history_size(&header) > len - at) {
			history->damaged += !lost;
			lost = true;
			continue;
		}
		lost = false;
		size = trace_history_size(&header);
		if (!trace_history_chunk(&history->reader, &header, raw + sizeof(header), false,
					 history->cpu, &chunk) ||
		    chunk.run.first_recid < history->next)
			history->damaged++;
		else if (live_history_write(history, raw, size, &chunk, err))
			return -1;
	}
	return 0;
}

/**
 * live_history_next() - read some more of the history of a CPU, and write it to the trace
 * @history: after live_history_begin()
 * @err: set on failure
 *
 * If the kernel refuses to return the history, this is not an error, but sets @history->failed: the
 * buffers can be read without it.
 *
 * Return: 1; 0 after the last chunk, or if the kernel refuses; -1 on error.
 */
int live_history_next(struct live_history *history, struct lkst_error *err)
{
	struct lkst_error why;
	ssize_t n = lkst_history_read(history->dev, history->cpu, &history->position, history->area,
				      ROOM, &why);

	if (n < 0 && !history->failed) {
		history->failed = true;
		history->why = why;
	}
	if (n <= 0)
		return 0;
	history->bytes += (uint64_t)n;
	return live_history_take(history, (size_t)n, err) ? -1 : 1;
}
