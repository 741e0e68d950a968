// SPDX-License-Identifier: LGPL-2.1
/*
 * Parses a condition:
 *
 *	either     = both { "||" both }
 *	both       = single { "&&" single }
 *	single     = { "!" } ( "(" either ")" | comparison )
 *	comparison = FIELD [ ".function" ] operator VALUE
 *	operator   = "==" | "!=" | "<" | "<=" | ">" | ">=" | "&" | "~"
 *
 * A word ends at a blank or at one of the characters of the operators, unless it is in quotes. The
 * character "|" is part of a word if it is single: GFP_KERNEL|__GFP_ZERO.
 *
 * The result is a list of comparisons. Each comparison has the indexes of two other comparisons:
 * one with which to continue if this comparison is true, and one if it is false.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "messages.h"
#include "where_program.h"

enum token {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_NOT,
	TOKEN_BOTH,
	TOKEN_EITHER,
	TOKEN_OPERATOR,
	TOKEN_INVALID,
};

/* A comparison, or two nodes that are joined by && or ||. */
struct where_node {
	bool negated;
	bool both; /* joined by && */
	uint8_t first; /* the first comparison */
	int8_t left; /* -1: the node is the comparison @first */
	int8_t right;
};

/**
 * struct where_parser - state of the parser
 * @text: condition
 * @next: the part that was not yet read
 * @room: memory for the next word
 * @program: result
 * @err: set on failure
 * @token: current token
 * @word: TOKEN_WORD: the word; other tokens: their text
 * @op: TOKEN_OPERATOR: the operator
 * @depth: number of open parentheses
 * @node: nodes
 * @nodes: number of nodes
 */
struct where_parser {
	const char *text;
	const char *next;
	char *room;
	struct where_program *program;
	struct lkst_error *err;
	enum token token;
	struct where_word word;
	enum where_op op;
	unsigned int depth;
	struct where_node node[2 * WHERE_TESTS_MAX];
	int nodes;
};

/**
 * where_error() - report an error in a condition
 * @err: set
 * @at: position in the condition, counted from 1
 * @format: what is wrong
 */
void where_error(struct lkst_error *err, unsigned int at, const char *format, ...)
{
	char text[800];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_WHERE_AT, at, text);
}

/* ---- tokens ---- */

static const struct {
	const char *text;
	enum token token;
	enum where_op op;
} where_symbols[] = {
	/* A longer symbol must precede the symbols that are its beginning: "<=" precedes "<". */
	{ "&&", TOKEN_BOTH, 0 },
	{ "||", TOKEN_EITHER, 0 },
	{ "==", TOKEN_OPERATOR, WHERE_EQ },
	{ "!=", TOKEN_OPERATOR, WHERE_NE },
	{ "<=", TOKEN_OPERATOR, WHERE_LE },
	{ ">=", TOKEN_OPERATOR, WHERE_GE },
	{ "<", TOKEN_OPERATOR, WHERE_LT },
	{ ">", TOKEN_OPERATOR, WHERE_GT },
	{ "&", TOKEN_OPERATOR, WHERE_AND },
	{ "~", TOKEN_OPERATOR, WHERE_GLOB },
	{ "!", TOKEN_NOT, 0 },
	{ "(", TOKEN_OPEN, 0 },
	{ ")", TOKEN_CLOSE, 0 },
	{ "=", TOKEN_INVALID, 0 },
	{ "|", TOKEN_INVALID, 0 },
	{ ",", TOKEN_INVALID, 0 },
};

/* Return the position of a character of the condition: the number of characters up to it. */
static unsigned int where_position(const struct where_parser *parser, const char *p)
{
	unsigned int at = 1;

	for (const char *c = parser->text; c < p; c++)
		at += ((unsigned char)*c & 0xc0) != 0x80;
	return at;
}

