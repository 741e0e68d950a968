/* SPDX-License-Identifier: LGPL-2.1 */
/* Determines the order in which chunks are read. */
#ifndef _LKST_LIB_TRACE_LANES_H
#define _LKST_LIB_TRACE_LANES_H

#include "lib/lkst.h"

struct chains;
struct chunk_ref;
struct cursor;

/* Chunks that do not overlap and whose recids increase. */
struct track {
	struct chunk_ref *ref;
	size_t num;
};

/*
 * Tracks that are read together in order of recids: the records of a CPU from all buffers and
 * files. There is more than one track if several files contain the same records.
 */
struct merge_lane {
	struct track *track;
	size_t tracks;
	int64_t rank;		/* order among the lanes: by CPU */
	struct cursor *cursor;	/* one for each track */
	struct cursor *now;	/* cursor with the next record; NULL at the end of the lane */
	struct chains *chains;	/* records that were read, but not returned yet; NULL: never any */
};

int trace_make_lanes(struct lkst_trace *trace, struct lkst_error *err);
int trace_set_floors(struct lkst_trace *trace, struct lkst_error *err);
struct chunk_ref *trace_next_chunk(const struct merge_lane *lane, size_t *at);

#endif
