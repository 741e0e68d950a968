// SPDX-License-Identifier: GPL-2.0
/*
 * Capturing a trace from a fake kernel. tests/vm/commands/lkstbuf_read.t tests which buffers and
 * how many records are captured.
 */
#include <errno.h>
#include <sys/stat.h>
#include <time.h>

#include "dir.h"
#include "fake_kernel.h"
#include "lib/base/crc32c.h"
#include "lib/device/device.h"
#include "lib/live/capture.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "lib/trace/columns.h"
#include "lib/trace/cut.h"
#include "lib/trace/select.h"
#include "trace_case.h"

#define SLOTS	    64
#define OVERWRITTEN 4

static struct lkst_device *dev;
static volatile int stopping;
static bool no_columns; /* there is no memory to convert columns to records */
static char notices[512];

static void take_notice(void *ctx, const char *text)
{
	(void)ctx;
	strcat(notices, text);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
	return no_columns && size == TRACE_COLUMNS_MAX ? NULL : __real_malloc(size);
}

/*
 * CPUs 0 and 1 have recorded SLOTS + OVERWRITTEN marks in their only buffer, and the oldest
 * OVERWRITTEN of them were overwritten. CPU 2 has no buffer.
 */
static void setup_again(void)
{
	fake_begin(3);
	for (int cpu = 0; cpu < 2; cpu++) {
		fake_shift(cpu, 0);
		for (int i = 0; i < SLOTS + OVERWRITTEN; i++)
			fake_record(cpu, 1 + i, WHOLE);
		fake.cpu[cpu].buffer[0].oldest += OVERWRITTEN;
	}
}

static void setup(void)
{
	*notices = 0;
	setup_again();
	dir_make();
	ck_assert_int_eq(mkdir(dir_path("proc"), 0700), 0);
	dev = fake_device();
}

static void teardown(void)
{
	close_trace();
	lkst_device_close(dev);
	ck_assert_int_eq(fake.open, 0);
	dir_remove();
}

/* Capture a trace, and open it. The capture must fail with @code or, if @code is 0, succeed. */
static void capture(struct lkst_capture options, enum lkst_err code)
{
	int ret;

	begin_trace(NULL);
	options.root = dir;
	ret = lkst_capture(dev, &options, writer, &err);
	ck_assert_int_eq(ret, code ? -1 : 0);
	ck_assert_int_eq(err.code, code);
	open_trace(commit_trace());
	/* An interrupted capture leaves a complete trace of what it has read. */
	ck_assert(lkst_trace_incomplete(trace) == (code && code != LKST_ERR_INTERRUPTED));
}

static const struct lkst_capture everything = { .cpu = -1, .id = -1 };

TESTS(.setup = setup, .teardown = teardown, .timeout = 60);

/*
 * Scripts that change the buffers of CPU 0 while they are read, and the expected counts in the
 * trace. At the start, buffer 0 has the recids from 5 to 68. Each event that was recorded before
 * the capture of its buffer begins is either captured or counted as lost. Later events are not
 * captured.
 */
#define MORE "0@1000 0@1000 0@1000 0@1000 0@1000 "

