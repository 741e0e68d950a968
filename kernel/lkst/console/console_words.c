// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the words of lkst.dump_events, which select the events to print, and of
 * lkst.long_events, which select the events that the long rings take.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/lkst.h>

#include "console.h"
#include "../source/etype.h"

/* Size in bytes of the buffer for a word. Valid words are shorter. */
#define LKST_CONSOLE_WORD_SIZE	48

static const struct {
	int first;
	int last;
	const char *name;
} lkst_console_classes[] = {
#define LKST_ECLASS_DEF(first, last, name, title, recorded) { first, last, name },
#include <linux/lkst_eclasses.h>
#undef LKST_ECLASS_DEF
};

/**
 * struct lkst_console_word - the range of event types that a word names
 * @first: first event type
 * @last: last event type
 */
struct lkst_console_word {
	int first;
	int last;
};

static const struct lkst_console_word lkst_console_all = { 0, LKST_ETYPE_NUM - 1 };

static bool lkst_console_word_class(const char *word, struct lkst_console_word *types)
{
	unsigned int i;

	if (!strncasecmp(word, "class:", strlen("class:")))
		word += strlen("class:");
	for (i = 0; i < ARRAY_SIZE(lkst_console_classes); i++) {
		if (strcasecmp(lkst_console_classes[i].name, word))
			continue;
		types->first = lkst_console_classes[i].first;
		types->last = lkst_console_classes[i].last;
		return true;
	}
	return false;
}

static bool lkst_console_word_name(const char *word, struct lkst_console_word *types)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		const struct lkst_etype_desc *desc = lkst_etypes_builtin[etype];

		if (!desc || (strcasecmp(desc->name, word) && strcasecmp(desc->mnemonic, word)))
			continue;
		types->first = etype;
		types->last = etype;
		return true;
	}
	return false;
}

/*
 * Parse a number or a range, such as "0x80" or "0x80-0x8f". Return whether it
 * is valid. Modifies @word.
 */
static bool lkst_console_word_numbers(char *word, struct lkst_console_word *types)
{
	char *last = strchr(word, '-');

	if (last)
		*last++ = 0;
	return !kstrtoint(word, 0, &types->first) &&
	       !kstrtoint(last ?: word, 0, &types->last) && types->first >= 0 &&
	       types->first <= types->last && types->last < LKST_ETYPE_NUM;
}

static bool lkst_console_word(char *word, struct lkst_console_word *types)
{
	if (!strcasecmp(word, "all")) {
		*types = lkst_console_all;
		return true;
	}
	return lkst_console_word_class(word, types) || lkst_console_word_name(word, types) ||
	       lkst_console_word_numbers(word, types);
}

/* Whether a word selects events. Words that begin with "!" exclude events. */
static bool lkst_console_words_positive(const char *words)
{
	for (; words; words = strchr(words, ',')) {
		words += *words == ',';
		words = skip_spaces(words);
		if (*words != '!')
			return true;
	}
	return false;
}

/*
 * Whether events of a type are messages of the kernel. The kernel prints these
 * itself. A panic prints dozens of them after it has recorded OOPS_PANIC. In a
 * list of the newest events, they would leave no room for OOPS_PANIC and the
 * events before it.
 */
static bool lkst_console_is_message(int etype)
{
	return etype == LKST_ETYPE_OOPS_PRINTK || etype == LKST_ETYPE_OOPS_MESSAGE;
}

/*
 * Add the event types of a word to a bitmap. A word for several types does not
 * add the kernel's messages. Users who want them must name them.
 *
 * LKST_MORE is never added, because its records are parts of other events. So a
 * chain counts as one event, and its line shows the head.
 */
static void lkst_console_words_add(unsigned long *etypes, const struct lkst_console_word *types)
{
	bool several = types->first != types->last;
	int etype;

	for (etype = types->first; etype <= types->last; etype++)
		if (etype != LKST_ETYPE_LKST_MORE && !(several && lkst_console_is_message(etype)))
			__set_bit(etype, etypes);
}

/**
 * lkst_console_words() - parse a list of words that select event types
 * @option: name of the parameter, for messages
 * @words: words separated by commas
 * @etypes: receives a bitmap of LKST_ETYPE_NUM bits; unchanged on error
 *
 * A word is a class, an event's name, mnemonic or number, two numbers joined by
 * "-", or "all". A "!" before a word excludes the events that the word names.
 * If several words cover an event, the last of them decides. If all words begin
 * with "!", all other events are selected.
 *
 * OOPS_PRINTK and OOPS_MESSAGE are selected only by their own name, mnemonic or
 * number. LKST_MORE is never selected.
 *
 * An unknown word is reported in the kernel's log.
 *
 * Context: any, one call at a time.
 *
 * Return: 0, or -EINVAL if a word is empty or unknown.
 */
int lkst_console_words(const char *option, const char *words, unsigned long *etypes)
{
	static DECLARE_BITMAP(meant, LKST_ETYPE_NUM);
	char copy[LKST_CONSOLE_WORD_SIZE];
	struct lkst_console_word types;

	bitmap_zero(meant, LKST_ETYPE_NUM);
	if (!lkst_console_words_positive(words))
		lkst_console_words_add(meant, &lkst_console_all);

	for (;;) {
		size_t len = strcspn(words, ",");
		char *word;

		strscpy(copy, words, min(len + 1, sizeof(copy)));
		word = strim(copy);
		if (len >= sizeof(copy) || !lkst_console_word(word + (*word == '!'), &types)) {
			pr_warn("lkst: %s: \"%.*s\": unknown event (a name of /proc/lkst_etypes, a class such as process or class:lock, a number, or all)\n",
				option, (int)min(len, 2 * sizeof(copy)), words);
			return -EINVAL;
		}
		if (*word == '!')
			bitmap_clear(meant, types.first, types.last - types.first + 1);
		else
			lkst_console_words_add(meant, &types);
		if (!words[len])
			break;
		words += len + 1;
	}
	bitmap_copy(etypes, meant, LKST_ETYPE_NUM);
	return 0;
}
