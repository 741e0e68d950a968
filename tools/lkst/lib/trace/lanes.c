// SPDX-License-Identifier: LGPL-2.1
/*
 * Determines the order in which chunks are read.
 *
 * Recids of a CPU continue from buffer to buffer and from file to file: the chunks of one CPU in
 * one run of LKST form a lane. If several files contain the same records, chunks overlap. In that
 * case the lane has several tracks, and chunks within a track do not overlap.
 *
 * If one file contains a recid of a CPU twice, the file's records of this CPU are from several runs
 * of LKST. In that case each buffer of this CPU in the file is a separate lane.
 */
#include <stdlib.h>

#include "chunk.h"
#include "lanes.h"
#include "lib/base/error.h"
#include "reader.h"
#include "trace.h"

/*
 * If a writer was interrupted, a chunk may start before the latest time in the chunks that precede
 * it in the lane. If it starts earlier by more than this, the wall clock was set back.
 */
#define INTERRUPTED_NS 1000000000

/*
 * Value of chunk_ref.lane for chunks in a lane with all buffers of their CPU. If the buffer of a
 * chunk has its own lane, chunk_ref.lane is the index of the buffer plus 1 instead.
 */
#define SHARED 0

static int lanes_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int lanes_compare_cpus(const struct lkst_trace *trace, const struct chunk_ref *a,
			      const struct chunk_ref *b)
{
	const struct file_buffer *x = &trace->stream[a->stream], *y = &trace->stream[b->stream];
	int boots = lanes_compare(trace_boot_of(trace, x), trace_boot_of(trace, y));

	if (boots)
		return boots;
	return x->info.cpu != y->info.cpu ? (x->info.cpu < y->info.cpu ? -1 : 1) : 0;
}

static int lanes_compare_recids(const struct chunk_ref *a, const struct chunk_ref *b)
{
	if (a->first_recid != b->first_recid)
		return lanes_compare(a->first_recid, b->first_recid);
	return a->stream != b->stream ? lanes_compare(a->stream, b->stream) :
					lanes_compare(a->offset, b->offset);
}

/* Sort by boot and CPU, then by file, then by recid. */
static int lanes_by_source(const void *pa, const void *pb, void *ctx)
{
	const struct lkst_trace *trace = ctx;
	const struct chunk_ref *a = pa, *b = pb;
	int cpus = lanes_compare_cpus(trace, a, b);
	uint32_t x = trace->stream[a->stream].source, y = trace->stream[b->stream].source;

	if (cpus)
		return cpus;
	return x != y ? lanes_compare(x, y) : lanes_compare_recids(a, b);
}

/* Sort by boot and CPU, then by lane, then in reading order. */
static int by_lane(const void *pa, const void *pb, void *ctx)
{
	const struct chunk_ref *a = pa, *b = pb;
	int cpus = lanes_compare_cpus(ctx, a, b);

	if (cpus)
		return cpus;
	if (a->lane != b->lane)
		return lanes_compare(a->lane, b->lane);
	return a->lane == SHARED ? lanes_compare_recids(a, b) : lanes_compare(a->offset, b->offset);
}

static int lanes_by_track(const void *pa, const void *pb, void *ctx)
{
	const struct chunk_ref *a = pa, *b = pb;
	int cpus = lanes_compare_cpus(ctx, a, b);

	if (cpus)
		return cpus;
	if (a->lane != b->lane)
		return lanes_compare(a->lane, b->lane);
	return a->track != b->track ? lanes_compare(a->track, b->track) : by_lane(pa, pb, ctx);
}

static bool lanes_recids_rise(const struct chunk_ref *ref, size_t num)
{
	for (size_t i = 1; i < num; i++)
		if (ref[i].first_recid - ref[i - 1].first_recid < ref[i - 1].count)
			return false;
	return true;
}

static void choose_lanes(struct lkst_trace *trace)
{
	size_t n;

	for (size_t i = 0; i < trace->refs; i += n) {
		struct chunk_ref *ref = &trace->ref[i];
		uint32_t source = trace->stream[ref->stream].source;
		bool rise;

		for (n = 1; i + n < trace->refs; n++)
			if (lanes_compare_cpus(trace, ref, &ref[n]) ||
			    trace->stream[ref[n].stream].source != source)
				break;
		rise = lanes_recids_rise(ref, n);
		for (size_t k = 0; k < n; k++) {
			ref[k].lane = rise ? SHARED : ref[k].stream + 1;
			/* Chunks within a file do not overlap, whatever their headers say. */
			if (k + 1 < n && ref[k].last_recid >= ref[k + 1].first_recid)
				ref[k].last_recid = ref[k + 1].first_recid - 1;
		}
	}
}

/*
 * Assign the chunks of a lane to tracks: each chunk goes to the first track whose last chunk so far
 * ends before the new one begins. Returns the number of tracks, which is at most the number of
 * files. @end: scratch array with an entry for each file.
 */
