// SPDX-License-Identifier: GPL-2.0
/*
 * Which events are printed: the words of lkst.dump_events.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/lkst.h>

#include "dump.h"
#include "etype.h"

/* Longer than every word that means something. */
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
 * struct lkst_console_word - the event types that a word means
 * @first: the first
 * @last: the last of them, without a gap
 */
struct lkst_console_word {
	int first;
	int last;
};

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

/* "0x80" or "0x80-0x8f". Writes to @word. */
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
		types->first = 0;
		types->last = LKST_ETYPE_NUM - 1;
		return true;
	}
	return lkst_console_word_class(word, types) || lkst_console_word_name(word, types) ||
	       lkst_console_word_numbers(word, types);
}

/* Whether any word says what is printed, rather than what is not. */
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

/**
 * lkst_console_words() - the event types that a list of words means
 * @words: separated by commas, each a class, the name, mnemonic or number of an event, two
 *	numbers with "-" between them, or "all"; with "!" before it these are left out. Of an event
 *	the last word that means it counts. Without any but those with "!", all others are meant
 * @etypes: gets them: a bitmap of LKST_ETYPE_NUM bits; not changed on an error
 *
 * Context: any; one call at a time.
 *
 * Return: 0, or -EINVAL: there is an empty word, or one that means nothing, which is in the
 * kernel's messages.
 */
int lkst_console_words(const char *words, unsigned long *etypes)
{
	static DECLARE_BITMAP(meant, LKST_ETYPE_NUM);
	char copy[LKST_CONSOLE_WORD_SIZE];
	struct lkst_console_word types;

	bitmap_zero(meant, LKST_ETYPE_NUM);
	if (!lkst_console_words_positive(words))
		bitmap_fill(meant, LKST_ETYPE_NUM);

	for (;;) {
		size_t len = strcspn(words, ",");
		char *word;

		strscpy(copy, words, min(len + 1, sizeof(copy)));
		word = strim(copy);
		if (len >= sizeof(copy) || !lkst_console_word(word + (*word == '!'), &types)) {
			pr_warn("lkst: lkst.dump_events: no event or class is called \"%.*s\"; want words of /proc/lkst_etypes, classes such as process or class:lock, numbers, all\n",
				(int)min(len, 2 * sizeof(copy)), words);
			return -EINVAL;
		}
		if (*word == '!')
			bitmap_clear(meant, types.first, types.last - types.first + 1);
		else
			bitmap_set(meant, types.first, types.last - types.first + 1);
		if (!words[len])
			break;
		words += len + 1;
	}
	bitmap_copy(etypes, meant, LKST_ETYPE_NUM);
	return 0;
}
