// SPDX-License-Identifier: GPL-2.0
/*
 * Histograms (kernel/lkst/rules/hist.c): which definitions are valid, what they count, and that
 * writers in nested contexts of a CPU lose nothing.
 */
#include <stdint.h>

#include "tap.h"

/* What interrupts a writer; NULL: nothing does. */
static void (*interrupt)(void);
static unsigned int interrupts;
#define HIST_INTERRUPT()             \
	do {                         \
		if (interrupt)       \
			interrupt(); \
	} while (0)

#include "filter_case.h"
#include "rules/hist.h"

static bool lkst_rule_number(const struct lkst_filter_test *from,
			     const struct lkst_filter_record *record, __u64 *value)
{
	return lkst_filter_number(from, record, value);
}

static const char *lkst_rule_string(const struct lkst_filter_test *from,
				    const struct lkst_filter_record *record, __u32 *size)
{
	return lkst_filter_string(from, record, size);
}

static void lkst_rule_string_done(const struct lkst_filter_test *from)
{
	if (from->text == LKST_TEXT_USER)
		lkst_filter_user_done();
}

#include "rules/hist.c"

static const struct lkst_filter_field fields[] = {
	FIELD("high", FORMAT("sys"), .load = LKST_LOAD_ARG1, .shift = 32, .size = 4,
	      .is_signed = true),
	FIELD("low", FORMAT("udec"), .load = LKST_LOAD_ARG1, .size = 4),
	FIELD("size", FORMAT("udec"), .load = LKST_LOAD_ARG2, .size = 8),
	FIELD("result", FORMAT("err"), .load = LKST_LOAD_ARG3, .size = 8, .is_signed = true),
	FIELD("name", FORMAT("text"), .text = LKST_TEXT_ARGS, .offset = 24, .size = 8),
	FIELD("path", FORMAT("text"), .text = LKST_TEXT_CHAIN, .offset = 16),
	FIELD("bytes", .is_opaque = true, .size = 12),
};

static const struct lkst_filter_scope scope = { .field = fields, .fields = ARRAY_SIZE(fields) };
static struct lkst_filter_parser filter;

#define CPUS 3
static struct lkst_hist_def def;
static struct lkst_hist_table *table[CPUS];
static struct lkst_hist_merge merge;
static void *list, *scratch;

static bool parse(const char *text)
{
	struct lkst_hist_parser parser = {
		.filter = &filter,
		.args = { .at = text, .len = (uint32_t)strlen(text) },
	};
	bool ret;

	memset(&filter, 0, sizeof(filter));
	filter.scope = &scope;
	filter.text = text;
	ret = lkst_hist_parse(&parser);
	def = parser.def;
	return ret;
}

static void start(const char *text)
{
	ck_assert_msg(parse(text), "%s", filter.error);
	for (int i = 0; i < CPUS; i++) {
		table[i] = calloc(1, lkst_hist_table_bytes(&def));
		ck_assert_ptr_nonnull(table[i]);
		lkst_hist_table_init(&def, table[i]);
	}
}

static void add(int cpu, uint64_t arg1, uint64_t arg2, uint64_t arg3, const char *name)
{
	struct lkst_filter_record record = { .arg = { arg1, arg2, arg3 } };

	strncpy((char *)&record.arg[3], name, sizeof(record.arg[3]));
	lkst_hist_add(&def, table[cpu], &record);
}

static void read_all(void)
{
	size_t max = lkst_hist_used(table, CPUS);

	list = calloc(max + 1, sizeof(char *));
	scratch = calloc(max + 1, sizeof(char *));
	merge = (struct lkst_hist_merge){
		.def = &def,
		.table = table,
		.tables = CPUS,
		.max = max,
		.entry = calloc(max + 1, lkst_hist_entry_bytes(&def)),
		.list = list,
		.scratch = scratch,
	};
	lkst_hist_merge(&merge);
	ck_assert(!merge.cut);
}

static uint64_t value(size_t entry, const char *name)
{
	struct hist_span span = { name, name + strlen(name) };
	int index = hist_field_index(&def, &span);
	uint64_t number;

	ck_assert_int_ge(index, 0);
	memcpy(&number, merge.list[entry] + def.field[index].offset, sizeof(number));
	return number;
}

