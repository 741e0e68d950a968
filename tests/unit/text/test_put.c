// SPDX-License-Identifier: GPL-2.0
/* Converting numbers and strings to text (put.h). Numbers must look as printf() prints them. */
#include "lib/base/printable.h"
#include "lib/base/put.h"
#include "tap.h"

#define ROOM 64

static char text[ROOM + PUT_SPARE], expected[ROOM];

static void check(const char *end)
{
	ck_assert_uint_eq((size_t)(end - text), strlen(expected));
	ck_assert_msg(!memcmp(text, expected, strlen(expected)), "%.*s, not %s", (int)(end - text),
		      text, expected);
}

#define CHECK(end, ...) (snprintf(expected, ROOM, __VA_ARGS__), check(end))

static void check_number(unsigned long long value)
{
	CHECK(put_udec(text, value), "%llu", value);
	CHECK(put_dec(text, (int64_t)value), "%lld", (long long)value);
	CHECK(put_hex(text, value, 1), "0x%llx", value);
	CHECK(put_hex(text, value, 8), "0x%08llx", value);
	CHECK(put_octal(text, value), "%#llo", value);
	CHECK(put_9_digits(text, (uint32_t)(value % 1000000000)), "%09llu", value % 1000000000);
	CHECK(put_3_digits(text, (uint32_t)(value % 1000)), "%03llu", value % 1000);
}

TEST(test_numbers)
{
	uint64_t ten = 1;

	for (int bit = 0; bit < 64; bit++) {
		check_number((1ull << bit) - 1);
		check_number(1ull << bit);
		check_number(-(1ull << bit));
		check_number((uint64_t)rand() << bit);
	}
	for (int digits = 0; digits < 20; digits++, ten *= 10) {
		check_number(ten - 1);
		check_number(ten);
		check_number(ten + 1);
	}
	for (uint64_t value = 0; value < 1100; value++)
		check_number(value);
	check_number(UINT64_MAX);
}

/* A string, and its forms in a line of output and in a CSV file. */
static const struct { const char *text, *quoted, *csv; } strings[] = {
	{ "plain", "plain", "plain" }, { "", "\"\"", "" },
	{ "two words", "\"two words\"", "two words" },
	{ "a\"b\\", "\"a\\\"b\\\\\"", "\"a\"\"b\\\"" }, { "a,b", "a,b", "\"a,b\"" },
	{ "\n\x7f\xc3\xa4", "\"\\012\\177\xc3\xa4\"", "\\012\\177\xc3\xa4" },
	{ "\r,\x9b", "\"\\015,\\233\"", "\"\\015,\\233\"" },
	{ "\xc3\xa4", "\xc3\xa4", "\xc3\xa4" },
};

TEST_EACH(test_strings, strings)
{
	const char *from = strings[_i].text, *quoted = strings[_i].quoted;

	CHECK(put_quoted(text, from), "%s", quoted);
	ck_assert_int_eq(put_is_plain(from, strlen(from)), !strcmp(from, quoted));
	CHECK(put_csv(text, from), "%s", strings[_i].csv);
}

