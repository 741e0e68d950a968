// SPDX-License-Identifier: LGPL-2.1
/*
 * What is new in the buffers of a CPU. Each CPU has a stream of its own, so that a CPU that records
 * fast can be left alone while events of the others are still missing.
 */
#include <stdlib.h>

#include "device_call.h"
#include "follow_lane.h"
#include "messages.h"
#include "stream.h"
#include "trace_pack.h"

#define RUN_MAX	       2048 /* records */
#define INTERRUPTED_NS 1000000000 /* earlier by no more: it interrupted; else the clock was set */

_Static_assert(RUN_MAX <= TRACE_CHUNK_RECORDS, "a cursor has room for a run");

/* ---- what waits ---- */

static int make_room(struct follow_lane *lane, struct lkst_error *err)
{
	size_t room = lane->room ? lane->room * 2 : 256;
	struct follow_waiting *event;

	if (lane->num < lane->room)
		return 0;
	event = malloc(room * sizeof(*event));
	if (!event) {
		lkst_error_memory(err, "the events of a CPU");
		return -1;
	}
	for (size_t i = 0; i < lane->num; i++)
		event[i] = lane->event[(lane->first + i) % lane->room];
	free(lane->event);
	lane->event = event;
	lane->first = 0;
	lane->room = room;
	return 0;
}

static int take(struct follow_reader *reader, struct follow_lane *lane, uint32_t i,
		struct lkst_error *err)
{
	struct follow_waiting *waiting;
	int64_t back;

	if (make_room(lane, err))
		return -1;
	waiting = &lane->event[(lane->first + lane->num++) % lane->room];
	trace_get_event(&reader->trace, &reader->cursor, i, &waiting->event);
	waiting->event.nth = trace_count_oops_regs(&lane->run, waiting->event.recid, waiting->event.cpu,
					  waiting->event.type);
	waiting->look = reader->look;
	if (__builtin_sub_overflow(lane->latest, waiting->event.time_ns, &back) ||
	    back > INTERRUPTED_NS || back < 0)
		lane->latest = waiting->event.time_ns;
	waiting->key = lane->latest;
	return 0;
}

/* ---- when it was ---- */

/* Of those that the records of a CPU told, the last one is enough for its next run. */
static void forget_syncs(struct lkst_trace *trace)
{
	size_t kept = 0;

	for (size_t i = 0; i < trace->syncs; i++)
		if (i + 1 == trace->syncs || trace->sync[i].cpu != trace->sync[i + 1].cpu)
			trace->sync[kept++] = trace->sync[i];
	trace->syncs = kept;
}

static int take_run(struct follow_reader *reader, struct follow_lane *lane,
		    const struct lkst_run *run, struct lkst_error *err)
{
	struct cursor *c = &reader->cursor;
	int ret;

	c->head = trace_run_header(run);
	c->head.first_recid = run->first_recid;
	c->data = (uint8_t *)(uintptr_t)run->record;
	c->count = (uint32_t)run->num;
	reader->stream.machine = trace_machine_of(run->arch);
	ret = trace_learn_syncs(&reader->trace, c, err);
	if (!ret) {
		trace_sort_syncs(&reader->trace);
		trace_date_raw(&reader->trace, c);
	}
	for (uint32_t i = 0; !ret && i < c->count; i++)
		ret = take(reader, lane, i, err);
	forget_syncs(&reader->trace);
	reader->lost += run->lost;
	lane->next = run->first_recid + run->num;
	lane->begun = true;
	return ret;
}

/**
 * follow_reader_open() - what the lanes need to read
 * @reader: to set up; closed also after an error
 * @dev: stays the caller's
 * @err: no memory
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
 * follow_reader_close() - free what follow_reader_open() has
 * @reader: or is all zero
 */
void follow_reader_close(struct follow_reader *reader)
{
	trace_cursor_close(&reader->cursor);
	free(reader->trace.sync);
}

/* ---- a look at a CPU ---- */

/*
 * The recid that the CPU's next event gets, as far as its buffers tell. Until a run has told more,
 * the first one to come is the oldest in them.
 */
static int recorded(struct follow_lane *lane, struct lkst_device *dev, uint64_t *end,
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
 * follow_lane_look() - take what is new on a CPU, as far as there is room
 * @lane: its lane
 * @reader: what the lanes share
 * @err: why not
 *
 * A record that its writer has not finished holds up those behind it. The kernel passes over it after
 * a second.
 */
int follow_lane_look(struct follow_lane *lane, struct follow_reader *reader, struct lkst_error *err)
{
	struct lkst_run run;
	uint64_t end;
	int ret;

	reader->look++;
	lane->full = false;
	if (recorded(lane, reader->dev, &end, err))
		return -1;
	if (lane->next < end && lkst_stream_flush(lane->stream, err))
		return -1;
	while (lane->next < end) {
		lane->full = lane->num >= FOLLOW_WAIT_MAX;
		if (lane->full)
			return 0;
		ret = lkst_stream_next(lane->stream, &run, err);
		if (ret <= 0)
			return ret;
		if (take_run(reader, lane, &run, err))
			return -1;
	}
	lane->complete = reader->look;
	return 0;
}

/**
 * follow_lane_begin() - begin to follow a CPU
 * @lane: to set up; all zero
 * @cpu: the CPU
 * @history: with what its buffers hold, not with what comes
 * @reader: what the lanes share
 * @err: why not
 */
int follow_lane_begin(struct follow_lane *lane, int32_t cpu, bool history,
		      struct follow_reader *reader, struct lkst_error *err)
{
	size_t room = LKST_SIZEOF_LKST_BLOCK + RUN_MAX * sizeof(struct lkst_event_record);

	lane->cpu = cpu;
	lane->latest = INT64_MIN;
	lane->run.nth = LKST_NTH_UNKNOWN;
	lane->stream = lkst_stream_new(device_again(reader->dev, err), cpu, room, err);
	if (!lane->stream)
		return -1;
	if (history)
		return 0;
	lane->begun = true;
	if (recorded(lane, reader->dev, &lane->next, err))
		return -1;
	return lkst_stream_seek(lane->stream, cpu, lane->next, err);
}

/**
 * follow_lane_end() - free what a lane has
 * @lane: or is all zero
 */
void follow_lane_end(struct follow_lane *lane)
{
	lkst_stream_close(lane->stream);
	free(lane->event);
}
