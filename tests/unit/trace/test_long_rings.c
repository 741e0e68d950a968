// SPDX-License-Identifier: GPL-2.0
/*
 * The long rings in a trace: a reader returns either only their records, or only those of the
 * buffers.
 */
#include "lib/device/run.h"
#include "trace_case.h"

static const struct lkst_trace_hooks long_hooks = {
	.report = NULL,
	.flags = LKST_TRACE_LONG_RINGS,
};

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
	int fd = write_both(_i);

	close_trace();
	trace = lkst_trace_open_fd(fd, "T", &long_hooks, &err);
	assert_made(trace);
	check_read(7, LKST_ETYPE_PROCESS_EXIT, 20);
}

/* With LKST_TRACE_LONG_RINGS, a trace without long rings has no records. */
TEST(test_none)
{
	int fd = write_many(2, 100);

	close_trace();
	trace = lkst_trace_open_fd(fd, "T", &long_hooks, &err);
	assert_made(trace);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 0);
}
