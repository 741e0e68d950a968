// SPDX-License-Identifier: LGPL-2.1
/*
 * The records of one CPU or of all of them, as they come: LKST_READ_MODE_BLOCK. The kernel keeps the
 * position and counts the losses; a block that is read becomes a struct lkst_run, without a copy.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device_call.h"
#include "messages.h"
#include "stream.h"

#define RECORD_SIZE sizeof(struct lkst_event_record)

_Static_assert(sizeof(struct lkst_block) == LKST_SIZEOF_LKST_BLOCK, "header of a block");

/**
 * struct lkst_stream - an open file that reads blocks
 * @dev: the file
 * @cpu: CPU, -1: all
 * @arch: machine as uname -m has it
 * @area: what the last read() returned, @len bytes
 * @room: bytes at @area
 * @at: where the next block begins
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

static int bind(struct lkst_stream *stream, struct lkst_error *err)
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
 * @dev: device whose read() does not wait; the stream's from now on, closed also after an error;
 *	NULL: there is none, and @err says why
 * @cpu: CPU, -1: all
 * @room: bytes to read at once
 * @err: why not
 */
struct lkst_stream *lkst_stream_new(struct lkst_device *dev, int32_t cpu, size_t room,
				    struct lkst_error *err)
{
	struct lkst_stream *stream = dev ? calloc(1, sizeof(*stream)) : NULL;

	if (room < LKST_SIZEOF_LKST_BLOCK + RECORD_SIZE)
		room = LKST_SIZEOF_LKST_BLOCK + RECORD_SIZE;
	if (stream)
		stream->area = malloc(room);
	if (dev && (!stream || !stream->area)) {
		lkst_error_memory(err, "the records of a CPU");
		goto fail;
	}
	if (!dev)
		return NULL;
	stream->dev = dev;
	stream->cpu = cpu;
	stream->room = room;
	if (!bind(stream, err))
		return stream;
fail:
	if (stream)
		free(stream->area);
	free(stream);
	lkst_device_close(dev);
	return NULL;
}

/**
 * lkst_stream_open() - read what a CPU records, or all CPUs, in blocks
 * @cpu: CPU, -1: all
 * @room: bytes to read at once; at least a header and a record are made of it
 * @err: why not
 *
 * Any number of streams can read the same CPU. It begins with the oldest record that is there.
 */
struct lkst_stream *lkst_stream_open(int32_t cpu, size_t room, struct lkst_error *err)
{
	return lkst_stream_new(device_open(O_NONBLOCK, err), cpu, room, err);
}

static bool is_good(const struct lkst_stream *stream, const struct lkst_block *block, size_t left)
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

/* The next block if it is whole. If not, nothing behind it can be relied on. */
static const struct lkst_block *next_block(const struct lkst_stream *stream)
{
	const struct lkst_block *block = (const void *)(stream->area + stream->at);
	size_t left = stream->len - stream->at;

	return left >= sizeof(*block) && is_good(stream, block, left) ? block : NULL;
}

/* What was read of @cpu before a seek is not what comes next. The blocks of other CPUs are. */
static void leave_out(struct lkst_stream *stream, int32_t cpu)
{
	const struct lkst_block *block;
	size_t first = stream->at, to = first;

	while ((block = next_block(stream))) {
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
 * lkst_stream_seek() - go on reading elsewhere
 * @stream: stream; blocks of @cpu that were read and not handed out yet are left out
 * @cpu: CPU, one of the stream's
 * @recid: the next record wanted, 0: the oldest that is there; LKST_BLOCK_RECID_END: only what is
 *	recorded from now on
 * @err: why not; sys_errno EINVAL: the CPU has not recorded as much
 */
int lkst_stream_seek(struct lkst_stream *stream, int32_t cpu, uint64_t recid,
		     struct lkst_error *err)
{
	struct lkst_block_seekparam param = { .cpu = cpu, .recid = recid };

	if (CALL(stream->dev, LKST_IOC_BLOCK_SEEK, &param, err))
		return -1;
	leave_out(stream, cpu);
	return 0;
}

/**
 * lkst_stream_timeout() - how long a record may wait until the stream can be read
 * @stream: stream
 * @ms: milliseconds; 0: until its buffer is full
 * @err: why not
 */
int lkst_stream_timeout(struct lkst_stream *stream, unsigned int ms, struct lkst_error *err)
{
	struct lkst_block_waitparam param = { .timeout = ms };

	return CALL(stream->dev, LKST_IOC_BLOCK_WAIT, &param, err) ? -1 : 0;
}

/**
 * lkst_stream_flush() - have all that is recorded by now be read at once
 * @stream: stream
 * @err: why not
 */
int lkst_stream_flush(struct lkst_stream *stream, struct lkst_error *err)
{
	return CALL(stream->dev, LKST_IOC_BLOCK_FLUSH, NULL, err) ? -1 : 0;
}

static void make_run(const struct lkst_stream *stream, const struct lkst_block *block,
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
}

/**
 * lkst_stream_next() - the next block
 * @stream: stream
 * @run: result; @run->record holds until the next call
 * @err: why not; what was read with a block that is damaged is left out
 *
 * Return: 1; 0: nothing can be read now, and poll() waits until something can; -1: an error.
 */
int lkst_stream_next(struct lkst_stream *stream, struct lkst_run *run, struct lkst_error *err)
{
	const struct lkst_block *block;
	ssize_t got;

	if (stream->at == stream->len) {
		stream->at = stream->len = 0;
		got = device_read(stream->dev, stream->area, stream->room, err);
		if (got <= 0)
			return (int)got;
		stream->len = (size_t)got;
	}
	block = next_block(stream);
	if (!block) {
		stream->at = stream->len;
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_BLOCK, LKST_DEVICE_PATH);
		return -1;
	}
	stream->at += block->size;
	make_run(stream, block, run);
	return 1;
}

/**
 * lkst_stream_fd() - for poll(): POLLIN when lkst_stream_next() has something
 * @stream: from lkst_stream_open()
 */
int lkst_stream_fd(const struct lkst_stream *stream)
{
	return lkst_device_fd(stream->dev);
}

/**
 * lkst_stream_close() - end a stream
 * @stream: may be NULL
 */
void lkst_stream_close(struct lkst_stream *stream)
{
	if (!stream)
		return;
	lkst_device_close(stream->dev);
	free(stream->area);
	free(stream);
}
