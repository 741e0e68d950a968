// SPDX-License-Identifier: LGPL-2.1
/*
 * Merges the events of all lanes.
 *
 * Within a lane, events are returned in order of recids rather than times. If an interrupt occurs
 * while a record is being written, a record from the interrupt follows that record, but can have
 * an earlier time. Lanes are merged by the latest time that each has reached, then by CPU. If the
 * wall clock was set back and the monotonic clock is unknown, the latest time is reset at the
 * start of a chunk. Except in that case, LKST_NEWEST_FIRST returns the records in the exact
 * reverse of LKST_OLDEST_FIRST.
 *
 * A lane is the sequence of the records of a CPU (lanes.h).
 */
#include <stdlib.h>

#include "cursor.h"
#include "lane.h"
#include "lanes.h"
#include "lib/base/error.h"
#include "messages.h"
#include "reader.h"
#include "source.h"

/**
 * trace_drop_cursors() - stop reading, and free the cursors
 * @trace: trace
 */
void trace_drop_cursors(struct lkst_trace *trace)
{
	for (size_t i = 0; trace->cursor && i < trace->tracks; i++)
		trace_cursor_close(&trace->cursor[i]);
	for (size_t i = 0; i < trace->lanes; i++)
		trace_lane_close(&trace->lane[i]);
	free(trace->cursor);
	free(trace->heap);
	trace->cursor = NULL;
	trace->heap = NULL;
	trace->heap_num = 0;
}

static bool merge_before(const struct merge_key *a, const struct merge_key *b)
{
	return a->key != b->key ? a->key < b->key : a->rank < b->rank;
}

/* Return the position of a lane in the merge order. The lane must not have ended. */
static struct merge_key merge_key_of(const struct lkst_trace *trace, struct merge_lane *lane)
{
	const int64_t order = trace->order == LKST_OLDEST_FIRST ? 0 : -1;

	return (struct merge_key){ trace_lane_key(trace, lane) ^ order, lane->rank ^ order, lane };
}

static void merge_sift_down(struct lkst_trace *trace, size_t i)
{
	struct merge_key *heap = trace->heap, key = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= trace->heap_num)
			break;
		if (child + 1 < trace->heap_num && merge_before(&heap[child + 1], &heap[child]))
			child++;
		if (!merge_before(&heap[child], &key))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = key;
}

/* Find the runner-up: the smaller child of the first lane in the heap. */
static void merge_find_runner_up(struct lkst_trace *trace)
{
	const struct merge_key *heap = trace->heap;

	trace->runner_up = (struct merge_key){ INT64_MAX, INT64_MAX, NULL };
	for (size_t i = 1; i < 3 && i < trace->heap_num; i++)
		if (merge_before(&heap[i], &trace->runner_up))
			trace->runner_up = heap[i];
}

/*
 * Restore the heap after its first lane has advanced or ended. Nothing moves as long as that lane
 * is still before the runner-up.
 */
static void merge_next_lane(struct lkst_trace *trace)
{
	struct merge_lane *lane = trace->heap[0].lane;

	if (!trace_lane_ended(trace, lane)) {
		trace->heap[0] = merge_key_of(trace, lane);
		if (merge_before(&trace->heap[0], &trace->runner_up))
			return;
	} else {
		trace->heap[0] = trace->heap[--trace->heap_num];
	}
	if (trace->heap_num)
		merge_sift_down(trace, 0);
	merge_find_runner_up(trace);
}

/*
 * What is read: only chunks that have records at or after @since_ns. If @cpu is not -1, only the
 * records of that CPU and of the static buffer. If @lane is not NULL, only that lane.
 */
struct merge_part {
	int32_t cpu;
	int64_t since_ns;
	const struct merge_lane *lane;
};

/*
 * Return whether a part leaves out a lane. A part with the records of one CPU includes the static
 * buffer, which has records of all CPUs.
 */
static bool merge_leaves_out(const struct lkst_trace *trace, const struct merge_lane *lane,
			     const struct merge_part *part)
{
	int32_t own = trace->stream[lane->track->ref->stream].info.cpu;

	return (part->lane && part->lane != lane) ||
	       (part->cpu >= 0 && own >= 0 && own != part->cpu);
}

