// SPDX-License-Identifier: GPL-2.0
/* lkstbuf print: from the options that select events to a selection. */
#include <stdlib.h>

#include "buffer_print.h"
#include "lib/messages.h"

/**
 * print_filter() - what -e says
 * @args: command line
 * @types: event types
 * @filter: to set up
 * @err: the word that is wrong
 */
int print_filter(const struct print_arguments *args, const struct lkst_etypes *types,
		 struct lkst_filter *filter, struct lkst_error *err)
{
	lkst_filter_init(filter);
	for (size_t i = 0; i < args->events.num; i++)
		if (lkst_filter_add(filter, types, args->events.word[i], err))
			return -1;
	return 0;
}

/**
 * print_processes() - what -p says
 * @args: command line
 * @processes: result, to be freed, also after an error; NULL when there is no -p
 * @err: the word that is wrong
 */
int print_processes(const struct print_arguments *args, struct lkst_processes **processes,
		    struct lkst_error *err)
{
	*processes = args->processes.num ? lkst_processes_new(err) : NULL;
	if (args->processes.num && !*processes)
		return -1;
	for (size_t i = 0; i < args->processes.num; i++)
		if (lkst_processes_add(*processes, args->processes.word[i], err))
			return -1;
	return 0;
}

static int parse(const struct print_arguments *args, const char *what, const char *text,
		 struct lkst_when *when, struct lkst_error *err)
{
	return lkst_when_parse(what, text, args->print.format.time == LKST_TIME_UTC, when, err);
}

/**
 * print_check_times() - whether --since and --until are times, and --longer a span
 * @args: command line
 * @err: why not
 */
int print_check_times(struct print_arguments *args, struct lkst_error *err)
{
	struct lkst_when when;

	if (args->since && parse(args, "--since", args->since, &when, err))
		return -1;
	if (args->since && args->follow && when.from == LKST_WHEN_OLDEST) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_FOLLOW_OLDEST, args->since);
		return -1;
	}
	if (args->until && parse(args, "--until", args->until, &when, err))
		return -1;
	return args->longer ? lkst_span_parse("--longer", args->longer, &args->longer_ns, err) : 0;
}

/**
 * print_span() - what --since and --until say
 * @args: command line, checked
 * @oldest_ns: time of the oldest event there is
 * @newest_ns: time of the newest one
 * @selection: takes the result
 * @err: nothing can be between the two
 */
int print_span(const struct print_arguments *args, int64_t oldest_ns, int64_t newest_ns,
	       struct lkst_selection *selection, struct lkst_error *err)
{
	struct lkst_when when;

	if (args->since && !parse(args, "--since", args->since, &when, err))
		selection->since_ns = lkst_when_resolve(&when, oldest_ns, newest_ns);
	if (args->until && !parse(args, "--until", args->until, &when, err))
		selection->until_ns = lkst_when_resolve(&when, oldest_ns, newest_ns);
	if (selection->since_ns <= selection->until_ns)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SPAN, args->since, args->until);
	return -1;
}
