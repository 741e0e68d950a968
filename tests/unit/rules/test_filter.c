// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of rules (kernel/lkst/rules/): which filters are valid, for which events they are true, and
 * where an error is reported.
 */
#include "tap.h"
#include "filter_case.h"

/* Layout of the event: two numbers in argument 1, a number, an address, 8 bytes of text */
static const struct lkst_filter_field fields[] = {
	FIELD("number", FORMAT("sys"), .load = LKST_LOAD_ARG1, .shift = 32, .size = 4,
	      .is_signed = true),
	FIELD("low", FORMAT("udec"), .load = LKST_LOAD_ARG1, .size = 4),
	FIELD("result", FORMAT("err"), .load = LKST_LOAD_ARG2, .size = 8, .is_signed = true),
	FIELD("caller", FORMAT("sym"), .load = LKST_LOAD_ARG3, .size = 8),
	FIELD("name", FORMAT("text"), .text = LKST_TEXT_ARGS, .offset = 24, .size = 8),
	FIELD("byte", .load = LKST_LOAD_DATA, .offset = 0, .size = 1, .is_signed = true),
	FIELD("word", .load = LKST_LOAD_DATA, .offset = 1, .size = 2),
	FIELD("pointer", .load = LKST_LOAD_DATA, .offset = 3, .size = 8),
	FIELD("chars", .text = LKST_TEXT_DATA, .offset = 11, .size = 4),
	FIELD("rel", .text = LKST_TEXT_REL_LOC, .offset = 15),
	FIELD("loc", .text = LKST_TEXT_DATA_LOC, .offset = 19),
	FIELD("rest", FORMAT("text"), .text = LKST_TEXT_CHAIN, .offset = 16),
	FIELD("bytes", .is_opaque = true, .size = 12),
	FIELD("far", .load = LKST_LOAD_DATA, .offset = 100, .size = 4),
};

static bool constant(void *ctx, const struct lkst_filter_field *field, const char *name, size_t len,
		     __u64 *value)
{
	static const struct {
		const char *format, *name;
		uint64_t value;
	} names[] = {
		{ "sys", "openat", 257 },
		{ "sys", "read", 0 },
		{ "err", "-ENOENT", (uint64_t)-2 },
		{ "udec", "A", 1 },
		{ "udec", "B", 2 },
	};

	ck_assert_ptr_eq(ctx, (void *)1);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !strncmp(names[i].name, name, len) &&
		    !strncmp(names[i].format, field->format, field->format_len)) {
			*value = names[i].value;
			return true;
		}
	return false;
}

static bool function(void *ctx, const char *name, size_t len, __u64 *address, __u64 *size)
{
	(void)ctx;
	*address = 0xffffffff81000000;
	*size = 0x40;
	return len == 7 && !strncmp(name, "kmalloc", 7);
}

static const struct lkst_filter_scope scope = { fields, ARRAY_SIZE(fields), constant, function,
						(void *)1 };
static struct lkst_filter_parser parser;

/* Payload: byte -1, word 0x8000, pointer 1, chars "abc", locations of "one" and "two" */
static const char payload[] = "\xff\x00\x80\1\0\0\0\0\0\0\0abc\0\x04\0\4\0\x23\0\3\0one\0two";

