// SPDX-License-Identifier: LGPL-2.1
/*
 * What read() hands out, with whole recids.
 *
 * A RAW record has the low 11 bits of its recid. Within a buffer that says it all, but between two
 * buffers any number of records may be missing. So of each buffer one record is read alone: then the
 * list of buffers says exactly which one that was (read_pos is the recid after it), and where the
 * buffer ends. What is left of it follows in as few calls as there is room for. Where something is
 * not as foreseen, the list is asked again, and an lkst_buff_shift says with which recid its buffer
 * begins.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "messages.h"
#include "stream.h"

/* ---- reading ---- */

static int date(struct lkst_stream *stream, struct lkst_error *err)
{
	struct lkst_buffer_srmodparam param = {
		.cpu = stream->cpu,
		.mode = LKST_READ_MODE_RAW,
	};
	struct lkst_run *run = &stream->run;

	if (stream->ops->date(stream->ctx, &param, err))
		return -1;
	stream->redate = false;
	run->clock = param.clock;
	run->tsc = param.tsc;
	run->freq_khz = param.cpu_freq;
	run->xtime_ns = param.xtime.tv_sec * NS_PER_S + param.xtime.tv_usec * 1000;
	run->monotonic_ns = stream->ahead ? run->xtime_ns - stream->ahead_ns : INT64_MIN;
	memcpy(run->arch, param.arch, sizeof(run->arch));
	return 0;
}

#define in_this_order() __asm__ volatile("" : : : "memory")

/* From now on what is in the area is whole. */
void stream_publish(struct lkst_stream *stream)
{
	struct area *area = stream->area;

	area->num = stream->num;
	area->given = stream->given;
	area->run = stream->run;
	in_this_order();
	area->ready = stream->segments;
	area->reading = 0;
}

/* From now on it is not, but if @whole it can be made so: the records follow each other. */
static void begin_reading(struct lkst_stream *stream, uint64_t want, bool whole)
{
	struct area *area = stream->area;

	area->ready = 0;
	area->from = stream->next;
	area->want = want;
	in_this_order();
	area->reading = whole;
	in_this_order();
}

/* Returns 1, 0 when there is nothing, -1 on an error. */
int stream_fill(struct lkst_stream *stream, struct lkst_error *err)
{
	bool begins = stream->next >= stream->end;
	size_t want = 1;
	ssize_t got;

	if (!begins) {
		uint64_t left = stream->end - stream->next;

		want = left < stream->room ? (size_t)left : stream->room;
	}
	if (stream->redate && date(stream, err))
		return -1;
	begin_reading(stream, want, !begins);
	got = stream->ops->read(stream->ctx, stream->record, want * RECORD_SIZE, err);
	if (got <= 0)
		return (int)got;
	stream->num = (size_t)got / RECORD_SIZE;
	stream->given = 0;
	if (begins && date(stream, err))
		return -1;
	stream_place(stream);
	if ((begins || stream->segments > 1 || stream->num < want) && stream_verify(stream, err))
		return -1;
	stream_publish(stream);
	if (!stream->known && !stream->telling)
		stream->told = stream->segment[0].recid;
	stream->known = stream->telling = true;
	return 1;
}

/**
 * lkst_stream_new() - a stream of records that come from anywhere
 * @ops: where from
 * @ctx: for @ops
 * @cpu: CPU
 * @room: bytes for records
 * @path: file for them, which may hold what another process has left there; NULL: none
 * @err: why not
 */
struct lkst_stream *lkst_stream_new(const struct lkst_stream_ops *ops, void *ctx, int32_t cpu,
				    size_t room, const char *path, struct lkst_error *err)
{
	struct lkst_stream *stream = calloc(1, sizeof(*stream));

	if (!stream) {
		lkst_error_memory(err, "the stream of records");
		return NULL;
	}
	stream->ops = ops;
	stream->ctx = ctx;
	stream->cpu = cpu;
	stream->run.cpu = cpu;
	stream->room = room / RECORD_SIZE ? room / RECORD_SIZE : 1;
	if (!stream_area_open(stream, path, err) && !date(stream, err))
		return stream;
	if (stream->area)
		munmap(stream->area, stream->area_size);
	free(stream);
	return NULL;
}

