// SPDX-License-Identifier: LGPL-2.1
/*
 * Selects events by CPU, event type, process and time. Processes are selected by a list of words.
 * As with option -e of lkstbuf, the last word that matches an event decides. An event that no word
 * matches is selected only if all words begin with "!".
 *
 * A word for a process also selects events about this process. These are events of other processes,
 * such as a wakeup, that have the process in an argument. A word with "!" excludes only events of
 * the process itself.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/classes.h"
#include "lib/text/etypes.h"
#include "lib/text/names.h"
#include "lib/text/parse.h"
#include "lib/text/words.h"
#include "messages.h"
#include "select.h"

/*
 * A word that selects processes: by @number if @is_number is set, otherwise by @pattern, which is
 * NULL for all processes.
 */
struct process_word {
	bool negated;
	bool is_number;
	uint32_t number;
	char *pattern;
};

struct lkst_processes {
	struct process_word *word;
	size_t num;
	bool others; /* select events that no word matches */
};

/**
 * lkst_processes_new() - make an empty selection of processes
 * @err: set if an allocation fails
 */
struct lkst_processes *lkst_processes_new(struct lkst_error *err)
{
	struct lkst_processes *processes = calloc(1, sizeof(*processes));

	if (!processes)
		lkst_error_memory(err, "the processes");
	else
		processes->others = true;
	return processes;
}

/**
 * lkst_processes_free() - free a selection of processes
 * @processes: may be NULL
 */
void lkst_processes_free(struct lkst_processes *processes)
{
	if (!processes)
		return;
	for (size_t i = 0; i < processes->num; i++)
		free(processes->word[i].pattern);
	free(processes->word);
	free(processes);
}

static bool select_all_digits(const char *text)
{
	while (isdigit((unsigned char)*text))
		text++;
	return !*text;
}

static int select_add_word(struct lkst_processes *processes, const char *text,
			   struct lkst_error *err)
{
	struct process_word *words, word = { .negated = *text == '!' };
	bool failed = false;
	long number;

	text += word.negated;
	text += strspn(text, " \t\n");
	word.is_number = select_all_digits(text);
	if (word.is_number) {
		if (lkst_parse_range("process", text, 0, UINT32_MAX, &number, err))
			return -1;
		word.number = (uint32_t)number;
	} else if (strcasecmp(text, LKST_WORD_ALL) != 0) {
		word.pattern = strdup(text);
		failed = !word.pattern;
	}
	words = realloc(processes->word, (processes->num + 1) * sizeof(*words));
	if (words)
		processes->word = words;
	if (!words || failed) {
		free(word.pattern);
		lkst_error_memory(err, "the processes");
		return -1;
	}
	words[processes->num++] = word;
	processes->others &= word.negated;
	return 0;
}

/**
 * lkst_processes_add() - add words, which take precedence over earlier ones
 * @processes: processes
 * @words: words separated by commas: number of a thread or process, pattern for names, or "all";
 *	a word that begins with "!" excludes what it matches
 * @err: set if a word is invalid
 */
int lkst_processes_add(struct lkst_processes *processes, const char *words, struct lkst_error *err)
{
	char *copy = strdup(words), *next = copy, *word;
	int ret = 0;

	if (!copy) {
		lkst_error_memory(err, "the processes");
		return -1;
	}
	while (!ret && (word = lkst_next_word(&next)) != NULL) {
		if (!word[*word == '!']) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EMPTY_PROCESS, words);
			ret = -1;
		} else {
			ret = select_add_word(processes, word, err);
		}
	}
	free(copy);
	return ret;
}

/* Return the name of a thread as printed; NULL if it is unknown. */
static const char *select_name_of(struct lkst_names *names, uint32_t tid,
				  const struct lkst_event *event, char idle[24])
{
	if (tid)
		return lkst_names_get(names, tid, event->time_ns);
	snprintf(idle, 24, "swapper/%d", event->cpu);
	return idle;
}

static bool select_matches(const struct process_word *word, struct lkst_names *names, uint32_t tid,
			   uint32_t tgid, const struct lkst_event *event)
{
	const char *name;
	char idle[24];

	if (word->is_number)
		return tid == word->number || tgid == word->number;
	if (!word->pattern)
		return true;
	name = select_name_of(names, tid, event, idle);
	if (name && !fnmatch(word->pattern, name, 0))
		return true;
	if (tgid == tid)
		return false;
	name = select_name_of(names, tgid, event, idle);
	return name && !fnmatch(word->pattern, name, 0);
}

