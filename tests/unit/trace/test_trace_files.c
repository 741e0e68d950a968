// SPDX-License-Identifier: GPL-2.0
/* Times of RAW records, and several files that are read as one trace. */
#include <fcntl.h>
#include <inttypes.h>

#include "lib/text/context.h"
#include "lib/text/names.h"
#include "log_case.h"

#define SECOND 1000000000ll

/* Open the files whose names are the letters of @names as one trace, in this order. */
static void open_files(const char *names)
{
	static char text[8][200];
	const char *path[8];
	size_t num = 0;

	for (; names[num]; num++)
		path[num] = strcpy(text[num], dir_path((const char[]){ names[num], 0 }));
	open_paths(path, num);
	ck_assert_uint_eq(lkst_trace_sources(trace), num);
}

TESTS(.timeout = 120, .setup = log_setup, .teardown = log_teardown);

/* ---- files with chosen recids and times ---- */

/*
 * Write events to the file, one second apart. @parts is a list of recid ranges, "CPU:FIRST-LAST" or
 * "CPU:FIRST-LAST@MS", separated by spaces. MS is the time in ms at which recid 0 was, or would
 * have been, recorded.
 */
static void put_parts(const char *parts)
{
	struct lkst_log_record record[16];
	int cpu, first, last, len;

	for (; sscanf(parts, "%d:%d-%d%n", &cpu, &first, &last, &len) == 3; parts += len) {
		int64_t ms = 0;

		parts += len;
		len = 0;
		if (*parts == '@')
			ms = strtol(parts + 1, (char **)&parts, 10);
		for (int i = first; i <= last; i++)
			record[i - first] = sample_record(cpu, (uint64_t)i,
							  ms * (SECOND / 1000) + i * SECOND, 0x030,
							  100, NULL);
		put_records(cpu, 0, record, (size_t)(last - first + 1));
		len = (int)strspn(parts, " ");
	}
	ck_assert_str_eq(parts, "");
}

/* Begin to write a file with this boot_id. */
static void begin(const char *name, const char *boot)
{
	char text[100];

	begin_trace(dir_path(name));
	snprintf(text, sizeof(text), "kernel=Linux\nboot_id=%s\n", boot);
	ck_assert_int_eq(lkst_trace_write_system(writer, text, &err), 0);
}

static void describe_recid(const struct lkst_event *event, char *text)
{
	sprintf(text, "%d:%d/%u ", event->cpu, (int)event->recid, event->source);
}

#define NO_GAPS "", ""
#define ANY_GAPS NULL, ""

