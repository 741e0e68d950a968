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
 * A word ends at a blank or at a character of an operator, unless it is in
 * quotes. A single "|" is part of a word: GFP_KERNEL|__GFP_ZERO. The syntax is
 * that of conditions in lkstbuf(8).
 *
 * The parser keeps operators and operands on stacks of its own, so that the
 * depth of parentheses does not matter for the stack of the kernel.
 */
#include "filter_compat.h"
#include "filter.h"

#define FILTER_BLANKS	" \t\n"

/* The four kinds of entries on the stack of operators. */
enum filter_operator {
	FILTER_OPEN,
	FILTER_EITHER,
	FILTER_BOTH,
	FILTER_NOT,
};

enum filter_relation {
	FILTER_EQ,
	FILTER_NE,
	FILTER_LT,
	FILTER_LE,
	FILTER_GT,
	FILTER_GE,
	FILTER_AND,
	FILTER_MATCHES,
};

#define FILTER_RELATIONS	"==, !=, <, <=, >, >=, & or ~"

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

/* Arguments for "%.*s" that print a word, which is cut if it is long. */
#define FILTER_SHOWN		60
#define FILTER_WORD(word)	\
	(int)((word)->len < FILTER_SHOWN ? (word)->len : FILTER_SHOWN), (word)->at

/* ---- tokens ---- */

static const struct {
	const char *text;
	enum lkst_filter_token token;
	enum filter_relation relation;
} filter_symbols[] = {
	/* "<=" must precede "<", and so on. */
	{ "&&", LKST_TOKEN_BOTH, 0 },
	{ "||", LKST_TOKEN_EITHER, 0 },
	{ "==", LKST_TOKEN_OPERATOR, FILTER_EQ },
	{ "!=", LKST_TOKEN_OPERATOR, FILTER_NE },
	{ "<=", LKST_TOKEN_OPERATOR, FILTER_LE },
	{ ">=", LKST_TOKEN_OPERATOR, FILTER_GE },
	{ "<", LKST_TOKEN_OPERATOR, FILTER_LT },
	{ ">", LKST_TOKEN_OPERATOR, FILTER_GT },
	{ "&", LKST_TOKEN_OPERATOR, FILTER_AND },
	{ "~", LKST_TOKEN_OPERATOR, FILTER_MATCHES },
	{ "!", LKST_TOKEN_NOT, 0 },
	{ "(", LKST_TOKEN_OPEN, 0 },
	{ ")", LKST_TOKEN_CLOSE, 0 },
	{ "=", LKST_TOKEN_INVALID, 0 },
	{ "|", LKST_TOKEN_INVALID, 0 },
	{ ",", LKST_TOKEN_INVALID, 0 },
};

/* Return the length of the word at @at, which is not in quotes. */
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
 * Return: whether there was one; the end of the text is one. If not, @parser
 * contains the error.
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

static bool filter_unexpected(struct lkst_filter_parser *parser, const char *want)
{
	if (parser->token == LKST_TOKEN_END)
		return lkst_filter_error(parser, parser->word.start,
					 "the condition is incomplete (want %s)", want);
	return lkst_filter_error(parser, parser->word.start, "unexpected \"%.*s\" (want %s)",
				 FILTER_WORD(&parser->word), want);
}

/* ---- fields ---- */

#define FILTER_OWN(_name, _load) {							\
	.name = (_name), .name_len = sizeof(_name) - 1, .format = "", .load = (_load),	\
	.size = sizeof(__u32),								\
}

#define FILTER_OWN_COMM(_name) {							\
	.name = (_name), .name_len = sizeof(_name) - 1, .format = "",			\
	.text = LKST_TEXT_COMM, .size = 16,						\
}

/* The fields of every event. Those of the event itself take precedence. */
static const struct lkst_filter_field filter_own_fields[] = {
	FILTER_OWN("pid", LKST_LOAD_PID),
	FILTER_OWN("tid", LKST_LOAD_TID),
	FILTER_OWN_COMM("comm"),
	FILTER_OWN("uid", LKST_LOAD_UID),
	FILTER_OWN("gid", LKST_LOAD_GID),
	FILTER_OWN("cpu", LKST_LOAD_CPU),
	FILTER_OWN("flags", LKST_LOAD_FLAGS),
	/* For events that have a field with one of the names above */
	FILTER_OWN("common_pid", LKST_LOAD_PID),
	FILTER_OWN("common_tid", LKST_LOAD_TID),
	FILTER_OWN("common_cpu", LKST_LOAD_CPU),
	FILTER_OWN("CPU", LKST_LOAD_CPU),
	FILTER_OWN_COMM("COMM"),
};

