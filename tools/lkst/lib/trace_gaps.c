// SPDX-License-Identifier: LGPL-2.1
/*
 * What is missing between files.
 *
 * The recids of a CPU rise by one from event to event, whichever file an event is in. So where one
 * file ends and another begins, the recids say how many events lie between them. What is missing
 * within a file is for that file to say.
 */
#include <stdlib.h>

#include "messages.h"
#include "trace_reader.h"

/* The gaps of a lane, and the files around the last of them. */
struct found {
	struct lkst_trace_gap gap;
	const struct source *before;
	const struct source *after;
};

static const struct source *source_of(const struct lkst_trace *trace, const struct chunk_ref *ref)
{
	return &trace->source[trace->stream[ref->stream].source];
}

/* A part of a trace: what was not selected is not missing. */
static bool is_part(const struct source *source)
{
	size_t len;

	return trace_system(source, "selected", &len);
}

static int by_first(const void *a, const void *b)
{
	uint64_t x = ((const struct loss *)a)->first_recid, y = ((const struct loss *)b)->first_recid;

	return (x > y) - (x < y);
}

/*
 * How many of the events from @first on, up to @end, are counted as lost. Two files may count the
 * same ones: @first moves on behind those that were counted. The losses are sorted.
 */
static uint64_t lost_between(const struct lkst_trace *trace, const struct stream *stream,
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

/* @last: of the chunks so far the one that ends last; @next: begins behind it. */
static void add_gap(const struct lkst_trace *trace, const struct chunk_ref *last,
		    const struct chunk_ref *next, struct found *found)
{
	const struct source *before = source_of(trace, last), *after = source_of(trace, next);
	const struct stream *stream = &trace->stream[next->stream];
	uint64_t first = last->last_recid + 1, missing = next->first_recid - first;

	if (before == after || is_part(before) || is_part(after))
		return;
	missing -= lost_between(trace, stream, first, next->first_recid);
	if (!missing)
		return;
	found->gap.boot = trace->boot[trace_boot_of(trace, stream)].id;
	found->gap.cpu = stream->info.cpu;
	found->gap.missing += missing;
	found->gap.gaps++;
	found->before = before;
	found->after = after;
}

static struct found search_lane(const struct lkst_trace *trace, const struct lane *lane, size_t *at)
{
	const struct chunk_ref *last = NULL, *next;
	struct found found = { 0 };

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

static void tell(struct lkst_trace *trace, const struct found *found)
{
	const struct lkst_trace_gap *gap = &found->gap;

	if (gap->gaps == 1)
		trace_note(trace, found->after, MSG_GAP, gap->cpu, (unsigned long long)gap->missing,
			   found->before->name);
	else
		trace_note(trace, found->after, MSG_GAPS, gap->cpu,
			   (unsigned long long)gap->missing, (unsigned long long)gap->gaps);
}

/**
 * trace_find_gaps() - find out which events lie between the files, and say so
 * @trace: trace with lanes
 * @err: no memory
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
		qsort(trace->loss, trace->losses, sizeof(*trace->loss), by_first);
	for (size_t i = 0; i < trace->lanes; i++) {
		struct found found = search_lane(trace, &trace->lane[i], at);

		/* The recids of the static buffer are its own. */
		if (!found.gap.gaps || found.gap.cpu < 0)
			continue;
		tell(trace, &found);
		trace->gap[trace->gaps++] = found.gap;
	}
	free(at);
	return 0;
}

/**
 * lkst_trace_gaps() - of how many CPUs events are missing between the files of a trace
 * @trace: trace
 */
size_t lkst_trace_gaps(const struct lkst_trace *trace)
{
	return trace->gaps;
}

/**
 * lkst_trace_gap() - what is missing of a CPU
 * @trace: keeps it
 * @i: below lkst_trace_gaps()
 */
const struct lkst_trace_gap *lkst_trace_gap(const struct lkst_trace *trace, size_t i)
{
	return &trace->gap[i];
}

/**
 * lkst_trace_missing() - events of all CPUs between the files that are in none of them
 * @trace: trace
 */
uint64_t lkst_trace_missing(const struct lkst_trace *trace)
{
	uint64_t missing = 0;

	for (size_t i = 0; i < trace->gaps; i++)
		missing += trace->gap[i].missing;
	return missing;
}
