// SPDX-License-Identifier: GPL-2.0
/*
 * Garbage in a trace file: the sample with each byte changed, in one of three ways by turns, with
 * checksums that are then wrong and with checksums made right again, is read and printed.
 * Whatever comes out, nothing crashes, hangs or is made up: sanitizers watch. What other bytes do
 * is for tests/fuzz to find.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/crc32c.h"
#include "lib/trace_format.h"
#include "sample.h"
#include "tap.h"

static uint8_t *sample;
static size_t sample_size;
static size_t sample_records;

static void load(int fd, size_t records)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	sample_size = (size_t)st.st_size;
	sample = malloc(sample_size);
	ck_assert_int_eq(pread(fd, sample, sample_size, 0), st.st_size);
	sample_records = records;
	close(fd);
}

static void setup(void)
{
	load(sample_fd(), SAMPLE_RECORDS);
}

static void setup_oops(void)
{
	load(sample_oops_fd(), SAMPLE_OOPS_RECORDS);
}

static void teardown(void)
{
	free(sample);
}

/* The next byte to change: each one, but of the long text of event types one in thirty. */
static size_t next_byte(size_t i)
{
	const struct trace_chunk_header *chunk;
	size_t first, end;

	for (size_t at = sizeof(struct trace_file_header); at < sample_size; at = end) {
		chunk = (const void *)(sample + at);
		first = at + sizeof(*chunk);
		end = first + trace_padded(chunk->length);
		if (chunk->type == TRACE_ETYPES && i >= first && i + 30 < end)
			return i + 30;
	}
	return i + 1;
}

static void count_report(void *ctx, const char *text)
{
	ck_assert_ptr_nonnull(text);
	(*(unsigned int *)ctx)++;
}

/* Read and print; returns the records, -1 when the file is refused. */
static int64_t digest(const uint8_t *data, size_t size, unsigned int *reports)
{
	struct lkst_trace_hooks hooks = { .ctx = reports, .report = count_report };
	struct lkst_format_options opt = { .verbose = true };
	struct lkst_error err = { 0 };
	struct lkst_format format;
	struct lkst_etypes *types;
	struct lkst_trace *trace;
	struct lkst_event event;
	struct lkst_out out;
	int64_t records = 0;
	int fd = lkst_temporary_file(&err), null = open("/dev/null", O_WRONLY), ret;

	*reports = 0;
	ck_assert_int_eq(pwrite(fd, data, size, 0), (ssize_t)size);
	trace = lkst_trace_open_fd(fd, "T", &hooks, &err);
	if (!trace) {
		ck_assert_int_ne(err.code, LKST_ERR_NONE);
		ck_assert_int_eq(strncmp(err.text, "T: ", 3), 0);
		close(fd);
		close(null);
		return -1;
	}
	types = lkst_trace_etypes(trace, &err);
	ck_assert_ptr_nonnull(types);
	ck_assert_int_eq(lkst_out_open(&out, null, &err), 0);
	lkst_format_init(&format, &out, types, lkst_trace_context(trace), &opt);
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_NEWEST_FIRST, &err), 0);
	while ((ret = lkst_trace_next(trace, &event, &err)) > 0) {
		lkst_format_event(&format, &event);
		lkst_format_csv(&format, &event);
		records++;
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_int_le(records, (int64_t)lkst_trace_records(trace));
	lkst_out_flush(&out);
	lkst_out_close(&out);
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	close(fd);
	close(null);
	return records;
}

/* How the byte is changed. */
static uint8_t changed(size_t i)
{
	static const uint8_t change[] = { 0x01, 0x80, 0xff };

	return sample[i] ^ change[(i + i / 30) % sizeof(change)];
}

START_TEST(test_changed_byte)
{
	uint8_t *data = malloc(sample_size);
	unsigned int reports;

	ck_assert_int_eq(digest(sample, sample_size, &reports), (int64_t)sample_records);
	ck_assert_uint_eq(reports, 0);
	memcpy(data, sample, sample_size);
	for (size_t i = 0; i < sample_size; i = next_byte(i)) {
		int64_t records;

		data[i] = changed(i);
		records = digest(data, sample_size, &reports);
		/* A change is noticed, or was in padding; a checksum never misses one byte. */
		ck_assert_msg(records == (int64_t)sample_records || reports || records < 0,
			      "byte %zu: records are missing and nothing is said", i);
		data[i] = sample[i];
	}
	free(data);
}
END_TEST