/* Return whether an argument names a thread that the word matches. */
static bool select_names_matching_thread(const struct process_word *word,
					 const struct lkst_etypes *types, struct lkst_names *names,
					 const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(types, event->type);

	for (unsigned int i = 0; type && i < type->fields; i++) {
		const struct lkst_field *field = &type->field[i];
		uint32_t tid = (uint32_t)lkst_field_value(field, event);

		if (field->format == LKST_FMT_TID && tid != UINT32_MAX &&
		    select_matches(word, names, tid, lkst_names_process(names, tid), event))
			return true;
	}
	return false;
}

/**
 * lkst_selection_init() - initialize a selection so that it selects all events
 * @selection: result
 */
void lkst_selection_init(struct lkst_selection *selection)
{
	*selection = (struct lkst_selection){
		.cpu = -1,
		.since_ns = INT64_MIN,
		.until_ns = INT64_MAX,
	};
}

/**
 * lkst_process_selected() - check whether an event is of, or about, selected processes
 * @processes: selected processes
 * @types: event types; NULL: consider only the process of the event, not its arguments
 * @names: names of threads
 * @event: event
 */
bool lkst_process_selected(const struct lkst_processes *processes, const struct lkst_etypes *types,
			   struct lkst_names *names, const struct lkst_event *event)
{
	for (size_t i = processes->num; i-- > 0;) {
		const struct process_word *word = &processes->word[i];

		if (select_matches(word, names, event->tid, event->tgid, event) ||
		    (types && !word->negated &&
		     select_names_matching_thread(word, types, names, event)))
			return !word->negated;
	}
	return processes->others;
}

/**
 * lkst_process_match() - find what the words say about the thread of an event
 * @processes: selected processes
 * @names: names of threads
 * @event: event; only its thread, process, CPU and time are used
 *
 * Unlike lkst_process_selected(), this distinguishes threads that a word excludes from threads that
 * no word matches.
 */
enum lkst_process_match lkst_process_match(const struct lkst_processes *processes,
					   struct lkst_names *names, const struct lkst_event *event)
{
	for (size_t i = processes->num; i-- > 0;) {
		const struct process_word *word = &processes->word[i];

		if (select_matches(word, names, event->tid, event->tgid, event))
			return word->negated ? LKST_PROCESS_EXCLUDED : LKST_PROCESS_SELECTED;
	}
	return LKST_PROCESS_NO_MATCH;
}

/**
 * lkst_processes_others() - check whether threads that match no word are selected
 * @processes: selected processes
 */
bool lkst_processes_others(const struct lkst_processes *processes)
{
	return processes->others;
}

/*
 * Return whether a thread name belongs to an LKST program other than lkstlogger. Users record
 * events with lkstlogger on purpose.
 */
static bool select_is_own_name(const char *name)
{
	static const char *const own[] = { "lkst", "lkstbuf", "lkstm", "lksteh", "lkstla", "lkstlogd" };

	for (size_t i = 0; name && i < sizeof(own) / sizeof(*own); i++)
		if (!strcmp(name, own[i]))
			return true;
	return false;
}

static bool select_is_own(struct lkst_names *names, uint32_t tid, const struct lkst_event *event)
{
	return tid && select_is_own_name(lkst_names_get(names, tid, event->time_ns));
}

/* Return whether an argument names a thread other than idle threads and LKST's commands. */
static bool select_names_other_thread(const struct lkst_etypes *types, struct lkst_names *names,
				      const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(types, event->type);

	for (unsigned int i = 0; type && i < type->fields; i++) {
		uint32_t tid = (uint32_t)lkst_field_value(&type->field[i], event);

		if (type->field[i].format == LKST_FMT_TID && tid &&
		    !select_is_own(names, tid, event))
			return true;
	}
	return false;
}

/**
 * lkst_is_own_work() - check whether an event only shows LKST's own commands at work
 * @types: event types
 * @names: names of threads
 * @event: event
 *
 * The result is false for events that are about other threads, that happened in an interrupt, or
 * that are always of interest: oopses, marks, LKST's own events, and events that modules define.
 */
bool lkst_is_own_work(const struct lkst_etypes *types, struct lkst_names *names,
		      const struct lkst_event *event)
{
	const uint32_t interrupt = LKST_LOG_INTERRUPT | LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ |
				   LKST_LOG_NMI;

	if (event->type >= LKST_ETYPE_USER_MARK || event->flags & interrupt ||
	    !select_is_own(names, event->tid, event))
		return false;
	return strcmp(lkst_class_of(event->type)->name, "oops") != 0 &&
	       !select_names_other_thread(types, names, event);
}
