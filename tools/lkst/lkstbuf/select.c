// SPDX-License-Identifier: GPL-2.0
/* Evaluates the options of lkstbuf print and lkstbuf read that select events. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/filter.h"
#include "lib/text/names.h"
#include "lib/text/parse.h"
#include "lib/text/timestamp.h"
#include "lib/text/words.h"
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
	return args->events.num || args->processes.num || args->longer || args->since ||
	       args->until;
}

static int buffer_select_parse(const struct select_arguments *args, const char *name,
			       const char *text, struct lkst_timestamp *timestamp, struct lkst_error *err)
{
	return lkst_timestamp_parse(name, text, args->utc, timestamp, err);
}

/**
 * select_check() - check the options that do not need a trace: --only, times and spans
 * @args: command line; @longer_ns is filled in
 * @err: set if an option is invalid
 */
int select_check(struct select_arguments *args, struct lkst_error *err)
{
	struct lkst_timestamp timestamp;

	if (args->only && !args->processes.num) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ONLY);
		return -1;
	}
	if ((args->since && buffer_select_parse(args, "--since", args->since, &timestamp, err)) ||
	    (args->until && buffer_select_parse(args, "--until", args->until, &timestamp, err)))
		return -1;
	return args->longer ? lkst_span_parse("--longer", args->longer, &args->longer_ns, err) : 0;
}

/**
 * select_span() - apply --since and --until
 * @args: command line, checked
 * @oldest_ns: time of the oldest event
 * @newest_ns: time of the newest event
 * @selection: receives the times of --since and --until
 * @err: set if --since is later than --until
 */
int select_span(const struct select_arguments *args, int64_t oldest_ns, int64_t newest_ns,
		struct lkst_selection *selection, struct lkst_error *err)
{
	struct lkst_timestamp timestamp;

	if (args->since && !buffer_select_parse(args, "--since", args->since, &timestamp, err))
		selection->since_ns = lkst_timestamp_resolve(&timestamp, oldest_ns, newest_ns);
	if (args->until && !buffer_select_parse(args, "--until", args->until, &timestamp, err))
		selection->until_ns = lkst_timestamp_resolve(&timestamp, oldest_ns, newest_ns);
	if (selection->since_ns <= selection->until_ns)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SPAN, args->since, args->until);
	return -1;
}

/* Find the times of the first and last event. Returns 0, 1 if the trace is empty, -1 on error. */
static int find_span(struct lkst_trace *trace, int64_t *oldest_ns, int64_t *newest_ns,
		     struct lkst_error *err)
{
	struct lkst_event event;
	int ret;

	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err))
		return -1;
	ret = lkst_trace_next(trace, &event, err);
	if (ret <= 0)
		return ret ? ret : 1;
	*oldest_ns = event.time_ns;
	if (lkst_trace_rewind(trace, LKST_NEWEST_FIRST, err) ||
	    lkst_trace_next(trace, &event, err) < 0)
		return -1;
	*newest_ns = event.time_ns;
	return 0;
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

	if (!args->since && !args->until && !oldest_ns)
		return 0;
	ret = find_span(trace, &first_ns, &last_ns, err);
	if (ret)
		return ret > 0 ? 0 : -1;
	if (oldest_ns)
		*oldest_ns = first_ns;
	return select_span(args, first_ns, last_ns, selection, err);
}

/* ---- error: no event matches ---- */

struct thread_names {
	size_t num;
	const char **name;
};

/* List the names of all threads. Consecutive files of one boot share one table: list it once. */
static int list_names(struct lkst_trace *trace, struct thread_names *list)
{
	const struct lkst_names *before = NULL;

	for (uint32_t i = 0; i < lkst_trace_sources(trace); i++) {
		const struct lkst_names *names = lkst_trace_source_context(trace, i)->names;
		size_t at = 0, num = 0;
		const char **grown;

		if (names == before)
			continue;
		while (lkst_names_next(names, &at))
			num++;
		grown = realloc(list->name, (list->num + num + 1) * sizeof(*grown));
		if (!grown)
			return -1;
		list->name = grown;
		for (at = 0; num; num--)
			list->name[list->num++] = lkst_names_next(names, &at);
		before = names;
	}
	return 0;
}

static const char *buffer_select_name_at(void *ctx, size_t i)
{
	return ((const struct thread_names *)ctx)->name[i];
}

static bool any_is_called(const struct thread_names *list, const char *pattern)
{
	for (size_t i = 0; i < list->num; i++)
		if (!fnmatch(pattern, list->name[i], 0))
			return true;
	return !strncmp(pattern, "swapper", 7);
}

/* Add a line to @err if a word of -p matches no thread name. */
static void report_unknown(const struct thread_names *list, const char *word,
			   struct lkst_error *err)
{
	size_t len = strlen(err->text), n;
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	struct lkst_error line;
	char text[256];

