// SPDX-License-Identifier: GPL-2.0
/*
 * Compares the filters of rules (kernel/lkst/rules/) with an evaluator of another design, on random
 * filters and random events. The evaluator walks a tree, compares with the operators of C, and
 * matches patterns by backtracking. It never parses a filter: the text is made from the tree.
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

/* ---- random filters and events ---- */

enum kind { AND, OR, NOT, NUMBER, RANGE, STRING, PATTERN, CPUS, FUNCTION, KINDS };

/* An element of a pattern. Bit i of @set is letters[i], the letters of all strings of events. */
struct element {
	enum { STAR, ANY, LETTER, SET, NOT_IN_SET } kind;
	unsigned int set;
};

static const char letters[] = "abc*]";

#define LETTERS		(sizeof(letters) - 1)
#define ELEMENTS	7 /* of a pattern */

struct tree {
	enum kind kind;
	struct tree *left, *right;
	unsigned int field;
	const char *op;
	uint64_t value, last;
	char text[ELEMENTS + 1];
	struct element element[ELEMENTS];
	unsigned int elements;
};

enum {
	HI, LO, S64, U64, S8, U16, PID, TID, UID, GID, CPU, FLAGS,
	NUMBERS, STR = NUMBERS, CHARS, LOC, REL, REST, COMM, USTRING, STRINGS_END,
	STRINGS = STRINGS_END - STR,
};

/* How filters name a field, another name or NULL, and for numbers: the size, whether signed */
static const struct {
	const char *name, *other;
	unsigned int size;
	bool is_signed;
} named[] = {
	[HI] = { "hi", NULL, 4, true },
	[LO] = { "lo", NULL, 4, false },
	[S64] = { "s64", NULL, 8, true },
	[U64] = { "u64", NULL, 8, false },
	[S8] = { "s8", NULL, 1, true },
	[U16] = { "u16", NULL, 2, false },
	[PID] = { "pid", "common_pid", 4, false },
	[TID] = { "tid", "common_tid", 4, false },
	[UID] = { "uid", NULL, 4, false },
	[GID] = { "gid", NULL, 4, false },
	[CPU] = { "cpu", "CPU", 4, false },
	[FLAGS] = { "flags", NULL, 4, false },
	[STR] = { "str", NULL, 0, false },
	[CHARS] = { "chars", NULL, 0, false },
	[LOC] = { "loc", NULL, 0, false },
	[REL] = { "rel", NULL, 0, false },
	[REST] = { "rest", NULL, 0, false },
	[COMM] = { "comm", "COMM", 0, false },
	[USTRING] = { "u64.ustring", NULL, 0, false },
};

#define S8_AT		3
#define U16_AT		5
#define CHARS_AT	8
#define CHARS_SIZE	4
#define LOC_AT		12
#define REL_AT		16
#define REST_AT		24 /* in the whole payload of a chain */

/* The fields that only this event has. All events have the others. */
static const struct lkst_filter_field fields[] = {
	FIELD("hi", .load = LKST_LOAD_ARG1, .shift = 32, .size = 4, .is_signed = true),
	FIELD("lo", .load = LKST_LOAD_ARG1, .size = 4),
	FIELD("s64", .load = LKST_LOAD_ARG2, .size = 8, .is_signed = true),
	FIELD("u64", .load = LKST_LOAD_ARG3, .size = 8),
	FIELD("s8", .load = LKST_LOAD_DATA, .offset = S8_AT, .size = 1, .is_signed = true),
	FIELD("u16", .load = LKST_LOAD_DATA, .offset = U16_AT, .size = 2),
	FIELD("str", .text = LKST_TEXT_ARGS, .offset = 24, .size = 8),
	FIELD("chars", .text = LKST_TEXT_DATA, .offset = CHARS_AT, .size = CHARS_SIZE),
	FIELD("loc", .text = LKST_TEXT_DATA_LOC, .offset = LOC_AT),
	FIELD("rel", .text = LKST_TEXT_REL_LOC, .offset = REL_AT),
	FIELD("rest", .text = LKST_TEXT_CHAIN, .offset = REST_AT),
};

