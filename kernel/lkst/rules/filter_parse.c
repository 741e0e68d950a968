// SPDX-License-Identifier: GPL-2.0
/*
 * Compile a filter:
 *
 *	either     = both { "||" both }
 *	both       = single { "&&" single }
 *	single     = { "!" } ( "(" either ")" | comparison )
 *	comparison = FIELD [ ".function" | ".ustring" ] operator VALUE
 *	operator   = "==" | "!=" | "<" | "<=" | ">" | ">=" | "&" | "~"
 *
 * filter_token.c describes words. Conditions in lkstbuf(8) have the same
 * syntax.
 *
 * The parser keeps operators and operands on stacks of its own, so that the
 * depth of parentheses does not matter for the stack of the kernel.
 */
#include "filter_compat.h"
#include "filter_parse.h"

/* The four kinds of entries on the stack of operators. */
enum filter_operator {
	FILTER_OPEN,
	FILTER_EITHER,
	FILTER_BOTH,
	FILTER_NOT,
};

/* ---- nodes ---- */

/**
 * lkst_filter_add() - add a comparison, and a node for it
 * @parser: receives them, and the error if there are too many comparisons
 * @at: position that the error names
 *
 * Return: the comparison, or NULL.
 */
struct lkst_filter_test *lkst_filter_add(struct lkst_filter_parser *parser, __u32 at)
{
	struct lkst_filter_test *test;

	if (parser->tests == LKST_FILTER_TESTS) {
		lkst_filter_error(parser, at, "too many comparisons (at most %d)",
				  LKST_FILTER_TESTS);
		return NULL;
	}
	test = &parser->test[parser->tests];
	memset(test, 0, sizeof(*test));
	parser->operand[parser->tests] = NULL;
	parser->node[parser->nodes] = (struct lkst_filter_node){
		.first = parser->tests++,
		.left = -1,
	};
	parser->value[parser->values++] = parser->nodes++;
	return test;
}

/**
 * lkst_filter_negate() - negate the topmost value on the stack
 * @parser: the stack is not empty
 */
void lkst_filter_negate(struct lkst_filter_parser *parser)
{
	struct lkst_filter_node *node = &parser->node[parser->value[parser->values - 1]];

	node->negated = !node->negated;
}

/**
 * lkst_filter_join() - join the two topmost values on the stack
 * @parser: the stack has at least two values
 * @both: join them by "&&", not by "||"
 */
void lkst_filter_join(struct lkst_filter_parser *parser, bool both)
{
	int right = parser->value[--parser->values], left = parser->value[parser->values - 1];

	parser->node[parser->nodes] = (struct lkst_filter_node){
		.both = both,
		.first = parser->node[left].first,
		.left = left,
		.right = right,
	};
	parser->value[parser->values - 1] = parser->nodes++;
}

/* ---- grammar ---- */

static bool filter_push(struct lkst_filter_parser *parser, enum filter_operator operator)
{
	/* Not reached: at each depth, there are at most four operators. */
	if (parser->operators == LKST_FILTER_OPERATORS)
		return lkst_filter_error(parser, parser->word.start, "too many operators");
	parser->operator[parser->operators++] = operator;
	return true;
}

/* Apply operators on the stack that bind at least as tightly as @operator. */
static void filter_apply(struct lkst_filter_parser *parser, enum filter_operator operator)
{
	while (parser->operators) {
		enum filter_operator top = parser->operator[parser->operators - 1];

		if (top < operator || top == FILTER_OPEN)
			return;
		if (top == FILTER_NOT)
			lkst_filter_negate(parser);
		else
			lkst_filter_join(parser, top == FILTER_BOTH);
		parser->operators--;
	}
}

/* Take "!" and "(" before a comparison, and the comparison. */
static bool filter_single(struct lkst_filter_parser *parser)
{
	for (;;) {
		if (parser->token == LKST_TOKEN_NOT) {
			/* Two negations cancel each other. */
			if (parser->operators &&
			    parser->operator[parser->operators - 1] == FILTER_NOT)
				parser->operators--;
			else if (!filter_push(parser, FILTER_NOT))
				return false;
		} else if (parser->token == LKST_TOKEN_OPEN) {
			if (++parser->depth > LKST_FILTER_DEPTH)
				return lkst_filter_error(parser, parser->word.start,
							 "too many nested parentheses (at most %d)",
							 LKST_FILTER_DEPTH);
			if (!filter_push(parser, FILTER_OPEN))
				return false;
		} else {
			return lkst_filter_comparison(parser);
		}
		if (!lkst_filter_read(parser))
			return false;
	}
}

/* Take each ")" after a comparison. */
static bool filter_close(struct lkst_filter_parser *parser)
{
	while (parser->token == LKST_TOKEN_CLOSE && parser->depth) {
		filter_apply(parser, FILTER_EITHER);
		parser->operators--;
		parser->depth--;
		/* The parenthesis may have been negated. */
		filter_apply(parser, FILTER_NOT);
		if (!lkst_filter_read(parser))
			return false;
	}
	return true;
}

