// SPDX-License-Identifier: GPL-2.0
/* Reading a trace: merging the records of all buffers, in both directions. */
#include "trace_case.h"

TESTS(.timeout = 120, .teardown = close_trace);

/* ---- the order of the events of several buffers ---- */

#define S 1000000000

/* Buffers whose records have consecutive recids and the given times, in ns. */
static const struct order {
	const char *name;
	struct times {
		int32_t cpu;
		lkst_buffer_id id;
		uint64_t first_recid;
		int num, time[5];
	} buffer[4];
	const char *expected; /* "cpu.buffer:time " for each event */
} orders[] = {
	{ "test_merge",
	  { { 0, 0, 0, 4, { 1, 5, 6, 20 } }, { 1, 0, 0, 5, { 2, 3, 7, 8, 9 } },
	    { 2, 0, 0, 1, { 4 } } },
	  "0.0:1 1.0:2 1.0:3 2.0:4 0.0:5 0.0:6 1.0:7 1.0:8 1.0:9 0.0:20 " },
	/*
	 * On CPU 0, the event at 10 has a lower recid than the one at 9, as can happen when an
	 * interrupt records events. The reader keeps the order of the recids.
	 */
	{ "test_interrupting_record",
	  { { 0, 0, 0, 4, { 1, 10, 9, 12 } }, { 1, 0, 0, 3, { 9, 10, 11 } } },
	  "0.0:1 1.0:9 0.0:10 0.0:9 1.0:10 1.0:11 0.0:12 " },
	{ "test_equal_times",
	  { { 1, 0, 0, 2, { 5, 5 } }, { 0, 1, 0, 2, { 5, 5 } }, { 0, 0, 0, 1, { 5 } } },
	  "0.1:5 0.1:5 0.0:5 1.0:5 1.0:5 " },
	/*
	 * A shift interrupted the writer of the record at 10, so the record at 9 is in the next
	 * buffer although its time is earlier.
	 */
	{ "test_buffers_of_one_cpu",
	  { { 0, 0, 4, 2, { 20, 21 } }, { 0, 1, 0, 2, { 1, 10 } }, { 0, 2, 2, 2, { 9, 11 } },
	    { 1, 0, 0, 2, { 9, 10 } } },
	  "0.1:1 1.0:9 0.1:10 0.2:9 1.0:10 0.2:11 0.0:20 0.0:21 " },
	/* The chunks that lkstlogd writes when it reads two buffers alternately. */
	{ "test_buffer_comes_again",
	  { { 0, 0, 0, 2, { 1, 2 } }, { 0, 1, 2, 2, { 3, 4 } }, { 0, 0, 5, 2, { 5, 6 } } },
	  "0.0:1 0.0:2 0.1:3 0.1:4 0.0:5 0.0:6 " },
	/* Times that go back by at most a second mean that an interrupt delayed a writer. */
	{ "test_clock_not_set_back",
	  { { 0, 0, 0, 1, { S } }, { 0, 1, 1, 2, { 1, 4 } }, { 1, 0, 0, 3, { 2, 3, S + 4 } } },
	  "1.0:2 1.0:3 0.0:1000000000 0.1:1 0.1:4 1.0:1000000004 " },
	/* If recids of a CPU appear twice, the reader orders the CPU's buffers by time. */
	{ "test_recids_twice",
	  { { 0, 1, 0, 2, { 10, 11 } }, { 0, 0, 0, 4, { 1, 2, 20, 21 } },
	    { 0, 1, 2, 2, { 12, 13 } } },
	  "0.0:1 0.0:2 0.1:10 0.1:11 0.1:12 0.1:13 0.0:20 0.0:21 " },
	{ "test_some_recids_twice", { { 0, 0, 0, 3, { 1, 5, 6 } }, { 0, 1, 2, 2, { 2, 7 } } },
	  "0.0:1 0.1:2 0.0:5 0.0:6 0.1:7 " },
};

static void open_order(const struct order *order)
{
	begin_trace(NULL);
	for (const struct times *b = order->buffer; b < order->buffer + 4 && b->num; b++) {
		struct lkst_log_record record[5];

		for (int i = 0; i < b->num; i++)
			record[i] = sample_record(b->cpu, b->first_recid + (uint64_t)i, b->time[i],
						  0x030, 1, NULL);
		put_records(b->cpu, b->id, record, (size_t)b->num);
	}
	open_trace(end_trace());
}

static void describe_time(const struct lkst_event *event, char *text)
{
	sprintf(text, "%d.%d:%d ", event->cpu, event->buffer, (int)event->time_ns);
}

TEST_ROWS(test_order, orders)
{
	open_order(&orders[_i]);
	check_events(describe_time, orders[_i].expected);
}

