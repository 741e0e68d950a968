// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the events that change descriptors, and the times in which the trace may lack such events.
 * From these, lib/text/files.c determines which file a descriptor referred to.
 */
#include <stdlib.h>

#include "chunk.h"
#include "clock.h"
#include "cursor.h"
#include "file_names.h"
#include "lanes.h"
#include "lib/base/error.h"
#include "lib/text/files.h"
#include "reader.h"
#include "source.h"

#define SAME_NS 1000000 /* if wall - monotonic changes by more, the wall clock was set */

static int file_names_no_memory(struct lkst_error *err)
{
	lkst_error_memory(err, "file names");
	return -1;
}

static struct lkst_files *file_names_of(const struct lkst_trace *trace, const struct chunk_ref *ref)
{
	return trace->boot[trace_boot_of(trace, &trace->stream[ref->stream])].files;
}

/* Return whether the wall clock was set between a time pair and the latest one of its boot. */
static bool file_names_is_set(const struct boot *boot, const struct pair *pair)
{
	uint64_t change =
		(uint64_t)pair->wall_ns - (uint64_t)pair->monotonic_ns - (uint64_t)boot->offset_ns;

	return pair->monotonic_ns != TRACE_UNKNOWN_NS && change + SAME_NS > 2 * SAME_NS;
}

/**
 * trace_files_start() - prepare for the records
 * @trace: trace whose chunks were scanned, and whose time pairs are sorted
 */
void trace_files_start(struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->syncs; i++) {
		struct boot *boot = &trace->boot[trace->sync[i].boot];

		if (file_names_is_set(boot, &trace->sync[i].pair))
			lkst_files_clock_set(boot->files);
	}
	for (size_t i = 0; i < trace->sources; i++) {
		size_t len;

		/* The events that a user left out may have changed descriptors. */
		if (trace_system(&trace->source[i], "selected", &len))
			lkst_files_partial(trace->boot[trace->source[i].boot].files);
	}
	for (size_t i = 0; i < trace->boots; i++) {
		struct boot *boot = &trace->boot[i];

		lkst_files_start(boot->files, boot->monotonic ? &boot->offset_ns : NULL);
	}
}

/**
 * trace_files_wanted() - check whether the records of a chunk must be passed to trace_files_learn()
 * @trace: trace
 * @ref: the chunk
 */
bool trace_files_wanted(const struct lkst_trace *trace, const struct chunk_ref *ref)
{
	return lkst_files_need_events(file_names_of(trace, ref));
}

static uint64_t file_names_arg0(const struct cursor *c, uint32_t i)
{
	const struct lkst_event_record *raw = (void *)c->data;
	const struct lkst_log_record *std = (void *)c->data;

	return trace_is_raw(c) ? raw[i].arg[0] : std[i].log_arg1;
}

/**
 * trace_files_learn() - learn from the records of a chunk which descriptors change
 * @trace: trace
 * @c: the chunk, whose times are known
 * @err: set if an allocation fails
 */
int trace_files_learn(struct lkst_trace *trace, const struct cursor *c, struct lkst_error *err)
{
	struct lkst_files *files = trace->boot[trace_boot_of(trace, c->stream)].files;
	struct lkst_event event;
	int64_t from = 0;
	bool hole = false;

	for (uint32_t i = 0; i < c->count; i++) {
		if (trace_is_hole(c, i)) {
			from = hole ? from : c->time[i].key;
			hole = true;
			continue;
		}
		if (hole && lkst_files_break(files, from, c->time[i].key))
			return file_names_no_memory(err);
		hole = false;
		if (!lkst_files_concerns(files, c->stream->machine, trace_type(c, i),
					 file_names_arg0(c, i)))
			continue;
		trace_get_event(trace, c, i, &event);
		if (lkst_files_observe(files, &event))
			return file_names_no_memory(err);
	}
	/* The time of the next record is not known here. */
	if (hole && lkst_files_break(files, from, INT64_MAX))
		return file_names_no_memory(err);
	return 0;
}

/* Find the times in which records of a CPU may be missing. */
static int file_names_finish_lane(const struct lkst_trace *trace, const struct merge_lane *lane,
				  size_t *at)
{
	const struct chunk_ref *last = NULL, *next;
	int64_t latest = INT64_MIN;
	struct lkst_files *files;

	for (size_t i = 0; i < lane->tracks; i++)
		at[i] = 0;
	while ((next = trace_next_chunk(lane, at)) != NULL) {
		bool complete = last ? next->first_recid <= last->last_recid + 1 :
				       !next->first_recid;

		if (!complete &&
		    lkst_files_break(file_names_of(trace, next), latest, next->first_ns))
			return -1;
		latest = next->latest_ns > latest ? next->latest_ns : latest;
		if (!last || next->last_recid > last->last_recid)
			last = next;
	}
	if (!last)
		return 0;
	files = file_names_of(trace, last);
	return lkst_files_lane(files, trace->stream[last->stream].info.cpu, last->last_recid + 1,
			       latest);
}

/**
 * trace_files_finish() - determine when the names of descriptors are valid
 * @trace: trace whose records were passed to trace_files_learn(), with lanes
 * @err: set if an allocation fails
 */
int trace_files_finish(struct lkst_trace *trace, struct lkst_error *err)
{
	size_t *at = calloc(trace->tracks + 1, sizeof(*at));
	int ret = at ? 0 : -1;

	for (size_t i = 0; i < trace->lanes && !ret; i++) {
		const struct chunk_ref *ref = trace->lane[i].track->ref;

		if (trace->stream[ref->stream].info.cpu >= 0 && trace_files_wanted(trace, ref))
			ret = file_names_finish_lane(trace, &trace->lane[i], at);
	}
	for (size_t i = 0; i < trace->boots && !ret; i++)
		lkst_files_finalize(trace->boot[i].files);
	free(at);
	return ret ? file_names_no_memory(err) : 0;
}