static const struct {
	const char *name, *script;
	uint64_t max, records, overwritten, dropped, unfinished;
} scenes[] = {
	{ "test_meanwhile_nothing", "", 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_nothing_of_9", "", 9, 9, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_go_on", "|* " MORE, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_overtake", "|* " MORE "|0 0<15", 0, SLOTS - 10, OVERWRITTEN + 10, 0, 0 },
	{ "test_meanwhile_drop", "0!12", 0, SLOTS - 1, OVERWRITTEN, 1, 0 },
	{ "test_meanwhile_interrupt", "|0 0?12 0?68", 0, SLOTS - 2, OVERWRITTEN, 0, 2 },
	{ "test_meanwhile_finish", "|0 0?12 0?68 |3 0=12 0=68", 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_begin_anew", "|0 0>0 " MORE, 0, 0, SLOTS + OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_go_elsewhere", "|0 0>1 " MORE, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_delete", "|0 0-0", 0, 0, SLOTS + OVERWRITTEN, 0, 0 },
};

TEST_ROWS(test_meanwhile, scenes)
{
	struct lkst_trace_buffer buffer;

	fake_play(scenes[_i].script);
	capture((struct lkst_capture){ .cpu = 0, .id = -1, .max = scenes[_i].max }, LKST_ERR_NONE);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert_uint_eq(buffer.records, scenes[_i].records);
	ck_assert_uint_eq(buffer.recorded, SLOTS + OVERWRITTEN);
	ck_assert_uint_eq(buffer.overwritten, scenes[_i].overwritten);
	ck_assert_uint_eq(buffer.dropped, scenes[_i].dropped);
	ck_assert_uint_eq(buffer.unfinished, scenes[_i].unfinished);
}

#define CALLER 0xffffffff81000100

/* Change the records of CPU 0 to spin_lock events with the callers CALLER, CALLER + 1, ... */
static void make_calls(void)
{
	for (uint64_t i = 0; i < SLOTS; i++) {
		struct lkst_event_record *record = &fake.cpu[0].record[1 + OVERWRITTEN + i];

		record->event_type = 0x080; /* spin_lock(lock, caller) */
		record->arg[1] = CALLER + i;
	}
}

/* The trace contains the names of values, and the symbols that its records refer to. */
TEST(test_context)
{
	const struct lkst_context *context;
	struct lkst_symbol symbol;

	write_text(dir_path(LKST_VALUES_PATH), LKST_VALUES_HEADER "\ndrop enum 2 TWO\n");
	write_text(dir_path(LKST_SYMBOLS_PATH), "ffffffff81000000 T before\n"
						"ffffffff81000100 T caller\n"
						"ffffffff81000120 T caller_too\n"
						"ffffffff81000200 T behind\n");
	make_calls();
	capture(everything, LKST_ERR_NONE);
	context = lkst_trace_context(trace);
	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_DROP, 2), "TWO");
	for (uint64_t i = 0; i < SLOTS; i++) {
		ck_assert(lkst_symbols_find(context->symbols, CALLER + i, &symbol));
		ck_assert_str_eq(symbol.name, i < 0x20 ? "caller" : "caller_too");
		ck_assert_uint_eq(symbol.offset, i % 0x20);
	}
	/* Symbols that no record refers to are not stored. */
	ck_assert(!lkst_symbols_find(context->symbols, 0xffffffff81000000, &symbol));
	ck_assert(!lkst_symbols_find(context->symbols, 0xffffffff81000200, &symbol));
	/* With no_symbols, no symbols are stored. */
	capture((struct lkst_capture){ .cpu = -1, .id = -1, .no_symbols = true }, LKST_ERR_NONE);
	ck_assert_ptr_null(lkst_trace_context(trace)->symbols);
}

/*
 * An old kernel has no /proc/lkst_values. In this test, the kernel also hides the addresses of
 * symbols.
 */
TEST(test_context_of_old_kernel)
{
	struct lkst_symbol symbol;

	write_text(dir_path(LKST_SYMBOLS_PATH), "0000000000000000 T caller\n");
	make_calls();
	capture(everything, LKST_ERR_NONE);
	ck_assert(!lkst_symbols_find(lkst_trace_context(trace)->symbols, CALLER, &symbol));
}

/* A trace contains a buffer even if it has no records. */
TEST(test_empty)
{
	struct lkst_trace_buffer buffer;

	fake_shift(2, 3);
	capture((struct lkst_capture){ .cpu = 2, .id = -1 }, LKST_ERR_NONE);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert(buffer.cpu == 2 && buffer.id == 3 && !buffer.records && !buffer.recorded);
}

TEST(test_selection_without_buffer)
{
	capture((struct lkst_capture){ .cpu = 2, .id = -1 }, LKST_ERR_NONE);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 0);
}

static void stop_after_first(void *ctx, uint64_t done, uint64_t total)
{
	*(int *)ctx = done > 0 && done < total;
}

/* ---- long rings ---- */

#define ROOM 65536 /* records for which lkst_capture() has room at first */

