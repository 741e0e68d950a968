// SPDX-License-Identifier: GPL-2.0
/*
 * Compares the filters of rules (kernel/lkst/rules/) with an evaluator of another design, on random
 * filters and random events. The evaluator walks a tree, compares with the operators of C, and
 * matches patterns by backtracking.
 */
#include "tap.h"
#include "filter_case.h"

#define PAIRS	1000000
#define EVENTS	20 /* for each filter */

TESTS(.timeout = 600);

/* ---- random numbers: the same in each run ---- */

static uint64_t seed = 88172645463325252ull;

static unsigned int below(unsigned int n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned int)(seed >> 20) % n;
}

/* ---- the evaluator of another design ---- */

enum kind { AND, OR, NOT, NUMBER, STRING, CPUS };

struct tree {
	enum kind kind;
	struct tree *left, *right;
	unsigned int field;
	const char *op;
	uint64_t value;
	char text[16];
};

static const struct lkst_filter_field fields[] = {
	FIELD("hi", .load = LKST_LOAD_ARG1, .shift = 32, .size = 4, .is_signed = true),
	FIELD("lo", .load = LKST_LOAD_ARG1, .size = 4),
	FIELD("s64", .load = LKST_LOAD_ARG2, .size = 8, .is_signed = true),
	FIELD("u64", .load = LKST_LOAD_ARG3, .size = 8),
	FIELD("s8", .load = LKST_LOAD_DATA, .offset = 3, .size = 1, .is_signed = true),
	FIELD("u16", .load = LKST_LOAD_DATA, .offset = 5, .size = 2),
	FIELD("str", .text = LKST_TEXT_ARGS, .offset = 24, .size = 8),
};

enum { HI, LO, S64, U64, S8, U16, NUMBERS, STR = NUMBERS };

static bool glob(const char *pattern, const char *text, size_t len)
{
	if (!*pattern)
		return !len;
	if (*pattern == '*')
		return glob(pattern + 1, text, len) || (len && glob(pattern, text + 1, len - 1));
	return len && (*pattern == '?' || *pattern == *text) && glob(pattern + 1, text + 1, len - 1);
}

static uint64_t number(unsigned int field, const __u64 *arg)
{
	uint16_t u16;

	memcpy(&u16, (const char *)arg + 5, sizeof(u16));
	switch (field) {
	case HI:
		return (uint64_t)(int32_t)(arg[0] >> 32);
	case LO:
		return (uint32_t)arg[0];
	case S64:
		return arg[1];
	case U64:
		return arg[2];
	case S8:
		return (uint64_t)((const int8_t *)arg)[3];
	default:
		return u16;
	}
}

#define COMPARE(a, b)						\
	switch (op[0] << 8 | op[1]) {				\
	case '=' << 8 | '=':					\
		return (a) == (b);				\
	case '!' << 8 | '=':					\
		return (a) != (b);				\
	case '<' << 8:						\
		return (a) < (b);				\
	case '<' << 8 | '=':					\
		return (a) <= (b);				\
	case '>' << 8:						\
		return (a) > (b);				\
	case '>' << 8 | '=':					\
		return (a) >= (b);				\
	default:						\
		return ((a) & (b)) != 0;			\
	}

static bool compare_signed(const char *op, int64_t a, int64_t b)
{
	COMPARE(a, b)
}

static bool compare_unsigned(const char *op, uint64_t a, uint64_t b)
{
	COMPARE(a, b)
}

static bool holds(const struct tree *tree, const __u64 *arg)
{
	const char *text = (const char *)&arg[3];
	size_t len = strnlen(text, 8);

	switch (tree->kind) {
	case AND:
		return holds(tree->left, arg) && holds(tree->right, arg);
	case OR:
		return holds(tree->left, arg) || holds(tree->right, arg);
	case NOT:
		return !holds(tree->left, arg);
	case CPUS:
		return tree->op[0] == '&' && tree->value >> (number(tree->field, arg) & 63) & 1 &&
		       number(tree->field, arg) < 64;
	case STRING:
		if (*tree->op == '~')
			return glob(tree->text, text, len);
		return (strlen(tree->text) == len && !memcmp(tree->text, text, len)) ==
		       (*tree->op == '=');
	default:
		if (fields[tree->field].is_signed)
			return compare_signed(tree->op, (int64_t)number(tree->field, arg),
					      (int64_t)tree->value);
		return compare_unsigned(tree->op, number(tree->field, arg), tree->value);
	}
}

/* ---- random filters ---- */

static struct tree nodes[256];
static int used, leaves;

