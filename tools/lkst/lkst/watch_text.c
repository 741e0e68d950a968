// SPDX-License-Identifier: GPL-2.0
/*
 * Adds the action watch(NAME) to the text of a rule, or removes it. The text of a rule
 * consists of a condition, and of "do" and a list of actions; either part can be missing. The text
 * is known to be valid, because the kernel has accepted it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

#define WATCH_BLANKS " \t\n"

/*
 * Return the end of the token at @at: a word, a string in quotes or braces, or a single character.
 */
static const char *watch_text_skip(const char *at)
{
	const char *end;

	if (*at == '"' || *at == '\'') {
		end = strchr(at + 1, *at);
		return end ? end + 1 : at + strlen(at);
	}
	if (*at == '{') {
		end = strchr(at, '}');
		return end ? end + 1 : at + strlen(at);
	}
	if (!strchr(WATCH_BLANKS "()&|!=<>~\"',{", *at))
		return at + strcspn(at, WATCH_BLANKS "()&|!=<>~\"',{");
	return at + 1;
}

/*
 * Find the first token between @at and @end that is equal to @word and not in parentheses. Returns
 * NULL if none exists.
 */
static const char *watch_text_find(const char *at, const char *end, const char *word)
{
	size_t depth = 0;

	while (at < end && *at) {
		const char *next = watch_text_skip(at);

		if (!depth && (size_t)(next - at) == strlen(word) &&
		    !strncmp(at, word, strlen(word)))
			return at;
		depth += *at == '(';
		depth -= *at == ')' && depth;
		at = next;
	}
	return NULL;
}

/**
 * watch_text_add() - add an action watch(NAME) to a rule
 * @rule: text of the rule; NULL: there is none
 * @name: name of the watch
 * @condition: condition of the action; NULL: the action has only the condition of the rule
 */
char *watch_text_add(const char *rule, const char *name, const char *condition)
{
	const char *before = "do ";
	char *text;

	if (rule)
		before = watch_text_find(rule, rule + strlen(rule), "do") ? ", " : " do ";
	if (asprintf(&text, "%s%swatch(%s)%s%s", rule ? rule : "", before, name,
		     condition ? " if " : "", condition ? condition : "") < 0)
		return NULL;
	return text;
}

/* Return whether an action is watch(NAME), with or without a count and a condition. */
static bool watch_text_is(const char *action, const char *end, const char *name)
{
	char text[sizeof("watch()") + LKST_WATCH_NAME_LEN];
	size_t len = (size_t)snprintf(text, sizeof(text), "watch(%s)", name);

	return (size_t)(end - action) >= len && !strncmp(action, text, len) &&
	       (action + len == end || strchr(WATCH_BLANKS ":", action[len]));
}

/* Write the condition of a rule, without blanks at its end. @actions is the "do" after it. */
static void watch_text_put_condition(FILE *to, const char *rule, const char *actions)
{
	size_t len = (size_t)(actions - rule);

	while (len && strchr(WATCH_BLANKS, rule[len - 1]))
		len--;
	fprintf(to, "%.*s", (int)len, rule);
}

/*
 * Write a rule without the actions watch(NAME). @actions points to the word "do" in @rule. Returns
 * how many actions were left out.
 */
static int watch_text_put_rest(FILE *to, const char *rule, const char *actions, const char *name)
{
	const char *end = rule + strlen(rule), *at = actions + strlen("do"), *comma;
	int kept = 0, removed = 0;

	watch_text_put_condition(to, rule, actions);
	do {
		at += strspn(at, WATCH_BLANKS);
		comma = watch_text_find(at, end, ",");
		if (watch_text_is(at, comma ? comma : end, name)) {
			removed++;
		} else {
			fputs(kept ? ", " : actions > rule ? " do " : "do ", to);
			fprintf(to, "%.*s", (int)((comma ? comma : end) - at), at);
			kept++;
		}
		at = comma ? comma + 1 : end;
	} while (comma);
	return removed;
}

/**
 * watch_text_remove() - remove the actions watch(NAME) from a rule
 * @rule: text of the rule
 * @name: name of the watch
 * @left: receives the remaining rule, to be freed; NULL: nothing remains
 *
 * Return: the number of actions that were removed, or -1 if there was no memory.
 */
int watch_text_remove(const char *rule, const char *name, char **left)
{
	const char *actions = watch_text_find(rule, rule + strlen(rule), "do");
	int removed;
	size_t size;
	FILE *to;

	*left = NULL;
	if (!actions)
		return 0;
	to = open_memstream(left, &size);
	if (!to)
		return -1;
	removed = watch_text_put_rest(to, rule, actions, name);
	if (fclose(to))
		removed = -1;
	if (removed < 0 || !**left) {
		free(*left);
		*left = NULL;
	}
	return removed;
}

/**
 * watch_text_count() - limit how many times actions take place
 * @actions: actions, separated by commas
 * @count: limit for the actions that do not have a limit yet
 */
char *watch_text_count(const char *actions, unsigned int count)
{
	const char *end = actions + strlen(actions), *at = actions, *comma, *head, *args;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	do {
		comma = watch_text_find(at, end, ",");
		head = watch_text_find(at, comma ? comma : end, "if");
		if (!head)
			head = comma ? comma : end;
		while (head > at && strchr(WATCH_BLANKS, head[-1]))
			head--;
		fprintf(to, "%.*s", (int)(head - at), at);
		/*
		 * A limit is written as ":COUNT" after the name of the action or after its
		 * arguments.
		 */
		args = memrchr(at, ')', (size_t)(head - at));
		if (head > at && !memchr(args ? args : at, ':', (size_t)(head - (args ? args : at))))
			fprintf(to, ":%u", count);
		fprintf(to, "%.*s", (int)((comma ? comma + 1 : end) - head), head);
		at = comma ? comma + 1 : end;
	} while (comma);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}
