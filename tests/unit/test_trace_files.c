// SPDX-License-Identifier: GPL-2.0
/* RAW records' times, and several files as one trace. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/crc32c.h"
#include "lib/etype_ids.h"
#include "log_case.h"
#include "sample.h"
#include "tap.h"
#include "trace_case.h"

#define SECOND 1000000000ll

static struct lkst_error err;

/* ---- files made by hand ---- */

/* A file of this boot, or of none; more is appended. */
static struct lkst_trace_writer *begin(const char *name, const char *boot)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_create(log_path(name), &err);
	char text[100];

	ck_assert_msg(writer != NULL, "%s", err.text);
	snprintf(text, sizeof(text), "kernel=Linux\nboot_id=%s\n", boot);
	ck_assert_int_eq(lkst_trace_write_system(writer, text, &err), 0);
	return writer;
}

static void end(struct lkst_trace_writer *writer)
{
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
}

/* Events of a CPU with these recids, a second apart from @ns on. */
static void put_std(struct lkst_trace_writer *writer, int32_t cpu, uint64_t first, size_t num,
		    int64_t ns)
{
	const uint64_t arg[4] = { 0 };
	struct lkst_log_buffer buffer = sample_buffer(cpu, 0);
	struct lkst_log_record record[16];

	for (size_t i = 0; i < num; i++)
		record[i] = sample_record(cpu, first + i, ns + (int64_t)(first + i) * SECOND, 0x030,
					  100, arg);
	ck_assert_int_eq(lkst_trace_write_records(writer, &buffer, record, num, &err), 0);
}

/* Opens some of the files "a", "b" and so on, in this order. */
static struct lkst_trace *open_files(const char *names)
{
	const char *path[8];
	struct lkst_trace *trace;
	size_t num = 0;

	for (; names[num]; num++) {
		const char name[2] = { names[num], 0 };

		path[num] = strdup(log_path(name));
	}
	reports[0] = 0;
	trace = lkst_trace_open_files(path, num, &hooks, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert_uint_eq(lkst_trace_sources(trace), num);
	while (num--)
		free((char *)path[num]);
	return trace;
}

/* "cpu:recid/source " of all events, and the other way round the reverse. */
static void check_events(struct lkst_trace *trace, const char *expected)
{
	char text[1024] = "", back[1024] = "", one[64];
	size_t num = read_all(trace, LKST_OLDEST_FIRST);

	for (size_t i = 0; i < num; i++) {
		snprintf(one, sizeof(one), "%d:%d/%u ", events[i].cpu, (int)events[i].recid,
			 events[i].source);
		strcat(text, one);
	}
	ck_assert_str_eq(text, expected);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), num);
	for (size_t i = num; i-- > 0;) {
		snprintf(one, sizeof(one), "%d:%d/%u ", events[i].cpu, (int)events[i].recid,
			 events[i].source);
		strcat(back, one);
	}
	ck_assert_str_eq(back, expected);
}

