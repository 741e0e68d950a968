// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads a trace at several places at the same time. A view has its own position, and the buffers
 * for it. Everything else belongs to the trace, and does not change while records are read.
 */
#include <stdlib.h>

#include "lanes.h"
#include "lib/base/error.h"
#include "reader.h"

/**
 * lkst_trace_view_new() - make a view of a trace
 * @trace: trace, which must stay open until the view has been freed. Until then, the functions that
 *	replace its symbols and drop its files must not be called
 * @err: set if an allocation fails
 *
 * Return: the view, which can be used like a trace, except that lkst_trace_view_free() frees it.
 * Call lkst_trace_rewind() before reading.
 */
struct lkst_trace *lkst_trace_view_new(const struct lkst_trace *trace, struct lkst_error *err)
{
	struct lkst_trace *view = malloc(sizeof(*view));
	struct merge_lane *lane = calloc(trace->lanes + 1, sizeof(*lane));

	if (!view || !lane) {
		free(view);
		free(lane);
		lkst_error_memory(err, "a view of the trace");
		return NULL;
	}
	*view = *trace;
	/* The view does not get the records that the trace has read but not yet returned. */
	for (size_t i = 0; i < trace->lanes; i++) {
		lane[i] = trace->lane[i];
		lane[i].cursor = lane[i].now = NULL;
		lane[i].chains = NULL;
	}
	view->lane = lane;
	view->payload = NULL;
	view->cursor = NULL;
	view->heap = NULL;
	view->heap_num = 0;
	view->packed = NULL;
	view->packed_room = 0;
	view->unpacker = (struct unpacker){ 0 };
	return view;
}

/**
 * lkst_trace_view_free() - free a view
 * @view: from lkst_trace_view_new(); may be NULL
 */
void lkst_trace_view_free(struct lkst_trace *view)
{
	if (!view)
		return;
	trace_drop_cursors(view);
	free(view->lane);
	free(view->packed);
	free(view->payload);
	trace_unpacker_close(&view->unpacker);
	free(view);
}
