// SPDX-License-Identifier: LGPL-2.1
/*
 * The event filter of option -e (specification 4.7.3.3.2). If an event type matches several words,
 * the last of them decides whether its events are shown. If the words select no event type at all,
 * for example because all of them begin with "!", the filter shows all events that match no word:
 * "!a" and "a,!a" both mean everything but a.
 *
 * A word that names no event type may name a system call. It then selects the entry and exit events
 * of that call.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "etypes.h"
#include "filter.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "messages.h"
#include "words.h"

static void filter_finalize(struct lkst_filter *filter)
{
	bool unnamed = filter->named_unknown <= 0;

	for (int i = 0; i < LKST_ETYPE_NUM; i++)
		unnamed &= filter->named[i] <= 0;
	for (int table = 0; filter->calls && table < CONSTANT_CALL_TABLES; table++)
		for (int i = 0; i < CONSTANT_CALLS_MAX; i++)
			unnamed &= filter->entry[table][i] <= 0 && filter->exit[table][i] <= 0;
	for (int i = 0; i < LKST_ETYPE_NUM; i++)
		filter->show[i] = filter->named[i] > 0 || (unnamed && !filter->named[i]);
	filter->show_unknown = filter->named_unknown > 0 || (unnamed && !filter->named_unknown);
}

/**
 * lkst_filter_init() - make a filter that shows everything
 * @filter: result
 */
void lkst_filter_init(struct lkst_filter *filter)
{
	memset(filter, 0, sizeof(*filter));
	filter_finalize(filter);
}

/*
 * If @set contains no known event type, return the first number in @set and how many numbers @set
 * contains; otherwise return zeros.
 */
static struct lkst_numbers filter_unknown_numbers(const struct lkst_etypes *types,
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

/* Add all system calls that match the name or pattern. Returns whether any call matches. */
static bool filter_add_calls(struct lkst_filter *filter, const char *word, int8_t value)
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

static void filter_name_type(struct lkst_filter *filter, unsigned int number, int8_t value)
{
	filter->named[number] = value;
	if (number == LKST_ETYPE_SYSCALL_ENTRY)
		memset(filter->entry, 0, sizeof(filter->entry));
	if (number == LKST_ETYPE_SYSCALL_EXIT)
		memset(filter->exit, 0, sizeof(filter->exit));
}

static int filter_add_word(struct lkst_filter *filter, const struct lkst_etypes *types,
			   const char *word, struct lkst_error *err)
{
	int8_t value = *word == '!' ? -1 : 1;
	struct lkst_numbers unknown;
	struct lkst_etype_set set;

	word += *word == '!';
	word += strspn(word, " \t\n");
	if (!strcasecmp(word, LKST_WORD_ALL)) {
		for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
			filter_name_type(filter, i, value);
		filter->named_unknown = value;
		return 0;
	}
	/* A program must not be able to hide a system call behind an event of the same name. */
	if (lkst_etypes_is_bare(types, word) && filter_add_calls(filter, word, value))
		return 0;
	if (lkst_etypes_select(types, word, &set, err))
		return filter_add_calls(filter, word, value) ? 0 : -1;
	unknown = filter_unknown_numbers(types, &set);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype_set_has(&set, i)) {
			filter_name_type(filter, i, value);
			filter->unknown[i] = unknown;
		}
	return 0;
}

/**
 * lkst_filter_add() - add words, which take precedence over earlier ones
 * @filter: from lkst_filter_init()
 * @types: event types in which names are looked up
 * @words: words separated by commas, with or without spaces: words for lkst_etypes_select(), or
 *	names of system calls; a word that begins with "!" excludes the events that match it
 * @err: set if a word is invalid or unknown
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
			ret = filter_add_word(filter, types, word, err);
		}
	}
	free(copy);
	filter->words = true;
	filter_finalize(filter);
	return ret;
}

/**
 * lkst_filter_shows_call() - check whether a filter that names system calls selects an event
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
