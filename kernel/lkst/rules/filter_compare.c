// SPDX-License-Identifier: GPL-2.0
/* The comparisons of a filter: with numbers, CPUs, strings and functions. */
#include "filter_compat.h"
#include "filter_parse.h"

#define FILTER_RELATIONS	"==, !=, <, <=, >, >=, & or ~"

static void filter_negate_test(struct lkst_filter_parser *parser, struct lkst_filter_test *test)
{
	if (test->kind == LKST_FILTER_SLOW)
		test->negated = !test->negated;
	else
		lkst_filter_negate(parser);
}

/**
 * lkst_filter_set_field() - compile the access to a field
 * @test: receives where the field is; with it, lkst_rule_number() and
 *	lkst_rule_string() read the field
 * @field: the field, which is not opaque
 */
void lkst_filter_set_field(struct lkst_filter_test *test, const struct lkst_filter_field *field)
{
	test->load = field->load;
	test->shift = field->shift;
	test->text = field->text;
	test->size = field->size;
	test->offset = field->offset;
	test->mask = lkst_filter_mask(field);
	test->kind = field->text != LKST_TEXT_NONE || field->load == LKST_LOAD_DATA ?
			     LKST_FILTER_SLOW : LKST_FILTER_NUMBER;
}

/* Whether @a is less than @b, as numbers of a field. */
static bool filter_less(const struct lkst_filter_field *field, __u64 a, __u64 b)
{
	return field->is_signed ? (__s64)a < (__s64)b : a < b;
}

/*
 * Add the comparison "@low <= field <= @high". If no number is in the range,
 * the comparison is always false.
 */
static bool filter_range(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			 __u32 at, __u64 low, __u64 high, bool negated)
{
	struct lkst_filter_test *test = lkst_filter_add(parser, at);

	if (!test)
		return false;
	lkst_filter_set_field(test, field);
	test->op = LKST_FILTER_RANGE;
	test->low = low & test->mask;
	test->span = (high - low) & test->mask;
	if (filter_less(field, high, low)) {
		/* A test with the mask 0 is always false. */
		test->op = LKST_FILTER_BITS;
		test->mask = 0;
	}
	if (negated)
		filter_negate_test(parser, test);
	return true;
}

/* Return the position of ".." in a word, or the length of the word. */
static size_t filter_dots(const struct lkst_filter_word *word)
{
	size_t i;

	for (i = 0; i + 1 < word->len; i++)
		if (word->at[i] == '.' && word->at[i + 1] == '.')
			return i;
	return word->len;
}

static bool filter_number(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			  enum lkst_filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_word *word = &parser->word;
	__u64 lowest = lkst_filter_lowest(field), highest = lkst_filter_highest(field), low, high;
	size_t dots = word->quoted ? word->len : filter_dots(word);
	struct lkst_filter_field bits = *field;
	struct lkst_filter_test *test;

	/* Bits have no sign, unless they are written with one. */
	bits.is_signed = field->is_signed && (relation != LKST_REL_AND || *word->at == '-');
	if (!lkst_filter_value(parser, &bits, word, word->at, dots, &low))
		return false;
	if (dots < word->len) {
		if (relation != LKST_REL_EQ && relation != LKST_REL_NE)
			return lkst_filter_error(parser, relation_at,
						 "a range can only be compared with == or !=");
		if (!lkst_filter_value(parser, field, word, word->at + dots + 2,
				       word->len - dots - 2, &high))
			return false;
		if (filter_less(field, high, low))
			return lkst_filter_error(parser, word->start,
						 "\"%.*s\": the first number is larger than the last",
						 LKST_FILTER_WORD(word));
		return filter_range(parser, field, word->start, low, high, relation == LKST_REL_NE);
	}
	switch (relation) {
	case LKST_REL_EQ:
	case LKST_REL_NE:
		return filter_range(parser, field, word->start, low, low, relation == LKST_REL_NE);
	case LKST_REL_LT:
	case LKST_REL_GE:
		return filter_range(parser, field, word->start, low, highest,
				    relation == LKST_REL_LT);
	case LKST_REL_LE:
	case LKST_REL_GT:
		return filter_range(parser, field, word->start, lowest, low,
				    relation == LKST_REL_GT);
	case LKST_REL_AND:
		test = lkst_filter_add(parser, word->start);
		if (!test)
			return false;
		lkst_filter_set_field(test, field);
		test->op = LKST_FILTER_BITS;
		test->mask &= low;
		return true;
	default:
		return lkst_filter_error(parser, relation_at,
					 "\"%.*s\" is a number (want ==, !=, <, <=, >, >= or &)",
					 (int)field->name_len, field->name);
	}
}