/* Make the checksums right, as far as the chunks can still be found. */
static void sign(uint8_t *data, size_t size)
{
	struct trace_file_header *file = (void *)data;
	size_t at = sizeof(*file);

	file->checksum = lkst_crc32c(file, offsetof(struct trace_file_header, checksum));
	while (at + sizeof(struct trace_chunk_header) <= size) {
		struct trace_chunk_header *chunk = (void *)(data + at);
		size_t room = size - at - sizeof(*chunk);

		if (chunk->length <= room)
			chunk->payload_checksum = lkst_crc32c(chunk + 1, chunk->length);
		chunk->checksum = lkst_crc32c(chunk, offsetof(struct trace_chunk_header, checksum));
		if (chunk->length > room)
			break;
		at += sizeof(*chunk) + trace_padded(chunk->length);
	}
}

START_TEST(test_changed_byte_signed)
{
	uint8_t *data = malloc(sample_size + 8);
	unsigned int reports;

	for (size_t i = 0; i < sample_size; i = next_byte(i)) {
		memcpy(data, sample, sample_size);
		data[i] = changed(i);
		sign(data, sample_size);
		digest(data, sample_size, &reports);
	}
	free(data);
}
END_TEST

START_TEST(test_random_damage)
{
	uint8_t *data = malloc(sample_size);
	uint32_t random = 1;
	unsigned int reports;

	for (int round = 0; round < 2000; round++) {
		memcpy(data, sample, sample_size);
		for (int n = round % 20; n >= 0; n--) {
			random = random * 1664525 + 1013904223;
			data[random % sample_size] = (uint8_t)(random >> 24);
		}
		if (round & 1)
			sign(data, sample_size);
		digest(data, sample_size, &reports);
	}
	free(data);
}
END_TEST

START_TEST(test_noise)
{
	uint8_t data[4096];
	uint32_t random = 7;
	unsigned int reports;

	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < sizeof(data); i++) {
			random = random * 1664525 + 1013904223;
			data[i] = (uint8_t)(random >> 24);
		}
		/* Behind a right file header */
		if (round & 1) {
			memcpy(data, sample, 32);
			ck_assert_int_eq(digest(data, sizeof(data), &reports), 0);
			ck_assert_uint_ge(reports, 1);
		} else {
			ck_assert_int_eq(digest(data, sizeof(data), &reports), -1);
		}
	}
}
END_TEST

START_TEST(test_etypes_text)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	size_t len;
	char *text = lkst_etypes_text(types, &len, &err);

	lkst_etypes_free(types);
	for (size_t i = 0; i < len && i < 1500; i++) {
		static const char change[] = { '"', '\\', '\n', ' ', '\0', ':', ',', '\377' };

		for (size_t k = 0; k < sizeof(change); k++) {
			char was = text[i];

			text[i] = change[k];
			types = lkst_etypes_parse(text, 1500, "T", &err);
			lkst_etypes_free(types);
			text[i] = was;
		}
		types = lkst_etypes_parse(text, i, "T", &err);
		lkst_etypes_free(types);
	}
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mutation");
	TCase *tc = tcase_create("mutation"), *oops = tcase_create("oops");

	tcase_set_timeout(tc, 300);
	tcase_add_checked_fixture(tc, setup, teardown);
	check_id(tc, test_changed_byte);
	check_id(tc, test_changed_byte_signed);
	check_id(tc, test_random_damage);
	check_id(tc, test_noise);
	check_id(tc, test_etypes_text);
	suite_add_tcase(suite, tc);
	tcase_set_timeout(oops, 300);
	tcase_add_checked_fixture(oops, setup_oops, teardown);
	check_id(oops, test_changed_byte);
	check_id(oops, test_changed_byte_signed);
	check_id(oops, test_random_damage);
	suite_add_tcase(suite, oops);
	return run_suite(suite);
}