/* Return the position of a comparison in the filter. */
static size_t filter_test_at(unsigned int index)
{
	return offsetof(struct lkst_rule_filter, test) + index * sizeof(struct lkst_filter_test);
}

/*
 * Set where the evaluation continues after each comparison. Comparisons have
 * the order of the text, so each one continues with a later one. A node is
 * created after its two parts, so its index is greater than theirs, and the
 * loop, which counts down, handles it before them.
 */
static void filter_link(struct lkst_filter_parser *parser)
{
	struct lkst_filter_node *node, *left, *right;
	unsigned int i = parser->nodes;
	__u16 yes, no, first;

	parser->node[i - 1].yes = LKST_FILTER_TRUE;
	parser->node[i - 1].no = LKST_FILTER_FALSE;
	while (i--) {
		node = &parser->node[i];
		yes = node->negated ? node->no : node->yes;
		no = node->negated ? node->yes : node->no;
		if (node->left < 0) {
			parser->test[node->first].yes = yes;
			parser->test[node->first].no = no;
			continue;
		}
		left = &parser->node[node->left];
		right = &parser->node[node->right];
		first = filter_test_at(right->first);
		left->yes = node->both ? first : yes;
		left->no = node->both ? no : first;
		right->yes = yes;
		right->no = no;
	}
}

/**
 * lkst_filter_parse_part() - parse a filter that is a part of a text
 * @parser: the caller has set @scope and @text. The filter begins with the
 *	current token, and ends before the first token that cannot continue it,
 *	which is the current token afterwards
 *
 * Context: as for the functions of @scope.
 *
 * Return: whether the filter is valid. If not, @error and @error_at are set.
 */
bool lkst_filter_parse_part(struct lkst_filter_parser *parser)
{
	enum filter_operator operator;

	parser->depth = 0;
	parser->tests = 0;
	parser->globs = 0;
	parser->bytes = 0;
	parser->nodes = 0;
	parser->operators = 0;
	parser->values = 0;
	for (;;) {
		if (!filter_single(parser))
			return false;
		filter_apply(parser, FILTER_NOT);
		if (!filter_close(parser))
			return false;
		if (parser->token != LKST_TOKEN_BOTH && parser->token != LKST_TOKEN_EITHER)
			break;
		operator = parser->token == LKST_TOKEN_BOTH ? FILTER_BOTH : FILTER_EITHER;
		filter_apply(parser, operator);
		if (!filter_push(parser, operator) || !lkst_filter_read(parser))
			return false;
	}
	if (parser->depth)
		return lkst_filter_unexpected(parser, "&&, || or \")\"");
	filter_apply(parser, FILTER_EITHER);
	filter_link(parser);
	return true;
}

/**
 * lkst_filter_parse() - parse a filter
 * @parser: the caller has set @scope and @text, and the rest to 0
 *
 * Context: as for the functions of @scope.
 *
 * Return: whether the filter is valid. If not, @error and @error_at are set.
 */
bool lkst_filter_parse(struct lkst_filter_parser *parser)
{
	parser->next = parser->text;
	if (!lkst_filter_read(parser) || !lkst_filter_parse_part(parser))
		return false;
	if (parser->token != LKST_TOKEN_END)
		return lkst_filter_unexpected(parser, "&& or ||");
	return true;
}

/* Return the size of the filter that lkst_filter_store() would store. */
size_t lkst_filter_bytes(const struct lkst_filter_parser *parser)
{
	return filter_test_at(parser->tests) +
	       parser->globs * sizeof(struct lkst_glob) + parser->bytes;
}

/**
 * lkst_filter_store() - store a parsed filter
 * @parser: the parser, after lkst_filter_parse() has returned true
 * @filter: lkst_filter_bytes() bytes, which are 0
 */
void lkst_filter_store(const struct lkst_filter_parser *parser, struct lkst_rule_filter *filter)
{
	/* Patterns need alignment, and so come before strings. */
	char *base = (char *)filter;
	size_t glob = filter_test_at(parser->tests);
	size_t string = glob + parser->globs * sizeof(struct lkst_glob);
	struct lkst_filter_test *test;
	struct lkst_glob *to;
	unsigned int i;

	filter->tests = parser->tests;
	memcpy(filter->test, parser->test, parser->tests * sizeof(*filter->test));
	for (i = 0; i < parser->tests; i++) {
		test = &filter->test[i];
		if (test->kind == LKST_FILTER_NUMBER && test->op == LKST_FILTER_RANGE &&
		    test->load <= LKST_LOAD_ARG4)
			test->kind = LKST_FILTER_ARG;
		if (test->op == LKST_FILTER_GLOB) {
			to = (struct lkst_glob *)(base + glob);
			to->end = 1ULL << lkst_filter_glob(parser->operand[i], test->operand_len,
							   to);
			test->operand = glob;
			glob += sizeof(*to);
		} else if (test->op == LKST_FILTER_EQUAL) {
			memcpy(base + string, parser->operand[i], test->operand_len);
			test->operand = string;
			string += test->operand_len;
		}
	}
}