/* If a long ring does not fit, it is read again with more room. */
static const struct {
	const char *name;
	uint64_t kept, overwritten, hole;
} rings[] = {
	{ "test_long_one", 1, 0, 0 },
	{ "test_long_short", 1000, 7, 0 },
	{ "test_long_almost_fits", ROOM - 1, 7, 0 },
	{ "test_long_just_fits", ROOM, 7, 0 },
	{ "test_long_one_too_many", ROOM + 1, 7, 0 },
	{ "test_long_four_times", ROOM * 3, ROOM * 5, 0 },
	{ "test_long_holes", 1000, 7, 10 },
};

TEST_ROWS(test_long, rings)
{
	const uint64_t first = 30 + rings[_i].overwritten, kept = rings[_i].kept;
	uint64_t holes = 0, recid = first, num = 0;
	struct lkst_capture options = everything;
	struct lkst_event event;

	fake.now_ns = 1000000;
	fake.cpu[2].long_ring = (struct fake_long){
		.first_recid = 30, .recorded = rings[_i].overwritten + kept, .kept = kept,
		.hole = rings[_i].hole,
	};
	options.root = dir;
	begin_trace(NULL);
	assert_ok(lkst_capture(dev, &options, writer, &err));
	open_long(commit_trace());
	assert_ok(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err));
	for (; lkst_trace_next(trace, &event, &err) > 0; recid++, num++) {
		if (rings[_i].hole && recid % rings[_i].hole == 0) {
			recid++;
			holes++;
		}
		ck_assert_uint_eq(event.recid, recid);
		ck_assert_int_eq(event.time_ns, SAMPLE_NS + (int64_t)recid);
		ck_assert_int_eq(event.cpu, 2);
	}
	ck_assert_uint_eq(num + holes, kept);
	ck_assert_uint_eq(holes, rings[_i].hole ? kept / rings[_i].hole : 0);
	ck_assert(!lkst_trace_incomplete(trace));
}

/* The long rings are left out if buffers or a number of records are selected. */
TEST_LOOP(test_long_selected, 4)
{
	static const struct {
		struct lkst_capture options;
		uint64_t num;
	} cases[] = {
		{ { .cpu = 0, .id = -1 }, 3 },
		{ { .cpu = 1, .id = -1 }, 0 },
		{ { .cpu = -1, .id = 0 }, 0 },
		{ { .cpu = -1, .id = -1, .max = 9 }, 0 },
	};
	struct lkst_capture options = cases[_i].options;

	fake.cpu[0].long_ring = (struct fake_long){ .first_recid = 1, .recorded = 3, .kept = 3 };
	options.root = dir;
	begin_trace(NULL);
	assert_ok(lkst_capture(dev, &options, writer, &err));
	open_long(commit_trace());
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), cases[_i].num);
}

/* ---- the compressed history ---- */

/* At the start, CPU 0 has the recids from 1 to 68, and those from 5 are in buffer 0. */
#define LAST (SLOTS + OVERWRITTEN)

/* Check that the trace has the events of CPU 0 with these recids, "FIRST-LAST" words, once each. */
static void check_recids(const char *ranges)
{
	size_t num = read_all(LKST_OLDEST_FIRST), at = 0;
	unsigned long long first, last;

	for (int len; sscanf(ranges, " %llu-%llu%n", &first, &last, &len) == 2; ranges += len)
		for (; first <= last; first++, at++) {
			ck_assert_uint_lt(at, num);
			ck_assert_uint_eq(events[at].recid, first);
			ck_assert_int_eq(events[at].time_ns, SAMPLE_NS + (int64_t)first);
			ck_assert_uint_eq(events[at].tid, 1000);
			ck_assert_int_eq(events[at].cpu, 0);
		}
	ck_assert_str_eq(ranges, "");
	ck_assert_uint_eq(num, at);
}

