// SPDX-License-Identifier: LGPL-2.1
/*
 * Returns records in order. Memory is bounded: each track has a cursor, which holds one chunk.
 *
 * Within a lane, records are returned in order of recids rather than times. If an interrupt occurs
 * while a record is being written, a record from the interrupt follows that record, but can have an
 * earlier time. A record that several tracks contain is returned once. Lanes are merged by the
 * latest time that each has reached, then by CPU. If the wall clock was set back and the monotonic
 * clock is unknown, the latest time is reset at the start of a chunk. Except in that case,
 * LKST_NEWEST_FIRST returns the records in the exact reverse of LKST_OLDEST_FIRST.
 */
#include <stdlib.h>

#include "chunk.h"
#include "cursor.h"
#include "lanes.h"
#include "lib/base/error.h"
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
	free(trace->cursor);
	free(trace->heap);
	trace->cursor = NULL;
	trace->heap = NULL;
	trace->heap_num = 0;
}

static void set_place(struct cursor *c, uint32_t at)
{
	c->at = at;
	c->now = c->key[at];
	c->recid = trace_recid(c, at);
}

/* Load the cursor's next chunk. Returns 1 if there is one; 0 at the end; -1 on error. */
static int merge_load(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	const struct track *track = c->track;
	const struct chunk_ref *ref;
	int ret = 0;

	while (!ret) {
		if (!c->chunks_left) {
			trace_cursor_close(c);
			c->ended = true;
			return 0;
		}
		ref = &track->ref[trace->order == LKST_OLDEST_FIRST ? track->num - c->chunks_left :
								      c->chunks_left - 1];
		c->chunks_left--;
		c->floor_ns = ref->floor_ns;
		ret = trace_load(trace, c, ref, err);
		if (ret < 0)
			return -1;
		if (!ret)
			trace->overtaken += ref->count;
	}
	if (!ref->regs) {
		free(c->nth);
		c->nth = NULL;
	} else if (trace_number(c, &ref->oops)) {
		lkst_error_memory(err, "records");
		return -1;
	}
	set_place(c, trace->order == LKST_OLDEST_FIRST ? 0 : c->count - 1);
	return 1;
}

/* Load the cursor's current chunk again if begin_lane() has freed it. */
static int merge_begin(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	if (c->raw || c->ended)
		return 0;
	c->chunks_left++;
	return merge_load(trace, c, err) < 0 ? -1 : 0;
}

/* Advance to the next record. Returns 1 if there is one; 0 at the end; -1 on error. */
static int merge_advance(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	if (trace->order == LKST_OLDEST_FIRST ? c->at + 1 < c->count : c->at > 0) {
		const uint8_t *record;

		set_place(c, c->at + (trace->order == LKST_OLDEST_FIRST ? 1u : -1u));
		/* With many CPUs, other chunks have displaced the record from the caches. */
		record = c->data + (size_t)c->at * c->header.record_size;
		__builtin_prefetch(record);
		__builtin_prefetch(record + 64);
		return 1;
	}
	return merge_load(trace, c, err);
}

/* Choose the track with the next record of the lane. Returns false at the end of the lane. */
static inline bool merge_choose(const struct lkst_trace *trace, struct merge_lane *lane)
{
	struct cursor *best = NULL;

	for (size_t i = 0; i < lane->tracks; i++) {
		struct cursor *c = &lane->cursor[i];

		if (c->ended)
			continue;
		if (!best || (trace->order == LKST_OLDEST_FIRST ? c->recid < best->recid :
								  c->recid > best->recid))
			best = c;
	}
	lane->now = best;
	return best;
}

/* If other tracks of the lane are at the record with this recid, advance them past it. */
static int skip_same(struct lkst_trace *trace, const struct merge_lane *lane, uint64_t recid,
		     struct lkst_error *err)
{
	for (size_t i = 0; i < lane->tracks; i++) {
		struct cursor *c = &lane->cursor[i];

		if (c == lane->now || c->ended || c->recid != recid)
			continue;
		if (merge_begin(trace, c, err))
			return -1;
		if (!c->ended && c->recid == recid && merge_advance(trace, c, err) < 0)
			return -1;
	}
	return 0;
}

static bool merge_before(const struct merge_key *a, const struct merge_key *b)
{
	return a->key != b->key ? a->key < b->key : a->rank < b->rank;
}

/* Return the position of a lane in the merge order. The lane must not have ended. */
static struct merge_key merge_key_of(const struct lkst_trace *trace, struct merge_lane *lane)
{
	const int64_t order = trace->order == LKST_OLDEST_FIRST ? 0 : -1;

	return (struct merge_key){ lane->now->now ^ order, lane->rank ^ order, lane };
}