static const struct {
	const char *name;
	struct {
		const char *boot; /* boot_id, and any lines after it; NULL: do not write the file */
		const char *parts;
	} file[4]; /* the files "a" to "d" */
	struct {
		const char *names; /* the files, in the order in which they are opened */
		const char *events; /* "cpu:recid/source " for each; NULL: not checked */
		const char *gaps; /* "cpu:missing/gaps " for each CPU that has any */
		const char *reported; /* part of the report */
	} read[2];
} merges[] = {
	/*
	 * The first file has the later recids, but its recid 4 is earlier in time than recid 3 in
	 * the second file. The reader must sort the events of a CPU by recid and not by time.
	 */
	{ "test_one_lane", { { "X", "0:4-5@-1500" }, { "X", "0:1-3 1:0-1@500" } },
	  { { "ab", "1:0/1 0:1/1 1:1/1 0:2/1 0:3/1 0:4/0 0:5/0 ", NO_GAPS } } },
	/* Recid 6 is missing in all files, and recid 7 in all but the last one. */
	{ "test_duplicates",
	  { { "X", "0:0-3 0:4-5" }, { "X", "0:2-4 0:8-8" }, { "X", "0:3-3 0:5-5 0:7-8" } },
	  { { "abc", "0:0/0 0:1/0 0:2/0 0:3/0 0:4/0 0:5/0 0:7/2 0:8/2 ", ANY_GAPS },
	    { "aa", "0:0/0 0:1/0 0:2/0 0:3/0 0:4/0 0:5/0 ", ANY_GAPS } } },
	/*
	 * LKST was reloaded during one boot, and lkst= tells its runs apart. A file without lkst=
	 * counts as part of the run of the first file with the same boot_id. In a trace made from a
	 * memory image, boot_id is the UUID of lkst=, so file d belongs to the run of file a.
	 */
	{ "test_runs",
	  { { "X\nlkst=1", "0:0-1" }, { "X\nlkst=2", "0:0-2@100000" }, { "X", "0:1-2" },
	    { "1\nlkst=1", "0:2-3" } },
	  { { "abcd", "0:0/0 0:1/0 0:2/3 0:3/3 0:0/1 0:1/1 0:2/1 ", ANY_GAPS } } },
	/* The order of the files does not matter. */
	{ "test_gaps", { { "X", "0:0-1 1:0-1" }, { "X", "0:5-6 1:2-3" } },
	  { { "ab", NULL, "0:3/1 ", "b: CPU 0: 3 events between the end of " },
	    { "ba", NULL, "0:3/1 ", "b: CPU 0: 3 events between the end of " } } },
	{ "test_gaps_of_two_cpus", { { "X", "0:0-1 1:0-1" }, { "X", "0:5-6 1:3-3" } },
	  { { "ab", NULL, "0:3/1 1:1/1 ", "CPU 1: 1 " } } },
	{ "test_gaps_of_three_files",
	  { { "X", "0:0-1 1:8-8" }, { "X", "0:5-6" }, { "X", "0:9-9 1:0-0" } },
	  { { "abc", NULL, "0:5/2 1:7/1 ",
	      "CPU 0: 5 events in 2 gaps between the files are missing" } } },
	/*
	 * There is no gap if other files have the missing events, or if no file has earlier events
	 * of the CPU.
	 */
	{ "test_gap_is_filled", { { "X", "0:0-1" }, { "X", "0:5-6" }, { "X", "0:1-5" } },
	  { { "abc", NULL, NO_GAPS } } },
	{ "test_file_within_another", { { "X", "0:0-8" }, { "X", "0:2-2" }, { "X", "0:9-9" } },
	  { { "abc", NULL, NO_GAPS } } },
	{ "test_later_cpu", { { "X", "0:0-1" }, { "X", "1:9-10" } },
	  { { "ab", NULL, NO_GAPS } } },
	/*
	 * A gap is reported only between files of the same boot, and not if one of the files has
	 * only selected events. No gap within a file is reported.
	 */
	{ "test_gaps_of_one_boot", { { "X", "0:0-1" }, { "X", "0:9-10 0:20-21" } },
	  { { "ab", NULL, "0:7/1 ", "" }, { "b", NULL, NO_GAPS } } },
	{ "test_no_gaps_of_two_boots", { { "X", "0:0-1" }, { "Y", "0:9-10 0:20-21" } },
	  { { "ab", NULL, NO_GAPS }, { "b", NULL, NO_GAPS } } },
	{ "test_no_gaps_of_unknown_boot", { { "X", "0:0-1" }, { "", "0:9-10 0:20-21" } },
	  { { "ab", NULL, NO_GAPS }, { "b", NULL, NO_GAPS } } },
	{ "test_no_gaps_of_selected_events",
	  { { "X", "0:0-1" }, { "X\nselected=-e all", "0:9-10 0:20-21" } },
	  { { "ab", NULL, NO_GAPS }, { "b", NULL, NO_GAPS } } },
};

