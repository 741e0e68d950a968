// SPDX-License-Identifier: LGPL-2.1
/*
 * Returns the events of a lane: the records of a CPU from all files, in order of recids. A record
 * that several tracks contain is returned once. Memory is bounded: each track has a cursor, which
 * holds one chunk.
 *
 * The records of a chain are put together (chains.c). When reading the oldest record first, some
 * records may be held back until a chain is complete. The records are returned in the same order as
 * without chains, because the first record that is held back determines the position of a lane in
 * the merge.
 */
#include "lane.h"

#include <stdlib.h>

#include "chains.h"
#include "chunk.h"
#include "cursor.h"
#include "heads.h"
#include "lanes.h"
#include "lib/base/error.h"
#include "reader.h"
#include "source.h"

static void lane_set_place(struct cursor *c, uint32_t at)
{
	c->at = at;
	c->now = c->time[at].key;
	c->recid = trace_recid(c, at);
}

/* Load the cursor's next chunk. Returns 1 if there is one; 0 at the end; -1 on error. */
static int lane_load(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
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
		ret = trace_load(trace, c, ref, NULL, err);
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
	lane_set_place(c, trace->order == LKST_OLDEST_FIRST ? 0 : c->count - 1);
	return 1;
}

/* Load the cursor's current chunk again if trace_lane_begin() has freed it. */
static int lane_begin(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	if (c->raw || c->ended)
		return 0;
	c->chunks_left++;
	return lane_load(trace, c, err) < 0 ? -1 : 0;
}

/* Advance to the next record. Returns 1 if there is one; 0 at the end; -1 on error. */
static int lane_advance(struct lkst_trace *trace, struct cursor *c, struct lkst_error *err)
{
	bool oldest = trace->order == LKST_OLDEST_FIRST;

	if (oldest ? c->at + 1 < c->count : c->at > 0) {
		const uint8_t *record;

		lane_set_place(c, c->at + (oldest ? 1u : -1u));
		/*
		 * With many CPUs, the records and times of other chunks have displaced those of this
		 * chunk from the caches.
		 */
		record = c->data + (size_t)c->at * c->header.record_size;
		__builtin_prefetch(record);
		__builtin_prefetch(record + 64);
		__builtin_prefetch(&c->time[oldest ? c->at + 1 : c->at ? c->at - 1 : 0]);
		return 1;
	}
	return lane_load(trace, c, err);
}

/* Choose the track with the next record of the lane. Returns false at the end of the lane. */
static inline bool lane_choose(const struct lkst_trace *trace, struct merge_lane *lane)
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
static int lane_skip_same(struct lkst_trace *trace, const struct merge_lane *lane, uint64_t recid,
		     struct lkst_error *err)
{
	for (size_t i = 0; i < lane->tracks; i++) {
		struct cursor *c = &lane->cursor[i];

		if (c == lane->now || c->ended || c->recid != recid)
			continue;
		if (lane_begin(trace, c, err))
			return -1;
		if (!c->ended && c->recid == recid && lane_advance(trace, c, err) < 0)
			return -1;
	}
	return 0;
}

/* Return the number of chunks at the start of a track whose records are all before @since_ns. */
static size_t lane_skipped(const struct track *track, int64_t since_ns)
{
	size_t i = 0;

	while (i < track->num && track->ref[i].latest_ns < since_ns)
		i++;
	return i;
}

/**
 * trace_lane_begin() - set up the cursors of a lane
 * @trace: trace
 * @lane: lane
 * @since_ns: chunks at the start whose records are all before this time are left out; INT64_MIN:
 *	none
 * @err: set on failure
 *
 * Reads the key of the first record of each track. Then frees the chunks to save memory.
 * lane_begin() loads each of them again when it is needed.
 */
int trace_lane_begin(struct lkst_trace *trace, struct merge_lane *lane, int64_t since_ns,
		     struct lkst_error *err)
{
	lane->cursor = &trace->cursor[lane->track - trace->track];
	for (size_t i = 0; i < lane->tracks; i++) {
		struct cursor *c = &lane->cursor[i];

		c->track = &lane->track[i];
		c->chunks_left = c->track->num - lane_skipped(c->track, since_ns);
		if (lane_load(trace, c, err) < 0)
			return -1;
		trace_cursor_close(c);
	}
	lane_choose(trace, lane);
	return 0;
}

/**
 * trace_lane_close() - free what a lane keeps besides its cursors
 * @lane: lane
 */
void trace_lane_close(struct merge_lane *lane)
{
	if (lane->chains)
		chains_close(lane->chains);
	free(lane->chains);
	lane->chains = NULL;
}

/*
 * Take the next record of a lane. Returns 1 if @event was set; 0 if the record was overwritten, or
 * is a hole (there is no record with this recid); -1 on error.
 */
static int lane_take(struct lkst_trace *trace, struct merge_lane *lane, struct lkst_event *event,
		      struct lkst_error *err)
{
	struct cursor *c = lane->now;
	uint64_t recid = c->recid;
	bool hole;

	if (lane_begin(trace, c, err))
		return -1;
	/* If a different record is here now, the chunk was overwritten in the file. */
	if (c->ended || c->recid != recid)
		return 0;
	hole = trace_is_hole(c, c->at);
	if (!hole) {
		trace_get_event(trace, c, c->at, event);
		if (lane->tracks > 1 && lane_skip_same(trace, lane, recid, err))
			return -1;
	}
	return lane_advance(trace, c, err) < 0 ? -1 : !hole;
}