static const struct {
	const char *filter;
	bool expected;
} cases[] = {
	{ "number == 257", true },
	{ "number==257", true },
	{ "number == openat", true },
	{ "number == 'openat'", true },
	{ "number == read", false },
	{ "number != openat", false },
	{ "number >= 257 && number <= 257", true },
	{ "number > 257 || number < 257", false },
	{ "number == 200..257", true },
	{ "number == 0..256", false },
	{ "number != 0..256", true },
	{ "number == read..openat", true },
	{ "number == 0x101", true },
	{ "number == 0401", true },
	{ "low == 4294967295", true },
	{ "low > 4294967294", true },
	{ "low & 0x80000000", true },
	{ "low & A|B", true },
	{ "low == A|B", false },
	{ "result < 0", true },
	{ "result == -ENOENT", true },
	{ "result == -2", true },
	{ "result > -9223372036854775808", true },
	{ "result >= -1", false },
	{ "result == -4095..-1", true },
	{ "result & 1", false },
	{ "result <= 9223372036854775807", true },
	{ "caller.function == kmalloc", true },
	{ "caller.function != kmalloc", false },
	{ "caller == 0xffffffff8100003f", true },
	{ "caller > 18446744073709551615", false },
	{ "name == mysqld", true },
	{ "name == 'mysqld'", true },
	{ "name == mysql", false },
	{ "name != mysql", true },
	{ "name ~ mysq*", true },
	{ "name ~ \"mysq*\"", true },
	{ "name ~ '*sql*'", true },
	{ "name ~ '*d'", true },
	{ "name ~ '*x'", false },
	{ "name ~ 'm*q*d'", true },
	{ "name ~ 'm?s[p-r]ld'", true },
	{ "name ~ 'm?s[!p-r]ld'", false },
	{ "name ~ 'm?s[^a]ld'", true },
	{ "name ~ '[m'", false },
	{ "name ~ 'mysqld*'", true },
	{ "name ~ 'mysqld?'", false },
	{ "name ~ '\\mysqld'", true },
	{ "name ~ ''", false },
	{ "name == ''", false },
	{ "name ~ '*'", true },
	{ "name ~ '***m***'", true },
	{ "byte == -1", true },
	{ "byte < 0", true },
	{ "byte & 0x80", true },
	{ "word == 32768", true },
	{ "word & 1", false },
	{ "pointer.ustring == '/etc/passwd'", true },
	{ "pointer.ustring ~ '*pass*'", true },
	{ "pointer.ustring != '/etc/passwd'", false },
	{ "result != 0 && pointer.ustring == x", false },
	{ "caller.ustring != '/etc/passwd'", false }, /* cannot be read */
	{ "caller.ustring == '/etc/passwd'", false },
	{ "chars == abc", true },
	{ "chars ~ a?c", true },
	{ "rel == one", true },
	{ "rel ~ 'on*'", true },
	{ "loc == two", true },
	{ "loc != two", false },
	{ "rest ~ '*'", true },
	{ "far == 0", false },
	{ "far != 0", false },
	{ "far & CPUS{0}", false },
	{ "far == CPUS{0-1}", false },
	{ "far != CPUS{0}", false },
	{ "far != CPUS{0-1,3}", false },
	{ "!far != CPUS{0-1,3}", true },
	{ "pid == 100 && tid == 101 && uid == 102 && gid == 103 && cpu == 3", true },
	{ "pid == 100 && tid == 100", false },
	{ "common_pid == 100 && common_tid == 101", true },
	{ "common_pid == 101 || common_tid == 100", false },
	{ "comm == lkst", true },
	{ "COMM ~ l*", true },
	{ "CPU == 3", true },
	{ "cpu & CPUS{0-3,7}", true },
	{ "cpu & CPUS{0-2,7}", false },
	{ "cpu == CPUS{3}", true },
	{ "cpu == CPUS{3,3}", true },
	{ "cpu == CPUS{3-4}", false },
	{ "cpu != CPUS{3}", false },
	{ "cpu != CPUS{3-4}", true },
	{ "cpu != CPUS{4}", true },
	{ "number & CPUS{257}", true },
	{ "byte & CPUS{127-1000}", false },
	{ "byte & CPUS{255}", false },
	{ "flags & softirq", true },
	{ "flags & hardirq|nmi", false },
	{ "flags == 2", true },
	{ "!(number == 257)", false },
	{ "!number == 257", false },
	{ "!!number == 257", true },
	{ "!!!(number == 257)", false },
	{ "!(!(number == 257) || !(low & 1))", true },
	{ "((((number == 257))))", true },
	{ "number == 1 || number == 257 && low == 1", false },
	{ "(number == 1 || number == 257) && low == 1", false },
	{ "number == 257 || number == 1 && low == 1", true },
	{ "!name ~ 'mysq*' || !comm ~ 'l*' || cpu == 3", true },
	{ "\tnumber\t==\n257 ", true },
};

static struct lkst_filter_record record(void)
{
	struct lkst_filter_record record = {
		.arg = { 257ull << 32 | 0xffffffff, (uint64_t)-2, 0xffffffff8100003f },
		.data = payload,
		.bytes = sizeof(payload) - 1,
		.words = 8,
	};

