// SPDX-License-Identifier: GPL-2.0
/* Reading a trace: the records of all buffers in order, both ways. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "room.h"
#include "sample.h"
#include "tap.h"
#include "trace_case.h"

START_TEST(test_newest_first_is_the_reverse)
{
	struct lkst_event *oldest = room(EVENTS_MAX * sizeof(*oldest));
	int fd = sample_fd();
	struct lkst_trace *trace = open_fd(fd);
	size_t num = read_all(trace, LKST_OLDEST_FIRST);

	memcpy(oldest, events, num * sizeof(*events));
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), num);
	for (size_t i = 0; i < num; i++)
		ck_assert_mem_eq(&events[i], &oldest[num - 1 - i], sizeof(*events));
	room_free(oldest, EVENTS_MAX * sizeof(*oldest));
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

/* Buffers with given recids and times, to see how they merge. */
struct times {
	int32_t cpu;
	lkst_buffer_id id;
	uint64_t first_recid;
	size_t num;
	const int *time;
};

static int write_times(const struct times *buffers, size_t num)
{
	const uint64_t arg[4] = { 0 };
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);
	struct lkst_trace_writer *writer = lkst_trace_writer_fd(fd, "times", &err);

	for (size_t b = 0; b < num; b++) {
		struct lkst_log_buffer buffer = sample_buffer(buffers[b].cpu, buffers[b].id);
		struct lkst_log_record record[16];

		for (size_t i = 0; i < buffers[b].num; i++)
			record[i] = sample_record(buffers[b].cpu, buffers[b].first_recid + i,
						  buffers[b].time[i], 0x030, 1, arg);
		ck_assert_int_eq(
			lkst_trace_write_records(writer, &buffer, record, buffers[b].num, &err), 0);
	}
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	return fd;
}

/* cpu/buffer/time of all events, both ways. */
static void check_order(const struct times *buffers, size_t num, const char *expected)
{
	int fd = write_times(buffers, num);
	struct lkst_trace *trace = open_fd(fd);
	char text[1024] = "", back[1024] = "", one[64];
	size_t n = read_all(trace, LKST_OLDEST_FIRST);

	for (size_t i = 0; i < n; i++) {
		snprintf(one, sizeof(one), "%d.%d:%d ", events[i].cpu, events[i].buffer,
			 (int)events[i].time_ns);
		strcat(text, one);
	}
	ck_assert_str_eq(text, expected);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), n);
	for (size_t i = n; i-- > 0;) {
		snprintf(one, sizeof(one), "%d.%d:%d ", events[i].cpu, events[i].buffer,
			 (int)events[i].time_ns);
		strcat(back, one);
	}
	ck_assert_str_eq(back, expected);
	lkst_trace_close(trace);
	close(fd);
}

#define TIMES_FROM(c, b, first, ...)                                               \
	{                                                                          \
		c, b, first, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (int[]) \
		{                                                                  \
			__VA_ARGS__                                                \
		}                                                                  \
	}
#define TIMES(c, b, ...) TIMES_FROM(c, b, 0, __VA_ARGS__)

START_TEST(test_merge)
{
	const struct times buffers[] = {
		TIMES(0, 0, 1, 5, 6, 20),
		TIMES(1, 0, 2, 3, 7, 8, 9),
		TIMES(2, 0, 4),
	};

	check_order(buffers, 3, "0.0:1 1.0:2 1.0:3 2.0:4 0.0:5 0.0:6 1.0:7 1.0:8 1.0:9 0.0:20 ");
}
END_TEST

START_TEST(test_interrupting_record)
{
	/* 0.0:10 was interrupted by 9, which was begun later: recid order stays. */
	const struct times buffers[] = {
		TIMES(0, 0, 1, 10, 9, 12),
		TIMES(1, 0, 9, 10, 11),
	};

	check_order(buffers, 2, "0.0:1 1.0:9 0.0:10 0.0:9 1.0:10 1.0:11 0.0:12 ");
}
END_TEST

START_TEST(test_equal_times)
{
	const struct times buffers[] = {
		TIMES(1, 0, 5, 5),
		TIMES(0, 1, 5, 5),
		TIMES(0, 0, 5),
	};

	check_order(buffers, 3, "0.1:5 0.1:5 0.0:5 1.0:5 1.0:5 ");
}
END_TEST

START_TEST(test_buffers_of_one_cpu)
{
	/* The record of 9 was begun after a shift that had interrupted the one of 10. */
	const struct times buffers[] = {
		TIMES_FROM(0, 0, 4, 20, 21),
		TIMES_FROM(0, 1, 0, 1, 10),
		TIMES_FROM(0, 2, 2, 9, 11),
		TIMES_FROM(1, 0, 0, 9, 10),
	};

	check_order(buffers, 4, "0.1:1 1.0:9 0.1:10 0.2:9 1.0:10 0.2:11 0.0:20 0.0:21 ");
}
END_TEST

