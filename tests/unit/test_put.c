// SPDX-License-Identifier: GPL-2.0
/* Numbers and strings as text (put.h): as printf() has them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/messages.h"
#include "lib/put.h"
#include "tap.h"

#define ROOM 64

static char text[ROOM + PUT_SPARE], expected[ROOM];

static void check(const char *end)
{
	ck_assert_uint_eq((size_t)(end - text), strlen(expected));
	ck_assert_msg(!memcmp(text, expected, strlen(expected)), "%.*s, not %s", (int)(end - text),
		      text, expected);
}

static void check_number(uint64_t value)
{
	snprintf(expected, ROOM, "%llu", (unsigned long long)value);
	check(put_udec(text, value));
	snprintf(expected, ROOM, "%lld", (long long)value);
	check(put_dec(text, (int64_t)value));
	snprintf(expected, ROOM, "0x%llx", (unsigned long long)value);
	check(put_hex(text, value, 1));
	snprintf(expected, ROOM, "0x%08llx", (unsigned long long)value);
	check(put_hex(text, value, 8));
	snprintf(expected, ROOM, "%#llo", (unsigned long long)value);
	check(put_octal(text, value));
	snprintf(expected, ROOM, "%09llu", (unsigned long long)value % 1000000000);
	check(put_9_digits(text, (uint32_t)(value % 1000000000)));
	snprintf(expected, ROOM, "%03llu", (unsigned long long)value % 1000);
	check(put_3_digits(text, (uint32_t)(value % 1000)));
}

START_TEST(test_numbers)
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
END_TEST

START_TEST(test_strings)
{
	static const struct {
		const char *text, *quoted, *csv;
	} strings[] = {
		{ "plain", "plain", "plain" },
		{ "", "\"\"", "" },
		{ "two words", "\"two words\"", "two words" },
		{ "a\"b\\", "\"a\\\"b\\\\\"", "\"a\"\"b\\\"" },
		{ "a,b", "a,b", "\"a,b\"" },
		{ "\n\x7f\xc3\xa4", "\"\\012\\177\xc3\xa4\"", "\\012\\177\xc3\xa4" },
		{ "\r,\x9b", "\"\\015,\\233\"", "\"\\015,\\233\"" },
		{ "\xc3\xa4", "\xc3\xa4", "\xc3\xa4" },
	};

	strcpy(expected, strings[_i].quoted);
	check(put_quoted(text, strings[_i].text));
	ck_assert_int_eq(put_is_plain(strings[_i].text, strlen(strings[_i].text)),
			 !strcmp(strings[_i].text, strings[_i].quoted));
	strcpy(expected, strings[_i].csv);
	check(put_csv(text, strings[_i].text));
}
END_TEST

/* Text from anywhere, what is printed of it, and the inside of a JSON string. */
static const struct {
	const char *text, *shown, *json;
} printables[] = {
	{ "", "", "" },
	{ "~ plain!", "~ plain!", "~ plain!" },
	{ "a\"b\\", "a\"b\\", "a\\\"b\\\\" },
	{ "\001\t\n\033[2J\x7f", "\\001\\011\\012\\033[2J\\177",
	  "\\u0001\\u0009\\u000a\\u001b[2J\\u007f" },
	{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82",
	  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82" },
	/* U+0080, U+009B (CSI), U+009F; U+00A0 is a blank, U+00AD hides */
	{ "\xc2\x80\xc2\x9b\xc2\x9f", "\\302\\200\\302\\233\\302\\237", "\\u0080\\u009b\\u009f" },
	{ "\xc2\xa0\xc2\xad", "\xc2\xa0\\302\\255", "\xc2\xa0\\u00ad" },
	/* U+202E turns the text round, U+2066 to U+2069 isolate, U+200B has no width */
	{ "a\xe2\x80\xae", "a\\342\\200\\256", "a\\u202e" },
	{ "\xe2\x81\xa6\xe2\x81\xa9", "\\342\\201\\246\\342\\201\\251", "\\u2066\\u2069" },
	{ "\xe2\x80\x8b\xef\xbb\xbf", "\\342\\200\\213\\357\\273\\277", "\\u200b\\ufeff" },
	/* U+2028 and U+2029 end lines; U+2027 and U+202F are printed */
	{ "\xe2\x80\xa8\xe2\x80\xa9", "\\342\\200\\250\\342\\200\\251", "\\u2028\\u2029" },
	{ "\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf" },
	{ "\xd8\x9c", "\\330\\234", "\\u061c" }, /* Arabic letter mark */
	{ "\xf3\xa0\x80\xa0", "\\363\\240\\200\\240", "\\udb40\\udc20" }, /* a tag, U+E0020 */
	{ "\xef\xbf\xbf", "\\357\\277\\277", "\\uffff" }, /* no character */
	{ "\xf4\x8f\xbf\xbf", "\\364\\217\\277\\277", "\\udbff\\udfff" }, /* U+10FFFF */
	/* no UTF-8: a single byte, cut off, overlong, a surrogate, too great */
	{ "\x9b"
	  "31m\xff",
	  "\\23331m\\377", "\\ufffd31m\\ufffd" },
	{ "\xe2\x82", "\\342\\202", "\\ufffd\\ufffd" },
	{ "\xf0\x9f\x99", "\\360\\237\\231", "\\ufffd\\ufffd\\ufffd" },
	{ "\xc3(", "\\303(", "\\ufffd(" },
	{ "\xc0\x8a", "\\300\\212", "\\ufffd\\ufffd" },
	{ "\xe0\x80\x8a", "\\340\\200\\212", "\\ufffd\\ufffd\\ufffd" },
	{ "\xed\xa0\x80", "\\355\\240\\200", "\\ufffd\\ufffd\\ufffd" },
	{ "\xf4\x90\x80\x80", "\\364\\220\\200\\200", "\\ufffd\\ufffd\\ufffd\\ufffd" },
};

#define PRINTABLES ((int)(sizeof(printables) / sizeof(*printables)))

START_TEST(test_printable)
{
	const char *from = printables[_i].text;
	char shown[ROOM];

	strcpy(expected, printables[_i].shown);
	check(put_printable(text, from, strlen(from)));
	ck_assert_str_eq(lkst_printable(from, strlen(from), shown, sizeof(shown)), expected);
	strcpy(expected, printables[_i].json);
	check(put_json(text, from, strlen(from)));
}
END_TEST

/* Neither a character nor an escape is cut. */
START_TEST(test_printable_cut)
{
	static const struct {
		size_t size;
		const char *shown;
	} cuts[] = { { 1, "" },
		     { 2, "a" },
		     { 3, "a" },
		     { 4, "a\xc3\xa4" },
		     { 7, "a\xc3\xa4" },
		     { 8, "a\xc3\xa4\\012" },
		     { 9, "a\xc3\xa4\\012b" } };
	char shown[ROOM];

	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++)
		ck_assert_str_eq(lkst_printable("a\xc3\xa4\nb", 5, shown, cuts[i].size),
				 cuts[i].shown);
}
END_TEST