static uint32_t lanes_choose_tracks(struct chunk_ref *ref, size_t num, uint64_t *end)
{
	uint32_t tracks = 0, k;

	for (size_t i = 0; i < num; i++) {
		for (k = 0; k < tracks && end[k] >= ref[i].first_recid; k++)
			;
		if (ref[i].lane != SHARED)
			k = 0;
		tracks = k < tracks ? tracks : k + 1;
		end[k] = ref[i].last_recid;
		ref[i].track = k;
	}
	return tracks;
}

static bool same_lane(const struct lkst_trace *trace, const struct chunk_ref *a,
		      const struct chunk_ref *b)
{
	return a->lane == b->lane && !lanes_compare_cpus(trace, a, b);
}

/* Return the rank of a new lane that begins with @ref. Lanes are ordered by CPU, then by index. */
static int64_t lanes_rank_of(const struct lkst_trace *trace, const struct chunk_ref *ref)
{
	return (int64_t)trace->stream[ref->stream].info.cpu * (1ll << 32) + (int64_t)trace->lanes;
}

/* Store where each lane and each track begins in the sorted array of chunks. */
static void index_lanes(struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->refs; i++) {
		struct chunk_ref *ref = &trace->ref[i];
		bool same = i && same_lane(trace, ref, ref - 1);

		if (!same)
			trace->lane[trace->lanes++] = (struct merge_lane){
				.track = &trace->track[trace->tracks],
				.rank = lanes_rank_of(trace, ref),
			};
		if (!same || ref->track != ref[-1].track) {
			trace->track[trace->tracks++].ref = ref;
			trace->lane[trace->lanes - 1].tracks++;
		}
		trace->track[trace->tracks - 1].num++;
	}
}

/**
 * trace_make_lanes() - determine lanes and tracks
 * @trace: trace, after the scan
 * @err: set if an allocation fails
 */
int trace_make_lanes(struct lkst_trace *trace, struct lkst_error *err)
{
	/*
	 * The number of streams (buffers in files) limits the numbers of lanes and tracks: a stream
	 * is in only one lane, and in each lane, a file has at most one track.
	 */
	size_t most = trace->streams + 1, n;
	uint64_t *end = calloc(trace->sources + most, sizeof(*end));

	trace->lane = calloc(most, sizeof(*trace->lane));
	trace->track = calloc(most, sizeof(*trace->track));
	if (!end || !trace->lane || !trace->track) {
		free(end);
		lkst_error_memory(err, "the chunks of a trace");
		return -1;
	}
	if (trace->refs) {
		qsort_r(trace->ref, trace->refs, sizeof(*trace->ref), lanes_by_source, trace);
		choose_lanes(trace);
		qsort_r(trace->ref, trace->refs, sizeof(*trace->ref), by_lane, trace);
		for (size_t i = 0; i < trace->refs; i += n) {
			for (n = 1; i + n < trace->refs; n++)
				if (!same_lane(trace, &trace->ref[i], &trace->ref[i + n]))
					break;
			lanes_choose_tracks(&trace->ref[i], n, end);
		}
		qsort_r(trace->ref, trace->refs, sizeof(*trace->ref), lanes_by_track, trace);
		index_lanes(trace);
	}
	free(end);
	return 0;
}

/**
 * trace_next_chunk() - return the next chunk of a lane, in order of recids across its tracks
 * @lane: lane
 * @at: for each track, the number of chunks returned so far; 0 at first
 *
 * Return: the chunk; NULL after the last one.
 */
struct chunk_ref *trace_next_chunk(const struct merge_lane *lane, size_t *at)
{
	struct chunk_ref *best = NULL;
	size_t which = 0;

	for (size_t i = 0; i < lane->tracks; i++) {
		struct chunk_ref *ref = at[i] < lane->track[i].num ? &lane->track[i].ref[at[i]] :
								     NULL;

		if (!ref || (best && best->first_recid <= ref->first_recid))
			continue;
		best = ref;
		which = i;
	}
	if (best)
		at[which]++;
	return best;
}

static void set_lane_floors(const struct merge_lane *lane, size_t *at)
{
	int64_t latest = INT64_MIN, back;
	struct chunk_ref *ref;

	for (size_t i = 0; i < lane->tracks; i++)
		at[i] = 0;
	while ((ref = trace_next_chunk(lane, at)) != NULL) {
		if (__builtin_sub_overflow(latest, ref->first_ns, &back) || back > INTERRUPTED_NS)
			latest = INT64_MIN;
		ref->floor_ns = latest;
		latest = ref->latest_ns > latest ? ref->latest_ns : latest;
	}
}

/**
 * trace_set_floors() - compute for each chunk a lower bound of its keys
 * @trace: trace; its lanes, and the first and latest time of each chunk, must be known
 * @err: set if an allocation fails
 */
int trace_set_floors(struct lkst_trace *trace, struct lkst_error *err)
{
	size_t *at = calloc(trace->tracks + 1, sizeof(*at));

	if (!at) {
		lkst_error_memory(err, "the chunks of a trace");
		return -1;
	}
	for (size_t i = 0; i < trace->lanes; i++)
		set_lane_floors(&trace->lane[i], at);
	free(at);
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