/* As LKST_RECORD_* in linux/lkst_buffer.h */
static const char *const filter_flags[] = {
	"hardirq", "softirq", "nmi", "preempt_off", "need_resched",
};

static bool filter_is(const char *at, size_t len, const char *text)
{
	return strlen(text) == len && !strncmp(at, text, len);
}

/**
 * lkst_filter_find() - find a field by name
 * @parser: its scope contains the fields of the event
 * @at: the name
 * @len: its length
 *
 * Return: a field of the event or of every event, or NULL.
 */
const struct lkst_filter_field *lkst_filter_find(const struct lkst_filter_parser *parser,
						 const char *at, size_t len)
{
	const struct lkst_filter_scope *scope = parser->scope;
	const struct lkst_filter_field *field;
	unsigned int i;

	for (i = 0; i < scope->fields; i++) {
		field = &scope->field[i];
		if (field->name_len == len && !strncmp(field->name, at, len))
			return field;
	}
	for (i = 0; i < ARRAY_SIZE(filter_own_fields); i++)
		if (filter_is(at, len, filter_own_fields[i].name))
			return &filter_own_fields[i];
	return NULL;
}

/**
 * lkst_filter_unknown() - report an unknown field
 * @parser: receives the error, which lists the fields
 * @start: position of the name in the text
 * @at: the name
 * @len: its length
 *
 * Return: false.
 */
bool lkst_filter_unknown(struct lkst_filter_parser *parser, __u32 start, const char *at,
			 size_t len)
{
	const struct lkst_filter_scope *scope = parser->scope;
	char list[LKST_FILTER_ERROR] = "";
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < scope->fields && used < sizeof(list); i++)
		used += snprintf(list + used, sizeof(list) - used, "%.*s, ",
				 (int)scope->field[i].name_len, scope->field[i].name);
	return lkst_filter_error(parser, start, "unknown field \"%.*s\" (want %s%s)",
				 (int)(len < FILTER_SHOWN ? len : FILTER_SHOWN), at, list,
				 "pid, tid, comm, uid, gid, cpu or flags");
}

/* ---- numbers ---- */

static unsigned int filter_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

enum filter_parsed {
	FILTER_NO_NUMBER,
	FILTER_NUMBER,
	FILTER_TOO_BIG,
};

/* Parse a number in decimal, in hexadecimal (0x) or in octal (0). */
static enum filter_parsed filter_digits(const char *at, size_t len, __u64 *value)
{
	unsigned int base = 10, digit;
	bool big = false;
	size_t i = 0;

	if (len > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
		base = 16;
		i = 2;
	} else if (len > 1 && at[0] == '0') {
		base = 8;
		i = 1;
	}
	if (i == len)
		return FILTER_NO_NUMBER;
	for (*value = 0; i < len; i++) {
		digit = filter_digit(at[i]);
		if (digit >= base)
			return FILTER_NO_NUMBER;
		/* Neither shifts nor divides 64 bits, for 32-bit kernels. */
		if (*value >> 60 && (base == 16 || *value > (~0ULL - digit) >> 3))
			big = true;
		if (base == 10 && (*value > 1844674407370955161ULL ||
				   (*value == 1844674407370955161ULL && digit > 5)))
			big = true;
		*value = *value * base + digit;
	}
	return big ? FILTER_TOO_BIG : FILTER_NUMBER;
}

/* The numbers that a field can have, as bits of 64-bit integers. */
static __u64 filter_mask(const struct lkst_filter_field *field)
{
	return field->size < sizeof(__u64) ? (1ULL << field->size * 8) - 1 : ~0ULL;
}

static __u64 filter_lowest(const struct lkst_filter_field *field)
{
	return field->is_signed ? ~(filter_mask(field) >> 1) : 0;
}

static __u64 filter_highest(const struct lkst_filter_field *field)
{
	return filter_mask(field) >> field->is_signed;
}

static bool filter_flag(const char *at, size_t len, __u64 *value)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(filter_flags); i++)
		if (filter_is(at, len, filter_flags[i])) {
			*value = 1ULL << i;
			return true;
		}
	return false;
}

static bool filter_constant(struct lkst_filter_parser *parser,
			    const struct lkst_filter_field *field, const char *at, size_t len,
			    __u64 *value)
{
	const struct lkst_filter_scope *scope = parser->scope;

	if (field->load == LKST_LOAD_FLAGS)
		return filter_flag(at, len, value);
	return field->format_len && scope->constant &&
	       scope->constant(scope->ctx, field, at, len, value);
}

