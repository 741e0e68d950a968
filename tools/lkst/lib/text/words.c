// SPDX-License-Identifier: LGPL-2.1
/*
 * Looks up the words with which users refer to event types and event handlers. The word for a
 * single event type is its name, mnemonic or number. The word for several event types is "all", a
 * class, a range of numbers, a pattern for names, or a tracepoint of the kernel.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classes.h"
#include "etypes.h"
#include "lib/base/error.h"
#include "messages.h"
#include "parse.h"
#include "words.h"

#define BLANKS	    " \t\n"
#define C_PREFIX    "LKST_ETYPE_"
#define CLASS	    "class:"
#define PATTERN	    "*?["
#define NUMBERS_MAX (LKST_ETYPE_NUM - 1)

/**
 * lkst_next_word() - remove the first word from a list
 * @list: words separated by commas; updated to point to the rest. The text is modified
 *
 * Return: the word without surrounding whitespace, possibly empty; NULL after the last one.
 */
char *lkst_next_word(char **list)
{
	char *word = strsep(list, ","), *end;

	if (!word)
		return NULL;
	word += strspn(word, BLANKS);
	for (end = word + strlen(word); end > word && strchr(BLANKS, end[-1]); end--)
		;
	*end = 0;
	return word;
}

static const char *words_skip_prefix(const char *word, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncasecmp(word, prefix, len) ? word : word + len;
}

/*
 * Parse a word such as "user_0x100". It contains the number of an event type that is reserved for
 * programs, and is valid even if the event type has a name. Returns -1 if the word is anything
 * else.
 */
static int words_user_number(const char *word)
{
	const char *digits = words_skip_prefix(word, LKST_USER_PREFIX);
	uint64_t value;

	if (digits == word || lkst_parse_u64(word, digits, &value, NULL))
		return -1;
	return value <= UINT32_MAX && lkst_etype_is_user((uint32_t)value) ? (int)value : -1;
}

/*
 * Return the number of the event type whose name or mnemonic is @word, or that a word such as
 * "user_0x100" refers to; -1 if not found.
 */
static int words_find_name(const struct lkst_etypes *types, const char *word)
{
	const char *mnemonic = words_skip_prefix(word, C_PREFIX);

	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		if (type &&
		    (!strcasecmp(type->name, word) || !strcasecmp(type->mnemonic, mnemonic)))
			return i;
	}
	return words_user_number(word);
}

/**
 * lkst_etype_bare_name() - get the name of a user event without its system: NAME of SYSTEM:NAME
 * @type: event type; may be NULL
 *
 * Return: the name; NULL if the type is not a user event.
 */
const char *lkst_etype_bare_name(const struct lkst_etype *type)
{
	const char *colon = type && type->list ? strchr(type->name, ':') : NULL;

	return colon ? colon + 1 : NULL;
}

/*
 * Return the number of the user event whose name without its system is @word; -1 if none exists,
 * or several have this name.
 */