/* The run of a segment, without what was handed out already by an earlier process. */
static void make_run(struct lkst_stream *stream, struct lkst_run *run)
{
	const struct segment *segment = &stream->segment[stream->given++];
	size_t end = stream->given < stream->segments ? segment[1].index : stream->num;
	uint64_t skip = 0;

	stream->area->given = stream->given;
	*run = stream->run;
	run->num = end - segment->index;
	if (segment->recid < stream->told)
		skip = stream->told - segment->recid;
	if (skip > run->num)
		skip = run->num;
	run->first_recid = segment->recid + skip;
	run->record = &stream->record[segment->index + skip];
	run->num -= skip;
	if (!run->num)
		return;
	run->lost = run->first_recid - stream->told;
	stream->told = run->first_recid + run->num;
}

/**
 * lkst_stream_next() - the next records
 * @stream: stream
 * @run: result; what it points to holds until the next call
 * @err: why not
 *
 * Return: 1, 0 when there is nothing to read now: poll() tells when there is; -1 on an error.
 */
int lkst_stream_next(struct lkst_stream *stream, struct lkst_run *run, struct lkst_error *err)
{
	do {
		if (stream->given == stream->segments) {
			int ret = stream_fill(stream, err);

			if (ret <= 0)
				return ret;
		}
		make_run(stream, run);
	} while (!run->num);
	return 1;
}

/**
 * lkst_stream_position() - the recid after the last one that was handed out
 * @stream: stream
 *
 * Return: 0 before the first one.
 */
uint64_t lkst_stream_position(const struct lkst_stream *stream)
{
	return stream->told;
}

/**
 * lkst_stream_close() - end a stream; its CPU's read queue is free for others
 * @stream: may be NULL
 */
void lkst_stream_close(struct lkst_stream *stream)
{
	if (!stream)
		return;
	if (stream->ops->close)
		stream->ops->close(stream->ctx);
	lkst_device_close(stream->dev);
	munmap(stream->area, stream->area_size);
	free(stream);
}

/* ---- the device ---- */

struct source {
	struct lkst_device *dev;
	int32_t cpu;
};

static ssize_t device_read(void *ctx, void *to, size_t size, struct lkst_error *err)
{
	const struct source *source = ctx;
	ssize_t got;

	do {
		got = read(lkst_device_fd(source->dev), to, size);
	} while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got < 0)
		lkst_error_system(err, errno, LKST_DEVICE_PATH, "read");
	return got;
}

static int device_list(void *ctx, struct lkst_buffer_list *list, struct lkst_error *err)
{
	const struct source *source = ctx;

	return lkst_buffer_list_get(source->dev, source->cpu, list, err);
}

static int device_date(void *ctx, struct lkst_buffer_srmodparam *param, struct lkst_error *err)
{
	const struct source *source = ctx;

	return lkst_read_bind(source->dev, param, err);
}

static const struct lkst_stream_ops device_ops = {
	.read = device_read,
	.list = device_list,
	.date = device_date,
	.close = free,
};

/**
 * lkst_stream_open() - bind this process to a CPU, to read what it records as it comes
 * @cpu: CPU
 * @room: bytes to read at once; that of a buffer is best, which is then free again soonest
 * @path: file for what was read, so that a successor can have it, lkst_stream_resume(); NULL: none
 * @err: why not; sys_errno EBUSY: another process is bound
 */
struct lkst_stream *lkst_stream_open(int32_t cpu, size_t room, const char *path,
				     struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	struct source *source = malloc(sizeof(*source));
	struct lkst_stream *stream = NULL;

	if (!source)
		lkst_error_memory(err, "the stream of records");
	if (!dev || !source)
		goto fail;
	*source = (struct source){ dev, cpu };
	if (fcntl(lkst_device_fd(dev), F_SETFL, O_RDWR | O_NONBLOCK)) {
		lkst_error_system(err, errno, LKST_DEVICE_PATH, "fcntl");
		goto fail;
	}
	stream = lkst_stream_new(&device_ops, source, cpu, room, path, err);
	if (!stream)
		goto fail;
	stream->dev = dev;
	return stream;

fail:
	free(source);
	lkst_device_close(dev);
	return NULL;
}

/**
 * lkst_stream_fd() - for poll(): POLLIN when lkst_stream_next() has something
 * @stream: from lkst_stream_open()
 */
int lkst_stream_fd(const struct lkst_stream *stream)
{
	return lkst_device_fd(stream->dev);
}
