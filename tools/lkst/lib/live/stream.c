// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads the records of one CPU or of all CPUs in blocks (LKST_READ_MODE_BLOCK). The kernel keeps
 * the read position and counts losses. A block is returned as a struct lkst_run without copying it.
 *
 * A recid is the number of an event: each CPU numbers its events from 0.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "lib/base/error.h"
#include "lib/device/call.h"
#include "lib/device/device.h"
#include "lib/device/run.h"
#include "messages.h"
#include "stream.h"

#define RECORD_SIZE sizeof(struct lkst_event_record)
#define BLOCK_LEAST (LKST_SIZEOF_LKST_BLOCK + RECORD_SIZE)
#define READ_MOST   ((size_t)1 << 20) /* maximum number of bytes to read in one call */

_Static_assert(sizeof(struct lkst_block) == LKST_SIZEOF_LKST_BLOCK, "header of a block");

/**
 * struct lkst_stream - an open device that is read in blocks
 * @dev: device
 * @cpu: only this CPU; -1: all
 * @arch: machine, as uname -m prints it
 * @area: data that was read; the bytes from @at to @len have not been returned yet
 * @room: size of @area in bytes; its pages take memory only once they are used
 * @len: offset at which the next read() stores data
 * @at: offset of the next block
 */
struct lkst_stream {
	struct lkst_device *dev;
	int32_t cpu;
	char arch[LKST_ARCH_NAME_LEN];
	uint8_t *area;
	size_t room;
	size_t len;
	size_t at;
};

static int stream_bind(struct lkst_stream *stream, struct lkst_error *err)
{
	struct lkst_buffer_srmodparam param = {
		.cpu = stream->cpu,
		.mode = LKST_READ_MODE_BLOCK,
	};

	if (lkst_read_bind(stream->dev, &param, err))
		return -1;
	memcpy(stream->arch, param.arch, sizeof(stream->arch));
	return 0;
}

/**
 * lkst_stream_new() - read blocks from an open device
 * @dev: device with a non-blocking read(); the stream takes ownership, even on failure. NULL if
 *	opening it failed, in which case @err is already set
 * @cpu: only this CPU; -1: all
 * @room: number of bytes that can be read ahead; raised to the size of a block with one record if
 *	it is less
 * @err: set on failure
 */
struct lkst_stream *lkst_stream_new(struct lkst_device *dev, int32_t cpu, size_t room,
				    struct lkst_error *err)
{
	struct lkst_stream *stream = dev ? calloc(1, sizeof(*stream)) : NULL;

	if (!dev)
		return NULL;
	if (!stream) {
		lkst_error_memory(err, "the records of a CPU");
		lkst_device_close(dev);
		return NULL;
	}
	stream->dev = dev;
	stream->cpu = cpu;
	stream->room = room < BLOCK_LEAST ? BLOCK_LEAST : room;
	stream->area = mmap(NULL, stream->room, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stream->area == MAP_FAILED)
		lkst_error_memory(err, "the records of a CPU");
	else if (!stream_bind(stream, err))
		return stream;
	lkst_stream_close(stream);
	return NULL;
}

/**
 * lkst_stream_open() - read the records of a CPU, or of all CPUs, in blocks
 * @cpu: only this CPU; -1: all
 * @room: number of bytes that can be read ahead; raised to the size of a block with one record if
 *	it is less
 * @err: set on failure
 *
 * Any number of streams can read the same CPU. A stream starts with the oldest record in the
 * buffers.
 */
struct lkst_stream *lkst_stream_open(int32_t cpu, size_t room, struct lkst_error *err)
{
	return lkst_stream_new(device_open(O_NONBLOCK, err), cpu, room, err);
}

static bool stream_is_good(const struct lkst_stream *stream, const struct lkst_block *block,
			   size_t left)
{
	uint64_t missing;

	return block->magic == LKST_BLOCK_MAGIC && block->version >= LKST_BLOCK_VERSION &&
	       block->header_size >= LKST_SIZEOF_LKST_BLOCK &&
	       block->header_size % RECORD_SIZE == 0 && block->size % RECORD_SIZE == 0 &&
	       block->size >= block->header_size && block->size <= left &&
	       block->count <= (block->size - block->header_size) / RECORD_SIZE &&
	       block->cpu >= 0 && (stream->cpu < 0 || block->cpu == stream->cpu) &&
	       !__builtin_add_overflow(block->lost, block->dropped, &missing) &&
	       !__builtin_add_overflow(missing, block->unfinished, &missing) &&
	       missing <= block->first_recid;
}

/*
 * Return the next block; NULL if it is incomplete or invalid. The data after such a block is
 * unusable as well, because only the block's header says where the next block begins.
 */
static const struct lkst_block *stream_next_block(const struct lkst_stream *stream)
{
	const struct lkst_block *block = (const void *)(stream->area + stream->at);
	size_t left = stream->len - stream->at;

	return left >= sizeof(*block) && stream_is_good(stream, block, left) ? block : NULL;
}

/* Drop the blocks of @cpu that were read before a seek, but keep the blocks of other CPUs. */
static void stream_leave_out(struct lkst_stream *stream, int32_t cpu)
{
	const struct lkst_block *block;
	size_t first = stream->at, to = first;

	while ((block = stream_next_block(stream))) {
		size_t size = block->size;

		stream->at += size;
		if (block->cpu == cpu)
			continue;
		memmove(stream->area + to, block, size);
		to += size;
	}
	memmove(stream->area + to, stream->area + stream->at, stream->len - stream->at);
	stream->len -= stream->at - to;
	stream->at = first;
}