static bool filter_no_value(struct lkst_filter_parser *parser,
			    const struct lkst_filter_field *field,
			    const struct lkst_filter_word *word)
{
	const char *names = field->format_len ? " or a name" : "";

	if (field->load == LKST_LOAD_FLAGS)
		names = ", hardirq, softirq, nmi, preempt_off or need_resched";
	return lkst_filter_error(parser, word->start,
				 "\"%.*s\" is not a value of \"%.*s\" (want a number%s)",
				 FILTER_WORD(word), (int)field->name_len, field->name, names);
}

/*
 * Take a number, or a name of a value, at @at. @word is the word that contains
 * it.
 */
static bool filter_one_value(struct lkst_filter_parser *parser,
			     const struct lkst_filter_field *field,
			     const struct lkst_filter_word *word, const char *at, size_t len,
			     __u64 *value)
{
	bool negative = len && *at == '-';
	enum filter_parsed parsed = FILTER_NO_NUMBER;

	if (!word->quoted)
		parsed = filter_digits(at + negative, len - negative, value);
	if (parsed == FILTER_NO_NUMBER) {
		if (!filter_constant(parser, field, at, len, value))
			return filter_no_value(parser, field, word);
		*value &= filter_mask(field);
		if (field->is_signed && *value > filter_highest(field))
			*value |= ~filter_mask(field);
		return true;
	}
	if (negative && *value && !field->is_signed)
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\": \"%.*s\" is never negative (want 0 or more)",
					 FILTER_WORD(word), (int)field->name_len, field->name);
	if (parsed == FILTER_TOO_BIG || *value > filter_highest(field) + negative)
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\": \"%.*s\" has only %u bits (want %lld to %llu)",
					 FILTER_WORD(word), (int)field->name_len, field->name,
					 field->size * 8, (long long)filter_lowest(field),
					 (unsigned long long)filter_highest(field));
	if (negative)
		*value = -*value;
	return true;
}

/* Take a value, or several names of flags that are joined by "|". */
static bool filter_value(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			 const struct lkst_filter_word *word, const char *at, size_t len,
			 __u64 *value)
{
	__u64 one;
	size_t now;

	for (*value = 0;; at += now + 1, len -= now + 1) {
		for (now = 0; now < len && at[now] != '|'; now++)
			;
		if (!filter_one_value(parser, field, word, at, now, &one))
			return false;
		*value |= one;
		if (now == len)
			return true;
	}
}

/* ---- comparisons ---- */

/*
 * Add a comparison, and a node for it. If there are too many, the error names
 * position @at.
 */
static struct lkst_filter_test *filter_add(struct lkst_filter_parser *parser, __u32 at)
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

static void filter_negate(struct lkst_filter_parser *parser)
{
	struct lkst_filter_node *node = &parser->node[parser->value[parser->values - 1]];

	node->negated = !node->negated;
}

/* Join the two topmost values on the stack. */
static void filter_join(struct lkst_filter_parser *parser, bool both)
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

static void filter_negate_test(struct lkst_filter_parser *parser, struct lkst_filter_test *test)
{
	if (test->kind == LKST_FILTER_SLOW)
		test->negated = !test->negated;
	else
		filter_negate(parser);
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
	test->mask = filter_mask(field);
	test->kind = field->text != LKST_TEXT_NONE || field->load == LKST_LOAD_DATA ?
			     LKST_FILTER_SLOW : LKST_FILTER_NUMBER;
}

/* Whether @a is less than @b, as numbers of a field. */
static bool filter_less(const struct lkst_filter_field *field, __u64 a, __u64 b)
{
	return field->is_signed ? (__s64)a < (__s64)b : a < b;
}

/*
 * Add the comparison "@low <= field <= @high". If no number is in the range, it
 * is false.
 */
static bool filter_range(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			 __u32 at, __u64 low, __u64 high, bool negated)
{
	struct lkst_filter_test *test = filter_add(parser, at);

	if (!test)
		return false;
	lkst_filter_set_field(test, field);
	test->op = LKST_FILTER_RANGE;
	test->low = low & test->mask;
	test->span = (high - low) & test->mask;
	if (filter_less(field, high, low)) {
		/* No bit of the number is tested, so this is false. */
		test->op = LKST_FILTER_BITS;
		test->mask = 0;
	}
	if (negated)
		filter_negate_test(parser, test);
	return true;
}