static void check_gaps(const char *expected, const char *reported)
{
	char text[256] = "";
	uint64_t missing = 0;

	for (size_t i = 0; i < lkst_trace_gaps(trace); i++) {
		const struct lkst_trace_gap *gap = lkst_trace_gap(trace, i);

		ck_assert_str_eq(gap->boot, "X");
		missing += gap->missing;
		sprintf(text + strlen(text), "%d:%llu/%llu ", gap->cpu,
			(unsigned long long)gap->missing, (unsigned long long)gap->gaps);
	}
	ck_assert_str_eq(text, expected);
	ck_assert_uint_eq(lkst_trace_missing(trace), missing);
	assert_contains(reports, reported);
	ck_assert(*expected || !*reports);
	ck_assert(!lkst_trace_incomplete(trace));
}

TEST_ROWS(test_merge, merges)
{
	for (int i = 0; i < 4 && merges[_i].file[i].boot; i++) {
		begin((const char[]){ (char)('a' + i), 0 }, merges[_i].file[i].boot);
		put_parts(merges[_i].file[i].parts);
		end_trace();
	}
	for (int i = 0; i < 2 && merges[_i].read[i].names; i++) {
		open_files(merges[_i].read[i].names);
		if (merges[_i].read[i].events)
			check_events(describe_recid, merges[_i].read[i].events);
		if (merges[_i].read[i].gaps)
			check_gaps(merges[_i].read[i].gaps, merges[_i].read[i].reported);
	}
}

/* Each file uses the process names from all files of the same boot. */
TEST(test_boots)
{
	static const struct {
		const char *boot, *parts;
		struct lkst_process process;
	} files[] = {
		{ "Y", "0:0-1@100000", { 100, 100, "new" } },
		{ "X", "0:0-1", { 100, 100, "old" } },
		{ "Y", "1:7-7", { 0 } },
		/* Files without a boot_id may come from different boots, and are never merged. */
		{ "", "0:0-0@50000", { 0 } },
	};
	static const char *const names[] = { "new", "old", "new", NULL };

	for (int i = 0; i < NUM(files); i++) {
		begin((const char[]){ (char)('a' + i), 0 }, files[i].boot);
		put_parts(files[i].parts);
		if (files[i].process.tid)
			ck_assert_int_eq(lkst_trace_write_processes(writer, &files[i].process, 1,
								    &err), 0);
		end_trace();
	}
	open_files("abcdd");
	check_events(describe_recid, "0:0/1 0:1/1 1:7/2 0:0/3 0:0/4 0:0/0 0:1/0 ");
	for (uint32_t i = 0; i < 4; i++) {
		const struct lkst_context *context = lkst_trace_source_context(trace, i);

		ck_assert_pstr_eq(lkst_names_get(context->names, 100, 0), names[i]);
	}
}

/* The reader finds the boot_id of a file even if the chunk that contains it is compressed. */
TEST(test_compressed_boot)
{
	char text[1000] = "boot_id=X\ncommand_line=";

	memset(text + strlen(text), 'a', 500);
	begin_trace(dir_path("a"));
	ck_assert_int_eq(lkst_trace_writer_compress(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_write_system(writer, text, &err), 0);
	put_parts("0:0-2");
	end_trace();
	log_load("a");
	ck_assert_uint_eq(find_chunk(TRACE_SYSTEM, 0)->compression, TRACE_COMPRESSION_ZSTD);
	begin("b", "X");
	put_parts("0:2-3");
	end_trace();
	open_files("ab");
	check_events(describe_recid, "0:0/0 0:1/0 0:2/0 0:3/1 ");
}

TEST(test_compressed)
{
	/* Wrong unpacked sizes of chunks: two larger than allowed, one smaller than the records. */
	static const uint64_t bad_values[] = { UINT64_MAX, 1u << 20, 200 };
	static struct lkst_log_record record[9000];

	for (uint64_t i = 0; i < 9000; i++)
		record[i] = sample_record(0, i, (int64_t)i, 0x030, 1, NULL);
	begin("a", "X");
	ck_assert_int_eq(lkst_trace_writer_compress(writer, &err), 0);
	put_records(0, 0, record, 9000);
	end_trace();
	open_files("a");
	ck_assert_uint_eq(read_all(LKST_NEWEST_FIRST), 9000);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 9000);
	ck_assert_str_eq(reports, "");
	for (uint64_t i = 0; i < 9000; i++)
		ck_assert_uint_eq(events[i].recid, i);
	log_load("a");
	ck_assert_uint_lt(file.size, 9000 * 112 / 10);
	for (int i = 0; i < NUM(bad_values); i++) {
		struct lkst_chunk_header *chunk = find_chunk(TRACE_RECORDS_STD, i);

		chunk->raw_length = bad_values[i];
		sign(chunk);
	}
	open_file();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 0);
	assert_contains(reports, "too long");
	assert_contains(reports, "damaged (zstd)");
}