START_TEST(test_one_lane)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;

	/* Later recids in the first file; times that would mix them. */
	writer = begin("a", "X");
	put_std(writer, 0, 4, 2, -3 * SECOND / 2);
	end(writer);
	writer = begin("b", "X");
	put_std(writer, 0, 1, 3, 0);
	put_std(writer, 1, 0, 2, SECOND / 2);
	end(writer);
	trace = open_files("ab");
	ck_assert_str_eq(reports, "");
	check_events(trace, "1:0/1 0:1/1 1:1/1 0:2/1 0:3/1 0:4/0 0:5/0 ");
	ck_assert_uint_eq(lkst_trace_records(trace), 7);
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_duplicates)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;

	writer = begin("a", "X");
	put_std(writer, 0, 0, 4, 0);
	put_std(writer, 0, 4, 2, 0);
	end(writer);
	writer = begin("b", "X");
	put_std(writer, 0, 2, 3, 0);
	put_std(writer, 0, 8, 1, 0);
	end(writer);
	/* 6 is missing in both, 7 in all but this one. */
	writer = begin("c", "X");
	put_std(writer, 0, 3, 1, 0);
	put_std(writer, 0, 5, 1, 0);
	put_std(writer, 0, 7, 2, 0);
	end(writer);
	trace = open_files("abc");
	check_events(trace, "0:0/0 0:1/0 0:2/0 0:3/0 0:4/0 0:5/0 0:7/2 0:8/2 ");
	lkst_trace_close(trace);
	trace = open_files("aa");
	check_events(trace, "0:0/0 0:1/0 0:2/0 0:3/0 0:4/0 0:5/0 ");
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_boots)
{
	static const struct lkst_process first[] = { { 100, 100, "old" } };
	static const struct lkst_process second[] = { { 100, 100, "new" } };
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;

	writer = begin("a", "Y");
	put_std(writer, 0, 0, 2, 100 * SECOND);
	ck_assert_int_eq(lkst_trace_write_processes(writer, second, 1, &err), 0);
	end(writer);
	writer = begin("b", "X");
	put_std(writer, 0, 0, 2, 0);
	ck_assert_int_eq(lkst_trace_write_processes(writer, first, 1, &err), 0);
	end(writer);
	writer = begin("c", "Y");
	put_std(writer, 1, 7, 1, 0);
	end(writer);
	/* Nobody knows whether two files without boot_id belong together. */
	writer = begin("d", "");
	put_std(writer, 0, 0, 1, 50 * SECOND);
	end(writer);
	trace = open_files("abcdd");
	check_events(trace, "0:0/1 0:1/1 1:7/2 0:0/3 0:0/4 0:0/0 0:1/0 ");
	/* Names are those of the boot, whichever file tells them. */
	ck_assert_str_eq(lkst_names_get(lkst_trace_source_context(trace, 2)->names, 100, 0), "new");
	ck_assert_str_eq(lkst_names_get(lkst_trace_source_context(trace, 1)->names, 100, 0), "old");
	ck_assert_ptr_null(lkst_names_get(lkst_trace_source_context(trace, 3)->names, 100, 0));
	lkst_trace_close(trace);
}
END_TEST

/* LKST was reloaded in one boot. A file without lkst= is taken for the first run with its boot_id. */
START_TEST(test_runs)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;

	writer = begin("a", "X\nlkst=1");
	put_std(writer, 0, 0, 2, 0);
	end(writer);
	writer = begin("b", "X\nlkst=2");
	put_std(writer, 0, 0, 3, 100 * SECOND);
	end(writer);
	writer = begin("c", "X");
	put_std(writer, 0, 1, 2, 0);
	end(writer);
	/* A trace from an image has LKST's UUID as its boot_id, too. */
	writer = begin("d", "1\nlkst=1");
	put_std(writer, 0, 2, 2, 0);
	end(writer);
	trace = open_files("abcd");
	check_events(trace, "0:0/0 0:1/0 0:2/3 0:3/3 0:0/1 0:1/1 0:2/1 ");
	lkst_trace_close(trace);
}
END_TEST

