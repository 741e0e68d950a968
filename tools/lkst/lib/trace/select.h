/* SPDX-License-Identifier: LGPL-2.1 */
/* Selects events by CPU, event type, values, process, time and duration. */
#ifndef _LKST_LIB_TRACE_SELECT_H
#define _LKST_LIB_TRACE_SELECT_H

#include "lib/lkst.h"
#include "lib/text/context.h"
#include "lib/text/filter.h"
#include "lib/text/where.h"
#include "longer.h"

struct lkst_processes;

struct lkst_processes *lkst_processes_new(struct lkst_error *err);
int lkst_processes_add(struct lkst_processes *processes, const char *words,
		       struct lkst_error *err);
void lkst_processes_free(struct lkst_processes *processes);

enum lkst_process_match {
	LKST_PROCESS_NO_MATCH,	/* no word matches: lkst_processes_others() decides */
	LKST_PROCESS_SELECTED,
	LKST_PROCESS_EXCLUDED,
};

enum lkst_process_match lkst_process_match(const struct lkst_processes *processes,
					   struct lkst_names *names,
					   const struct lkst_event *event);
bool lkst_processes_others(const struct lkst_processes *processes);

/**
 * struct lkst_selection - which events are selected
 * @cpu: only this CPU; -1: all
 * @filter: event types and system calls; NULL: all
 * @processes: processes; NULL: all
 * @about: NULL: select only events of @processes. Otherwise also select events of other processes
 *	that are about @processes; to find these, @about must be the table of all event types
 * @others: NULL: keep events that only show LKST's own commands at work. Otherwise omit these; to
 *	find them, @others must be the table of all event types
 * @where: conditions, all of which must hold
 * @wheres: number of conditions
 * @longer: select only pairs of entry and exit events that are far apart; NULL: all events
 * @since_ns: earliest time, nanoseconds since the epoch
 * @until_ns: latest time
 */
struct lkst_selection {
	int32_t cpu;
	const struct lkst_filter *filter;
	const struct lkst_processes *processes;
	const struct lkst_etypes *about;
	const struct lkst_etypes *others;
	struct lkst_where *const *where;
	size_t wheres;
	const struct lkst_longer *longer;
	int64_t since_ns;
	int64_t until_ns;
};

void lkst_selection_init(struct lkst_selection *selection);
bool lkst_process_selected(const struct lkst_processes *processes, const struct lkst_etypes *types,
			   struct lkst_names *names, const struct lkst_event *event);

bool lkst_is_own_work(const struct lkst_etypes *types, struct lkst_names *names,
		      const struct lkst_event *event);

/* Return whether an event is selected. @context belongs to the kernel that recorded the event. */
static inline bool lkst_selected(const struct lkst_selection *selection,
				 const struct lkst_context *context, const struct lkst_event *event)
{
	if (selection->cpu >= 0 && event->cpu != selection->cpu)
		return false;
	if (selection->filter && !lkst_filter_shows_event(selection->filter, event))
		return false;
	if (event->time_ns < selection->since_ns || event->time_ns > selection->until_ns)
		return false;
	if (selection->longer && !lkst_longer_has(selection->longer, event))
		return false;
	if (selection->others && lkst_is_own_work(selection->others, context->names, event))
		return false;
	for (size_t i = 0; i < selection->wheres; i++)
		if (!lkst_where_holds(selection->where[i], context, event))
			return false;
	return !selection->processes ||
	       lkst_process_selected(selection->processes, selection->about, context->names, event);
}

#endif