	memcpy(&record.arg[3], "mysqld\0", 8);
	memcpy(thread_comm, "lkst\0garbage", 13);
	for (int i = LKST_LOAD_PID; i <= LKST_LOAD_GID; i++)
		thread_value[i] = 100u + (unsigned int)(i - LKST_LOAD_PID);
	thread_value[LKST_LOAD_CPU] = 3;
	thread_value[LKST_LOAD_FLAGS] = 2;
	return record;
}

/* A valid filter is true or false for the event. */
TEST_EACH(test_matches, cases)
{
	struct lkst_filter_record event = record();
	struct lkst_rule_filter *filter = compile(&parser, &scope, cases[_i].filter);

	ck_assert_msg(filter != NULL, "%s: %u: %s", cases[_i].filter, parser.error_at, parser.error);
	ck_assert_msg(lkst_rule_filter_matches(filter, &event) == cases[_i].expected, "%s",
		      cases[_i].filter);
	ck_assert_int_eq(user_texts_open, 0);
	free(filter);
}

/* Errors, and the positions at which they are reported. */
static const struct {
	const char *filter;
	unsigned int at;
	const char *error;
} errors[] = {
	{ "", 0, "the condition is incomplete (want the name of a field)" },
	{ "  ", 2, "the condition is incomplete (want the name of a field)" },
	{ "number", 6, "the condition is incomplete (want ==, !=, <, <=, >, >=, & or ~)" },
	{ "number ==", 9, "the condition is incomplete (want a value)" },
	{ "number == 1 &&", 14, "the condition is incomplete (want the name of a field)" },
	{ "(number == 1", 12, "the condition is incomplete (want &&, || or \")\")" },
	{ "number == 1)", 11, "unexpected \")\" (want && or ||)" },
	{ "number == 1 low == 2", 12, "unexpected \"low\" (want && or ||)" },
	{ "(number == 1 low == 2)", 13, "unexpected \"low\" (want &&, || or \")\")" },
	{ "number = 1", 7, "unexpected \"=\" (want ==, !=, <, <=, >, >=, & or ~)" },
	{ "number == == 1", 10, "unexpected \"==\" (want a value)" },
	{ "number == 1 | low == 1", 12, "unexpected \"|\" (want && or ||)" },
	{ "()", 1, "unexpected \")\" (want the name of a field)" },
	{ "&& number == 1", 0, "unexpected \"&&\" (want the name of a field)" },
	{ "number == 1 && resul < 0", 15,
	  "unknown field \"resul\" (want number, low, result, caller, name, byte, word, pointer, chars, rel, loc, rest, bytes, far, pid, tid, comm, uid, gid, cpu or flags)" },
	{ "number == opnat", 10, "\"opnat\" is not a value of \"number\" (want a number or a name)" },
	{ "cpu == x", 7, "\"x\" is not a value of \"cpu\" (want a number)" },
	{ "cpu == 08", 7, "\"08\" is not a value of \"cpu\" (want a number)" },
	{ "cpu == 0x", 7, "\"0x\" is not a value of \"cpu\" (want a number)" },
	{ "flags & soft", 8,
	  "\"soft\" is not a value of \"flags\" (want a number, hardirq, softirq, nmi, preempt_off or need_resched)" },
	{ "flags & softirq|x", 8,
	  "\"softirq|x\" is not a value of \"flags\" (want a number, hardirq, softirq, nmi, preempt_off or need_resched)" },
	{ "low == -1", 7, "\"-1\": \"low\" is never negative (want 0 or more)" },
	{ "low == 4294967296", 7,
	  "\"4294967296\": \"low\" has only 32 bits (want 0 to 4294967295)" },
	{ "number == 2147483648", 10,
	  "\"2147483648\": \"number\" has only 32 bits (want -2147483648 to 2147483647)" },
	{ "number == -2147483649", 10,
	  "\"-2147483649\": \"number\" has only 32 bits (want -2147483648 to 2147483647)" },
	{ "byte == 128", 8, "\"128\": \"byte\" has only 8 bits (want -128 to 127)" },
	{ "caller == 18446744073709551616", 10,
	  "\"18446744073709551616\": \"caller\" has only 64 bits (want 0 to 18446744073709551615)" },
	{ "caller == 0x10000000000000000", 10,
	  "\"0x10000000000000000\": \"caller\" has only 64 bits (want 0 to 18446744073709551615)" },
	{ "caller == 02000000000000000000000", 10,
	  "\"02000000000000000000000\": \"caller\" has only 64 bits (want 0 to 18446744073709551615)" },
	{ "low == 5..4", 7, "\"5..4\": the first number is larger than the last" },
	{ "low < 4..5", 4, "a range can only be compared with == or !=" },
	{ "low ~ 4", 4, "\"low\" is a number (want ==, !=, <, <=, >, >= or &)" },
	{ "name < x", 5, "\"name\" is a string (want ==, != or ~)" },
	{ "name == mysqldump", 8,
	  "\"mysqldump\" is longer than any \"name\" (want at most 8 bytes)" },
	{ "name == 'x", 8, "no closing '" },
	{ "cpu & CPUS{0-3", 6, "\"CPUS{0-3\" is not a set of CPUs (want CPUS{0-3,7})" },
	{ "cpu & CPUS{}", 6, "\"CPUS{}\" is not a set of CPUs (want CPUS{0-3,7})" },
	{ "cpu & CPUS{3-0}", 6, "\"CPUS{3-0}\" is not a set of CPUs (want CPUS{0-3,7})" },
	{ "cpu & CPUS{1,}", 6, "\"CPUS{1,}\" is not a set of CPUs (want CPUS{0-3,7})" },
	{ "cpu & CPUS{1}x", 6, "\"CPUS{1}x\" is not a set of CPUs (want CPUS{0-3,7})" },
	{ "cpu < CPUS{1}", 4, "a set of CPUs can only be compared with ==, != or &" },
	{ "caller.symbol == x", 6, "unknown suffix \".symbol\" (want \".function\", \".ustring\" or none)" },
	{ "low.function == kmalloc", 3, "\"low\" is not an address (want no suffix)" },
	{ "comm.ustring == x", 4, "\"comm\" is not an address (want no suffix)" },
	{ "caller.function == kfre", 19,
	  "\"kfre\" is not a function of the kernel (want a name that /proc/kallsyms lists)" },
	{ "caller.function ~ kmalloc", 16, "a function can only be compared with == or !=" },
	{ "bytes == x", 0, "\"bytes\" is neither a number nor a string (want another field)" },
	{ "name ~ '0123456789012345678901234567890123456789012345678901234567890123*'", 7,
	  "the pattern is too long (want at most 63 characters besides *)" },
	{ "! ! (!", 6, "the condition is incomplete (want the name of a field)" },
	{ "('", 1, "no closing '" },
	{ "!'", 1, "no closing '" },
};