static const struct {
	const char *name;
	uint64_t address, size;
} functions[] = {
	{ "kmalloc", 0xffffffff81000000, 0x40 },
	{ "kfree", 0xffffffff81000040, 1 },
	{ "first", 0, 3 },
	{ "last", UINT64_MAX - 1, 2 },
};

static bool find_function(void *ctx, const char *name, size_t len, __u64 *address, __u64 *size)
{
	(void)ctx;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (strlen(functions[i].name) == len && !strncmp(functions[i].name, name, len)) {
			*address = functions[i].address;
			*size = functions[i].size;
			return true;
		}
	return false;
}

/* ---- the evaluator of another design ---- */

static bool glob(const struct element *element, unsigned int elements, const char *text, size_t len)
{
	const char *letter = len ? strchr(letters, *text) : NULL;
	bool in_set;

	if (!elements)
		return !len;
	if (element->kind == STAR)
		return glob(element + 1, elements - 1, text, len) ||
		       (len && glob(element, elements, text + 1, len - 1));
	if (!len)
		return false;
	in_set = letter && element->set >> (letter - letters) & 1;
	if (element->kind != ANY && in_set == (element->kind == NOT_IN_SET))
		return false;
	return glob(element + 1, elements - 1, text + 1, len - 1);
}

/* Get a number. Returns false if the data of the event is too short. */
static bool number(unsigned int field, const struct lkst_filter_record *event, uint64_t *value)
{
	const uint8_t *data = event->data;

	switch (field) {
	case HI:
		*value = (uint64_t)(int32_t)(event->arg[0] >> 32);
		return true;
	case LO:
		*value = (uint32_t)event->arg[0];
		return true;
	case S64:
	case U64:
		*value = event->arg[field == S64 ? 1 : 2];
		return true;
	case S8:
		if (event->bytes > S8_AT)
			*value = (uint64_t)(int8_t)data[S8_AT];
		return event->bytes > S8_AT;
	case U16:
		if (event->bytes > U16_AT + 1)
			*value = data[U16_AT] + 256u * data[U16_AT + 1];
		return event->bytes > U16_AT + 1;
	default:
		*value = thread_value[field - PID + LKST_LOAD_PID];
		return true;
	}
}