/* What boot a file is of is known before its chunks are read. */
START_TEST(test_compressed_boot)
{
	struct lkst_trace_writer *writer;
	struct trace_chunk_header chunk;
	char text[1000] = "boot_id=X\ncommand_line=";
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;
	int fd;

	memset(text + strlen(text), 'a', 500);
	writer = lkst_trace_writer_create(log_path("a"), &err);
	ck_assert_msg(writer != NULL, "%s", err.text);
	ck_assert_int_eq(lkst_trace_writer_compress(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_write_system(writer, text, &err), 0);
	put_std(writer, 0, 0, 3, 0);
	end(writer);
	fd = open(log_path("a"), 0);
	read_file(fd, &data, &size);
	close(fd);
	memcpy(&chunk, data + sizeof(struct trace_file_header), sizeof(chunk));
	free(data);
	ck_assert_uint_eq(chunk.type, TRACE_SYSTEM);
	ck_assert_uint_eq(chunk.compression, TRACE_COMPRESSION_ZSTD);
	writer = begin("b", "X");
	put_std(writer, 0, 2, 2, 0);
	end(writer);
	trace = open_files("ab");
	check_events(trace, "0:0/0 0:1/0 0:2/0 0:3/1 ");
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_one_is_missing)
{
	const char *const path[] = { "/nonexistent/b" };
	const char *two[2];

	end(begin("a", "X"));
	two[0] = log_path("a");
	two[1] = path[0];
	ck_assert_ptr_null(lkst_trace_open_files(two, 2, NULL, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/b: open"));
	ck_assert_ptr_null(lkst_trace_open_files(path, 1, NULL, &err));
}
END_TEST

START_TEST(test_compressed)
{
	static struct lkst_log_record record[9000];
	struct lkst_log_buffer buffer = sample_buffer(0, 0);
	const uint64_t arg[4] = { 1, 2, 3, 4 };
	struct lkst_trace_writer *writer = begin("a", "X");
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;
	int fd;

	for (uint64_t i = 0; i < 9000; i++)
		record[i] = sample_record(0, i, (int64_t)i, 0x030, 1, arg);
	ck_assert_int_eq(lkst_trace_writer_compress(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_write_records(writer, &buffer, record, 9000, &err), 0);
	end(writer);
	trace = open_files("a");
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), 9000);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 9000);
	ck_assert_str_eq(reports, "");
	for (uint64_t i = 0; i < 9000; i++)
		ck_assert_uint_eq(events[i].recid, i);
	lkst_trace_close(trace);
	fd = open(log_path("a"), 0);
	read_file(fd, &data, &size);
	close(fd);
	ck_assert_uint_lt(size, 9000 * 112 / 10);
	/* A chunk that claims to become more than may be, or less than it does. */
	for (int i = 0; i < 3; i++) {
		static const uint64_t lies[] = { UINT64_MAX, 1u << 20, 200 };
		struct trace_chunk_header *chunk = find_chunk(data, size, TRACE_RECORDS_STD, i);

		chunk->raw_length = lies[i];
		sign(chunk);
	}
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 0);
	ck_assert_ptr_nonnull(strstr(reports, "too long"));
	ck_assert_ptr_nonnull(strstr(reports, "damaged (zstd)"));
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

/* ---- times ---- */

/* A record that says what the clocks showed at @clock; at 2 GHz. */
static struct lkst_event_record sync_at(uint64_t clock, int64_t monotonic, int64_t wall)
{
	return (struct lkst_event_record){
		.clock = clock,
		.event_type = LKST_ETYPE_LKST_SYNC_TIME,
		.arg = { pack((uint32_t)(wall / SECOND), (uint32_t)(wall % SECOND)), clock, 2000000,
			 (uint64_t)monotonic },
	};
}

static struct lkst_event_record record_at(uint64_t clock)
{
	return (struct lkst_event_record){ .clock = clock, .event_type = 0x030 };
}

static void write_log(const char *name, int32_t cpu, const struct lkst_event_record *record,
		      size_t num, const struct lkst_run *last)
{
	struct lkst_log *log = log_create(name, cpu, 0, false);
	struct lkst_run run = log_run(cpu, 0, 0);

	if (last)
		run = *last;
	run.cpu = cpu;
	run.record = record;
	run.num = num;
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	ck_assert_int_eq(lkst_log_close(log, &err), 0);
}

static void check_time(size_t i, int64_t monotonic, int64_t wall)
{
	ck_assert_msg(events[i].monotonic_ns == monotonic, "%zu: monotonic %lld, not %lld", i,
		      (long long)events[i].monotonic_ns, (long long)monotonic);
	ck_assert_msg(events[i].time_ns == wall, "%zu: wall %lld, not %lld", i,
		      (long long)events[i].time_ns, (long long)wall);
}

START_TEST(test_between_pairs)
{
	const int64_t wall = 1000 * SECOND;
	const struct lkst_run last = { .buffer = 0,
				       .clock = LKST_CLOCK_TSC,
				       .monotonic_ns = 40000,
				       .xtime_ns = wall + 40000,
				       .tsc = 80000,
				       .freq_khz = 2000000,
				       .arch = "x86_64" };
	const struct lkst_event_record record[] = {
		record_at(8000), /* before the first: at its rate */
		sync_at(10000, 5000, wall + 5000),
		record_at(20000), /* half way: the clock was a little faster */
		sync_at(30000, 14980, wall + 14980), record_at(40000),
		/* The clock was set by an hour; when, nobody knows. */
		sync_at(50000, 24980, wall + 24980 + 3600 * SECOND),
		record_at(52000), /* up to the pair of the header, which is of before it was set */
	};
	struct lkst_trace *trace;

	write_log("a", 0, record, 7, &last);
	trace = open_files("a");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 7);
	check_time(0, 4000, wall + 4000);
	check_time(1, 5000, wall + 5000);
	check_time(2, 9990, wall + 9990);
	check_time(3, 14980, wall + 14980);
	check_time(4, 19980, wall + 19980);
	check_time(5, 24980, wall + 24980 + 3600 * SECOND);
	check_time(6, 24980 + 1001, wall + 24980 + 1001 + 3600 * SECOND);
	ck_assert_uint_eq(events[4].clock, 40000);
	lkst_trace_close(trace);
}
END_TEST