static int words_find_bare(const struct lkst_etypes *types, const char *word)
{
	int found = -1;

	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const char *name = lkst_etype_bare_name(types->type[i]);

		if (!name || strcasecmp(name, word) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

static bool words_has_tracepoint(const struct lkst_etype *type, const char *name)
{
	for (const char *p = type->tracepoints; *p; p += strlen(p) + 1)
		if (!strcmp(p, name))
			return true;
	return false;
}

/*
 * Add the event types that come from a tracepoint. If some come only from this tracepoint, add only
 * these: softirq_entry is a source of tasklet events as well, but the word softirq_entry refers to
 * int_softirq_entry alone. Returns the event type added last; -1 if not found.
 */
static int words_add_tracepoint(struct lkst_etype_set *set, const struct lkst_etypes *types,
				const char *word)
{
	int last = -1;

	for (int alone = 1; alone >= 0 && last < 0; alone--)
		for (int i = 0; i < LKST_ETYPE_NUM; i++) {
			const struct lkst_etype *type = types->type[i];

			if (!type || !words_has_tracepoint(type, word) ||
			    (alone && strchr(type->source, ',')))
				continue;
			lkst_etype_set_add(set, (unsigned int)i);
			last = i;
		}
	return last;
}

/* Return the only event type that words_add_tracepoint() finds; -1 if it finds none or several. */
static int words_find_tracepoint(const struct lkst_etypes *types, const char *word)
{
	struct lkst_etype_set set = { 0 };
	int last = words_add_tracepoint(&set, types, word);

	for (int i = 0; i < last; i++)
		if (lkst_etype_set_has(&set, (unsigned int)i))
			return -1;
	return last;
}

/**
 * lkst_etypes_is_bare() - check whether a word can only be the name of a user event without its
 * system
 * @types: event types to search
 * @word: as for lkst_etypes_select()
 */
bool lkst_etypes_is_bare(const struct lkst_etypes *types, const char *word)
{
	struct lkst_etype_set set = { 0 };

	return words_find_bare(types, word) >= 0 && words_find_name(types, word) < 0 &&
	       words_add_tracepoint(&set, types, word) < 0;
}

/* Parse a number. @digits is @word, or one end of the range in @word. Returns -1 on error. */
static int words_parse_number(const char *word, const char *digits, struct lkst_error *err)
{
	uint64_t value;

	if (lkst_parse_u64("event type", digits, &value, err))
		return -1;
	if (value <= NUMBERS_MAX)
		return (int)value;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NO_EVENT_NUMBER, word);
	return -1;
}

static const char *words_name_at(void *ctx, size_t i)
{
	const struct lkst_etypes *types = ctx;

	return types->type[i] ? types->type[i]->name : NULL;
}

static const char *words_mnemonic_at(void *ctx, size_t i)
{
	const struct lkst_etypes *types = ctx;

	return types->type[i] ? types->type[i]->mnemonic : NULL;
}

static const char *words_tracepoint_at(void *ctx, size_t i)
{
	const struct lkst_etypes *types = ctx;

	return types->type[i] && *types->type[i]->tracepoints ? types->type[i]->tracepoints : NULL;
}

static void words_unknown_name(const struct lkst_etypes *types, const char *word,
			       struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char text[512];
	size_t n;

	n = lkst_suggest(word, words_name_at, (void *)types, LKST_ETYPE_NUM, suggestions);
	if (!n)
		n = lkst_suggest(words_skip_prefix(word, C_PREFIX), words_mnemonic_at,
				 (void *)types, LKST_ETYPE_NUM, suggestions);
	if (!n)
		n = lkst_suggest(word, words_tracepoint_at, (void *)types, LKST_ETYPE_NUM,
				 suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENT, word, n ? text : MSG_ALL_EVENTS);
}

/**
 * lkst_etypes_find() - find the event type that a word refers to
 * @types: event types to search
 * @word: name, mnemonic, number, a tracepoint for which words_add_tracepoint() finds only one
 *	event type, or the name of a user event without its system; a number need not be in @types
 * @err: set if not found; suggests similar names
 *
 * Return: the number; -1 if not found.
 */
int lkst_etypes_find(const struct lkst_etypes *types, const char *word, struct lkst_error *err)
{
	int number = words_find_name(types, word);

	if (number < 0)
		number = words_find_tracepoint(types, word);
	if (number >= 0)
		return number;
	if (isdigit((unsigned char)*word))
		return words_parse_number(word, word, err);
	number = words_find_bare(types, word);
	if (number >= 0)
		return number;
	words_unknown_name(types, word, err);
	return -1;
}

static void words_add_range(struct lkst_etype_set *set, int first, int last)
{
	for (int i = first; i <= last; i++)
		lkst_etype_set_add(set, i);
}

static const char *words_class_at(void *ctx, size_t i)
{
	(void)ctx;
	return lkst_classes[i].name;
}

static const struct lkst_class *words_find_class(const char *name)
{
	for (size_t i = 0; i < lkst_classes_num; i++)
		if (!strcasecmp(lkst_classes[i].name, name))
			return &lkst_classes[i];
	return NULL;
}

static int words_add_class(struct lkst_etype_set *set, const char *name, struct lkst_error *err)
{
	const struct lkst_class *class = words_find_class(name);
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char text[256], all[256] = "";
	size_t n, len = 0;

	if (class) {
		words_add_range(set, class->first, class->last);
		return 0;
	}
	for (size_t i = 0; i < lkst_classes_num && len < sizeof(all); i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "",
					lkst_classes[i].name);
	n = lkst_suggest(name, words_class_at, NULL, lkst_classes_num, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CLASS, name, text, all);
	return -1;
}

static int words_add_numbers(struct lkst_etype_set *set, const char *word, struct lkst_error *err)
{
	char *copy = strdup(word), *minus;
	int first, last, ret = -1;

	if (!copy) {
		lkst_error_memory(err, "a range of event types");
		return -1;
	}
	minus = strchr(copy, '-');
	if (minus)
		*minus++ = 0;
	first = words_parse_number(word, copy, err);
	last = minus && first >= 0 ? words_parse_number(word, minus, err) : first;
	if (first >= 0 && last >= first) {
		words_add_range(set, first, last);
		ret = 0;
	} else if (last >= 0) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NUMBERS_BACKWARDS, word);
	}
	free(copy);
	return ret;
}

