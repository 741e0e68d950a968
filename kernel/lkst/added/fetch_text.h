/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of the text of a definition: words, names and numbers, and where an
 * error is.
 */
#ifndef _LKST_ADDED_FETCH_TEXT_H
#define _LKST_ADDED_FETCH_TEXT_H

#include "fetch_compat.h"
#include "fetch.h"

#define FETCH_BLANKS	" \t\n"

/* A part of the definition. */
struct fetch_part {
	const char *at;
	size_t len;
};

/* Arguments for "%.*s" that print a part, which is cut if it is long. */
#define FETCH_SHOWN		60
#define FETCH_PART(part)	\
	(int)((part).len < FETCH_SHOWN ? (part).len : FETCH_SHOWN), (part).at

/*
 * Note what is wrong at a position. Returns false. If the message is too long,
 * it is cut.
 */
static inline __printf(3, 4) bool fetch_error(struct lkst_fetch_parser *parser, const char *at,
					      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->error, sizeof(parser->error), format, args);
	va_end(args);
	parser->error_at = at - parser->text;
	return false;
}

static inline bool fetch_is(struct fetch_part part, const char *text)
{
	return part.len == strlen(text) && !memcmp(part.at, text, part.len);
}

static inline bool fetch_begins(struct fetch_part part, const char *text)
{
	return part.len >= strlen(text) && !memcmp(part.at, text, strlen(text));
}

static inline struct fetch_part fetch_skip(struct fetch_part part, size_t len)
{
	return (struct fetch_part){ part.at + len, part.len - len };
}

/* Return the end of a part, for an error about something missing there. */
static inline const char *fetch_end(const struct fetch_part part)
{
	return part.at + part.len;
}

/* Return the length of @part up to the first of @chars, or the whole length. */
static inline size_t fetch_until(struct fetch_part part, const char *chars)
{
	size_t len = 0;

	while (len < part.len && !strchr(chars, part.at[len]))
		len++;
	return len;
}

/* Take the next word of the definition; its length is 0 at the end. */
static inline struct fetch_part fetch_word(struct lkst_fetch_parser *parser)
{
	struct fetch_part word;

	word.at = parser->at + strspn(parser->at, FETCH_BLANKS);
	word.len = strcspn(word.at, FETCH_BLANKS);
	parser->at = fetch_end(word);
	return word;
}

/* Parse a whole part as a number, in decimal, hexadecimal or octal. */
static inline bool fetch_number(struct fetch_part part, __u64 *value)
{
	unsigned long long number;
	char digits[32];

	if (!part.len || part.len >= sizeof(digits) || !isdigit((unsigned char)*part.at))
		return false;
	memcpy(digits, part.at, part.len);
	digits[part.len] = 0;
	if (kstrtoull(digits, 0, &number))
		return false;
	*value = number;
	return true;
}

/* Parse a whole part as a number that may begin with a sign. */
static inline bool fetch_signed(struct fetch_part part, __s64 *value)
{
	bool minus = fetch_begins(part, "-");
	__u64 number;

	if (minus || fetch_begins(part, "+"))
		part = fetch_skip(part, 1);
	if (!fetch_number(part, &number) || number > LLONG_MAX)
		return false;
	*value = minus ? -(__s64)number : (__s64)number;
	return true;
}

static inline bool fetch_is_name(struct fetch_part part)
{
	size_t i;

	for (i = 0; i < part.len; i++)
		if (!isascii(part.at[i]) ||
		    !(isalpha((unsigned char)part.at[i]) || part.at[i] == '_' ||
		      (i && isdigit((unsigned char)part.at[i]))))
			return false;
	return part.len;
}

static inline bool fetch_store(struct lkst_fetch_parser *parser, char *to, size_t size,
			       struct fetch_part part, const char *what)
{
	if (part.len >= size)
		return fetch_error(parser, part.at, "%s is longer than %d characters", what,
				   (int)size - 1);
	memcpy(to, part.at, part.len);
	to[part.len] = 0;
	return true;
}

#endif
