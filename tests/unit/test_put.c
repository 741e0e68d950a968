// SPDX-License-Identifier: GPL-2.0
/* Numbers and strings as text (put.h): as printf() has them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		{ "\n\x7f\xc3\xa4", "\"\\012\\177\xc3\xa4\"", "\"\n\x7f\xc3\xa4\"" },
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

	tcase_add_test(tc, test_numbers);
	tcase_add_loop_test(tc, test_strings, 0, 7);
	tcase_add_test(tc, test_spared);
	tcase_add_test(tc, test_blanks);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
