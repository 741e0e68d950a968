// SPDX-License-Identifier: GPL-2.0
/*
 * Capturing a trace from a fake kernel. tests/vm/commands/lkstbuf_read.t tests which buffers and
 * how many records are captured.
 */
#include <errno.h>
#include <sys/stat.h>

#include "dir.h"
#include "fake_kernel.h"
#include "lib/live/capture.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "trace_case.h"

#define SLOTS	    64
#define OVERWRITTEN 4

static struct lkst_device *dev;

/*
 * CPUs 0 and 1 have recorded SLOTS + OVERWRITTEN marks in their only buffer, and the oldest
 * OVERWRITTEN of them were overwritten. CPU 2 has no buffer.
 */
static void setup(void)
{
	fake_begin(3);
	for (int cpu = 0; cpu < 2; cpu++) {
		fake_shift(cpu, 0);
		for (int i = 0; i < SLOTS + OVERWRITTEN; i++)
			fake_record(cpu, i, WHOLE);
		fake.cpu[cpu].buffer[0].oldest += OVERWRITTEN;
	}
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

/* The kernel has no /proc/lkst_values, and hides the addresses of symbols. */
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