/* Text of unknown origin, its printed form, and its form between the quotes of a JSON string. */
static const struct { const char *text, *shown, *json; } printables[] = {
	{ "", "", "" }, { "~ plain!", "~ plain!", "~ plain!" },
	{ "a\"b\\", "a\"b\\", "a\\\"b\\\\" },
	{ "\001\t\n\033[2J\x7f", "\\001\\011\\012\\033[2J\\177",
	  "\\u0001\\u0009\\u000a\\u001b[2J\\u007f" },
	{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82",
	  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82" },
	/* U+0080, U+009B (CSI), U+009F; U+00A0 is a space, U+00AD is invisible */
	{ "\xc2\x80\xc2\x9b\xc2\x9f", "\\302\\200\\302\\233\\302\\237", "\\u0080\\u009b\\u009f" },
	{ "\xc2\xa0\xc2\xad", "\xc2\xa0\\302\\255", "\xc2\xa0\\u00ad" },
	/* U+202E reverses text, U+2066 to U+2069 isolate it, U+200B has no width */
	{ "a\xe2\x80\xae", "a\\342\\200\\256", "a\\u202e" },
	{ "\xe2\x81\xa6\xe2\x81\xa9", "\\342\\201\\246\\342\\201\\251", "\\u2066\\u2069" },
	{ "\xe2\x80\x8b\xef\xbb\xbf", "\\342\\200\\213\\357\\273\\277", "\\u200b\\ufeff" },
	/* U+2028 and U+2029 end lines; U+2027 and U+202F are printed */
	{ "\xe2\x80\xa8\xe2\x80\xa9", "\\342\\200\\250\\342\\200\\251", "\\u2028\\u2029" },
	{ "\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf" },
	{ "\xd8\x9c", "\\330\\234", "\\u061c" }, /* Arabic letter mark */
	{ "\xf3\xa0\x80\xa0", "\\363\\240\\200\\240", "\\udb40\\udc20" }, /* a tag, U+E0020 */
	{ "\xef\xbf\xbf", "\\357\\277\\277", "\\uffff" }, /* not a character */
	{ "\xf4\x8f\xbf\xbf", "\\364\\217\\277\\277", "\\udbff\\udfff" }, /* U+10FFFF */
	/*
	 * invalid UTF-8: stray bytes, truncated or overlong sequences, a surrogate, and a code
	 * point that is too large
	 */
	{ "\x9b" "31m\xff", "\\23331m\\377", "\\ufffd31m\\ufffd" },
	{ "\x80", "\\200", "\\ufffd" }, { "\xc3", "\\303", "\\ufffd" },
	{ "\xc0\x80", "\\300\\200", "\\ufffd\\ufffd" },
	{ "\xc3\xbc\b\x1f", "\xc3\xbc\\010\\037", "\xc3\xbc\\u0008\\u001f" },
	{ "\xf0\x80\x80\x80", "\\360\\200\\200\\200", "\\ufffd\\ufffd\\ufffd\\ufffd" },
	{ "\xe2\x82", "\\342\\202", "\\ufffd\\ufffd" },
	{ "\xf0\x9f\x99", "\\360\\237\\231", "\\ufffd\\ufffd\\ufffd" },
	{ "\xc3(", "\\303(", "\\ufffd(" }, { "\xc0\x8a", "\\300\\212", "\\ufffd\\ufffd" },
	{ "\xe0\x80\x8a", "\\340\\200\\212", "\\ufffd\\ufffd\\ufffd" },
	{ "\xed\xa0\x80", "\\355\\240\\200", "\\ufffd\\ufffd\\ufffd" },
	{ "\xf4\x90\x80\x80", "\\364\\220\\200\\200", "\\ufffd\\ufffd\\ufffd\\ufffd" },
};

TEST_EACH(test_printable, printables)
{
	size_t len = strlen(printables[_i].text);
	char from[ROOM], shown[ROOM];

	/* The byte after the text would continue a character. It must not be read. */
	memset(from, '\x82', sizeof(from));
	memcpy(from, printables[_i].text, len);
	CHECK(put_printable(text, from, len), "%s", printables[_i].shown);
	ck_assert_str_eq(lkst_printable(from, len, shown, sizeof(shown)), expected);
	CHECK(put_json(text, from, len), "%s", printables[_i].json);
}

/* A string, and the number of its bytes before the first one that is not valid UTF-8. */
static const struct { const char *text; size_t valid; } valids[] = {
	{ "", 0 }, { "plain\n\033", 7 }, { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82!", 10 },
	{ "a\xff", 1 }, { "\x80", 0 }, { "\xc3\xa4\xc3", 2 }, { "ab\xed\xa0\x80", 2 },
	{ "\xef\xbf\xbf\xc0\x80", 3 },
};

TEST_EACH(test_utf8_length, valids)
{
	char from[ROOM];

	/* As above: the byte after the text must not be read. */
	memset(from, '\x82', sizeof(from));
	memcpy(from, valids[_i].text, strlen(valids[_i].text));
	ck_assert_uint_eq(put_utf8_length(from, strlen(valids[_i].text)), valids[_i].valid);
}

/* A string that does not fit is truncated between two characters or escapes, never within one. */
static const struct { size_t size; const char *shown; } cuts[] = {
	{ 1, "" }, { 2, "a" }, { 3, "a" }, { 4, "a\xc3\xa4" }, { 7, "a\xc3\xa4" },
	{ 8, "a\xc3\xa4\\012" }, { 9, "a\xc3\xa4\\012b" },
};

TEST_EACH(test_printable_cut, cuts)
{
	char shown[ROOM];

	ck_assert_str_eq(lkst_printable("a\xc3\xa4\nb", 5, shown, cuts[_i].size), cuts[_i].shown);
}

/*
 * lkst_error_set() keeps newlines in the format string, but escapes newlines and other control
 * characters in arguments.
 */
TEST(test_errors)
{
	lkst_error_set(&err, LKST_ERR_FORMAT, "%s: one\ntwo %s\n%d", "a b\nlkst: forged", "\x9b",
		       3);
	ck_assert_str_eq(err.text, "a b\\012lkst: forged: one\ntwo \\233\n3");
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	ck_assert_int_eq(err.sys_errno, 0);
	lkst_error_set(&err, LKST_ERR_FORMAT, "%2000s|", "\n");
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
}

/*
 * put_spared() always copies at least PUT_SPARE bytes. Try strings up to that length, and longer
 * ones.
 */
TEST(test_spared)
{
	static const char letters[ROOM + PUT_SPARE] =
		"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (size_t len = 0; len < ROOM - 2; len++) {
		memset(text, '#', sizeof(text));
		CHECK(put_spared(text, letters, len), "%.*s", (int)len, letters);
	}
}

TEST(test_blanks)
{
	memset(text, '#', sizeof(text));
	CHECK(put_blanks(put_text(text, "ab"), text + 7), "ab     ");
	CHECK(put_blanks(put_text(text, "longer than that"), text + 7), "longer than that");
}
