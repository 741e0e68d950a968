// SPDX-License-Identifier: LGPL-2.1
/*
 * The event filter, option -e (specification 4.7.3.3.2). For each event the last word
 * that names it counts. When no event is wanted any more, those that no word names are
 * shown: "!a" and "a,!a" both mean everything but a.
 */
#include <stdlib.h>
#include <string.h>

#include "messages.h"

#define BLANKS " \t\n"

static void settle(struct lkst_filter *filter)
{
	bool others = filter->named_others <= 0;

	for (int i = 0; i < LKST_ETYPE_NUM; i++)
		others &= filter->named[i] <= 0;
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

/* Cuts blanks off at both ends, in place. */
static char *trim(char *word)
{
	char *end;

	word += strspn(word, BLANKS);
	for (end = word + strlen(word); end > word && strchr(BLANKS, end[-1]); end--)
		;
	*end = 0;
	return word;
}

static int add_word(struct lkst_filter *filter, const struct lkst_etypes *types, const char *word,
		    struct lkst_error *err)
{
	int8_t value = *word == '!' ? -1 : 1;
	int number;

	word += *word == '!';
	word += strspn(word, BLANKS);
	if (!strcasecmp(word, "all")) {
		memset(filter->named, value, sizeof(filter->named));
		filter->named_others = value;
		return 0;
	}
	number = lkst_etypes_find(types, word, err);
	if (number < 0)
		return -1;
	filter->named[number] = value;
	filter->unknown[number] = !lkst_etype(types, (uint32_t)number);
	return 0;
}

/**
 * lkst_filter_add() - take in more words, after those before
 * @filter: from lkst_filter_init()
 * @types: to find names in
 * @words: separated by commas, with or without blanks: a name or number, "all", each with
 *	"!" to leave it out
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
	while (!ret && (word = strsep(&next, ",")) != NULL) {
		word = trim(word);
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