/* Find a string, and get its maximum length. Returns NULL if the event has no such string. */
static const char *string(unsigned int field, const struct lkst_filter_record *event, size_t *max)
{
	const uint8_t *data = event->data;
	long bytes = event->bytes, at = field == LOC ? LOC_AT : REL_AT, from, size;

	switch (field) {
	case STR:
		*max = 8;
		return (const char *)&event->arg[3];
	case COMM:
		*max = 16;
		return thread_comm;
	case USTRING:
		*max = 100;
		return event->arg[2] < ARRAY_SIZE(user_text) ? user_text[event->arg[2]] : NULL;
	case CHARS:
		from = CHARS_AT;
		size = CHARS_SIZE;
		if (bytes < from + size)
			return NULL;
		break;
	case REST:
		from = event->words > REST_AT ? 0 : REST_AT - (long)event->words;
		size = bytes;
		break;
	default:
		if (bytes < at + 4)
			return NULL;
		from = data[at] + 256 * data[at + 1] + (field == LOC ? -8 : at + 4);
		from = from < 0 ? 0 : from;
		size = data[at + 2] + 256 * data[at + 3];
		break;
	}
	if (from > bytes)
		return NULL;
	*max = (size_t)(size < bytes - from ? size : bytes - from);
	return (const char *)data + from;
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

static bool number_holds(const struct tree *tree, uint64_t value)
{
	bool is_signed = named[tree->field].is_signed, equal = *tree->op == '=', in;

	switch (tree->kind) {
	case CPUS:
		in = value < 64 && tree->value >> value & 1;
		/* A single CPU is never equal to a set of several ones. */
		if (*tree->op != '&' && tree->value & (tree->value - 1))
			return !equal;
		return in == (*tree->op != '!');
	case FUNCTION:
		return (value - tree->value < tree->last) == equal;
	case RANGE:
		in = is_signed ? (int64_t)value >= (int64_t)tree->value &&
				 (int64_t)value <= (int64_t)tree->last :
				 value >= tree->value && value <= tree->last;
		return in == equal;
	default:
		if (is_signed)
			return compare_signed(tree->op, (int64_t)value, (int64_t)tree->value);
		return compare_unsigned(tree->op, value, tree->value);
	}
}

/* Whether the condition holds. A comparison of a field that the event does not have is false. */
static bool holds(const struct tree *tree, const struct lkst_filter_record *event)
{
	const char *text;
	uint64_t value;
	size_t max;

	switch (tree->kind) {
	case AND:
		return holds(tree->left, event) && holds(tree->right, event);
	case OR:
		return holds(tree->left, event) || holds(tree->right, event);
	case NOT:
		return !holds(tree->left, event);
	case STRING:
	case PATTERN:
		text = string(tree->field, event, &max);
		if (!text)
			return false;
		max = strnlen(text, max);
		if (tree->kind == PATTERN)
			return glob(tree->element, tree->elements, text, max);
		return (strlen(tree->text) == max && !memcmp(tree->text, text, max)) ==
		       (*tree->op == '=');
	default:
		return number(tree->field, event, &value) && number_holds(tree, value);
	}
}

/* ---- making random filters ---- */

static struct tree nodes[256];
static int used, leaves;

/* A value of a field: often small, or near a limit. */
static uint64_t any_value(unsigned int field)
{
	unsigned int bits = named[field].size * 8;
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
	return named[field].is_signed ? (uint64_t)((int64_t)value >> (64 - bits)) :
					value >> (64 - bits);
}

static char any_letter(void)
{
	return letters[below(8) ? below(2) : below(LETTERS)];
}

static void make_string(struct tree *tree)
{
	unsigned int len;

	tree->field = STR + below(STRINGS);
	tree->kind = below(3) ? STRING : PATTERN;
	tree->op = tree->kind == PATTERN ? "~" : below(2) ? "==" : "!=";
	memset(tree->text, 0, sizeof(tree->text));
	len = below(tree->field == CHARS ? CHARS_SIZE + 1 : ELEMENTS + 1);
	/* Many strings of events are short, so short strings are often equal. */
	if (below(2))
		len = len < 2 ? len : 2;
	for (unsigned int i = 0; i < len; i++)
		tree->text[i] = any_letter();
	tree->elements = tree->kind == PATTERN ? below(ELEMENTS + 1) : 0;
	for (unsigned int i = 0; i < tree->elements; i++) {
		struct element *element = &tree->element[i];

		element->kind = below(NOT_IN_SET + 1);
		element->set = element->kind == LETTER ? 1u << (strchr(letters, any_letter()) - letters) :
							 1 + below((1u << LETTERS) - 1);
	}
}

static void make_number(struct tree *tree)
{
	static const char *const ops[] = { "==", "!=", "&", "<", "<=", ">", ">=" };
	unsigned int i;

	tree->field = below(NUMBERS);
	tree->kind = NUMBER;
	tree->op = ops[below(7)];
	tree->value = any_value(tree->field);
	switch (below(8)) {
	case 0:
		tree->kind = CPUS;
		tree->op = ops[below(3)];
		do {
			i = below(64);
			tree->value = below(2) ? 1ull << i : (2ull << below(i + 1)) - 1 + (1ull << i);
		} while (!tree->value);
		break;
	case 1:
		tree->kind = FUNCTION;
		tree->field = U64;
		tree->op = ops[below(2)];
		i = below(ARRAY_SIZE(functions));
		tree->value = functions[i].address;
		tree->last = functions[i].size;
		break;
	case 2:
		tree->kind = RANGE;
		tree->op = ops[below(2)];
		tree->last = any_value(tree->field);
		if (named[tree->field].is_signed ? (int64_t)tree->last < (int64_t)tree->value :
						   tree->last < tree->value) {
			uint64_t last = tree->value;

			tree->value = tree->last;
			tree->last = last;
		}
		break;
	}
}

static struct tree *make(int depth)
{
	struct tree *tree = &nodes[used++];

	if (depth && leaves < 50 && below(10) < 7) {
		tree->kind = (enum kind)below(3);
		tree->left = make(depth - 1);
		tree->right = tree->kind == NOT ? NULL : make(depth - 1);
		return tree;
	}
	leaves++;
	if (below(3))
		make_number(tree);
	else
		make_string(tree);
	return tree;
}

/* ---- printing filters ---- */

static void print_pattern(const struct tree *tree, char *to)
{
	to += sprintf(to, "\"");
	for (unsigned int i = 0; i < tree->elements; i++) {
		const struct element *element = &tree->element[i];
		unsigned int set = element->set;

		switch (element->kind) {
		case STAR:
			to += sprintf(to, "*");
			continue;
		case ANY:
			to += sprintf(to, "?");
			continue;
		case LETTER:
			if (letters[__builtin_ctz(set)] == '*' || below(4) == 0)
				to += sprintf(to, "\\");
			to += sprintf(to, "%c", letters[__builtin_ctz(set)]);
			continue;
		default:
			break;
		}
		to += sprintf(to, element->kind == SET ? "[" : below(2) ? "[!" : "[^");
		/* A ']' is a part of the set only if it comes first. */
		if (set >> (LETTERS - 1))
			to += sprintf(to, "]");
		if ((set & 7) == 7 && below(2)) {
			to += sprintf(to, "a-c");
			set &= ~7u;
		}
		for (unsigned int j = 0; j < LETTERS - 1; j++)
			if (set >> j & 1)
				to += sprintf(to, "%c", letters[j]);
		to += sprintf(to, "]");
	}
	sprintf(to, "\"");
}

static void print_cpus(uint64_t set, char *to)
{
	to += sprintf(to, "CPUS{");
	for (unsigned int i = 0; i < 64; i++) {
		unsigned int last = i;

		if (!(set >> i & 1))
			continue;
		while (last < 63 && set >> (last + 1) & 1 && below(4))
			last++;
		to += sprintf(to, last > i || !below(8) ? "%u-%u," : "%u,", i, last);
		i = last;
	}
	strcpy(to - 1, "}");
}

static void print_number(uint64_t value, bool is_signed, char *to)
{
	sprintf(to, is_signed ? "%lld" : below(2) ? "%llu" : "0x%llx", (long long)value);
}

/* Print flags by name if they all have one. */
static void print_flags(uint64_t value, char *to)
{
	static const char *const names[] = { "hardirq", "softirq", "nmi", "preempt_off", "need_resched" };

	if (!value || value >> ARRAY_SIZE(names))
		return print_number(value, false, to);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (value >> i & 1)
			to += sprintf(to, "%s|", names[i]);
	to[-1] = 0;
}

static void print_comparison(const struct tree *tree, char *to)
{
	const char *space = below(2) ? " " : "", *name = named[tree->field].name;
	bool is_signed = named[tree->field].is_signed;

	if (named[tree->field].other && below(2))
		name = named[tree->field].other;
	to += sprintf(to, "%s%s%s%s%s", name, tree->kind == FUNCTION ? ".function" : "", space, tree->op,
		      space);
	switch (tree->kind) {
	case STRING:
		sprintf(to, "\"%s\"", tree->text);
		break;
	case PATTERN:
		print_pattern(tree, to);
		break;
	case CPUS:
		print_cpus(tree->value, to);
		break;
	case FUNCTION:
		for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
			if (functions[i].address == tree->value)
				strcpy(to, functions[i].name);
		break;
	case RANGE:
		print_number(tree->value, is_signed, to);
		strcat(to, "..");
		print_number(tree->last, is_signed, to + strlen(to));
		break;
	default:
		if (tree->field == FLAGS)
			print_flags(tree->value, to);
		else
			print_number(tree->value, is_signed, to);
		break;
	}
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
	default:
		print_comparison(tree, end);
		break;
	}
}