static int merge_begin_part(struct lkst_trace *trace, const struct merge_part *part,
			    struct lkst_error *err)
{
	trace_drop_cursors(trace);
	trace->overtaken = 0;
	trace->parts_skipped = 0;
	trace->is_part = part->lane || part->cpu >= 0 || part->since_ns > INT64_MIN;
	trace->cursor = calloc(trace->tracks + 1, sizeof(*trace->cursor));
	trace->heap = calloc(trace->lanes + 1, sizeof(*trace->heap));
	if (!trace->cursor || !trace->heap) {
		lkst_error_memory(err, "records");
		return -1;
	}
	for (size_t i = 0; i < trace->lanes; i++) {
		struct merge_lane *lane = &trace->lane[i];

		if (merge_leaves_out(trace, lane, part))
			continue;
		if (trace_lane_begin(trace, lane, part->since_ns, err))
			return -1;
		if (lane->now)
			trace->heap[trace->heap_num++] = merge_key_of(trace, lane);
	}
	for (size_t i = trace->heap_num / 2; i-- > 0;)
		merge_sift_down(trace, i);
	merge_find_runner_up(trace);
	return 0;
}

/**
 * lkst_trace_rewind() - return to the first record
 * @trace: trace
 * @order: order in which lkst_trace_next() returns the records
 * @err: set on failure
 */
int lkst_trace_rewind(struct lkst_trace *trace, enum lkst_order order, struct lkst_error *err)
{
	const struct merge_part all = { .cpu = -1, .since_ns = INT64_MIN };

	trace->order = order;
	return merge_begin_part(trace, &all, err);
}

/**
 * lkst_trace_rewind_part() - return to the first record of a part, and read only this part
 * @trace: trace
 * @cpu: CPU whose records are read, in addition to the static buffer; -1: all CPUs
 * @since_ns: chunks whose records are all before this time are left out. lkst_trace_next() may
 *	nevertheless return records that are before it
 * @err: set on failure
 *
 * The records are returned in the order LKST_OLDEST_FIRST. lkst_trace_lane_first() must not be
 * called before lkst_trace_rewind().
 */
int lkst_trace_rewind_part(struct lkst_trace *trace, int32_t cpu, int64_t since_ns,
			   struct lkst_error *err)
{
	const struct merge_part part = { .cpu = cpu, .since_ns = since_ns };

	trace->order = LKST_OLDEST_FIRST;
	return merge_begin_part(trace, &part, err);
}

/**
 * lkst_trace_rewind_lane() - return to the first record of a lane, and read only this lane
 * @trace: trace
 * @i: index of the lane, less than lkst_trace_lanes()
 * @order: order in which lkst_trace_next() returns the records
 * @err: set on failure
 *
 * Call lkst_trace_rewind() before the next call of lkst_trace_lane_first().
 */
int lkst_trace_rewind_lane(struct lkst_trace *trace, size_t i, enum lkst_order order,
			   struct lkst_error *err)
{
	const struct merge_part part = {
		.cpu = -1, .since_ns = INT64_MIN, .lane = &trace->lane[i]
	};

	trace->order = order;
	return merge_begin_part(trace, &part, err);
}

/* Report once how many parts have no head. */
static void merge_report_parts(struct lkst_trace *trace)
{
	/* If @is_part is set, reading may have begun in the middle of a chain. */
	if (!trace->parts_skipped || trace->parts_reported || trace->keep_parts || trace->is_part ||
	    !trace->sources)
		return;
	trace->parts_reported = true;
	trace_notice(trace, &trace->source[0], MSG_PARTS,
		     (unsigned long long)trace->parts_skipped);
}

/**
 * lkst_trace_next() - read the next record
 * @trace: after lkst_trace_rewind()
 * @event: result
 * @err: set on failure
 *
 * Return: 1 if @event was set; 0 after the last record; -1 on error.
 */
int lkst_trace_next(struct lkst_trace *trace, struct lkst_event *event, struct lkst_error *err)
{
	while (trace->heap_num) {
		int ret = trace_lane_next(trace, trace->heap[0].lane, event, err);

		if (ret < 0)
			return -1;
		merge_next_lane(trace);
		if (ret)
			return 1;
	}
	merge_report_parts(trace);
	if (trace->overtaken && trace->sources) {
		trace_notice(trace, &trace->source[0],
			     "%llu events were overwritten by newer ones while the trace was read",
			     (unsigned long long)trace->overtaken);
		trace->overtaken = 0;
	}
	return 0;
}

/**
 * lkst_trace_keep_parts() - choose whether the parts of chains are returned
 * @trace: trace; call lkst_trace_rewind() afterwards
 * @keep: true: also return the parts, each as a separate event; false: leave them out
 */
void lkst_trace_keep_parts(struct lkst_trace *trace, bool keep)
{
	trace->keep_parts = keep;
}

/**
 * lkst_trace_parts_skipped() - count the parts of chains that have no head
 * @trace: trace
 *
 * Return: number since the last lkst_trace_rewind().
 */
uint64_t lkst_trace_parts_skipped(const struct lkst_trace *trace)
{
	return trace->parts_skipped;
}