/* ---- CPUs ---- */

#define FILTER_CPUS	"CPUS{"

static bool filter_is_cpus(const struct lkst_filter_word *word)
{
	return !word->quoted && word->len >= strlen(FILTER_CPUS) &&
	       !strncmp(word->at, FILTER_CPUS, strlen(FILTER_CPUS));
}

/* Take the number of a CPU. Returns the number of characters, or 0. */
static size_t filter_cpu(const char *at, size_t len, __u64 *cpu)
{
	size_t i = 0;

	for (*cpu = 0; i < len && at[i] >= '0' && at[i] <= '9' && *cpu < 1000000; i++)
		*cpu = *cpu * 10 + at[i] - '0';
	return i < len ? i : 0;
}

/*
 * Take "FIRST" or "FIRST-LAST" in a list that ends with '}'. Returns the number
 * of characters, or 0.
 */
static size_t filter_cpus_range(const char *at, size_t len, __u64 *first, __u64 *last)
{
	size_t now = filter_cpu(at, len, first), more;

	*last = *first;
	if (!now || at[now] != '-')
		return now;
	now++;
	more = filter_cpu(at + now, len - now, last);
	return more && *first <= *last ? now + more : 0;
}

/*
 * Add a comparison with a set of CPUs: one comparison for each range, joined by
 * "||". With "!=", each comparison is negated, and they are joined by "&&". So
 * if the field cannot be read, "!=" is false, as for numbers. A field is a
 * single CPU, so it can only equal a set that consists of this CPU. If the set
 * has several CPUs, "==" is always false.
 */
static bool filter_cpus(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			enum lkst_filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_word *word = &parser->word;
	size_t at = strlen(FILTER_CPUS), now;
	__u64 first, last, highest = lkst_filter_highest(field), before = 0;
	bool several = false, more = false, negated = relation == LKST_REL_NE;
	unsigned int tests = parser->tests;

	if (relation != LKST_REL_EQ && relation != LKST_REL_NE && relation != LKST_REL_AND)
		return lkst_filter_error(parser, relation_at,
					 "a set of CPUs can only be compared with ==, != or &");
	for (;;) {
		now = filter_cpus_range(word->at + at, word->len - at, &first, &last);
		at += now;
		if (!now || (word->at[at] != ',' && (word->at[at] != '}' || at + 1 < word->len)))
			return lkst_filter_error(parser, word->start,
						 "\"%.*s\" is not a set of CPUs (want CPUS{0-3,7})",
						 LKST_FILTER_WORD(word));
		several |= first != last || (more && first != before);
		before = first;
		if (!filter_range(parser, field, word->start, first,
				  last < highest ? last : highest, negated))
			return false;
		if (more)
			lkst_filter_join(parser, negated);
		more = true;
		if (word->at[at] == '}')
			break;
		at++;
	}
	if (relation != LKST_REL_AND && several)
		for (; tests < parser->tests; tests++) {
			parser->test[tests].op = LKST_FILTER_BITS;
			parser->test[tests].mask = 0;
		}
	return true;
}

/* ---- strings ---- */

/*
 * Read a set such as "[a-z]" or "[!0-9]", whose '[' is at @at. If @glob is not
 * NULL, set @bit for the bytes in the set. Returns the number of characters, or
 * 0 if there is no ']': then, the '[' stands for itself.
 */
