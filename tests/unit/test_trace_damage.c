// SPDX-License-Identifier: GPL-2.0
/* Reading a trace that is damaged, cut off, or tells lies. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "sample.h"
#include "tap.h"
#include "trace_case.h"

START_TEST(test_cut_off_in_records)
{
	int fd = write_many(2, 4096 + 100);
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;
	struct trace_chunk_header *chunk;

	read_file(fd, &data, &size);
	/* 10 and a half records of CPU 1's second chunk are left. */
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 3);
	ck_assert_int_eq(ftruncate(fd, (uint8_t *)chunk - data + 32 + 128 + 10 * 112 + 56), 0);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 4096 + 100 + 4096 + 10);
	ck_assert_ptr_nonnull(
		strstr(reports, "CPU 1, buffer 0: of the last 100 records 10 are there"));
	ck_assert_ptr_nonnull(strstr(reports, "8302 records are there"));
	lkst_trace_close(trace);
	free(data);
	close(fd);
}
END_TEST

START_TEST(test_cut_off_anywhere)
{
	int fd = sample_fd();
	uint64_t last = 0;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	for (size_t cut = 0; cut < size; cut++) {
		int part = write_file(data, cut);
		struct lkst_error err = { 0 };
		struct lkst_trace *trace;

		reports[0] = 0;
		trace = lkst_trace_open_fd(part, "T", &hooks, &err);
		if (cut < sizeof(struct trace_file_header)) {
			ck_assert_ptr_null(trace);
			ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
		} else {
			ck_assert_msg(trace != NULL, "%zu: %s", cut, err.text);
			/* More of the file is never fewer records; without END it says so. */
			ck_assert_uint_ge(lkst_trace_records(trace), last);
			last = lkst_trace_records(trace);
			ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), last);
			ck_assert_msg(strstr(reports, "cut off after") != NULL, "%zu", cut);
			ck_assert(lkst_trace_incomplete(trace));
			lkst_trace_close(trace);
		}
		close(part);
	}
	ck_assert_uint_eq(last, SAMPLE_RECORDS);
	free(data);
}
END_TEST

START_TEST(test_cut_off_in_context)
{
	int fd = sample_oops_fd();
	struct trace_chunk_header *chunk;
	struct lkst_symbol symbol;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	/* Of the symbols, the first and half of the second are left. */
	read_file(fd, &data, &size);
	chunk = find_chunk(data, size, TRACE_SYMBOLS, 0);
	size = (size_t)((uint8_t *)(chunk + 1) - data) + chunk->length - 20;
	ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	ck_assert(lkst_symbols_find(lkst_trace_context(trace)->symbols, SAMPLE_CODE, &symbol));
	ck_assert(!lkst_symbols_find(lkst_trace_context(trace)->symbols, SAMPLE_CODE + 0x100,
				     &symbol));
	ck_assert_ptr_nonnull(strstr(reports, "cut off after"));
	ck_assert_ptr_null(strstr(reports, "symbols"));
	lkst_trace_close(trace);
	/* Wherever it is cut, what is left is read. */
	for (size_t cut = size; cut-- > sizeof(struct trace_file_header);) {
		ck_assert_int_eq(ftruncate(fd, (off_t)cut), 0);
		trace = open_fd(fd);
		ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), lkst_trace_records(trace));
		ck_assert_ptr_null(strstr(reports, "are shown"));
		lkst_trace_close(trace);
	}
	close(fd);
	free(data);
}
END_TEST