static const char *text(size_t entry, int key)
{
	return merge.list[entry] + def.field[key].offset;
}

static void end(void)
{
	free(merge.entry);
	free(list);
	free(scratch);
	memset(&merge, 0, sizeof(merge));
	list = scratch = NULL;
	for (int i = 0; i < CPUS; i++) {
		free(table[i]);
		table[i] = NULL;
	}
	interrupt = NULL;
	interrupts = 0;
}

TESTS(.teardown = end);

static const struct {
	const char *text, *error;
	unsigned int at;
} wrong[] = {
	{ "", "unknown word \"\"", 0 },
	{ "vals=size", "a histogram needs keys", 0 },
	{ "keys=", "no field", 5 },
	{ "keys=low,", "no field", 9 },
	{ "keys=lo", "unknown field \"lo\" (want high, low, size, result, name, path, bytes, pid",
	  5 },
	{ "keys=bytes", "\"bytes\" is neither a number nor a string", 5 },
	{ "keys=low:keys=size", "\"keys\" is given twice", 9 },
	{ "keys=low:key=size", "\"key\" is given twice", 9 },
	{ "keys=low,high,size,result,name", "too many fields (want at most 4)", 26 },
	{ "keys=low:vals=low,high,size,result,pid", "too many fields (want at most 4)", 35 },
	{ "keys=low.dec", "unknown modifier \"dec\" of a key (want hex, sym", 9 },
	{ "keys=low.percent", "unknown modifier \"percent\" of a key", 9 },
	{ "keys=low:vals=size.log2", "unknown modifier \"log2\" of a sum (want hex, percent", 19 },
	{ "keys=low.buckets=", "unknown modifier \"buckets=\"", 9 },
	{ "keys=low.buckets=0", "\"0\" is not the width of a bucket", 17 },
	{ "keys=low.buckets=4x", "\"4x\" is not the width of a bucket", 17 },
	{ "keys=low.buckets=4294967296", "\"4294967296\" is not the width", 17 },
	{ "keys=name.hex", "\"name\" is a string (want no modifier)", 5 },
	{ "keys=low.execname", "\"low\": only pid and tid have the modifier execname", 5 },
	{ "keys=low:vals=name", "\"name\" is a string (want a number", 14 },
	{ "keys=low:sort=size", "\"size\" is neither a key nor a sum", 14 },
	{ "keys=low:sort=low.down", "unknown order \"down\" (want ascending", 18 },
	{ "keys=low:sort=low,hitcount,low", "too many fields to sort by (want at most 2)", 9 },
	{ "keys=low:sort=", "no field to sort by (want a key, a sum or hitcount)", 9 },
	{ "sort=low,:keys=low", "no field to sort by (want a key, a sum or hitcount)", 0 },
	{ "keys=low:sort=.descending", "no field to sort by (want a key, a sum or hitcount)", 9 },
	{ "keys=low:size=64", "\"64\" is not a valid number of entries (want 128 to 131072)", 14 },
	{ "keys=low:size=131073", "\"131073\" is not a valid number", 14 },
	{ "keys=low:name=", "\"\" is not a valid name", 14 },
	{ "keys=low:name=a-b", "\"a-b\" is not a valid name (want letters", 14 },
	{ "keys=low:stop", "unknown word \"stop\" (want keys=", 9 },
	{ "keys=low:onmax(x)=y", "unknown word \"onmax(x)=y\"", 9 },
};

TEST_EACH(test_wrong, wrong)
{
	ck_assert(!parse(wrong[_i].text));
	assert_begins(filter.error, wrong[_i].error);
	ck_assert_uint_eq(filter.error_at, wrong[_i].at);
}

