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
#include <time.h>
#include <unistd.h>

#include "etype_ids.h"
#include "messages.h"
#include "stream.h"

#define NS_PER_S    1000000000ll
#define RECID_MASK  ((1u << LKST_RECORD_LAP_BITS) - 1)
#define RECORD_SIZE sizeof(struct lkst_event_record)

/* Records of what was read, from @index to the next segment, whose recids follow each other. */
struct segment {
	size_t index;
	uint64_t recid;
};

/**
 * struct lkst_stream - a CPU's records as they come
 * @ops: where from
 * @ctx: for @ops
 * @dev: for the device's @ops
 * @cpu: CPU
 * @room: records at @record
 * @record: what was read last, with @num of them
 * @segment: of these, @segments of them; the first @given were handed out
 * @next: recid after the last record that was read
 * @known: @next is more than the low bits
 * @told: recid after the last one that was handed out, or that is no loss: losses count from here
 * @telling: @told is something
 * @end: where the buffer that is being read ends; 0: none is
 * @redate: it has another clock than @run says
 * @run: what all runs of this buffer have in common
 * @ahead_ns: by how much the wall clock is ahead of the monotonic one
 */
struct lkst_stream {
	const struct lkst_stream_ops *ops;
	void *ctx;
	struct lkst_device *dev;
	int32_t cpu;
	size_t room;
	size_t num;
	struct lkst_event_record *record;
	struct segment *segment;
	size_t segments;
	size_t given;
	uint64_t next;
	bool known;
	uint64_t told;
	bool telling;
	uint64_t end;
	bool redate;
	struct lkst_run run;
	int64_t ahead_ns;
};

static uint64_t low_bits(const struct lkst_event_record *record)
{
	return record->flags >> LKST_RECORD_LAP_SHIFT;
}

/* The first recid from @from on that a record can have. */
static uint64_t lift(const struct lkst_event_record *record, uint64_t from)
{
	return from + ((low_bits(record) - from) & RECID_MASK);
}

/* ---- what a record of LKST's own tells ---- */

static void take_time(struct lkst_stream *stream, const struct lkst_event_record *record)
{
	struct lkst_run *run = &stream->run;

	run->xtime_ns =
		(int64_t)(record->arg[0] >> 32) * NS_PER_S + (int64_t)(record->arg[0] & 0xffffffff);
	run->tsc = record->arg[1];
	run->freq_khz = record->arg[2];
	run->monotonic_ns = (int64_t)record->arg[3];
	stream->ahead_ns = run->xtime_ns - run->monotonic_ns;
}

/* ---- placing: what recids do the records have? ---- */

static uint64_t recid_of(const struct lkst_stream *stream, size_t segment, size_t index)
{
	return stream->segment[segment].recid + (index - stream->segment[segment].index);
}

static size_t segment_of(const struct lkst_stream *stream, size_t index)
{
	size_t i = stream->segments - 1;

	while (stream->segment[i].index > index)
		i--;
	return i;
}

/* All records from the first one on whose recid is @from or greater are further by @distance. */
static void move(struct lkst_stream *stream, uint64_t from, uint64_t distance)
{
	size_t i = stream->segments, end = stream->num;

	while (i && stream->segment[i - 1].recid >= from)
		stream->segment[--i].recid += distance;
	if (i < stream->segments)
		end = stream->segment[i].index;
	if (!i || recid_of(stream, i - 1, end) <= from)
		return;
	/* It is in the middle of what seemed to be one segment. */
	memmove(&stream->segment[i + 1], &stream->segment[i],
		(stream->segments - i) * sizeof(*stream->segment));
	stream->segments++;
	stream->segment[i].index = end - (size_t)(recid_of(stream, i - 1, end) - from);
	stream->segment[i].recid = from + distance;
}

/* A buffer that began with @first tells so in this record. */
static void place_shift(struct lkst_stream *stream, size_t index, uint64_t first)
{
	uint64_t recid = recid_of(stream, segment_of(stream, index), index);
	uint64_t right = lift(&stream->record[index], first);

	if (right > recid)
		move(stream, first - (right - recid), right - recid);
}

/* The last record has this recid: what is missing is so in the last gap, or before all of them. */
static void place_last(struct lkst_stream *stream, uint64_t right)
{
	uint64_t recid = recid_of(stream, stream->segments - 1, stream->num - 1);

	if (right > recid && !((right - recid) & RECID_MASK))
		stream->segment[stream->segments - 1].recid += right - recid;
}

static void add_segment(struct lkst_stream *stream, size_t index, uint64_t recid)
{
	stream->segment[stream->segments++] = (struct segment){ index, recid };
}

/* As near to what was expected as the low bits allow; events that tell more correct that. */
static void place(struct lkst_stream *stream)
{
	uint64_t next = stream->next;

	stream->segments = 0;
	for (size_t i = 0; i < stream->num; i++) {
		const struct lkst_event_record *record = &stream->record[i];

		if (!i || low_bits(record) != (next & RECID_MASK)) {
			next = lift(record, next);
			add_segment(stream, i, next);
		}
		if (record->event_type == LKST_ETYPE_LKST_BUFF_SHIFT) {
			place_shift(stream, i, record->arg[2]);
			next = recid_of(stream, stream->segments - 1, i);
		} else if (record->event_type == LKST_ETYPE_LKST_SYNC_TIME) {
			take_time(stream, record);
		}
		next++;
	}
	stream->next = next;
}

