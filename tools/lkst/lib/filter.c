// SPDX-License-Identifier: LGPL-2.1
/*
 * The event filter, option -e (specification 4.7.3.3.2). For each event the last word
 * that names it counts. When no event is wanted any more, those that no word names are
 * shown: "!a" and "a,!a" both mean everything but a.
 *
 * A word that means no event type may be a system call: it names its entry and its exit.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "etype_ids.h"
#include "messages.h"

static void settle(struct lkst_filter *filter)
{
	bool others = filter->named_others <= 0;

	for (int i = 0; i < LKST_ETYPE_NUM; i++)
		others &= filter->named[i] <= 0;
	for (int table = 0; filter->calls && table < CONSTANT_CALL_TABLES; table++)
		for (int i = 0; i < CONSTANT_CALLS_MAX; i++)
			others &= filter->entry[table][i] <= 0 && filter->exit[table][i] <= 0;
	for (int i = 0; i < LKST_ETYPE_NUM; i++)
		filter->show[i] = filter->named[i] > 0 || (others && !filter->named[i]);
	filter->show_others = filter->named_others > 0 || (others && !filter->named_others);
}

/**
 * lkst_filter_init() - a filter that shows everything
 * @filter: to set up
 */
void lkst_filter_init(struct lkst_filter *filter)
{
	memset(filter, 0, sizeof(*filter));
	settle(filter);
}

/* What a word means, if none of it is among the event types: then it was made of numbers. */
static struct lkst_numbers unknown_numbers(const struct lkst_etypes *types,
					   const struct lkst_etype_set *set)
{
	struct lkst_numbers numbers = { 0 };

	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (!lkst_etype_set_has(set, i))
			continue;
		if (lkst_etype(types, i))
			return (struct lkst_numbers){ 0 };
		if (!numbers.num++)
			numbers.first = (uint16_t)i;
	}
	return numbers;
}

/* All system calls of that name, or that the pattern means. Returns whether there is one. */
static bool add_calls(struct lkst_filter *filter, const char *word, int8_t value)
{
	bool found = false;

	for (int table = 0; table < CONSTANT_CALL_TABLES; table++)
		for (unsigned int i = 0; i < CONSTANT_CALLS_MAX; i++) {
			const char *name = constant_call(table, i);

			if (!name || fnmatch(word, name, FNM_CASEFOLD) != 0)
				continue;
			filter->entry[table][i] = filter->exit[table][i] = value;
			found = true;
		}
	filter->calls |= found;
	return found;
}

static void name_type(struct lkst_filter *filter, unsigned int number, int8_t value)
{
	filter->named[number] = value;
	if (number == LKST_ETYPE_SYSCALL_ENTRY)
		memset(filter->entry, 0, sizeof(filter->entry));
	if (number == LKST_ETYPE_SYSCALL_EXIT)
		memset(filter->exit, 0, sizeof(filter->exit));
}

static int add_word(struct lkst_filter *filter, const struct lkst_etypes *types, const char *word,
		    struct lkst_error *err)
{
	int8_t value = *word == '!' ? -1 : 1;
	struct lkst_numbers unknown;
	struct lkst_etype_set set;

	word += *word == '!';
	word += strspn(word, " \t\n");
	if (!strcasecmp(word, LKST_WORD_ALL)) {
		for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
			name_type(filter, i, value);
		filter->named_others = value;
		return 0;
	}
	if (lkst_etypes_select(types, word, &set, err))
		return add_calls(filter, word, value) ? 0 : -1;
	unknown = unknown_numbers(types, &set);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype_set_has(&set, i)) {
			name_type(filter, i, value);
			filter->unknown[i] = unknown;
		}
	return 0;
}

/**
 * lkst_filter_add() - take in more words, after those before
 * @filter: from lkst_filter_init()
 * @types: to find names in
 * @words: separated by commas, with or without blanks, as lkst_etypes_select() takes them,
 *	or names of system calls; each with "!" to leave it out
 * @err: the word that names nothing
 */
int lkst_filter_add(struct lkst_filter *filter, const struct lkst_etypes *types, const char *words,
		    struct lkst_error *err)
{
	char *copy = strdup(words), *next = copy, *word;
	int ret = 0;

	if (!copy) {
		lkst_error_memory(err, "the event filter");
		return -1;
	}
	while (!ret && (word = lkst_next_word(&next)) != NULL) {
		if (!word[*word == '!']) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EMPTY_EVENT, words);
			ret = -1;
		} else {
			ret = add_word(filter, types, word, err);
		}
	}
	free(copy);
	filter->words = true;
	settle(filter);
	return ret;
}

/**
 * lkst_filter_shows_call() - whether an event is wanted, where system calls were named
 * @filter: filter
 * @event: event
 */
bool lkst_filter_shows_call(const struct lkst_filter *filter, const struct lkst_event *event)
{
	bool entry = event->type == LKST_ETYPE_SYSCALL_ENTRY;
	uint64_t number = event->arg[0] >> 32;
	int8_t named = 0;
	int table;

	if (entry || event->type == LKST_ETYPE_SYSCALL_EXIT) {
		table = constant_call_table((enum lkst_machine)event->machine,
					    (uint32_t)event->arg[0], &number);
		if (table >= 0)
			named = (entry ? filter->entry : filter->exit)[table][number];
	}
	return named ? named > 0 : lkst_filter_shows(filter, event->type);
}
