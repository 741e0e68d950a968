/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Internal interfaces of the trace reader. A trace consists of one or more files, which are called
 * sources here.
 *
 * source.c opens a file and makes it seekable. scan.c reads it once, chunk by chunk, and payload.c
 * processes the contents. clock.c determines times. records.c handles the records of a chunk.
 * lanes.c determines which chunks are read one after the other, lane.c returns the events of a
 * CPU, chains.c puts together those that take several records, merge.c merges the events of all
 * CPUs, gaps.c finds events that are missing between files, and open.c ties it all together.
 *
 * Nothing in a file is trusted until it has been checked against the size of the file and of the
 * structures here. At most one chunk of each track is in memory. For all other chunks, only the
 * location and properties are kept, in struct chunk_ref.
 */
#ifndef _LKST_LIB_TRACE_READER_H
#define _LKST_LIB_TRACE_READER_H

#include "chunk.h"
#include "lib/lkst.h"
#include "source.h"
#include "unpack.h"

struct chain_payload;
struct cursor;
struct merge_lane;
struct lkst_trace_gap;
struct sync;
struct trace_clock;
struct track;

/*
 * Position of a lane in the merge order. The lane with the lowest position is next, whether the
 * oldest or the newest record is read first.
 */
struct merge_key {
	int64_t key;	/* of the lane's next record */
	int64_t rank;	/* order of lanes with the same key: by CPU */
	struct merge_lane *lane;
};

struct lkst_trace {
	struct lkst_trace_hooks hooks;
	size_t sources;
	struct source *source;
	size_t boots;
	struct boot *boot;
	uint64_t total;		/* size of all files in bytes, for progress */
	uint64_t done;		/* size of the files already scanned */

	size_t streams;
	struct file_buffer *stream;
	size_t refs;
	size_t refs_room;
	struct chunk_ref *ref;	/* in file order at first, later sorted by lane and track */
	size_t tracks;
	struct track *track;
	size_t lanes;
	struct merge_lane *lane;
	size_t clocks;
	struct trace_clock *clock; /* from CLOCK chunks */
	uint32_t *clock_boot;	/* for each element of @clock, the index of its boot */
	size_t syncs;
	size_t syncs_room;
	struct sync *sync;
	uint64_t cpus[LKST_TRACE_CPUS / 64];
	bool types[LKST_ETYPE_NUM];	/* event types of the records */
	size_t losses;
	struct loss *loss;
	size_t gaps;
	struct lkst_trace_gap *gap; /* at most one for each lane */
	uint64_t overtaken;	/* records that were overwritten before they were read */
	struct oops_regs oops;		/* state at the current position of the scan */
	uint8_t *packed;	/* payload as stored in the file */
	uint64_t packed_room;
	struct unpacker unpacker;

	bool long_rings;	/* read the records of the long rings, and no others */
	bool keep_parts;	/* return the parts of chains as well */
	bool in_chains[LKST_ETYPE_NUM];	/* event types of heads, in any source, and of parts */
	struct chain_payload *payload;	/* of the event that was returned last */
	uint64_t parts_skipped;
	bool parts_reported;
	bool is_part;		/* lkst_trace_rewind_part() left out records */

	enum lkst_order order;
	struct cursor *cursor;	/* one for each track */
	struct merge_key *heap;	/* lanes that have not ended */
	size_t heap_num;
	struct merge_key runner_up;	/* lane that follows the first one in the merge order */
};

static inline uint32_t trace_boot_of(const struct lkst_trace *trace, const struct file_buffer *stream)
{
	return trace->source[stream->source].boot;
}

int trace_find_gaps(struct lkst_trace *trace, struct lkst_error *err);

void trace_drop_cursors(struct lkst_trace *trace);

#endif
