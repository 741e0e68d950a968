// SPDX-License-Identifier: GPL-2.0
/* Tables as text, CSV and JSON, and sorting them. */
#include <json-c/json.h>
#include <math.h>

#include "cli/json.h"
#include "lkstla/table.h"
#include "sample.h"
#include "tap.h"

static struct table *table;
static int until_failure = -1; /* number of allocations before the one that fails; -1: none fails */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
	return until_failure >= 0 && !until_failure-- ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return until_failure >= 0 && !until_failure-- ? NULL : __real_realloc(old, size);
}

static void teardown(void)
{
	until_failure = -1;
	table_free(table);
	table = NULL;
}

TESTS(.teardown = teardown);

static void make(const struct column *column, size_t columns)
{
	table = table_new("name", "Title", column, columns, &err);
	assert_made(table);
}

static void add(const struct cell *cell)
{
	assert_ok(table_add(table, cell, &err));
}

/* Return the table as text that is @width columns wide, or as CSV if @width is negative. */
static const char *print(int width, bool color)
{
	static char text[8192];
	FILE *to = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(to);
	if (width < 0)
		table_print_csv(table, to);
	else
		table_print_text(table, (unsigned int)width, color, to);
	fclose(to);
	return text;
}

static void check_json(const char *expected)
{
	struct json_object *value = table_json(table);
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;

	ck_assert_str_eq(json_object_to_json_string_ext(value, flags), expected);
	json_free(value);
}

/* ---- values ---- */