/* ---- times ---- */

#define WALL	   (10000 * SECOND) /* wall clock time when the monotonic clock was 0 */
#define HOUR	   (3600 * SECOND)
#define STEER_TICK 4000000000000 /* 2000 s */
#define STEER_NS   (2000 * SECOND)
#define STEERED	   (STEER_NS - STEER_NS / 10000)
#define SUSPENDED  (STEER_NS - STEER_NS / 1000)

/*
 * A record: either an LKST_SYNC_TIME event, which is called a pair below, or an ordinary event.
 * Both contain @clock, but only a pair contains its times and the counter's rate. The reader must
 * return the times of both kinds.
 */
struct moment {
	int32_t cpu;
	enum { NONE, EVENT, PAIR } kind;
	uint64_t clock; /* ticks of a 2 GHz counter */
	int64_t monotonic; /* ns */
	int64_t set; /* total time by which the wall clock has been set forward so far, in ns */
};

/* The clocks in the header of a chunk. If all are 0, the header has the clocks of log_run(). */
struct header {
	uint64_t tsc;
	int64_t monotonic, wall; /* wall is relative to WALL */
};

#define MOMENTS_MAX 12

/* Records in the order in which they are read, oldest first */
static const struct {
	const char *name;
	struct header header;
	struct moment moment[MOMENTS_MAX];
} times[] = {
	{ "test_between_pairs",
	  { 80000, 40000, 40000 },
	  { { 0, EVENT, 8000, 4000, 0 }, /* before the first pair, whose rate of 2 GHz is used */
	    { 0, PAIR, 10000, 5000, 0 },
	    { 0, EVENT, 20000, 9990, 0 }, /* the counter ran a little fast between two pairs */
	    { 0, PAIR, 30000, 14980, 0 }, { 0, EVENT, 40000, 19980, 0 },
	    /* The wall clock was set forward by an hour, at some time since the last pair. */
	    { 0, PAIR, 50000, 24980, HOUR },
	    /* The clocks in the header have the old wall time. */
	    { 0, EVENT, 52000, 24980 + 1001, HOUR } } },
	/*
	 * The kernel slews its clock by 100 ppm. The reader also uses the slewed rate for events
	 * before the first pair.
	 */
	{ "test_steered_before_pairs",
	  { 8000 + 2 * STEER_TICK, 3 * STEER_NS + STEERED, 3 * STEER_NS + STEERED },
	  { { 0, EVENT, 8000, 3 * STEER_NS - STEERED, 0 },
	    { 0, PAIR, 8000 + STEER_TICK, 3 * STEER_NS, 0 },
	    { 0, EVENT, 8000 + STEER_TICK + STEER_TICK / 2, 3 * STEER_NS + STEERED / 2, 0 } } },
	/*
	 * The reader assumes that the kernel slews its clock by at most 500 ppm. Here the rate from
	 * the pair to the header is off by 1000 ppm, as if the machine had been suspended in
	 * between, so the reader must not use this rate for events before the pair.
	 */
	{ "test_suspended_between_pairs",
	  { 8000 + 2 * STEER_TICK, 3 * STEER_NS + SUSPENDED, 3 * STEER_NS + SUSPENDED },
	  { { 0, EVENT, 8000, 2 * STEER_NS, 0 },
	    { 0, PAIR, 8000 + STEER_TICK, 3 * STEER_NS, 0 },
	    { 0, EVENT, 8000 + STEER_TICK + STEER_TICK / 2, 3 * STEER_NS + SUSPENDED / 2, 0 } } },
	/* Setting the wall clock back must not change the order of events. */
	{ "test_clock_is_set",
	  { 0 },
	  { { 0, PAIR, 10000, 5000, 0 }, { 1, PAIR, 10002, 5001, 0 },
	    { 0, EVENT, 20000, 10000, 0 }, { 1, EVENT, 20002, 10001, 0 },
	    { 0, PAIR, 30000, 15000, -HOUR },
	    { 1, EVENT, 30002, 15001, -HOUR }, /* CPU 0's pair already shows the new time */
	    { 1, PAIR, 31002, 15501, -HOUR }, { 0, EVENT, 40000, 20000, -HOUR },
	    { 1, EVENT, 40002, 20001, -HOUR } } },
	/* CPU 0's first pair was overwritten. The reader uses CPU 1's pairs instead. */
	{ "test_first_pair_is_lost",
	  { 0 },
	  { { 0, EVENT, 8000, 4000, 0 }, { 1, PAIR, 10000, 5000, 0 },
	    { 1, PAIR, 15000, 7500, 0 }, { 0, EVENT, 20000, 10000, 0 },
	    { 1, EVENT, 20002, 10001, 0 }, { 1, PAIR, 29000, 14500, HOUR },
	    { 0, EVENT, 29002, 14501, HOUR }, { 0, PAIR, 30000, 15000, HOUR },
	    { 0, EVENT, 40000, 20000, HOUR } } },
	/* The last pair before an event is used, even if a later one is nearer. */
	{ "test_later_pair_is_nearer",
	  { 0 },
	  { { 1, PAIR, 10000, 5000, 0 }, { 1, PAIR, 15000, 7500, 0 },
	    { 1, EVENT, 20002, 10001, 0 }, { 2, EVENT, 26000, 13000, 0 },
	    { 1, PAIR, 29000, 14500, HOUR },
	    { 2, PAIR, 30004, 15002, HOUR } } },
	/* As in test_first_pair_is_lost, but without CPU 1: CPU 0's own later pair is used. */
	{ "test_later_pair_only",
	  { 0 },
	  { { 0, EVENT, 8000, 4000, HOUR }, { 0, EVENT, 20000, 10000, HOUR },
	    { 0, EVENT, 29002, 14501, HOUR }, { 0, PAIR, 30000, 15000, HOUR },
	    { 0, EVENT, 40000, 20000, HOUR } } },
	/* The time stamp counter restarted at 0, which can happen when the machine is suspended. */
	{ "test_clock_begins_again",
	  { 0, INT64_MIN, 0 },
	  { { 0, PAIR, 1000000, 500000, -500000 }, { 0, EVENT, 1002000, 501000, -500000 },
	    { 0, PAIR, 2000, 600000, 5 * SECOND - 600000 },
	    { 0, EVENT, 4000, 601000, 5 * SECOND - 600000 } } },
};