static void sift_down(struct lkst_trace *trace, size_t i)
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

	if (lane->now) {
		trace->heap[0] = merge_key_of(trace, lane);
		if (merge_before(&trace->heap[0], &trace->runner_up))
			return;
	} else {
		trace->heap[0] = trace->heap[--trace->heap_num];
	}
	if (trace->heap_num)
		sift_down(trace, 0);
	merge_find_runner_up(trace);
}

/*
 * Set up the cursors of a lane: read the key of the first record of each track. Then free the
 * chunks to save memory. merge_begin() loads each of them again when it is needed.
 */
static int begin_lane(struct lkst_trace *trace, struct merge_lane *lane, struct lkst_error *err)
{
	lane->cursor = &trace->cursor[lane->track - trace->track];
	for (size_t i = 0; i < lane->tracks; i++) {
		struct cursor *c = &lane->cursor[i];

		c->track = &lane->track[i];
		c->chunks_left = c->track->num;
		if (merge_load(trace, c, err) < 0)
			return -1;
		trace_cursor_close(c);
	}
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
	trace_drop_cursors(trace);
	trace->order = order;
	trace->overtaken = 0;
	trace->cursor = calloc(trace->tracks + 1, sizeof(*trace->cursor));
	trace->heap = calloc(trace->lanes + 1, sizeof(*trace->heap));
	if (!trace->cursor || !trace->heap) {
		lkst_error_memory(err, "records");
		return -1;
	}
	for (size_t i = 0; i < trace->lanes; i++) {
		struct merge_lane *lane = &trace->lane[i];

		if (begin_lane(trace, lane, err))
			return -1;
		if (merge_choose(trace, lane))
			trace->heap[trace->heap_num++] = merge_key_of(trace, lane);
	}
	for (size_t i = trace->heap_num / 2; i-- > 0;)
		sift_down(trace, i);
	merge_find_runner_up(trace);
	return 0;
}

/*
 * Take the next record of a lane. Returns 1 if @event was set; 0 if the record was overwritten, or
 * is a hole (there is no record with this recid); -1 on error.
 */
static int merge_take(struct lkst_trace *trace, struct merge_lane *lane, struct lkst_event *event,
		      struct lkst_error *err)
{
	struct cursor *c = lane->now;
	uint64_t recid = c->recid;
	bool hole;

	if (merge_begin(trace, c, err))
		return -1;
	/* If a different record is here now, the chunk was overwritten in the file. */
	if (c->ended || c->recid != recid)
		return 0;
	hole = trace_is_hole(c, c->at);
	if (!hole) {
		trace_get_event(trace, c, c->at, event);
		if (lane->tracks > 1 && skip_same(trace, lane, recid, err))
			return -1;
	}
	return merge_advance(trace, c, err) < 0 ? -1 : !hole;
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
		struct merge_lane *lane = trace->heap[0].lane;
		int ret = merge_take(trace, lane, event, err);

		if (ret < 0)
			return -1;
		merge_choose(trace, lane);
		merge_next_lane(trace);
		if (ret)
			return 1;
	}
	if (trace->overtaken && trace->sources) {
		trace_notice(trace, &trace->source[0],
			     "%llu events were overwritten by newer ones while the trace was read",
			     (unsigned long long)trace->overtaken);
		trace->overtaken = 0;
	}
	return 0;
}

/**
 * lkst_trace_lanes() - count the sequences of records with increasing recids: one for each CPU of
 * each boot, and one for each static buffer
 * @trace: trace
 */
size_t lkst_trace_lanes(const struct lkst_trace *trace)
{
	return trace->lanes;
}

/**
 * lkst_trace_lane_first() - read the first record of a lane
 * @trace: trace, after lkst_trace_rewind() with LKST_OLDEST_FIRST; call lkst_trace_rewind() again
 *	before lkst_trace_next()
 * @i: index of the lane, less than lkst_trace_lanes(); each lane may be read once
 * @event: result
 * @err: set on failure
 *
 * Return: 1 if @event was set; 0 if the lane has no record; -1 on error.
 */
int lkst_trace_lane_first(struct lkst_trace *trace, size_t i, struct lkst_event *event,
			  struct lkst_error *err)
{
	struct merge_lane *lane = &trace->lane[i];
	int ret = 0;

	while (!ret && merge_choose(trace, lane))
		ret = merge_take(trace, lane, event, err);
	/* Only the first chunk was needed. */
	for (size_t k = 0; k < lane->tracks; k++)
		trace_cursor_close(&lane->cursor[k]);
	return ret;
}

/**
 * lkst_trace_boot() - get the boot that a file is from
 * @trace: trace
 * @source: index of the file, less than lkst_trace_sources()
 *
 * Return: a number that is the same for all files of a boot.
 */
uint32_t lkst_trace_boot(const struct lkst_trace *trace, uint32_t source)
{
	return trace->source[source].boot;
}