static const struct {
	const char *name;
	struct { uint64_t first, num; } chunk[4];
	uint64_t oldest; /* recid of the oldest record in the buffer */
	const char *recids;
	uint64_t lost;
	/* counters of the buffer in the trace */
	uint64_t recorded, overwritten, records;
} histories[] = {
	{ "test_history_none", { { 0, 0 } }, 5, "5-68", 0, LAST, 4, SLOTS },
	{ "test_history_before", { { 1, 4 } }, 5, "1-68", 0, LAST, 0, LAST },
	{ "test_history_overlaps", { { 1, 10 }, { 11, 10 } }, 5, "1-68", 0, LAST, 0, LAST },
	{ "test_history_of_all", { { 1, 68 } }, 5, "1-68", 0, LAST, 0, LAST },
	{ "test_history_gap", { { 1, 10 }, { 15, 10 } }, 5, "1-68", 0, LAST, 0, LAST },
	{ "test_history_half", { { 1, 10 }, { 15, 10 } }, 13, "1-10 13-68", 2, LAST, 2, LAST - 2 },
	{ "test_history_lost", { { 1, 10 }, { 15, 10 } }, 15, "1-10 15-68", 4, LAST, 4, LAST - 4 },
	{ "test_history_gap_at_the_end", { { 1, 10 } }, 20, "1-10 20-68", 9, LAST, 9, LAST - 9 },
	/* The buffer has events that are older than the history. */
	{ "test_history_later", { { 10, 10 } }, 5, "5-68", 0, LAST, 4, LAST - 4 },
	{ "test_history_later_gap", { { 10, 10 }, { 30, 10 } }, 5, "5-68", 0, LAST, 4, LAST - 4 },
};

TEST_ROWS(test_histories, histories)
{
	struct lkst_trace_buffer buffer;

	for (int one = 0; one < 2; one++) {
		setup_again();
		fake.one_chunk = one;
		fake.cpu[0].buffer[0].oldest = histories[_i].oldest;
		for (int i = 0; i < NUM(histories[_i].chunk) && histories[_i].chunk[i].num; i++)
			fake_compress(0, 0, histories[_i].chunk[i].first,
				      histories[_i].chunk[i].num);
		capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
		check_recids(histories[_i].recids);
		ck_assert_uint_eq(lkst_trace_lost(trace), histories[_i].lost);
		ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
		lkst_trace_buffer(trace, 0, &buffer);
		ck_assert_uint_eq(buffer.recorded, histories[_i].recorded);
		ck_assert_uint_eq(buffer.overwritten, histories[_i].overwritten);
		ck_assert_uint_eq(buffer.records, histories[_i].records);
		ck_assert_uint_eq(buffer.recorded, buffer.records + buffer.overwritten);
	}
}

/* Buffer 0 is older than the history, which has events of buffer 1 only. */
TEST(test_history_of_newer_buffer)
{
	struct lkst_trace_buffer buffer;

	fake_shift(0, 1);
	for (int i = 0; i < 30; i++)
		fake_record(0, LAST + 1 + i, WHOLE);
	fake_compress(0, 1, LAST + 11, 10);
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	check_recids("5-98");
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert(buffer.id == 0 && buffer.records == LAST - 4 && buffer.overwritten == 4);
	lkst_trace_buffer(trace, 1, &buffer);
	ck_assert(buffer.id == 1 && buffer.records == 30 && buffer.recorded == 30);
	ck_assert(!buffer.overwritten);
}

/* Records that are missing between two chunks were dropped, or are unfinished in the buffer. */
TEST(test_history_gap_unfinished)
{
	struct lkst_trace_buffer buffer;

	fake_play("0?12 0!13");
	fake_compress(0, 0, 1, 10);
	fake_compress(0, 0, 15, 10);
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	check_recids("1-11 14-68");
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert_uint_eq(buffer.records, LAST - 2);
	ck_assert_uint_eq(buffer.recorded, LAST);
	ck_assert_uint_eq(buffer.unfinished, 1);
	ck_assert_uint_eq(buffer.dropped, 1);
	ck_assert_uint_eq(buffer.overwritten, 0);
}

/*
 * The history contains events of an earlier session of the buffer, and of a buffer that was deleted.
 */
TEST(test_history_sessions)
{
	struct lkst_trace_buffer buffer;

	fake_shift(0, 1);
	for (int i = 0; i < 10; i++)
		fake_record(0, LAST + 1 + i, WHOLE);
	fake_shift(0, 0);
	for (int i = 10; i < 20; i++)
		fake_record(0, LAST + 1 + i, WHOLE);
	fake_compress(0, 0, 1, LAST);
	fake_compress(0, 1, LAST + 1, 10);
	fake_compress(0, 0, LAST + 11, 5);
	fake.cpu[0].buffer[1].exists = false;
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	check_recids("1-88");
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert(buffer.id == 0 && buffer.records == LAST + 10 && buffer.recorded == LAST + 10);
	ck_assert(!buffer.overwritten && !buffer.unfinished);
	lkst_trace_buffer(trace, 1, &buffer);
	ck_assert(buffer.id == 1 && buffer.records == 10 && !lkst_trace_buffer_counted(&buffer));
}

