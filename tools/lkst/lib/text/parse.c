// SPDX-License-Identifier: LGPL-2.1
/* Parses numbers that users enter, and suggests similar names for mistyped ones. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "messages.h"
#include "parse.h"

/*
 * Parse @digits, the part of @text without sign and unit. Returns 0; -ERANGE if the number does not
 * fit into 64 bits; -1 if it is not a number.
 */
static int parse_digits(const char *name, const char *text, const char *digits, uint64_t *value,
			struct lkst_error *err)
{
	int base = 10;
	char *end;

	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
		base = 16;
		digits += 2;
	}
	if (!isxdigit((unsigned char)*digits)) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NUMBER, name, text);
		return -1;
	}
	errno = 0;
	*value = strtoull(digits, &end, base);
	if (*end || end == digits) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NUMBER, name, text);
		return -1;
	}
	if (errno) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NUMBER_BIG, name, text,
			       "18446744073709551615 (0xffffffffffffffff)");
		return -ERANGE;
	}
	return 0;
}

/**
 * lkst_parse_u64() - parse a number of 64 bits
 * @name: name of the number, for the error message
 * @text: decimal, or hexadecimal with 0x; may be negative, down to -2^63, in which case the result
 *	is the two's complement
 * @value: result
 * @err: set if the text is invalid
 */
int lkst_parse_u64(const char *name, const char *text, uint64_t *value, struct lkst_error *err)
{
	bool minus = *text == '-';
	uint64_t v;

	if (parse_digits(name, text, text + minus, &v, err))
		return -1;
	if (minus && v > (uint64_t)INT64_MAX + 1) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NUMBER_BIG, name, text,
			       "9223372036854775808 below 0");
		return -1;
	}
	*value = minus ? -v : v;
	return 0;
}

/**
 * lkst_parse_range() - parse a number within bounds
 * @name: name of the number, for the error message
 * @text: decimal, or hexadecimal with 0x
 * @min: minimum value, not negative
 * @max: maximum value
 * @value: result
 * @err: set if the text is invalid
 */
int lkst_parse_range(const char *name, const char *text, long min, long max, long *value,
		     struct lkst_error *err)
{
	bool minus = *text == '-';
	uint64_t v;
	int ret = parse_digits(name, text, text + minus, &v, err);

	if (ret && ret != -ERANGE)
		return -1;
	if (ret || minus || v < (uint64_t)min || v > (uint64_t)max) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_RANGE, name, text, min, max);
		return -1;
	}
	*value = (long)v;
	return 0;
}

/**
 * lkst_size_text() - format a number of bytes for lkst_parse_size(), such as 4K for 4096
 * @bytes: number
 * @text: result
 * @len: size of @text
 *
 * Return: as for snprintf().
 */
int lkst_size_text(uint64_t bytes, char *text, size_t len)
{
	static const char units[] = " KMG";
	int unit = 0;

	while (unit < 3 && bytes && !(bytes % 1024)) {
		bytes /= 1024;
		unit++;
	}
	return snprintf(text, len, "%llu%.*s", (unsigned long long)bytes, unit > 0, &units[unit]);
}

/**
 * lkst_parse_size() - parse a number of bytes
 * @name: name of the size, for the error message
 * @text: number as for lkst_parse_range(); K, M or G may follow, for 2^10, 2^20 and 2^30
 * @min: minimum value in bytes
 * @max: maximum value in bytes
 * @bytes: result
 * @err: set if the text is invalid
 */
int lkst_parse_size(const char *name, const char *text, uint64_t min, uint64_t max, uint64_t *bytes,
		    struct lkst_error *err)
{
	static const char units[] = "KMGkmg";
	size_t len = strlen(text);
	const char *unit = len > 1 ? strchr(units, text[len - 1]) : NULL;
	unsigned int shift = unit ? ((unsigned int)(unit - units) % 3 + 1) * 10 : 0;
	char digits[32], low[32], high[32];
	uint64_t v;
	int ret;