TEST_EACH(test_error, errors)
{
	struct lkst_rule_filter *filter = compile(&parser, &scope, errors[_i].filter);

	ck_assert_msg(!filter, "%s", errors[_i].filter);
	ck_assert_str_eq(parser.error, errors[_i].error);
	ck_assert_uint_eq(parser.error_at, errors[_i].at);
}

/* A filter may have 64 comparisons, and 64 parentheses nested in each other, but no more. */
TEST(test_limits)
{
	struct lkst_filter_record event = record();
	struct lkst_rule_filter *filter;
	char text[4096] = "cpu == 1";

	for (int i = 1; i < 64; i++)
		strcat(text, i == 63 ? " || cpu == 3" : " || cpu == 1");
	filter = compile(&parser, &scope, text);
	ck_assert_msg(filter != NULL, "%s", parser.error);
	ck_assert(lkst_rule_filter_matches(filter, &event));
	free(filter);
	strcat(text, " || cpu == 1");
	ck_assert(!compile(&parser, &scope, text));
	ck_assert_str_eq(parser.error, "too many comparisons (at most 64)");
	ck_assert_uint_eq(parser.error_at, strlen(text) - 1);

	for (int depth = 64; depth <= 65; depth++) {
		*text = 0;
		for (int i = 0; i < depth; i++)
			strcat(text, i > 60 ? "!(" : i % 2 ? "cpu == 1 || !(" : "cpu == 3 && !(");
		strcat(text, "cpu == 1");
		for (int i = 0; i < depth; i++)
			strcat(text, ")");
		filter = compile(&parser, &scope, text);
		ck_assert_msg(!filter == (depth == 65), "%s", parser.error);
		if (filter)
			ck_assert(!lkst_rule_filter_matches(filter, &event));
		else
			ck_assert_str_eq(parser.error, "too many nested parentheses (at most 64)");
		free(filter);
	}
}