/* A CPU may have a history, but no buffer. Each CPU has its own recids. */
TEST(test_history_of_cpus)
{
	fake_compress(1, 0, 1, 20);
	for (int i = 0; i < 30; i++) {
		fake_record(2, 1 + i, WHOLE);
		fake.cpu[2].buffer[0].exists = false;
	}
	fake_compress(2, 0, 1, 30);
	capture(everything, LKST_ERR_NONE);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SLOTS + LAST + 30);
	capture((struct lkst_capture){ .cpu = 2, .id = -1 }, LKST_ERR_NONE);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 30);
}

/* The history is left out on demand, and if buffers or a number of records are selected. */
static const struct lkst_capture without_history[] = {
	{ .cpu = 0, .id = 0 },
	{ .cpu = 0, .id = -1, .max = 1000 },
	{ .cpu = 0, .id = -1, .no_history = true },
};

TEST_EACH(test_history_selected, without_history)
{
	fake_compress(0, 0, 1, 20);
	capture(without_history[_i], LKST_ERR_NONE);
	check_recids("5-68");
	ck_assert_int_eq(fake.history_reads, 0);
}

static void overwrite_first(void)
{
	if (fake.history_reads == 1)
		fake.cpu[0].history.oldest = 2;
}

/*
 * While the history is read, the kernel overwrites chunks: their records are taken from the buffer,
 * or are counted as lost.
 */
TEST_LOOP(test_history_overwritten, 2)
{
	fake.cpu[0].buffer[0].oldest = _i ? 21 : 5;
	fake_compress(0, 0, 1, 10);
	fake_compress(0, 0, 11, 10);
	fake_compress(0, 0, 21, 10);
	fake.one_chunk = true;
	fake.before_history = overwrite_first;
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	check_recids(_i ? "1-10 21-68" : "1-68");
	ck_assert_uint_eq(lkst_trace_lost(trace), _i ? 10 : 0);
}

static void compress_more(void)
{
	if (fake.history_reads == 1)
		fake_compress(0, 0, 21, 30);
	if (fake.history_reads == 2)
		fake_play("0<50");
}

/* While the history is read, the kernel adds chunks, and overwrites their records in the buffer. */
TEST(test_history_grows)
{
	fake_compress(0, 0, 1, 20);
	fake.before_history = compress_more;
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	check_recids("1-68");
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
}

/*
 * A chunk whose checksum is wrong is left out, and so is anything that is not a chunk of this CPU.
 * It is reported. Its events are taken from the buffer, or are counted as lost. The chunks after it
 * are read.
 */
TEST_LOOP(test_history_damaged, 7)
{
	struct fake_history *history = &fake.cpu[0].history;
	uint8_t *chunk;

	fake.cpu[0].buffer[0].oldest = 15;
	fake.plain = _i == 6;
	fake_compress(0, 0, 1, 10);
	chunk = fake_compress(0, 0, 11, 10);
	fake_compress(0, 0, 21, 10);
	if (_i == 0) {
		chunk[history->size[1] - 9] ^= 1;
	} else if (_i == 1) {
		chunk[8] ^= 1;
	} else if (_i == 2) {
		memset(chunk, 0, history->size[1]);
	} else if (_i >= 5) {
		/* The header states a wrong length of the decompressed payload. */
		struct lkst_chunk_header *header = (void *)chunk;

		header->raw_length += 8;
		header->checksum =
			lkst_crc32c(header, offsetof(struct lkst_chunk_header, checksum));
	} else {
		/* The chunk is from another CPU, or repeats the first one. */
		fake_compress(_i == 3 ? 1 : 0, 0, 1, 10);
		history->size[1] = fake.cpu[_i == 3].history.size[_i == 3 ? 0 : 3];
		memcpy(chunk, fake.cpu[_i == 3].history.chunk[_i == 3 ? 0 : 3], history->size[1]);
		free(history->chunk[3]);
		history->chunk[3] = NULL;
		history->chunks = 3;
	}
	capture((struct lkst_capture){ .cpu = 0, .id = -1, .notice = take_notice }, LKST_ERR_NONE);
	check_recids("1-10 15-68");
	ck_assert_uint_eq(lkst_trace_lost(trace), 4);
	ck_assert_str_eq(notices,
			 "1 chunks of the compressed history are damaged and were left out");
}