static struct lkst_event_record record_of(const struct moment *moment)
{
	const int64_t wall = WALL + moment->monotonic + moment->set;

	if (moment->kind == EVENT)
		return (struct lkst_event_record){ .clock = moment->clock, .event_type = 0x030 };
	return (struct lkst_event_record){
		.clock = moment->clock, .event_type = LKST_ETYPE_LKST_SYNC_TIME,
		.arg = { pack((uint32_t)(wall / SECOND), (uint32_t)(wall % SECOND)), moment->clock,
			 2000000, (uint64_t)moment->monotonic },
	};
}

/* Append the records of a CPU, starting with recid @first. */
static void write_moments(struct lkst_log *log, int32_t cpu, uint64_t first,
			  const struct header *header, const struct moment *moment)
{
	struct lkst_event_record record[MOMENTS_MAX];
	struct lkst_run run = log_run(cpu, first, 0);

	for (const struct moment *m = moment; m->kind; m++)
		if (m->cpu == cpu)
			record[run.num++] = record_of(m);
	run.record = record;
	if (header->tsc || header->monotonic) {
		run.tsc = header->tsc;
		run.monotonic_ns = header->monotonic;
		run.xtime_ns = WALL + header->wall;
	}
	log_write(log, &run);
}

/* Check the times of the events from events[@at] on. Return the index after the last one. */
static size_t check_moments(size_t at, const struct moment *moment)
{
	for (const struct moment *m = moment; m->kind; m++, at++) {
		const struct lkst_event *e = &events[at];

		ck_assert_msg(e->monotonic_ns == m->monotonic &&
				      e->time_ns == WALL + m->monotonic + m->set,
			      "event %zu: monotonic %lld, set by %lld", at,
			      (long long)e->monotonic_ns,
			      (long long)(e->time_ns - WALL - e->monotonic_ns));
	}
	return at;
}