	if (*word == '!' || !strcasecmp(word, LKST_WORD_ALL) || !word[strspn(word, "0123456789")] ||
	    any_is_called(list, word))
		return;
	n = lkst_suggest(word, buffer_select_name_at, (void *)list, list->num, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(&line, LKST_ERR_NOT_FOUND, MSG_NO_THREAD, word, text);
	if (len + strlen(line.text) + 2 <= sizeof(err->text))
		strcpy(stpcpy(err->text + len, "\n"), line.text);
}

static void moment_text(int64_t ns, bool utc, char *text, size_t size)
{
	time_t second = (time_t)(ns / 1000000000);
	struct tm tm;
	size_t len;

	if (!(utc ? gmtime_r(&second, &tm) : localtime_r(&second, &tm)))
		memset(&tm, 0, sizeof(tm));
	len = strftime(text, size, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text + len, size - len, ".%06lld", llabs(ns % 1000000000) / 1000);
}

/**
 * select_nothing() - report that no event of a trace matches the selection
 * @args: command line
 * @trace: trace
 * @err: set; the text contains the time span of the trace, and thread names similar to those of -p
 *
 * Return: -1.
 */
int select_nothing(const struct select_arguments *args, struct lkst_trace *trace,
		   struct lkst_error *err)
{
	struct thread_names list = { 0 };
	int64_t oldest_ns, newest_ns;
	char oldest[64], newest[64];
	int ret = find_span(trace, &oldest_ns, &newest_ns, err);

	if (ret < 0)
		return -1;
	if (ret) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENTS);
		return -1;
	}
	moment_text(oldest_ns, args->utc, oldest, sizeof(oldest));
	moment_text(newest_ns, args->utc, newest, sizeof(newest));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NOTHING, oldest, newest);
	if (args->processes.num && !list_names(trace, &list))
		for (size_t i = 0; i < args->processes.num; i++) {
			char *copy = strdup(args->processes.word[i]), *next = copy, *word;

			while (copy && (word = lkst_next_word(&next)) != NULL)
				report_unknown(&list, word, err);
			free(copy);
		}
	free(list.name);
	return -1;
}

/**
 * select_check_cpu() - check that trace files have records of the CPU given with -c
 * @path: names of the files
 * @num: number of files; 0: the kernel's buffers, whose CPU was checked when they were read
 * @cpu: from -c; -1: all
 * @trace: trace that consists of the files
 * @err: set if the CPU is missing; lists the CPUs that exist
 */
int select_check_cpu(const char *const *path, size_t num, int32_t cpu,
		     const struct lkst_trace *trace, struct lkst_error *err)
{
	const char *file = num == 1 ? path[0] : "the files";
	char cpus[256];

	if (!num || cpu < 0 || lkst_trace_has_cpu(trace, cpu))
		return 0;
	lkst_trace_cpu_text(trace, cpus, sizeof(cpus));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU_IN,
		       strcmp(file, "-") ? file : "standard input", (long)cpu, cpus);
	return -1;
}

static struct lkst_filter *make_filter(const struct select_arguments *args,
				       const struct lkst_etypes *types, struct lkst_error *err)
{
	struct lkst_filter *filter = lkst_filter_new(err);

	for (size_t i = 0; filter && i < args->events.num; i++)
		if (lkst_filter_add(filter, types, args->events.word[i], err)) {
			lkst_filter_free(filter);
			return NULL;
		}
	return filter;
}

static struct lkst_processes *make_processes(const struct select_arguments *args,
					     struct lkst_error *err)
{
	struct lkst_processes *processes = lkst_processes_new(err);

	for (size_t i = 0; processes && i < args->processes.num; i++)
		if (lkst_processes_add(processes, args->processes.word[i], err)) {
			lkst_processes_free(processes);
			return NULL;
		}
	return processes;
}

static bool trace_has_any(const struct lkst_trace *trace, const struct lkst_numbers *numbers)
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
static int check_numbers(const struct lkst_trace *trace, const struct lkst_filter *filter,
			 struct lkst_error *err)
{
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_numbers *numbers = &filter->unknown[i];
		unsigned int last = numbers->first + numbers->num - 1u;

		if (!numbers->num || trace_has_any(trace, numbers))
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

/**
 * selector_open() - apply -e, -p and --longer
 * @selector: result; the caller must call selector_close() even after an error
 * @args: command line, checked
 * @trace: trace to search for --longer; may be NULL if --longer is not given
 * @types: event types
 * @selection: set to what the options select; points into @selector
 * @err: set on failure; names the invalid word
 */
int selector_open(struct selector *selector, const struct select_arguments *args,
		  struct lkst_trace *trace, const struct lkst_etypes *types,
		  struct lkst_selection *selection, struct lkst_error *err)
{
	*selector = (struct selector){ 0 };
	selector->filter = make_filter(args, types, err);
	if (!selector->filter || (trace && check_numbers(trace, selector->filter, err)))
		return -1;
	if (args->processes.num) {
		selector->processes = make_processes(args, err);
		if (!selector->processes)
			return -1;
	}
	if (args->longer) {
		selector->longer = lkst_longer_find(trace, types, args->longer_ns, err);
		if (!selector->longer)
			return -1;
	}
	selection->filter = selector->filter;
	selection->processes = selector->processes;
	selection->about = args->only ? NULL : types;
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
	lkst_processes_free(selector->processes);
	lkst_filter_free(selector->filter);
}