/**
 * lkst_stream_seek() - continue reading at another record
 * @stream: stream; blocks of @cpu that were read but not returned are dropped
 * @cpu: one of the stream's CPUs
 * @recid: next record to read; 0: the oldest in the buffers; LKST_BLOCK_RECID_END: the next to be
 *	recorded
 * @err: set on failure; sys_errno is EINVAL if the CPU has not reached @recid yet
 */
int lkst_stream_seek(struct lkst_stream *stream, int32_t cpu, uint64_t recid,
		     struct lkst_error *err)
{
	struct lkst_block_seekparam param = { .cpu = cpu, .recid = recid };

	if (CALL(stream->dev, LKST_IOC_BLOCK_SEEK, &param, err))
		return -1;
	stream_leave_out(stream, cpu);
	return 0;
}

/**
 * lkst_stream_timeout() - limit the time from recording an event until the stream becomes readable
 * @stream: stream
 * @ms: limit in milliseconds; 0: no limit, so that records become readable only when the half of
 *	the buffer that contains them is full
 * @err: set on failure
 */
int lkst_stream_timeout(struct lkst_stream *stream, unsigned int ms, struct lkst_error *err)
{
	struct lkst_block_waitparam param = { .timeout = ms };

	return CALL(stream->dev, LKST_IOC_BLOCK_WAIT, &param, err) ? -1 : 0;
}

/**
 * lkst_stream_flush() - make everything recorded so far readable immediately
 * @stream: stream
 * @err: set on failure
 */
int lkst_stream_flush(struct lkst_stream *stream, struct lkst_error *err)
{
	return CALL(stream->dev, LKST_IOC_BLOCK_FLUSH, NULL, err) ? -1 : 0;
}

static void stream_make_run(const struct lkst_stream *stream, const struct lkst_block *block,
			    struct lkst_run *run)
{
	*run = (struct lkst_run){
		.cpu = block->cpu,
		.buffer = block->buffer,
		.clock = block->clock,
		.first_recid = block->first_recid,
		.num = (size_t)block->count,
		.record = (const void *)((const uint8_t *)block + block->header_size),
		.lost = block->lost + block->dropped + block->unfinished,
		.dropped = block->dropped,
		.unfinished = block->unfinished,
		.recorded = block->recorded,
		.monotonic_ns = block->monotonic,
		.xtime_ns = block->wall,
		.tsc = block->tsc,
		.freq_khz = block->cpu_freq,
	};
	memcpy(run->arch, stream->arch, sizeof(run->arch));
	memcpy(run->boot, block->boot, sizeof(run->boot));
}

/*
 * Start over at the beginning of the area, after all its blocks were returned. If much of the area
 * was in use, free the part that is rarely needed.
 */
static void stream_begin_area(struct lkst_stream *stream)
{
	if (stream->len > 4 * READ_MOST)
		madvise(stream->area + READ_MOST, stream->room - READ_MOST, MADV_DONTNEED);
	stream->at = stream->len = 0;
}

/* Read blocks into the area. Returns the result of device_read(). */
static ssize_t stream_read_more(struct lkst_stream *stream, struct lkst_error *err)
{
	size_t left = stream->room - stream->len;
	ssize_t got = device_read(stream->dev, stream->area + stream->len,
				  left < READ_MOST ? left : READ_MOST, err);

	if (got > 0)
		stream->len += (size_t)got;
	return got;
}

/**
 * lkst_stream_ahead() - read all available blocks that fit into the area, to return them later
 * @stream: stream
 * @err: set on failure
 *
 * Reading a block is much faster than most ways of processing it. A caller that reads ahead after
 * each block empties the kernel's buffers before they are overwritten, even if it is slow to
 * process the blocks.
 */
int lkst_stream_ahead(struct lkst_stream *stream, struct lkst_error *err)
{
	ssize_t got = 1;

	while (got > 0 && stream->room - stream->len >= BLOCK_LEAST)
		got = stream_read_more(stream, err);
	return got < 0 ? -1 : 0;
}

/**
 * lkst_stream_has_block() - check whether a block was read ahead
 * @stream: stream
 *
 * If so, the caller must not call poll(), which might wait for another block.
 */
bool lkst_stream_has_block(const struct lkst_stream *stream)
{
	return stream->at < stream->len;
}

/**
 * lkst_stream_next() - return the next block
 * @stream: stream
 * @run: result; @run->record is valid until the next call or seek
 * @err: set on failure; if a block is damaged, it is dropped with all data that was read after it
 *
 * Return: 1 if there is a block; 0 if none is available yet (use poll() to wait); -1 on error.
 */
int lkst_stream_next(struct lkst_stream *stream, struct lkst_run *run, struct lkst_error *err)
{
	const struct lkst_block *block;
	ssize_t got;

	if (stream->at == stream->len) {
		stream_begin_area(stream);
		got = stream_read_more(stream, err);
		if (got <= 0)
			return (int)got;
	}
	block = stream_next_block(stream);
	if (!block) {
		stream->at = stream->len;
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_BLOCK, LKST_DEVICE_PATH);
		return -1;
	}
	stream->at += block->size;
	stream_make_run(stream, block, run);
	return 1;
}

/**
 * lkst_stream_fd() - get the descriptor for poll(), which reports POLLIN when a block can be read
 * @stream: from lkst_stream_open()
 */
int lkst_stream_fd(const struct lkst_stream *stream)
{
	return lkst_device_fd(stream->dev);
}

/**
 * lkst_stream_close() - close a stream
 * @stream: may be NULL
 */
void lkst_stream_close(struct lkst_stream *stream)
{
	if (!stream)
		return;
	lkst_device_close(stream->dev);
	if (stream->area != MAP_FAILED)
		munmap(stream->area, stream->room);
	free(stream);
}