static void describe_clock(const struct lkst_event *event, char *text)
{
	sprintf(text, "%d:%" PRIu64 " ", event->cpu, event->clock);
}

/* Write a file for each CPU, and check the order and the times of the records that are read. */
static void check_times(const struct header *header, const struct moment *moment)
{
	char names[4] = "", expected[256] = "";

	for (const struct moment *m = moment; m->kind; m++) {
		const char name[] = { (char)('a' + m->cpu), 0 };
		struct lkst_log *log;

		sprintf(expected + strlen(expected), "%d:%" PRIu64 " ", m->cpu, m->clock);
		if (strchr(names, *name))
			continue;
		strcat(names, name);
		log = log_create(name, m->cpu, 0, false);
		write_moments(log, m->cpu, 0, header, moment);
		log_close(log);
	}
	open_files(names);
	check_events(describe_clock, expected);
	check_moments(0, moment);
}

TEST_ROWS(test_times, times)
{
	check_times(&times[_i].header, times[_i].moment);
}

/*
 * Early in a boot the clocks run unevenly, so the time in the header of the first chunk does not
 * match the rate of later pairs. The reader must use the pair in the records.
 */
TEST(test_before_pairs)
{
	/* To match the pair, the early header would need 4000 ns instead of 3000 ns. */
	static const struct header early = { 8000, 3000, 3000 }, header = { 12000, 6000, 6000 };
	static const struct moment first[MOMENTS_MAX] = { { 0, EVENT, 8000, 4000, 0 } };
	static const struct moment second[MOMENTS_MAX] = { { 0, EVENT, 9000, 4500, 0 },
							   { 0, PAIR, 10000, 5000, 0 } };
	struct lkst_log *log = log_create("a", 0, 0, false);

	write_moments(log, 0, 0, &early, first);
	write_moments(log, 0, 1, &header, second);
	log_close(log);
	open_files("a");
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 3);
	check_moments(check_moments(0, first), second);
}

/* Ticks by which the counter advanced while the machine slept. Negative: the counter was reset. */
static const int64_t slept[] = { 10000000000, -3000000000, -202000000000 };