TEST(test_definition)
{
	ck_assert(parse(
		" sort=hitcount.descending,low : keys=low.hex, name :val=size.percent,hitcount.hex:"
		"size=200:name=mine_1:pause"));
	ck_assert_uint_eq(def.keys, 2);
	ck_assert_uint_eq(def.vals, 2);
	ck_assert_uint_eq(def.size, 256);
	ck_assert_str_eq(def.name, "mine_1");
	ck_assert_uint_eq(def.state, LKST_HIST_PAUSE);
	ck_assert_uint_eq(def.field[0].modifier, LKST_HIST_HEX);
	ck_assert_uint_eq(def.field[LKST_HIST_KEYS].modifier, LKST_HIST_HEX);
	ck_assert_uint_eq(def.field[LKST_HIST_KEYS + 1].modifier, LKST_HIST_PERCENT);
	ck_assert_uint_eq(def.sorts, 2);
	ck_assert(def.sort[0].descending && !def.sort[1].descending);
	ck_assert_uint_eq(lkst_hist_entry_bytes(&def), 4 * 8);
	ck_assert(parse("keys=low:cont") && def.state == LKST_HIST_CONT);
	ck_assert(parse("keys=low:clear") && def.state == LKST_HIST_CLEAR);
	ck_assert(parse("keys=tid.execname") && def.has_comm);
	ck_assert_uint_eq(lkst_hist_entry_bytes(&def), 2 * 8 + 16);
}

TEST(test_sums)
{
	start("keys=high,name:vals=size,result");
	add(0, 7ULL << 32, 100, -5, "one");
	add(1, 7ULL << 32, 50, 2, "one");
	add(2, 7ULL << 32 | 1, 1, 0, "two");
	add(2, 0xffffffffULL << 32, 1, 0, "two");
	add(2, 7ULL << 32, 1, 0, "one");
	read_all();
	ck_assert_uint_eq(merge.entries, 3);
	ck_assert_uint_eq(merge.hits, 5);
	ck_assert_uint_eq(merge.drops, 0);
	/* Sorted by hitcount, and then by the keys: -1 comes before 7. */
	ck_assert_int_eq((int64_t)value(0, "high"), -1);
	ck_assert_uint_eq(value(1, "high"), 7);
	ck_assert_str_eq(text(1, 1), "two");
	ck_assert_str_eq(text(2, 1), "one");
	ck_assert_uint_eq(value(2, "hitcount"), 3);
	ck_assert_uint_eq(value(2, "size"), 151);
	ck_assert_int_eq((int64_t)value(2, "result"), -3);
}

static const struct {
	const char *keys;
	int64_t value, expected;
} transformed[] = {
	{ "size.log2", 0, 0 },
	{ "size.log2", 1, 0 },
	{ "size.log2", 2, 1 },
	{ "size.log2", 3, 2 },
	{ "size.log2", 4, 2 },
	{ "size.log2", 5, 3 },
	{ "size.log2", 4096, 12 },
	{ "size.log2", 4097, 13 },
	{ "size.log2", -1, 64 },
	{ "size.buckets=10", 0, 0 },
	{ "size.buckets=10", 9, 0 },
	{ "size.buckets=10", 10, 10 },
	{ "size.buckets=10", -1, -6 }, /* 18446744073709551610 */
	{ "size", -1, -1 },
	{ "result.buckets=10", 9, 0 },
	{ "result.buckets=10", -1, -10 },
	{ "result.buckets=10", -10, -10 },
	{ "result.buckets=10", -11, -20 },
};

TEST_EACH(test_transformed, transformed)
{
	char text[64];

	snprintf(text, sizeof(text), "keys=%s", transformed[_i].keys);
	start(text);
	add(0, 0, (uint64_t)transformed[_i].value, (uint64_t)transformed[_i].value, "");
	read_all();
	ck_assert_int_eq((int64_t)value(0, def.field[0].name), transformed[_i].expected);
}

TEST(test_sort)
{
	start("keys=low,high:vals=size:sort=size.descending,low");
	for (unsigned int i = 0; i < 1000; i++)
		add((int)(i % CPUS), i * 7919 % 100 | (uint64_t)(i % 10) << 32, i % 17, 0, "");
	read_all();
	for (size_t i = 1; i < merge.entries; i++) {
		ck_assert_uint_ge(value(i - 1, "size"), value(i, "size"));
		if (value(i - 1, "size") == value(i, "size"))
			ck_assert_uint_le(value(i - 1, "low"), value(i, "low"));
	}
	ck_assert_uint_eq(merge.hits, 1000);
	ck_assert_uint_eq(merge.entries, 100);
}

