// SPDX-License-Identifier: LGPL-2.1
/*
 * Which events are wanted: by CPU, event type, process and time. Of the words for processes
 * the last one that an event select_matches counts, as with option -e; what none select_matches is wanted
 * when all words only leave something out.
 *
 * A process is wanted with the events that are about it: those of others that name it in an
 * argument, as a wake-up does. A word that leaves a process out leaves out only what it does itself.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "etype_ids.h"
#include "messages.h"

/* A number, or else a pattern, or else all. */
struct word {
	bool unwanted;
	bool is_number;
	uint32_t number;
	char *pattern;
};

struct lkst_processes {
	struct word *word;
	size_t num;
	bool others; /* what no word select_matches */
};

/**
 * lkst_processes_new() - processes, none named yet
 * @err: no memory
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
 * lkst_processes_free() - free processes
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

static bool all_digits(const char *text)
{
	while (isdigit((unsigned char)*text))
		text++;
	return !*text;
}

static int add_word(struct lkst_processes *processes, const char *text, struct lkst_error *err)
{
	struct word *words, word = { .unwanted = *text == '!' };
	bool failed = false;
	long number;

	text += word.unwanted;
	text += strspn(text, " \t\n");
	word.is_number = all_digits(text);
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
	processes->others &= word.unwanted;
	return 0;
}

/**
 * lkst_processes_add() - take in more words, after those before
 * @processes: processes
 * @words: separated by commas: number of a thread or a process, a pattern for its name,
 *	or all; each with "!" to leave it out
 * @err: what is wrong with a word
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
			ret = add_word(processes, word, err);
		}
	}
	free(copy);
	return ret;
}

/* As it is printed; NULL when it is not known. */
static const char *select_name_of(struct lkst_names *names, uint32_t tid, const struct lkst_event *event,
			   char idle[24])
{
	if (tid)
		return lkst_names_get(names, tid, event->time_ns);
	snprintf(idle, 24, "swapper/%d", event->cpu);
	return idle;
}

static bool select_matches(const struct word *word, struct lkst_names *names, uint32_t tid, uint32_t tgid,
		    const struct lkst_event *event)
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

/* Whether an argument names a thread that the word means. */
static bool is_about(const struct word *word, const struct lkst_etypes *types,
		     struct lkst_names *names, const struct lkst_event *event)
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
 * lkst_selection_init() - a selection of everything
 * @selection: to set up
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
 * lkst_process_selected() - whether an event of or about these processes is wanted
 * @processes: which are
 * @types: event types; NULL: only what the processes do themselves
 * @names: of the processes at its time
 * @event: event
 */
bool lkst_process_selected(const struct lkst_processes *processes, const struct lkst_etypes *types,
			   struct lkst_names *names, const struct lkst_event *event)
{
	for (size_t i = processes->num; i-- > 0;) {
		const struct word *word = &processes->word[i];

		if (select_matches(word, names, event->tid, event->tgid, event) ||
		    (types && !word->unwanted && is_about(word, types, names, event)))
			return !word->unwanted;
	}
	return processes->others;
}

/* But lkstlogger: what that does, somebody wants to have recorded. */
static bool is_own_name(const char *name)
{
	static const char *const own[] = { "lkst", "lkstbuf", "lkstm", "lksteh", "lkstlogd" };

	for (size_t i = 0; name && i < sizeof(own) / sizeof(*own); i++)
		if (!strcmp(name, own[i]))
			return true;
	return false;
}

static bool is_own(struct lkst_names *names, uint32_t tid, const struct lkst_event *event)
{
	return tid && is_own_name(lkst_names_get(names, tid, event->time_ns));
}

/* Whether an argument names a thread that is neither idle nor one of LKST's commands. */
static bool is_about_others(const struct lkst_etypes *types, struct lkst_names *names,
			    const struct lkst_event *event)
{
	const struct lkst_etype *type = lkst_etype(types, event->type);

	for (unsigned int i = 0; type && i < type->fields; i++) {
		uint32_t tid = (uint32_t)lkst_field_value(&type->field[i], event);

		if (type->field[i].format == LKST_FMT_TID && tid && !is_own(names, tid, event))
			return true;
	}
	return false;
}

/**
 * lkst_is_own_work() - whether an event is just LKST's own commands at work
 * @types: event types
 * @names: of the processes at its time
 * @event: event
 *
 * It is not when it is about other threads, when it happened in an interrupt, or when it is of a
 * kind that somebody asked for or must know: oops, marks, events of modules and of LKST itself.
 */
bool lkst_is_own_work(const struct lkst_etypes *types, struct lkst_names *names,
		      const struct lkst_event *event)
{
	const uint32_t interrupt = LKST_LOG_INTERRUPT | LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ |
				   LKST_LOG_NMI;

	if (event->type >= LKST_ETYPE_USER_MARK || event->flags & interrupt ||
	    !is_own(names, event->tid, event))
		return false;
	return strcmp(lkst_class_of(event->type)->name, "oops") != 0 &&
	       !is_about_others(types, names, event);
}
