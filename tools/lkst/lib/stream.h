/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A stream of records, inside: where they come from, which is a CPU's read queue or a test; what was
 * read; what recids it has (stream_place.c); what a successor gets (stream_area.c).
 */
#ifndef _LKST_STREAM_H
#define _LKST_STREAM_H

#include <sys/types.h>

#include "liblkst.h"

#define NS_PER_S    1000000000ll
#define RECID_MASK  ((1u << LKST_RECORD_LAP_BITS) - 1)
#define RECORD_SIZE sizeof(struct lkst_event_record)

/**
 * struct lkst_stream_ops - the calls of a stream
 * @read: as read() of a device that does not wait, in RAW mode: bytes, 0 when there is nothing, -1
 *	with the error
 * @list: the CPU's buffers, to be freed with lkst_buffer_list_free()
 * @date: binds the process, or asks again: the clock of the buffer that is being read, or else read
 *	next
 * @close: may be NULL
 */
struct lkst_stream_ops {
	ssize_t (*read)(void *ctx, void *to, size_t size, struct lkst_error *err);
	int (*list)(void *ctx, struct lkst_buffer_list *list, struct lkst_error *err);
	int (*date)(void *ctx, struct lkst_buffer_srmodparam *param, struct lkst_error *err);
	void (*close)(void *ctx);
};

/* Records of what was read, from @index to the next segment, whose recids follow each other. */
struct segment {
	size_t index;
	uint64_t recid;
};

/**
 * struct area - what was read, in memory that may outlive the process
 * @magic: AREA_MAGIC
 * @cpu: CPU
 * @room: records there is room for
 * @reading: a read() is under way, or what it got is not placed yet
 * @from: recid of the first record that it gets
 * @want: how many it gets at most, all of one buffer
 * @ready: segments of what was read; 0: it is not complete
 * @given: of these, how many were handed out
 * @num: records
 * @run: what all runs of it have in common
 *
 * Segments and records follow. Nobody but the process writes to it, and a killed one has done all
 * that comes before what it has not done: the order in which members are set is enough.
 */
struct area {
	char magic[8];
	int32_t cpu;
	uint32_t reading;
	uint64_t room;
	uint64_t from;
	uint64_t want;
	uint64_t ready;
	uint64_t given;
	uint64_t num;
	struct lkst_run run;
};

/**
 * struct lkst_stream - a CPU's records as they come
 * @ops: where from
 * @ctx: for @ops
 * @dev: for the device's @ops
 * @cpu: CPU
 * @area: in memory, of @area_size bytes; what was read last is there
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
 * @ahead: it is known by how much the wall clock is ahead of the monotonic one
 * @ahead_ns: by so much
 */
struct lkst_stream {
	const struct lkst_stream_ops *ops;
	void *ctx;
	struct lkst_device *dev;
	int32_t cpu;
	struct area *area;
	size_t area_size;
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
	bool ahead;
	int64_t ahead_ns;
};

static inline uint64_t stream_low_bits(const struct lkst_event_record *record)
{
	return record->flags >> LKST_RECORD_LAP_SHIFT;
}

struct lkst_stream *lkst_stream_new(const struct lkst_stream_ops *ops, void *ctx, int32_t cpu,
				    size_t room, const char *path, struct lkst_error *err);
int stream_fill(struct lkst_stream *stream, struct lkst_error *err);
void stream_publish(struct lkst_stream *stream);

void stream_place(struct lkst_stream *stream);
int stream_verify(struct lkst_stream *stream, struct lkst_error *err);
uint64_t stream_recid(const struct lkst_stream *stream, size_t segment, size_t index);
uint64_t stream_buffer_end(const struct lkst_buffer_listent *ent);
const struct lkst_buffer_listent *stream_find_buffer(const struct lkst_buffer_list *list,
						     lkst_buffer_id id);

int stream_area_open(struct lkst_stream *stream, const char *path, struct lkst_error *err);

#endif
