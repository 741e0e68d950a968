// SPDX-License-Identifier: GPL-2.0
/*
 * The long rings in a trace: a reader returns either only their records, or only those of the
 * buffers.
 */
#include "dir.h"
#include "lib/device/run.h"
#include "trace_case.h"

/* Write a run of @num records of CPU 1, whose recids begin at @recid, with a hole in the middle. */
static void put_run(lkst_buffer_id buffer, uint64_t recid, size_t num, uint16_t type)
{
	struct lkst_event_record record[8] = { 0 };
	const struct lkst_run run = {
		.cpu = 1,
		.buffer = buffer,
		.clock = LKST_CLOCK_NS,
		.first_recid = recid,
		.num = num,
		.record = record,
		.monotonic_ns = 1000,
		.xtime_ns = SAMPLE_NS + 1000,
		.tsc = 1000,
		.freq_khz = 1000000,
	};

	ck_assert_uint_le(num, sizeof(record) / sizeof(*record));
	for (size_t i = 0; i < num; i++)
		if (i != num / 2)
			record[i] = (struct lkst_event_record){ .clock = 1000 + i * 10,
								.event_type = type };
	ck_assert_int_eq(lkst_trace_write_run(writer, &run, &err), 0);
}

static int write_both(bool compress)
{
	begin_trace(NULL);
	if (compress)
		ck_assert_int_eq(lkst_trace_writer_compress(writer, &err), 0);
	put_run(0, 500, 4, LKST_ETYPE_USER_MARK);
	put_run(LKST_BUFFER_ID_LONG, 20, 8, LKST_ETYPE_PROCESS_EXIT);
	put_run(0, 504, 4, LKST_ETYPE_USER_MARK);
	return end_trace();
}

static void check_read(size_t num, uint32_t type, uint64_t first)
{
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), num);
	for (size_t i = 0; i < num; i++) {
		ck_assert_uint_eq(events[i].type, type);
		ck_assert_int_eq(events[i].cpu, 1);
		ck_assert_int_ge(events[i].time_ns, SAMPLE_NS + 1000);
	}
	ck_assert_uint_eq(events[0].recid, first);
	ck_assert(!lkst_trace_incomplete(trace));
}

/* By default, the long rings are skipped without a report. END does not count their records. */
TEST_LOOP(test_without, 2)
{
	open_trace(write_both(_i));
	check_read(6, LKST_ETYPE_USER_MARK, 500);
	ck_assert_str_eq(reports, "");
}

/* With LKST_TRACE_LONG_RINGS, only the records of the long rings are read. */
TEST_LOOP(test_only, 2)
{
	open_long(write_both(_i));
	check_read(7, LKST_ETYPE_PROCESS_EXIT, 20);
	ck_assert_str_eq(reports, "");
}

/* With LKST_TRACE_LONG_RINGS, a trace without long rings has no records. */
TEST(test_none)
{
	open_long(write_many(2, 100));
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 0);
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert_str_eq(reports, "");
}

/* The file may be from a machine of the opposite byte order. */
TEST(test_swapped)
{
	load_file(write_both(false));
	swap_file();
	open_file();
	check_read(6, LKST_ETYPE_USER_MARK, 500);
	open_long(new_file(file.data, file.size));
	check_read(7, LKST_ETYPE_PROCESS_EXIT, 20);
	ck_assert_str_eq(reports, "");
}

/* Records of either size can be in a chunk of a long ring. */
TEST(test_large_records)
{
	const struct lkst_log_record record[] = {
		sample_record(1, 20, SAMPLE_NS + 1000, LKST_ETYPE_PROCESS_EXIT, 1, NULL),
		sample_record(1, 21, SAMPLE_NS + 1010, LKST_ETYPE_PROCESS_EXIT, 1, NULL),
	};
	struct lkst_chunk_header *chunk;

	begin_trace(NULL);
	put_records(1, LKST_BUFFER_ID_LONG, record, 2);
	load_file(end_trace());
	chunk = find_chunk(TRACE_RECORDS_STD, 0);
	chunk->type = TRACE_RECORDS_LONG;
	sign(chunk);
	open_long(new_file(file.data, file.size));
	check_read(2, LKST_ETYPE_PROCESS_EXIT, 20);
	ck_assert_str_eq(reports, "");
}

/* Two files have the records of one ring. Those that both files have are read once. */
TEST(test_two_files)
{
	const struct lkst_trace_hooks with = { .report = hooks.report,
					       .flags = LKST_TRACE_LONG_RINGS };
	char *path[2];

	dir_make();
	for (int i = 0; i < 2; i++) {
		path[i] = strdup(dir_path(i ? "b" : "a"));
		begin_trace(path[i]);
		assert_ok(lkst_trace_write_system(writer, "boot_id=1\nlkst=2\n", &err));
		put_run(LKST_BUFFER_ID_LONG, 20, i ? 8 : 4, LKST_ETYPE_PROCESS_EXIT);
		put_run(0, 500 + (uint64_t)i * 4, 4, LKST_ETYPE_USER_MARK);
		end_trace();
	}
	open_paths((const char *const *)path, 2);
	check_read(6, LKST_ETYPE_USER_MARK, 500);
	close_trace();
	trace = lkst_trace_open_files((const char *const *)path, 2, &with, &err);
	assert_made(trace);
	check_read(7, LKST_ETYPE_PROCESS_EXIT, 20);
	ck_assert_str_eq(reports, "");
	close_trace();
	dir_remove();
	free(path[0]);
	free(path[1]);
}

/*
 * A file ends within a chunk of a kind that is not wanted, and another trace was appended to it.
 * The reader finds where the other trace begins, and does not read it.
 */
TEST_LOOP(test_truncated, 4)
{
	const bool wanted = _i & 1, compressed = _i & 2;
	size_t len;
	int fd;

	load_file(write_both(compressed));
	len = (size_t)((uint8_t *)find_chunk(wanted ? TRACE_RECORDS_RAW : TRACE_RECORDS_LONG, 0) -
		       file.data) + sizeof(struct lkst_chunk_header) + 40;
	fd = new_file(file.data, len);
	load_file(write_many(2, 100));
	ck_assert_int_eq(pwrite(fd, file.data, file.size, (off_t)len), (ssize_t)file.size);
	if (wanted)
		open_long(fd);
	else
		open_trace(fd);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), wanted ? 0 : 3);
	ck_assert(lkst_trace_incomplete(trace));
	assert_contains(reports, "another trace follows");
}