/* If times go back by more than a second, a clock was set back. */
TEST(test_clock_set_back)
{
	static const struct order order = {
		.buffer = { { 0, 0, 0, 1, { S + 3 } },
			    { 0, 1, 1, 2, { 1, 4 } },
			    { 1, 0, 0, 3, { 2, 3, S + 4 } } },
	};

	open_order(&order);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 6);
	ck_assert_int_eq(events[2].time_ns, S + 3);
	ck_assert_int_eq(events[4].time_ns, 4);
	ck_assert_uint_eq(read_all(LKST_NEWEST_FIRST), 6);
	ck_assert_int_eq(events[1].time_ns, 4);
}

/*
 * The second chunk has lower recids than the first one, although it is from a buffer with the same
 * number: the first buffer was deleted, and a new one was created. So the reader must list two
 * buffers. No recid occurs twice, so it must return the events in the order of their recids, and
 * not of their times.
 */
TEST(test_same_buffer_again)
{
	static const struct order order = {
		.buffer = { { 0, 0, 100, 2, { 1, 2 } }, { 0, 0, 0, 2, { 3, 4 } } },
	};

	open_order(&order);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	check_events(describe_time, "0.0:3 0.0:4 0.0:1 0.0:2 ");
}

TEST(test_many_chunks)
{
	const size_t records = 4096 * 3 + 5, num = 3 * records;

	open_trace(write_many(3, records));
	ck_assert_uint_eq(read_all(LKST_NEWEST_FIRST), num);
	for (size_t i = 0; i < num; i++)
		ck_assert_uint_eq(events[num - 1 - i].recid, i / 3);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), num);
	for (size_t i = 0; i < num; i++) {
		ck_assert_int_eq(events[i].time_ns, (int64_t)(i / 3 * 10 + i % 3));
		ck_assert_uint_eq(events[i].recid, i / 3);
	}
}

/*
 * Return the number of events in a part of the trace. The reader returns whole chunks, so some of
 * these events can be before @since_ns. Set @wanted to the number of the others.
 */
static size_t read_part(struct lkst_trace *of, int32_t cpu, int64_t since_ns, size_t *wanted)
{
	struct lkst_event event;
	size_t num = 0;

	*wanted = 0;
	ck_assert_int_eq(lkst_trace_rewind_part(of, cpu, since_ns, NULL), 0);
	for (; lkst_trace_next(of, &event, NULL) > 0; num++) {
		ck_assert(cpu < 0 || event.cpu == cpu);
		*wanted += event.time_ns >= since_ns;
	}
	return num;
}

/* A part leaves out other CPUs, and chunks of 4096 records whose records are all too old. */
TEST(test_part)
{
	const size_t records = 4096 * 3 + 5;
	size_t wanted;

	open_trace(write_many(3, records));
	ck_assert_uint_eq(read_part(trace, -1, INT64_MIN, &wanted), 3 * records);
	ck_assert_uint_eq(read_part(trace, 1, INT64_MIN, &wanted), records);
	ck_assert_uint_eq(wanted, records);
	ck_assert_uint_eq(read_part(trace, 5, INT64_MIN, &wanted), 0);
	ck_assert_uint_eq(read_part(trace, 1, (4096 * 2 + 7) * 10, &wanted), records - 4096 * 2);
	ck_assert_uint_eq(wanted, records - 4096 * 2 - 7);
	ck_assert_uint_eq(read_part(trace, -1, (int64_t)records * 10, &wanted), 0);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 3 * records);
}

/*
 * Each lane (the records of one CPU from all buffers and files) can be read separately, in both
 * orders, and also through a view.
 */
TEST(test_lane)
{
	const size_t records = 4096 + 5;
	struct lkst_trace *view;
	struct lkst_event event;

	open_trace(write_many(3, records));
	view = lkst_trace_view_new(trace, NULL);
	ck_assert_ptr_nonnull(view);
	ck_assert_uint_eq(lkst_trace_lanes(trace), 3);
	for (size_t lane = 0; lane < 3; lane++) {
		ck_assert_int_eq(lkst_trace_rewind_lane(trace, lane, LKST_OLDEST_FIRST, NULL), 0);
		ck_assert_int_eq(lkst_trace_rewind_lane(view, lane, LKST_NEWEST_FIRST, NULL), 0);
		for (size_t n = 0; n < records; n++) {
			ck_assert_int_eq(lkst_trace_next(trace, &event, NULL), 1);
			ck_assert_int_eq(event.cpu, (int)lane);
			ck_assert_uint_eq(event.recid, n);
			ck_assert_int_eq(lkst_trace_next(view, &event, NULL), 1);
			ck_assert_int_eq(event.cpu, (int)lane);
			ck_assert_uint_eq(event.recid, records - 1 - n);
		}
		ck_assert_int_eq(lkst_trace_next(trace, &event, NULL), 0);
		ck_assert_int_eq(lkst_trace_next(view, &event, NULL), 0);
	}
	lkst_trace_view_free(view);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 3 * records);
}