TEST_LOOP(test_machine_has_slept, 2 * NUM(slept))
{
	const int64_t suspend_at = 101 * SECOND; /* monotonic time of the suspend */
	const int64_t suspended = 5 * SECOND;
	static const struct {
		int32_t cpu;
		int kind;
		int64_t ms; /* since the machine went to sleep */
	} made[] = {
		{ 0, PAIR, -1000 }, { 1, PAIR, -999 }, { 1, EVENT, -300 }, { 0, EVENT, -1 },
		{ 0, EVENT, 1 },    { 0, PAIR, 2 },    { 1, EVENT, 10 },   { 1, EVENT, 200 },
		{ 1, PAIR, 500 },   { 0, PAIR, 501 },  { 1, EVENT, 600 },
	};
	static const struct header none;
	struct moment moment[MOMENTS_MAX] = { 0 };
	size_t num = 0;

	for (int i = 0; i < NUM(made); i++) {
		const int64_t monotonic = suspend_at + made[i].ms * (SECOND / 1000);
		const bool after = made[i].ms > 0;

		/* In odd rounds, CPU 1's first LKST_SYNC_TIME is missing, as if overwritten. */
		if (i == 1 && _i % 2)
			continue;
		moment[num++] = (struct moment){
			made[i].cpu, made[i].kind,
			(uint64_t)(2 * monotonic + (after ? slept[_i / 2] : 0)), monotonic,
			after ? suspended : 0
		};
	}
	check_times(&none, moment);
}

/* ---- logs ---- */

/* Log files overlap and are opened out of order. Each event must appear once. */
TEST(test_rotated)
{
	char name[2] = "a";
	size_t num;

	for (uint64_t recid = 0; recid < 6000; recid += 1500, name[0]++) {
		struct lkst_log *log = log_create(name, 1, 0, recid & 1);
		/* Each file begins before the previous one ended. */
		struct lkst_run run = log_run(1, recid ? recid - 100 : 0, recid ? 1600 : 1500);

		log_write(log, &run);
		log_close(log);
	}
	open_files("dbca");
	for (int order = 0; order < 2; order++) {
		num = read_all(order);
		ck_assert_uint_eq(num, 6000 - log_holes(0, 6000));
		for (size_t i = 0; i < num; i++)
			log_check_event(&events[i]);
		for (size_t i = 1; i < num; i++)
			ck_assert((events[i].recid > events[i - 1].recid) ==
				  (order == LKST_OLDEST_FIRST));
	}
}

/*
 * Events that a file already reports as lost do not count as missing between files. If two files
 * report losses in the same gap, these losses are the same events, even if the files report them
 * before different records. The other events of the gap count as missing. File "a" has recids 0 to
 * 99.
 */
static const struct {
	const char *files;
	struct {
		uint64_t first, lost; /* first of 100 recids; number of lost events before it */
	} b, c;
	uint64_t missing;
} losses[] = {
	{ "ab", { 500, 0 }, { 500, 0 }, 400 },
	{ "ab", { 500, 100 }, { 500, 0 }, 300 },
	{ "ab", { 500, 400 }, { 500, 0 }, 0 },
	{ "abc", { 500, 100 }, { 500, 150 }, 250 },
	{ "abc", { 500, 300 }, { 510, 250 }, 100 },
	{ "cba", { 500, 100 }, { 480, 130 }, 250 },
};

static void put_log(const char *name, uint64_t first, uint64_t lost)
{
	struct lkst_run run = log_run(1, first, 100);
	struct lkst_log *log = log_create(name, 1, 0, false);

	run.lost = lost;
	log_write(log, &run);
	log_close(log);
}

TEST_EACH(test_gap_with_loss, losses)
{
	put_log("a", 0, 0);
	put_log("b", losses[_i].b.first, losses[_i].b.lost);
	put_log("c", losses[_i].c.first, losses[_i].c.lost);
	open_files(losses[_i].files);
	/* lkst_trace_lost() adds up the losses that the files report. */
	ck_assert_uint_eq(lkst_trace_lost(trace), losses[_i].b.lost + losses[_i].c.lost);
	ck_assert_uint_eq(lkst_trace_missing(trace), losses[_i].missing);
	ck_assert_uint_eq(lkst_trace_gaps(trace), losses[_i].missing ? 1 : 0);
}