static size_t filter_glob_set(const unsigned char *at, size_t len, struct lkst_glob *glob,
			      __u64 bit)
{
	bool inverted = len > 1 && (at[1] == '!' || at[1] == '^'), in[256] = { false };
	size_t i = 1 + inverted, first = i;
	unsigned int c, last;

	for (; i < len && (at[i] != ']' || i == first); i++) {
		c = at[i];
		last = c;
		if (i + 2 < len && at[i + 1] == '-' && at[i + 2] != ']') {
			last = at[i + 2];
			i += 2;
		}
		for (; c <= last; c++)
			in[c] = true;
	}
	if (i >= len)
		return 0;
	for (c = 1; glob && c < 256; c++)
		if (in[c] != inverted)
			glob->match[c] |= bit;
	return i + 1;
}

/**
 * lkst_filter_glob() - compile a pattern
 * @pattern: the pattern
 * @len: its length in bytes
 * @glob: receives the compiled pattern; it is 0 before. NULL: only count
 *
 * Return: the number of elements.
 */
unsigned int lkst_filter_glob(const char *pattern, size_t len, struct lkst_glob *glob)
{
	const unsigned char *at = (const unsigned char *)pattern;
	unsigned int elements = 0, c;
	size_t i = 0, set;
	__u64 bit;

	while (i < len) {
		bit = 1ULL << (elements & 63);
		if (at[i] == '*') {
			if (glob)
				glob->star |= bit;
			i++;
			continue;
		}
		set = at[i] == '[' ? filter_glob_set(at + i, len - i, glob, bit) : 0;
		if (set) {
			i += set;
		} else if (at[i] == '?') {
			for (c = 1; glob && c < 256; c++)
				glob->match[c] |= bit;
			i++;
		} else {
			if (at[i] == '\\' && i + 1 < len)
				i++;
			if (glob)
				glob->match[at[i]] |= bit;
			i++;
		}
		elements++;
	}
	return elements;
}

static bool filter_string(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			  enum lkst_filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_word *word = &parser->word;
	struct lkst_filter_test *test;

	if (relation != LKST_REL_EQ && relation != LKST_REL_NE &&
	    relation != LKST_REL_MATCHES)
		return lkst_filter_error(parser, relation_at,
					 "\"%.*s\" is a string (want ==, != or ~)",
					 (int)field->name_len, field->name);
	if (relation == LKST_REL_MATCHES &&
	    lkst_filter_glob(word->at, word->len, NULL) > LKST_GLOB_LEN)
		return lkst_filter_error(parser, word->start,
					 "the pattern is too long (want at most %d characters besides *)",
					 LKST_GLOB_LEN);
	if (relation != LKST_REL_MATCHES && field->size && word->len > field->size)
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\" is longer than any \"%.*s\" (want at most %u bytes)",
					 LKST_FILTER_WORD(word), (int)field->name_len, field->name,
					 field->size);
	test = lkst_filter_add(parser, word->start);
	if (!test)
		return false;
	lkst_filter_set_field(test, field);
	test->kind = LKST_FILTER_SLOW;
	test->negated = relation == LKST_REL_NE;
	test->op = relation == LKST_REL_MATCHES ? LKST_FILTER_GLOB : LKST_FILTER_EQUAL;
	test->operand_len = word->len;
	parser->operand[parser->tests - 1] = word->at;
	if (relation == LKST_REL_MATCHES)
		parser->globs++;
	else
		parser->bytes += word->len;
	return true;
}

/* Take the name of a function with which an address is compared. */
static bool filter_function(struct lkst_filter_parser *parser,
			    const struct lkst_filter_field *field,
			    enum lkst_filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_scope *scope = parser->scope;
	const struct lkst_filter_word *word = &parser->word;
	__u64 address, size;

	if (relation != LKST_REL_EQ && relation != LKST_REL_NE)
		return lkst_filter_error(parser, relation_at,
					 "a function can only be compared with == or !=");
	if (!scope->function || !scope->function(scope->ctx, word->at, word->len, &address, &size))
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\" is not a function of the kernel (want a name that /proc/kallsyms lists)",
					 LKST_FILTER_WORD(word));
	return filter_range(parser, field, word->start, address, address + size - 1,
			    relation == LKST_REL_NE);
}