	snprintf(digits, sizeof(digits), "%.*s", (int)(len - !!unit), text);
	ret = len < sizeof(digits) && *text != '-' ? parse_digits(name, text, digits, &v, NULL) :
						     -1;
	if (ret && ret != -ERANGE) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SIZE, name, text);
		return -1;
	}
	if (ret || v > UINT64_MAX >> shift || v << shift < min || v << shift > max) {
		lkst_size_text(min, low, sizeof(low));
		lkst_size_text(max, high, sizeof(high));
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_SIZE_RANGE, name, text, low, high);
		return -1;
	}
	*bytes = v << shift;
	return 0;
}

#define WORD_MAX 64

/*
 * Return the number of edits that turn one word into the other. A swap of adjacent letters is one
 * edit.
 */
static unsigned int parse_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i, j;
	unsigned char row[3][WORD_MAX + 1];

	if (la > WORD_MAX || lb > WORD_MAX)
		return WORD_MAX;
	for (j = 0; j <= lb; j++)
		row[0][j] = j;
	for (i = 1; i <= la; i++) {
		unsigned char *now = row[i % 3], *up = row[(i + 2) % 3];
		const unsigned char *up2 = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= lb; j++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);
			unsigned int best = up[j - 1] + !same;

			if (best > up[j] + 1u)
				best = up[j] + 1;
			if (best > now[j - 1] + 1u)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    best > up2[j - 2] + 1u)
				best = up2[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[la % 3][lb];
}

/**
 * lkst_suggest() - find names that are similar to a mistyped word
 * @word: the word
 * @name: returns the i-th name, or NULL to skip it
 * @ctx: passed to @name
 * @names: number of names
 * @suggestions: result, the most similar name first
 *
 * Return: number of names in @suggestions.
 */
size_t lkst_suggest(const char *word, const char *(*name)(void *ctx, size_t i), void *ctx,
		    size_t names, const char *suggestions[LKST_SUGGESTIONS_MAX])
{
	unsigned int cost[LKST_SUGGESTIONS_MAX];
	/* In a short word allow only one edit: "ipc" is not near "irq". */
	unsigned int limit = strlen(word) < 5 ? 1 : 1 + (strlen(word) + 1) / 4;
	size_t n = 0;

	for (size_t i = 0; i < names; i++) {
		const char *candidate = name(ctx, i);
		unsigned int c;
		size_t at;

		for (at = 0; candidate && at < n; at++)
			if (!strcmp(suggestions[at], candidate))
				candidate = NULL;
		if (!candidate)
			continue;
		c = parse_distance(word, candidate);
		/*
		 * A name that contains the word counts as similar, but comes after names that need
		 * fewer edits than @limit.
		 */
		if (c > limit && strlen(word) >= 3 && strcasestr(candidate, word))
			c = limit;
		/*
		 * A name that needs as many edits as the word has letters has nothing in common
		 * with the word.
		 */
		if (c > limit || c >= strlen(word))
			continue;
		for (at = n; at > 0 && cost[at - 1] > c; at--)
			;
		if (at == LKST_SUGGESTIONS_MAX)
			continue;
		if (n < LKST_SUGGESTIONS_MAX)
			n++;
		memmove(suggestions + at + 1, suggestions + at,
			(n - 1 - at) * sizeof(*suggestions));
		memmove(cost + at + 1, cost + at, (n - 1 - at) * sizeof(*cost));
		suggestions[at] = candidate;
		cost[at] = c;
	}
	return n;
}

/**
 * lkst_suggestions_text() - format similar names as a question
 * @suggestions: from lkst_suggest()
 * @n: number of names
 * @text: result, for example '; did you mean "a" or "b"?'; "" if @n is 0
 * @size: size of @text in bytes
 */
void lkst_suggestions_text(const char *const *suggestions, size_t n, char *text, size_t size)
{
	size_t len = 0;

	*text = 0;
	for (size_t i = 0; i < n && len < size; i++)
		len += snprintf(text + len, size - len, "%s\"%s\"",
				i == 0	   ? "; did you mean " :
				i + 1 == n ? " or " :
					     ", ",
				suggestions[i]);
	if (n && len < size)
		snprintf(text + len, size - len, "?");
}