/* Only the format ends lines, whatever is quoted. */
START_TEST(test_errors)
{
	struct lkst_error err;

	lkst_error_set(&err, LKST_ERR_FORMAT, "%s: one\ntwo %s\n%d", "a b\nlkst: forged", "\x9b",
		       3);
	ck_assert_str_eq(err.text, "a b\\012lkst: forged: one\ntwo \\233\n3");
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	ck_assert_int_eq(err.sys_errno, 0);
	lkst_error_set(&err, LKST_ERR_FORMAT, "%2000s|", "\n");
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
}
END_TEST

/* Up to what is copied at once, and beyond. */
START_TEST(test_spared)
{
	static const char letters[ROOM + PUT_SPARE] =
		"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (size_t len = 0; len < ROOM - 2; len++) {
		memset(text, '#', sizeof(text));
		snprintf(expected, ROOM, "%.*s", (int)len, letters);
		check(put_spared(text, letters, len));
	}
}
END_TEST

START_TEST(test_blanks)
{
	memset(text, '#', sizeof(text));
	strcpy(expected, "ab     ");
	check(put_blanks(put_text(text, "ab"), text + 7));
	strcpy(expected, "longer than that");
	check(put_blanks(put_text(text, "longer than that"), text + 7));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("put");
	TCase *tc = tcase_create("put");

	check_id(tc, test_numbers);
	tcase_add_loop_test(tc, test_strings, 0, 8);
	tcase_add_loop_test(tc, test_printable, 0, PRINTABLES);
	check_id(tc, test_printable_cut);
	check_id(tc, test_errors);
	check_id(tc, test_spared);
	check_id(tc, test_blanks);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