TEST(test_context)
{
	strcpy(thread_comm, "worker");
	thread_value[LKST_LOAD_TID] = 42;
	thread_value[LKST_LOAD_CPU] = 3;
	start("keys=tid.execname,comm,cpu");
	add(0, 0, 0, 0, "");
	strcpy(thread_comm, "");
	read_all();
	ck_assert_uint_eq(value(0, "tid"), 42);
	ck_assert_uint_eq(value(0, "cpu"), 3);
	ck_assert_str_eq(text(0, 1), "worker");
	ck_assert_str_eq(merge.list[0] + lkst_hist_entry_bytes(&def) - LKST_HIST_COMM_LEN,
			 "worker");
}

TEST(test_long_string)
{
	static const char path[] =
		"/a/path/that/is/much/longer/than/the/space/that/a/key/has/for/a/string";
	struct lkst_filter_record record = { .data = path, .bytes = sizeof(path), .words = 16 };

	start("keys=path");
	lkst_hist_add(&def, table[0], &record);
	read_all();
	ck_assert_uint_eq(merge.entries, 1);
	ck_assert_mem_eq(text(0, 0), path, LKST_HIST_STRING_LEN);
}

TEST(test_full)
{
	start("keys=size:size=128");
	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 200; i++)
			add(0, 0, i * 64, 0, "");
	add(1, 0, 199 * 64, 0, "");
	read_all();
	ck_assert_uint_eq(merge.entries, 129);
	ck_assert_uint_eq(merge.hits, 2 * 128 + 1);
	ck_assert_uint_eq(merge.drops, 2 * 72);
}

/* ---- nested contexts ---- */

static unsigned int depth;
static uint64_t nested_key, outer_key;

/* Count an event in each of three nested contexts, at each place where a writer can be interrupted. */
static void nest(void)
{
	if (depth == 3)
		return;
	depth++;
	interrupts++;
	add(0, 0, nested_key, 1000, "");
	depth--;
}

/* Writers that interrupt each other add the same keys. */
TEST(test_nested_same)
{
	start("keys=size:vals=result:size=4096");
	for (uint64_t i = 0; i < 100; i++) {
		interrupt = nest;
		nested_key = i;
		add(0, 0, i, 1000, "");
		interrupt = NULL;
		add(0, 0, i, 1000, "");
	}
	read_all();
	ck_assert_uint_ge(interrupts, 300);
	ck_assert_uint_eq(merge.drops, 0);
	ck_assert_uint_eq(merge.entries, 100);
	ck_assert_uint_eq(merge.hits, 200 + interrupts);
	for (size_t i = 0; i < merge.entries; i++)
		ck_assert_uint_eq(value(i, "result"), 1000 * value(i, "hitcount"));
	/*
	 * At most one entry for each key and each of the four writers: one outer and three nested
	 * ones
	 */
	ck_assert_uint_le(table[0]->used, 400);
}

/*
 * The nested writer adds other keys, some of which take the slot that the interrupted writer was
 * about to take.
 */
static void nest_other(void)
{
	/* Each interrupt makes the interrupted writer try again. */
	if (depth || interrupts / 2 > outer_key)
		return;
	depth++;
	interrupts++;
	add(0, 0, 1000000 + outer_key * 131 + interrupts, 1000, "");
	depth--;
}

TEST(test_nested_other)
{
	uint64_t hits = 0;

	start("keys=size:vals=result:size=131072");
	interrupt = nest_other;
	for (outer_key = 0; outer_key < 20000; outer_key++)
		add(0, 0, outer_key, 1000, "");
	read_all();
	for (size_t i = 0; i < merge.entries; i++)
		hits += value(i, "hitcount");
	ck_assert_uint_eq(merge.drops, 0);
	ck_assert_uint_eq(hits, 20000 + interrupts);
	ck_assert_uint_eq(merge.hits, hits);
}

/* A nested writer takes the last entry. */
TEST(test_nested_full)
{
	start("keys=size:size=128");
	for (uint64_t i = 0; i < 127; i++)
		add(0, 0, i, 0, "");
	interrupt = nest;
	nested_key = 1000;
	add(0, 0, 2000, 0, "");
	read_all();
	ck_assert_uint_eq(table[0]->used, 128);
	ck_assert_uint_eq(merge.hits + merge.drops, 127 + 1 + interrupts);
	ck_assert_uint_gt(merge.drops, 0);
}