START_TEST(test_buffer_comes_again)
{
	/* As a daemon writes them, that reads a ring of two. */
	const struct times buffers[] = {
		TIMES_FROM(0, 0, 0, 1, 2),
		TIMES_FROM(0, 1, 2, 3, 4),
		TIMES_FROM(0, 0, 5, 5, 6),
	};

	check_order(buffers, 3, "0.0:1 0.0:2 0.1:3 0.1:4 0.0:5 0.0:6 ");
}
END_TEST

START_TEST(test_clock_set_back)
{
	/* Further than what an interrupt can hold up: the time of before is forgotten. */
	enum {
		S = 1000000000
	};
	const struct times buffers[] = {
		TIMES_FROM(0, 0, 0, S + 3),
		TIMES_FROM(0, 1, 1, 1, 4),
		TIMES_FROM(1, 0, 0, 2, 3, S + 4),
	};
	const struct times less[] = {
		TIMES_FROM(0, 0, 0, S),
		TIMES_FROM(0, 1, 1, 1, 4),
		TIMES_FROM(1, 0, 0, 2, 3, S + 4),
	};
	int fd = write_times(buffers, 3);
	struct lkst_trace *trace = open_fd(fd);

	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 6);
	ck_assert_int_eq(events[2].time_ns, S + 3);
	ck_assert_int_eq(events[4].time_ns, 4);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), 6);
	ck_assert_int_eq(events[1].time_ns, 4);
	lkst_trace_close(trace);
	close(fd);
	check_order(less, 3, "1.0:2 1.0:3 0.0:1000000000 0.1:1 0.1:4 1.0:1000000004 ");
}
END_TEST

START_TEST(test_recids_twice)
{
	/* Recids of one CPU that are there twice tell nothing: then it is by time. */
	const struct times buffers[] = {
		TIMES(0, 1, 10, 11),
		TIMES(0, 0, 1, 2, 20, 21),
		TIMES_FROM(0, 1, 2, 12, 13),
	};
	const struct times partly[] = {
		TIMES(0, 0, 1, 5, 6),
		TIMES_FROM(0, 1, 2, 2, 7),
	};

	check_order(buffers, 3, "0.0:1 0.0:2 0.1:10 0.1:11 0.1:12 0.1:13 0.0:20 0.0:21 ");
	check_order(partly, 2, "0.0:1 0.1:2 0.0:5 0.0:6 0.1:7 ");
}
END_TEST

START_TEST(test_same_buffer_again)
{
	/* Recids that begin again: a buffer of the same number, created anew. */
	const struct times buffers[] = {
		TIMES(0, 0, 1, 2),
		TIMES(1, 0, 3, 9),
	};
	struct lkst_trace *trace;
	struct lkst_error err;
	int fd = write_times(buffers, 2), fd2 = lkst_temporary_file(&err);
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	/* The first buffer's chunk a second time, later in the file, with earlier recids. */
	struct trace_chunk_header *chunk = find_chunk(data, size, TRACE_RECORDS_STD, 0);
	struct trace_buffer_header *head = (void *)(chunk + 1);
	size_t len = sizeof(*chunk) + trace_padded(chunk->length);
	size_t before = (size_t)((uint8_t *)chunk - data);
	uint8_t copy[4096];

	memcpy(copy, chunk, len);
	head->first_recid = 100;
	sign(chunk);
	ck_assert_int_eq(pwrite(fd2, data, before + len, 0), (ssize_t)(before + len));
	ck_assert_int_eq(pwrite(fd2, copy, len, (off_t)(before + len)), (ssize_t)len);
	trace = open_fd(fd2);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 4);
	lkst_trace_close(trace);
	free(data);
	close(fd);
	close(fd2);
}
END_TEST

START_TEST(test_many_chunks)
{
	int fd = write_many(3, 4096 * 3 + 5);
	struct lkst_trace *trace = open_fd(fd);
	size_t num = read_all(trace, LKST_OLDEST_FIRST);

	ck_assert_uint_eq(num, 3 * (4096 * 3 + 5));
	for (size_t i = 0; i < num; i++) {
		ck_assert_int_eq(events[i].time_ns, (int64_t)(i / 3 * 10 + i % 3));
		ck_assert_uint_eq(events[i].recid, i / 3);
	}
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), num);
	for (size_t i = 0; i < num; i++)
		ck_assert_uint_eq(events[num - 1 - i].recid, i / 3);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

