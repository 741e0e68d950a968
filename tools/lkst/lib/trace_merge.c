// SPDX-License-Identifier: LGPL-2.1
/*
 * Records in order, in bounded memory: one cursor for each track, which holds one chunk.
 *
 * Within a lane the order is that of the recids, always, as an interrupting record may carry
 * an earlier time than the one it interrupted; a record that several tracks have is handed out
 * once. Between lanes it is that of the latest time that the lane had reached, then of CPUs.
 * When the wall clock is set back and there is no other, that is forgotten at the end of the
 * chunk. Else newest first is the exact reverse of oldest first.
 */
#include <stdlib.h>

#include "messages.h"
#include "trace_reader.h"

/**
 * trace_drop_cursors() - stop reading
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

/* Load the cursor's next chunk. Returns 1, 0 when there is none, -1 on an error. */
static int load(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
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
	} else if (trace_number(c, &ref->run)) {
		lkst_error_memory(err, "records");
		return -1;
	}
	set_place(c, trace->order == LKST_OLDEST_FIRST ? 0 : c->count - 1);
	return 1;
}

/* Have the chunk at hand that the cursor is in. */
static int begin(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	if (c->raw || c->ended)
		return 0;
	c->chunks_left++;
	return load(trace, c, err) < 0 ? -1 : 0;
}

/* Go to the next record. Returns 1, 0 at the end of the track, -1 on an error. */
static int merge_advance(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	if (trace->order == LKST_OLDEST_FIRST ? c->at + 1 < c->count : c->at > 0) {
		const uint8_t *record;

		set_place(c, c->at + (trace->order == LKST_OLDEST_FIRST ? 1u : -1u));
		/* With many CPUs its turn comes when the caches have forgotten it. */
		record = c->data + (size_t)c->at * c->head.record_size;
		__builtin_prefetch(record);
		__builtin_prefetch(record + 64);
		return 1;
	}
	return load(trace, c, err);
}

/* The track whose record is the next one of the lane; false at its end. */
static inline bool choose(const struct lkst_trace *trace, struct lane *lane)
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

/* The same record on other tracks. */
static int skip_same(struct lkst_trace *trace, const struct lane *lane, uint64_t recid,
		     struct lkst_error *err)
{
	for (size_t i = 0; i < lane->tracks; i++) {
		struct cursor *c = &lane->cursor[i];

		if (c == lane->now || c->ended || c->recid != recid)
			continue;
		if (begin(trace, c, err))
			return -1;
		if (!c->ended && c->recid == recid && merge_advance(trace, c, err) < 0)
			return -1;
	}
	return 0;
}

static bool before(const struct turn *a, const struct turn *b)
{
	return a->key != b->key ? a->key < b->key : a->rank < b->rank;
}

/* When a lane comes that has not ended. */
static struct turn turn_of(const struct lkst_trace *trace, struct lane *lane)
{
	const int64_t order = trace->order == LKST_OLDEST_FIRST ? 0 : -1;

	return (struct turn){ lane->now->now ^ order, lane->rank ^ order, lane };
}

static void sift_down(struct lkst_trace *trace, size_t i)
{
	struct turn *heap = trace->heap, turn = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= trace->heap_num)
			break;
		if (child + 1 < trace->heap_num && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &turn))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = turn;
}

/* The second one is a child of the first. */
static void merge_find_runner_up(struct lkst_trace *trace)
{
	const struct turn *heap = trace->heap;

	trace->runner_up = (struct turn){ INT64_MAX, INT64_MAX, NULL };
	for (size_t i = 1; i < 3 && i < trace->heap_num; i++)
		if (before(&heap[i], &trace->runner_up))
			trace->runner_up = heap[i];
}

/* The first lane has gone on, or ended. While it is the first one still, nothing else changes. */
static void next_turn(struct lkst_trace *trace)
{
	struct lane *lane = trace->heap[0].lane;

	if (lane->now) {
		trace->heap[0] = turn_of(trace, lane);
		if (before(&trace->heap[0], &trace->runner_up))
			return;
	} else {
		trace->heap[0] = trace->heap[--trace->heap_num];
	}
	if (trace->heap_num)
		sift_down(trace, 0);
	merge_find_runner_up(trace);
}

/* The first record of each track is known; the others wait in the file for their turn. */
static int begin_lane(struct lkst_trace *trace, struct lane *lane, struct lkst_error *err)
{
	lane->cursor = &trace->cursor[lane->track - trace->track];
	for (size_t i = 0; i < lane->tracks; i++) {
		struct cursor *c = &lane->cursor[i];

		c->track = &lane->track[i];
		c->chunks_left = c->track->num;
		if (load(trace, c, err) < 0)
			return -1;
		trace_cursor_close(c);
	}
	return 0;
}

/**
 * lkst_trace_rewind() - go to the first record
 * @trace: trace
 * @order: in which to read from now on
 * @err: why not
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
		struct lane *lane = &trace->lane[i];

		if (begin_lane(trace, lane, err))
			return -1;
		if (choose(trace, lane))
			trace->heap[trace->heap_num++] = turn_of(trace, lane);
	}
	for (size_t i = trace->heap_num / 2; i-- > 0;)
		sift_down(trace, i);
	merge_find_runner_up(trace);
	return 0;
}

/* Take the record that is next in a lane. Returns 1, 0 when there was none after all, -1. */
static int take(struct lkst_trace *trace, struct lane *lane, struct lkst_event *event,
		struct lkst_error *err)
{
	struct cursor *c = lane->now;
	uint64_t recid = c->recid;
	bool hole;

	if (begin(trace, c, err))
		return -1;
	/* It was written over meanwhile. */
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
 * lkst_trace_next() - read a record
 * @trace: after lkst_trace_rewind()
 * @event: result
 * @err: why not
 *
 * Return: 1, 0 after the last one, -1 on an error.
 */
int lkst_trace_next(struct lkst_trace *trace, struct lkst_event *event, struct lkst_error *err)
{
	while (trace->heap_num) {
		struct lane *lane = trace->heap[0].lane;
		int ret = take(trace, lane, event, err);

		if (ret < 0)
			return -1;
		choose(trace, lane);
		next_turn(trace);
		if (ret)
			return 1;
	}
	if (trace->overtaken && trace->sources) {
		trace_note(trace, &trace->source[0],
			   "%llu events were written over by newer ones while the trace was read",
			   (unsigned long long)trace->overtaken);
		trace->overtaken = 0;
	}
	return 0;
}
