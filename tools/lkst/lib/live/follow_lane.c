// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads new records of a CPU. Each CPU has its own stream, so that the buffers of a busy CPU can be
 * left unread until the events of the other CPUs have been read.
 */
#include <stdlib.h>

#include "follow_context.h"
#include "follow_lane.h"
#include "lib/base/error.h"
#include "lib/device/call.h"
#include "lib/device/run.h"
#include "lib/trace/chunk.h"
#include "lib/trace/clock.h"
#include "lib/trace/cursor.h"
#include "lib/trace/format.h"
#include "lib/trace/pack.h"
#include "lib/trace/payload.h"
#include "lib/trace/reader.h"
#include "stream.h"

#define RUN_MAX	       2048 /* records */
#define INTERRUPTED_NS 1000000000 /* if the time goes back by more, the clock was set */

_Static_assert(RUN_MAX <= LKST_CHUNK_RECORDS, "a cursor has room for a run");
_Static_assert(FOLLOW_WAIT_MAX > CHAINS_REACH, "a full lane does not wait for parts");

/* ---- events that wait to be returned ---- */

static enum chain_role follow_lane_role(const struct follow_reader *reader, uint32_t type)
{
	if (type == LKST_ETYPE_LKST_MORE)
		return CHAIN_PART;
	return trace_is_head(reader->heads, type) ? CHAIN_HEAD : CHAIN_PLAIN;
}

/**
 * follow_lane_front() - get the next event of a lane
 * @lane: lane
 *
 * Return: the event; NULL if the lane has none.
 */
const struct chain_item *follow_lane_front(struct follow_lane *lane)
{
	return chains_front(&lane->waiting);
}

/**
 * follow_lane_ready() - check whether the next event of a lane is complete
 * @lane: lane that has an event
 *
 * If the event is the head of a chain, its parts might not have been read yet. They are normally
 * read together with the head, or by the next poll. Wait for FOLLOW_CHAIN_POLLS polls at most. If
 * the lane is full, the head is ready in any case: more than CHAINS_REACH records follow it, so
 * further parts cannot belong to it.
 */
bool follow_lane_ready(struct follow_lane *lane)
{
	if (chains_ready(&lane->waiting))
		return true;
	if (lane->head != lane->waiting.first + 1) {
		lane->head = lane->waiting.first + 1;
		lane->head_polls = lane->polls;
	}
	return lane->polls - lane->head_polls >= FOLLOW_CHAIN_POLLS;
}

static int follow_lane_take(struct follow_reader *reader, struct follow_lane *lane, uint32_t i,
			    struct lkst_error *err)
{
	struct lkst_event event;
	int64_t back;

	trace_get_event(&reader->trace, &reader->cursor, i, &event);
	if (reader->context && follow_context_learn(reader->context, event.type))
		trace_heads_of(follow_context_etypes(reader->context), reader->heads);
	event.nth = trace_count_oops_regs(&lane->oops, event.recid, event.cpu, event.type);
	/*
	 * If an interrupt occurs while a record is being written, a record from the interrupt
	 * follows that record, but can have an earlier time. The record from the interrupt then
	 * gets the key of the record before it, so that keys do not decrease unless the clock is
	 * set.
	 */
	if (__builtin_sub_overflow(lane->latest, event.time_ns, &back) || back > INTERRUPTED_NS ||
	    back < 0)
		lane->latest = event.time_ns;
	if (!chains_push(&lane->waiting, &event, follow_lane_role(reader, event.type), lane->latest,
			 reader->poll))
		return 0;
	lkst_error_memory(err, "the events of a CPU");
	return -1;
}

/* ---- finding the time of records ---- */

/*
 * Keep only the last pair of clock readings (lib/trace/clock.c) of each CPU. The times of the CPU's
 * next run are computed from this pair.
 */
static void follow_lane_forget_syncs(struct lkst_trace *trace)
{
	size_t kept = 0;

	for (size_t i = 0; i < trace->syncs; i++)
		if (i + 1 == trace->syncs || trace->sync[i].cpu != trace->sync[i + 1].cpu)
			trace->sync[kept++] = trace->sync[i];
	trace->syncs = kept;
}

static int follow_lane_take_run(struct follow_reader *reader, struct follow_lane *lane,
				const struct lkst_run *run, struct lkst_error *err)
{
	struct cursor *c = &reader->cursor;
	int ret;

	c->header = trace_run_header(run);
	c->header.first_recid = run->first_recid;
	c->data = (uint8_t *)(uintptr_t)run->record;
	c->count = (uint32_t)run->num;
	reader->stream.machine = trace_machine_of(run->arch);
	ret = trace_learn_syncs(&reader->trace, c, err);
	if (!ret) {
		trace_sort_syncs(&reader->trace);
		trace_date_raw(&reader->trace, c);
	}
	for (uint32_t i = 0; !ret && i < c->count; i++)
		ret = follow_lane_take(reader, lane, i, err);
	follow_lane_forget_syncs(&reader->trace);
	reader->lost += run->lost;
	lane->next = run->first_recid + run->num;
	lane->begun = true;
	return ret;
}

