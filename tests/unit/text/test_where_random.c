// SPDX-License-Identifier: GPL-2.0
/*
 * Compares the evaluation of random conditions with that of a second, simpler evaluator.
 *
 * The test makes random conditions as trees, and random events as lists of values. The second
 * evaluator walks the tree, looks up values by their names, and compares them as 128-bit numbers
 * or as strings. The library gets the tree as text, and the values packed into an event.
 */
#include "format_case.h"
#include "lib/text/values.h"
#include "lib/text/where.h"
#include "sample.h"
#include "tap.h"

#define CONDITIONS 4000
#define EVENTS	   50

static const char types_text[] =
	"0x100 A UNDEF - present \"a\" \"s:dec\" \"u:udec\" \"sh:dec,uh:udec\" \"t:text\"\n"
	"0x101 B UNDEF - present \"b\" \"s:dec,n:sig\" \"r:err\" \"g:gfp,v:softirq\" \"c:cpu\"\n"
	"0x102 C UNDEF - present \"c\" \"p:tid,x:hex\" \"t:text\" \"t:text\" \"u:udec,r:err\"\n";

static const char names_text[] = LKST_VALUES_HEADER "\n"
	"gfp flags 0x1 G1\n"
	"gfp flags 0x2 G2\n"
	"gfp flags 0x5 G5\n"
	"softirq enum 1 TIMER\n"
	"softirq enum 3 NET_RX\n";

/* ---- random numbers ---- */

static uint64_t seed;

static unsigned int below(unsigned int n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned int)(seed >> 33) % n;
}

/* ---- values ---- */

enum kind {
	SIGNED,
	UNSIGNED,
	STRING,
	THREAD,	/* number, compared by name */
};

/*
 * A field of an event, or a value that all events have (@type is 0). @arg: index of its first
 * argument. @args: for a string, the number of its arguments. @half: the field is half of the
 * argument, the upper half if @upper is set, and otherwise the lower one.
 */
struct member {
	uint32_t type;
	const char *name;
	enum kind kind;
	int arg, args;
	bool half, upper;
	const char *const *constant; /* names of numbers: NAME, NUMBER as text, ..., NULL */
};

static const char *const signals[] = { "SIGHUP", "1", "SIGKILL", "9", NULL };
static const char *const errors[] = { "-EPERM", "-1", "-ENOENT", "-2", NULL };
static const char *const gfps[] = { "G1", "1", "G1|G2", "3", "G5", "5", "G5|G2", "7", NULL };
static const char *const softirqs[] = { "TIMER", "1", "NET_RX", "3", NULL };

static const struct member members[] = {
	{ 0x100, "s", SIGNED, .arg = 0 },
	{ 0x100, "u", UNSIGNED, .arg = 1 },
	{ 0x100, "sh", SIGNED, .arg = 2, .half = true, .upper = true },
	{ 0x100, "uh", UNSIGNED, .arg = 2, .half = true },
	{ 0x100, "t", STRING, .arg = 3, .args = 1 },
	{ 0x101, "s", SIGNED, .arg = 0, .half = true, .upper = true },
	{ 0x101, "n", UNSIGNED, .arg = 0, .half = true, .constant = signals },
	{ 0x101, "r", SIGNED, .arg = 1, .constant = errors },
	{ 0x101, "g", UNSIGNED, .arg = 2, .half = true, .upper = true, .constant = gfps },
	{ 0x101, "v", SIGNED, .arg = 2, .half = true, .constant = softirqs },
	{ 0x101, "c", SIGNED, .arg = 3 },
	{ 0x102, "p", THREAD, .arg = 0, .half = true, .upper = true },
	{ 0x102, "x", UNSIGNED, .arg = 0, .half = true },
	{ 0x102, "t", STRING, .arg = 1, .args = 2 },
	{ 0x102, "u", UNSIGNED, .arg = 3, .half = true, .upper = true },
	{ 0x102, "r", SIGNED, .arg = 3, .half = true, .constant = errors },
	{ 0, "pid", UNSIGNED, .arg = 0 },
	{ 0, "tid", UNSIGNED, .arg = 0 },
	{ 0, "uid", UNSIGNED, .arg = 0 },
	{ 0, "common_gid", UNSIGNED, .arg = 0 },
	{ 0, "comm", STRING, .arg = 0 },
};