/* Two views and the trace itself are read alternately. */
TEST(test_views)
{
	const size_t records = 4096 + 5, num = 2 * records;
	struct lkst_trace *from[3];
	struct lkst_event event[3];

	open_trace(write_many(2, records));
	from[0] = trace;
	for (int i = 1; i < 3; i++)
		from[i] = lkst_trace_view_new(trace, NULL);
	for (int i = 0; i < 3; i++) {
		ck_assert_ptr_nonnull(from[i]);
		ck_assert_int_eq(lkst_trace_rewind(from[i], i == 1 ? LKST_NEWEST_FIRST :
								     LKST_OLDEST_FIRST, NULL), 0);
	}
	for (size_t n = 0; n < num; n++) {
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(lkst_trace_next(from[i], &event[i], NULL), 1);
		ck_assert_uint_eq(event[0].recid, n / 2);
		ck_assert_uint_eq(event[1].recid, (num - 1 - n) / 2);
		ck_assert_uint_eq(event[2].recid, n / 2);
		ck_assert_int_eq(event[2].cpu, event[0].cpu);
	}
	for (int i = 1; i < 3; i++) {
		ck_assert_int_eq(lkst_trace_next(from[i], &event[i], NULL), 0);
		lkst_trace_view_free(from[i]);
	}
}

/* ---- which registers an OOPS_REGS record contains ---- */

/*
 * Store the number of an OOPS_REGS record as text, or "?" if the number is unknown. The numbers
 * start at 0 after each oops event. Other events must have no number.
 */
static void describe_number(const struct lkst_event *event, char *text)
{
	if (event->type == LKST_ETYPE_OOPS_REGS)
		sprintf(text, event->nth == LKST_NTH_UNKNOWN ? "?" : "%u", event->nth);
	else
		ck_assert_uint_eq(event->nth, LKST_NTH_UNKNOWN);
}

TEST(test_registers)
{
	open_trace(sample_oops_fd());
	ck_assert_str_eq(reports, "");
	check_events(describe_number, "?012345");
}

#define R     LKST_ETYPE_OOPS_REGS
#define DIE   LKST_ETYPE_OOPS_DIE
#define ENTRY LKST_ETYPE_SYSCALL_ENTRY

/* Records, each in its own chunk, and the number that each OOPS_REGS record should get. */
static const struct {
	const char *name;
	struct {
		uint64_t recid;
		uint32_t type;
		int32_t cpu;
	} record[10];
	const char *numbers;
} runs[] = {
	/* The numbers begin at 0 after each kind of oops. */
	{ "test_registers_of_each_oops",
	  { { 1, DIE, 0 }, { 2, R, 0 }, { 3, R, 0 }, { 4, LKST_ETYPE_OOPS_PANIC, 0 }, { 5, R, 0 },
	    { 6, LKST_ETYPE_OOPS_WARN, 0 }, { 7, R, 0 }, { 8, LKST_ETYPE_OOPS_LOCKUP, 0 },
	    { 9, R, 0 }, { 10, R, 0 } }, "010001" },
	/*
	 * Other events between OOPS_REGS records have no effect. After a missing record, the
	 * numbers are unknown until the next oops event.
	 */
	{ "test_registers_missing",
	  { { 1, DIE, 0 }, { 2, R, 0 }, { 3, ENTRY, 0 }, { 4, R, 0 }, { 6, R, 0 }, { 7, DIE, 0 },
	    { 8, R, 0 } }, "01?0" },
	{ "test_registers_of_another_cpu", { { 1, DIE, 0 }, { 2, R, 0 }, { 3, R, 1 } }, "0?" },
	{ "test_registers_before_oops",
	  { { 1, R, 0 }, { 2, R, 0 }, { 3, DIE, 0 }, { 4, R, 0 } }, "??0" },
};

TEST_ROWS(test_register_runs, runs)
{
	begin_trace(NULL);
	for (int i = 0; i < 10 && runs[_i].record[i].recid; i++) {
		const uint64_t recid = runs[_i].record[i].recid;
		const int32_t cpu = runs[_i].record[i].cpu;
		const struct lkst_log_record record =
			sample_record(cpu, recid, (int64_t)recid, runs[_i].record[i].type, 1, NULL);

		put_records(cpu, 0, &record, 1);
	}
	open_trace(end_trace());
	check_events(describe_number, runs[_i].numbers);
}