/*
 * Add the event types whose names match a pattern or, if @bare, the user events whose names without
 * their systems match it. Returns whether any does.
 */
static bool words_add_matching(struct lkst_etype_set *set, const struct lkst_etypes *types,
			 const char *pattern, bool bare)
{
	bool found = false;

	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];
		const char *name = bare ? lkst_etype_bare_name(type) : type ? type->name : NULL;

		if (!name || fnmatch(pattern, name, FNM_CASEFOLD) != 0)
			continue;
		lkst_etype_set_add(set, i);
		found = true;
	}
	return found;
}

/*
 * Match the names of user events without their systems only if no other name matches. Otherwise, a
 * program could give its event a name that matches a pattern for other events.
 */
static int words_add_pattern(struct lkst_etype_set *set, const struct lkst_etypes *types,
		       const char *pattern, struct lkst_error *err)
{
	if (words_add_matching(set, types, pattern, false) || words_add_matching(set, types, pattern, true))
		return 0;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MATCH, pattern);
	return -1;
}

/**
 * lkst_etypes_select() - find the event types that a word refers to
 * @types: event types to search
 * @word: as for lkst_etypes_find(); "all"; "class:" and a class; a range such as "0x010-0x01f"; a
 *	pattern for names with *, ? and []; any tracepoint; or the name of a user event without its
 *	system. A pattern applies to the names of user events without their systems only if no other
 *	name matches
 * @set: result; if @word is a number, range or class, this includes numbers that @types lacks
 * @err: set if the word is invalid
 */
int lkst_etypes_select(const struct lkst_etypes *types, const char *word,
		       struct lkst_etype_set *set, struct lkst_error *err)
{
	const char *class = words_skip_prefix(word, CLASS);
	int number = words_find_name(types, word);

	memset(set, 0, sizeof(*set));
	if (!strcasecmp(word, LKST_WORD_ALL)) {
		words_add_range(set, 0, NUMBERS_MAX);
		return 0;
	}
	if (number >= 0) {
		lkst_etype_set_add(set, number);
		return 0;
	}
	if (class != word)
		return words_add_class(set, class, err);
	if (strpbrk(word, PATTERN))
		return words_add_pattern(set, types, word, err);
	if (isdigit((unsigned char)*word))
		return words_add_numbers(set, word, err);
	if (words_add_tracepoint(set, types, word) >= 0)
		return 0;
	number = words_find_bare(types, word);
	if (number >= 0) {
		lkst_etype_set_add(set, number);
		return 0;
	}
	if (words_find_class(word))
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_EVENT_IS_CLASS, word, word);
	else
		words_unknown_name(types, word, err);
	return -1;
}

static const char *words_handler_at(void *ctx, size_t i)
{
	const struct lkst_evhandler_list *handlers = ctx;

	return handlers->ent[i].name;
}

/* Words for two event handlers. An event handler whose name is such a word takes precedence. */
static const struct {
	const char *word;
	lkst_evhandler_id id;
} handler_words[] = {
	{ "on", LKST_EVHANDLER_ID_ENTRY_LOG },
	{ "off", LKST_EVHANDLER_ID_NONE },
};

/**
 * lkst_evhandler_find() - find the event handler that a word refers to
 * @handlers: existing event handlers
 * @word: name, id, "on" or "off"
 * @err: set if not found
 *
 * Return: the id; -1 if not found.
 */
int lkst_evhandler_find(const struct lkst_evhandler_list *handlers, const char *word,
			struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char text[256];
	long id = -1;
	size_t n;

	for (size_t i = 0; i < handlers->num; i++)
		if (!strcmp(handlers->ent[i].name, word))
			return handlers->ent[i].id;
	for (size_t i = 0; i < sizeof(handler_words) / sizeof(*handler_words); i++)
		if (!strcmp(handler_words[i].word, word))
			return handler_words[i].id;
	if (isdigit((unsigned char)*word) &&
	    lkst_parse_range("event handler", word, 0, LKST_EVHANDLER_ID_MAX, &id, err))
		return -1;
	for (size_t i = 0; i < handlers->num; i++)
		if (handlers->ent[i].id == id)
			return handlers->ent[i].id;
	n = lkst_suggest(word, words_handler_at, (void *)handlers, handlers->num, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVHANDLER, word,
		       n ? text : MSG_ALL_EVHANDLERS);
	return -1;
}