/* A value in the second evaluator */
struct value {
	const struct member *member;
	__int128 number;
	char text[40];
};

struct model {
	struct value value[NUM(members)];
	int num;
	struct lkst_event event;
};

/* ---- events ---- */

static const char *const texts[] = { "", "a", "ab", "abc", "b", "ba", "cab", "abcdefgh", "a*" };
static const char *const long_texts[] = { "", "ab", "abcdefghij", "abcdefghijklmnop", "b" };

/* Return a number of 64 bits that is often small or at a limit. */
static uint64_t random_number(void)
{
	static const uint64_t limits[] = { 0, 1, 2, 3, 5, 7, 9, 100, 101, 0x7fffffff, 0x80000000,
					   0xfffffffe, 0xffffffff, INT64_MAX, 1ull << 63,
					   UINT64_MAX - 1, UINT64_MAX };

	if (below(4))
		return limits[below(NUM(limits))];
	return (uint64_t)below(0x7fffffff) << 33 ^ below(0x7fffffff);
}

static const char *name_of(uint32_t tid)
{
	return tid == 100 ? "bash" : tid == 101 ? "my prog" : NULL;
}

static void put_member(struct model *model, const struct member *member)
{
	struct value *value = &model->value[model->num++];
	uint64_t bits = random_number();

	*value = (struct value){ .member = member };
	if (member->kind == STRING) {
		strcpy(value->text, member->args == 2 ? long_texts[below(NUM(long_texts))] :
							texts[below(NUM(texts))]);
		memcpy(&model->event.arg[member->arg], value->text,
		       strnlen(value->text, 8u * (unsigned int)member->args));
		return;
	}
	if (member->kind == THREAD && below(2))
		bits = 100 + below(3);
	if (member->half) {
		bits = (uint32_t)bits;
		model->event.arg[member->arg] |= member->upper ? bits << 32 : bits;
		if (member->kind == SIGNED)
			bits = (uint64_t)(int64_t)(int32_t)bits;
	} else {
		model->event.arg[member->arg] = bits;
	}
	value->number = member->kind == SIGNED ? (__int128)(int64_t)bits : (__int128)bits;
}

/* Add a value that every event has. */
static void put_common(struct model *model, const struct member *member)
{
	struct value *value = &model->value[model->num++];
	struct lkst_event *event = &model->event;

	*value = (struct value){ .member = member };
	if (!strcmp(member->name, "pid"))
		value->number = event->tgid;
	else if (!strcmp(member->name, "tid"))
		value->number = event->tid;
	else if (!strcmp(member->name, "uid"))
		value->number = event->uid;
	else if (!strcmp(member->name, "common_gid"))
		value->number = event->gid;
	else if (name_of(event->tid))
		strcpy(value->text, name_of(event->tid));
	else
		model->num--;
}

static void make_model(struct model *model)
{
	*model = (struct model){ .event.type = 0x100 + below(4) };
	model->event.tgid = 100 + below(3);
	model->event.tid = 100 + below(3);
	model->event.uid = (uint32_t)random_number();
	model->event.gid = below(3);
	for (int i = 0; i < NUM(members); i++)
		if (!members[i].type)
			put_common(model, &members[i]);
		else if (members[i].type == model->event.type)
			put_member(model, &members[i]);
}

/* ---- conditions ---- */

enum op { EQ, NE, LT, LE, GT, GE, AND, GLOB, BOTH, EITHER, NOT };

static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&", "~" };

struct node {
	enum op op;
	struct node *left, *right;
	const char *name;
	__int128 low, high;
	char text[40];
	bool is_text;
	char written[64]; /* the operand in the condition */
};

static struct node nodes[256];
static int used;

/* Write a number in decimal, hexadecimal or octal. */
static void write_number(char *to, __int128 number)
{
	static const char *const formats[] = { "%s%llu", "%s0x%llx", "%s0%llo" };
	uint64_t amount = (uint64_t)(number < 0 ? -number : number);

	sprintf(to, formats[below(5) % 3 * (below(3) == 0)], number < 0 ? "-" : "",
		(unsigned long long)amount);
}

/* Return a number that is valid for a signed or an unsigned member, in all event types. */
static __int128 random_operand(bool is_signed)
{
	uint64_t bits = random_number();

	return is_signed ? (__int128)(int64_t)bits : (__int128)bits;
}