/* Find ".." in a word, or return its length. */
static size_t filter_dots(const struct lkst_filter_word *word)
{
	size_t i;

	for (i = 0; i + 1 < word->len; i++)
		if (word->at[i] == '.' && word->at[i + 1] == '.')
			return i;
	return word->len;
}

static bool filter_number(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			  enum filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_word *word = &parser->word;
	__u64 lowest = filter_lowest(field), highest = filter_highest(field), low, high;
	size_t dots = word->quoted ? word->len : filter_dots(word);
	struct lkst_filter_field bits = *field;
	struct lkst_filter_test *test;

	/* Bits have no sign, unless they are written with one. */
	bits.is_signed = field->is_signed && (relation != FILTER_AND || *word->at == '-');
	if (!filter_value(parser, &bits, word, word->at, dots, &low))
		return false;
	if (dots < word->len) {
		if (relation != FILTER_EQ && relation != FILTER_NE)
			return lkst_filter_error(parser, relation_at,
						 "a range can only be compared with == or !=");
		if (!filter_value(parser, field, word, word->at + dots + 2, word->len - dots - 2,
				  &high))
			return false;
		if (filter_less(field, high, low))
			return lkst_filter_error(parser, word->start,
						 "\"%.*s\": the first number is larger than the last",
						 FILTER_WORD(word));
		return filter_range(parser, field, word->start, low, high, relation == FILTER_NE);
	}
	switch (relation) {
	case FILTER_EQ:
	case FILTER_NE:
		return filter_range(parser, field, word->start, low, low, relation == FILTER_NE);
	case FILTER_LT:
	case FILTER_GE:
		return filter_range(parser, field, word->start, low, highest,
				    relation == FILTER_LT);
	case FILTER_LE:
	case FILTER_GT:
		return filter_range(parser, field, word->start, lowest, low,
				    relation == FILTER_GT);
	case FILTER_AND:
		test = filter_add(parser, word->start);
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
 * "||". A single CPU is equal to a set only if the set has no other CPU.
 */
static bool filter_cpus(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
			enum filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_word *word = &parser->word;
	size_t at = strlen(FILTER_CPUS), now;
	__u64 first, last, highest = filter_highest(field), before = 0;
	bool several = false, more = false;
	unsigned int tests = parser->tests;

	if (relation != FILTER_EQ && relation != FILTER_NE && relation != FILTER_AND)
		return lkst_filter_error(parser, relation_at,
					 "a set of CPUs can only be compared with ==, != or &");
	for (;;) {
		now = filter_cpus_range(word->at + at, word->len - at, &first, &last);
		at += now;
		if (!now || (word->at[at] != ',' && (word->at[at] != '}' || at + 1 < word->len)))
			return lkst_filter_error(parser, word->start,
						 "\"%.*s\" is not a set of CPUs (want CPUS{0-3,7})",
						 FILTER_WORD(word));
		several |= first != last || (more && first != before);
		before = first;
		if (!filter_range(parser, field, word->start, first,
				  last < highest ? last : highest, false))
			return false;
		if (more)
			filter_join(parser, false);
		more = true;
		if (word->at[at] == '}')
			break;
		at++;
	}
	if (relation != FILTER_AND && several)
		for (; tests < parser->tests; tests++) {
			parser->test[tests].op = LKST_FILTER_BITS;
			parser->test[tests].mask = 0;
		}
	if (relation == FILTER_NE)
		filter_negate(parser);
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

/*
 * Compile a pattern to @glob, unless that is NULL. Returns the number of
 * elements.
 */
static unsigned int filter_glob(const char *pattern, size_t len, struct lkst_glob *glob)
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
			  enum filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_word *word = &parser->word;
	struct lkst_filter_test *test;

	if (relation != FILTER_EQ && relation != FILTER_NE && relation != FILTER_MATCHES)
		return lkst_filter_error(parser, relation_at,
					 "\"%.*s\" is a string (want ==, != or ~)",
					 (int)field->name_len, field->name);
	if (relation == FILTER_MATCHES &&
	    filter_glob(word->at, word->len, NULL) > LKST_GLOB_LEN)
		return lkst_filter_error(parser, word->start,
					 "the pattern is too long (want at most %d characters besides *)",
					 LKST_GLOB_LEN);
	if (relation != FILTER_MATCHES && field->size && word->len > field->size)
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\" is longer than any \"%.*s\" (want at most %u bytes)",
					 FILTER_WORD(word), (int)field->name_len, field->name,
					 field->size);
	test = filter_add(parser, word->start);
	if (!test)
		return false;
	lkst_filter_set_field(test, field);
	test->kind = LKST_FILTER_SLOW;
	test->negated = relation == FILTER_NE;
	test->op = relation == FILTER_MATCHES ? LKST_FILTER_GLOB : LKST_FILTER_EQUAL;
	test->operand_len = word->len;
	parser->operand[parser->tests - 1] = word->at;
	if (relation == FILTER_MATCHES)
		parser->globs++;
	else
		parser->bytes += word->len;
	return true;
}

/* Take the name of a function with which an address is compared. */
static bool filter_function(struct lkst_filter_parser *parser,
			    const struct lkst_filter_field *field,
			    enum filter_relation relation, __u32 relation_at)
{
	const struct lkst_filter_scope *scope = parser->scope;
	const struct lkst_filter_word *word = &parser->word;
	__u64 address, size;

	if (relation != FILTER_EQ && relation != FILTER_NE)
		return lkst_filter_error(parser, relation_at,
					 "a function can only be compared with == or !=");
	if (!scope->function || !scope->function(scope->ctx, word->at, word->len, &address, &size))
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\" is not a function of the kernel (want a name that /proc/kallsyms lists)",
					 FILTER_WORD(word));
	return filter_range(parser, field, word->start, address, address + size - 1,
			    relation == FILTER_NE);
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
	if (filter_is(dot, rest, ".function"))
		*suffix = FILTER_FUNCTION;
	else if (filter_is(dot, rest, ".ustring"))
		*suffix = FILTER_USTRING;
	else
		return lkst_filter_error(parser, word->start + *len,
					 "unknown suffix \"%.*s\" (want \".function\", \".ustring\" or none)",
					 (int)(rest < FILTER_SHOWN ? rest : FILTER_SHOWN), dot);
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
			   enum filter_relation relation, __u32 relation_at)
{
	struct lkst_filter_field user = *field;