/**
 * follow_reader_open() - set up what the lanes share
 * @reader: result; the caller must close it even after an error
 * @dev: device, which the caller closes
 * @err: set if an allocation fails
 */
int follow_reader_open(struct follow_reader *reader, struct lkst_device *dev,
		       struct lkst_error *err)
{
	reader->dev = dev;
	reader->trace.boot = &reader->boot;
	reader->trace.source = &reader->source;
	reader->stream.record_size = sizeof(struct lkst_event_record);
	reader->cursor.stream = &reader->stream;
	if (!trace_cursor_open(&reader->cursor, RUN_MAX))
		return 0;
	lkst_error_memory(err, "the records of a CPU");
	return -1;
}

/**
 * follow_reader_close() - free what the lanes share
 * @reader: may be all zero
 */
void follow_reader_close(struct follow_reader *reader)
{
	trace_cursor_close(&reader->cursor);
	free(reader->trace.sync);
}

/* ---- reading a CPU's buffers ---- */

/*
 * Set @end to the recid that the CPU's next event will have. Unless @lane->begun is set, also set
 * @lane->next to the recid of the oldest record in the CPU's buffers; @end if they are empty.
 */
static int follow_lane_recorded(struct follow_lane *lane, struct lkst_device *dev, uint64_t *end,
				struct lkst_error *err)
{
	struct lkst_buffer_list list;
	uint64_t first = UINT64_MAX;

	if (lkst_buffer_list_get(dev, lane->cpu, &list, err))
		return -1;
	*end = 0;
	for (int i = 0; i < list.param.buffer_num; i++) {
		const struct lkst_buffer_listent *ent = &list.ent[i];
		uint64_t next = (uint64_t)ent->baseid + ent->write_offset;

		*end = next > *end ? next : *end;
		if (ent->first_recid < next && ent->first_recid < first)
			first = ent->first_recid;
	}
	lkst_buffer_list_free(&list);
	if (!lane->begun)
		lane->next = first < *end ? first : *end;
	return 0;
}

/**
 * follow_lane_poll() - read as many new records of a CPU as the lane has room for
 * @lane: lane of the CPU
 * @reader: shared by the lanes
 * @err: set on failure
 *
 * An unfinished record delays the records after it. The kernel skips an unfinished record after a
 * second.
 */
int follow_lane_poll(struct follow_lane *lane, struct follow_reader *reader, struct lkst_error *err)
{
	struct lkst_run run;
	uint64_t end;
	int ret;

	reader->poll++;
	lane->polls++;
	lane->full = false;
	if (follow_lane_recorded(lane, reader->dev, &end, err))
		return -1;
	if (lane->next < end && lkst_stream_flush(lane->stream, err))
		return -1;
	while (lane->next < end) {
		lane->full = lane->waiting.end - lane->waiting.first >= FOLLOW_WAIT_MAX;
		if (lane->full)
			return 0;
		ret = lkst_stream_next(lane->stream, &run, err);
		if (ret <= 0)
			return ret;
		if (follow_lane_take_run(reader, lane, &run, err))
			return -1;
	}
	lane->complete = reader->poll;
	return 0;
}

/**
 * follow_lane_begin() - start to follow a CPU
 * @lane: result; must be all zero
 * @cpu: CPU
 * @history: true to start with the oldest record in the buffers; false to read only new records
 * @reader: shared by the lanes
 * @err: set on failure
 */
int follow_lane_begin(struct follow_lane *lane, int32_t cpu, bool history,
		      struct follow_reader *reader, struct lkst_error *err)
{
	size_t room = LKST_SIZEOF_LKST_BLOCK + RUN_MAX * sizeof(struct lkst_event_record);

	lane->cpu = cpu;
	lane->waiting.keep = reader->keep_parts;
	lane->waiting.skipped = &reader->parts_skipped;
	lane->latest = INT64_MIN;
	lane->oops.nth = LKST_NTH_UNKNOWN;
	lane->stream = lkst_stream_new(device_reopen(reader->dev, err), cpu, room, err);
	if (!lane->stream)
		return -1;
	if (history)
		return 0;
	lane->begun = true;
	if (follow_lane_recorded(lane, reader->dev, &lane->next, err))
		return -1;
	return lkst_stream_seek(lane->stream, cpu, lane->next, err);
}

/**
 * follow_lane_end() - free a lane
 * @lane: may be all zero
 */
void follow_lane_end(struct follow_lane *lane)
{
	lkst_stream_close(lane->stream);
	chains_close(&lane->waiting);
}