static const struct {
	enum column_kind kind;
	struct cell cell;
	const char *text, *csv, *json;
} values[] = {
	{ COLUMN_TEXT, CELL_TEXT("bash-1"), "bash-1", "bash-1", "\"bash-1\"" },
	{ COLUMN_TEXT, CELL_TEXT("a b"), "a b", "a b", "\"a b\"" },
	{ COLUMN_TEXT, CELL_TEXT("a,\"b\""), "a,\"b\"", "\"a,\"\"b\"\"\"", "\"a,\\\"b\\\"\"" },
	{ COLUMN_TEXT, CELL_TEXT("\033[2J\n"), "\\033[2J\\012", "\\033[2J\\012",
	  "\"\\u001b[2J\\u000a\"" },
	{ COLUMN_TEXT, CELL_TEXT("\xff\xc3\xa4"), "\\377\xc3\xa4", "\\377\xc3\xa4",
	  "\"\\ufffd\xc3\xa4\"" },
	{ COLUMN_TEXT, CELL_TEXT(NULL), "-", "", "null" },
	{ COLUMN_TEXT, CELL_NONE, "-", "", "null" },
	{ COLUMN_COUNT, CELL(0), "0", "0", "0" },
	{ COLUMN_COUNT, CELL(UINT64_MAX), "18446744073709551615", "18446744073709551615",
	  "18446744073709551615" },
	{ COLUMN_COUNT, CELL_NONE, "-", "", "null" },
	{ COLUMN_NUMBER, CELL(-7), "-7", "-7", "-7" },
	{ COLUMN_NUMBER, CELL(INT64_MIN), "-9223372036854775808", "-9223372036854775808",
	  "-9223372036854775808" },
	{ COLUMN_US, CELL(0), "0.0", "0", "0" }, { COLUMN_US, CELL(49), "0.0", "49", "49" },
	{ COLUMN_US, CELL(50), "0.1", "50", "50" }, { COLUMN_US, CELL(-49), "0.0", "-49", "-49" },
	{ COLUMN_US, CELL(999949), "999.9", "999949", "999949" },
	{ COLUMN_US, CELL(999950), "1000.0", "999950", "999950" },
	{ COLUMN_US, CELL(-1250), "-1.3", "-1250", "-1250" },
	{ COLUMN_US, CELL(INT64_MAX), "9223372036854775.8", "9223372036854775807",
	  "9223372036854775807" },
	{ COLUMN_US, CELL(INT64_MIN), "-9223372036854775.8", "-9223372036854775808",
	  "-9223372036854775808" },
	{ COLUMN_MS, CELL(1004999), "1.00", "1004999", "1004999" },
	{ COLUMN_MS, CELL(1005000), "1.01", "1005000", "1005000" },
	{ COLUMN_MS, CELL(999995000), "1000.00", "999995000", "999995000" },
	{ COLUMN_TIME, CELL(SAMPLE_NS + 5999), "03:04:05.000005", "1767323045000005999",
	  "1767323045000005999" },
	{ COLUMN_TIME, CELL_NONE, "-", "", "null" },
	{ COLUMN_PERCENT, CELL_REAL(0.125), "12.5", "0.125", "0.125" },
	{ COLUMN_PERCENT, CELL_REAL(1), "100.0", "1", "1" },
	{ COLUMN_PERCENT, CELL_REAL(-0.0001), "0.0", "-0.0001", "-0.0001" },
	{ COLUMN_PERCENT, CELL_REAL(NAN), "-", "", "null" },
	{ COLUMN_PERCENT, CELL_NONE, "-", "", "null" },
	{ COLUMN_RATE, CELL_REAL(12345.67), "12345.7", "12345.67", "12345.67" },
	{ COLUMN_RATE, CELL_REAL(1e200), "1.000e+200", "1e+200", "1e+200" },
	{ COLUMN_RATE, CELL_REAL(INFINITY), "-", "", "null" },
	{ COLUMN_REAL, CELL_REAL(0.1), "0.1", "0.1", "0.1" },
	{ COLUMN_REAL, CELL_REAL(-12345678.901), "-12345678.901", "-12345678.901",
	  "-12345678.901" },
	{ COLUMN_REAL, CELL_REAL(1e200), "1e+200", "1e+200", "1e+200" },
	{ COLUMN_REAL, CELL_REAL(NAN), "-", "", "null" },
	{ COLUMN_BYTES, CELL(1023), "1023", "1023", "1023" },
	{ COLUMN_BYTES, CELL(1024), "1.0K", "1024", "1024" },
	{ COLUMN_BYTES, CELL(1536), "1.5K", "1536", "1536" },
	{ COLUMN_BYTES, CELL(1048524), "1023.9K", "1048524", "1048524" },
	{ COLUMN_BYTES, CELL(1048525), "1.0M", "1048525", "1048525" },
	{ COLUMN_BYTES, CELL(5ll << 30), "5.0G", "5368709120", "5368709120" },
	{ COLUMN_BYTES, CELL(5ll << 40), "5120.0G", "5497558138880", "5497558138880" },
	{ COLUMN_BYTES, CELL(-2048), "-2.0K", "-2048", "-2048" },
};

TEST_EACH(test_value, values)
{
	const struct column column = { "h", "k", values[_i].kind };
	bool left = column.kind == COLUMN_TEXT || column.kind == COLUMN_TIME;
	char expected[256];
	int width = 0;

	make(&column, 1);
	add(&values[_i].cell);
	for (const char *p = values[_i].text; *p; p++)
		width += (*p & 0xc0) != 0x80;
	snprintf(expected, sizeof(expected), "%*s\n%s\n", left ? 1 : width, "h", values[_i].text);
	ck_assert_str_eq(print(0, false), expected);
	snprintf(expected, sizeof(expected), "k\n%s\n", values[_i].csv);
	ck_assert_str_eq(print(-1, false), expected);
	snprintf(expected, sizeof(expected), "[{\"k\":%s}]", values[_i].json);
	check_json(expected);
}

/* ---- whole tables ---- */

static const struct column columns[] = {
	{ "thread", "thread", COLUMN_TEXT }, { "runs", "runs", COLUMN_COUNT },
	{ "max us", "max_ns", COLUMN_US }, { "at", "at_ns", COLUMN_TIME },
	{ "behind", "behind", COLUMN_TEXT },
};