enum filter_suffix {
	FILTER_PLAIN,
	FILTER_FUNCTION,
	FILTER_USTRING,
};

/* Split the suffix from the name of a field. */
static bool filter_suffix(struct lkst_filter_parser *parser, const struct lkst_filter_word *word,
			  size_t *len, enum filter_suffix *suffix)
{
	const char *dot = memchr(word->at, '.', word->len);
	size_t rest;

	*len = word->len;
	*suffix = FILTER_PLAIN;
	if (!dot || word->quoted)
		return true;
	*len = dot - word->at;
	rest = word->len - *len;
	if (lkst_filter_is(dot, rest, ".function"))
		*suffix = FILTER_FUNCTION;
	else if (lkst_filter_is(dot, rest, ".ustring"))
		*suffix = FILTER_USTRING;
	else
		return lkst_filter_error(parser, word->start + *len,
					 "unknown suffix \"%.*s\" (want \".function\", \".ustring\" or none)",
					 (int)(rest < LKST_FILTER_SHOWN ? rest : LKST_FILTER_SHOWN),
					 dot);
	return true;
}

/* Whether a field can be an address: a number of 64 bits without a sign. */
static bool filter_is_address(const struct lkst_filter_field *field)
{
	return !field->is_opaque && !field->text && field->size == sizeof(__u64) &&
	       !field->is_signed;
}

static bool filter_operand(struct lkst_filter_parser *parser,
			   const struct lkst_filter_field *field, enum filter_suffix suffix,
			   enum lkst_filter_relation relation, __u32 relation_at)
{
	struct lkst_filter_field user = *field;

	if (suffix == FILTER_FUNCTION)
		return filter_function(parser, field, relation, relation_at);
	if (suffix == FILTER_USTRING) {
		user.text = LKST_TEXT_USER;
		user.size = LKST_FILTER_USTRING;
		if (!filter_string(parser, &user, relation, relation_at))
			return false;
		/*
		 * lkst_filter_string() reads the address, which has this size.
		 */
		parser->test[parser->tests - 1].size = sizeof(__u64);
		return true;
	}
	if (field->text)
		return filter_string(parser, field, relation, relation_at);
	if (filter_is_cpus(&parser->word))
		return filter_cpus(parser, field, relation, relation_at);
	return filter_number(parser, field, relation, relation_at);
}

/**
 * lkst_filter_comparison() - parse a comparison
 * @parser: the current token is the first word of the comparison. Afterwards,
 *	it is the token after the comparison
 *
 * Return: whether the comparison is valid. If not, @parser contains the error.
 */
bool lkst_filter_comparison(struct lkst_filter_parser *parser)
{
	struct lkst_filter_word name = parser->word;
	const struct lkst_filter_field *field;
	enum lkst_filter_relation relation;
	enum filter_suffix suffix;
	__u32 relation_at;
	size_t len;

	if (parser->token != LKST_TOKEN_WORD)
		return lkst_filter_unexpected(parser, "the name of a field");
	if (!filter_suffix(parser, &name, &len, &suffix))
		return false;
	field = lkst_filter_find(parser, name.at, len);
	if (!field)
		return lkst_filter_unknown(parser, name.start, name.at, len);
	if (field->is_opaque)
		return lkst_filter_error(parser, name.start,
					 "\"%.*s\" is neither a number nor a string (want another field)",
					 (int)field->name_len, field->name);
	if (suffix != FILTER_PLAIN && !filter_is_address(field))
		return lkst_filter_error(parser, name.start + len,
					 "\"%.*s\" is not an address (want no suffix)",
					 (int)field->name_len, field->name);
	if (!lkst_filter_read(parser))
		return false;
	if (parser->token != LKST_TOKEN_OPERATOR)
		return lkst_filter_unexpected(parser, FILTER_RELATIONS);
	relation = parser->relation;
	relation_at = parser->word.start;
	if (!lkst_filter_read(parser))
		return false;
	if (parser->token != LKST_TOKEN_WORD)
		return lkst_filter_unexpected(parser, "a value");
	return filter_operand(parser, field, suffix, relation, relation_at) &&
	       lkst_filter_read(parser);
}
