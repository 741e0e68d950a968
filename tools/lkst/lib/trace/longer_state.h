/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the files that find operations that take long. */
#ifndef _LKST_LONGER_STATE_H
#define _LKST_LONGER_STATE_H

#include "lib/lkst.h"

/*
 * The name of a span at one of its two events. At a context switch, the name shows whether the span
 * belongs to the thread that stops running, or to the thread that starts running.
 */
enum longer_name {
	LONGER_TOOK,
	LONGER_SLEEP,
	LONGER_WAIT,
	LONGER_NEXT_SLEEP,
	LONGER_NEXT_WAIT,
	LONGER_PREV_SLEEP,
	LONGER_PREV_WAIT,
};

/* Types of operations that have no exit type; for struct longer_open.type. */
enum {
	LONGER_TYPE_SLEEP = LKST_ETYPE_NUM,
	LONGER_TYPE_WAIT,
	LONGER_TYPE_CPU,	/* not an operation: the last event of a CPU */
};

/*
 * Maximum number of live operations that have begun, so that missing ends do not use up the memory
 */
#define LONGER_OPEN_MAX (1u << 18)

/**
 * struct longer_mark - an event that begins or ends an operation that takes long
 * @time_ns: this and the next three members identify the event, and are the sort key
 * @recid: see above
 * @cpu: see above
 * @source: see above
 * @name: what the span is called
 * @ended: the operation ends in the trace
 * @ns: duration, or the time until the end of the trace
 */
struct longer_mark {
	int64_t time_ns;
	uint64_t recid;
	int32_t cpu;
	uint32_t source;
	enum longer_name name;
	bool ended;
	uint64_t ns;
};

/**
 * struct longer_open - an operation that has begun
 * @boot: the members up to @key identify the operation
 * @type: type of the event that ends it, or LONGER_TYPE_*
 * @tid: thread; 0: an idle thread, a block request or LONGER_TYPE_CPU
 * @cpu: CPU of an idle thread; otherwise -1
 * @key: device and sector of a block request; otherwise 0
 * @mark: the event that began it
 * @name: what the span is called at that event
 * @ends: the operation is reported even if it has no end
 * @arg: first argument of the event
 * @epoch: value of lkst_longer.epoch at the event
 */
struct longer_open {
	uint32_t boot;
	uint32_t type;
	uint32_t tid;
	int32_t cpu;
	uint64_t key[2];
	struct longer_mark mark;
	enum longer_name name;
	bool ends;
	uint64_t arg;
	uint64_t epoch;
};

/**
 * struct lkst_longer - operations that take long
 * @least_ns: minimum duration
 * @exit_of: exit type of an entry type; 0: not an entry
 * @is_exit: exit types
 * @same: for an exit type: its first argument must equal the entry's
 * @has_spans: types of events that can begin or end an operation
 * @boot: boot of the current event
 * @newest_ns: for each boot, the time of the last event so far
 * @live: events are observed one by one, and @mark contains only the marks of the current event
 * @wakes: the trace contains wake-ups. If @live is set: wake-ups have occurred since recording last
 *	changed
 * @selected: the trace was filtered when it was written, so gaps in the recids are not losses
 * @epoch: incremented when events may be missing: from then on, nothing is known about the sleeps
 *	and waits that began before
 * @open: search tree of struct longer_open
 * @opened: number of operations in @open
 * @mark: result, sorted
 * @num: number of marks
 * @room: number of marks that fit into @mark
 */
struct lkst_longer {
	int64_t least_ns;
	uint16_t exit_of[LKST_ETYPE_NUM];
	bool is_exit[LKST_ETYPE_NUM];
	bool same[LKST_ETYPE_NUM];
	bool has_spans[LKST_ETYPE_NUM];
	uint32_t boot;
	int64_t *newest_ns;
	bool live;
	bool wakes;
	bool selected;
	uint64_t epoch;
	void *open;
	size_t opened;
	struct longer_mark *mark;
	size_t num;
	size_t room;
};

/* longer.c */
int longer_enter(struct lkst_longer *longer, const struct longer_open *place);
struct longer_open *longer_find(const struct lkst_longer *longer, const struct longer_open *place);
struct longer_open *longer_leave(struct lkst_longer *longer, const struct longer_open *place);
int longer_end(struct lkst_longer *longer, const struct longer_open *begin,
	       const struct lkst_event *end, enum longer_name name);

/* longer_marks.c */
struct longer_mark longer_mark_of(const struct lkst_event *event);
int longer_marks_add(struct lkst_longer *longer, struct longer_mark mark);
void longer_marks_sort(struct lkst_longer *longer);
void longer_marks_keep(struct lkst_longer *longer, const struct lkst_event *event);

/* longer_threads.c */
void longer_threads_start(struct lkst_longer *longer, const struct lkst_trace *trace);
int longer_threads_take(struct lkst_longer *longer, const struct lkst_event *event);
bool longer_threads_know(const struct lkst_longer *longer, const struct longer_open *open);

#endif