/* In the first moments of a boot clocks do not go evenly: no pair of a chunk is to be seen. */
START_TEST(test_before_pairs)
{
	const int64_t wall = 1000 * SECOND;
	const struct lkst_event_record first = record_at(8000);
	const struct lkst_event_record record[] = { record_at(9000),
						    sync_at(10000, 5000, wall + 5000) };
	struct lkst_run run = { .clock = LKST_CLOCK_TSC,
				.monotonic_ns = 3000, /* at the rate it would be 4000 */
				.xtime_ns = wall + 3000,
				.tsc = 8000,
				.freq_khz = 2000000,
				.record = &first,
				.num = 1,
				.arch = "x86_64" };
	struct lkst_log *log = log_create("a", 0, 0, false);
	struct lkst_trace *trace;

	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	run.first_recid = 1;
	run.record = record;
	run.num = 2;
	run.tsc = 12000;
	run.monotonic_ns = 6000;
	run.xtime_ns = wall + 6000;
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	ck_assert_int_eq(lkst_log_close(log, &err), 0);
	trace = open_files("a");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	check_time(0, 4000, wall + 4000);
	check_time(1, 4500, wall + 4500);
	check_time(2, 5000, wall + 5000);
	lkst_trace_close(trace);
}
END_TEST

/* The kernel steers its clock by 100 ppm: that holds before the first pair that is left, too. */
START_TEST(test_steered_before_pairs)
{
	const uint64_t ticks = 4000000000000; /* 2000 s */
	const int64_t wall = 10000 * SECOND, ns = 2000 * SECOND, steered = ns - ns / 10000;
	const struct lkst_event_record record[] = {
		record_at(8000),
		sync_at(8000 + ticks, 3 * ns, wall + 3 * ns),
		record_at(8000 + ticks + ticks / 2),
	};
	struct lkst_run last = { .clock = LKST_CLOCK_TSC,
				 .monotonic_ns = 3 * ns + steered,
				 .xtime_ns = wall + 3 * ns + steered,
				 .tsc = 8000 + 2 * ticks,
				 .freq_khz = 2000000,
				 .arch = "x86_64" };
	struct lkst_trace *trace;

	write_log("a", 0, record, 3, &last);
	trace = open_files("a");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	check_time(0, 3 * ns - steered, wall + 3 * ns - steered);
	check_time(2, 3 * ns + steered / 2, wall + 3 * ns + steered / 2);
	lkst_trace_close(trace);
	/* By 1000 ppm no clock is steered: the machine was suspended meanwhile. */
	last.monotonic_ns = 3 * ns + ns - ns / 1000;
	last.xtime_ns = wall + last.monotonic_ns;
	write_log("b", 0, record, 3, &last);
	trace = open_files("b");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	check_time(0, 2 * ns, wall + 2 * ns);
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_clock_is_set)
{
	const int64_t wall = 10000 * SECOND, back = -3600 * SECOND;
	const struct lkst_event_record first[] = {
		sync_at(10000, 5000, wall + 5000),
		record_at(20000),
		sync_at(30000, 15000, wall + 15000 + back),
		record_at(40000),
	};
	const struct lkst_event_record second[] = {
		sync_at(10002, 5001, wall + 5001),
		record_at(20002),
		record_at(30002), /* the other CPU knows already */
		sync_at(31002, 15501, wall + 15501 + back),
		record_at(40002),
	};
	struct lkst_trace *trace;

	write_log("a", 0, first, 4, NULL);
	write_log("b", 1, second, 5, NULL);
	trace = open_files("ab");
	/* The wall clock goes back, the order does not mix. */
	check_events(trace, "0:0/0 1:0/1 0:1/0 1:1/1 0:2/0 1:2/1 1:3/1 0:3/0 1:4/1 ");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 9);
	check_time(3, 10001, wall + 10001);
	check_time(5, 15001, wall + 15001 + back);
	check_time(8, 20001, wall + 20001 + back);
	lkst_trace_close(trace);
}
END_TEST