/*
 * A pattern of the greatest length, and a text on which a matcher that backtracks would take
 * forever.
 */
TEST(test_long_pattern)
{
	static char text[6144];
	struct lkst_filter_record event = { .data = text, .bytes = sizeof(text), .words = 16 };
	char pattern[256] = "rest ~ '";
	struct lkst_rule_filter *filter;

	for (int i = 0; i < LKST_GLOB_LEN - 1; i++)
		strcat(pattern, "*a");
	strcat(pattern, "*b'");
	memset(text, 'a', sizeof(text));
	filter = compile(&parser, &scope, pattern);
	ck_assert_msg(filter != NULL, "%s", parser.error);
	ck_assert(!lkst_rule_filter_matches(filter, &event));
	text[sizeof(text) - 1] = 'b';
	ck_assert(lkst_rule_filter_matches(filter, &event));
	text[LKST_GLOB_LEN - 2] = 0;
	ck_assert(!lkst_rule_filter_matches(filter, &event));
	free(filter);
}

/* A location that points outside the payload */
TEST(test_location)
{
	char data[23] = { 0 };
	struct lkst_filter_record event = { .data = data, .bytes = sizeof(data) };
	struct lkst_rule_filter *equal = compile(&parser, &scope, "loc == ''");
	struct lkst_rule_filter *unequal = compile(&parser, &scope, "loc != ''");
	uint32_t location;

	for (unsigned int at = 0; at < 0x10000; at++) {
		location = 0xffff0000 | at;
		memcpy(data + 19, &location, sizeof(location));
		if (at > sizeof(data) + LKST_FILTER_ENTRY) {
			ck_assert(!lkst_rule_filter_matches(equal, &event));
			ck_assert(!lkst_rule_filter_matches(unequal, &event));
		} else {
			ck_assert(lkst_rule_filter_matches(equal, &event) !=
				  lkst_rule_filter_matches(unequal, &event));
		}
	}
	for (event.bytes = 0; event.bytes < sizeof(data); event.bytes++)
		ck_assert(!lkst_rule_filter_matches(unequal, &event));
	free(equal);
	free(unequal);
}

/*
 * Eight rows of eight numbers, and for each of 18 filters the rows for which it is true: a bit for
 * each row, the first row in the lowest bit. The filters have the shapes of those in the kernel's
 * own test, kernel/trace/trace_events_filter.c.
 */
static const int rows[8][8] = {
	{ 1, 1, 1, 1, 1, 1, 1, 1 }, { 0, 0, 0, 0, 0, 0, 0, 0 }, { 1, 0, 1, 0, 1, 0, 1, 0 },
	{ 0, 1, 0, 1, 0, 1, 0, 1 }, { 1, 1, 0, 0, 1, 1, 0, 0 }, { 0, 0, 0, 0, 0, 0, 0, 1 },
	{ 1, 0, 0, 0, 0, 0, 0, 0 }, { 1, 1, 1, 1, 1, 1, 1, 0 },
};

