// SPDX-License-Identifier: GPL-2.0
/* lkstbuf print, read: from the options that select events to a selection. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buffer_select.h"
#include "lib/messages.h"

/**
 * select_any() - whether the command line selects events
 * @args: command line
 */
bool select_any(const struct select_arguments *args)
{
	return args->events.num || args->processes.num || args->longer || args->since ||
	       args->until;
}

static int parse(const struct select_arguments *args, const char *what, const char *text,
		 struct lkst_timestamp *when, struct lkst_error *err)
{
	return lkst_timestamp_parse(what, text, args->utc, when, err);
}

/**
 * select_check() - check what needs no trace: times and spans
 * @args: command line
 * @err: what is wrong
 */
int select_check(struct select_arguments *args, struct lkst_error *err)
{
	struct lkst_timestamp when;

	if (args->only && !args->processes.num) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ONLY);
		return -1;
	}
	if ((args->since && parse(args, "--since", args->since, &when, err)) ||
	    (args->until && parse(args, "--until", args->until, &when, err)))
		return -1;
	return args->longer ? lkst_span_parse("--longer", args->longer, &args->longer_ns, err) : 0;
}

/**
 * select_span() - what --since and --until say
 * @args: command line, checked
 * @oldest_ns: time of the oldest event there is
 * @newest_ns: time of the newest one
 * @selection: takes the result
 * @err: nothing can be between the two
 */
int select_span(const struct select_arguments *args, int64_t oldest_ns, int64_t newest_ns,
		struct lkst_selection *selection, struct lkst_error *err)
{
	struct lkst_timestamp when;

	if (args->since && !parse(args, "--since", args->since, &when, err))
		selection->since_ns = lkst_timestamp_resolve(&when, oldest_ns, newest_ns);
	if (args->until && !parse(args, "--until", args->until, &when, err))
		selection->until_ns = lkst_timestamp_resolve(&when, oldest_ns, newest_ns);
	if (selection->since_ns <= selection->until_ns)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SPAN, args->since, args->until);
	return -1;
}

/* When the trace begins and ends. 0: it has events; 1: it has none; -1: error. */
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
 * select_times() - what --since and --until say of a trace
 * @args: command line, checked
 * @trace: trace
 * @selection: takes the result
 * @oldest_ns: takes the time of the oldest event, if there is one; NULL: nobody asks
 * @err: why not
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

/* ---- nothing is selected ---- */

struct thread_names {
	size_t num;
	const char **name;
};

/* Files of one boot share them. */
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

static const char *name_at(void *ctx, size_t i)
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

/* A line for a word of -p that no thread is called by. */
static void tell_unknown(const struct thread_names *list, const char *word, struct lkst_error *err)
{
	size_t len = strlen(err->text), n;
	const char *near[LKST_NEAR_MAX];
	struct lkst_error line;
	char text[256];

	if (*word == '!' || !strcasecmp(word, LKST_WORD_ALL) || !word[strspn(word, "0123456789")] ||
	    any_is_called(list, word))
		return;
	n = lkst_near(word, name_at, (void *)list, list->num, near);
	lkst_near_text(near, n, text, sizeof(text));
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
 * select_nothing() - say that a trace has no event of those that are wanted
 * @args: command line
 * @trace: trace
 * @err: result: which events there are, and which names are near to those of -p
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
				tell_unknown(&list, word, err);
			free(copy);
		}
	free(list.name);
	return -1;
}

/**
 * select_check_cpu() - whether trace files have a CPU
 * @path: they
 * @num: how many; none: the kernel's CPUs were checked when they were read
 * @cpu: of -c; -1: all
 * @trace: what the files make
 * @err: which CPUs there are
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

/* A number that nothing has is a mistake; a module's event may have no name any more. */
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
 * selector_open() - what -e, -p and --longer say
 * @selector: to set up; selector_close() follows also after an error
 * @args: command line, checked
 * @trace: to be gone through; NULL: none, and no --longer
 * @types: event types
 * @selection: takes the result
 * @err: the word that is wrong
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