/* ---- making random events ---- */

/* Fill in letters, and zeros at which strings end. */
static void make_text(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text[i] = below(4) ? any_letter() : 0;
}

/*
 * Make the payload of a chain. It is cut anywhere, and its locations may point behind its end. The
 * first @event->words bytes of the whole payload are not in the data.
 */
static void make_payload(struct lkst_filter_record *event, char *data, size_t size)
{
	make_text(data, size);
	data[S8_AT] = (char)any_value(S8);
	data[U16_AT] = (char)any_value(U16);
	data[U16_AT + 1] = (char)(any_value(U16) >> 8);
	for (unsigned int at = LOC_AT; at <= REL_AT; at += REL_AT - LOC_AT) {
		data[at] = (char)below((unsigned int)size + 10);
		data[at + 1] = below(50) == 0;
		data[at + 2] = (char)below(12);
		data[at + 3] = below(50) == 0;
	}
	event->data = data;
	event->bytes = below(4) ? (unsigned int)size - below(12) : below((unsigned int)size);
	event->words = 8 * below(5);
}

static void make_event(struct lkst_filter_record *event)
{
	static char data[48];

	event->arg[0] = any_value(HI) << 32 | any_value(LO);
	if (below(2)) /* s8 and u16 may be bytes of arg[0], and all their bits must vary */
		event->arg[0] = any_value(U64);
	event->arg[1] = any_value(S64);
	event->arg[2] = any_value(U64);
	if (!below(4))
		event->arg[2] = functions[below(ARRAY_SIZE(functions))].address + below(70) - 2;
	make_text((char *)&event->arg[3], 8);
	make_text(thread_comm, sizeof(thread_comm));
	for (unsigned int field = PID; field <= FLAGS; field++)
		thread_value[field - PID + LKST_LOAD_PID] = any_value(field);
	if (below(2)) {
		make_payload(event, data, sizeof(data));
		return;
	}
	event->data = event->arg;
	event->bytes = sizeof(event->arg);
	event->words = 0;
}