static void make_threads(void)
{
	make(columns, NUM(columns));
	add((struct cell[]){ CELL_TEXT("mysqld-812"), CELL(4121), CELL(312004000),
			     CELL(SAMPLE_NS), CELL_TEXT("rcu_worker-77") });
	add((struct cell[]){ CELL_TEXT("sh-9"), CELL(7), CELL(900), CELL_NONE, CELL_NONE });
	add((struct cell[]){ CELL_TEXT("kworker/u4:2-55"), CELL(4121), CELL_NONE,
			     CELL(SAMPLE_NS + 1000), CELL_TEXT("x") });
}

TEST(test_title)
{
	char text[64];
	FILE *to = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(to);
	make((const struct column[]){ { "a", "a", COLUMN_COUNT } }, 1);
	table_print_title(table, false, to);
	table_print_title(table, true, to);
	fclose(to);
	ck_assert_str_eq(text, "Title:\n\033[1mTitle:\033[0m\n");
}
END_TEST

TEST(test_text)
{
	make_threads();
	ck_assert_str_eq(table_name(table), "name");
	ck_assert_uint_eq(table_rows(table), 3);
	ck_assert_str_eq(print(0, false),
			 "thread           runs    max us  at               behind\n"
			 "mysqld-812       4121  312004.0  03:04:05.000000  rcu_worker-77\n"
			 "sh-9                7       0.9  -                -\n"
			 "kworker/u4:2-55  4121         -  03:04:05.000001  x\n");
}

/* table_shift_times() changes neither other columns nor missing times. */
TEST(test_shift_times)
{
	make_threads();
	table_shift_times(table, SAMPLE_NS - 5);
	ck_assert_str_eq(print(-1, false), "thread,runs,max_ns,at_ns,behind\n"
					   "mysqld-812,4121,312004000,5,rcu_worker-77\n"
					   "sh-9,7,900,,\n"
					   "kworker/u4:2-55,4121,,1005,x\n");
}
END_TEST

/*
 * Print the table for each width, from more than the width of the widest row down to 1. The strings
 * in the two columns of text are shortened so that the rows fit. If the rows do not fit even when
 * both columns have their minimum widths, no string is shortened.
 */
TEST(test_width)
{
	make_threads();
	for (int width = 64; width > 0; width--) {
		char text[8192], *rest = text, *line;
		size_t longest = 0;

		strcpy(text, print(width, false));
		while ((line = strsep(&rest, "\n")) != NULL && rest) {
			ck_assert(!*line || line[strlen(line) - 1] != ' ');
			longest = longest < strlen(line) ? strlen(line) : longest;
			ck_assert(strstr(line, "4121") || strstr(line, " 7 ") || strstr(line, "runs"));
		}
		ck_assert_uint_eq(longest, width >= 63 || width < 51 ? 63 : width);
	}
	ck_assert_str_eq(print(56, false),
			 "thread    runs    max us  at               behind\n"
			 "mysql...  4121  312004.0  03:04:05.000000  rcu_worker-77\n"
			 "sh-9         7       0.9  -                -\n"
			 "kwork...  4121         -  03:04:05.000001  x\n");
	ck_assert_str_eq(print(53, false), "thread    runs    max us  at               behind\n"
					   "mysql...  4121  312004.0  03:04:05.000000  rcu_wor...\n"
					   "sh-9         7       0.9  -                -\n"
					   "kwork...  4121         -  03:04:05.000001  x\n");
}

/*
 * On a terminal with enough room, bars show shares, compared with the largest one. The total and a
 * row without a share have no bar.
 */