/* Return the length of the word at @p, which is not in quotes. */
static size_t where_word_length(const char *p)
{
	size_t len = 0;

	for (; p[len]; len++) {
		if (p[len] == '{') {
			len += strcspn(p + len, "}");
			if (!p[len])
				break;
		} else if (strchr(" \t\n()&!=<>~\"',", p[len])) {
			break;
		} else if (p[len] == '|' && (!len || p[len + 1] == '|' || p[len - 1] == '|' ||
					     strchr(" \t\n", p[len + 1]))) {
			break;
		}
	}
	return len;
}

/* Set the current token's text to @len characters at @p. */
static void where_take_text(struct where_parser *parser, const char *p, size_t len)
{
	parser->word = (struct where_word){ .text = parser->room, .at = where_position(parser, p) };
	memcpy(parser->room, p, len);
	parser->room[len] = 0;
	parser->room += len + 1;
	parser->next = p + len;
}

static int where_take_quoted(struct where_parser *parser, const char *p)
{
	const char *end = strchr(p + 1, *p);

	if (!end) {
		where_error(parser->err, where_position(parser, p), MSG_WHERE_QUOTE, *p);
		return -1;
	}
	where_take_text(parser, p + 1, (size_t)(end - p - 1));
	parser->word.at = where_position(parser, p);
	parser->word.quoted = true;
	parser->token = TOKEN_WORD;
	parser->next = end + 1;
	return 0;
}

/* Read the next token. */
static int where_read(struct where_parser *parser)
{
	const char *p = parser->next + strspn(parser->next, " \t\n");
	size_t len = where_word_length(p);

	if (!*p) {
		parser->token = TOKEN_END;
		parser->word.at = where_position(parser, p);
		return 0;
	}
	if (*p == '"' || *p == '\'')
		return where_take_quoted(parser, p);
	if (len) {
		parser->token = TOKEN_WORD;
		where_take_text(parser, p, len);
		return 0;
	}
	for (size_t i = 0; i < sizeof(where_symbols) / sizeof(*where_symbols); i++) {
		len = strlen(where_symbols[i].text);
		if (strncmp(p, where_symbols[i].text, len))
			continue;
		parser->token = where_symbols[i].token;
		parser->op = where_symbols[i].op;
		where_take_text(parser, p, len);
		return 0;
	}
	return -1; /* not reached: every other character is part of a word */
}

/* Report that @want was expected in place of the current token. */
static int where_unexpected(const struct where_parser *parser, const char *want)
{
	char shown[128];

	if (parser->token == TOKEN_END) {
		where_error(parser->err, parser->word.at, MSG_WHERE_END, want);
		return -1;
	}
	lkst_printable(parser->word.text, strlen(parser->word.text), shown, sizeof(shown));
	where_error(parser->err, parser->word.at, MSG_WHERE_TOKEN, shown, want);
	return -1;
}

/* ---- grammar ---- */

static int where_either(struct where_parser *parser);

static int where_add_node(struct where_parser *parser, struct where_node node)
{
	parser->node[parser->nodes] = node;
	return parser->nodes++;
}

/* Split ".function" from the name of a field. */
static int where_split_suffix(struct where_parser *parser, struct where_test *test)
{
	char *dot = test->field.quoted ? NULL : strchr(test->field.text, '.');
	unsigned int at;

	if (!dot)
		return 0;
	at = test->field.at;
	for (const char *c = test->field.text; c < dot; c++)
		at += ((unsigned char)*c & 0xc0) != 0x80;
	test->function = !strcmp(dot, ".function");
	if (!test->function) {
		where_error(parser->err, at, MSG_WHERE_SUFFIX, dot);
		return -1;
	}
	*dot = 0;
	return 0;
}

/* Parse a comparison. Returns its node, or -1. */
static int where_comparison(struct where_parser *parser)
{
	struct where_program *program = parser->program;
	struct where_test *test = &program->test[program->tests];

	if (parser->token != TOKEN_WORD)
		return where_unexpected(parser, "the name of a field");
	if (program->tests == WHERE_TESTS_MAX) {
		where_error(parser->err, parser->word.at, MSG_WHERE_MANY, WHERE_TESTS_MAX);
		return -1;
	}
	test->field = parser->word;
	if (where_split_suffix(parser, test) || where_read(parser))
		return -1;
	if (parser->token != TOKEN_OPERATOR)
		return where_unexpected(parser, "==, !=, <, <=, >, >=, & or ~");
	test->op = parser->op;
	test->operator_at = parser->word.at;
	if (where_read(parser))
		return -1;
	if (parser->token != TOKEN_WORD)
		return where_unexpected(parser, "a value");
	test->value = parser->word;
	if (where_read(parser))
		return -1;
	return where_add_node(parser, (struct where_node){ .first = (uint8_t)program->tests++,
							   .left = -1 });
}