	if (suffix == FILTER_FUNCTION)
		return filter_function(parser, field, relation, relation_at);
	if (suffix == FILTER_USTRING) {
		user.text = LKST_TEXT_USER;
		user.size = LKST_FILTER_USTRING;
		if (!filter_string(parser, &user, relation, relation_at))
			return false;
		/* The size of the number that is the address */
		parser->test[parser->tests - 1].size = sizeof(__u64);
		return true;
	}
	if (field->text)
		return filter_string(parser, field, relation, relation_at);
	if (filter_is_cpus(&parser->word))
		return filter_cpus(parser, field, relation, relation_at);
	return filter_number(parser, field, relation, relation_at);
}

/* Parse a comparison, whose first word is the current token. */
static bool filter_comparison(struct lkst_filter_parser *parser)
{
	struct lkst_filter_word name = parser->word;
	const struct lkst_filter_field *field;
	enum filter_relation relation;
	enum filter_suffix suffix;
	__u32 relation_at;
	size_t len;

	if (parser->token != LKST_TOKEN_WORD)
		return filter_unexpected(parser, "the name of a field");
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
		return filter_unexpected(parser, FILTER_RELATIONS);
	relation = parser->relation;
	relation_at = parser->word.start;
	if (!lkst_filter_read(parser))
		return false;
	if (parser->token != LKST_TOKEN_WORD)
		return filter_unexpected(parser, "a value");
	return filter_operand(parser, field, suffix, relation, relation_at) &&
	       lkst_filter_read(parser);
}

/* ---- grammar ---- */

static bool filter_push(struct lkst_filter_parser *parser, enum filter_operator operator)
{
	/* Not reached: for each parenthesis, there are at most four entries. */
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
			filter_negate(parser);
		else
			filter_join(parser, top == FILTER_BOTH);
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
			return filter_comparison(parser);
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
 * Set where the comparisons continue. They are numbered as in the text, so a
 * comparison always continues with one that follows it. A node is joined after
 * its two parts, so it has a greater index, and the loop sees it before them.
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
		return filter_unexpected(parser, "&&, || or \")\"");
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
		return filter_unexpected(parser, "&& or ||");
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
			to->end = 1ULL << filter_glob(parser->operand[i], test->operand_len, to);
			test->operand = glob;
			glob += sizeof(*to);
		} else if (test->op == LKST_FILTER_EQUAL) {
			memcpy(base + string, parser->operand[i], test->operand_len);
			test->operand = string;
			string += test->operand_len;
		}
	}
}