static const struct {
	const char *filter;
	unsigned int expected;
} shapes[] = {
	{ "a == 1 && b == 1 && c == 1 && d == 1 && e == 1 && f == 1 && g == 1 && h == 1", 0x01 },
	{ "a == 1 || b == 1 || c == 1 || d == 1 || e == 1 || f == 1 || g == 1 || h == 1", 0xfd },
	{ "(a == 1 || b == 1) && (c == 1 || d == 1) && (e == 1 || f == 1) && (g == 1 || h == 1)",
	  0x8d },
	{ "(a == 1 && b == 1) || (c == 1 && d == 1) || (e == 1 && f == 1) || (g == 1 && h == 1)",
	  0x91 },
	{ "(a == 1 && b == 1) && (c == 1 && d == 1) && (e == 1 && f == 1) || (g == 1 && h == 1)",
	  0x81 },
	{ "((a == 1 || b == 1) || (c == 1 || d == 1) || (e == 1 || f == 1)) && (g == 1 || h == 1)",
	  0x8d },
	{ "((((((((a == 1) && (b == 1)) || (c == 1)) && (d == 1)) || (e == 1)) && (f == 1)) || "
	  "(g == 1)) && (h == 1))", 0x01 },
	{ "((((((((a == 1) || (b == 1)) && (c == 1)) || (d == 1)) && (e == 1)) || (f == 1)) && "
	  "(g == 1)) || (h == 1))", 0xad },
	{ "!(a == 1) && !(h == 1)", 0x02 },
	{ "!(a == 1 && h == 1)", 0xfe },
	{ "!(a == 1 || h == 1)", 0x02 },
	{ "a == 1 && !(b == 1 || c == 1)", 0x40 },
	{ "a == 1 && (b == 1 || !(c == 1)) && h == 0", 0xd0 },
	{ "a != 1 || b != 1 && c == 0", 0x6a },
	{ "a > 0 && b < 1 || h >= 1 && g <= 0", 0x6c },
	{ "a & 1 && !(b & 1)", 0x44 },
	{ "a == 0 && b == 0 && c == 0 && (d == 1 || e == 1 || f == 1 || g == 1 || h == 1)", 0x20 },
	{ "!(!(a == 1) || !(b == 1)) && !(!(c == 0) && !(h == 0))", 0x90 },
};

/* Compile a filter for the fields a to h, and apply it to rows of values. Returns a bit for each row. */
static unsigned int apply_shape(const char *text, const int (*row)[8], int rows)
{
	struct lkst_filter_field field[8];
	const struct lkst_filter_scope numbers = { .field = field, .fields = 8 };
	struct lkst_rule_filter *filter;
	unsigned int found = 0;

	for (int i = 0; i < 8; i++)
		field[i] = (struct lkst_filter_field){
			.name = &"abcdefgh"[i], .name_len = 1, .format = "",
			.load = (uint8_t)(i / 2), .shift = i % 2 ? 0 : 32, .size = 4, .is_signed = true,
		};
	filter = compile(&parser, &numbers, text);
	ck_assert_msg(filter != NULL, "%s", parser.error);
	for (int n = 0; n < rows; n++) {
		struct lkst_filter_record event = { .bytes = 0 };

		for (int i = 0; i < 8; i++)
			event.arg[i / 2] |= (uint64_t)row[n][i] << (i % 2 ? 0 : 32);
		found |= (unsigned int)lkst_rule_filter_matches(filter, &event) << n;
	}
	free(filter);
	return found;
}

TEST_EACH(test_shape, shapes)
{
	ck_assert_uint_eq(apply_shape(shapes[_i].filter, rows, 8), shapes[_i].expected);
}

/*
 * The answers of the kernel's own filters: the first eight shapes are the filters with which
 * kernel/trace/trace_events_filter.c tests itself, and these are the values of its fields a to h.
 */
static const struct {
	unsigned int shape;
	const char *values;
	bool expected;
} answers[] = {
	{ 0, "11111111", true },  { 0, "01111111", false }, { 0, "11111110", false },
	{ 1, "00000000", false }, { 1, "00000001", true },  { 1, "10000000", true },
	{ 2, "00111111", false }, { 2, "01010101", true },  { 2, "10100101", true },
	{ 2, "10100100", false }, { 3, "10111111", true },  { 3, "00000011", true },
	{ 3, "00000001", false }, { 4, "11111100", true },  { 4, "00000001", false },
	{ 4, "11111011", true },  { 5, "11111101", true },  { 5, "00000000", false },
	{ 5, "11111011", true },  { 6, "11111111", true },  { 6, "01010101", false },
	{ 6, "10101010", false }, { 7, "11111111", true },  { 7, "01010101", true },
	{ 7, "10101010", true },
};

TEST_EACH(test_answer, answers)
{
	int row[1][8];

	for (int i = 0; i < 8; i++)
		row[0][i] = answers[_i].values[i] - '0';
	ck_assert_uint_eq(apply_shape(shapes[answers[_i].shape].filter, row, 1),
			  answers[_i].expected);
}
