// SPDX-License-Identifier: GPL-2.0
/* Parsing numbers, finding similar names, sets of CPUs, and checksums. */
#include "lib/base/cpuset.h"
#include "lib/base/crc32c.h"
#include "lib/text/parse.h"
#include "tap.h"

static const struct { const char *text; uint64_t value; } good[] = {
	{ "0", 0 }, { "10", 10 }, { "0x1F", 31 }, { "010", 10 }, { "-1", UINT64_MAX },
	{ "-0x10", (uint64_t)-16 }, { "18446744073709551615", UINT64_MAX },
	{ "0xffffffffffffffff", UINT64_MAX }, { "-9223372036854775808", 1ull << 63 },
};

TEST_EACH(test_u64, good)
{
	uint64_t value;

	assert_ok(lkst_parse_u64("n", good[_i].text, &value, &err));
	ck_assert_uint_eq(value, good[_i].value);
}

static const char *const bad[] = {
	"", "-", "x", "0x", "1x", " 1", "1 ", "+1", "--1", "0x-1", "1.5", "-0x",
	"18446744073709551616", "0x10000000000000000", "-9223372036854775809",
	"12345678901234567890123",
};

TEST_EACH(test_u64_bad, bad)
{
	uint64_t value;

	ck_assert_int_eq(lkst_parse_u64("data", bad[_i], &value, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	assert_contains(err.text, "data");
	assert_contains(err.text, bad[_i]);
}

static const struct { const char *text; long min; const char *message; } ranges[] = {
	{ "254", 0, NULL }, { "255", 0, "id \"255\" is out of range: 0 to 254" },
	{ "-1", 0, "id \"-1\" is out of range: 0 to 254" },
	{ "0", 1, "id \"0\" is out of range: 1 to 254" }, { "-x", 0, "id \"-x\" is not a number" },
	{ "99999999999999999999", 0, "id \"99999999999999999999\" is out of range: 0 to 254" },
	{ "-99999999999999999999", 0, "id \"-99999999999999999999\" is out of range: 0 to 254" },
};

TEST_EACH(test_range, ranges)
{
	const char *text = ranges[_i].text, *message = ranges[_i].message;
	long value;

	ck_assert_int_eq(lkst_parse_range("id", text, ranges[_i].min, 254, &value, &err),
			 message ? -1 : 0);
	if (message)
		assert_begins(err.text, message);
	else
		ck_assert_int_eq(value, 254);
}

static const struct { const char *text; uint64_t bytes; } sizes[] = {
	{ "4096", 4096 }, { "4K", 4096 }, { "4k", 4096 }, { "0x10K", 16384 }, { "2M", 2 << 20 },
	{ "1g", 1 << 30 }, { "4096K", 4 << 20 }, { "4G", 4ull << 30 }, { "4194304K", 4ull << 30 },
};

TEST_EACH(test_size, sizes)
{
	uint64_t bytes;

	assert_ok(lkst_parse_size("size", sizes[_i].text, 4096, 4ull << 30, &bytes, &err));
	ck_assert_uint_eq(bytes, sizes[_i].bytes);
}

static const char *const bad_sizes[] = {
	"", "K", "-1", "-1K", "1KB", "1.5M", "1 M", "M1", "2T",
	"00000000000000000000000000000000001K",
};

static const char *const sizes_out_of_range[] = {
	"4095", "0", "5G", "4294967297", "18446744073709551616", "0xffffffffffffffffG",
	"18014398509481984K", /* 2^64 */
};

static void parse_bad_size(const char *text, const char *message)
{
	uint64_t bytes = 7;
	char expected[256];

	ck_assert_int_eq(lkst_parse_size("size", text, 4096, 4ull << 30, &bytes, &err), -1);
	snprintf(expected, sizeof(expected), "size \"%s\" %s", text, message);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	ck_assert_uint_eq(bytes, 7);
}

TEST_EACH(test_size_bad, bad_sizes)
{
	parse_bad_size(bad_sizes[_i], "is not a valid size (bytes, or with K, M or G: 2M)");
}

TEST_EACH(test_size_range, sizes_out_of_range)
{
	parse_bad_size(sizes_out_of_range[_i], "is out of range: 4K to 4G");
}

static const char *const words[] = {
	"process_contextswitch", "process_wakeup", "system_call_entry", "system_call_exit",
	"spin_lock", "spin_unlock",
	NULL,
	"status", "boot", "c",
};

static const char *word_at(void *ctx, size_t i)
{
	(void)ctx;
	return words[i];
}

/* Words, and the expected hint that names similar words; "": no word is similar. */
static const struct { const char *word, *suggestions; } suggests[] = {
	{ "system_call_enter", "; did you mean \"system_call_entry\" or \"system_call_exit\"?" },
	{ "statsu", "; did you mean \"status\"?" }, { "stbtus", "; did you mean \"status\"?" },
	/*
	 * A word of four letters may differ by one edit only, so "sort" is not similar to "boot".
	 * Swapping two letters is one edit.
	 */
	{ "sort", "" }, { "boto", "; did you mean \"boot\"?" },
	{ "spin", "; did you mean \"spin_lock\" or \"spin_unlock\"?" },
	{ "xyzzy", "" }, { "", "" }, { "x", "" },
	{ "a_word_that_is_much_longer_than_any_event_name_could_be_and_has_more_than_64_characters",
	  "" },
};

TEST_EACH(test_suggest, suggests)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	size_t n = lkst_suggest(suggests[_i].word, word_at, NULL, NUM(words), suggestions);
	char text[256];

	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	ck_assert_str_eq(text, suggests[_i].suggestions);
}

static const struct { uint64_t set[2]; unsigned int num; const char *text; } cpu_sets[] = {
	{ { 0xb0f, 1 }, 128, "CPUs 0-3,8-9,11,64" }, { { 4, 1 }, 64, "CPU 2" },
	{ { ~0ull, ~0ull }, 128, "CPUs 0-127" }, { { ~0ull, ~0ull }, 0, "no CPU" },
};

TEST_EACH(test_cpu_set, cpu_sets)
{
	static const uint64_t odd[2] = { 0x5555555555555555, ~0ull };
	char text[64];

	lkst_cpu_set_text(cpu_sets[_i].set, cpu_sets[_i].num, text, sizeof(text));
	ck_assert_str_eq(text, cpu_sets[_i].text);
	/* A string that does not fit is truncated. */
	lkst_cpu_set_text(odd, 128, text, 16);
	ck_assert_uint_lt(strlen(text), 16);
}

TEST(test_crc)
{
	unsigned char data[100];
	uint32_t all;

	/* The check value of CRC-32C, as listed in catalogues of CRCs */
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
