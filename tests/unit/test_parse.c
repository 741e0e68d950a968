// SPDX-License-Identifier: GPL-2.0
/* Numbers, near names, sets of CPUs, checksums. */
#include <stdlib.h>
#include <string.h>

#include "lib/crc32c.h"
#include "lib/liblkst.h"
#include "tap.h"

START_TEST(test_u64)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 },
		{ "10", 10 },
		{ "0x1F", 31 },
		{ "010", 10 },
		{ "-1", UINT64_MAX },
		{ "-0x10", (uint64_t)-16 },
		{ "18446744073709551615", UINT64_MAX },
		{ "0xffffffffffffffff", UINT64_MAX },
		{ "-9223372036854775808", 1ull << 63 },
	};
	struct lkst_error err;
	uint64_t value;

	ck_assert_int_eq(lkst_parse_u64("n", good[_i].text, &value, &err), 0);
	ck_assert_uint_eq(value, good[_i].value);
}
END_TEST

START_TEST(test_u64_bad)
{
	static const char *const bad[] = {
		"",
		"-",
		"x",
		"0x",
		"1x",
		" 1",
		"1 ",
		"+1",
		"--1",
		"0x-1",
		"1.5",
		"-0x",
		"18446744073709551616",
		"0x10000000000000000",
		"-9223372036854775809",
		"12345678901234567890123",
	};
	struct lkst_error err = { 0 };
	uint64_t value;

	ck_assert_int_eq(lkst_parse_u64("data", bad[_i], &value, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	ck_assert_ptr_nonnull(strstr(err.text, "data"));
	ck_assert_ptr_nonnull(strstr(err.text, bad[_i]));
}
END_TEST

START_TEST(test_range)
{
	struct lkst_error err;
	long value;

	ck_assert_int_eq(lkst_parse_range("id", "254", 0, 254, &value, &err), 0);
	ck_assert_int_eq(value, 254);
	ck_assert_int_eq(lkst_parse_range("id", "255", 0, 254, &value, &err), -1);
	ck_assert_str_eq(err.text, "id \"255\" is out of range: 0 to 254");
	ck_assert_int_eq(lkst_parse_range("id", "-1", 0, 254, &value, &err), -1);
	ck_assert_str_eq(err.text, "id \"-1\" is out of range: 0 to 254");
	ck_assert_int_eq(lkst_parse_range("id", "0", 1, 254, &value, &err), -1);
	ck_assert_int_eq(lkst_parse_range("id", "-x", 0, 254, &value, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is not a number"));
	ck_assert_int_eq(lkst_parse_range("id", "99999999999999999999", 0, 254, &value, &err), -1);
	ck_assert_str_eq(err.text, "id \"99999999999999999999\" is out of range: 0 to 254");
	ck_assert_int_eq(lkst_parse_range("id", "-99999999999999999999", 0, 254, &value, &err), -1);
	ck_assert_str_eq(err.text, "id \"-99999999999999999999\" is out of range: 0 to 254");
}
END_TEST

static const struct {
	const char *text;
	uint64_t bytes;
} sizes[] = {
	{ "4096", 4096 },     { "4K", 4096 },	    { "4k", 4096 },
	{ "0x10K", 16384 },   { "2M", 2 << 20 },    { "1g", 1 << 30 },
	{ "4096K", 4 << 20 }, { "4G", 4ull << 30 }, { "4194304K", 4ull << 30 },
};

START_TEST(test_size)
{
	struct lkst_error err;
	uint64_t bytes;

	ck_assert_int_eq(lkst_parse_size("size", sizes[_i].text, 4096, 4ull << 30, &bytes, &err),
			 0);
	ck_assert_uint_eq(bytes, sizes[_i].bytes);
}
END_TEST

static const struct {
	const char *text, *says;
} bad_sizes[] = {
	{ "", "is no size: a number of bytes, or of K, M or G, as in 2M" },
	{ "K", "is no size" },
	{ "-1", "is no size" },
	{ "-1K", "is no size" },
	{ "1KB", "is no size" },
	{ "1.5M", "is no size" },
	{ "1 M", "is no size" },
	{ "M1", "is no size" },
	{ "2T", "is no size" },
	{ "00000000000000000000000000000000001K", "is no size" },
	{ "4095", "is out of range: 4K to 4G" },
	{ "0", "is out of range: 4K to 4G" },
	{ "5G", "is out of range: 4K to 4G" },
	{ "4294967297", "is out of range: 4K to 4G" },
	{ "18446744073709551616", "is out of range: 4K to 4G" },
	{ "0xffffffffffffffffG", "is out of range: 4K to 4G" },
	{ "18014398509481984K", "is out of range: 4K to 4G" }, /* 2^64 */
};

START_TEST(test_size_bad)
{
	struct lkst_error err;
	uint64_t bytes = 7;
	char wanted[256];

	ck_assert_int_eq(
		lkst_parse_size("size", bad_sizes[_i].text, 4096, 4ull << 30, &bytes, &err), -1);
	snprintf(wanted, sizeof(wanted), "size \"%s\" %s", bad_sizes[_i].text, bad_sizes[_i].says);
	ck_assert_msg(!strncmp(err.text, wanted, strlen(wanted)), "%s", err.text);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	ck_assert_uint_eq(bytes, 7);
}
END_TEST

static const char *const words[] = {
	"process_contextswitch",
	"process_wakeup",
	"system_call_entry",
	"system_call_exit",
	"spin_lock",
	"spin_unlock",
	NULL,
	"status",
	"boot",
	"c",
};

static const char *word_at(void *ctx, size_t i)
{
	(void)ctx;
	return words[i];
}

static void near_text(const char *word, char *text, size_t size)
{
	const char *near[LKST_NEAR_MAX];
	size_t n = lkst_near(word, word_at, NULL, sizeof(words) / sizeof(*words), near);

	lkst_near_text(near, n, text, size);
}

START_TEST(test_near)
{
	char text[256];

	near_text("system_call_enter", text, sizeof(text));
	ck_assert_str_eq(text, "; did you mean \"system_call_entry\" or \"system_call_exit\"?");
	near_text("statsu", text, sizeof(text));
	ck_assert_str_eq(text, "; did you mean \"status\"?");
	near_text("stbtus", text, sizeof(text));
	ck_assert_str_eq(text, "; did you mean \"status\"?");
	/* Two edits of four letters leave nothing of a word; a swap is one. */
	near_text("sort", text, sizeof(text));
	ck_assert_str_eq(text, "");
	near_text("boto", text, sizeof(text));
	ck_assert_str_eq(text, "; did you mean \"boot\"?");
	near_text("spin", text, sizeof(text));
	ck_assert_str_eq(text, "; did you mean \"spin_lock\" or \"spin_unlock\"?");
	near_text("xyzzy", text, sizeof(text));
	ck_assert_str_eq(text, "");
	near_text("", text, sizeof(text));
	ck_assert_str_eq(text, "");
	near_text("x", text, sizeof(text));
	ck_assert_str_eq(text, "");
	near_text(
		"a_word_that_is_much_longer_than_any_event_name_could_be_and_has_more_than_64_characters",
		text, sizeof(text));
	ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(test_cpu_set)
{
	uint64_t set[2] = { 0xb0f, 1 };
	char text[64];

	lkst_cpu_set_text(set, 128, text, sizeof(text));
	ck_assert_str_eq(text, "CPUs 0-3,8-9,11,64");
	set[0] = 4;
	lkst_cpu_set_text(set, 64, text, sizeof(text));
	ck_assert_str_eq(text, "CPU 2");
	set[0] = ~0ull;
	set[1] = ~0ull;
	lkst_cpu_set_text(set, 128, text, sizeof(text));
	ck_assert_str_eq(text, "CPUs 0-127");
	lkst_cpu_set_text(set, 0, text, sizeof(text));
	ck_assert_str_eq(text, "no CPU");
	set[0] = 0x5555555555555555;
	lkst_cpu_set_text(set, 128, text, 16);
	ck_assert_uint_lt(strlen(text), 16);
}
END_TEST

START_TEST(test_crc)
{
	unsigned char data[100];
	uint32_t all;

	/* The check value of the CRC catalogue. */
	ck_assert_uint_eq(lkst_crc32c("123456789", 9), 0xe3069283);
	ck_assert_uint_eq(lkst_crc32c_table(0, "123456789", 9), 0xe3069283);
	ck_assert_uint_eq(lkst_crc32c("", 0), 0);
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 37);
	all = lkst_crc32c(data, sizeof(data));
	for (size_t i = 0; i <= sizeof(data); i++) {
		ck_assert_uint_eq(
			lkst_crc32c_more(lkst_crc32c(data, i), data + i, sizeof(data) - i), all);
		ck_assert_uint_eq(lkst_crc32c_table(0, data, i), lkst_crc32c(data, i));
	}
}
END_TEST

START_TEST(test_classes)
{
	unsigned int next = 0;

	for (size_t i = 0; i < lkst_classes_num; i++) {
		ck_assert_uint_eq(lkst_classes[i].first, next);
		next = lkst_classes[i].last + 1u;
	}
	ck_assert_uint_eq(next, LKST_ETYPE_NUM);
	ck_assert_str_eq(lkst_class_of(0x030)->name, "syscall");
	ck_assert_str_eq(lkst_class_of(0xfff)->name, "lkst");
	ck_assert_ptr_null(lkst_class_of(0x1000));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("parse");
	TCase *tc = tcase_create("parse");

	tcase_add_loop_test(tc, test_u64, 0, 9);
	tcase_add_loop_test(tc, test_u64_bad, 0, 16);
	check_id(tc, test_range);
	tcase_add_loop_test(tc, test_size, 0, sizeof(sizes) / sizeof(*sizes));
	tcase_add_loop_test(tc, test_size_bad, 0, sizeof(bad_sizes) / sizeof(*bad_sizes));
	check_id(tc, test_near);
	check_id(tc, test_cpu_set);
	check_id(tc, test_crc);
	check_id(tc, test_classes);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