/* A byte that makes the text wrong, with the checksum right: numbers are shown. */
START_TEST(test_bad_context)
{
	static const struct {
		int type;
		size_t at;
		const char *says;
	} bad[] = {
		{ TRACE_VALUES, 3, "not a list of values" },
		{ TRACE_VALUES, 20, "names of values:2: " },
		{ TRACE_SYMBOLS, 3, "not a list of symbols" },
		{ TRACE_SYMBOLS, 20, "symbols:2: address expected" },
	};
	int fd = sample_oops_fd();
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, bad[_i].type, 0);
	((char *)(chunk + 1))[bad[_i].at] = 'x';
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	ck_assert_msg(strstr(reports, bad[_i].says) && strstr(reports, "are shown"), "%s", reports);
	ck_assert(lkst_trace_incomplete(trace));
	ck_assert_int_eq(!lkst_trace_context(trace)->values, bad[_i].type == TRACE_VALUES);
	ck_assert_int_eq(!lkst_trace_context(trace)->symbols, bad[_i].type == TRACE_SYMBOLS);
	lkst_trace_close(trace);
	close(fd);
	/* Without a checksum that is right it is not even looked at. */
	((char *)(chunk + 1))[bad[_i].at] = '!';
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	ck_assert_ptr_nonnull(strstr(reports, "damaged (checksum)"));
	ck_assert_ptr_null(strstr(reports, bad[_i].says));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_damaged_chunk)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 1);
	((uint8_t *)(chunk + 1))[200] ^= 1;
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "chunk of type 5"));
	ck_assert_ptr_nonnull(strstr(reports, "checksum"));
	ck_assert_ptr_nonnull(strstr(reports, "18 records are there, of 24 that were written"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_damaged_chunk_header)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 1);
	chunk->length = 5;
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "damaged from byte"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_unknown_and_compressed_chunks)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_PROCESSES, 0);
	chunk->type = 77;
	sign(chunk);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 2);
	chunk->compression = 1;
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "type 77"));
	ck_assert_ptr_nonnull(strstr(reports, "damaged (zstd)"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_lying_buffer_header)
{
	int fd = sample_fd();
	struct trace_buffer_header *head;
	struct trace_chunk_header *chunk;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 0);
	head = (void *)(chunk + 1);
	switch (_i) {
	case 0:
		head->count = 7;
		break;
	case 1:
		head->count = UINT64_MAX;
		break;
	case 2:
		head->record_size = 0;
		break;
	case 3:
		head->record_size = 64; /* then 10 would fit; 6 are claimed */
		head->count = 11;
		break;
	case 4:
		head->cpu = -2;
		break;
	case 5:
		head->count = 4097;
		break;
	}
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS - 6);
	ck_assert_ptr_nonnull(strstr(reports, "records at byte"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_strange_cpus)
{
	/* CPUs beyond those that are told apart, in the buffer's header and in a record. */
	static const int32_t cpus[] = { 8191, 8192, INT32_MAX };
	int fd = sample_fd();
	struct trace_buffer_header *head;
	struct trace_chunk_header *chunk;
	struct lkst_log_record *record;
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 0);
	head = (void *)(chunk + 1);
	head->cpu = cpus[_i];
	sign(chunk);
	chunk = find_chunk(data, size, TRACE_RECORDS_STD, 1);
	head = (void *)(chunk + 1);
	record = (void *)(head + 1);
	head->cpu = -1;
	head->buffer = LKST_BUFFER_ID_VOID;
	record->posix.log_processor = cpus[_i];
	record[1].posix.log_processor = -5;
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	ck_assert_int_eq(lkst_trace_has_cpu(trace, cpus[_i]), cpus[_i] < 8192);
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_no_etypes)
{
	int fd = sample_fd();
	struct trace_chunk_header *chunk;
	struct lkst_etypes *types;
	struct lkst_trace *trace;
	struct lkst_error err;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	chunk = find_chunk(data, size, TRACE_ETYPES, 0);
	((char *)(chunk + 1))[3] = '!';
	sign(chunk);
	fd = write_file(data, size);
	trace = open_fd(fd);
	types = lkst_trace_etypes(trace, &err);
	ck_assert_ptr_nonnull(types);
	ck_assert_ptr_nonnull(strstr(reports, "those of this tool are used"));
	ck_assert_str_eq(lkst_etype(types, 0x030)->name, "system_call_entry");
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_damage");
	TCase *tc = tcase_create("trace_damage");

	tcase_set_timeout(tc, 120);
	check_id(tc, test_cut_off_in_records);
	check_id(tc, test_cut_off_anywhere);
	check_id(tc, test_cut_off_in_context);
	tcase_add_loop_test(tc, test_bad_context, 0, 4);
	check_id(tc, test_damaged_chunk);
	check_id(tc, test_damaged_chunk_header);
	check_id(tc, test_unknown_and_compressed_chunks);
	tcase_add_loop_test(tc, test_lying_buffer_header, 0, 6);
	tcase_add_loop_test(tc, test_strange_cpus, 0, 3);
	check_id(tc, test_no_etypes);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
