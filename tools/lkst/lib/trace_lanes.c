// SPDX-License-Identifier: LGPL-2.1
/*
 * Which chunks are read one after the other.
 *
 * Recids of a CPU go on from buffer to buffer and from file to file: the chunks of one run of a
 * kernel and one CPU make a lane. Where files have the same records their chunks overlap: then
 * the lane has several tracks, in each of which they do not.
 *
 * Recids that are there twice in one file are not those of one run of the kernel: then its
 * buffers are taken for themselves, as if they were CPUs.
 */
#include <stdlib.h>

#include "messages.h"
#include "trace_reader.h"

/* A time in the next chunk that is earlier by no more was interrupted, not set back. */
#define INTERRUPTED_NS 1000000000

#define SHARED 0 /* lane of a ref: that of its CPU; else its stream's, which is 1 more */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_cpus(const struct lkst_trace *trace, const struct chunk_ref *a,
			const struct chunk_ref *b)
{
	const struct stream *x = &trace->stream[a->stream], *y = &trace->stream[b->stream];
	int boots = compare(trace_boot_of(trace, x), trace_boot_of(trace, y));

	if (boots)
		return boots;
	return x->info.cpu != y->info.cpu ? (x->info.cpu < y->info.cpu ? -1 : 1) : 0;
}

static int compare_recids(const struct chunk_ref *a, const struct chunk_ref *b)
{
	if (a->first_recid != b->first_recid)
		return compare(a->first_recid, b->first_recid);
	return a->stream != b->stream ? compare(a->stream, b->stream) :
					compare(a->offset, b->offset);
}

/* By CPU, and of a CPU by file. */
static int by_source(const void *pa, const void *pb, void *ctx)
{
	const struct lkst_trace *trace = ctx;
	const struct chunk_ref *a = pa, *b = pb;
	int cpus = compare_cpus(trace, a, b);
	uint32_t x = trace->stream[a->stream].source, y = trace->stream[b->stream].source;

	if (cpus)
		return cpus;
	return x != y ? compare(x, y) : compare_recids(a, b);
}

/* By CPU, by lane of it, and then as they are to be read. */
static int by_lane(const void *pa, const void *pb, void *ctx)
{
	const struct chunk_ref *a = pa, *b = pb;
	int cpus = compare_cpus(ctx, a, b);

	if (cpus)
		return cpus;
	if (a->lane != b->lane)
		return compare(a->lane, b->lane);
	return a->lane == SHARED ? compare_recids(a, b) : compare(a->offset, b->offset);
}

static int by_track(const void *pa, const void *pb, void *ctx)
{
	const struct chunk_ref *a = pa, *b = pb;
	int cpus = compare_cpus(ctx, a, b);

	if (cpus)
		return cpus;
	if (a->lane != b->lane)
		return compare(a->lane, b->lane);
	return a->track != b->track ? compare(a->track, b->track) : by_lane(pa, pb, ctx);
}

static bool recids_rise(const struct chunk_ref *ref, size_t num)
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
			if (compare_cpus(trace, ref, &ref[n]) ||
			    trace->stream[ref[n].stream].source != source)
				break;
		rise = recids_rise(ref, n);
		for (size_t k = 0; k < n; k++) {
			ref[k].lane = rise ? SHARED : ref[k].stream + 1;
			/* Whatever its last record says: in a file they do not overlap. */
			if (k + 1 < n && ref[k].last_recid >= ref[k + 1].first_recid)
				ref[k].last_recid = ref[k + 1].first_recid - 1;
		}
	}
}

/*
 * The chunks of a lane: each goes on the first track on which what precedes it has ended. There
 * are no more tracks than files. @end: room for them.
 */
static uint32_t choose_tracks(struct chunk_ref *ref, size_t num, uint64_t *end)
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
	return a->lane == b->lane && !compare_cpus(trace, a, b);
}

/* Of the next lane. */
static int64_t rank_of(const struct lkst_trace *trace, const struct chunk_ref *ref)
{
	return (int64_t)trace->stream[ref->stream].info.cpu * (1ll << 32) + (int64_t)trace->lanes;
}

/* Where each lane and each track is, the refs being sorted that way. */
static void note_lanes(struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->refs; i++) {
		struct chunk_ref *ref = &trace->ref[i];
		bool same = i && same_lane(trace, ref, ref - 1);

		if (!same)
			trace->lane[trace->lanes++] = (struct lane){
				.track = &trace->track[trace->tracks],
				.rank = rank_of(trace, ref),
			};
		if (!same || ref->track != ref[-1].track) {
			trace->track[trace->tracks++].ref = ref;
			trace->lane[trace->lanes - 1].tracks++;
		}
		trace->track[trace->tracks - 1].num++;
	}
}

/**
 * trace_make_lanes() - find out which chunks are to be read one after the other
 * @trace: trace that was scanned
 * @err: no memory
 */
int trace_make_lanes(struct lkst_trace *trace, struct lkst_error *err)
{
	/* A stream is in one lane, and in each a file has one track of its own at most. */
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
		qsort_r(trace->ref, trace->refs, sizeof(*trace->ref), by_source, trace);
		choose_lanes(trace);
		qsort_r(trace->ref, trace->refs, sizeof(*trace->ref), by_lane, trace);
		for (size_t i = 0; i < trace->refs; i += n) {
			for (n = 1; i + n < trace->refs; n++)
				if (!same_lane(trace, &trace->ref[i], &trace->ref[i + n]))
					break;
			choose_tracks(&trace->ref[i], n, end);
		}
		qsort_r(trace->ref, trace->refs, sizeof(*trace->ref), by_track, trace);
		note_lanes(trace);
	}
	free(end);
	return 0;
}

/**
 * trace_next_chunk() - the chunk of a lane that comes next by its recids, whatever its track
 * @lane: lane
 * @at: for each track how many of its chunks were returned, at first 0
 *
 * Return: NULL after the last one.
 */
struct chunk_ref *trace_next_chunk(const struct lane *lane, size_t *at)
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

static void set_lane_floors(const struct lane *lane, size_t *at)
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
 * trace_set_floors() - find out before which time no chunk of a lane begins
 * @trace: trace whose chunks have their times
 * @err: no memory
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
