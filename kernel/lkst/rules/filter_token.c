// SPDX-License-Identifier: GPL-2.0
/*
 * The tokens of a filter, and errors at their positions.
 *
 * A word ends at a blank or at a character of an operator, unless it is in
 * quotes. A single "|" is part of a word: GFP_KERNEL|__GFP_ZERO.
 */
#include "filter_compat.h"
#include "filter_parse.h"

#define FILTER_BLANKS	" \t\n"

/**
 * lkst_filter_error() - note what is wrong
 * @parser: receives the message, which is cut if it is too long
 * @at: position of the offending token in bytes
 * @format: what is wrong, and what would be right
 *
 * Return: false.
 */
bool lkst_filter_error(struct lkst_filter_parser *parser, __u32 at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->error, sizeof(parser->error), format, args);
	va_end(args);
	parser->error_at = at;
	return false;
}

static const struct {
	const char *text;
	enum lkst_filter_token token;
	enum lkst_filter_relation relation;
} filter_symbols[] = {
	/* "<=" must precede "<", and so on. */
	{ "&&", LKST_TOKEN_BOTH, 0 },
	{ "||", LKST_TOKEN_EITHER, 0 },
	{ "==", LKST_TOKEN_OPERATOR, LKST_REL_EQ },
	{ "!=", LKST_TOKEN_OPERATOR, LKST_REL_NE },
	{ "<=", LKST_TOKEN_OPERATOR, LKST_REL_LE },
	{ ">=", LKST_TOKEN_OPERATOR, LKST_REL_GE },
	{ "<", LKST_TOKEN_OPERATOR, LKST_REL_LT },
	{ ">", LKST_TOKEN_OPERATOR, LKST_REL_GT },
	{ "&", LKST_TOKEN_OPERATOR, LKST_REL_AND },
	{ "~", LKST_TOKEN_OPERATOR, LKST_REL_MATCHES },
	{ "!", LKST_TOKEN_NOT, 0 },
	{ "(", LKST_TOKEN_OPEN, 0 },
	{ ")", LKST_TOKEN_CLOSE, 0 },
	{ "=", LKST_TOKEN_INVALID, 0 },
	{ "|", LKST_TOKEN_INVALID, 0 },
	{ ",", LKST_TOKEN_INVALID, 0 },
};

/* Return the length of the word at @at. The word is not in quotes. */
static size_t filter_word_len(const char *at)
{
	size_t len = 0;

	for (; at[len]; len++) {
		if (at[len] == '{') {
			len += strcspn(at + len, "}");
			if (!at[len])
				break;
		} else if (strchr(FILTER_BLANKS "()&!=<>~\"',", at[len])) {
			break;
		} else if (at[len] == '|' && (!len || at[len + 1] == '|' || at[len - 1] == '|' ||
					      !at[len + 1] ||
					      strchr(FILTER_BLANKS, at[len + 1]))) {
			break;
		}
	}
	return len;
}

static void filter_take(struct lkst_filter_parser *parser, enum lkst_filter_token token,
			const char *at, size_t len, bool quoted)
{
	parser->token = token;
	parser->word.at = at;
	parser->word.len = len;
	parser->word.start = at - parser->text - quoted;
	parser->word.quoted = quoted;
	parser->next = at + len + quoted;
}

/**
 * lkst_filter_read() - read the next token
 * @parser: receives the token
 *
 * Return: whether there is a valid token; the end of the text is also a token.
 * Otherwise, @parser contains the error.
 */
bool lkst_filter_read(struct lkst_filter_parser *parser)
{
	const char *at = parser->next + strspn(parser->next, FILTER_BLANKS), *end;
	unsigned int i;
	size_t len;

	if (!*at) {
		filter_take(parser, LKST_TOKEN_END, at, 0, false);
		return true;
	}
	if (*at == '"' || *at == '\'') {
		end = strchr(at + 1, *at);
		if (!end)
			return lkst_filter_error(parser, at - parser->text, "no closing %c", *at);
		filter_take(parser, LKST_TOKEN_WORD, at + 1, end - at - 1, true);
		return true;
	}
	len = filter_word_len(at);
	if (len) {
		filter_take(parser, LKST_TOKEN_WORD, at, len, false);
		return true;
	}
	for (i = 0; i < ARRAY_SIZE(filter_symbols); i++) {
		len = strlen(filter_symbols[i].text);
		if (strncmp(at, filter_symbols[i].text, len))
			continue;
		parser->relation = filter_symbols[i].relation;
		filter_take(parser, filter_symbols[i].token, at, len, false);
		return true;
	}
	/* Not reached: every other character is part of a word. */
	return lkst_filter_error(parser, at - parser->text, "unexpected character");
}

/**
 * lkst_filter_unexpected() - report that the current token is unexpected
 * @parser: receives the error
 * @want: what would be right
 *
 * Return: false.
 */
bool lkst_filter_unexpected(struct lkst_filter_parser *parser, const char *want)
{
	if (parser->token == LKST_TOKEN_END)
		return lkst_filter_error(parser, parser->word.start,
					 "the condition is incomplete (want %s)", want);
	return lkst_filter_error(parser, parser->word.start, "unexpected \"%.*s\" (want %s)",
				 LKST_FILTER_WORD(&parser->word), want);
}
