// SPDX-License-Identifier: GPL-2.0
/*
 * Translate a condition, or the definition of a histogram, with the kernel's
 * names of fields to LKST's names, for instance "next_pid > 1" to "next > 1".
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "aliases.h"
#include "translate.h"

/* A field that every event has: the kernel's name, and LKST's name. */
#define LKST_TREE_COMMON	"common_pid=tid"

static bool lkst_tree_is_word(char c)
{
	return isalnum(c) || c == '_';
}

static size_t lkst_tree_word_len(const char *at)
{
	size_t len = 0;

	while (lkst_tree_is_word(at[len]))
		len++;
	return len;
}

static bool lkst_tree_find_alias(const char *aliases, const char *at, size_t len,
				 struct lkst_alias_field *field)
{
	while (aliases && (aliases = lkst_alias_next_field(aliases, field)))
		if (field->kernel_len == len && !strncmp(field->kernel, at, len))
			return true;
	return false;
}

/**
 * struct lkst_tree_translation - the state of a translation
 * @aliases: names of the event's fields, or NULL
 * @from: the rest of the kernel's text
 * @to: where to continue writing; NULL: only count the bytes
 * @written: number of bytes written so far
 * @before_field: whether the next word names a field; otherwise, it is a value
 */
struct lkst_tree_translation {
	const char *aliases;
	const char *from;
	char *to;
	size_t written;
	bool before_field;
};

static void lkst_tree_emit(struct lkst_tree_translation *t, const char *text, size_t len)
{
	if (t->to)
		memcpy(t->to + t->written, text, len);
	t->written += len;
}

/* Copy @len bytes without a change. */
static void lkst_tree_copy(struct lkst_tree_translation *t, size_t len)
{
	lkst_tree_emit(t, t->from, len);
	t->from += len;
}

static void lkst_tree_translate_word(struct lkst_tree_translation *t)
{
	size_t len = lkst_tree_word_len(t->from);
	struct lkst_alias_field field;

	if (t->before_field && (lkst_tree_find_alias(t->aliases, t->from, len, &field) ||
				lkst_tree_find_alias(LKST_TREE_COMMON, t->from, len, &field))) {
		lkst_tree_emit(t, field.lkst, field.lkst_len);
		t->from += len;
	} else {
		lkst_tree_copy(t, len);
	}
	t->before_field = false;
}

/* Copy a string in quotes, or up to the end if there is no second quote. */
static void lkst_tree_translate_quoted(struct lkst_tree_translation *t)
{
	const char *end = strchr(t->from + 1, *t->from);

	lkst_tree_copy(t, end ? end + 1 - t->from : strlen(t->from));
	t->before_field = false;
}

/* Translate the next word, or copy the next character. */
static void lkst_tree_translate_step(struct lkst_tree_translation *t)
{
	const char *at = t->from;

	if (lkst_tree_is_word(*at)) {
		lkst_tree_translate_word(t);
	} else if (*at == '"' || *at == '\'') {
		lkst_tree_translate_quoted(t);
	} else if (!strncmp(at, "&&", 2) || !strncmp(at, "||", 2)) {
		t->before_field = true;
		lkst_tree_copy(t, 2);
	} else {
		lkst_tree_copy(t, 1);
	}
}

/*
 * Like lkst_tree_translate_step(), for the definition of a histogram, where '='
 * and ',' precede names of fields, and ':' ends a list of names. The name of
 * the histogram is copied.
 */
static void lkst_tree_translate_hist_step(struct lkst_tree_translation *t)
{
	bool begins_part = !t->written || t->from[-1] == ':';

	if (begins_part && !strncmp(t->from, "name=", strlen("name="))) {
		lkst_tree_copy(t, strcspn(t->from, ":"));
	} else if (lkst_tree_is_word(*t->from)) {
		lkst_tree_translate_word(t);
	} else {
		t->before_field = *t->from == '=' || *t->from == ',';
		lkst_tree_copy(t, 1);
	}
}

/*
 * Translate a text from @start on, step by step. Returns the result, which the
 * caller frees, or NULL without memory.
 */
static char *lkst_tree_translate_all(const struct lkst_tree_translation *start,
				     void (*step)(struct lkst_tree_translation *t))
{
	struct lkst_tree_translation t = *start;
	char *to;

	while (*t.from)
		step(&t);
	to = kzalloc(t.written + 1, GFP_KERNEL);
	if (!to)
		return NULL;
	t = *start;
	t.to = to;
	while (*t.from)
		step(&t);
	return to;
}

/**
 * lkst_tree_translate() - translate a condition
 * @aliases: names of the event's fields, see struct lkst_alias; may be NULL
 * @text: the condition with the kernel's names
 *
 * Words that are not names of fields are left as they are.
 *
 * Return: the condition with LKST's names, which the caller frees; NULL if
 * there is no memory.
 */
char *lkst_tree_translate(const char *aliases, const char *text)
{
	const struct lkst_tree_translation start = { aliases, text, NULL, 0, true };

	return lkst_tree_translate_all(&start, lkst_tree_translate_step);
}

/**
 * lkst_tree_translate_hist() - translate the definition of a histogram
 * @aliases: as for lkst_tree_translate()
 * @text: the definition with the kernel's names
 *
 * Return: as for lkst_tree_translate().
 */
char *lkst_tree_translate_hist(const char *aliases, const char *text)
{
	const struct lkst_tree_translation start = { aliases, text, NULL, 0, false };

	return lkst_tree_translate_all(&start, lkst_tree_translate_hist_step);
}

/*
 * Return the position in @start->from of the word or character that step by
 * step translation writes at position @at.
 */
static u32 lkst_tree_translate_back_all(const struct lkst_tree_translation *start, u32 at,
					void (*step)(struct lkst_tree_translation *t))
{
	struct lkst_tree_translation t = *start;
	const char *before = t.from;

	while (*t.from && t.written <= at) {
		before = t.from;
		step(&t);
	}
	return (t.written > at ? before : t.from) - start->from;
}

/**
 * lkst_tree_translate_back() - translate a position back to the kernel's text
 * @aliases: as for lkst_tree_translate()
 * @text: the condition with the kernel's names
 * @at: position in the result of lkst_tree_translate(), in bytes
 *
 * Return: the position of the same word or character in @text.
 */
u32 lkst_tree_translate_back(const char *aliases, const char *text, u32 at)
{
	const struct lkst_tree_translation start = { aliases, text, NULL, 0, true };

	return lkst_tree_translate_back_all(&start, at, lkst_tree_translate_step);
}

/**
 * lkst_tree_translate_hist_back() - translate a position back to the kernel's
 *	text
 * @aliases: as for lkst_tree_translate()
 * @text: the definition of a histogram with the kernel's names
 * @at: position in the result of lkst_tree_translate_hist(), in bytes
 *
 * Return: the position of the same word or character in @text.
 */
u32 lkst_tree_translate_hist_back(const char *aliases, const char *text, u32 at)
{
	const struct lkst_tree_translation start = { aliases, text, NULL, 0, false };

	return lkst_tree_translate_back_all(&start, at, lkst_tree_translate_hist_step);
}