/* Each damaged chunk is counted, also at the start and at the end. */
TEST(test_history_all_damaged)
{
	for (uint64_t i = 0; i < 3; i++)
		fake_compress(0, 0, 1 + 10 * i, 10)[fake.cpu[0].history.size[i] - 9] ^= 1;
	capture((struct lkst_capture){ .cpu = 0, .id = -1, .notice = take_notice }, LKST_ERR_NONE);
	check_recids("5-68");
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
	ck_assert_str_eq(notices,
			 "3 chunks of the compressed history are damaged and were left out");
}

/* If the kernel refuses to return the history, the buffers are read, and one notice says why. */
TEST(test_history_fails)
{
	fake_compress(0, 0, 1, 10);
	fake.history_error = EIO;
	capture((struct lkst_capture){ .cpu = -1, .id = -1, .notice = take_notice }, LKST_ERR_NONE);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 2 * SLOTS);
	ck_assert(!strncmp(notices, "the compressed history cannot be read: ", 39));
	ck_assert_ptr_nonnull(strstr(notices, strerror(EIO)));
	ck_assert_ptr_null(strstr(notices + 1, "the compressed history"));
}

/* A chunk is not damaged if the memory to decompress it cannot be allocated: the capture fails. */
TEST(test_history_without_memory)
{
	fake_compress(0, 0, 1, 10);
	no_columns = true;
	begin_trace(NULL);
	ck_assert_int_eq(lkst_capture(dev,
				      &(struct lkst_capture){ .cpu = 0, .id = -1, .root = dir },
				      writer, &err),
			 -1);
	no_columns = false;
	ck_assert_int_eq(err.code, LKST_ERR_SYSTEM);
	open_trace(commit_trace());
}

/* An older kernel has no ioctls for the history. */
TEST(test_history_of_old_kernel)
{
	fake.history_error = ENOTTY;
	capture((struct lkst_capture){ .cpu = 0, .id = -1, .notice = take_notice }, LKST_ERR_NONE);
	check_recids("5-68");
	ck_assert_int_gt(fake.history_reads, 0);
	ck_assert_str_eq(notices, "");
}

/* Holes in a chunk are no events, and are not counted as lost. */
TEST(test_history_holes)
{
	fake_play("0!7 0!12");
	fake_compress(0, 0, 1, 20);
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	check_recids("1-6 8-11 13-68");
	ck_assert_uint_eq(lkst_trace_lost(trace), 0);
}

/* The chunks are copied, not compressed again. Their records have symbols. */
TEST(test_history_copied)
{
	struct lkst_symbol symbol;
	uint8_t *chunk;

	write_text(dir_path(LKST_VALUES_PATH), LKST_VALUES_HEADER "\n");
	write_text(dir_path(LKST_SYMBOLS_PATH), "ffffffff81000100 T caller\n"
						"ffffffff81000200 T behind\n");
	make_calls();
	chunk = fake_compress(0, 0, 1, 68);
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	ck_assert(lkst_symbols_find(lkst_trace_context(trace)->symbols, CALLER, &symbol));
	ck_assert_str_eq(symbol.name, "caller");
	begin_trace(NULL);
	assert_ok(lkst_capture(dev, &(struct lkst_capture){ .cpu = 0, .id = -1, .root = dir }, writer,
			       &err));
	load_file(commit_trace());
	ck_assert_mem_eq(find_chunk(TRACE_RECORDS_RAW, 0), chunk, fake.cpu[0].history.size[0]);
}

static void stop_now(void)
{
	stopping = fake.history_reads == 1;
}

