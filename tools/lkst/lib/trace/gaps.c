// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds events that are missing between files.
 *
 * The recids of a CPU increase by one from event to event, no matter which file an event is in. So
 * the recids at the end of one file and the start of the next show how many events are missing
 * between the two files. Events that are missing within a file are reported by that file.
 */
#include <stdlib.h>

#include "chunk.h"
#include "lanes.h"
#include "lib/base/error.h"
#include "messages.h"
#include "reader.h"
#include "source.h"
#include "trace.h"

/*
 * The gaps found so far in a lane (the events of one CPU): their total, and the files before and
 * after the last gap.
 */
struct gap_found {
	struct lkst_trace_gap gap;
	const struct source *before;
	const struct source *after;
};

static const struct source *gaps_source_of(const struct lkst_trace *trace,
					   const struct chunk_ref *ref)
{
	return &trace->source[trace->stream[ref->stream].source];
}

/*
 * Return whether a file has only events that a user selected. Events that the user left out are not
 * missing.
 */
static bool gaps_is_part(const struct source *source)
{
	size_t len;

	return trace_system(source, "selected", &len);
}

static int gaps_by_first(const void *a, const void *b)
{
	uint64_t x = ((const struct loss *)a)->first_recid,
		 y = ((const struct loss *)b)->first_recid;

	return (x > y) - (x < y);
}

/*
 * Return how many of the events from @first to @end - 1 the files report as lost. Two files may
 * report the same events. The losses are sorted, so no event is counted twice if @first advances
 * past each loss.
 */
static uint64_t gaps_lost_between(const struct lkst_trace *trace, const struct file_buffer *stream,
				  uint64_t first, uint64_t end)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < trace->losses; i++) {
		const struct loss *loss = &trace->loss[i];
		uint64_t from = loss->first_recid, to;

		if (loss->boot != trace_boot_of(trace, stream) || loss->cpu != stream->info.cpu)
			continue;
		if (__builtin_add_overflow(from, loss->number, &to) || to > end)
			to = end;
		if (from < first)
			from = first;
		if (from < to) {
			lost += to - from;
			first = to;
		}
	}
	return lost;
}

/*
 * Add the gap between two chunks to @found. @last is the chunk with the highest last recid so far,
 * and @next is the next chunk, which begins after that recid.
 */
static void add_gap(const struct lkst_trace *trace, const struct chunk_ref *last,
		    const struct chunk_ref *next, struct gap_found *found)
{
	const struct source *before = gaps_source_of(trace, last),
			    *after = gaps_source_of(trace, next);
	const struct file_buffer *stream = &trace->stream[next->stream];
	uint64_t first = last->last_recid + 1, missing = next->first_recid - first;

	if (before == after || gaps_is_part(before) || gaps_is_part(after))
		return;
	missing -= gaps_lost_between(trace, stream, first, next->first_recid);
	if (!missing)
		return;
	found->gap.boot = trace->boot[trace_boot_of(trace, stream)].id;
	found->gap.cpu = stream->info.cpu;
	found->gap.missing += missing;
	found->gap.gaps++;
	found->before = before;
	found->after = after;
}

static struct gap_found gaps_search_lane(const struct lkst_trace *trace,
					 const struct merge_lane *lane, size_t *at)
{
	const struct chunk_ref *last = NULL, *next;
	struct gap_found found = { 0 };

	for (size_t i = 0; i < lane->tracks; i++)
		at[i] = 0;
	while ((next = trace_next_chunk(lane, at)) != NULL) {
		if (last && next->first_recid > last->last_recid)
			add_gap(trace, last, next, &found);
		if (!last || next->last_recid > last->last_recid)
			last = next;
	}
	return found;
}

static void gaps_report(struct lkst_trace *trace, const struct gap_found *found)
{
	const struct lkst_trace_gap *gap = &found->gap;

	if (gap->gaps == 1)
		trace_notice(trace, found->after, MSG_GAP, gap->cpu,
			     (unsigned long long)gap->missing, found->before->name);
	else
		trace_notice(trace, found->after, MSG_GAPS, gap->cpu,
			     (unsigned long long)gap->missing, (unsigned long long)gap->gaps);
}

/**
 * trace_find_gaps() - find and report the events that are missing between files
 * @trace: trace with lanes
 * @err: set if an allocation fails
 */
int trace_find_gaps(struct lkst_trace *trace, struct lkst_error *err)
{
	size_t *at = calloc(trace->tracks + 1, sizeof(*at));

	trace->gap = calloc(trace->lanes + 1, sizeof(*trace->gap));
	if (!at || !trace->gap) {
		free(at);
		lkst_error_memory(err, "the chunks of a trace");
		return -1;
	}
	if (trace->losses)
		qsort(trace->loss, trace->losses, sizeof(*trace->loss), gaps_by_first);
	for (size_t i = 0; i < trace->lanes; i++) {
		struct gap_found found = gaps_search_lane(trace, &trace->lane[i], at);

		/* The static buffer has its own recids, which do not count all events of a CPU. */
		if (!found.gap.gaps || found.gap.cpu < 0)
			continue;
		gaps_report(trace, &found);
		trace->gap[trace->gaps++] = found.gap;
	}
	free(at);
	return 0;
}

/**
 * lkst_trace_gaps() - count CPUs with events missing between files, in all boots
 * @trace: trace
 */
size_t lkst_trace_gaps(const struct lkst_trace *trace)
{
	return trace->gaps;
}

/**
 * lkst_trace_gap() - get the events missing between files, for one CPU
 * @trace: trace; owns the result
 * @i: index, less than lkst_trace_gaps()
 */
const struct lkst_trace_gap *lkst_trace_gap(const struct lkst_trace *trace, size_t i)
{
	return &trace->gap[i];
}

/**
 * lkst_trace_missing() - count the events missing between files, over all CPUs
 * @trace: trace
 */
uint64_t lkst_trace_missing(const struct lkst_trace *trace)
{
	uint64_t missing = 0;

	for (size_t i = 0; i < trace->gaps; i++)
		missing += trace->gap[i].missing;
	return missing;
}
