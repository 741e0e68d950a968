// SPDX-License-Identifier: LGPL-2.1
/* Matches texts with the patterns that a condition can contain. */
#include <string.h>

#include "where_program.h"

/*
 * Match a character with the set at @pattern, which follows "[". Returns the end of the set; NULL
 * if the set has no end. The "[" then stands for itself.
 */
static const char *where_match_set(const char *pattern, unsigned char c, bool *match)
{
	bool negated = *pattern == '!' || *pattern == '^', any = false;
	const char *p = pattern + negated;

	do {
		unsigned char first = (unsigned char)*p, last = first;

		if (!first)
			return NULL;
		if (p[1] == '-' && p[2] && p[2] != ']') {
			last = (unsigned char)p[2];
			p += 2;
		}
		any |= first <= c && c <= last;
	} while (*++p != ']');
	*match = any != negated;
	return p + 1;
}

/*
 * Match a character with the element of a pattern at @p, which is not "*". Returns the end of the
 * element; NULL if it does not match.
 */
static const char *where_match_one(const char *p, unsigned char c)
{
	bool match = false;
	const char *end;

	if (*p == '?')
		return p + 1;
	if (*p == '[') {
		end = where_match_set(p + 1, c, &match);
		if (end)
			return match ? end : NULL;
	}
	if (*p == '\\' && p[1])
		p++;
	return (unsigned char)*p == c ? p + 1 : NULL;
}

/**
 * where_glob() - check whether a text matches a pattern
 * @pattern: "*" matches any text, "?" a character, "[a-z]" a character of a set, "[!a-z]" one that
 *	is not in the set, and "\" removes the meaning of the next character
 * @text: text
 *
 * The time is at most proportional to the product of the lengths.
 */
bool where_glob(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL, *next;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
			continue;
		}
		next = *pattern ? where_match_one(pattern, (unsigned char)*text) : NULL;
		if (next) {
			pattern = next;
			text++;
		} else if (star) {
			pattern = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	return !pattern[strspn(pattern, "*")];
}