TEST(test_history_stopped)
{
	fake_compress(0, 0, 1, 10);
	fake_compress(0, 0, 11, 10);
	fake_compress(0, 0, 21, 10);
	fake.one_chunk = true;
	fake.before_history = stop_now;
	capture((struct lkst_capture){ .cpu = 0, .id = -1, .stop = &stopping },
		LKST_ERR_INTERRUPTED);
	stopping = 0;
	check_recids("1-20");
}

TEST(test_history_refused)
{
	struct lkst_error why = { 0 };
	struct lkst_history_status status;
	uint64_t position = 0;
	uint8_t to[1];

	ck_assert_int_eq(lkst_history_read(dev, 7, &position, to, 1, &why), -1);
	ck_assert_int_eq(why.sys_errno, EINVAL);
	ck_assert_int_eq(lkst_history_status_get(dev, 7, &status, &why), -1);
	ck_assert_int_eq(why.sys_errno, EINVAL);
	fake_compress(1, 0, 1, 10);
	ck_assert_int_eq(lkst_history_read(dev, 1, &position, to, 1, &why), -1);
	ck_assert_int_eq(why.sys_errno, ENOBUFS);
	/* Without a history, and with an older kernel, there is nothing to read. */
	ck_assert_int_eq(lkst_history_read(dev, 0, &position, to, 1, &why), 0);
	fake.error = ENOTTY;
	ck_assert_int_eq(lkst_history_read(dev, 0, &position, to, 1, &why), 0);
	assert_ok(lkst_history_status_get(dev, 0, &status, &why));
	ck_assert(!status.size && !status.flags);
	fake.error = 0;
	fake.history_error = EPERM;
	ck_assert_int_eq(lkst_history_status_get(dev, 0, &status, &why), -1);
	ck_assert_int_eq(why.sys_errno, EPERM);
	ck_assert(!status.size && !status.flags);
}

/*
 * The trace lists the loss between two chunks, and a gap in its recids shows it as well. A part of
 * the trace lists it once, and so does a part of the part.
 */
TEST(test_history_cut)
{
	struct lkst_selection selection;
	struct lkst_etypes *types = lkst_etypes_system(&err);

	lkst_selection_init(&selection);
	selection.cpu = 0;
	fake.cpu[0].buffer[0].oldest = 15;
	fake_compress(0, 0, 1, 10);
	fake_compress(0, 0, 15, 10);
	capture((struct lkst_capture){ .cpu = 0, .id = -1 }, LKST_ERR_NONE);
	ck_assert_uint_eq(lkst_trace_lost(trace), 4);
	for (int parts = 0; parts < 2; parts++) {
		begin_trace(NULL);
		ck_assert_int_eq(
			lkst_trace_cut(trace, types, &selection, "-c 0", NULL, writer, &err), 0);
		open_trace(commit_trace());
		check_recids("1-10 15-68");
		ck_assert_uint_eq(lkst_trace_lost(trace), 4);
	}
	lkst_etypes_free(types);
}

/* ---- command lines and files ---- */

static void make_process(const char *number, const char *command, size_t len)
{
	char path[64];
	FILE *to;

	snprintf(path, sizeof(path), "proc/%s", number);
	ck_assert_int_eq(mkdir(dir_path(path), 0700), 0);
	snprintf(path, sizeof(path), "proc/%s/fd", number);
	ck_assert_int_eq(mkdir(dir_path(path), 0700), 0);
	snprintf(path, sizeof(path), "proc/%s/cmdline", number);
	to = fopen(dir_path(path), "w");
	ck_assert(to && fwrite(command, 1, len, to) == len && !fclose(to));
}

static void make_file(const char *number, unsigned int fd, const char *target)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%s/fd/%u", number, fd);
	ck_assert_int_eq(symlink(target, dir_path(path)), 0);
}

static const char *file_of(uint32_t tgid, uint32_t fd)
{
	struct lkst_event event = events[0];

	event.tgid = tgid;
	return lkst_process_file(lkst_trace_context(trace), &event, fd);
}

static const char *command_of(uint32_t tgid)
{
	struct lkst_event event = events[0];

	event.tgid = tgid;
	return lkst_process_command(lkst_trace_context(trace), &event);
}