/* The oldest pair of a CPU may be overwritten, and those of another one not. */
START_TEST(test_first_pair_is_lost)
{
	const int64_t wall = 10000 * SECOND, forth = 3600 * SECOND;
	const struct lkst_event_record first[] = {
		record_at(8000),  record_at(20000),
		record_at(29002), sync_at(30000, 15000, wall + 15000 + forth),
		record_at(40000),
	};
	const struct lkst_event_record second[] = {
		sync_at(10000, 5000, wall + 5000),
		sync_at(15000, 7500, wall + 7500),
		record_at(20002),
		sync_at(29000, 14500, wall + 14500 + forth),
	};
	const struct lkst_event_record third[] = {
		record_at(26000),
		sync_at(30004, 15002, wall + 15002 + forth),
	};
	struct lkst_trace *trace;

	write_log("a", 0, first, 5, NULL);
	write_log("b", 1, second, 4, NULL);
	trace = open_files("ab");
	check_events(trace, "0:0/0 1:0/1 1:1/1 0:1/0 1:2/1 1:3/1 0:2/0 0:3/0 0:4/0 ");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 9);
	check_time(0, 4000, wall + 4000);
	check_time(3, 10000, wall + 10000);
	check_time(4, 10001, wall + 10001);
	check_time(6, 14501, wall + 14501 + forth);
	check_time(8, 20000, wall + 20000 + forth);
	lkst_trace_close(trace);
	/* What was noted before counts, and be it farther away. */
	write_log("c", 2, third, 2, NULL);
	trace = open_files("bc");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 6);
	check_time(3, 13000, wall + 13000);
	lkst_trace_close(trace);
	/* By itself it knows no better. */
	trace = open_files("a");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 5);
	check_time(0, 4000, wall + 4000 + forth);
	lkst_trace_close(trace);
}
END_TEST

/* Ticks by which the counter advanced during the sleep; negative: it restarted. */
static const int64_t slept[] = { 10000000000, -3000000000, -202000000000 };

START_TEST(test_machine_has_slept)
{
	const int64_t wall = 10000 * SECOND, ms = SECOND / 1000, gone = 5 * SECOND;
	const int64_t went = 101 * SECOND; /* to sleep, by the monotonic clock */
	/* LKST_SYNC_TIME, or just an event. */
	static const struct {
		int32_t cpu;
		bool sync;
		int64_t ms; /* since the machine went to sleep */
	} made[] = {
		{ 0, true, -1000 }, { 1, true, -999 }, { 1, false, -300 }, { 0, false, -1 },
		{ 0, false, 1 },    { 0, true, 2 },    { 1, false, 10 },   { 1, false, 200 },
		{ 1, true, 500 },   { 0, true, 501 },  { 1, false, 600 },
	};
	enum { MADE = sizeof(made) / sizeof(*made) };
	/* In odd rows CPU 1's first LKST_SYNC_TIME is missing, as if overwritten. */
	const size_t left_out = _i % 2 ? 1 : MADE;
	struct lkst_event_record record[2][MADE];
	size_t num[2] = { 0 }, at = 0;
	struct lkst_trace *trace;

	for (size_t i = 0; i < MADE; i++) {
		const int64_t monotonic = went + made[i].ms * ms;
		const int64_t clock = 2 * monotonic + (made[i].ms > 0 ? slept[_i / 2] : 0);

		if (i == left_out)
			continue;
		record[made[i].cpu][num[made[i].cpu]++] =
			made[i].sync ? sync_at((uint64_t)clock, monotonic,
					       wall + monotonic + (made[i].ms > 0 ? gone : 0)) :
				       record_at((uint64_t)clock);
	}
	write_log("a", 0, record[0], num[0], NULL);
	write_log("b", 1, record[1], num[1], NULL);
	trace = open_files("ab");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), num[0] + num[1]);
	for (size_t i = 0; i < MADE; i++) {
		if (i == left_out)
			continue;
		ck_assert_int_eq(events[at].cpu, made[i].cpu);
		check_time(at++, went + made[i].ms * ms,
			   wall + went + made[i].ms * ms + (made[i].ms > 0 ? gone : 0));
	}
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_clock_begins_again)
{
	/* As over a suspend: the time stamp counter is less than before. */
	const int64_t wall = 1000 * SECOND;
	const struct lkst_run last = { .clock = LKST_CLOCK_TSC,
				       .monotonic_ns = INT64_MIN,
				       .xtime_ns = wall,
				       .freq_khz = 2000000,
				       .arch = "x86_64" };
	const struct lkst_event_record record[] = {
		sync_at(1000000, 500000, wall),
		record_at(1002000),
		sync_at(2000, 600000, wall + 5 * SECOND),
		record_at(4000),
	};
	struct lkst_trace *trace;

	write_log("a", 0, record, 4, &last);
	trace = open_files("a");
	check_events(trace, "0:0/0 0:1/0 0:2/0 0:3/0 ");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 4);
	check_time(1, 501000, wall + 1000);
	check_time(3, 601000, wall + 5 * SECOND + 1000);
	lkst_trace_close(trace);
}
END_TEST