/* A value of a field: often small, or near a limit. */
static uint64_t any_value(unsigned int field)
{
	unsigned int bits = fields[field].size * 8;
	uint64_t value;

	switch (below(4)) {
	case 0:
		value = (uint64_t)below(4) - 2;
		break;
	case 1:
		value = (1ull << (bits - 1)) + below(3) - 1;
		break;
	case 2:
		value = (uint64_t)below(4);
		break;
	default:
		value = (uint64_t)below(1u << 31) << 33 ^ below(1u << 31);
		break;
	}
	value <<= 64 - bits;
	return fields[field].is_signed ? (uint64_t)((int64_t)value >> (64 - bits)) :
					 value >> (64 - bits);
}

static struct tree *make(int depth)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };
	static const char *const text_ops[] = { "==", "!=", "~" };
	struct tree *tree = &nodes[used++];

	if (depth && leaves < 50 && below(10) < 7) {
		tree->kind = (enum kind)below(3);
		tree->left = make(depth - 1);
		tree->right = tree->kind == NOT ? NULL : make(depth - 1);
		return tree;
	}
	leaves++;
	tree->field = below(NUMBERS + 1);
	if (tree->field == STR) {
		tree->kind = STRING;
		tree->op = text_ops[below(3)];
		memset(tree->text, 0, sizeof(tree->text));
		for (unsigned int i = 0, len = below(8); i < len; i++)
			tree->text[i] = *tree->op == '~' ? "ab*?"[below(4)] : "ab"[below(2)];
		return tree;
	}
	tree->kind = NUMBER;
	tree->op = ops[below(7)];
	tree->value = any_value(tree->field);
	if (tree->field <= U64 && !below(8)) {
		tree->kind = CPUS;
		tree->op = "&";
		tree->value = below(256);
		if (!tree->value)
			tree->value = 1;
	}
	return tree;
}

static void print(const struct tree *tree, char *to)
{
	char *end = to + strlen(to);

	switch (tree->kind) {
	case NOT:
		strcpy(end, below(2) ? "!(" : " ! ( ");
		print(tree->left, to);
		strcat(to, ")");
		break;
	case AND:
	case OR:
		strcpy(end, "(");
		print(tree->left, to);
		strcat(to, tree->kind == AND ? (below(2) ? "&&" : " && ") :
					       (below(2) ? "||" : " || "));
		print(tree->right, to);
		strcat(to, ")");
		break;
	case CPUS:
		sprintf(end, "%s & CPUS{", fields[tree->field].name);
		for (int i = 0; i < 8; i++)
			if (tree->value >> i & 1)
				sprintf(to + strlen(to), "%d,", i);
		strcpy(strrchr(to, ','), "}");
		break;
	case STRING:
		sprintf(end, "str%s\"%s\"", tree->op, tree->text);
		break;
	default:
		if (fields[tree->field].is_signed)
			sprintf(end, "%s%s%lld", fields[tree->field].name, tree->op,
				(long long)tree->value);
		else
			sprintf(end, below(2) ? "%s%s%llu" : "%s %s 0x%llx", fields[tree->field].name,
				tree->op, (unsigned long long)tree->value);
		break;
	}
}

static void make_event(__u64 *arg)
{
	char *text = (char *)&arg[3];

	arg[0] = any_value(HI) << 32 | any_value(LO);
	if (below(2)) /* s8 and u16 are bytes of arg[0], and all their bits must vary */
		arg[0] = any_value(U64);
	arg[1] = any_value(S64);
	arg[2] = any_value(U64);
	for (unsigned int i = 0; i < 8; i++)
		text[i] = "ab\0b"[below(4)];
}

TEST(test_random)
{
	const struct lkst_filter_scope scope = { .field = fields, .fields = ARRAY_SIZE(fields) };
	static struct lkst_filter_parser parser;
	struct lkst_filter_record record = { .bytes = LKST_FILTER_ARGS };
	unsigned int count[2] = { 0 };
	static char text[65536];

	record.data = record.arg;
	for (int pairs = 0; pairs < PAIRS; pairs += EVENTS) {
		struct lkst_rule_filter *filter;
		struct tree *tree;

		used = leaves = 0;
		tree = make(1 + (int)below(6));
		*text = 0;
		print(tree, text);
		filter = compile(&parser, &scope, text);
		if (!filter && strstr(parser.error, "too many comparisons"))
			continue;
		ck_assert_msg(filter != NULL, "%s: %u: %s", text, parser.error_at, parser.error);
		for (int i = 0; i < EVENTS; i++) {
			bool expected;

			make_event(record.arg);
			expected = holds(tree, record.arg);
			count[expected]++;
			ck_assert_msg(lkst_rule_filter_matches(filter, &record) == expected,
				      "%s\n%llx %llx %llx %.8s: want %d", text,
				      (unsigned long long)record.arg[0],
				      (unsigned long long)record.arg[1],
				      (unsigned long long)record.arg[2],
				      (const char *)&record.arg[3], expected);
		}
		free(filter);
	}
	/* Neither result is rare. */
	ck_assert_uint_gt(count[0], PAIRS / 10);
	ck_assert_uint_gt(count[1], PAIRS / 10);
}