static void count_kinds(const struct tree *tree, unsigned int *kinds)
{
	kinds[tree->kind]++;
	if (tree->kind <= NOT)
		count_kinds(tree->left, kinds);
	if (tree->kind == AND || tree->kind == OR)
		count_kinds(tree->right, kinds);
}

TEST(test_random)
{
	const struct lkst_filter_scope scope = {
		.field = fields, .fields = ARRAY_SIZE(fields), .function = find_function,
	};
	unsigned int count[2] = { 0 }, kinds[KINDS] = { 0 }, matched[KINDS] = { 0 };
	static struct lkst_filter_parser parser;
	struct lkst_filter_record event;
	static char text[65536];

	user_text[1] = "ab";
	while (count[0] + count[1] < PAIRS) {
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

			make_event(&event);
			expected = holds(tree, &event);
			count[expected]++;
			matched[tree->kind] += expected;
			ck_assert_msg(lkst_rule_filter_matches(filter, &event) == expected,
				      "%s\n%llx %llx %llx %.8s, %u bytes: want %d", text,
				      (unsigned long long)event.arg[0],
				      (unsigned long long)event.arg[1],
				      (unsigned long long)event.arg[2],
				      (const char *)&event.arg[3], event.bytes, expected);
		}
		count_kinds(tree, kinds);
		ck_assert_int_eq(user_texts_open, 0);
		free(filter);
	}
	ck_assert_uint_ge(count[0] + count[1], PAIRS);
	/* Neither result is rare. */
	ck_assert_uint_gt(count[0], PAIRS / 10);
	ck_assert_uint_gt(count[1], PAIRS / 10);
	/* No kind of node is rare, and filters with any kind at the root are often true. */
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		ck_assert_msg(kinds[kind] > PAIRS / EVENTS / 10, "kind %u: %u", kind, kinds[kind]);
		ck_assert_msg(matched[kind] > 100, "kind %u matched %u", kind, matched[kind]);
	}
}