/* ---- which registers a record of OOPS_REGS has ---- */

/* The numbers of the records of OOPS_REGS, one digit each, "?" where it is not known. */
static void check_numbers(struct lkst_trace *trace, const char *expected)
{
	char text[64], back[64] = "", *p = text;
	size_t num = read_all(trace, LKST_OLDEST_FIRST), n;

	for (size_t i = 0; i < num; i++) {
		if (events[i].type == LKST_ETYPE_OOPS_REGS)
			*p++ = events[i].nth == LKST_NTH_UNKNOWN ? '?' :
								   (char)('0' + events[i].nth);
		else
			ck_assert_uint_eq(events[i].nth, LKST_NTH_UNKNOWN);
	}
	*p = 0;
	ck_assert_str_eq(text, expected);
	n = (size_t)(p - text);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), num);
	for (size_t i = 0; i < num; i++)
		if (events[i].type == LKST_ETYPE_OOPS_REGS)
			back[--n] = events[i].nth == LKST_NTH_UNKNOWN ? '?' :
									(char)('0' + events[i].nth);
	ck_assert_str_eq(back, expected);
}

START_TEST(test_registers)
{
	int fd = sample_oops_fd();
	struct lkst_trace *trace = open_fd(fd);

	ck_assert_str_eq(reports, "");
	check_numbers(trace, "?012345");
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

#define R LKST_ETYPE_OOPS_REGS

/* Recids, types and CPUs of records in chunks of one each. */
static const struct {
	struct {
		uint64_t recid;
		uint32_t type;
		int32_t cpu;
	} record[10];
	const char *numbers;
} runs[] = {
	/* each kind of oops has registers of its own */
	{ { { 1, LKST_ETYPE_OOPS_DIE, 0 },
	    { 2, R, 0 },
	    { 3, R, 0 },
	    { 4, LKST_ETYPE_OOPS_PANIC, 0 },
	    { 5, R, 0 },
	    { 6, LKST_ETYPE_OOPS_WARN, 0 },
	    { 7, R, 0 },
	    { 8, LKST_ETYPE_OOPS_LOCKUP, 0 },
	    { 9, R, 0 },
	    { 10, R, 0 } },
	  "010001" },
	/* what is between them does not count; a record that is missing does */
	{ { { 1, LKST_ETYPE_OOPS_DIE, 0 },
	    { 2, R, 0 },
	    { 3, LKST_ETYPE_SYSCALL_ENTRY, 0 },
	    { 4, R, 0 },
	    { 6, R, 0 },
	    { 7, LKST_ETYPE_OOPS_DIE, 0 },
	    { 8, R, 0 } },
	  "01?0" },
	/* another CPU's */
	{ { { 1, LKST_ETYPE_OOPS_DIE, 0 }, { 2, R, 0 }, { 3, R, 1 } }, "0?" },
	/* at the start of a buffer */
	{ { { 1, R, 0 }, { 2, R, 0 }, { 3, LKST_ETYPE_OOPS_DIE, 0 }, { 4, R, 0 } }, "??0" },
};

START_TEST(test_register_runs)
{
	const uint64_t arg[4] = { 0 };
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);
	struct lkst_trace_writer *writer = lkst_trace_writer_fd(fd, "runs", &err);
	struct lkst_trace *trace;

	for (int i = 0; i < 10 && runs[_i].record[i].recid; i++) {
		uint64_t recid = runs[_i].record[i].recid;
		int32_t cpu = runs[_i].record[i].cpu;
		struct lkst_log_buffer buffer = sample_buffer(cpu, 0);
		struct lkst_log_record record =
			sample_record(cpu, recid, (int64_t)recid, runs[_i].record[i].type, 1, arg);

		ck_assert_int_eq(lkst_trace_write_records(writer, &buffer, &record, 1, &err), 0);
	}
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	trace = open_fd(fd);
	check_numbers(trace, runs[_i].numbers);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_merge");
	TCase *tc = tcase_create("trace_merge");

	tcase_set_timeout(tc, 120);
	check_id(tc, test_newest_first_is_the_reverse);
	check_id(tc, test_merge);
	check_id(tc, test_interrupting_record);
	check_id(tc, test_equal_times);
	check_id(tc, test_buffers_of_one_cpu);
	check_id(tc, test_buffer_comes_again);
	check_id(tc, test_clock_set_back);
	check_id(tc, test_recids_twice);
	check_id(tc, test_same_buffer_again);
	check_id(tc, test_many_chunks);
	check_id(tc, test_registers);
	tcase_add_loop_test(tc, test_register_runs, 0, sizeof(runs) / sizeof(*runs));
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