static void make_text(struct node *node, bool glob)
{
	static const char *const patterns[] = { "*", "a*", "*b", "?", "[ab]*", "*[!b]", "abc*k*",
						"", "my*", "\\a*" };

	node->is_text = true;
	strcpy(node->text, glob ? patterns[below(NUM(patterns))] : texts[below(NUM(texts))]);
	if (!glob && below(4) == 0)
		strcpy(node->text, below(2) ? "bash" : "my prog");
	sprintf(node->written, below(2) ? "'%s'" : "\"%s\"", node->text);
}

static void make_number(struct node *node, const struct member *member)
{
	bool is_signed = member->kind == SIGNED;
	int names = 0;

	while (member->constant && member->constant[names])
		names += 2;
	if (names && below(3)) {
		int i = 2 * (int)below((unsigned int)names / 2);
		/* Names that differ between kernels have no order. */
		bool listed = member->constant == gfps || member->constant == softirqs;

		if (listed && node->op != EQ && node->op != NE && node->op != AND)
			node->op = EQ;
		node->low = node->high = atoi(member->constant[i + 1]);
		strcpy(node->written, member->constant[i]);
		return;
	}
	node->low = node->high = random_operand(is_signed);
	write_number(node->written, node->low);
	if ((node->op == EQ || node->op == NE) && below(2)) {
		__int128 other = random_operand(is_signed);

		*(other < node->low ? &node->low : &node->high) = other;
		write_number(node->written, node->low);
		strcat(node->written, "..");
		write_number(node->written + strlen(node->written), node->high);
	}
}

static struct node *make_test(void)
{
	const struct member *member = &members[below(NUM(members))];
	struct node *node = &nodes[used++];

	*node = (struct node){ .name = member->name };
	if (member->kind == STRING || (member->kind == THREAD && below(2))) {
		node->op = (const enum op[]){ EQ, NE, GLOB }[below(3)];
		make_text(node, node->op == GLOB);
		return node;
	}
	node->op = (enum op)below(GLOB);
	make_number(node, member);
	return node;
}

static struct node *make_node(int depth)
{
	struct node *node;

	if (!depth || !below(4))
		return make_test();
	node = &nodes[used++];
	*node = (struct node){ .op = BOTH + below(3) };
	node->left = make_node(depth - 1);
	if (node->op != NOT)
		node->right = make_node(depth - 1);
	return node;
}

static char *blanks(char *p)
{
	static const char *const blank[] = { "", " ", "  ", "\t", "\n " };

	return stpcpy(p, blank[below(NUM(blank))]);
}

/* Write a condition, with parentheses where they are needed, and sometimes elsewhere. */
static char *write_node(char *p, const struct node *node, int level)
{
	int own = node->op == EITHER ? 0 : node->op == BOTH ? 1 : 2;
	bool open = own < level || !below(5);

	p = blanks(p);
	if (open)
		*p++ = '(';
	if (node->op == NOT) {
		*p++ = '!';
		p = write_node(p, node->left, 2);
	} else if (node->op >= BOTH) {
		p = write_node(p, node->left, own);
		p = stpcpy(blanks(p), node->op == BOTH ? "&&" : "||");
		p = write_node(p, node->right, own + 1);
	} else {
		p = stpcpy(blanks(p), node->name);
		p = stpcpy(blanks(p), ops[node->op]);
		p = stpcpy(blanks(p), node->written);
	}
	if (open)
		*p++ = ')';
	p = blanks(p);
	*p = 0;
	return p;
}

/* ---- the second evaluator ---- */

static bool is_like(const char *pattern, const char *text)
{
	bool match = false, negated;

	if (!*pattern)
		return !*text;
	if (*pattern == '*')
		return is_like(pattern + 1, text) || (*text && is_like(pattern, text + 1));
	if (!*text)
		return false;
	if (*pattern == '[') {
		negated = pattern[1] == '!';
		for (pattern += 1 + negated; *pattern != ']'; pattern++)
			match |= *pattern == *text;
		if (match == negated)
			return false;
	} else {
		pattern += *pattern == '\\';
		if (*pattern != '?' && *pattern != *text)
			return false;
	}
	return is_like(pattern + 1, text + 1);
}

static bool is_text(const struct node *node, const char *text)
{
	return node->op == GLOB ? is_like(node->text, text) :
				  !strcmp(node->text, text) == (node->op == EQ);
}