TEST(test_bars)
{
	static const struct column three[] = {
		{ "n", "n", COLUMN_COUNT },
		{ "share %", "share", COLUMN_PERCENT },
		{ "at", "at_ns", COLUMN_TEXT },
	};

	make(three, NUM(three));
	add((struct cell[]){ CELL(1), CELL_REAL(0.4), CELL_TEXT("noon") });
	add((struct cell[]){ CELL(2), CELL_REAL(0.1), CELL_NONE });
	add((struct cell[]){ CELL(3), CELL_NONE, CELL_TEXT("six") });
	add((struct cell[]){ CELL(4), CELL_REAL(0.001), CELL_TEXT("ten") });
	assert_ok(table_total(table, (struct cell[]){ CELL(10), CELL_REAL(0.501), CELL_NONE },
			      &err));
	ck_assert_str_eq(print(27, false), " n  share %  at\n"
					   " 1     40.0  noon  ########\n"
					   " 2     10.0  -     ##\n"
					   " 3        -  six\n"
					   " 4      0.1  ten\n"
					   "--  -------  ----\n"
					   "10     50.1  -\n");
	ck_assert_ptr_null(strchr(print(26, false), '#'));
	ck_assert_ptr_null(strchr(print(0, false), '#'));
	ck_assert_ptr_nonnull(strstr(print(200, false), "noon  ##############################\n"));
}

/* On a screen, the last columns that do not fit are left out. */
TEST(test_screen)
{
	static const struct { unsigned int width; const char *last; } widths[] = {
		{ 0, "behind" }, { 63, "behind" }, { 62, "at" }, { 48, "at" }, { 47, "max us" },
		{ 31, "max us" }, { 30, "runs" }, { 20, "thread" }, { 1, "thread" }, { 63, "behind" },
	};

	make_threads();
	for (int i = 0; i < NUM(widths); i++) {
		char *text;
		size_t size;
		FILE *to = open_memstream(&text, &size);

		ck_assert_ptr_nonnull(to);
		table_print_screen(table, widths[i].width, false, to);
		fclose(to);
		text[strcspn(text, "\n")] = 0;
		ck_assert_str_eq(text + strlen(text) - strlen(widths[i].last), widths[i].last);
		/* No string is cut. */
		ck_assert_ptr_nonnull(strstr(text + strlen(text) + 1, "\nkworker/u4:2-55"));
		free(text);
	}
	ck_assert_uint_eq(table_columns(table), 5);
	ck_assert_str_eq(table_sort_key(table, 0), "thread");
	ck_assert_str_eq(table_sort_key(table, 2), "max-us");
}

/* Characters of several bytes are neither split nor counted as several columns. */
TEST(test_width_utf8)
{
#define ABC "abc"
	static const struct column two[] = { { "n", "n", COLUMN_TEXT }, { "c", "c", COLUMN_COUNT } };

	make(two, NUM(two));
	add((struct cell[]){ CELL_TEXT(ABC "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xc3\xb6"),
			     CELL(1) });
	ck_assert_str_eq(print(12, false), "n          c\n" ABC
					   "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xc3\xb6  1\n");
	ck_assert_str_eq(print(11, false), "n         c\n" ABC "\xc3\xa4\xc3\xb6...  1\n");
#undef ABC
}

/*
 * As text, a table shows only as many functions of a stack as fit in 60 characters, but at least
 * the first one. If the table is still too wide, the stacks are shortened first. Other strings are
 * shortened only if that is not enough.
 */