/*
 * Return the first record of the lane that is held back; NULL if none is held back. In that case,
 * the next record is the one at the cursor @lane->now.
 */
static const struct chain_item *lane_waiting(const struct lkst_trace *trace,
					      const struct merge_lane *lane)
{
	return lane->chains && trace->order == LKST_OLDEST_FIRST ? chains_front(lane->chains) :
								   NULL;
}

/**
 * trace_lane_ended() - check whether a lane has no more records
 * @trace: trace
 * @lane: lane
 */
bool trace_lane_ended(const struct lkst_trace *trace, const struct merge_lane *lane)
{
	return !lane->now && !lane_waiting(trace, lane);
}

/**
 * trace_lane_key() - get the key of the next record of a lane, which must not have ended
 * @trace: trace
 * @lane: lane
 */
int64_t trace_lane_key(const struct lkst_trace *trace, const struct merge_lane *lane)
{
	const struct chain_item *waiting = lane_waiting(trace, lane);

	return waiting ? waiting->key : lane->now->now;
}

/* ---- chains ---- */

static enum chain_role lane_role(const struct lkst_trace *trace, const struct lkst_event *event)
{
	if (event->type == LKST_ETYPE_LKST_MORE)
		return CHAIN_PART;
	return trace_is_head(trace->source[event->source].heads, event->type) ? CHAIN_HEAD :
										CHAIN_PLAIN;
}

/* Return whether a record may belong to a chain. */
static bool lane_in_chain(const struct lkst_trace *trace, const struct lkst_event *event)
{
	return event->type < LKST_ETYPE_NUM && trace->in_chains[event->type];
}

/* Allocate the memory for putting the chains of a lane together. */
static int lane_begin_chains(struct lkst_trace *trace, struct merge_lane *lane)
{
	if (!trace->payload)
		trace->payload = malloc(sizeof(*trace->payload));
	if (!lane->chains) {
		lane->chains = calloc(1, sizeof(*lane->chains));
		if (!lane->chains)
			return -1;
		lane->chains->keep = trace->keep_parts;
		lane->chains->skipped = &trace->parts_skipped;
	}
	return trace->payload ? 0 : -1;
}

/*
 * Read the records after a head that lacks parts, until the head has all parts or cannot get more.
 */
static int lane_fill(struct lkst_trace *trace, struct merge_lane *lane, struct lkst_error *err)
{
	struct lkst_event record;

	while (lane->now && !chains_ready(lane->chains)) {
		int64_t key = lane->now->now;
		int ret = lane_take(trace, lane, &record, err);

		if (ret < 0)
			return -1;
		lane_choose(trace, lane);
		if (ret && chains_push(lane->chains, &record, lane_role(trace, &record), key, 0)) {
			lkst_error_memory(err, "the parts of an event");
			return -1;
		}
	}
	return 0;
}

/* Handle a record of a chain. @key is its key. Returns the same values as trace_lane_next(). */
static int lane_chain(struct lkst_trace *trace, struct merge_lane *lane, int64_t key,
		       struct lkst_event *event, struct lkst_error *err)
{
	enum chain_role role = lane_role(trace, event);
	bool oldest = trace->order == LKST_OLDEST_FIRST;

	if (lane_begin_chains(trace, lane) ||
	    (oldest ? chains_push(lane->chains, event, role, key, 0) :
		      role == CHAIN_PART && chains_stash(lane->chains, event))) {
		lkst_error_memory(err, "the parts of an event");
		return -1;
	}
	if (!oldest && role == CHAIN_HEAD)
		chains_collect(lane->chains, event, trace->payload);
	else if (!oldest && role == CHAIN_PLAIN)
		chains_pass(lane->chains);
	if (!oldest || !chains_front(lane->chains))
		return role != CHAIN_PART || trace->keep_parts;
	if (lane_fill(trace, lane, err))
		return -1;
	chains_take(lane->chains, event, trace->payload);
	return 1;
}

/**
 * trace_lane_next() - take the next event of a lane, which must not have ended
 * @trace: trace
 * @lane: lane
 * @event: result
 * @err: set on failure
 *
 * Return: 1 if @event was set; 0 if the next record was not an event: it was overwritten, is a hole
 * or is a part of a chain; -1 on error.
 */
int trace_lane_next(struct lkst_trace *trace, struct merge_lane *lane, struct lkst_event *event,
		    struct lkst_error *err)
{
	int64_t key;
	int ret;

	if (lane_waiting(trace, lane)) {
		if (lane_fill(trace, lane, err))
			return -1;
		chains_take(lane->chains, event, trace->payload);
		return 1;
	}
	key = lane->now->now;
	ret = lane_take(trace, lane, event, err);
	if (ret < 0)
		return -1;
	lane_choose(trace, lane);
	if (ret && lane_in_chain(trace, event)) {
		ret = lane_chain(trace, lane, key, event, err);
	} else if (ret && lane->chains) {
		event->parts_before = lane->chains->hidden;
		lane->chains->hidden = 0;
		chains_pass(lane->chains);
	}
	if (!lane->now && lane->chains && trace->order == LKST_NEWEST_FIRST)
		chains_flush(lane->chains);
	return ret;
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

	while (!ret && lane_choose(trace, lane))
		ret = lane_take(trace, lane, event, err);
	/* Only the first chunk was needed. */
	for (size_t k = 0; k < lane->tracks; k++)
		trace_cursor_close(&lane->cursor[k]);
	return ret;
}