/* Make the clocks of the fake kernel show about the same time as those of this machine. */
static void fake_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	fake.now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	for (int cpu = 0; cpu < 2; cpu++) {
		fake_sync(cpu, fake.now_ns - 1000000000);
		fake_record(cpu, fake.now_ns - 900000000, WHOLE);
	}
}

TEST(test_files)
{
	char path[2000];
	struct lkst_capture options = everything;

	make_process("100", "cat\0my file\0\n\\", 15);
	make_file("100", 0, "/dev/null");
	make_file("100", 17, "/srv/a b\n\xc3\xa4");
	make_process("101", "", 0); /* a kernel thread */
	make_process("102", "a\0\0b\0\0", 6);
	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = 0;
	make_file("102", 3, path);
	make_process("103", path, sizeof(path));
	ck_assert_int_eq(mkdir(dir_path("proc/104"), 0700), 0); /* has just ended */
	fake_now();
	options.notice = take_notice;
	capture(options, LKST_ERR_NONE);
	ck_assert_uint_gt(read_all(LKST_NEWEST_FIRST), 0);
	ck_assert_str_eq(command_of(100), "cat my\\040file \\012\\134");
	ck_assert_ptr_null(command_of(101));
	ck_assert_str_eq(command_of(102), "a  b");
	ck_assert_uint_eq(strlen(command_of(103)), 1023 + strlen(" [cut]"));
	ck_assert_str_eq(command_of(103) + 1022, "x [cut]");
	ck_assert_ptr_null(command_of(104));
	ck_assert_str_eq(file_of(100, 0), "/dev/null");
	ck_assert_str_eq(file_of(100, 17), "/srv/a b\n\xc3\xa4");
	ck_assert_ptr_null(file_of(100, 1));
	ck_assert_str_eq(file_of(102, 3) + 1022, "x [cut]");
	ck_assert_str_eq(notices, "");
	/*
	 * The trace of a single CPU lacks system calls of other CPUs, so it is unknown which files
	 * a process had open at the time of an event.
	 */
	options.cpu = 0;
	capture(options, LKST_ERR_NONE);
	ck_assert_uint_gt(read_all(LKST_NEWEST_FIRST), 0);
	ck_assert_str_eq(command_of(102), "a  b");
	ck_assert_ptr_null(file_of(100, 0));
	options.cpu = -1;
	/* The open files are also unknown if system calls are masked. */
	fake.masked = LKST_ETYPE_SYSCALL_ENTRY;
	capture(options, LKST_ERR_NONE);
	ck_assert_uint_gt(read_all(LKST_NEWEST_FIRST), 0);
	ck_assert_str_eq(command_of(102), "a  b");
	ck_assert_ptr_null(file_of(100, 0));
	options.no_files = true;
	capture(options, LKST_ERR_NONE);
	ck_assert_uint_gt(read_all(LKST_NEWEST_FIRST), 0);
	ck_assert_ptr_null(command_of(102));
	ck_assert_ptr_null(file_of(100, 0));
}

TEST(test_many_files)
{
	struct lkst_capture options = everything;

	make_process("100", "cat", 3);
	for (unsigned int fd = 0; fd < 1030; fd++)
		make_file("100", fd, "/dev/null");
	fake_now();
	options.notice = take_notice;
	capture(options, LKST_ERR_NONE);
	ck_assert_str_eq(notices, "the files of 0 processes and 6 other descriptors are left out, as there are too many");
}

/* An interrupted capture leaves a complete trace of the buffers that it has read. */
TEST(test_interrupted)
{
	int stop = 1;
	struct lkst_capture options = { .cpu = -1, .id = -1, .stop = &stop };

	capture(options, LKST_ERR_INTERRUPTED);
	stop = fake.reads = 0;
	options.progress = stop_after_first;
	options.ctx = &stop;
	capture(options, LKST_ERR_INTERRUPTED);
	ck_assert_int_eq(fake.reads, 1);
	ck_assert_uint_eq(lkst_trace_records(trace), SLOTS);
}

TEST(test_errors)
{
	fake.error = EPERM;
	capture(everything, LKST_ERR_PERMISSION);
}