TEST(test_stack)
{
	static const struct column two[] = { { "thread", "thread", COLUMN_TEXT },
					     { "stack", "stack", COLUMN_STACK } };
	static const struct { const char *stack, *text; } rows[] = {
		{ NULL, "-" },
		{ "a", "a" },
		{ "a_function_of_20_char<-a_function_of_20_char<-a_function", "a_function_of_20_char"
		  "<-a_function_of_20_char<-a_function" },
		{ "a_function_of_20_char<-a_function_of_20_char<-a_function_of_15<-b",
		  "a_function_of_20_char<-a_function_of_20_char<-..." },
		{ "a_function_of_20_char<-a_function_of_20_char<-a_function<-b<-c<-d",
		  "a_function_of_20_char<-a_function_of_20_char<-..." },
		{ "a_function_of_20_char<-a_function_of_20_char<-a_func<-b<-c<-d<-e",
		  "a_function_of_20_char<-a_function_of_20_char<-a_func<-b<-..." },
		{ "a_function_of_70_characters_a_function_of_70_characters_a_function_of<-b",
		  "a_function_of_70_characters_a_function_of_70_characters_a_function_of<-..." },
		{ "a_function_of_70_characters_a_function_of_70_characters_a_function_of",
		  "a_function_of_70_characters_a_function_of_70_characters_a_function_of" },
	};

	for (int i = 0; i < NUM(rows); i++) {
		make(two, NUM(two));
		add((struct cell[]){ CELL_TEXT("a-thread-1"), CELL_TEXT(rows[i].stack) });
		assert_contains(print(0, false), rows[i].text);
		ck_assert_str_eq(strrchr(print(0, false), ' ') + 1 + strlen(rows[i].text), "\n");
		if (rows[i].stack)
			assert_contains(print(-1, false), rows[i].stack);
		table_free(table);
	}
	make(two, NUM(two));
	add((struct cell[]){ CELL_TEXT("a-thread-1"), CELL_TEXT(rows[2].stack) });
	ck_assert_str_eq(print(36, false), "thread      stack\n"
					   "a-thread-1  a_function_of_20_char...\n");
	ck_assert_str_eq(print(35, false), "thread     stack\n"
					   "a-thre...  a_function_of_20_char...\n");
}

/*
 * In each column, the greatest value that is printed is coloured: only the first one, if several
 * values are equally great, and none if all values of the column are equal.
 */
TEST(test_color)
{
#define HEAD(text) "\033[1m" text "\033[0m"
#define MAX(text)  "\033[33m" text "\033[0m"
	make_threads();
	ck_assert_str_eq(print(0, true),
			 HEAD("thread") "           " HEAD("runs") "    " HEAD("max us") "  " HEAD("at")
			 "               " HEAD("behind") "\n"
			 "mysqld-812       " MAX("4121") "  " MAX("312004.0")
			 "  03:04:05.000000  rcu_worker-77\n"
			 "sh-9                7       0.9  -                -\n"
			 "kworker/u4:2-55  4121         -  03:04:05.000001  x\n");
	table_limit(table, 1);
	ck_assert_ptr_null(strstr(print(0, true), "\033[33m"));
}

static const struct column numbers[] = {
	{ "n", "n", COLUMN_NUMBER }, { "p", "p", COLUMN_PERCENT }, { "c", "c", COLUMN_COUNT },
};

TEST(test_color_of_numbers)
{
	make(numbers, NUM(numbers));
	add((struct cell[]){ CELL(-1), CELL_REAL(0.5), CELL(1) });
	add((struct cell[]){ CELL(-2), CELL_REAL(0.75), CELL(UINT64_MAX) });
	add((struct cell[]){ CELL(-2), CELL_REAL(NAN), CELL(1) });
	assert_ok(table_total(table, (struct cell[]){ CELL(9), CELL_REAL(9), CELL_NONE }, &err));
	ck_assert_str_eq(strchr(print(0, true), '\n') + 1,
			 MAX("-1") "   50.0                     1\n"
			 "-2   " MAX("75.0") "  " MAX("18446744073709551615") "\n"
			 "-2      -                     1\n"
			 "--  -----  --------------------\n"
			 " 9  900.0                     -\n");
}

