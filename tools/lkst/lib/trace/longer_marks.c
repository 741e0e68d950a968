// SPDX-License-Identifier: LGPL-2.1
/* The events that begin or end long operations, and the durations that are printed with them. */
#include <stdlib.h>

#include "lib/text/format.h"
#include "longer.h"
#include "longer_state.h"

static const char *const marks_names[] = {
	[LONGER_TOOK] = "took",		  [LONGER_SLEEP] = "sleep",
	[LONGER_WAIT] = "wait",		  [LONGER_NEXT_SLEEP] = "next_sleep",
	[LONGER_NEXT_WAIT] = "next_wait", [LONGER_PREV_SLEEP] = "prev_sleep",
	[LONGER_PREV_WAIT] = "prev_wait",
};

/**
 * longer_mark_of() - make the mark of an event
 * @event: event
 */
struct longer_mark longer_mark_of(const struct lkst_event *event)
{
	return (struct longer_mark){
		.time_ns = event->time_ns,
		.recid = event->recid,
		.cpu = event->cpu,
		.source = event->source,
	};
}

static int marks_by_event(const void *pa, const void *pb)
{
	const struct longer_mark *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->recid != b->recid)
		return a->recid < b->recid ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return (a->source > b->source) - (a->source < b->source);
}

static int marks_by_mark(const void *pa, const void *pb)
{
	const struct longer_mark *a = pa, *b = pb;
	int ret = marks_by_event(a, b);

	return ret ? ret : (a->name > b->name) - (a->name < b->name);
}

/**
 * longer_marks_add() - add a mark
 * @longer: operations found so far
 * @mark: mark
 *
 * Return: 0; -1 if an allocation fails.
 */
int longer_marks_add(struct lkst_longer *longer, struct longer_mark mark)
{
	if (longer->num == longer->room) {
		size_t room = longer->room ? longer->room * 2 : 256;
		struct longer_mark *grown = realloc(longer->mark, room * sizeof(*grown));

		if (!grown)
			return -1;
		longer->mark = grown;
		longer->room = room;
	}
	longer->mark[longer->num++] = mark;
	return 0;
}

/**
 * longer_marks_sort() - sort the marks, so that the marks of an event can be found
 * @longer: operations found so far
 */
void longer_marks_sort(struct lkst_longer *longer)
{
	if (longer->num)
		qsort(longer->mark, longer->num, sizeof(*longer->mark), marks_by_mark);
}

/**
 * longer_marks_keep() - remove the marks of all other events
 * @longer: operations found so far
 * @event: event
 */
void longer_marks_keep(struct lkst_longer *longer, const struct lkst_event *event)
{
	struct longer_mark mark = longer_mark_of(event);
	size_t num = 0;

	for (size_t i = 0; i < longer->num; i++)
		if (!marks_by_event(&longer->mark[i], &mark))
			longer->mark[num++] = longer->mark[i];
	longer->num = num;
}

/* Return the first mark of an event; NULL if it has none. */
static const struct longer_mark *marks_first(const struct lkst_longer *longer,
					     const struct lkst_event *event)
{
	struct longer_mark mark = longer_mark_of(event);
	const struct longer_mark *found = NULL;

	if (event->type < LKST_ETYPE_NUM && longer->has_spans[event->type] && longer->num)
		found = bsearch(&mark, longer->mark, longer->num, sizeof(mark), marks_by_event);
	while (found && found > longer->mark && !marks_by_event(found - 1, &mark))
		found--;
	return found;
}

/**
 * lkst_longer_has() - check whether an event begins or ends an operation that takes long
 * @longer: from lkst_longer_find()
 * @event: event of the trace
 */
bool lkst_longer_has(const struct lkst_longer *longer, const struct lkst_event *event)
{
	return marks_first(longer, event);
}

/**
 * lkst_longer_spans() - list the operations that an event begins or ends
 * @longer: from lkst_longer_find()
 * @event: event of the trace
 * @span: receives the operations that take long
 *
 * Return: number of operations.
 */
size_t lkst_longer_spans(const struct lkst_longer *longer, const struct lkst_event *event,
			 struct lkst_format_span span[LKST_FORMAT_SPANS_MAX])
{
	const struct longer_mark *mark = marks_first(longer, event), *first = mark;
	size_t num = 0;

	for (; mark && mark < longer->mark + longer->num && num < LKST_FORMAT_SPANS_MAX; mark++) {
		if (marks_by_event(mark, first))
			break;
		span[num++] = (struct lkst_format_span){
			.name = marks_names[mark->name],
			.ns = mark->ns,
			.ended = mark->ended,
		};
	}
	return num;
}
