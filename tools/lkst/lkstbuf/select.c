// SPDX-License-Identifier: GPL-2.0
/* Evaluates the options of lkstbuf print and lkstbuf read that select events. */
#include <stdlib.h>
#include <string.h>

#include "cli/no_match.h"
#include "cli/processes.h"
#include "cli/times.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "lib/text/filter.h"
#include "lib/text/timestamp.h"
#include "lib/text/where.h"
#include "lib/trace/longer.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "messages.h"
#include "select.h"

/**
 * select_any() - check whether any option selects events
 * @args: command line
 */
bool select_any(const struct select_arguments *args)
{
	return args->events.num || args->processes.num || args->where.num || args->longer ||
	       args->times.since || args->times.until;
}

/**
 * select_check() - check the options that do not need a trace: --only, times and spans
 * @args: command line; @longer_ns is filled in
 * @err: set if an option is invalid
 */
int select_check(struct select_arguments *args, struct lkst_error *err)
{
	if (args->only && !args->processes.num) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ONLY);
		return -1;
	}
	if (times_check(&args->times, err))
		return -1;
	return args->longer ? lkst_span_parse("--longer", args->longer, &args->longer_ns, err) : 0;
}

/**
 * select_times() - apply --since and --until to a trace
 * @args: command line, checked
 * @trace: trace
 * @selection: receives the times of --since and --until
 * @oldest_ns: set to the time of the oldest event, unless the trace is empty; may be NULL
 * @err: set on failure
 */
int select_times(const struct select_arguments *args, struct lkst_trace *trace,
		 struct lkst_selection *selection, int64_t *oldest_ns, struct lkst_error *err)
{
	int64_t first_ns, last_ns;
	int ret;

	if (!args->times.since && !args->times.until && !oldest_ns)
		return 0;
	ret = lkst_trace_span(trace, &first_ns, &last_ns, err);
	if (ret)
		return ret > 0 ? 0 : -1;
	if (oldest_ns)
		*oldest_ns = first_ns;
	return times_apply(&args->times, first_ns, last_ns, &selection->since_ns,
			   &selection->until_ns, err);
}

/**
 * select_nothing() - report that no event of a trace matches the selection
 * @args: command line
 * @trace: trace
 * @err: set; the text has the time span of the trace, and thread names similar to the names in -p
 *
 * Return: -1.
 */
int select_nothing(const struct select_arguments *args, struct lkst_trace *trace,
		   struct lkst_error *err)
{
	return no_match("no event matches", &args->processes, args->times.utc, trace, NULL, err);
}

static struct lkst_filter *select_make_filter(const struct select_arguments *args,
					      const struct lkst_etypes *types,
					      struct lkst_error *err)
{
	struct lkst_filter *filter = lkst_filter_new(err);

	for (size_t i = 0; filter && i < args->events.num; i++)
		if (lkst_filter_add(filter, types, args->events.word[i], err)) {
			lkst_filter_free(filter);
			return NULL;
		}
	return filter;
}

static bool select_trace_has_any(const struct lkst_trace *trace, const struct lkst_numbers *numbers)
{
	for (unsigned int i = 0; i < numbers->num; i++)
		if (lkst_trace_has_type(trace, numbers->first + i))
			return true;
	return false;
}

/*
 * Set @err if -e gives the number of an unknown event type. The number is accepted if the trace has
 * such events: the module that registered their event type may have been unloaded.
 */
static int select_check_numbers(const struct lkst_trace *trace, const struct lkst_filter *filter,
				struct lkst_error *err)
{
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_numbers *numbers = &filter->unknown[i];
		unsigned int last = numbers->first + numbers->num - 1u;

		if (!numbers->num || select_trace_has_any(trace, numbers))
			continue;
		if (numbers->num == 1)
			lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENT_TYPE, i);
		else
			lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENT_TYPES, numbers->first,
				       last);
		return -1;
	}
	return 0;
}

/*
 * List the contexts of the files of a trace, or the only context of the running kernel. Files of
 * one boot may share their context, which is listed once if they are next to each other.
 */
static const struct lkst_context **select_contexts(const struct selecting *from, size_t *num)
{
	size_t sources = from->trace ? lkst_trace_sources(from->trace) : 1;
	const struct lkst_context **list = malloc((sources + 1) * sizeof(*list));

	*num = 0;
	for (size_t i = 0; list && i < sources; i++) {
		const struct lkst_context *context =
			from->trace ? lkst_trace_source_context(from->trace, (uint32_t)i) :
				      from->context;

		if (!*num || list[*num - 1] != context)
			list[(*num)++] = context;
	}
	return list;
}

/* Compile the conditions of --where. */
static int select_take_conditions(struct selector *selector, const struct select_arguments *args,
				  const struct selecting *from, struct lkst_error *err)
{
	struct lkst_where_scope scope = { .types = from->types, .filter = selector->filter };
	const struct lkst_context **list = select_contexts(from, &scope.contexts);
	int ret = 0;

	scope.context = list;
	selector->where = calloc(args->where.num, sizeof(*selector->where));
	if (!list || !selector->where) {
		lkst_error_memory(err, "the conditions");
		ret = -1;
	}
	for (size_t i = 0; !ret && i < args->where.num; i++) {
		selector->where[i] = lkst_where_new(args->where.word[i], &scope, err);
		if (selector->where[i])
			selector->wheres++;
		else
			ret = -1;
	}
	free(list);
	return ret;
}

/**
 * selector_open() - apply -e, -p, --where and --longer
 * @selector: result; the caller must call selector_close() even after an error
 * @args: command line, checked
 * @from: what the events are selected from; if it has no trace, @selector->longer must observe each
 *	event before the event is compared with @selection
 * @selection: set to what the options select; points into @selector
 * @err: set on failure; names the invalid word
 */
int selector_open(struct selector *selector, const struct select_arguments *args,
		  const struct selecting *from, struct lkst_selection *selection,
		  struct lkst_error *err)
{
	*selector = (struct selector){ 0 };
	selector->filter = select_make_filter(args, from->types, err);
	if (!selector->filter ||
	    (from->trace && select_check_numbers(from->trace, selector->filter, err)))
		return -1;
	if (args->where.num && select_take_conditions(selector, args, from, err))
		return -1;
	if (args->processes.num) {
		selector->processes = processes_take(&args->processes, err);
		if (!selector->processes)
			return -1;
	}
	if (args->longer) {
		selector->longer =
			from->trace ?
				lkst_longer_find(from->trace, from->types, args->longer_ns, err) :
				lkst_longer_live(from->types, args->longer_ns, err);
		if (!selector->longer)
			return -1;
	}
	selection->filter = selector->filter;
	selection->processes = selector->processes;
	selection->about = args->only ? NULL : from->types;
	selection->where = selector->where;
	selection->wheres = selector->wheres;
	selection->longer = selector->longer;
	return 0;
}

/**
 * selector_close() - free what a selection points to
 * @selector: from selector_open()
 */
void selector_close(struct selector *selector)
{
	lkst_longer_free(selector->longer);
	for (size_t i = 0; i < selector->wheres; i++)
		lkst_where_free(selector->where[i]);
	free(selector->where);
	lkst_processes_free(selector->processes);
	lkst_filter_free(selector->filter);
}