TEST(test_total)
{
	const struct cell total[] = { CELL_TEXT("total of all of them"), CELL(8249), CELL_NONE,
				      CELL_NONE, CELL_TEXT("") };

	make_threads();
	table_limit(table, 2);
	/* The second total replaces the first one. */
	assert_ok(table_total(table, (struct cell[]){ CELL_TEXT("x"), CELL(1), CELL(1), CELL(1),
						      CELL_NONE }, &err));
	assert_ok(table_total(table, total, &err));
	ck_assert_str_eq(print(0, false),
			 "thread                runs    max us  at               behind\n"
			 "mysqld-812            4121  312004.0  03:04:05.000000  rcu_worker-77\n"
			 "sh-9                     7       0.9  -                -\n"
			 "(and 1 more)\n"
			 "--------------------  ----  --------  ---------------  -------------\n"
			 "total of all of them  8249         -  -\n");
	check_json("[{\"thread\":\"mysqld-812\",\"runs\":4121,\"max_ns\":312004000,"
		   "\"at_ns\":1767323045000000000,\"behind\":\"rcu_worker-77\"},"
		   "{\"thread\":\"sh-9\",\"runs\":7,\"max_ns\":900,\"at_ns\":null,\"behind\":null}]");
	ck_assert_str_eq(print(-1, false),
			 "thread,runs,max_ns,at_ns,behind\n"
			 "mysqld-812,4121,312004000,1767323045000000000,rcu_worker-77\n"
			 "sh-9,7,900,,\n");
}

TEST(test_empty)
{
	make(columns, NUM(columns));
	assert_ok(table_total(table, (struct cell[]){ CELL_TEXT("total of all"), CELL(0), CELL(0),
						      CELL(0), CELL_NONE }, &err));
	assert_ok(table_sort(table, "runs", &err));
	ck_assert_str_eq(print(0, false), "thread  runs  max us  at  behind\n(no rows)\n");
	ck_assert_str_eq(print(-1, false), "thread,runs,max_ns,at_ns,behind\n");
	check_json("[]");
}

/* The table copies the strings of its rows, and grows beyond its first allocation. */
TEST(test_many_rows)
{
	static const struct column one = { "n", "n", COLUMN_TEXT };
	char name[16], *text;

	make(&one, 1);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "%d", i);
		add(&CELL_TEXT(name));
	}
	ck_assert_uint_eq(table_rows(table), 1000);
	text = (char *)print(0, false);
	for (int i = 0; i < 1000; i++) {
		text = strchr(text, '\n') + 1;
		ck_assert_int_eq(strtol(text, NULL, 10), i);
	}
}

/* ---- sorting ---- */

/* The order of the rows of make_sorted() by each key, as the letters of their first column. */
static const struct { const char *key, *order; } orders[] = {
	{ "name", "abcde-" }, { "NAME", "abcde-" }, { "max-us", "bdaec-" }, { "Max-US", "bdaec-" },
	{ "max_ns", "bdaec-" }, { "MAX_NS", "bdaec-" }, { "count", "ed-bac" }, { "share", "ab-ced" },
	{ "when-it-was", "d-ebac" },
};

static void make_sorted(void)
{
	static const struct column sorted[] = {
		{ "name", "name", COLUMN_TEXT }, { "max us", "max_ns", COLUMN_US },
		{ "count", "count", COLUMN_COUNT }, { "share", "share", COLUMN_PERCENT },
		{ "when it was", "at_ns", COLUMN_TIME },
	};

	make(sorted, NUM(sorted));
	add((struct cell[]){ CELL_TEXT("b"), CELL(9), CELL(1), CELL_REAL(0.5), CELL(1) });
	add((struct cell[]){ CELL_TEXT("a"), CELL(5), CELL(1), CELL_REAL(0.6), CELL(1) });
	add((struct cell[]){ CELL_NONE, CELL_NONE, CELL(2), CELL_REAL(0.2), CELL(8) });
	add((struct cell[]){ CELL_TEXT("e"), CELL(5), CELL(-1), CELL_REAL(NAN), CELL(2) });
	add((struct cell[]){ CELL_TEXT("d"), CELL(7), CELL(3), CELL_NONE, CELL(9) });
	add((struct cell[]){ CELL_TEXT("c"), CELL(-5), CELL_NONE, CELL_REAL(0.1), CELL_NONE });
}