/* A daemon's files, rotated, and what lkstbuf read of the same: each event once. */
START_TEST(test_rotated)
{
	struct lkst_trace *trace;
	char name[2] = "a";
	size_t num;

	for (uint64_t recid = 0; recid < 6000; recid += 1500, name[0]++) {
		struct lkst_log *log = log_create(name, 1, 0, recid & 1);
		/* Each begins before the last one ended. */
		struct lkst_run run = log_run(1, recid ? recid - 100 : 0, recid ? 1600 : 1500);

		ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
		ck_assert_int_eq(lkst_log_close(log, &err), 0);
	}
	trace = open_files("dbca");
	for (int order = 0; order < 2; order++) {
		num = read_all(trace, order);
		ck_assert_uint_eq(num, 6000 - log_holes(0, 6000));
		for (size_t i = 0; i < num; i++)
			log_check_event(&events[i]);
		for (size_t i = 1; i < num; i++)
			ck_assert((events[i].recid > events[i - 1].recid) ==
				  (order == LKST_OLDEST_FIRST));
	}
	lkst_trace_close(trace);
}
END_TEST

/* "cpu:missing/gaps " of all CPUs, and the reports. */
static void check_gaps(const char *names, const char *expected, const char *reported)
{
	struct lkst_trace *trace = open_files(names);
	char text[256] = "";
	uint64_t missing = 0;

	for (size_t i = 0; i < lkst_trace_gaps(trace); i++) {
		const struct lkst_trace_gap *gap = lkst_trace_gap(trace, i);

		ck_assert_str_eq(gap->boot, "X");
		missing += gap->missing;
		sprintf(text + strlen(text), "%d:%llu/%llu ", gap->cpu,
			(unsigned long long)gap->missing, (unsigned long long)gap->gaps);
	}
	ck_assert_msg(!strcmp(text, expected), "%s: %s, not %s", names, text, expected);
	ck_assert_uint_eq(lkst_trace_missing(trace), missing);
	ck_assert_ptr_nonnull(strstr(reports, reported));
	if (!*expected)
		ck_assert_str_eq(reports, "");
	ck_assert(!lkst_trace_incomplete(trace));
	lkst_trace_close(trace);
}

/* Files "a" to "d": the recids that each has of CPUs 0 and 1, as first-last. */
static const struct {
	struct {
		uint64_t first, end;
	} has[4][2];
	const char *names, *gaps, *reported;
} gaps[] = {
	{ { { { 0, 2 }, { 0, 2 } }, { { 5, 7 }, { 2, 4 } } },
	  "ab",
	  "0:3/1 ",
	  "b: CPU 0: 3 events between the end of " },
	/* Whichever is named first. */
	{ { { { 0, 2 }, { 0, 2 } }, { { 5, 7 }, { 2, 4 } } },
	  "ba",
	  "0:3/1 ",
	  "b: CPU 0: 3 events between the end of " },
	{ { { { 0, 2 }, { 0, 2 } }, { { 5, 7 }, { 3, 4 } } }, "ab", "0:3/1 1:1/1 ", "CPU 1: 1 " },
	{ { { { 0, 2 }, { 8, 9 } }, { { 5, 7 } }, { { 9, 10 }, { 0, 1 } } },
	  "abc",
	  "0:5/2 1:7/1 ",
	  "CPU 0: 5 events in 2 gaps between the files are in none of them" },
	/* What one file lacks and another one has. */
	{ { { { 0, 2 } }, { { 5, 7 } }, { { 1, 6 } } }, "abc", "", "" },
	{ { { { 0, 9 } }, { { 2, 3 } }, { { 9, 10 } } }, "abc", "", "" },
	{ { { { 0, 2 } }, { { 0, 0 }, { 9, 11 } } }, "ab", "", "" },
};