static int where_single(struct where_parser *parser)
{
	bool negated = false;
	int node;

	for (; parser->token == TOKEN_NOT; negated = !negated)
		if (where_read(parser))
			return -1;
	if (parser->token == TOKEN_OPEN) {
		unsigned int at = parser->word.at;

		if (++parser->depth > WHERE_DEPTH_MAX) {
			where_error(parser->err, at, MSG_WHERE_DEEP, WHERE_DEPTH_MAX);
			return -1;
		}
		if (where_read(parser))
			return -1;
		node = where_either(parser);
		if (node < 0)
			return -1;
		if (parser->token != TOKEN_CLOSE)
			return where_unexpected(parser, "&&, || or \")\"");
		parser->depth--;
		if (where_read(parser))
			return -1;
	} else {
		node = where_comparison(parser);
	}
	if (node >= 0)
		parser->node[node].negated ^= negated;
	return node;
}

/* Parse one or more parts with @part. The token @token separates them. */
static int where_joined(struct where_parser *parser, enum token token,
			int (*part)(struct where_parser *parser))
{
	int left = part(parser), right;

	while (left >= 0 && parser->token == token) {
		if (where_read(parser))
			return -1;
		right = part(parser);
		if (right < 0)
			return -1;
		left = where_add_node(parser, (struct where_node){
						      .both = token == TOKEN_BOTH,
						      .first = parser->node[left].first,
						      .left = (int8_t)left,
						      .right = (int8_t)right,
					      });
	}
	return left;
}

static int where_both(struct where_parser *parser)
{
	return where_joined(parser, TOKEN_BOTH, where_single);
}

static int where_either(struct where_parser *parser)
{
	return where_joined(parser, TOKEN_EITHER, where_both);
}

/* ---- the program ---- */

/*
 * Set where the comparisons of a node continue. They are numbered as in the text, so a comparison
 * always continues with one that follows it. The recursion is as deep as the nodes are nested,
 * which is at most their number.
 */
static void where_link(struct where_parser *parser, int index, uint8_t yes, uint8_t no)
{
	const struct where_node *node = &parser->node[index];
	uint8_t swap = yes, right;

	if (node->negated) {
		yes = no;
		no = swap;
	}
	if (node->left < 0) {
		parser->program->test[node->first].yes = yes;
		parser->program->test[node->first].no = no;
		return;
	}
	right = parser->node[node->right].first;
	where_link(parser, node->left, node->both ? right : yes, node->both ? no : right);
	where_link(parser, node->right, yes, no);
}

/**
 * where_parse() - parse a condition
 * @text: condition
 * @program: result, which the caller must free even after an error: free(program->words)
 * @err: set if the condition is invalid; names the position of the error
 */
int where_parse(const char *text, struct where_program *program, struct lkst_error *err)
{
	struct where_parser parser = { .text = text, .next = text, .program = program, .err = err };
	int root;

	program->tests = 0;
	/*
	 * A token has at least one character, and is stored with a terminating 0, so two bytes for
	 * each character of @text are enough.
	 */
	program->words = malloc(2 * strlen(text) + 2);
	parser.room = program->words;
	if (!program->words) {
		lkst_error_memory(err, "the condition");
		return -1;
	}
	if (where_read(&parser))
		return -1;
	root = where_either(&parser);
	if (root < 0)
		return -1;
	if (parser.token != TOKEN_END)
		return where_unexpected(&parser, "&& or ||");
	where_link(&parser, root, WHERE_TRUE, WHERE_FALSE);
	return 0;
}