/* ---- the list of buffers ---- */

static uint64_t end_of(const struct lkst_buffer_listent *ent)
{
	return (uint64_t)ent->baseid + ent->write_offset;
}

static const struct lkst_buffer_listent *find_buffer(const struct lkst_buffer_list *list,
						     lkst_buffer_id id)
{
	for (int i = 0; i < list->param.buffer_num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

/*
 * The buffer was read to its end. It ends where another one that is there ends or begins: the
 * nearest one whose low bits are right.
 */
static void place_by_ends(struct lkst_stream *stream, const struct lkst_buffer_list *list)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < list->param.buffer_num; i++) {
		const struct lkst_buffer_listent *ent = &list->ent[i];
		uint64_t end = ent->state == LKST_BUFFER_FREE ? end_of(ent) : ent->first_recid;

		if (end >= stream->next && end < best && !((end - stream->next) & RECID_MASK))
			best = end;
	}
	if (best != UINT64_MAX)
		place_last(stream, best - 1);
}

/* Compare with what the kernel knows. */
static int verify(struct lkst_stream *stream, struct lkst_error *err)
{
	const struct lkst_buffer_listent *ent;
	struct lkst_buffer_list list;
	uint64_t position;

	if (stream->ops->list(stream->ctx, &list, err))
		return -1;
	ent = find_buffer(&list, list.param.read_buf);
	position = list.param.read_pos;
	if (!ent) {
		place_by_ends(stream, &list);
		stream->end = 0;
	} else {
		/* Not before the first record of the next buffer, whose clock is another one. */
		if (position &&
		    low_bits(&stream->record[stream->num - 1]) == ((position - 1) & RECID_MASK))
			place_last(stream, position - 1);
		stream->run.buffer = ent->id;
		stream->end = end_of(ent);
		stream->redate = ent->clock != stream->run.clock;
	}
	lkst_buffer_list_free(&list);
	stream->next = recid_of(stream, stream->segments - 1, stream->num - 1) + 1;
	return 0;
}

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
	run->monotonic_ns = run->xtime_ns - stream->ahead_ns;
	memcpy(run->arch, param.arch, sizeof(run->arch));
	return 0;
}

/* Returns 1, 0 when there is nothing, -1 on an error. */
static int fill(struct lkst_stream *stream, struct lkst_error *err)
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
	got = stream->ops->read(stream->ctx, stream->record, want * RECORD_SIZE, err);
	if (got <= 0)
		return (int)got;
	stream->num = (size_t)got / RECORD_SIZE;
	stream->given = 0;
	if (begins && date(stream, err))
		return -1;
	place(stream);
	if ((begins || stream->segments > 1 || stream->num < want) && verify(stream, err))
		return -1;
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
 * @err: why not
 */
struct lkst_stream *lkst_stream_new(const struct lkst_stream_ops *ops, void *ctx, int32_t cpu,
				    size_t room, struct lkst_error *err)
{
	struct lkst_stream *stream = calloc(1, sizeof(*stream));
	struct timespec wall, monotonic;

	if (!stream)
		goto no_memory;
	stream->ops = ops;
	stream->ctx = ctx;
	stream->cpu = cpu;
	stream->run.cpu = cpu;
	stream->room = room / RECORD_SIZE ? room / RECORD_SIZE : 1;
	stream->record = aligned_alloc(RECORD_SIZE, stream->room * RECORD_SIZE);
	/* move() may make one more than there are records. */
	stream->segment = malloc((stream->room + 2) * sizeof(*stream->segment));
	if (!stream->record || !stream->segment)
		goto no_memory;
	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	stream->ahead_ns =
		(wall.tv_sec - monotonic.tv_sec) * NS_PER_S + wall.tv_nsec - monotonic.tv_nsec;
	if (!date(stream, err))
		return stream;
	goto fail;

no_memory:
	lkst_error_memory(err, "the stream of records");
fail:
	if (stream) {
		free(stream->record);
		free(stream->segment);
	}
	free(stream);
	return NULL;
}

/**
 * lkst_stream_expect() - losses count from a recid on
 * @stream: nothing was read yet
 * @recid: the next one, if nothing is lost; an earlier reader came so far
 */
void lkst_stream_expect(struct lkst_stream *stream, uint64_t recid)
{
	stream->next = stream->told = recid;
	stream->known = stream->telling = true;
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
	const struct segment *segment;
	size_t end;

	if (stream->given == stream->segments) {
		int ret = fill(stream, err);

		if (ret <= 0)
			return ret;
	}
	segment = &stream->segment[stream->given++];
	end = stream->given < stream->segments ? segment[1].index : stream->num;
	*run = stream->run;
	run->first_recid = segment->recid;
	run->record = &stream->record[segment->index];
	run->num = end - segment->index;
	run->lost = segment->recid > stream->told ? segment->recid - stream->told : 0;
	stream->told = segment->recid + run->num;
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
	free(stream->record);
	free(stream->segment);
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
 * @err: why not; sys_errno EBUSY: another process is bound
 */
struct lkst_stream *lkst_stream_open(int32_t cpu, size_t room, struct lkst_error *err)
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
	stream = lkst_stream_new(&device_ops, source, cpu, room, err);
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