START_TEST(test_gaps)
{
	char name[2] = "a";

	for (int i = 0; i < 4; i++, name[0]++) {
		struct lkst_trace_writer *writer = begin(name, "X");

		for (int cpu = 0; cpu < 2; cpu++) {
			uint64_t first = gaps[_i].has[i][cpu].first;
			size_t num = gaps[_i].has[i][cpu].end - first;

			if (num)
				put_std(writer, cpu, first, num, 0);
		}
		end(writer);
	}
	check_gaps(gaps[_i].names, gaps[_i].gaps, gaps[_i].reported);
}
END_TEST

/*
 * Not the events of two boots, nor what a file does not have because it was not selected, nor what is
 * missing in the middle of a file.
 */
START_TEST(test_no_gaps)
{
	static const char *const systems[] = { "X", "Y", "", "X\nselected=-e all" };

	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
		struct lkst_trace_writer *writer = begin("a", "X");

		put_std(writer, 0, 0, 2, 0);
		end(writer);
		writer = begin("b", systems[i]);
		put_std(writer, 0, 9, 2, 0);
		put_std(writer, 0, 20, 2, 0);
		end(writer);
		check_gaps("ab", i ? "" : "0:7/1 ", "");
		check_gaps("b", "", "");
	}
}
END_TEST

/* Leaves in file @name 100 records from @first on, and that those before were lost. */
static void put_log(const char *name, uint64_t first, uint64_t lost)
{
	struct lkst_run run = log_run(1, first, 100);
	struct lkst_log *log = log_create(name, 1, 0, false);

	run.lost = lost;
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	ck_assert_int_eq(lkst_log_close(log, &err), 0);
}

/*
 * What daemons have counted as lost is not counted again, even if two of them did, before the same
 * record or not; what they did not want is.
 */
START_TEST(test_gap_with_loss)
{
	static const struct {
		const char *files;
		uint64_t b_lost, c_first, c_lost, missing;
	} rows[] = {
		{ "ab", 0, 500, 0, 400 },    { "ab", 100, 500, 0, 300 },
		{ "ab", 400, 500, 0, 0 },    { "abc", 100, 500, 100, 300 },
		{ "abc", 100, 500, 150, 250 }, { "abc", 300, 510, 250, 100 },
		{ "cba", 100, 480, 130, 250 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct lkst_trace *trace;

		put_log("a", 0, 0);
		put_log("b", 500, rows[i].b_lost);
		put_log("c", rows[i].c_first, rows[i].c_lost);
		trace = open_files(rows[i].files);
		/* Each file's losses are its own. */
		ck_assert_uint_eq(lkst_trace_lost(trace),
				  rows[i].b_lost +
					  (strchr(rows[i].files, 'c') ? rows[i].c_lost : 0));
		ck_assert_uint_eq(lkst_trace_missing(trace), rows[i].missing);
		ck_assert_uint_eq(lkst_trace_gaps(trace), rows[i].missing ? 1 : 0);
		lkst_trace_close(trace);
		log_open("a");
		log_open("b");
		log_open("c");
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_files");
	TCase *tc = tcase_create("trace_files");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, log_setup, log_teardown);
	check_id(tc, test_one_lane);
	check_id(tc, test_duplicates);
	check_id(tc, test_boots);
	check_id(tc, test_runs);
	check_id(tc, test_compressed_boot);
	check_id(tc, test_one_is_missing);
	check_id(tc, test_compressed);
	check_id(tc, test_between_pairs);
	check_id(tc, test_before_pairs);
	check_id(tc, test_steered_before_pairs);
	check_id(tc, test_clock_is_set);
	check_id(tc, test_first_pair_is_lost);
	tcase_add_loop_test(tc, test_machine_has_slept, 0,
			    2 * (int)(sizeof(slept) / sizeof(*slept)));
	check_id(tc, test_clock_begins_again);
	check_id(tc, test_rotated);
	tcase_add_loop_test(tc, test_gaps, 0, (int)(sizeof(gaps) / sizeof(*gaps)));
	check_id(tc, test_no_gaps);
	check_id(tc, test_gap_with_loss);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