TEST_EACH(test_sort, orders)
{
	char order[16] = "", *text;
	size_t len = 0;

	make_sorted();
	assert_ok(table_sort(table, orders[_i].key, &err));
	text = strchr(print(0, false), '\n') + 1;
	for (; *text && len + 1 < sizeof(order); text = strchr(text, '\n') + 1)
		order[len++] = *text;
	ck_assert_str_eq(order, orders[_i].order);
}

/* Rows with equal values in the column by which they are sorted keep their previous order. */
TEST(test_sort_stable)
{
	static const struct column two[] = { { "a", "a", COLUMN_COUNT }, { "b", "b", COLUMN_COUNT } };
	long a = 10, b = 0;

	make(two, NUM(two));
	for (int i = 0; i < 3000; i++)
		add((struct cell[]){ CELL(i * 7 % 10), CELL(i * 1009 % 3001) });
	assert_ok(table_sort(table, "b", &err));
	table_limit(table, 500);
	assert_ok(table_sort(table, "a", &err));
	for (char *text = strchr(print(0, false), '\n') + 1; *text; text = strchr(text, '\n') + 1) {
		char *end;
		long next_a = strtol(text, &end, 10), next_b = strtol(end, NULL, 10);

		ck_assert(next_a < a || (next_a == a && next_b < b));
		a = next_a;
		b = next_b;
	}
	ck_assert_int_eq(a, 8);
}

#define KEYS "\nThe keys are name, max-us, count, share, when-it-was."

static const struct { const char *key, *message; } bad_keys[] = {
	{ "maxus", "--sort \"maxus\": unknown key; did you mean \"max-us\"?" KEYS },
	{ "max us", "--sort \"max us\": unknown key; did you mean \"max-us\"?" KEYS },
	{ "at_n", "--sort \"at_n\": unknown key; did you mean \"at_ns\"?" KEYS },
	{ "xyzzy", "--sort \"xyzzy\": unknown key" KEYS }, { "", "--sort \"\": unknown key" KEYS },
	{ "\033", "--sort \"\\033\": unknown key" KEYS },
};

TEST_EACH(test_sort_key, bad_keys)
{
	make_sorted();
	ck_assert_int_eq(table_sort(table, bad_keys[_i].key, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_NOT_FOUND);
	ck_assert_str_eq(err.text, bad_keys[_i].message);
	assert_begins(strchr(print(0, false), '\n'), "\nb"); /* the order has not changed */
}

/* ---- failed allocations ---- */

static const struct cell long_row[] = {
	CELL_TEXT("a string that is longer than the room for a number, which needs no more memory"),
	CELL(1), CELL(1), CELL(1), CELL_NONE,
};

/*
 * Make a table and add a row. Allocation number @fail fails. Returns true if all allocations
 * succeeded.
 */
static bool make_row(int fail)
{
	bool added;

	until_failure = fail;
	table = table_new("name", "Title", columns, NUM(columns), &err);
	added = table && !table_add(table, long_row, &err);
	until_failure = -1;
	if (!added)
		ck_assert_str_eq(err.text, "not enough memory for a table");
	if (table)
		ck_assert_uint_eq(table_rows(table), added);
	return added;
}

TEST(test_no_memory)
{
	int fail = 0;

	for (; !make_row(fail); fail++)
		table_free(table);
	/*
	 * The six allocations with malloc() and realloc(): the columns, the keys and the scratch
	 * memory of the table, then longer scratch memory, the row, and the array of rows.
	 */
	ck_assert_int_eq(fail, 6);
	until_failure = 0;
	ck_assert_int_eq(table_total(table, long_row, &err), -1);
	until_failure = -1;
	ck_assert_ptr_null(strstr(print(0, false), "---"));
}