static bool is_thread(const struct node *node, uint32_t tid)
{
	const char *name = name_of(tid);
	char text[64];

	if (name)
		snprintf(text, sizeof(text), "%s-%u", name, tid);
	else if (tid)
		snprintf(text, sizeof(text), "<%u>", tid);
	else
		strcpy(text, "swapper/0-0");
	if (!tid)
		name = "swapper/0";
	if (node->op == NE)
		return (!name || strcmp(node->text, name)) && strcmp(node->text, text);
	return (name && is_text(node, name)) || is_text(node, text);
}

static bool is_number(const struct node *node, const struct value *value)
{
	/* A comparison with bits does not depend on the sign. */
	uint64_t mask = value->member->half ? 0xffffffff : UINT64_MAX;

	switch (node->op) {
	case EQ:
		return value->number >= node->low && value->number <= node->high;
	case NE:
		return value->number < node->low || value->number > node->high;
	case LT:
		return value->number < node->low;
	case LE:
		return value->number <= node->low;
	case GT:
		return value->number > node->low;
	case GE:
		return value->number >= node->low;
	default:
		return (uint64_t)value->number & (uint64_t)node->low &
		       (value->member->kind == SIGNED ? UINT64_MAX : mask);
	}
}

/*
 * Return whether an operand is valid for a member. Other event types may have another member with
 * this name.
 */
static bool is_valid(const struct node *node, const struct member *member)
{
	if (node->is_text)
		return (member->kind == STRING || member->kind == THREAD) &&
		       (node->op == GLOB || member->kind == THREAD || !member->args ||
			strlen(node->text) <= 8u * (unsigned int)member->args);
	if (member->kind == STRING)
		return false;
	if (*node->written > '9' || (*node->written == '-' && node->written[1] == 'E'))
		return member->constant != NULL;
	return member->kind == SIGNED ? node->high <= INT64_MAX : node->low >= 0;
}

static bool evaluate(const struct node *node, const struct model *model)
{
	const struct value *value = NULL;

	if (node->op == NOT)
		return !evaluate(node->left, model);
	if (node->op == BOTH)
		return evaluate(node->left, model) & evaluate(node->right, model);
	if (node->op == EITHER)
		return evaluate(node->left, model) | evaluate(node->right, model);
	for (int i = 0; i < model->num; i++)
		if (!strcmp(model->value[i].member->name, node->name))
			value = &model->value[i];
	if (!value && !strcmp(node->name, "comm"))
		return node->op == NE;
	if (!value || !is_valid(node, value->member))
		return false;
	if (!node->is_text)
		return is_number(node, value);
	return value->member->kind == THREAD ? is_thread(node, (uint32_t)value->number) :
					       is_text(node, value->text);
}

/* ---- the comparison ---- */

TESTS(.setup = format_setup, .teardown = format_teardown, .timeout = 120);

TEST(test_random)
{
	static const struct lkst_context *contexts[] = { &context };
	struct lkst_where_scope scope = { .context = contexts, .contexts = 1 };
	unsigned long compared = 0, held = 0;
	char text[8192];

	format_use_types(types_text);
	context.values = lkst_values_parse(names_text, strlen(names_text), "FILE", &err);
	assert_made(context.values);
	scope.types = types;
	for (int i = 0; i < CONDITIONS; i++) {
		struct lkst_where *where;
		struct node *root;

		seed = (uint64_t)i;
		used = 0;
		root = make_node((int)below(5));
		write_node(text, root, 0);
		where = lkst_where_new(text, &scope, &err);
		/* No event type has a field of this name that can have the value. */
		if (!where && strstr(err.text, "does not fit"))
			continue;
		ck_assert_msg(where != NULL, "condition %d: %s: %s", i, text, err.text);
		for (int k = 0; k < EVENTS; k++) {
			struct model model;
			bool expected, got;

			make_model(&model);
			expected = evaluate(root, &model);
			got = lkst_where_holds(where, &context, &model.event);
			ck_assert_msg(got == expected, "condition %d, event %d of type 0x%x: %d: %s",
				      i, k, model.event.type, got, text);
			compared++;
			held += got;
		}
		lkst_where_free(where);
	}
	ck_assert_uint_ge(compared, 100000);
	ck_assert_uint_ge(held, compared / 5);
	ck_assert_uint_le(held, compared - compared / 5);
}
